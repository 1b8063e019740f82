"""The one of some given centres that most users are nearest to."""

from __future__ import annotations

from sottovoce.problems.base import Example, Problem
from sottovoce.problems.cover import covers
from sottovoce.problems.cover.covers import Cover
from sottovoce.problems.cover.places import half_width
from sottovoce.problems.cover.prepare import prepare
from sottovoce.problems.cover.settings import CoverSelect
from sottovoce.problems.cover.subset import SubsetVotes
from sottovoce.problems.cover.unary import UnaryVotes
from sottovoce.problems.cover.world import CoverWorld

_SQUARE = {"centres": ((0.1, 0.1), (0.1, 0.9), (0.5, 0.5), (0.9, 0.1), (0.9, 0.9))}

COVER = Problem(
    name="cover",
    function="cover_select",
    settings=CoverSelect,
    methods=(UnaryVotes(), SubsetVotes()),
    automatic=("unary",),
    estimates="which of some given places most users' averages are nearest to",
    measures="a coordinate of the chosen centre, on average",
    full_scale=half_width,
    world=CoverWorld,
    examples=(
        Example(method="auto", more=_SQUARE),
        Example(method="unary", more=_SQUARE),
        Example(method="subset", more=_SQUARE),
    ),
    unknowns=("users", "epsilon"),
    prepare=prepare,
)

__all__ = ["COVER", "Cover", "CoverSelect", "covers"]
