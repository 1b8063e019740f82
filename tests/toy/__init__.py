"""A whole problem in one folder: the share of a user's observations up to a threshold, averaged over users."""

from __future__ import annotations

from sottovoce.problems import Example, PlanFacts, Problem
from tests.toy.answer import UpToEstimate
from tests.toy.one_round import OneRound
from tests.toy.settings import UpTo
from tests.toy.world import UpToWorld

UP_TO = Problem(
    name="up-to",
    function="up_to",
    settings=UpTo,
    answer=UpToEstimate,
    methods=(OneRound(),),
    automatic=("one-round",),
    estimates="the share of a user's observations up to a threshold, averaged over users",
    example=">>> import sottovoce as sv\n>>> print(sv.up_to([[1, 2], [3]], threshold=2, epsilon=8.0, seed=7))",
    full_scale=lambda settings: 0.5,
    world=UpToWorld,
    examples=(
        Example(method="auto", more={"threshold": 0.5, "observations": 20}),
        Example(method="one-round", more={"threshold": 0.5, "observations": 20}),
    ),
    plan=PlanFacts(measures="the share"),
)
