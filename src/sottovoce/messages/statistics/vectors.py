"""Vectors that a device computes from its whole collection: the vocabulary that `of_vectors` speaks about.

`size` is the number of entries, `dimension` how many columns of a collection it looks at. An entry of which nothing
was observed is NaN, and counts as the centre wherever there is one. `fact`, `nothing` and `needs` are what those of a
statistic are.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages.facts import Fact
from sottovoce.messages.limits import MAX_ITEMS, MAX_VALUE, MAX_WAVES, check
from sottovoce.messages.placements import Bins, Grid, passed
from sottovoce.messages.public import cosine
from sottovoce.messages.statistics.distances import Numbers, coarse, filled, lengths, unit_places
from sottovoce.messages.statistics.shape import MIDDLE, NOT_LARGE, Needs

_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, kw_only=True)
class Averages:
    """The average in each of the first `size` columns."""

    kind: ClassVar[str] = "averages"
    needs: ClassVar[Needs] = "averages"
    nothing: ClassVar[Fact] = MIDDLE

    size: int

    def __post_init__(self) -> None:
        check(1 <= self.size <= MAX_ITEMS, f"size: 1 to {MAX_ITEMS}")

    @property
    def dimension(self) -> int:
        return self.size

    def of(self, averages: Numbers) -> Numbers:
        """The averages themselves."""
        return averages

    @property
    def fact(self) -> Fact:
        return Fact("vector-averages")


@dataclass(frozen=True, kw_only=True)
class Inside:
    """Where the averages of the first `size` columns lie in a declared box or ball: (average − middle)/half.

    What lies outside counts as the nearest point inside: on a box (`ball` ``"linf"``) each entry goes to [−1, 1], in a
    ball (``"l2"``) the vector to length 1. `middle` and `half` have one entry for all columns, or one for each.
    """

    kind: ClassVar[str] = "inside"
    needs: ClassVar[Needs] = "averages"
    nothing: ClassVar[Fact] = MIDDLE

    size: int
    middle: tuple[float, ...]
    half: tuple[float, ...]
    ball: str

    def __post_init__(self) -> None:
        check(1 <= self.size <= MAX_ITEMS, f"size: 1 to {MAX_ITEMS}")
        check(self.ball in ("linf", "l2"), "ball: linf or l2")
        for name, entries in (("middle", self.middle), ("half", self.half)):
            check(len(entries) in (1, self.size), f"{name}: one entry for all columns, or one for each")
        check(all(abs(value) <= MAX_VALUE for value in self.middle), f"the middle lies within ±{MAX_VALUE:g}")
        known = all(1 / MAX_VALUE <= value <= MAX_VALUE for value in self.half)
        check(known, f"half a range is {1 / MAX_VALUE:g} to {MAX_VALUE:g}")

    @property
    def dimension(self) -> int:
        return self.size

    def of(self, averages: Numbers) -> Numbers:
        """The places of averages, ``(n, size)``."""
        unit = (averages - np.asarray(self.middle)) / np.asarray(self.half)
        if self.ball == "linf":
            return np.asarray(np.clip(unit, -1.0, 1.0))
        unit = coarse(np.clip(unit, -MAX_VALUE, MAX_VALUE))
        return np.asarray(unit / np.maximum(lengths(filled(unit)), 1.0))

    @property
    def fact(self) -> Fact:
        return Fact("vector-inside", ball=self.ball == "l2")


@dataclass(frozen=True, kw_only=True)
class Large:
    """1 in each of the first `size` columns in which |average| ≥ `threshold`, else 0."""

    kind: ClassVar[str] = "large"
    needs: ClassVar[Needs] = "averages"
    nothing: ClassVar[Fact] = NOT_LARGE

    size: int
    threshold: float

    def __post_init__(self) -> None:
        check(1 <= self.size <= MAX_ITEMS, f"size: 1 to {MAX_ITEMS}")
        check(0 <= self.threshold < math.inf, "the threshold is finite and not negative")

    @property
    def dimension(self) -> int:
        return self.size

    def of(self, averages: Numbers) -> Numbers:
        """1 where an average is large, else 0."""
        return (np.abs(averages) >= self.threshold).astype(np.float64)

    @property
    def fact(self) -> Fact:
        return Fact("vector-large")


@dataclass(frozen=True, kw_only=True)
class Categories:
    """The share of the observations of `column` in each of `places`; what is missing counts nowhere.

    Categories with names are numbered: `places` is then a grid of one bin a number, and `labels` the digest of the
    list of names, which the manifest holds.
    """

    kind: ClassVar[str] = "categories"
    needs: ClassVar[Needs] = "sums"
    nothing: ClassVar[Fact] = MIDDLE

    places: Grid | Bins
    labels: str | None = None
    column: int = 0

    def __post_init__(self) -> None:
        check(self.places.parts == 1, "categories: one range")
        check(self.labels is None or _DIGEST.fullmatch(self.labels) is not None, "labels: a SHA-256 digest")
        check(self.column >= 0, "columns count from 0")

    @property
    def size(self) -> int:
        return self.places.count

    @property
    def dimension(self) -> int:
        return self.column + 1

    def index(self, numbers: Numbers) -> NDArray[np.int64]:
        """The categories of numbers, counted from 0."""
        return self.places.index(numbers)

    @property
    def fact(self) -> Fact:
        return Fact("vector-categories", size=self.size)


@dataclass(frozen=True, kw_only=True)
class Below:
    """The share of the observations of `column` that are at most each of `thresholds`."""

    kind: ClassVar[str] = "below"
    needs: ClassVar[Needs] = "sums"
    nothing: ClassVar[Fact] = MIDDLE

    thresholds: tuple[float, ...]
    column: int = 0

    def __post_init__(self) -> None:
        check(1 <= len(self.thresholds) <= MAX_ITEMS, "thresholds: at least one")
        check(all(math.isfinite(value) for value in self.thresholds), "thresholds are finite")
        check(all(left < right for left, right in pairwise(self.thresholds)), "thresholds increase strictly")
        check(self.column >= 0, "columns count from 0")

    @property
    def size(self) -> int:
        return len(self.thresholds)

    @property
    def dimension(self) -> int:
        return self.column + 1

    def index(self, numbers: Numbers) -> NDArray[np.int64]:
        """The first thresholds that numbers do not exceed, counted from 0; `size` where there is none."""
        return passed(self.thresholds, numbers, np.greater)

    @property
    def fact(self) -> Fact:
        return Fact("vector-below", size=self.size)


@dataclass(frozen=True, kw_only=True)
class Cosines:
    """The averages of √2 cos(πjx), j = 1 … size, x the place of an observation on [low, high], clamped."""

    kind: ClassVar[str] = "cosines"
    needs: ClassVar[Needs] = "sums"
    nothing: ClassVar[Fact] = MIDDLE

    low: float
    high: float
    size: int
    column: int = 0

    def __post_init__(self) -> None:
        check(-MAX_VALUE <= self.low < self.high <= MAX_VALUE, f"low lies below high, both within ±{MAX_VALUE:g}")
        check(self.high - self.low >= 1 / MAX_VALUE, f"high − low is at least {1 / MAX_VALUE:g}")
        check(1 <= self.size <= MAX_WAVES, f"a device walks through its observations at most {MAX_WAVES} times")
        check(self.column >= 0, "columns count from 0")

    @property
    def dimension(self) -> int:
        return self.column + 1

    def wave(self, numbers: Numbers, function: int) -> Numbers:
        """√2 cos(π·function·x) of numbers: one course of arithmetic for any, so that time does not tell it."""
        place = unit_places(numbers, low=self.low, high=self.high)
        return np.asarray(math.sqrt(2) * cosine((function / 2) * place))

    @property
    def fact(self) -> Fact:
        return Fact("vector-cosines", size=self.size)


Vector = Averages | Inside | Large | Categories | Below | Cosines
