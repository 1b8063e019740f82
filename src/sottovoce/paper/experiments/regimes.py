"""The regime diagram (L666–746): where user level is easier, equal, harder, or hopeless, by T and nα²/d."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from sottovoce.paper.figure import Cell, Rows, Run

PANELS = ("l2", "sparse")


def cells(run: Run) -> list[Cell]:
    """One a panel."""
    return [{"panel": panel} for panel in PANELS]


def compute(cell: Cell, stream: Generator) -> Rows:
    """The region of every point of a grid."""
    from sottovoce.theory import regime

    return [
        {"panel": cell["panel"], "T": T, "y": y, "region": regime(cell["panel"], observations=T, level=y)}
        for T in np.linspace(1, 6, 26).round(3).tolist()
        for y in np.linspace(0.05, 5, 34).round(3).tolist()
    ]
