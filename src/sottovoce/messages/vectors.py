"""Vectors that a device computes from its whole collection: the vocabulary that statistics of vectors speak about.

`size` is the number of entries, `dimension` how many columns of a collection it looks at. An entry of which nothing
was observed is NaN, and counts as the centre wherever there is one. `fact`, `nothing` and `needs` are what those of a
statistic are (see `statistics`). Each entry is computed in one course of arithmetic, without branches, whose time could
tell what was observed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from sottovoce.messages.array_types import Floats, Integers
from sottovoce.messages.facts import Fact
from sottovoce.messages.limits import MAX_ITEMS, MAX_VALUE, MAX_WAVES, check, check_digest, check_increasing
from sottovoce.messages.placements import Bins, Grid, edges_passed
from sottovoce.messages.public_randomness import cosine

MIDDLE = Fact("nothing-middle", group=False)
NOT_LARGE = Fact("nothing-large", group=False)
Needs = Literal["averages", "sums", "rows"]
"""What a statistic needs of a collection: averages of its columns, sums of its own over all observations, or all."""
_FAR = 1e150
_NEAR = 1e-130


def distances_from(vectors: Floats, centre: Sequence[float]) -> Floats:
    """Vectors less the centre, ``(n, size)``. What is missing counts as the centre; what is infinite as very far."""
    return without_tiny_parts(np.clip(zero_for_missing(vectors - np.asarray(centre)), -_FAR, _FAR))


def zero_for_missing(numbers: Floats) -> Floats:
    """The numbers, and zero for NaN, bit by bit: a branch takes longer where it goes now this way, now that."""
    there = np.isnan(numbers) - np.uint64(1)  # all bits, or none
    return np.asarray((numbers.view(np.uint64) & there).view(np.float64))


def without_tiny_parts(numbers: Floats) -> Floats:
    """The numbers in steps of 2e-146: squares and sums of smaller ones would take longer."""
    return np.asarray(numbers + _NEAR - _NEAR)


def lengths(vectors: Floats) -> Floats:
    """Euclidean lengths: ``(n, 1)``."""
    return np.asarray(np.sqrt((vectors**2).sum(axis=1, keepdims=True)))


def unit_places(numbers: Floats, *, low: float, high: float) -> Floats:
    """Where numbers lie on [low, high], clamped, as 0 to 1; a NaN lies at 0."""
    width = high - low
    above = np.fmin(np.fmax(numbers, low), high) - low  # a NaN goes along, as low
    return np.asarray((above + width - width) / width)  # in steps of 2^-53: numbers near zero would take longer


def take_columns(means: Floats, columns: Integers) -> Floats:
    """Columns of everybody's averages, a row of them for each or one for all; one that is not there is NaN."""
    inside = columns < means.shape[1]
    if len(columns) == 1 and inside.all():
        return means[:, columns[0]]
    if means.shape[1] == 0:
        return np.full((len(means), columns.shape[1]), np.nan)
    there = np.where(inside, columns, 0)
    picked = means[:, there[0]] if len(there) == 1 else np.take_along_axis(means, there, axis=1)
    return np.where(inside, picked, np.nan)


def check_column(column: int) -> None:
    """Refuse a column that does not exist in any collection."""
    check(column >= 0, "columns count from 0")


def check_value_range(low: float, high: float) -> None:
    """Refuse a range that arithmetic in floats cannot place numbers in."""
    check(-MAX_VALUE <= low < high <= MAX_VALUE, f"low lies below high, both within ±{MAX_VALUE:g}")
    check(high - low >= 1 / MAX_VALUE, f"high − low is at least {1 / MAX_VALUE:g}")


class _OfAverages:
    """A vector of the averages of the first `size` columns."""

    needs: ClassVar[Needs] = "averages"
    nothing: ClassVar[Fact] = MIDDLE
    kind: ClassVar[str]
    size: int

    def __post_init__(self) -> None:
        check(1 <= self.size <= MAX_ITEMS, f"size: 1 to {MAX_ITEMS}")

    @property
    def dimension(self) -> int:
        return self.size

    def of(self, means: Floats) -> Floats:
        """The vectors ``(n, size)``, from the averages of everybody's columns."""
        return take_columns(means, np.arange(self.size)[None, :])

    @property
    def fact(self) -> Fact:
        return Fact(f"vector-{self.kind}")


@dataclass(frozen=True, kw_only=True)
class Averages(_OfAverages):
    """The average in each of the first `size` columns."""

    kind: ClassVar[str] = "averages"

    size: int


@dataclass(frozen=True, kw_only=True)
class Inside(_OfAverages):
    """Where the averages of the first `size` columns lie in a declared box or ball: (average − middle)/half.

    What lies outside counts as the nearest point inside: on a box (`ball` ``"linf"``) each entry goes to [−1, 1], in a
    ball (``"l2"``) the vector to length 1. `middle` and `half` have one entry for all columns, or one for each.
    """

    kind: ClassVar[str] = "inside"

    size: int
    middle: tuple[float, ...]
    half: tuple[float, ...]
    ball: str

    def __post_init__(self) -> None:
        super().__post_init__()
        check(self.ball in ("linf", "l2"), "ball: linf or l2")
        for name, entries in (("middle", self.middle), ("half", self.half)):
            check(len(entries) in (1, self.size), f"{name}: one entry for all columns, or one for each")
        check(all(abs(value) <= MAX_VALUE for value in self.middle), f"the middle lies within ±{MAX_VALUE:g}")
        known = all(1 / MAX_VALUE <= value <= MAX_VALUE for value in self.half)
        check(known, f"half a range is {1 / MAX_VALUE:g} to {MAX_VALUE:g}")

    def of(self, means: Floats) -> Floats:
        unit = (super().of(means) - np.asarray(self.middle)) / np.asarray(self.half)
        if self.ball == "linf":
            return np.asarray(np.clip(unit, -1.0, 1.0))
        unit = without_tiny_parts(np.clip(unit, -MAX_VALUE, MAX_VALUE))
        return np.asarray(unit / np.maximum(lengths(zero_for_missing(unit)), 1.0))

    @property
    def fact(self) -> Fact:
        return Fact("vector-inside", ball=self.ball == "l2")


@dataclass(frozen=True, kw_only=True)
class Large(_OfAverages):
    """1 in each of the first `size` columns in which |average| ≥ `threshold`, else 0."""

    kind: ClassVar[str] = "large"
    nothing: ClassVar[Fact] = NOT_LARGE

    size: int
    threshold: float

    def __post_init__(self) -> None:
        super().__post_init__()
        check(0 <= self.threshold < math.inf, "the threshold is finite and not negative")

    def of(self, means: Floats) -> Floats:
        return (np.abs(super().of(means)) >= self.threshold).astype(np.float64)


class _OfColumn:
    """A vector of means of public functions of the observations of one column."""

    needs: ClassVar[Needs] = "sums"
    nothing: ClassVar[Fact] = MIDDLE
    kind: ClassVar[str]
    size: int
    column: int

    @property
    def dimension(self) -> int:
        return self.column + 1

    def of(self, means: Floats) -> Floats:
        """The vectors ``(n, size)``: the means themselves, which are of the vector's own sums."""
        return means

    @property
    def fact(self) -> Fact:
        return Fact(f"vector-{self.kind}", size=self.size)


@dataclass(frozen=True, kw_only=True)
class Categories(_OfColumn):
    """The share of the observations of `column` in each of `places`; what is missing counts nowhere.

    Categories with names are numbered: `places` is then a grid of one bin a number, and `labels` the digest of the
    list of names, which the manifest holds.
    """

    kind: ClassVar[str] = "categories"

    places: Grid | Bins
    labels: str | None = None
    column: int = 0

    def __post_init__(self) -> None:
        check(self.places.parts == 1, "categories: one range")
        if self.labels is not None:
            check_digest("labels", self.labels)
        check_column(self.column)

    @property
    def size(self) -> int:  # type: ignore[override]  # a field of the class above, a property here
        return self.places.count

    def index(self, numbers: Floats) -> Integers:
        """The categories of numbers, counted from 0."""
        return self.places.index(numbers)


@dataclass(frozen=True, kw_only=True)
class Below(_OfColumn):
    """The share of the observations of `column` that are at most each of `thresholds`."""

    kind: ClassVar[str] = "below"

    thresholds: tuple[float, ...]
    column: int = 0

    def __post_init__(self) -> None:
        check(1 <= len(self.thresholds) <= MAX_ITEMS, "thresholds: at least one")
        check_increasing("thresholds", self.thresholds)
        check_column(self.column)

    @property
    def size(self) -> int:  # type: ignore[override]  # see Categories
        return len(self.thresholds)

    def index(self, numbers: Floats) -> Integers:
        """The first thresholds that numbers do not exceed, counted from 0; `size` where there is none."""
        return edges_passed(self.thresholds, numbers, np.greater)


@dataclass(frozen=True, kw_only=True)
class Cosines(_OfColumn):
    """The averages of √2 cos(πjx), j = 1 … size, x the place of an observation on [low, high], clamped."""

    kind: ClassVar[str] = "cosines"

    low: float
    high: float
    size: int
    column: int = 0

    def __post_init__(self) -> None:
        check_value_range(self.low, self.high)
        check(1 <= self.size <= MAX_WAVES, f"a device walks through its observations at most {MAX_WAVES} times")
        check_column(self.column)

    def function_values(self, numbers: Floats, function: int) -> Floats:
        """√2 cos(π·function·x) of numbers."""
        place = unit_places(numbers, low=self.low, high=self.high)
        return np.asarray(math.sqrt(2) * cosine((function / 2) * place))


Vector = Averages | Inside | Large | Categories | Below | Cosines
