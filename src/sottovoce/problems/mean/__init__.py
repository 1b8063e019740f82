"""The mean of one number per observation, averaged over users."""

from __future__ import annotations

from sottovoce.answers import Estimate
from sottovoce.messages import Fact
from sottovoce.problems.base import CROWD, CommandHelp, PlanFacts, Problem
from sottovoce.problems.mean.adaptive import AdaptiveRounds, with_other_promise
from sottovoce.problems.mean.by_group import MeanInGroup
from sottovoce.problems.mean.homogeneous import Homogeneous
from sottovoce.problems.mean.one_round import MeanMethod, OneRound, least_error
from sottovoce.problems.mean.one_round_1 import OneRoundEdition1
from sottovoce.problems.mean.paper import Paper, Theory
from sottovoce.problems.mean.settings import Mean
from sottovoce.problems.mean.world import AssumedUsers, MeanWorld
from sottovoce.problems.method import Example, StandIn
from sottovoce.risk import ASSUMED_SPREAD, Crowd

_UNIT = {"low": 0.0, "high": 1.0, "observations": 400}


def made_up(settings: Mean, crowd: Crowd) -> AssumedUsers:
    """Users as a plan assumes them, at the place where the method that runs does worst."""
    method = MEAN.method(settings.method).method_that_runs(settings)
    if isinstance(method, StandIn):
        method = method.runs
    assert isinstance(method, MeanMethod)
    return AssumedUsers(settings=settings, averages=method.worst_law(settings, crowd))


MEAN = Problem(
    name="mean",
    function="mean",
    in_group=MeanInGroup(),
    finds_range="averages",
    settings=Mean,
    answer=Estimate,
    methods=(OneRound(), AdaptiveRounds(), Homogeneous(), Paper(), Theory()),
    earlier=(OneRoundEdition1(),),
    automatic=("one-round", "adaptive"),
    by_interval=True,
    estimates=Fact("estimates-mean"),
    example="""\
>>> import numpy as np, sottovoce as sv
>>> ratings = np.random.default_rng(1).integers(1, 6, size=(4000, 25))
>>> answer = sv.mean(ratings, low=1, high=5, epsilon=2.0, seed=7)
>>> print(f"{answer.value:.1f}, {answer.method}")
3.0, adaptive
""",
    full_scale=lambda settings: settings.width / 2,
    world=MeanWorld,
    examples=(
        Example(method="auto", more=_UNIT),
        Example(method="one-round", more=_UNIT),
        Example(method="adaptive", more=_UNIT),
        Example(method="adaptive", name="two-rounds", more=_UNIT | {"rounds": 2, "caution": "high"}),
        Example(method="homogeneous", more=_UNIT),
        Example(method="homogeneous", name="three-rounds", more=_UNIT | {"rounds": 3}),
        Example(method="paper", more=_UNIT),
        Example(method="paper", name="three-bins", more=_UNIT | {"three_bin_votes": True}),
        Example(method="paper", name="table", more=_UNIT | {"refine": "table"}),
        Example(method="theory", more=_UNIT | {"proof_constant": 1.0}),
    ),
    complete_answer=with_other_promise,
    commands=CommandHelp(
        estimate=(
            "ratings.csv --user student --value rating --low 1 --high 5 --epsilon 1",
            "trips.parquet --user card --value minutes --low 0 --high 120 --epsilon 2 --json",
        ),
        simulate=(
            "--users 3000 --observations 25 --low 1 --high 5 --epsilon 1",
            "--users 500 --observations 1000 --distribution beta:2,5 --low 0 --high 1 --epsilon 2 --method all",
            "ratings.csv --user student --value rating --low 1 --high 5 --epsilon 1",
        ),
        plan=(
            "--low 1 --high 5 --epsilon 1 --observations 100 --halfwidth 0.05",
            "--low 1 --high 5 --epsilon 1 --observations 100 --users 3000",
            "--low 0 --high 120 --users 20000 --observations 50 --halfwidth 2 --within 15 --spread 8 --save plan.toml",
        ),
    ),
    plan=PlanFacts(
        measures=Fact("measures-mean"),
        users=made_up,
        differing=ASSUMED_SPREAD,
        crowd=CROWD
        | {"spread": "standard deviation of the users' own means (default: 0 and a tenth of the range, on average)"},
        least=least_error,
        diagram=("l2", lambda settings: 1),
    ),
)

__all__ = ["MEAN", "Mean"]
