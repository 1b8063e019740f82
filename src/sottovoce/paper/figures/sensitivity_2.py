"""Sensitivity, setting 2 (L1034): Rademacher + U, the constant in Δ against n (2a) and against T (2b)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sottovoce.paper.constants import ALPHAS
from sottovoce.paper.drawing import panels, ribbon
from sottovoce.paper.fast import means
from sottovoce.paper.fast.univariate import squared_errors
from sottovoce.paper.figure import Cell, Claim, Figure, Judgement, Rows, Run, Verdict, column, pick, values_of, verdict
from sottovoce.schemes import experiment_constant, experiment_delta


def _cells(vary: str) -> Any:
    def cells(run: Run) -> list[Cell]:
        sizes = (100, 300, 500) if run.quick else range(100, 501, 50)
        return [
            {
                "n": size if vary == "n" else 100,
                "T": size if vary == "T" else 100,
                "repetitions": 500,
                "step": 3 if run.quick else 1,
            }
            for size in sizes
        ]

    return cells


def compute(cell: Cell, stream: np.random.Generator) -> Rows:
    """Every (α, C) on the same users."""
    n, T, count = cell["n"], cell["T"], cell["repetitions"]
    constants = np.arange(1, 101, cell["step"]) / 100
    deltas = np.array([[experiment_delta(n, T, alpha, constant=c) for c in constants] for alpha in ALPHAS])
    shift = stream.uniform(-0.3, 0.3, (count,))
    held = means.rademacher(stream, T, 0.5, (count, n)) + shift[:, None]
    sums, squares = squared_errors(
        stream, held[:, : n // 2], held[:, n // 2 :], shift, deltas=deltas, epsilons=np.array(ALPHAS)
    )
    mse = sums / count
    error = np.sqrt(np.maximum(squares / count - mse**2, 0) / (count - 1))
    return [
        {"n": n, "T": T, "alpha": alpha, "C": float(c), "mse": float(mse[a, i]), "se": float(error[a, i])}
        for a, alpha in enumerate(ALPHAS)
        for i, c in enumerate(constants)
    ]


def _curves(rows: Rows) -> dict[tuple[int, int, float], tuple[np.ndarray, np.ndarray, np.ndarray]]:
    found = {}
    for n in values_of(rows, "n"):
        for T in values_of(rows, "T"):
            for alpha in ALPHAS:
                chosen = sorted(pick(rows, n=n, T=T, alpha=alpha), key=lambda row: row["C"])
                if chosen:
                    found[n, T, alpha] = column(chosen, "C"), column(chosen, "mse"), column(chosen, "se")
    return found


def _valley(rows: Rows) -> Judgement:
    curves = _curves(rows)
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
        start = {(n, T): _rise(c, mse) for (n, T, a), (c, mse, _) in _curves(rows).items() if a == alpha}
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
        for key, (c, mse, _) in _curves(rows).items()
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


def _draw(vary: str) -> Any:
    def draw(rows: Rows, picture: Any) -> None:
        import matplotlib

        axes = panels(picture, 1, 4, sharey=False)[0]
        sizes = values_of(rows, vary)
        shades = matplotlib.colormaps["cividis"]
        for place, alpha in zip(axes, ALPHAS, strict=True):
            place.set_yscale("log")
            place.set_title(f"α = {alpha:g}")
            place.set_xlabel("C")
            for i, size in enumerate(sizes):
                chosen = sorted(pick(rows, alpha=alpha, **{vary: size}), key=lambda row: row["C"])
                ribbon(place, column(chosen, "C"), column(chosen, "mse"), column(chosen, "se"),
                       colour=shades(0.95 * i / max(1, len(sizes) - 1)), label=f"{size}")  # fmt: skip
            place.axvline(experiment_constant(alpha), color="0.4", linestyle=":", linewidth=1)
        axes[0].set_ylabel("mean squared error")
        handles, labels = axes[0].get_legend_handles_labels()
        picture.legend(handles, labels, loc="outside lower center", ncols=9, title=f"{vary} (dotted: C_α)")

    return draw


def _figure(name: str, vary: str, fixed: str, first: Verdict) -> Figure:
    return Figure(
        name=name,
        title=f"Sensitivity to the constant in Δ: Rademacher + U, {fixed} = 100, {vary} = 100 … 500",
        where="L1034, L1050–1072",
        cells=_cells(vary),
        compute=compute,
        cost=lambda cell: 0.1 + cell["n"] / 400 * math.sqrt(100 / cell["T"]),
        keys=("n", "T", "alpha", "C"),
        values=(("mse", "se"),),
        claims=(
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
        ),
        draw=_draw(vary),
        size=(11, 3.6),
    )


FIGURES = {
    "sensitivity-2a": _figure("sensitivity-2a", "n", "T", Verdict.DOES_NOT),
    "sensitivity-2b": _figure("sensitivity-2b", "T", "n", Verdict.AGREES),
}
