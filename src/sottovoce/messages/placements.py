"""Where a statistic falls: the second half of an encoder. Every number, NaN included, has exactly one place.

`parts` says for how many groups it has a range of its own, `count` how many bins there are; `fact` is for the owner
of a device.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from sottovoce.messages.array_types import Floats, Integers
from sottovoce.messages.facts import Fact
from sottovoce.messages.limits import MAX_GROUPS, MAX_ITEMS, MAX_KNOTS, check

Indices = Integers | int
LEAST_GAP = 2.0**-20
"""Between two knots, as a part of the range."""


def edges_passed(edges: Sequence[float], numbers: Floats, beyond: Callable[[Floats, Floats], Any]) -> Integers:
    """How many of the increasing `edges` each number lies beyond; NaN lies beyond none.

    By halving, with the same comparisons for every number: a library's search takes up to three times as long for
    numbers between the edges as for those outside, and time must not tell.
    """
    steps = len(edges).bit_length()
    padded = np.full(2**steps - 1, np.nan)  # beyond which nothing lies
    padded[: len(edges)] = edges
    count = np.zeros(np.shape(numbers), dtype=np.int64)
    for step in reversed(range(steps)):
        count += beyond(numbers, padded[count + (2**step - 1)]) * np.int64(2**step)
    return count


class _InRange:
    """A placement in ``[low, high]``, one range for all groups or one for each."""

    low: tuple[float, ...]
    high: tuple[float, ...]

    def __post_init__(self) -> None:
        known = len(self.low) == len(self.high) and 1 <= len(self.low) <= MAX_GROUPS
        check(known, "low and high: one for all groups, or one for each")
        for start, stop in zip(self.low, self.high, strict=True):
            check(math.isfinite(start) and math.isfinite(stop) and start < stop, "low lies below high, both finite")
            check(math.isfinite(stop - start), "high − low is finite")

    @property
    def parts(self) -> int:
        return len(self.low)

    def fraction(self, numbers: Floats, group: Indices = 0) -> Floats:
        """Where numbers lie on [0, 1], by the ranges of their groups."""
        low, high = np.asarray(self.low)[group], np.asarray(self.high)[group]
        fraction = (np.minimum(np.maximum(numbers, low), high) - low) / (high - low)
        return np.asarray(np.fmax(fraction, 0.0) + 0.5 * np.isnan(fraction))  # without a branch, whose time could tell

    @property
    def _range(self) -> Fact:
        alike = len({*zip(self.low, self.high, strict=True)}) == 1
        return Fact("asked-range", low=self.low[0], high=self.high[0], groups=1 if alike else len(self.low))


@dataclass(frozen=True, kw_only=True)
class Position(_InRange):
    """The position in ``[low, high]``, clamped, as an integer ``0 … span`` of the channel; NaN is the middle."""

    kind: ClassVar[str] = "position"

    low: tuple[float, ...]
    high: tuple[float, ...]

    count: ClassVar[None] = None

    @property
    def fact(self) -> Fact:
        return Fact("placed-position", range=self._range)


@dataclass(frozen=True, kw_only=True)
class Knots:
    """The position along the knots `low`, `inner` … and `high`, clamped, as an integer: a table's nodes lie there.

    It grows evenly from knot to knot, by one node each; NaN is where `nothing` is.
    """

    kind: ClassVar[str] = "knots"
    parts: ClassVar[int] = 1
    count: ClassVar[None] = None

    low: float
    high: float
    inner: tuple[float, ...]
    nothing: float

    def __post_init__(self) -> None:
        check(len(self.places) <= MAX_KNOTS, f"at most {MAX_KNOTS} knots")
        width = self.high - self.low
        check(all(map(math.isfinite, (*self.places, width))), "knots are finite, and so is high − low")
        apart = all(left < right and right - left >= LEAST_GAP * width for left, right in pairwise(self.places))
        check(apart, "knots increase from low to high, each at least 2^-20 of the range above the one before")
        check(self.low <= self.nothing <= self.high, "nothing lies from low to high")

    @property
    def places(self) -> tuple[float, ...]:
        """All knots, where the nodes of the table are."""
        return self.low, *self.inner, self.high

    def position(self, numbers: Floats) -> Floats:
        """Where numbers lie, in nodes: 0 at the first knot, one more at each."""
        return np.asarray(np.fmax(self._walk(numbers), 0.0) + self._walk(np.array(self.nothing)) * np.isnan(numbers))

    def _walk(self, numbers: Floats) -> Floats:
        """The part of each segment that lies below a number, added up in order, the same course for any number."""
        total = np.zeros(np.shape(numbers))
        for left, right in pairwise(self.places):
            total += (np.minimum(np.maximum(numbers, left), right) - left) / (right - left)
        return total

    def number(self, positions: Floats) -> Floats:
        """The numbers that lie at these positions."""
        return np.asarray(np.interp(positions, np.arange(len(self.places)), self.places))

    @property
    def fact(self) -> Fact:
        ends = Fact("asked-range", low=self.low, high=self.high, groups=1)
        return Fact("placed-knots", knots=len(self.places), range=ends)


@dataclass(frozen=True, kw_only=True)
class Grid(_InRange):
    """`count` equal half-open bins on ``[low, high]``; what lies outside falls in the nearest, NaN in the middle."""

    kind: ClassVar[str] = "grid"

    low: tuple[float, ...]
    high: tuple[float, ...]
    count: int

    def __post_init__(self) -> None:
        super().__post_init__()
        check(1 <= self.count <= MAX_ITEMS, f"a grid has 1 to {MAX_ITEMS} bins")

    def index(self, numbers: Floats, group: Indices = 0) -> Integers:
        """The bins that numbers fall in, by the ranges of their groups."""
        fraction = self.fraction(numbers, group)
        return np.minimum(np.floor(fraction * self.count).astype(np.int64), self.count - 1)

    @property
    def fact(self) -> Fact:
        return Fact("placed-grid", bins=self.count, range=self._range)


@dataclass(frozen=True, kw_only=True)
class Bins:
    """Bins between strictly increasing inner `edges`; an edge belongs to the bin above it; NaN is the middle bin."""

    kind: ClassVar[str] = "bins"
    parts: ClassVar[int] = 1

    edges: tuple[float, ...]

    def __post_init__(self) -> None:
        check(len(self.edges) < MAX_ITEMS, f"at most {MAX_ITEMS} bins")
        check(all(map(math.isfinite, self.edges)), "edges are finite")
        increasing = all(left < right for left, right in pairwise(self.edges))
        check(increasing, "edges increase strictly: bins neither overlap nor repeat")

    @property
    def count(self) -> int:
        return len(self.edges) + 1

    def index(self, numbers: Floats, group: Indices = 0) -> Integers:
        """The bins that numbers fall in."""
        return np.asarray(edges_passed(self.edges, numbers, np.greater_equal) + self.count // 2 * np.isnan(numbers))

    @property
    def fact(self) -> Fact:
        return Fact("placed-bins", bins=self.count)


Placement = Position | Knots | Grid | Bins
