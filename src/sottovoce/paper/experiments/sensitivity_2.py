"""Sensitivity, setting 2 (L1034): Rademacher + U, the constant in Δ against n (2a) and against T (2b)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.random import Generator

from sottovoce.paper.constants import ALPHAS
from sottovoce.paper.fast import means, protocols
from sottovoce.paper.fast.univariate import squared_errors
from sottovoce.paper.figure import Cell, Rows, Run, along, column, values_of


def cells_of(vary: str) -> Any:
    """One an n, or a T."""

    def cells(run: Run) -> list[Cell]:
        sizes = (100, 300, 500) if run.quick else range(100, 501, 50)
        return [
            {
                "n": size if vary == "n" else 100,
                "T": size if vary == "T" else 100,
                "repetitions": 250 if run.reduced else 500,
                "step": 3 if run.quick else 1,
            }
            for size in sizes
        ]

    return cells


def compute(cell: Cell, stream: Generator) -> Rows:
    """Every (α, C) on the same users."""
    n, T, count = cell["n"], cell["T"], cell["repetitions"]
    constants = np.arange(1, 101, cell["step"]) / 100
    surveys = protocols.with_constants(n, T, ALPHAS, constants)
    shift = stream.uniform(-0.3, 0.3, (count,))
    held = means.rademacher(stream, T, 0.5, (count, n)) + shift[:, None]
    sums, squares = squared_errors(stream, held, shift, surveys=surveys)
    mse = sums / count
    error = np.sqrt(np.maximum(squares / count - mse**2, 0) / (count - 1))
    return [
        {"n": n, "T": T, "alpha": alpha, "C": float(c), "mse": float(mse[a, i]), "se": float(error[a, i])}
        for a, alpha in enumerate(ALPHAS)
        for i, c in enumerate(constants)
    ]


def curves_of(rows: Rows) -> dict[tuple[int, int, float], tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """(n, T, α) → C, error and its standard error."""
    found = {}
    for n in values_of(rows, "n"):
        for T in values_of(rows, "T"):
            for alpha in ALPHAS:
                chosen = along(rows, "C", n=n, T=T, alpha=alpha)
                if chosen:
                    found[n, T, alpha] = column(chosen, "C"), column(chosen, "mse"), column(chosen, "se")
    return found
