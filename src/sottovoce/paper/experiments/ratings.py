"""The traffic-stop study (L937–953) on data that everyone can install: lecture ratings of students (InstEval).

A user is a student, an observation a rating from 1 to 5. One share: ratings of 5. Four shares: 1 or 2, 3, 4, 5.
Students with at least 20 ratings, permuted and cut to 20, as the paper does with officers and 300 stops.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from sottovoce.paper.experiments import study
from sottovoce.paper.figure import Cell, Rows, Run

LONGEST = 20
LENGTHS = (5, 8, 11, 14, 17, 20)


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
    """One share at each T, and four shares at the largest."""
    count = 400 if run.quick else 1000
    one: list[Cell] = [{"panel": "one", "T": T, "repetitions": count} for T in LENGTHS]
    return [*one, {"panel": "four", "T": LONGEST, "repetitions": count}]


def compute(cell: Cell, stream: np.random.Generator) -> Rows:
    """Shares of the top rating, and of four groups of ratings."""
    ratings = table()
    return study.rows(cell, stream, (ratings == 5).astype(np.int64), np.maximum(ratings - 2, 0))
