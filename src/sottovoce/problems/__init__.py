"""One folder a problem: its settings, its methods, made-up users to try it on. `problems()` lists them."""

from __future__ import annotations

from sottovoce.problems.base import AUTO, UNKNOWNS, Chosen, Example, Method, Problem, Settings, choose
from sottovoce.problems.fields import Described, Help, described
from sottovoce.problems.registry import named, problems
from sottovoce.problems.worlds import Distribution, Score, World, counted

__all__ = [
    "AUTO",
    "UNKNOWNS",
    "Chosen",
    "Described",
    "Distribution",
    "Example",
    "Help",
    "Method",
    "Problem",
    "Score",
    "Settings",
    "World",
    "choose",
    "counted",
    "described",
    "named",
    "problems",
]
