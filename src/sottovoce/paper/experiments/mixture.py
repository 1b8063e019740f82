"""Means of mixtures (L1101–1146): four equal components, and three of which two are rare. 1,000 repetitions."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.random import Generator

from sottovoce.paper import ours
from sottovoce.paper.fast import mixture, protocols
from sottovoce.paper.figure import Cell, Rows, Run, pick
from sottovoce.problems.mixture import MixtureMeans

LEVELS = (2.0, 4.0)
SETTINGS = {
    1: (np.full(4, 0.25), np.array([1, 3, 5, 7]) / 8),
    2: (np.array([0.1, 0.8, 0.1]), np.array([1, 4, 7]) / 8),
}


FEW = (100, 300, 500, 1000, 2000)
REPETITIONS = 30
"""Of our default, at a few sizes."""


def _sizes(base: Cell, sizes: Iterable[int]) -> list[Cell]:
    """N varies in both settings, T in the first."""
    if base["setting"] == 2:
        return [base | {"vary": "n", "n": n, "T": 500} for n in sizes]
    counts = list(sizes)
    return [base | {"vary": "T", "n": 1000, "T": T} for T in counts] + [
        base | {"vary": "n", "n": n, "T": 1000} for n in counts
    ]


def cost(cell: Cell) -> float:
    """About how many CPU seconds a cell takes."""
    if cell.get("series"):
        return float(0.3 * cell["repetitions"])
    return float(cell["repetitions"] * cell["n"] / 2.3e6)


def cells_of(setting: int) -> Any:
    """One an (n, T) of this setting."""

    def cells(run: Run) -> list[Cell]:
        count = 600 if run.quick else 1000
        base = {"setting": setting, "repetitions": count}
        sizes = FEW if run.quick else range(100, 2001, 50 if setting == 2 else 100)
        own = {"setting": setting, "series": "ours", "repetitions": ours.QUICK if run.quick else REPETITIONS}
        mine = FEW[2:3] if run.quick else FEW
        return _sizes(base, sizes) + _sizes(own, mine)

    return cells


def compute(cell: Cell, stream: Generator) -> Rows:
    """Mean, standard deviation and mean squared error of each component's estimate."""
    weights, chances = SETTINGS[cell["setting"]]
    truth = 2 * chances - 1
    rows: Rows = []
    for alpha in LEVELS:
        held = mixture.draw_means(stream, weights, chances, cell["T"], (cell["repetitions"], cell["n"]))
        if cell.get("series"):
            method, found = ours.DEFAULT, by_default(held, cell["T"], alpha, len(truth), stream)
        else:
            method = "paper"
            survey = protocols.mixture(cell["n"], cell["T"], alpha, components=len(truth))
            found = mixture.estimates(stream, held, survey=survey)
        error = (found - truth) ** 2
        total = error.sum(axis=1)
        for k in range(len(truth)):
            rows.append(
                {
                    "method": method,
                    "vary": cell["vary"],
                    "n": cell["n"],
                    "T": cell["T"],
                    "alpha": alpha,
                    "component": k + 1,
                }
                | {"truth": float(truth[k]), "mean": float(found[:, k].mean()), "sd": float(found[:, k].std(ddof=1))}
                | {
                    "mean_se": float(found[:, k].std(ddof=1) / math.sqrt(len(found))),
                    "sd_se": _error_of_sd(found[:, k]),
                }
                | {"median_error": float(np.median(np.sqrt(error[:, k])))}
                | {"mse": float(total.mean()), "se": float(total.std(ddof=1) / math.sqrt(len(total)))}
                | {"median_mse": float(np.median(total))}
            )
    return rows


def by_default(held: np.ndarray, T: int, alpha: float, components: int, stream: Generator) -> np.ndarray:
    """Component means of our default in increasing order, a row a repetition; `held` are the users' averages."""
    survey = ours.survey_of(
        MixtureMeans, epsilon=alpha, users=held.shape[1], observations=T, components=components,
        low=-1.0, high=1.0,
    )  # fmt: skip
    return np.sort([answer.means for answer in ours.answers(survey, held, stream)], axis=1)


def _error_of_sd(values: np.ndarray) -> float:
    """The standard error of a standard deviation, from the fourth moment."""
    squares = (values - values.mean()) ** 2
    return float(squares.std() / (2 * math.sqrt(squares.mean() * len(values))))


def line_of(rows: Rows, vary: str, alpha: float, component: int, method: str = "paper") -> Rows:
    """The rows of one component as n or T grows."""
    chosen = pick(rows, vary=vary, alpha=alpha, component=component, method=method)
    return sorted(chosen, key=lambda row: row[vary])
