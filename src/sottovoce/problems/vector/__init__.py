"""The mean of a vector per observation, averaged over users: on a box (ℓ∞) or on a ball (ℓ2)."""

from __future__ import annotations

from sottovoce.problems.base import Example, Problem
from sottovoce.problems.vector.one_round import OneRound
from sottovoce.problems.vector.paper import Paper
from sottovoce.problems.vector.settings import VectorMean
from sottovoce.problems.vector.theory import Theory
from sottovoce.problems.vector.world import VectorWorld

_BOX = {"dimension": 4, "ball": "linf", "observations": 400}
_BALL = {"dimension": 3, "ball": "l2", "observations": 400}

VECTOR = Problem(
    name="vector",
    function="vector_mean",
    settings=VectorMean,
    methods=(OneRound(), Paper(), Theory()),
    automatic=("one-round", "paper"),
    estimates="the average over users of the mean of their vectors, declared to lie in a ball or a box",
    measures="a coordinate, on average",
    full_scale=lambda settings: max(high - low for low, high in zip(*settings.ranges, strict=True)) / 2,
    world=VectorWorld,
    examples=(
        Example(method="auto", name="linf", more=_BOX),
        Example(method="auto", name="l2", more=_BALL),
        Example(method="one-round", name="linf", more=_BOX),
        Example(method="one-round", name="l2", more=_BALL),
        Example(method="paper", name="linf", more=_BOX),
        Example(method="paper", name="l2", more=_BALL),
        Example(method="theory", name="linf", more=_BOX | {"proof_constant": 1.0}),
        Example(method="theory", name="l2", more=_BALL | {"delta": 0.2}),
    ),
    diagram=("l2", lambda settings: settings.dimension),
)

__all__ = ["VECTOR", "VectorMean"]
