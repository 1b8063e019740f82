"""The average over users of their own shares: of categories with labels, or of numbers in declared bins."""

from __future__ import annotations

from sottovoce.messages import Fact
from sottovoce.problems.base import CallFacts, CommandHelp, PlanFacts, Problem
from sottovoce.problems.histogram.adaptive import AdaptiveStages, with_other_promise
from sottovoce.problems.histogram.answer import HistogramEstimate, of_shares
from sottovoce.problems.histogram.by_group import SharesInGroup
from sottovoce.problems.histogram.one_round import DIFFERING, OneRound, crowd_fact
from sottovoce.problems.histogram.settings import Histogram
from sottovoce.problems.histogram.world import HistogramWorld, shares_of
from sottovoce.problems.method import Example

_LABELS = {"categories": ("bus", "train", "bicycle", "car", "feet"), "observations": 60}
_BINS = {"edges": (0.0, 5.0, 10.0, 30.0, 60.0), "observations": 60}
_EQUAL = {"low": 0.0, "high": 1.0, "bins": 12, "observations": 60}

HISTOGRAM = Problem(
    name="histogram",
    function="histogram",
    in_group=SharesInGroup(),
    finds_range="observations",
    settings=Histogram,
    answer=HistogramEstimate,
    methods=(OneRound(), AdaptiveStages()),
    automatic=("one-round", "adaptive"),
    estimates=Fact("estimates-histogram"),
    example="""\
>>> import numpy as np, sottovoce as sv
>>> ways = np.random.default_rng(1).choice(["bus", "train", "car"], size=(4000, 50), p=[0.5, 0.3, 0.2])
>>> answer = sv.histogram(ways, categories=["bus", "car", "train"], epsilon=2.0, seed=7)
>>> [one.label for one in answer.top(2)]
['bus', 'train']
""",
    full_scale=lambda settings: 0.5,
    world=HistogramWorld,
    examples=(
        Example(method="auto", name="labels", more=_LABELS),
        Example(method="auto", name="edges", more=_BINS),
        Example(method="one-round", name="labels", more=_LABELS),
        Example(method="one-round", name="bins", more=_EQUAL),
        Example(method="adaptive", name="labels", more=_LABELS),
        Example(method="adaptive", name="bins", more=_EQUAL),
    ),
    pays=0.75,
    complete_answer=with_other_promise,
    commands=CommandHelp(
        estimate=(
            "trips.csv --user card --value mode --categories bus,train,car,other --other other --epsilon 1",
            "trips.csv --user card --value minutes --edges 0,5,10,30,60 --epsilon 2 --json",
            "visits.parquet --user phone --value place --categories @places.txt --other elsewhere --epsilon 4",
        ),
        simulate=(
            "--users 5000 --observations 100 --categories bus,train,car,bicycle --epsilon 2",
            "--users 5000 --observations 100 --low 0 --high 1 --bins 16 --epsilon 1 --concentration 20 --method all",
        ),
        plan=(
            "--categories bus,train,car,bicycle --epsilon 1 --observations 100 --halfwidth 0.02",
            "--low 0 --high 60 --bins 12 --epsilon 2 --observations 50 --users 20000",
        ),
        ranges=(("categories",), ("edges",), ("low", "high", "bins")),
        hints=(
            "Everybody counts once, however many observations they hold. Without --other, an "
            "observation in none of the "
            "categories is an error.",
        ),
    ),
    plan=PlanFacts(
        measures=Fact("measures-histogram"),
        differing=DIFFERING,
        crowd={
            "spread": "how much users' own shares differ: root mean squared distance from their "
            "average (default: 0 and "
            f"{DIFFERING:g}, on average)"
        },
        crowd_fact=crowd_fact,
    ),
    call=CallFacts(truth=shares_of),
)

__all__ = ["HISTOGRAM", "Histogram", "HistogramEstimate", "of_shares"]
