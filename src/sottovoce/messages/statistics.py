"""What a device computes from a collection: the first half of an encoder, and a closed vocabulary.

A statistic turns any collection into one number for each of the question's uses. It is data here; the device
evaluates it. `group` is the fold that a slot (and use) belongs to: see `Question.groups`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from sottovoce.messages.limits import MAX_GROUPS, check


@dataclass(frozen=True, kw_only=True)
class Average:
    """The average of the collection in column ``columns[group]``; `first` keeps only so many observations (T*)."""

    kind: ClassVar[str] = "average"

    columns: tuple[int, ...] = (0,)
    first: int | None = None

    def __post_init__(self) -> None:
        check(1 <= len(self.columns) <= MAX_GROUPS, "columns: at least one")
        check(all(column >= 0 for column in self.columns), "columns count from 0")
        check(self.first is None or self.first >= 1, "first: at least one observation")

    @property
    def parts(self) -> int:
        return len(self.columns)


@dataclass(frozen=True, kw_only=True)
class Item:
    """One own observation of `column`, drawn uniformly at random by the device."""

    kind: ClassVar[str] = "item"

    column: int = 0

    def __post_init__(self) -> None:
        check(self.column >= 0, "columns count from 0")

    @property
    def parts(self) -> int:
        return 1


@dataclass(frozen=True, kw_only=True)
class Each:
    """Use t answers with observation t of `column`, round and round when there are fewer. For item-level baselines."""

    kind: ClassVar[str] = "each"

    column: int = 0

    def __post_init__(self) -> None:
        check(self.column >= 0, "columns count from 0")

    @property
    def parts(self) -> int:
        return 1


@dataclass(frozen=True, kw_only=True)
class Share:
    """The share of the observations of `column` that are at most ``below[group]``."""

    kind: ClassVar[str] = "share"

    below: tuple[float, ...]
    column: int = 0

    def __post_init__(self) -> None:
        check(1 <= len(self.below) <= MAX_GROUPS, "below: at least one threshold")
        check(all(math.isfinite(value) for value in self.below), "thresholds are finite")
        check(self.column >= 0, "columns count from 0")

    @property
    def parts(self) -> int:
        return len(self.below)


Statistic = Average | Item | Each | Share
