"""The traffic-stop study (L937–953) on data that everyone can install: lecture ratings of students (InstEval).

A user is a student, an observation a rating from 1 to 5. One share: ratings of 5. Four shares: 1 or 2, 3, 4, 5.
Students with at least 20 ratings, permuted and cut to 20, as the paper does with officers and 300 stops.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.random import Generator

from sottovoce.paper import ours
from sottovoce.paper.experiments import study
from sottovoce.paper.figure import Cell, Rows, Run

LONGEST = 20
LENGTHS = (5, 8, 11, 14, 17, 20)
REPETITIONS = 60
"""Of our defaults."""


@cache
def table() -> np.ndarray:
    """Ratings (students, 20)."""
    from sottovoce.data import insteval

    held = insteval().collections
    stream = np.random.default_rng(1)
    rows = [
        stream.permutation(held.values[first:last, 0])[:LONGEST]
        for first, last in zip(held.offsets[:-1], held.offsets[1:], strict=True)
        if last - first >= LONGEST
    ]
    return np.stack(rows).astype(np.int64)


def cells(run: Run) -> list[Cell]:
    """One share at each T, and four shares at the largest; and the same for our defaults."""
    count = 400 if run.quick else 1000
    own, lengths = (ours.QUICK, LENGTHS[-1:]) if run.quick else (REPETITIONS, LENGTHS)
    one: list[Cell] = [{"panel": "one", "T": T, "repetitions": count} for T in LENGTHS]
    mine = [{"series": "ours", "panel": "one", "T": T, "repetitions": own} for T in lengths]
    four: list[Cell] = [{"panel": "four", "T": LONGEST, "repetitions": count}]
    return [*one, *four, *mine, {"series": "ours", "panel": "four", "T": LONGEST, "repetitions": own}]


def cost(cell: Cell) -> float:
    """About how many CPU seconds a cell takes."""
    if cell.get("series"):
        return float(0.1 * cell["repetitions"])
    return float(cell["repetitions"] / 1000 * (0.3 if cell["panel"] == "one" else 2.1))


def compute(cell: Cell, stream: Generator) -> Rows:
    """Shares of the top rating, and of four groups of ratings."""
    ratings = table()
    return study.rows(cell, stream, (ratings == 5).astype(np.int64), np.maximum(ratings - 2, 0))
