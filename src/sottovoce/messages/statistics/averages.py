"""Statistics of the average: where it lies, turned, hashed, or against public centres."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from sottovoce.messages.facts import Fact
from sottovoce.messages.limits import MAX_GROUPS, MAX_ITEMS, MAX_SEED, check
from sottovoce.messages.public import hadamard_rows, rotation_signs, signs
from sottovoce.messages.statistics.distances import Indices, Numbers, away, lengths
from sottovoce.messages.statistics.shape import NOT_LARGE, OneColumn, Plain


@dataclass(frozen=True, kw_only=True)
class Rotated(Plain):
    """Coordinate `group` of R(x̄ − centre): a random Hadamard rotation (L488) after projection on the ball of `radius`.

    The rotation has the size of the number of groups, a power of two; what is missing counts as the centre.
    """

    kind: ClassVar[str] = "rotated"
    nothing: ClassVar[Fact] = Fact("nothing-as-middle", group=False)
    silent: ClassVar[bool] = False

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

    def of(self, averages: Numbers, groups: Indices) -> Numbers:
        """The coordinates that fall to the users, of their averages."""
        apart = away(averages, self.centre)
        apart = apart * np.minimum(1.0, self.radius / np.maximum(lengths(apart), self.radius))
        apart = apart * rotation_signs(self.seed, self.size)[: len(self.centre)]
        rows = (hadamard_rows(group, self.size)[:, : len(self.centre)] for group in groups.T)
        return np.stack([(row * apart).sum(axis=1) / math.sqrt(self.size) for row in rows], axis=1)


@dataclass(frozen=True, kw_only=True)
class Hashed(Plain):
    """Σ_j r_j·1{|x̄_j| ≥ threshold} over the first `columns` columns, r the slot's public signs (L600)."""

    kind: ClassVar[str] = "hashed"
    nothing: ClassVar[Fact] = NOT_LARGE
    silent: ClassVar[bool] = False

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
    def cells(self) -> int:  # type: ignore[override]  # see Average
        return self.signed + 1

    @property
    def dimension(self) -> int:
        return self.columns

    def of(self, large: Numbers, slots: Indices) -> Numbers:
        """The signed sums of the columns that are large."""
        return np.asarray((large * signs(self.seed, slots, self.columns)).sum(axis=1, keepdims=True))


@dataclass(frozen=True, kw_only=True)
class Residual(OneColumn):
    """r_k·(x̄ − centres[k]) for the nearest centre k, ties to the lower, r the slot's public signs (L1226)."""

    kind: ClassVar[str] = "residual"
    silent: ClassVar[bool] = False

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
    def cells(self) -> int:  # type: ignore[override]  # see Average
        return self.signed + 1

    def of(self, average: Numbers, slots: Indices) -> Numbers:
        """The signed distances of averages."""
        centres = np.asarray(self.centres)
        nearest = np.argmin(np.abs(average[:, None] - centres[None, :]), axis=1)
        sign = signs(self.seed, slots, len(centres))[np.arange(len(average)), nearest]
        return np.asarray((sign * (average - centres[nearest]))[:, None])


@dataclass(frozen=True, kw_only=True)
class Nearest(Plain):
    """k + ½ for the centre k nearest to x̄ in Euclidean or largest-coordinate distance, ties to the lower (L222)."""

    kind: ClassVar[str] = "nearest"
    nothing: ClassVar[Fact] = Fact("nothing-as-zero", group=False)
    silent: ClassVar[bool] = False

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

    def of(self, averages: Numbers) -> Numbers:
        """The nearest centres of averages; a column of which nothing was observed counts as zero."""
        seen, centres = np.where(np.isnan(averages), 0.0, averages), np.asarray(self.centres)
        apart = seen[:, None, :] - centres[None, :, :]
        far = np.abs(apart).max(axis=2) if self.metric == "linf" else (apart**2).sum(axis=2)
        return np.where(np.isnan(far).all(axis=1), np.nan, np.argmin(far, axis=1) + 0.5)[:, None]
