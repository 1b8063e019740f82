"""The density of one number per observation, averaged over users."""

from __future__ import annotations

from sottovoce.answers import DensityEstimate
from sottovoce.problems.base import Example, Problem, choose
from sottovoce.problems.density.adaptive import Adaptive
from sottovoce.problems.density.one_round import OneRound
from sottovoce.problems.density.paper import Paper
from sottovoce.problems.density.places import PEAK
from sottovoce.problems.density.settings import Density
from sottovoce.problems.density.theory import Theory
from sottovoce.problems.density.world import DensityWorld

_UNIT = {"low": 0.0, "high": 1.0, "observations": 400}

DENSITY = Problem(
    name="density",
    function="density",
    settings=Density,
    answer=DensityEstimate,
    methods=(OneRound(), Adaptive(), Paper(), Theory()),
    automatic=("one-round", "adaptive"),
    estimates="how the observations of a user are spread, averaged over users",
    example="""\
>>> import numpy as np, sottovoce as sv
>>> hours = np.random.default_rng(1).beta(4, 4, size=(4000, 30))
>>> print(sv.density(hours, low=0, high=1, epsilon=2.0, seed=7).projected())
7 coefficients on [0, 1], one-round, projected
""",
    measures="the density on the unit interval, root mean square",
    full_scale=lambda settings: PEAK * (choose(settings).settings.size - 1),
    command_examples=(
        "trips.csv --user card --value hour --low 0 --high 24 --epsilon 2",
        "trips.csv --user card --value hour --low 0 --high 24 --epsilon 2 --json",
    ),
    simulate_examples=(
        "--users 4000 --observations 50 --low 0 --high 1 --epsilon 2",
        "--users 4000 --observations 50 --distribution beta:2,5 --low 0 --high 24 --epsilon 2",
    ),
    hints=("--json adds curve (points, density, band_low, band_high; without negative parts), mean and quartiles.",),
    plan_examples=("--low 0 --high 24 --epsilon 2 --users 4000 --observations 50",),
    crowd={
        "spread": "standard deviation of the users' own coefficients, at most 1.41 (default: 0)",
        "within": "standard deviation of a basis function over one user's observations (default: 1, the largest)",
        "around": "where coefficients lie, -1.41 to 1.41 (default: several places)",
    },
    world=DensityWorld,
    examples=(
        Example(method="auto", more=_UNIT),
        Example(method="one-round", more=_UNIT | {"coefficients": 5}),
        Example(method="one-round", name="smooth", more=_UNIT | {"smoothness": 2.0}),
        Example(method="adaptive", more=_UNIT | {"coefficients": 5}),
        Example(method="paper", more=_UNIT | {"coefficients": 5}),
        Example(method="theory", more=_UNIT | {"coefficients": 5, "proof_constant": 1.0}),
    ),
)

__all__ = ["DENSITY", "Density"]
