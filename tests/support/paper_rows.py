"""Rows to draw every figure of the paper from, without computing: the frozen quick numbers.

The traffic stops, which are not frozen, borrow the rows of the ratings.
"""

from __future__ import annotations

import csv
from functools import cache
from typing import Any

from sottovoce import paper
from sottovoce.paper import frozen_numbers
from sottovoce.paper.figure import Rows, stream_for

DRAWN = tuple(paper.names())
FEW = ("univariate", "misspecification", "ratings", "mixture-1", "phase-transition", "regimes", "tables")
"""Figures of every kind: what the gate draws as a report."""
OURS = {"univariate": ("default", "homogeneous", "limit")} | dict.fromkeys(
    ("multivariate", "sparse", "ratings", "police", "misspecification", "phase-transition", "mixture-1", "mixture-2"),
    ("default",),
)
"""The series beside the paper's, by figure."""


def rows_of(name: str, *, ours: bool = True) -> Rows:
    """Rows of a figure, with or without our own series."""
    if name == "tables":  # nothing random, and its lines of the paper are not frozen
        return paper.figure_of(name).compute({"tables": "all"}, stream_for(name, {}, 0))
    rows = [dict(row) for row in frozen_rows("ratings" if name == "police" else name)]
    columns = ("method", "scheme", "rule", "kind")
    column = next((name for name in columns if rows and name in rows[0]), "method")
    if name == "police":
        rows = [row | {"T": 15 * row["T"]} for row in rows]
    if not ours:
        rows = [row for row in rows if row.get(column) not in ("default", "homogeneous", "limit")]
    return rows


@cache
def frozen_rows(name: str, *, quick: bool = True) -> Rows:
    """The frozen rows of a figure, as numbers; shared, so copy what is to be altered."""
    with frozen_numbers.path_of(paper.figure_of(name), quick=quick).open(newline="") as file:
        return [{key: _read(text) for key, text in row.items()} for row in csv.DictReader(file)]


def _read(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text or None
