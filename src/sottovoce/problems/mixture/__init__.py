"""The means of a mixture: every user belongs to one component, nobody says to which."""

from __future__ import annotations

from sottovoce.problems.base import Example, Problem
from sottovoce.problems.mixture.paper import Paper
from sottovoce.problems.mixture.settings import MixtureMeans
from sottovoce.problems.mixture.theory import Theory
from sottovoce.problems.mixture.world import MixtureWorld

_TWO = {"low": 0.0, "high": 1.0, "observations": 400, "components": 2}

MIXTURE = Problem(
    name="mixture",
    function="mixture_means",
    settings=MixtureMeans,
    methods=(Paper(), Theory()),
    automatic=("paper",),
    estimates="the mean and the share of each of several kinds of users",
    measures="a component's mean, on average; components evenly placed, with equal shares",
    full_scale=lambda settings: (settings.high - settings.low) / 2,
    world=MixtureWorld,
    examples=(
        Example(method="auto", more=_TWO),
        Example(method="paper", more=_TWO),
        Example(method="paper", name="bin", more=_TWO | {"membership": "bin"}),
        Example(method="theory", more=_TWO | {"delta": 0.2}),
    ),
)

__all__ = ["MIXTURE", "MixtureMeans"]
