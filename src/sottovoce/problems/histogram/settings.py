"""What a survey of a histogram declares."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Annotated

from sottovoce.messages import Bins, Categories, Grid, InvalidInput, canonical, digest
from sottovoce.methods import (
    FINEST_IN_A_BIN,
    check_declared,
    check_labels,
    check_public_seed,
    is_whole,
)
from sottovoce.problems.base import Settings
from sottovoce.problems.fields import Empty, EmptyAtMost, Help, Observations, Other

MOST = 10_000
"""Categories of a histogram at most."""


@dataclass(frozen=True, kw_only=True)
class Histogram(Settings):
    """The average over users of their own shares of some categories, or of numbers in declared bins.

    A user who holds T observations has a share for each category, and the shares of a user add up to one; what is
    estimated is their average over users, so that everybody counts once however many observations they hold.

    Declare one of: `categories`, labels in any order (`other` names the one of them that takes whatever is in none);
    `edges` of bins for numbers, ends included; `low`, `high` and `bins` for equal bins. What lies outside the bins
    counts in the outermost ones. On a device, a collection of labelled categories holds their numbers 0, 1, 2, … in
    the order declared (`sv.collections` with `categories` makes them; of two categories, false is the first and true
    the second); a question carries the labels' digest and their number.

    `method`: ``"one-round"`` asks everybody for one random item of theirs, by subset selection: the narrowest
    intervals that hold whatever the users are. ``"adaptive"`` asks some for one item, then how far users lie from what
    was found, and where users are alike the rest for the direction in which they lie from it, in one or more stages;
    where they differ it falls back to one item, or one Hadamard coefficient of the shares, from everybody who is left.
    ``"auto"`` takes one-round, unless adaptive promises less than three quarters of its mean squared error, on average
    over users alike and users who differ (or for the `spread` stated), and says why in the answer.

    Privacy
    -------
    Every user answers one question; the report is `epsilon`-LDP for the whole collection, its length included.

    Accuracy
    --------
    One round: squared error of about 4k·e^ε/((e^ε − 1)²·n) whatever T is. Adaptive: where users are alike, down to
    about k·s²/(m²·n), s² the squared length by which users' own shares differ from the average (about 1/T for users
    alike) and 1/m² = 7.4, 2.1, .53 at ε = 1, 2, 4; where they differ, about that of one round.
    """

    observations: Observations
    categories: Annotated[
        tuple[str, ...] | None,
        Help(text="labels of the categories, or @FILE with a label to a line", metavar="A,B,…", free=True),
    ] = None
    other: Other = None
    edges: Annotated[
        tuple[float, ...] | None,
        Help(text="edges of bins for numbers, ends included", metavar="X,X,…", free=True),
    ] = None
    low: Annotated[float | None, Help(text="lowest declared value, for equal bins", metavar="L")] = None
    high: Annotated[
        float | None, Help(text="highest declared value; what lies beyond counts in the outermost bins", metavar="H")
    ] = None
    bins: Annotated[int | None, Help(text="how many equal bins from low to high", metavar="K")] = None
    spread: Annotated[
        float | None,
        Help(
            text="how much users' own shares differ (root mean squared distance from their average, 0 to 1), for auto "
            "to choose by",
            metavar="S",
            default="not known: alike, or by 0.2",
        ),
    ] = None
    empty: Empty = "middle"
    empty_at_most: EmptyAtMost = 0.0
    public_seed: Annotated[
        int,
        Help(
            text="makes the public directions of adaptive; chosen without looking at data",
            metavar="S",
            check=check_public_seed,
        ),
    ] = 0

    def check(self) -> None:
        super().check()
        ranged = (self.low, self.high, self.bins)
        ways = (self.categories, self.edges, None if all(one is None for one in ranged) else ranged)
        if sum(way is not None for way in ways) != 1:
            fix = "declare one of: categories (labels), edges of bins, or low, high and bins"
            raise InvalidInput(fix=fix, code="missing-range")
        if self.categories is not None:
            check_labels("categories", self.categories)
            if self.other is not None and self.other not in self.categories:
                raise InvalidInput("other must be one of the categories", fix="declare it there too")
        elif self.other is not None:
            raise InvalidInput("other names one of the categories; bins take every number")
        if self.edges is not None:
            _check_edges(self.edges)
        elif self.categories is None:
            _check_bins(self.low, self.high, self.bins)
        if not 2 <= self.size <= MOST:
            raise InvalidInput(rule=f"a histogram has 2 to {MOST:,} categories or bins", wrong=f"got {self.size:,}")
        if self.spread is not None and not 0 <= self.spread <= 1:
            raise InvalidInput(rule="spread is a distance between shares, from 0 to 1", got=self.spread)

    @property
    def size(self) -> int:
        """How many categories or bins: k."""
        if self.categories is not None:
            return len(self.categories)
        return len(self.edges) - 1 if self.edges is not None else self.bins or 0

    @cached_property
    def bounds(self) -> tuple[float, ...] | None:
        """The edges of all bins, ends included; None for categories."""
        if self.categories is not None:
            return None
        if self.edges is not None:
            return self.edges
        assert self.low is not None and self.high is not None
        width = self.high - self.low
        return (*(self.low + width * (place / self.size) for place in range(self.size)), self.high)

    @property
    def declared(self) -> tuple[float, float] | None:
        """The outer ends of the bins; categories have none."""
        return None if self.bounds is None else (self.bounds[0], self.bounds[-1])

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """What to call each category or bin."""
        if self.categories is not None:
            return self.categories
        assert self.bounds is not None
        return tuple(f"{left:g} … {right:g}" for left, right in pairwise(self.bounds))

    @cached_property
    def vector(self) -> Categories:
        """The shares that a device computes."""
        if self.categories is not None:
            places = Grid(low=(-0.5,), high=(self.size - 0.5,), count=self.size)
            return Categories(places=places, labels=digest(canonical.dumps(list(self.categories))))
        if self.edges is not None:
            return Categories(places=Bins(edges=self.edges[1:-1]))
        assert self.low is not None and self.high is not None
        return Categories(places=Grid(low=(self.low,), high=(self.high,), count=self.size))


def _check_edges(edges: tuple[float, ...]) -> None:
    if not isinstance(edges, tuple) or not all(isinstance(edge, (int, float)) for edge in edges):
        raise InvalidInput(rule="edges must be numbers")
    if len(edges) < 3 or not all(map(math.isfinite, edges)) or any(right <= left for left, right in pairwise(edges)):
        raise InvalidInput(rule="edges must be three or more finite numbers that increase strictly, ends included")
    for left, right in pairwise(edges):
        check_declared(left, right, names="edges", finest=FINEST_IN_A_BIN)


def _check_bins(low: float | None, high: float | None, bins: int | None) -> None:
    if low is None or high is None or bins is None:
        raise InvalidInput(rule="equal bins need low, high and bins, all three")
    check_declared(low, high)
    if not is_whole(bins):
        raise InvalidInput(rule="bins must be a whole number", got=bins)
    if bins > 0:
        width = (high - low) / bins
        for left, right in ((low, low + width), (high - width, high)):
            check_declared(left, right, names="the ends of a bin", finest=FINEST_IN_A_BIN)
