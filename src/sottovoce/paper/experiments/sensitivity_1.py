"""Sensitivity, setting 1 (L1031): which distribution suffers from a small constant in Δ. 10,000 repetitions."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from sottovoce.paper.fast import means, protocols
from sottovoce.paper.fast.univariate import squared_errors
from sottovoce.paper.figure import Cell, Rows, Run

USERS, OBSERVATIONS = 200, 100
SHAPES = (0.1, 0.5, 1.0, 3.0, 5.0)
LEVELS = (0.5, 1.0, 2.0)
BLOCK = 500


def cells(run: Run) -> list[Cell]:
    """One a shape of the Beta distribution and a quarter of the repetitions."""
    parts, count = (1, 500) if run.reduced else (1, 1000) if run.quick else (4, 2500)
    return [{"p": p, "part": part, "repetitions": count, "step": 4 if run.quick else 1}
            for p in SHAPES for part in range(parts)]  # fmt: skip


def compute(cell: Cell, stream: Generator) -> Rows:
    """Sums over repetitions for every (α, C); `gathered` adds the parts up."""
    constants = np.arange(cell["step"], 101, cell["step"]) / 100
    surveys = protocols.with_constants(USERS, OBSERVATIONS, LEVELS, constants)
    sums, squares = np.zeros(surveys.shape), np.zeros(surveys.shape)
    count = cell["repetitions"]
    for block in stream.spawn(count // BLOCK):
        held = means.beta(block, OBSERVATIONS, cell["p"], (BLOCK, USERS))
        some = squared_errors(block, held, np.zeros(BLOCK), surveys=surveys)
        sums, squares = sums + some[0], squares + some[1]
    return [
        {
            "p": cell["p"],
            "alpha": alpha,
            "C": float(c),
            "count": count,
            "sum": float(sums[a, i]),
            "squares": float(squares[a, i]),
        }
        for a, alpha in enumerate(LEVELS)
        for i, c in enumerate(constants)
    ]
