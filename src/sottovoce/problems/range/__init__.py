"""Where the users are, when nobody knows the unit: a range for another survey to declare."""

from __future__ import annotations

from sottovoce.messages import Fact
from sottovoce.problems.base import CommandHelp, PlanFacts, Problem
from sottovoce.problems.method import Example
from sottovoce.problems.range.answer import RangeEstimate
from sottovoce.problems.range.one_round import OneRound
from sottovoce.problems.range.settings import Range
from sottovoce.problems.range.world import RangeWorld

_SMALL = {"smallest": 0.01, "largest": 1000.0}

RANGE = Problem(
    name="range",
    function="find_range",
    settings=Range,
    answer=RangeEstimate,
    methods=(OneRound(),),
    automatic=("one-round",),
    estimates=Fact("estimates-range"),
    example="""\
>>> import numpy as np, sottovoce as sv
>>> watts = np.random.default_rng(1).lognormal(8, 0.5, size=(2000, 30))
>>> print(sv.find_range(watts, epsilon=1.0, seed=7))
1024 … 16384, one-round
""",
    full_scale=lambda settings: 0.5,
    world=RangeWorld,
    examples=(
        Example(method="auto", more=_SMALL),
        Example(method="one-round", name="observations", more=_SMALL | {"of": "observations"}),
    ),
    unknowns=("users", "epsilon"),
    commands=CommandHelp(
        estimate=(
            "meters.csv --user household --value watts --epsilon 1",
            "meters.csv --user household --value watts --of observations --epsilon 2 --json",
        ),
        simulate=("--users 2000 --epsilon 1 --shape lognormal --scale 1e5",),
        plan=("--users 2000 --epsilon 1", "--epsilon 1 --halfwidth 0.05"),
        hints=(
            "What is found is to be declared as --low and --high of another survey, of other users; "
            "sotto estimate mean "
            "--find-range 0.1 does both, one after the other.",
        ),
    ),
    plan=PlanFacts(measures=Fact("measures-range"), crowd={}, crowd_fact=lambda crowds: Fact("crowd-of-bins")),
)

__all__ = ["RANGE", "Range", "RangeEstimate"]
