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
from sottovoce.messages.limits import MAX_GROUPS, MAX_ITEMS, check

Indices = Integers | int


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


Placement = Position | Grid | Bins
