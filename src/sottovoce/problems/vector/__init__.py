"""The mean of a vector per observation, averaged over users: on a box (ℓ∞) or on a ball (ℓ2)."""

from __future__ import annotations

from sottovoce.answers import VectorEstimate
from sottovoce.messages import Fact
from sottovoce.problems.base import CROWD, CommandHelp, PlanFacts, Problem
from sottovoce.problems.method import Example
from sottovoce.problems.vector.adaptive import AdaptiveRounds, with_promise_of_other_method
from sottovoce.problems.vector.one_round import OneRound
from sottovoce.problems.vector.paper import Paper, Theory
from sottovoce.problems.vector.settings import VectorMean
from sottovoce.problems.vector.world import VectorWorld
from sottovoce.risk import ASSUMED_SPREAD

_BOX = {"dimension": 4, "ball": "linf", "observations": 400}
_BALL = {"dimension": 3, "ball": "l2", "observations": 400}
_MANY = {"users": 4000, "observations": 2}
_RANGES = _BOX | {"low": (-1.0, 0.0, -3.0, 0.0), "high": (1.0, 10.0, 3.0, 100.0)}

VECTOR = Problem(
    name="vector",
    function="vector_mean",
    title="Mean",
    settings=VectorMean,
    answer=VectorEstimate,
    methods=(OneRound(), AdaptiveRounds(), Paper(), Theory()),
    automatic=("one-round", "adaptive"),
    estimates=Fact("estimates-vector"),
    example="""\
>>> import numpy as np, sottovoce as sv
>>> steps = np.random.default_rng(1).normal(0.1, 0.1, size=(4000, 50, 5))
>>> answer = sv.vector_mean(steps, epsilon=2.0, ball="l2", radius=1.0, seed=7)
>>> print(answer.picture())
   -1                                                         1
x1 ·····························├──▲───┤·······················
x2 ·····························├──▲───┤·······················
x3 ·····························├──▲───┤·······················
x4 ·····························├──▲───┤·······················
x5 ·····························├──▲───┤·······················
""",
    full_scale=lambda settings: settings.widest / 2,
    world=VectorWorld,
    examples=(
        Example(method="auto", name="linf", more=_BOX),
        Example(method="auto", name="l2", more=_BALL),
        Example(method="one-round", name="linf", more=_BOX),
        Example(method="one-round", name="l2", more=_BALL),
        Example(method="adaptive", name="linf", more=_BOX),
        Example(method="adaptive", name="linf-ranges", more=_RANGES | _MANY),
        Example(method="adaptive", name="linf-many-sides", more=_BOX | {"dimension": 20} | _MANY),
        Example(method="adaptive", name="l2", more=_BALL),
        Example(method="adaptive", name="l2-zoom", more=_BALL | _MANY),
        Example(method="paper", name="linf", more=_BOX),
        Example(method="paper", name="l2", more=_BALL),
        Example(method="theory", name="linf", more=_BOX | {"proof_constant": 1.0}),
        Example(method="theory", name="l2", more=_BALL | {"delta": 0.2}),
    ),
    complete_answer=with_promise_of_other_method,
    commands=CommandHelp(
        estimate=(
            "walks.csv --user phone --value x,y,z --ball l2 --radius 2 --epsilon 2",
            "meals.csv --user guest --value fat,salt --low 0 --high 100,10 --epsilon 1",
        ),
        simulate=(
            "--users 5000 --observations 100 --dimension 8 --radius 1 --epsilon 4",
            "--users 5000 --observations 100 --dimension 8 --low -1 --high 1 --epsilon 4 --distribution beta:2,5",
        ),
        plan=(
            "--dimension 8 --radius 1 --epsilon 4 --observations 100 --halfwidth 0.05",
            "--dimension 2 --low 0 --high 100,10 --epsilon 2 --users 5000 --observations 30",
        ),
        ranges=(("radius",), ("low", "high")),
    ),
    plan=PlanFacts(
        measures=Fact("measures-vector"),
        differing=ASSUMED_SPREAD,
        crowd=CROWD
        | {
            "spread": "standard deviation of the users' own means in a coordinate (default: 0 and a "
            "tenth of the range, "
            "of a ball's diameter all coordinates together, on average)"
        },
        diagram=("l2", lambda settings: settings.dimension),
    ),
)

__all__ = ["VECTOR", "VectorMean"]
