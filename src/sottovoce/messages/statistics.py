"""What a device computes from a collection: the first half of an encoder, and a closed vocabulary.

A statistic turns any collection into one number for each of the question's uses. It is data here; the device
evaluates it. `group` is the fold that a slot (and use) belongs to: see `Question.groups`. `parts` says for how many
groups it has a definition of its own, `breadth` how many numbers a user it needs at once, `dimension` how many columns
of a collection it looks at, counted from the first. A statistic with `signed` public signs is multiplied by them, and
its tally holds one signed sum for each. `words` are for the owner of a device.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from sottovoce.messages.limits import MAX_FUNCTION, MAX_GROUPS, MAX_ITEMS, MAX_SEED, MAX_VALUE, check


class _Plain:
    """One part, narrow, without signs: what most statistics are."""

    parts: ClassVar[int] = 1
    breadth: ClassVar[int] = 1
    signed: ClassVar[int] = 0


class _OneColumn(_Plain):
    """Looks at one column only."""

    column: int

    @property
    def dimension(self) -> int:
        return self.column + 1


@dataclass(frozen=True, kw_only=True)
class Average(_Plain):
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
    def dimension(self) -> int:
        return max(self.columns) + 1

    @property
    def words(self) -> str:
        which = " in the column that falls to you" if len(self.columns) > 1 else ""
        if self.first is None:
            return f"the average of all your observations{which}"
        if self.first == 1:
            return f"your first observation{which}"
        return f"the average of your first {self.first:,} observations{which}"


@dataclass(frozen=True, kw_only=True)
class Item(_OneColumn):
    """One own observation of `column`, drawn uniformly at random by the device."""

    kind: ClassVar[str] = "item"

    column: int = 0

    def __post_init__(self) -> None:
        check(self.column >= 0, "columns count from 0")

    @property
    def words(self) -> str:
        return "one of your observations, drawn at random"


@dataclass(frozen=True, kw_only=True)
class Each(_OneColumn):
    """Use t answers with observation t of `column`, round and round when there are fewer. For item-level baselines."""

    kind: ClassVar[str] = "each"

    column: int = 0

    def __post_init__(self) -> None:
        check(self.column >= 0, "columns count from 0")

    @property
    def words(self) -> str:
        return "each of your observations in turn"


@dataclass(frozen=True, kw_only=True)
class Share(_OneColumn):
    """The share of the observations of `column` that are at most ``below[group]``."""

    kind: ClassVar[str] = "share"

    below: tuple[float, ...]
    column: int = 0

    def __post_init__(self) -> None:
        check(1 <= len(self.below) <= MAX_GROUPS, "below: at least one threshold")
        check(all(math.isfinite(value) for value in self.below), "thresholds are finite")
        check(self.column >= 0, "columns count from 0")

    @property
    def parts(self) -> int:  # type: ignore[override]  # a constant of the class above, a property here
        return len(self.below)

    @property
    def words(self) -> str:
        return "the share of your observations up to a threshold"


@dataclass(frozen=True, kw_only=True)
class Rotated(_Plain):
    """Coordinate `group` of R(x̄ − centre): a random Hadamard rotation (L488) after projection on the ball of `radius`.

    The rotation has the size of the number of groups, a power of two; what is missing counts as the centre.
    """

    kind: ClassVar[str] = "rotated"

    seed: int
    size: int
    centre: tuple[float, ...]
    radius: float

    def __post_init__(self) -> None:
        check(0 <= self.seed <= MAX_SEED, "seed: 0 to 2^53")
        check(1 <= self.size <= MAX_GROUPS and self.size & (self.size - 1) == 0, "a rotation's size is a power of two")
        check(1 <= len(self.centre) <= self.size, "the centre has at most as many columns as the rotation")
        check(all(math.isfinite(value) for value in self.centre), "the centre is finite")
        check(0 < self.radius < math.inf, "the radius is positive and finite")

    @property
    def parts(self) -> int:  # type: ignore[override]  # see Average
        return self.size

    @property
    def breadth(self) -> int:  # type: ignore[override]  # see Average
        return self.size

    @property
    def dimension(self) -> int:
        return len(self.centre)

    @property
    def words(self) -> str:
        return "one coordinate of your average, after a public rotation"


@dataclass(frozen=True, kw_only=True)
class Basis(_OneColumn):
    """The average of trigonometric basis function ``functions[group]`` (L316) over [low, high], observations clamped.

    φ₁ = 1, φ₂ₖ(x) = √2 cos(2πkx), φ₂ₖ₊₁(x) = √2 sin(2πkx) on the unit interval.
    """

    kind: ClassVar[str] = "basis"

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

    @property
    def words(self) -> str:
        return "the average of a public wave over your observations"


@dataclass(frozen=True, kw_only=True)
class Hashed(_Plain):
    """Σ_j r_j·1{|x̄_j| ≥ threshold} over the first `columns` columns, r the slot's public signs (L600)."""

    kind: ClassVar[str] = "hashed"

    seed: int
    columns: int
    threshold: float

    def __post_init__(self) -> None:
        check(0 <= self.seed <= MAX_SEED, "seed: 0 to 2^53")
        check(1 <= self.columns <= MAX_ITEMS, f"columns: 1 to {MAX_ITEMS}")
        check(0 <= self.threshold < math.inf, "the threshold is finite and not negative")

    @property
    def breadth(self) -> int:  # type: ignore[override]  # see Average
        return self.columns

    @property
    def signed(self) -> int:  # type: ignore[override]  # see Average
        return self.columns

    @property
    def dimension(self) -> int:
        return self.columns

    @property
    def words(self) -> str:
        return "the sum of public signs over the columns in which your average is large"


@dataclass(frozen=True, kw_only=True)
class Residual(_OneColumn):
    """r_k·(x̄ − centres[k]) for the nearest centre k, ties to the lower, r the slot's public signs (L1226)."""

    kind: ClassVar[str] = "residual"

    seed: int
    centres: tuple[float, ...]
    column: int = 0

    def __post_init__(self) -> None:
        check(0 <= self.seed <= MAX_SEED, "seed: 0 to 2^53")
        check(1 <= len(self.centres) <= MAX_GROUPS, "centres: at least one")
        check(all(math.isfinite(centre) for centre in self.centres), "centres are finite")
        check(all(left < right for left, right in pairwise(self.centres)), "centres increase strictly")
        check(self.column >= 0, "columns count from 0")

    @property
    def breadth(self) -> int:  # type: ignore[override]  # see Average
        return len(self.centres)

    @property
    def signed(self) -> int:  # type: ignore[override]  # see Average
        return len(self.centres)

    @property
    def words(self) -> str:
        return "how far your average is from the nearest of the public centres, times a public sign"


@dataclass(frozen=True, kw_only=True)
class Nearest(_Plain):
    """k + ½ for the centre k nearest to x̄ in Euclidean or largest-coordinate distance, ties to the lower (L222)."""

    kind: ClassVar[str] = "nearest"

    centres: tuple[tuple[float, ...], ...]
    metric: str = "l2"

    def __post_init__(self) -> None:
        check(1 <= len(self.centres) <= MAX_ITEMS, f"centres: 1 to {MAX_ITEMS}")
        check(len({len(centre) for centre in self.centres}) == 1 and len(self.centres[0]) >= 1, "centres share columns")
        check(all(math.isfinite(value) for centre in self.centres for value in centre), "centres are finite")
        check(self.metric in ("l2", "linf"), "metric: l2 or linf")

    @property
    def breadth(self) -> int:  # type: ignore[override]  # see Average
        return len(self.centres) * len(self.centres[0])

    @property
    def dimension(self) -> int:
        return len(self.centres[0])

    @property
    def words(self) -> str:
        return "which of the public centres is nearest to your average"


Statistic = Average | Item | Each | Share | Rotated | Basis | Hashed | Residual | Nearest
