"""The density of one number per observation, averaged over users."""

from __future__ import annotations

import math

from sottovoce.messages import MAX_WAVES, Fact
from sottovoce.problems.base import CommandHelp, PlanFacts, Problem
from sottovoce.problems.density.answer import DensityEstimate, waves
from sottovoce.problems.density.cosine import Adaptive, OneRound, typical_squares
from sottovoce.problems.density.paper import Paper, Theory
from sottovoce.problems.density.settings import Density
from sottovoce.problems.density.world import DensityWorld
from sottovoce.problems.method import Example

_UNIT = {"low": 0.0, "high": 1.0, "observations": 400}

DENSITY = Problem(
    name="density",
    function="density",
    finds_range="observations",
    settings=Density,
    answer=DensityEstimate,
    methods=(OneRound(), Adaptive(), Paper(), Theory()),
    automatic=("one-round", "adaptive"),
    pays=0.75,
    estimates=Fact("estimates-density"),
    example="""\
>>> import numpy as np, sottovoce as sv
>>> hours = np.random.default_rng(1).beta(4, 4, size=(4000, 30))
>>> answer = sv.density(hours, low=0, high=1, epsilon=2.0, seed=7)
>>> print(f"{answer(0.5):.1f} in the middle, {answer.method}")
2.3 in the middle, adaptive
""",
    full_scale=lambda settings: math.sqrt(float(typical_squares(settings, MAX_WAVES).sum())),
    world=DensityWorld,
    examples=(
        Example(method="auto", more=_UNIT),
        Example(method="one-round", more=_UNIT | {"coefficients": 5}),
        Example(method="one-round", name="smooth", more=_UNIT | {"smoothness": 2.0}),
        Example(method="adaptive", more=_UNIT | {"coefficients": 5}),
        Example(method="adaptive", name="one-wave", more=_UNIT | {"coefficients": 2}),
        Example(method="paper", more=_UNIT | {"coefficients": 5}),
        Example(method="theory", more=_UNIT | {"coefficients": 5, "proof_constant": 1.0}),
    ),
    commands=CommandHelp(
        estimate=(
            "trips.csv --user card --value hour --low 0 --high 24 --epsilon 2",
            "trips.csv --user card --value hour --low 0 --high 24 --epsilon 2 --json",
        ),
        simulate=(
            "--users 4000 --observations 50 --low 0 --high 1 --epsilon 2",
            "--users 4000 --observations 50 --distribution beta:2,5 --low 0 --high 24 --epsilon 2 --method all",
        ),
        hints=(
            "--json adds curve (points, density, band_low, band_high; for adaptive and one-round also model_low, "
            "whole_low, model_whole_low and their ends _high), mean and quartiles.",
            "Bands are for the density as the waves shown can show it; whole ones for the density itself.",
        ),
        plan=("--low 0 --high 24 --epsilon 2 --users 4000 --observations 50",),
    ),
    plan=PlanFacts(
        measures=Fact("measures-density"),
        crowd={
            "spread": "standard deviation of the users' own coefficients, at most 1.41 (default: 0)",
            "within": "standard deviation of a basis function over one user's observations (default: 1, the largest)",
            "around": "where coefficients lie, -1.41 to 1.41 (default: several places)",
        },
    ),
)

__all__ = ["DENSITY", "Density", "DensityEstimate", "waves"]
