"""Every figure and table of the paper: computed exactly in law, drawn, and held against what the paper says of it.

Each file of `figures` computes the rows of a figure (with the laws of `simulation`), judges what the paper says of
them, and draws them. `runner` computes figures on all cores, `report` writes them down. The numbers that they once gave
(`frozen_numbers`) are in a clone of the repository only.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from sottovoce.paper.figure import REDUCED, Figure, Run

if TYPE_CHECKING:
    from sottovoce.paper.report import Outcome as Outcome
    from sottovoce.paper.runner import Plan as Plan

__all__ = ["COMPILED", "MODULES", "NEEDS_A_FILE", "REDUCED", "Run", "figure_of", "names"]

MODULES = {
    "univariate": "univariate",
    "multivariate": "multivariate",
    "sparse": "sparse",
    "phase-transition": "phase_transition",
    "sensitivity-1": "sensitivity_1",
    "sensitivity-2a": "sensitivity_2",
    "sensitivity-2b": "sensitivity_2",
    "eta": "eta",
    "misspecification": "misspecification",
    "mixture-1": "mixture",
    "mixture-2": "mixture",
    "regimes": "regimes",
    "tables": "tables",
    "ratings": "ratings",
    "police": "police",
}
"""Figure → the module of `figures` that makes it; a module holds ``FIGURES``, its figures by name."""

NEEDS_A_FILE = ("police",)
"""Figures that need data which cannot be shipped."""

COMPILED = ("phase-transition", "sensitivity-1", "sensitivity-2a", "sensitivity-2b")
"""Figures that numba makes faster; without it a quick look at them is `reduced`."""


def names() -> tuple[str, ...]:
    """All figures, in the order of the paper."""
    return tuple(MODULES)


@cache
def figure_of(name: str) -> Figure:
    """One figure by its name."""
    figure: Figure = import_module(f"sottovoce.paper.figures.{MODULES[name]}").FIGURES[name]
    return figure
