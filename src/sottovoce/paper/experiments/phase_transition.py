"""The phase transition (L1003): the least error over 300 Δ, by the paper's estimate and exactly.

1,248,000,000 surveys: 2 n × 26 T × 4 α × 300 Δ × 20,000 repetitions.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.random import Generator

from sottovoce.messages import has_numba
from sottovoce.paper import ours
from sottovoce.paper.constants import ALPHAS
from sottovoce.paper.fast import means, protocols
from sottovoce.paper.fast.surveys import Surveys
from sottovoce.paper.fast.univariate import squared_errors, summary
from sottovoce.paper.figure import Cell, Rows, Run, along
from sottovoce.problems.mean import Mean

BLOCK = 1000
"""Repetitions that share a stream: fixed, so that the result does not depend on who computes what."""
SPOTLIGHT = {"n": 100, "T": 10**4, "alpha": 4.0}
"""Where all Δ are shown (ERRATA 18)."""


def cells(run: Run) -> list[Cell]:
    """One an (n, T)."""
    powers = (2.0, 3.0, 4.0, 5.0, 6.0, 7.0) if run.quick else [2 + k / 5 for k in range(26)]
    return [
        {
            "n": n,
            "T": math.floor(10**m + 1e-6),
            "repetitions": 500 if run.reduced else 2000 if run.quick else 20_000,
            "grid": "some" if run.quick else "all",
            "coarse": 10 if run.quick else 24,
        }
        for n in (100, 200)
        for m in powers
    ] + [
        {"series": "ours", "n": n, "T": 10**m, "repetitions": ours.QUICK if run.quick else REPETITIONS}
        for n in (100, 200)
        for m in ((4,) if run.quick else (2, 3, 4, 5, 6, 7))
    ]


REPETITIONS = 40
"""Of our default, at every power of ten."""
SOME = (1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 17, 20, 25, 30, 36, 44, 54, 66, 80, 97, 118, 143, 173, 210, 250, 300)


def grid(which: str) -> np.ndarray:
    """Δ = i/2000 for i up to 300, all or some; N = ⌈2000/i⌉ follows."""
    return np.array(range(1, 301) if which == "all" else SOME) / 2000


def surveys_of(cell: Cell) -> Surveys:
    """The paper's survey for every (α, Δ)."""
    return protocols.with_deltas(cell["n"], cell["T"], ALPHAS, grid(cell["grid"]))


def finer(best: float) -> list[float]:
    """Δ between and below those of the paper's grid, where its best is near the grid's end: 1/N for whole N."""
    if best > 0.006:
        return [best]
    lowest = -6 if best < 0.00075 else -2
    return [1 / math.ceil(2 ** (-k / 4) / best) for k in range(lowest, 3)]


def estimated(
    cell: Cell, stream: Generator, *, surveys: Surveys | None = None, compiled: bool | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """The paper's estimate of the mean squared error for every (α, Δ), and its standard error."""
    n, T, count = cell["n"], cell["T"], cell["repetitions"]
    surveys = surveys_of(cell) if surveys is None else surveys
    sums, squares = np.zeros(surveys.shape), np.zeros(surveys.shape)
    for block in stream.spawn(math.ceil(count / BLOCK)):
        size = min(BLOCK, count)
        shift = block.uniform(-0.3, 0.3, size)
        held = means.rademacher(block, T, 0.5, (size, n)) + shift[:, None]
        some = squared_errors(block, held, shift, surveys=surveys, compiled=compiled)
        sums, squares = sums + some[0], squares + some[1]
    mse = sums / count
    return mse, np.sqrt(np.maximum(squares / count - mse**2, 0) / count)


def compute(cell: Cell, stream: Generator) -> Rows:
    """For each α: the smallest estimate, the exact risk of the Δ it picked, and the smallest exact risk."""
    from sottovoce.theory import Rademacher, best_delta, exact_risk

    if cell.get("series"):
        return our_rows(cell, stream)
    fast = has_numba()
    mse, error = estimated(cell, stream)
    deltas = grid(cell["grid"])
    rows: Rows = []
    for a, alpha in enumerate(ALPHAS):
        place = {"n": cell["n"], "T": cell["T"], "alpha": alpha}
        at = int(mse[a].argmin())
        setting: dict[str, Any] = {
            "users": cell["n"], "observations": cell["T"], "epsilon": alpha, "law": Rademacher(), "shift": (-0.3, 0.3),
        }  # fmt: skip
        best = best_delta(**setting, deltas=tuple(deltas.tolist()), coarse=cell["coarse"])
        lowest = exact_risk(**setting, delta=best.delta, compiled=fast)
        picked = exact_risk(**setting, delta=float(deltas[at]), compiled=fast)
        fine = min((exact_risk(**setting, delta=d, compiled=fast) for d in finer(best.delta)), key=lambda r: r.mse)
        rows.append(
            place
            | {"kind": "minimum", "delta": float(deltas[at]), "mse": float(mse[a, at]), "se": float(error[a, at])}
            | {"exact_of_delta": picked.mse, "misses_of_delta": picked.misses}
            | {"exact": lowest.mse, "exact_delta": best.delta, "misses": lowest.misses}
            | {"finer": min(lowest.mse, fine.mse)}
        )
        if place == SPOTLIGHT:
            rows += [
                place
                | {"kind": "every Δ", "delta": float(deltas[i]), "mse": float(mse[a, i]), "se": float(error[a, i])}
                | {"exact_of_delta": exact_risk(**setting, delta=float(deltas[i]), compiled=fast).mse}
                for i in np.flatnonzero((deltas > 0.0045) & (deltas < 0.0255))
            ]
    return rows


def our_rows(cell: Cell, stream: Generator) -> Rows:
    """Our default on the same users."""
    n, T, count = cell["n"], cell["T"], cell["repetitions"]
    shift = stream.uniform(-0.3, 0.3, (count,))
    held = means.rademacher(stream, T, 0.5, (count, n)) + shift[:, None]
    rows: Rows = []
    for alpha in ALPHAS:
        survey = ours.survey_of(Mean, epsilon=alpha, users=n, observations=T, low=-1.0, high=1.0)
        values = np.array([answer.value for answer in ours.answers(survey, held, stream)])
        row = {"n": n, "T": T, "alpha": alpha, "kind": ours.DEFAULT} | summary((values - shift) ** 2)
        rows.append(row | {"of_default": row["mse"], "of_default_se": row["se"]})  # a minimum's is held to no tolerance
    return rows


def cost(cell: Cell) -> float:
    """About how many CPU seconds a cell takes: the exact risks of the search, and the surveys."""
    if cell.get("series"):
        return float(0.18 * cell["repetitions"])
    searched = (0.5 + cell["coarse"] / 20) * cell["n"] / 100
    crowded = (100 / cell["T"]) ** 0.25  # users far apart fill many bins
    surveys = len(grid(cell["grid"])) * cell["repetitions"] * cell["n"] / 6e8 * crowded
    return float(1.3 * searched + 15 * surveys if has_numba() else 7 * searched + 160 * surveys)


def gathered(rows: Rows) -> Rows:
    """The Δ that a minimum picked is a result, not the name of a row."""
    renamed = {"delta": "picked", "exact_of_delta": "exact_of_picked", "misses_of_delta": "misses_of_picked"}
    return [
        {renamed.get(name, name): value for name, value in row.items()} if row["kind"] == "minimum" else row
        for row in rows
    ]


def line_of(rows: Rows, n: int, alpha: float) -> Rows:
    """The minima over Δ as T grows."""
    return along(rows, "T", kind="minimum", n=n, alpha=alpha)
