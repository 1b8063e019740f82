"""The density of one number per observation, averaged over users."""

from __future__ import annotations

from sottovoce.problems.base import Example, Problem, choose
from sottovoce.problems.density.answer import PEAK
from sottovoce.problems.density.one_round import OneRound
from sottovoce.problems.density.paper import Paper
from sottovoce.problems.density.settings import Density
from sottovoce.problems.density.theory import Theory
from sottovoce.problems.density.world import DensityWorld

_UNIT = {"low": 0.0, "high": 1.0, "observations": 400}

DENSITY = Problem(
    name="density",
    function="density",
    settings=Density,
    methods=(OneRound(), Paper(), Theory()),
    automatic=("one-round", "paper"),
    estimates="how the observations of a user are spread, averaged over users",
    measures="the density on the unit interval, root mean square",
    full_scale=lambda settings: PEAK * (choose(settings).settings.size - 1),
    world=DensityWorld,
    examples=(
        Example(method="auto", more=_UNIT),
        Example(method="one-round", more=_UNIT | {"coefficients": 5}),
        Example(method="paper", more=_UNIT | {"coefficients": 5}),
        Example(method="theory", more=_UNIT | {"coefficients": 5, "proof_constant": 1.0}),
    ),
)

__all__ = ["DENSITY", "Density"]
