"""Statistics of one column at a time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sottovoce.messages.facts import Fact
from sottovoce.messages.limits import MAX_FUNCTION, MAX_GROUPS, MAX_VALUE, check
from sottovoce.messages.public import cosine
from sottovoce.messages.statistics.distances import Indices, Numbers, unit_places
from sottovoce.messages.statistics.shape import Needs, OneColumn, Plain


@dataclass(frozen=True, kw_only=True)
class Average(Plain):
    """The average of the collection in column ``columns[group]``; `first` keeps only so many observations (T*)."""

    kind: ClassVar[str] = "average"

    columns: tuple[int, ...] = (0,)
    first: int | None = None

    def __post_init__(self) -> None:
        check(1 <= len(self.columns) <= MAX_GROUPS, "columns: at least one")
        check(all(column >= 0 for column in self.columns), "columns count from 0")
        check(self.first is None or self.first >= 1, "first: at least one observation")

    @property
    def parts(self) -> int:  # type: ignore[override]  # a constant of the class above, a property here
        return len(self.columns)

    @property
    def needs(self) -> Needs:  # type: ignore[override]  # the same
        return "averages" if self.first is None else "rows"

    @property
    def lone(self) -> bool:
        return len(self.columns) == 1

    @property
    def dimension(self) -> int:
        return max(self.columns) + 1

    @property
    def fact(self) -> Fact:
        return Fact("computes-average", first=self.first, several=len(self.columns) > 1)


@dataclass(frozen=True, kw_only=True)
class Item(OneColumn):
    """One own observation of `column`, drawn uniformly at random by the device."""

    kind: ClassVar[str] = "item"
    needs: ClassVar[Needs] = "rows"
    draws: ClassVar[bool] = True

    column: int = 0

    def __post_init__(self) -> None:
        check(self.column >= 0, "columns count from 0")


@dataclass(frozen=True, kw_only=True)
class Each(OneColumn):
    """Use t answers with observation t of `column`, round and round when there are fewer. For item-level baselines."""

    kind: ClassVar[str] = "each"
    needs: ClassVar[Needs] = "rows"
    lone: ClassVar[bool] = False

    column: int = 0

    def __post_init__(self) -> None:
        check(self.column >= 0, "columns count from 0")


@dataclass(frozen=True, kw_only=True)
class Share(OneColumn):
    """The share of the observations of `column` that are at most ``below[group]``."""

    kind: ClassVar[str] = "share"
    needs: ClassVar[Needs] = "sums"

    below: tuple[float, ...]
    column: int = 0

    def __post_init__(self) -> None:
        check(1 <= len(self.below) <= MAX_GROUPS, "below: at least one threshold")
        check(all(math.isfinite(value) for value in self.below), "thresholds are finite")
        check(self.column >= 0, "columns count from 0")

    @property
    def parts(self) -> int:  # type: ignore[override]  # a constant of the class above, a property here
        return len(self.below)


@dataclass(frozen=True, kw_only=True)
class Basis(OneColumn):
    """The average of trigonometric basis function ``functions[group]`` (L316) over [low, high], observations clamped.

    φ₁ = 1, φ₂ₖ(x) = √2 cos(2πkx), φ₂ₖ₊₁(x) = √2 sin(2πkx) on the unit interval.
    """

    kind: ClassVar[str] = "basis"
    needs: ClassVar[Needs] = "sums"

    low: float
    high: float
    functions: tuple[int, ...]
    column: int = 0

    def __post_init__(self) -> None:
        check(-MAX_VALUE <= self.low < self.high <= MAX_VALUE, f"low lies below high, both within ±{MAX_VALUE:g}")
        check(self.high - self.low >= 1 / MAX_VALUE, f"high − low is at least {1 / MAX_VALUE:g}")
        check(1 <= len(self.functions) <= MAX_GROUPS, "functions: at least one")
        known = all(1 <= function <= MAX_FUNCTION for function in self.functions)
        check(known, f"functions count from 1 to {MAX_FUNCTION}")
        check(self.column >= 0, "columns count from 0")

    @property
    def parts(self) -> int:  # type: ignore[override]  # see Average
        return len(self.functions)

    def wave(self, numbers: Numbers, functions: Indices) -> Numbers:
        """The functions of numbers, one for each: one course of arithmetic for any, so that time does not tell it."""
        place = unit_places(numbers, low=self.low, high=self.high)
        turns = (functions // 2) * place - 0.25 * (functions % 2)  # a sine lags by a quarter
        return np.where(functions == 1, 1.0, math.sqrt(2) * cosine(turns))
