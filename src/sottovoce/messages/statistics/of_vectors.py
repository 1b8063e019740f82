"""Statistics of a vector: an entry, a Hadamard coefficient, and length and direction from a public centre."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages.facts import Fact
from sottovoce.messages.limits import MAX_GROUPS, MAX_ITEMS, MAX_SEED, check
from sottovoce.messages.public import hadamard_rows
from sottovoce.messages.statistics.distances import Indices, Numbers
from sottovoce.messages.statistics.shape import MIDDLE, Needs, OneColumn, Plain
from sottovoce.messages.statistics.vectors import Categories, Vector

LEAST_TURNED = 128
"""Turns of fewer entries would be too far from Gaussian ones."""


def next_power(size: int) -> int:
    """The smallest power of two that is at least `size`."""
    return 1 << (size - 1).bit_length()


class _OfVector(Plain):
    vector: Vector

    @property
    def nothing(self) -> Fact:  # type: ignore[override]  # a constant of the class above, a property here
        return self.vector.nothing

    @property
    def silent(self) -> bool:  # type: ignore[override]  # the same
        return self.vector.nothing == MIDDLE

    @property
    def breadth(self) -> int:  # type: ignore[override]  # the same
        return self.vector.size

    @property
    def needs(self) -> Needs:  # type: ignore[override]  # the same
        return self.vector.needs

    @property
    def dimension(self) -> int:
        return self.vector.dimension

    @property
    def fact(self) -> Fact:
        return Fact(f"computes-{self.kind}", vector=self.vector.fact)


class _FromCentre(_OfVector):
    centre: tuple[float, ...]
    silent: ClassVar[bool] = False

    def _check_centre(self) -> None:
        check(len(self.centre) == self.vector.size, "the centre has as many entries as the vector")
        check(all(math.isfinite(value) for value in self.centre), "the centre is finite")

    @property
    def nothing(self) -> Fact:  # type: ignore[override]  # the same
        unseen = self.vector.nothing
        return Fact("nothing-as-point", group=False) if unseen == MIDDLE else unseen


@dataclass(frozen=True, kw_only=True)
class Entry(_OfVector):
    """Entry `group` of the vector."""

    kind: ClassVar[str] = "entry"

    vector: Vector

    def __post_init__(self) -> None:
        check(self.vector.size <= MAX_GROUPS, f"at most {MAX_GROUPS} entries")

    @property
    def parts(self) -> int:  # type: ignore[override]  # see _OfVector
        return self.vector.size

    def of(self, vectors: Numbers, groups: Indices) -> Numbers:
        """The entries that fall to the users."""
        return np.asarray(np.take_along_axis(vectors, groups, axis=1))


@dataclass(frozen=True, kw_only=True)
class Coefficient(_OfVector):
    """Hadamard coefficient ``group + 1`` of the vector, zeros after its end: Σ_j (−1)^popcount((group + 1) & j)·v_j."""

    kind: ClassVar[str] = "coefficient"

    vector: Vector

    def __post_init__(self) -> None:
        check(2 <= self.vector.size <= MAX_GROUPS, f"2 to {MAX_GROUPS} entries")

    @property
    def parts(self) -> int:  # type: ignore[override]  # see _OfVector
        return next_power(self.vector.size) - 1

    def of(self, vectors: Numbers, groups: Indices) -> Numbers:
        """The coefficients that fall to the users."""
        rows = (hadamard_rows(group + 1, self.parts + 1)[:, : self.vector.size] for group in groups.T)
        return np.stack([(row * vectors).sum(axis=1) for row in rows], axis=1)


@dataclass(frozen=True, kw_only=True)
class Norm(_FromCentre):
    """The Euclidean length of vector − centre."""

    kind: ClassVar[str] = "norm"

    vector: Vector
    centre: tuple[float, ...]

    def __post_init__(self) -> None:
        self._check_centre()


@dataclass(frozen=True, kw_only=True)
class Direction(_FromCentre):
    """In which of a few public directions vector − centre points: ``2·row + (0 or 1 for its sign) + ½``.

    With v = vector − centre, u is v/|v| or, with probability ½ − min(|v|, radius)/(2·radius), its opposite; after
    three public turns of the slot (signs, then a Hadamard matrix; see `turns`), the symbol is the one of the slot's
    `rows` public rows in which |u| is largest, and its sign there. The tally holds, for each entry, the sum of the
    reported directions and the sum of their squares.
    """

    kind: ClassVar[str] = "direction"
    draws: ClassVar[bool] = True

    vector: Vector
    centre: tuple[float, ...]
    radius: float
    seed: int
    rows: int

    def __post_init__(self) -> None:
        self._check_centre()
        check(0 < self.radius < math.inf, "the radius is positive and finite")
        check(0 <= self.seed <= MAX_SEED, "seed: 0 to 2^53")
        check(1 <= self.rows <= LEAST_TURNED // 2, f"rows: 1 to {LEAST_TURNED // 2}")

    @property
    def turned(self) -> int:
        """How many entries the turned vector has."""
        return max(LEAST_TURNED, next_power(self.vector.size))

    @property
    def breadth(self) -> int:  # type: ignore[override]  # see _OfVector
        return 4 * self.turned

    @property
    def cells(self) -> int:  # type: ignore[override]  # see _OfVector
        return 2 * self.vector.size

    @property
    def fact(self) -> Fact:
        return Fact("computes-direction", vector=self.vector.fact, directions=2 * self.rows)


@dataclass(frozen=True, kw_only=True)
class Category(Plain):
    """j + ½ for the category j of one own observation, drawn uniformly at random by the device."""

    kind: ClassVar[str] = "category"
    needs: ClassVar[Needs] = "rows"
    draws: ClassVar[bool] = True
    nothing: ClassVar[Fact] = Fact("nothing-middle-category", group=False)

    vector: Categories

    @property
    def dimension(self) -> int:
        return self.vector.dimension

    @property
    def fact(self) -> Fact:
        return Fact("computes-category", size=self.vector.size)


@dataclass(frozen=True, kw_only=True)
class Joint(OneColumn):
    """``levels·k + level + ½``: the centre k nearest to x̄, ties to the lower, and where x̄ lies around it.

    The place of x̄ in ``centres[k] ± reach``, clamped, is rounded at random, without bias, to one of `levels` evenly
    spaced levels from end to end.
    """

    kind: ClassVar[str] = "joint"
    draws: ClassVar[bool] = True

    centres: tuple[float, ...]
    reach: float
    levels: int
    column: int = 0

    def __post_init__(self) -> None:
        check(1 <= len(self.centres) <= MAX_GROUPS, "centres: at least one")
        check(all(math.isfinite(centre) for centre in self.centres), "centres are finite")
        check(all(left < right for left, right in pairwise(self.centres)), "centres increase strictly")
        check(0 < self.reach < math.inf, "the reach is positive and finite")
        check(2 <= self.levels <= MAX_ITEMS // len(self.centres), f"levels: 2 or more, at most {MAX_ITEMS} symbols")
        check(self.column >= 0, "columns count from 0")

    @property
    def breadth(self) -> int:  # type: ignore[override]  # see _OfVector
        return len(self.centres)

    def of(self, average: Numbers, words: NDArray[np.uint64]) -> Numbers:
        """The symbols of averages, rounded by uniform words."""
        centres = np.asarray(self.centres)
        average = np.clip(average, centres[0] - self.reach, centres[-1] + self.reach)  # what is far has a nearest too
        nearest = np.argmin(np.abs(average[:, None] - centres[None, :]), axis=1)
        place = (np.clip(average - centres[nearest], -self.reach, self.reach) / self.reach + 1) / 2
        level = np.minimum(np.floor(place * (self.levels - 1) + words * 2.0**-64), self.levels - 1)
        return np.asarray(nearest * self.levels + level + 0.5)[:, None]

    @property
    def fact(self) -> Fact:
        return Fact("computes-joint", places=len(self.centres) * self.levels)
