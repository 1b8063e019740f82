"""Sensitivity, setting 1 (L1031): which distribution suffers from a small constant in Δ. 10,000 repetitions."""

from __future__ import annotations

import numpy as np

from sottovoce.paper.experiments.sensitivity_1 import LEVELS, SHAPES
from sottovoce.paper.figure import Claim, Judgement, Rows, Verdict, column, pick, verdict


def _curve(rows: Rows, p: float, alpha: float) -> tuple[np.ndarray, np.ndarray]:
    chosen = sorted(pick(rows, p=p, alpha=alpha), key=lambda row: row["C"])
    return column(chosen, "C"), column(chosen, "mse")


def _valley(rows: Rows) -> Judgement:
    falls, rises = [], []
    for p in SHAPES:
        for alpha in LEVELS:
            _, mse = _curve(rows, p, alpha)
            falls.append(mse[0] / mse.min())
            rises.append(mse[-1] / mse.min())
    return Judgement(
        verdict=verdict(min(falls) > 2 and min(rises) > 1.05),
        seen=f"the smallest C is {min(falls):.3g} to {max(falls):.3g} times worse than the best, C = 1 is "
        f"{min(rises):.3g} to {max(rises):.3g} times worse",
        why="'gracefully' is as C²: the noise has scale 6Δ/α",
    )


def _spread(rows: Rows) -> Judgement:
    ratios = {}
    for alpha in LEVELS:
        c, wide = _curve(rows, SHAPES[0], alpha)
        narrow = _curve(rows, SHAPES[-1], alpha)[1]
        ratios[alpha] = float(np.exp(np.log(wide / narrow)[c <= 0.2].mean()))
    return Judgement(
        verdict=verdict(min(ratios.values()) > 0.97 and max(ratios.values()) > 1.3),
        seen="error for p = 0.1 over that for p = 5, geometric mean over C ≤ 0.2: "
        + ", ".join(f"{ratio:.2f} (α={alpha:g})" for alpha, ratio in ratios.items()),
        why="the larger the variance of the observations, the wider the bins must be; where α is so small that the "
        "votes fail for every distribution there is little left to compare",
    )


def _coincide(rows: Rows) -> Judgement:
    ends = []
    for alpha in LEVELS:
        c = _curve(rows, 1.0, alpha)[0]
        last = [np.exp(np.log(_curve(rows, p, alpha)[1])[c >= 0.8].mean()) for p in SHAPES]
        ends.append(max(last) / min(last))
    return Judgement(
        verdict=verdict(max(ends) < 1.15),
        seen="largest over smallest error among the shapes, mean over C ≥ 0.8: "
        + ", ".join(f"{end:.3f} (α={alpha:g})" for end, alpha in zip(ends, LEVELS, strict=True)),
        why="there the Laplace noise is nearly all of the error and does not know the distribution",
    )


def _larger_is_safer(rows: Rows) -> Judgement:
    worse = []
    for p in SHAPES:
        for alpha in LEVELS:
            c, mse = _curve(rows, p, alpha)
            best = c[mse.argmin()]
            under, over = np.interp([best / 2, min(1.0, best * 2)], c, mse)
            worse.append(under / over)
    return Judgement(
        verdict=verdict(float(np.median(worse)) > 1),
        seen=f"half the best C against twice the best C: the error is {min(worse):.3g} to {max(worse):.3g} times as "
        f"large, {np.mean(np.array(worse) > 1):.0%} of the {len(worse)} curves prefer the larger",
    )


CLAIMS = (
    Claim(
        name="a valley in C",
        text="Too small a C gives a large error; it decays to a minimum, then increases gracefully.",
        where="L1035",
        expected=Verdict.AGREES,
        check=_valley,
    ),
    Claim(
        name="small C hurts wide distributions",
        text="The effects of a small C are more adverse for distributions with larger variance.",
        where="L1035",
        expected=Verdict.AGREES,
        check=_spread,
    ),
    Claim(
        name="large C is the same for all",
        text="The errors of the distributions coincide for large C.",
        where="L1035",
        expected=Verdict.AGREES,
        check=_coincide,
    ),
    Claim(
        name="better too large than too small",
        text="It is preferable to pick C larger than optimal rather than smaller.",
        where="L1035",
        expected=Verdict.AGREES,
        check=_larger_is_safer,
    ),
)
