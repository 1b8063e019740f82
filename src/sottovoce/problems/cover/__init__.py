"""The one of some given centres that most users are nearest to."""

from __future__ import annotations

from sottovoce.messages import Fact
from sottovoce.problems.base import CallFacts, CommandHelp, PlanFacts, Problem
from sottovoce.problems.cover import covers
from sottovoce.problems.cover.answer import Choice, CoverEstimate
from sottovoce.problems.cover.arguments import SPACES, is_space, prepare
from sottovoce.problems.cover.covers import Cover
from sottovoce.problems.cover.settings import CoverSelect
from sottovoce.problems.cover.votes import SubsetVotes, UnaryVotes, assumed_crowd, half_width
from sottovoce.problems.cover.world import CoverWorld
from sottovoce.problems.method import Example

_SQUARE = {"centres": ((0.1, 0.1), (0.1, 0.9), (0.5, 0.5), (0.9, 0.1), (0.9, 0.9))}

COVER = Problem(
    name="cover",
    function="cover_select",
    title="Most frequent place",
    settings=CoverSelect,
    answer=CoverEstimate,
    methods=(SubsetVotes(), UnaryVotes()),
    automatic=("subset",),
    estimates=Fact("estimates-cover"),
    example="""\
>>> import numpy as np, sottovoce as sv
>>> x = np.random.default_rng(1).normal([0.4, -0.3], 0.5, size=(2000, 50, 2))
>>> print(sv.cover_select(x, centres=sv.covers.l2_ball(dimension=2, delta=0.2), epsilon=2.0, seed=7))
centre 40 of 60 at (0.375, -0.375), share 0.694, 11.6 se ahead
>>> print(sv.cover_select(x, centres="l2-ball", epsilon=2.0, seed=7).reason)  # doctest: +ELLIPSIS
one vote a user over 109 centres; Δ = 0.129 is about what averages of T = 50 tell apart (L1077); ...
""",
    full_scale=half_width,
    world=CoverWorld,
    examples=(
        Example(method="auto", more=_SQUARE),
        Example(method="unary", more=_SQUARE),
        Example(method="subset", more=_SQUARE),
    ),
    unknowns=("users", "epsilon"),
    commands=CommandHelp(
        estimate=(
            "walks.csv --user phone --value x,y --centres stations.csv --epsilon 2",
            "walks.csv --user phone --value x,y --centres stations.csv --metric linf --epsilon 4 --method unary --json",
            "walks.csv --user phone --value x,y --centres linf-ball:3 --epsilon 2",
        ),
        simulate=("--users 3000 --centres stations.csv --epsilon 2",),
        hints=(
            "The file of centres has a row for each and a column for each of --value: under the same "
            "names if its first "
            "line holds names, else in the same order.",
            "Centres are public; they are numbered from 0.",
            "In place of a file --centres takes a space: linf-ball, l2-ball (both with :RADIUS if it is not 1), "
            "sparse-vectors:S, densities:SMOOTHNESS:RADIUS. Its cover is as fine as suits the users; "
            "the answer says why.",
        ),
        plan=("--centres stations.csv --epsilon 2 --users 3000",),
    ),
    plan=PlanFacts(
        measures=Fact("measures-cover"),
        crowd={
            "spread": "standard deviation of the users' averages around the point, by coordinate (default: 0)",
            "around": "the point, the same in every coordinate (default: nearly the worst place)",
        },
        crowd_fact=assumed_crowd,
    ),
    call=CallFacts(
        options={
            "metric": (
                'Literal["l2", "linf"] | None = None',
                "how far a user's average is from a centre: l2, or linf, the largest difference "
                "(left out: l2, or that of "
                "the cover)",
            ),
            "distance": (
                "Any = None",
                "centres may be anything then: distance(observations, centre) is evaluated on the device, where the "
                "smallest wins, ties to the lower index; a user for whom it fails counts for the middle",
            ),
        },
        prepare=prepare,
    ),
)

__all__ = ["COVER", "SPACES", "Choice", "Cover", "CoverEstimate", "CoverSelect", "covers", "is_space"]
