"""The means of a mixture: every user belongs to one component, nobody says to which."""

from __future__ import annotations

from sottovoce.messages import Fact
from sottovoce.problems.base import CROWD, CommandHelp, PlanFacts, Problem
from sottovoce.problems.method import Example
from sottovoce.problems.mixture.adaptive import AdaptiveRounds
from sottovoce.problems.mixture.answer import MixtureEstimate
from sottovoce.problems.mixture.paper import Paper, Theory
from sottovoce.problems.mixture.settings import MixtureMeans
from sottovoce.problems.mixture.world import MixtureWorld

_TWO = {"low": 0.0, "high": 1.0, "observations": 400, "components": 2}

MIXTURE = Problem(
    name="mixture",
    function="mixture_means",
    settings=MixtureMeans,
    answer=MixtureEstimate,
    methods=(AdaptiveRounds(), Paper(), Theory()),
    automatic=("adaptive", "paper"),
    pays=0.5,
    estimates=Fact("estimates-mixture"),
    example="""\
>>> import numpy as np, sottovoce as sv
>>> rng = np.random.default_rng(1)
>>> kinds = rng.choice([0.2, 0.8], size=3000)
>>> tosses = rng.random((3000, 500)) < kinds[:, None]
>>> print(sv.mixture_means(tosses, components=2, epsilon=4.0, low=0, high=1, seed=7))
0.2 (49%), 0.8 (51%), adaptive
""",
    full_scale=lambda settings: (settings.high - settings.low) / 2,
    world=MixtureWorld,
    examples=(
        Example(method="auto", more=_TWO),
        Example(method="adaptive", more=_TWO),
        Example(
            method="adaptive",
            name="any number",
            more={key: value for key, value in _TWO.items() if key != "components"},
        ),
        Example(method="paper", more=_TWO),
        Example(method="paper", name="bin", more=_TWO | {"membership": "bin"}),
        Example(method="theory", more=_TWO | {"delta": 0.2}),
    ),
    commands=CommandHelp(
        estimate=(
            "shops.csv --user card --value amount --components 2 --low 0 --high 200 --epsilon 4",
            "clicks.parquet --user who --value clicked --components 3 --low 0 --high 1 --epsilon 4 "
            "--smallest-share 0.1",
        ),
        simulate=(
            "--users 3000 --observations 500 --components 2 --low 0 --high 1 --epsilon 4",
            "--users 9000 --observations 500 --means 10,60,80 --shares 0.5,0.3,0.2 --components 3 --low 0 --high 100 "
            "--epsilon 6",
        ),
        plan=("--components 2 --low 0 --high 1 --epsilon 4 --observations 500 --halfwidth 0.02",),
    ),
    plan=PlanFacts(
        measures=Fact("measures-component"),
        more=Fact("measures-component-placed"),
        crowd={
            "spread": "standard deviation of the own means of users of one kind (default: 0)",
            "within": CROWD["within"],
        },
    ),
)

__all__ = ["MIXTURE", "MixtureEstimate", "MixtureMeans"]
