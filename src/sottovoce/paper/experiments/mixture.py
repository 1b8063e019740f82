"""Means of mixtures (L1101–1146): four equal components, and three of which two are rare. 1,000 repetitions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sottovoce.paper.fast import mixture
from sottovoce.paper.figure import Cell, Rows, Run, pick
from sottovoce.schemes import experiment_delta

LEVELS = (2.0, 4.0)
SETTINGS = {
    1: (np.full(4, 0.25), np.array([1, 3, 5, 7]) / 8),
    2: (np.array([0.1, 0.8, 0.1]), np.array([1, 4, 7]) / 8),
}


def cells_of(setting: int) -> Any:
    """One an (n, T) of this setting."""

    def cells(run: Run) -> list[Cell]:
        count = 600 if run.quick else 1000
        base = {"setting": setting, "repetitions": count}
        if setting == 2:
            sizes = (100, 300, 500, 1000, 2000) if run.quick else range(100, 2001, 50)
            return [base | {"vary": "n", "n": n, "T": 500} for n in sizes]
        sizes = (100, 300, 500, 1000, 2000) if run.quick else range(100, 2001, 100)
        return [base | {"vary": "T", "n": 1000, "T": T} for T in sizes] + [
            base | {"vary": "n", "n": n, "T": 1000} for n in sizes
        ]

    return cells


def compute(cell: Cell, stream: np.random.Generator) -> Rows:
    """Mean, standard deviation and mean squared error of each component's estimate."""
    weights, chances = SETTINGS[cell["setting"]]
    truth = 2 * chances - 1
    rows: Rows = []
    for alpha in LEVELS:
        held = mixture.draw_means(stream, weights, chances, cell["T"], (cell["repetitions"], cell["n"]))
        found = mixture.estimates(
            stream, held, components=len(truth), delta=experiment_delta(cell["n"], cell["T"], alpha), epsilon=alpha
        )
        error = (found - truth) ** 2
        total = error.sum(axis=1)
        for k in range(len(truth)):
            rows.append(
                {"vary": cell["vary"], "n": cell["n"], "T": cell["T"], "alpha": alpha, "component": k + 1}
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


def _error_of_sd(values: np.ndarray) -> float:
    """The standard error of a standard deviation, from the fourth moment."""
    squares = (values - values.mean()) ** 2
    return float(squares.std() / (2 * math.sqrt(squares.mean() * len(values))))


def line_of(rows: Rows, vary: str, alpha: float, component: int) -> Rows:
    """The rows of one component as n or T grows."""
    return sorted(pick(rows, vary=vary, alpha=alpha, component=component), key=lambda row: row[vary])
