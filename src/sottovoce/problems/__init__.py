"""One folder a problem: its settings, its methods, made-up users to try it on. `problems()` lists them."""

from __future__ import annotations

from sottovoce.answers import read
from sottovoce.problems import rule_builders
from sottovoce.problems.announcement import (
    UNDECIDABLE,
    Announced,
    announce,
    cannot_be_asked,
    other_edition,
    settle,
    silent_groups,
    too_few,
)
from sottovoce.problems.base import (
    AUTO,
    EXAMPLE_USERS,
    UNKNOWNS,
    ChosenMethod,
    PlanFacts,
    Problem,
    Settings,
    choose,
)
from sottovoce.problems.fields import Described, Help, described
from sottovoce.problems.method import Example, Method
from sottovoce.problems.range_search import Ranged
from sottovoce.problems.registry import named, problems, taking
from sottovoce.problems.several_answers import Several
from sottovoce.problems.worlds import Distribution, Figure, Score, World, with_error

__all__ = [
    "AUTO",
    "EXAMPLE_USERS",
    "UNDECIDABLE",
    "UNKNOWNS",
    "Announced",
    "ChosenMethod",
    "Described",
    "Distribution",
    "Example",
    "Figure",
    "Help",
    "Method",
    "PlanFacts",
    "Problem",
    "Ranged",
    "Score",
    "Settings",
    "Several",
    "World",
    "announce",
    "cannot_be_asked",
    "choose",
    "described",
    "named",
    "other_edition",
    "problems",
    "read",
    "rule_builders",
    "settle",
    "silent_groups",
    "taking",
    "too_few",
    "with_error",
]
