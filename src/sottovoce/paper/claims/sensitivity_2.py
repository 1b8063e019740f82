"""Sensitivity, setting 2 (L1034): Rademacher + U, the constant in Δ against n (2a) and against T (2b)."""

from __future__ import annotations

import numpy as np

from sottovoce.paper.constants import ALPHAS
from sottovoce.paper.experiments.sensitivity_2 import curves_of
from sottovoce.paper.figure import Claim, Judgement, Rows, Verdict, verdict
from sottovoce.theory import experiment_constant


def _valley(rows: Rows) -> Judgement:
    curves = curves_of(rows)
    falls = {key: mse[0] / mse.min() for key, (_, mse, _) in curves.items()}
    rises = {key: mse[-1] / mse.min() for key, (_, mse, _) in curves.items()}
    least = min(rises, key=lambda key: rises[key])
    return Judgement(
        verdict=verdict(min(falls.values()) > 1.5 and sum(rise > 1.05 for rise in rises.values()) > 0.8 * len(rises)),
        seen=f"in all {len(curves)} curves the smallest C is at least {min(falls.values()):.3g} times worse than the "
        f"best; the rise up to C = 1 is {rises[least]:.3g} times at n={least[0]}, T={least[1]}, α={least[2]:g} and "
        f"more elsewhere",
        why="for α = 0.5 few of the curves reach their minimum before C = 1, so the rise is small there",
    )


def _earliest(rows: Rows) -> Judgement:
    later, compared, text = 0, 0, []
    for alpha in ALPHAS:
        start = {(n, T): _rise(c, mse) for (n, T, a), (c, mse, _) in curves_of(rows).items() if a == alpha}
        first = start.pop((100, 100))
        if alpha <= 1:  # above, the curves rise within a few hundredths of each other
            later += sum(other > first for other in start.values())
            compared += len(start)
        text.append(f"α={alpha:g}: {first:.2f} against {min(start.values()):.2f}…{max(start.values()):.2f}")
    return Judgement(
        verdict=verdict(later > 0.7 * compared),
        seen=f"C at which the error is 1.5 times its least again, n = T = 100 against the others: {'; '.join(text)}; "
        f"for α ≤ 1 the others are later in {later / compared:.0%} of the cases",
        why="with T fixed, more users find narrower bins: their error is least, and rises again, at a smaller C, so "
        "n = T = 100 is the latest, not the earliest; with n fixed, more observations need a larger C, and it is "
        "among the earliest",
    )


def _rise(c: np.ndarray, mse: np.ndarray) -> float:
    """Where the curve, smoothed over three C, is 1.5 times its least value again."""
    smooth = np.exp(np.convolve(np.log(mse), np.ones(3) / 3, mode="valid"))
    least = int(smooth.argmin())
    above = np.flatnonzero(smooth[least:] > 1.5 * smooth[least])
    return float(c[1:-1][least + above[0]]) if len(above) else 1.0


def _chosen(rows: Rows) -> Judgement:
    losses = {
        key: float(np.interp(experiment_constant(key[2]), c, mse) / mse.min())
        for key, (c, mse, _) in curves_of(rows).items()
    }
    high = {key: loss for key, loss in losses.items() if key[2] >= 1}
    worst = max(high, key=lambda key: high[key])
    half = [loss for key, loss in losses.items() if key[2] == 0.5]
    return Judgement(
        verdict=verdict(float(np.median(list(high.values()))) < 2.5),
        seen=f"error at C_α over the least error: median {np.median(list(high.values())):.2f} for α ≥ 1, at worst "
        f"{high[worst]:.3g} (n={worst[0]}, T={worst[1]}, α={worst[2]:g}); for α = 0.5 {min(half):.2f}…{max(half):.2f}",
        why="C_α is a compromise over n and T, and errs towards too large, as meant",
    )


def claims(first: Verdict) -> tuple[Claim, ...]:
    """Of either panel; `first` is what was found of the claim that n = T = 100 rises first."""
    return (
        Claim(
            name="a valley in C",
            text="The error decays as C grows for all configurations of n and T, before rising.",
            where="L1050",
            expected=Verdict.AGREES,
            check=_valley,
        ),
        Claim(
            name="n = T = 100 rises first",
            text="The case n = T = 100 starts to rise the earliest in C.",
            where="L1050",
            expected=first,
            check=_earliest,
        ),
        Claim(
            name="C_α is a fair choice",
            text="C = 0.5 for α in {0.5, 1} and 0.25 for α in {2, 4} suit these settings.",
            where="L1075–1082",
            expected=Verdict.AGREES,
            check=_chosen,
        ),
    )


CLAIMS = {"sensitivity-2a": claims(Verdict.DOES_NOT), "sensitivity-2b": claims(Verdict.AGREES)}
