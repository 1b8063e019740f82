"""The distribution of one number per observation, averaged over users: its quantiles, and the function itself."""

from __future__ import annotations

from sottovoce.messages import Fact
from sottovoce.problems.base import CallFacts, CommandHelp, PlanFacts, Problem
from sottovoce.problems.method import Example
from sottovoce.problems.quantiles.answer import CdfEstimate, Curve, QuantilesEstimate
from sottovoce.problems.quantiles.by_group import QuantilesInGroup
from sottovoce.problems.quantiles.methods import Adaptive, OneRound
from sottovoce.problems.quantiles.prediction import assumed_crowd
from sottovoce.problems.quantiles.settings import Cdf, Quantiles
from sottovoce.problems.quantiles.world import CdfWorld, QuantilesWorld, truth_of
from sottovoce.risk import ASSUMED_SPREAD

_UNIT = {"low": 0.0, "high": 1.0, "observations": 100}
_RATINGS = {"low": 1.0, "high": 5.0, "step": 1.0, "observations": 20}
_THREE = {"q": (0.1, 0.5, 0.9)}
_CROWD = {
    "spread": "standard deviation of the users' own means (default: 0 and a tenth of the range, on average)",
    "within": "standard deviation of one user's observations (default: a sixth of the range)",
    "around": "where the users' means lie (default: in the middle of the range and to its left)",
}


QUANTILES = Problem(
    name="quantiles",
    function="quantiles",
    in_group=QuantilesInGroup(),
    finds_range="observations",
    settings=Quantiles,
    answer=QuantilesEstimate,
    methods=(OneRound(), Adaptive()),
    automatic=("one-round", "adaptive"),
    pays=0.7,
    estimates=Fact("estimates-quantiles"),
    example="""\
>>> import numpy as np, sottovoce as sv
>>> minutes = np.random.default_rng(1).gamma(4, 5, size=(5000, 40))
>>> answer = sv.quantiles(minutes, q=[0.1, 0.5, 0.9], low=0, high=100, epsilon=2.0, seed=7)
>>> [round(value) for value in answer.value]
[9, 18, 33]
""",
    full_scale=lambda settings: settings.answer_width / 2,
    world=QuantilesWorld,
    examples=(
        Example(method="auto", more=_UNIT),
        Example(method="adaptive", more=_UNIT | _THREE),
        Example(method="adaptive", name="steps", more=_RATINGS | _THREE),
        Example(method="one-round", more=_UNIT | _THREE),
        Example(method="one-round", name="steps", more=_RATINGS | _THREE),
    ),
    commands=CommandHelp(
        estimate=(
            "trips.csv --user card --value minutes --low 0 --high 120 --epsilon 2 --q 0.1,0.5,0.9",
            "ratings.csv --user student --value rating --low 1 --high 5 --step 1 --epsilon 1",
        ),
        simulate=(
            "--users 5000 --observations 100 --low 0 --high 1 --epsilon 2 --q 0.1,0.5,0.9",
            "--users 5000 --observations 20 --low 1 --high 5 --step 1 --epsilon 1 --distribution uniform",
        ),
        plan=(
            "--low 0 --high 120 --epsilon 2 --observations 50 --halfwidth 2",
            "--low 0 --high 120 --epsilon 2 --observations 50 --users 5000 --q 0.25,0.5,0.75 --within 15 --spread 5",
        ),
    ),
    plan=PlanFacts(
        measures=Fact("measures-quantile"),
        more=Fact("measures-quantile-guarded"),
        crowd=_CROWD,
        crowd_fact=assumed_crowd,
        differing=ASSUMED_SPREAD,
    ),
    call=CallFacts(truth=truth_of),
)

CDF = Problem(
    name="cdf",
    function="cdf",
    title="Distribution",
    finds_range="observations",
    settings=Cdf,
    answer=CdfEstimate,
    methods=(OneRound(), Adaptive()),
    automatic=("one-round", "adaptive"),
    pays=0.7,
    estimates=Fact("estimates-cdf"),
    example="""\
>>> import numpy as np, sottovoce as sv
>>> minutes = np.random.default_rng(1).gamma(4, 5, size=(5000, 40))
>>> answer = sv.cdf(minutes, points=[10, 20, 40], low=0, high=100, epsilon=2.0, seed=7)
>>> [round(share, 1) for share in answer.value]
[0.1, 0.6, 0.9]
""",
    full_scale=lambda settings: settings.answer_width / 2,
    world=CdfWorld,
    examples=(
        Example(method="auto", more=_UNIT | {"count": 5}),
        Example(method="adaptive", more=_UNIT),
        Example(method="adaptive", name="steps", more=_RATINGS),
        Example(method="one-round", more=_UNIT),
        Example(method="one-round", name="steps", more=_RATINGS),
    ),
    commands=CommandHelp(
        estimate=(
            "trips.csv --user card --value minutes --low 0 --high 120 --epsilon 2 --points 15,30,60",
            "ratings.csv --user student --value rating --low 1 --high 5 --step 1 --epsilon 1",
        ),
        simulate=("--users 5000 --observations 100 --low 0 --high 1 --epsilon 2 --count 9",),
        plan=("--low 0 --high 120 --epsilon 2 --observations 50 --halfwidth 0.02 --points 15,30,60",),
    ),
    plan=PlanFacts(
        measures=Fact("measures-cdf"), more=Fact("measures-cdf-guarded"), crowd=_CROWD, crowd_fact=assumed_crowd
    ),
    call=CallFacts(truth=truth_of),
)

__all__ = ["CDF", "QUANTILES", "Cdf", "CdfEstimate", "Curve", "Quantiles", "QuantilesEstimate"]
