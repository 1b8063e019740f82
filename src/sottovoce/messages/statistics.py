"""What a device computes from a collection: the first half of an encoder, and a closed vocabulary.

A statistic turns any collection into one number for each of the question's uses. It is data here: the device computes
what it needs of the raw observations (averages, or a vector), and `of` says what becomes of that. `groups` are the
folds that slots (and uses) belong to: see `Question.groups`. `parts` says for how many groups it has a definition of
its own, `breadth` how many numbers a user it needs at once, `dimension` how many columns of a collection it looks at,
counted from the first. A statistic with `signed` public signs is multiplied by them, and its tally holds one signed sum
for each; `cells` says how many cells a tally has where it is not the channel that says; `draws` whether the device
draws lots to compute it; `needs` whether averages of columns are all that it needs of a collection, or sums of its own
over the observations, or all rows. `fact` is for the owner of a device, and `nothing` what becomes of what was not
observed; a `silent` statistic has no number then, a NaN, which an encoder may place elsewhere. One that
`fits_within` may be asked for within a group.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages.array_types import Floats, Integers, Signs, Words
from sottovoce.messages.facts import Fact
from sottovoce.messages.limits import MAX_FUNCTION, MAX_GROUPS, MAX_ITEMS, MAX_SEED, check, check_increasing
from sottovoce.messages.public_randomness import (
    cosine,
    hadamard_rows,
    rotated_rows,
    rotation_signs,
    signs,
    slot_rotations,
    undo_rotation,
)
from sottovoce.messages.vectors import (
    MIDDLE,
    NOT_LARGE,
    Averages,
    Categories,
    Large,
    Needs,
    Vector,
    check_column,
    check_value_range,
    distances_from,
    lengths,
    take_columns,
    unit_places,
)

FINE = 256
"""A reported direction is counted in this part of one standard deviation of its entries."""
LEAST_TURNED = 128
"""Rotations of fewer entries would be too far from Gaussian ones."""
_AT_ONCE = 2**15
"""Entries that are rotated at once: so few that they stay close to the processor."""


class _Statistic:
    """One part, narrow, without signs: what most statistics are."""

    parts: ClassVar[int] = 1
    breadth: ClassVar[int] = 1
    signed: ClassVar[int] = 0
    draws: ClassVar[bool] = False
    kind: ClassVar[str]
    nothing: ClassVar[Fact] = MIDDLE
    silent: ClassVar[bool] = True
    needs: ClassVar[Needs] = "averages"

    def of(self, means: Floats, *, groups: Integers, slots: Integers, words: Words) -> Floats:
        """The statistic of every user, for every use, ``(n, uses)``; `words` are uniform, for those that draw lots.

        `means` are of the collections' columns, or of what the statistic sums (see `needs`): one for each use; NaN
        where nothing was seen.
        """
        return means

    @property
    def cells(self) -> int | None:
        return self.signed + 1 if self.signed else None

    @property
    def fact(self) -> Fact:
        """What is computed, for the owner of a device."""
        return Fact(f"computes-{self.kind}")

    @property
    def fits_within(self) -> bool:
        """Whether it looks at one column, the last of its `dimension`, and gives one number of it."""
        return self.parts == 1 and hasattr(getattr(self, "vector", self), "column")


class _OfColumn(_Statistic):
    """A statistic that looks at one column only."""

    column: int

    def __post_init__(self) -> None:
        check_column(self.column)

    @property
    def dimension(self) -> int:
        return self.column + 1

    def _average(self, means: Floats) -> Floats:
        return take_columns(means, np.array([[self.column]]))[:, 0]


def _check_seed(seed: int) -> None:
    check(0 <= seed <= MAX_SEED, "seed: 0 to 2^53")


def _check_centres(centres: tuple[float, ...]) -> None:
    check(1 <= len(centres) <= MAX_GROUPS, "centres: at least one")
    check_increasing("centres", centres)


def _check_finite(name: str, centre: tuple[float, ...]) -> None:
    check(all(map(math.isfinite, centre)), f"{name} finite")


def _check_positive(name: str, length: float) -> None:
    check(0 < length < math.inf, f"the {name} is positive and finite")


def _nearest(average: Floats, centres: Floats) -> Integers:
    """The nearest centre to each average, ties to the lower."""
    return np.asarray(np.argmin(np.abs(average[:, None] - centres[None, :]), axis=1))


def part_numbers(parts: int, groups: Integers) -> Integers:
    """Which of a message's parts serves each group: its own, or the only one."""
    return groups if parts > 1 else np.zeros(groups.shape, dtype=np.int64)


@dataclass(frozen=True, kw_only=True)
class Average(_Statistic):
    """The average of the collection in column ``columns[group]``; `first` keeps only so many observations (T*)."""

    kind: ClassVar[str] = "average"

    columns: tuple[int, ...] = (0,)
    first: int | None = None

    def __post_init__(self) -> None:
        check(1 <= len(self.columns) <= MAX_GROUPS, "columns: at least one")
        check_column(min(self.columns))
        check(self.first is None or self.first >= 1, "first: at least one observation")

    @property
    def parts(self) -> int:  # type: ignore[override]  # a constant of the class above, a property here
        return len(self.columns)

    @property
    def needs(self) -> Needs:  # type: ignore[override]  # the same
        return "averages" if self.first is None else "rows"

    @property
    def fits_within(self) -> bool:
        return len(self.columns) == 1

    @property
    def dimension(self) -> int:
        return max(self.columns) + 1

    def of(self, means: Floats, *, groups: Integers, slots: Integers, words: Words) -> Floats:
        columns = part_numbers(self.parts, groups if self.parts > 1 else groups[:1])  # one for all, where it is
        return take_columns(means, np.asarray(self.columns)[columns])

    @property
    def fact(self) -> Fact:
        return Fact("computes-average", first=self.first, several=len(self.columns) > 1)


@dataclass(frozen=True, kw_only=True)
class Item(_OfColumn):
    """One own observation of `column`, drawn uniformly at random by the device."""

    kind: ClassVar[str] = "item"
    needs: ClassVar[Needs] = "rows"
    draws: ClassVar[bool] = True

    column: int = 0


@dataclass(frozen=True, kw_only=True)
class Each(_OfColumn):
    """Use t answers with observation t of `column`, round and round when there are fewer. For item-level baselines."""

    kind: ClassVar[str] = "each"
    needs: ClassVar[Needs] = "rows"
    fits_within: ClassVar[bool] = False

    column: int = 0


@dataclass(frozen=True, kw_only=True)
class Share(_OfColumn):
    """The share of the observations of `column` that are at most ``below[group]``."""

    kind: ClassVar[str] = "share"
    needs: ClassVar[Needs] = "sums"

    below: tuple[float, ...]
    column: int = 0

    def __post_init__(self) -> None:
        check(1 <= len(self.below) <= MAX_GROUPS, "below: at least one threshold")
        _check_finite("thresholds are", self.below)
        super().__post_init__()

    @property
    def parts(self) -> int:  # type: ignore[override]  # see Average
        return len(self.below)


@dataclass(frozen=True, kw_only=True)
class Basis(_OfColumn):
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
        check_value_range(self.low, self.high)
        check(1 <= len(self.functions) <= MAX_GROUPS, "functions: at least one")
        known = all(1 <= function <= MAX_FUNCTION for function in self.functions)
        check(known, f"functions count from 1 to {MAX_FUNCTION}")
        super().__post_init__()

    @property
    def parts(self) -> int:  # type: ignore[override]  # see Average
        return len(self.functions)

    def function_values(self, numbers: Floats, functions: Integers) -> Floats:
        """The functions of numbers, one for each: one course of arithmetic for any, so that time does not tell it."""
        place = unit_places(numbers, low=self.low, high=self.high)
        turns = (functions // 2) * place - 0.25 * (functions % 2)  # a sine lags by a quarter
        return np.where(functions == 1, 1.0, math.sqrt(2) * cosine(turns))


@dataclass(frozen=True, kw_only=True)
class Rotated(_Statistic):
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
        _check_seed(self.seed)
        check(1 <= self.size <= MAX_GROUPS and self.size & (self.size - 1) == 0, "a rotation's size is a power of two")
        check(1 <= len(self.centre) <= self.size, "the centre has at most as many columns as the rotation")
        _check_finite("the centre is", self.centre)
        _check_positive("radius", self.radius)

    @property
    def parts(self) -> int:  # type: ignore[override]  # see Average
        return self.size

    breadth = parts

    @property
    def dimension(self) -> int:
        return len(self.centre)

    def of(self, means: Floats, *, groups: Integers, slots: Integers, words: Words) -> Floats:
        away = distances_from(Averages(size=self.dimension).of(means), self.centre)
        away = away * np.minimum(1.0, self.radius / np.maximum(lengths(away), self.radius))
        away = away * rotation_signs(self.seed, self.size)[: self.dimension]
        rows = (hadamard_rows(group, self.size)[:, : self.dimension] for group in groups.T)
        return np.stack([(row * away).sum(axis=1) / math.sqrt(self.size) for row in rows], axis=1)


@dataclass(frozen=True, kw_only=True)
class Hashed(_Statistic):
    """Σ_j r_j·1{|x̄_j| ≥ threshold} over the first `columns` columns, r the slot's public signs (L600)."""

    kind: ClassVar[str] = "hashed"
    nothing: ClassVar[Fact] = NOT_LARGE
    silent: ClassVar[bool] = False

    seed: int
    columns: int
    threshold: float

    def __post_init__(self) -> None:
        _check_seed(self.seed)
        check(1 <= self.columns <= MAX_ITEMS, f"columns: 1 to {MAX_ITEMS}")
        check(0 <= self.threshold < math.inf, "the threshold is finite and not negative")

    @property
    def dimension(self) -> int:
        return self.columns

    breadth = signed = dimension

    def of(self, means: Floats, *, groups: Integers, slots: Integers, words: Words) -> Floats:
        large = Large(size=self.columns, threshold=self.threshold).of(means)
        return np.asarray((large * signs(self.seed, slots, self.columns)).sum(axis=1, keepdims=True))


@dataclass(frozen=True, kw_only=True)
class Residual(_OfColumn):
    """r_k·(x̄ − centres[k]) for the nearest centre k, ties to the lower, r the slot's public signs (L1226)."""

    kind: ClassVar[str] = "residual"
    silent: ClassVar[bool] = False

    seed: int
    centres: tuple[float, ...]
    column: int = 0

    def __post_init__(self) -> None:
        _check_seed(self.seed)
        _check_centres(self.centres)
        super().__post_init__()

    @property
    def breadth(self) -> int:  # type: ignore[override]  # see Average
        return len(self.centres)

    signed = breadth

    def of(self, means: Floats, *, groups: Integers, slots: Integers, words: Words) -> Floats:
        average, centres = self._average(means), np.asarray(self.centres)
        nearest = _nearest(average, centres)
        sign = signs(self.seed, slots, len(centres))[np.arange(len(average)), nearest]
        return np.asarray((sign * (average - centres[nearest]))[:, None])


@dataclass(frozen=True, kw_only=True)
class Nearest(_Statistic):
    """k + ½ for the centre k nearest to x̄ in Euclidean or largest-coordinate distance, ties to the lower (L222).

    A column of which nothing was observed counts as zero.
    """

    kind: ClassVar[str] = "nearest"
    nothing: ClassVar[Fact] = Fact("nothing-as-zero", group=False)
    silent: ClassVar[bool] = False

    centres: tuple[tuple[float, ...], ...]
    metric: str = "l2"

    def __post_init__(self) -> None:
        check(1 <= len(self.centres) <= MAX_ITEMS, f"centres: 1 to {MAX_ITEMS}")
        check(len({len(centre) for centre in self.centres}) == 1 and len(self.centres[0]) >= 1, "centres share columns")
        for centre in self.centres:
            _check_finite("centres are", centre)
        check(self.metric in ("l2", "linf"), "metric: l2 or linf")

    @property
    def breadth(self) -> int:  # type: ignore[override]  # see Average
        return len(self.centres) * len(self.centres[0])

    @property
    def dimension(self) -> int:
        return len(self.centres[0])

    def of(self, means: Floats, *, groups: Integers, slots: Integers, words: Words) -> Floats:
        averages = Averages(size=self.dimension).of(means)
        apart = np.where(np.isnan(averages), 0.0, averages)[:, None, :] - np.asarray(self.centres)[None, :, :]
        far = np.abs(apart).max(axis=2) if self.metric == "linf" else (apart**2).sum(axis=2)
        return np.where(np.isnan(far).all(axis=1), np.nan, np.argmin(far, axis=1) + 0.5)[:, None]


@dataclass(frozen=True, kw_only=True)
class Joint(_OfColumn):
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
        _check_centres(self.centres)
        _check_positive("reach", self.reach)
        check(2 <= self.levels <= MAX_ITEMS // len(self.centres), f"levels: 2 or more, at most {MAX_ITEMS} symbols")
        super().__post_init__()

    @property
    def breadth(self) -> int:  # type: ignore[override]  # see Average
        return len(self.centres)

    def of(self, means: Floats, *, groups: Integers, slots: Integers, words: Words) -> Floats:
        centres, reach = np.asarray(self.centres), self.reach
        average = np.clip(
            self._average(means), centres[0] - reach, centres[-1] + reach
        )  # what is far has a nearest too
        nearest = _nearest(average, centres)
        place = (np.clip(average - centres[nearest], -reach, reach) / reach + 1) / 2
        level = np.minimum(np.floor(place * (self.levels - 1) + words * 2.0**-64), self.levels - 1)
        return np.asarray(nearest * self.levels + level + 0.5)[:, None]

    @property
    def fact(self) -> Fact:
        return Fact("computes-joint", places=len(self.centres) * self.levels)


@dataclass(frozen=True, kw_only=True)
class Category(_Statistic):
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


class _OfVector(_Statistic):
    """A statistic of a vector, of which it has most of what it says."""

    vector: Vector

    @property
    def nothing(self) -> Fact:  # type: ignore[override]  # see Average
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


@dataclass(frozen=True, kw_only=True)
class Entry(_OfVector):
    """Entry `group` of the vector."""

    kind: ClassVar[str] = "entry"

    vector: Vector

    def __post_init__(self) -> None:
        check(self.vector.size <= MAX_GROUPS, f"at most {MAX_GROUPS} entries")

    @property
    def parts(self) -> int:  # type: ignore[override]  # see Average
        return self.vector.size

    def of(self, means: Floats, *, groups: Integers, slots: Integers, words: Words) -> Floats:
        return np.asarray(np.take_along_axis(self.vector.of(means), part_numbers(self.parts, groups), axis=1))


@dataclass(frozen=True, kw_only=True)
class Coefficient(_OfVector):
    """Hadamard coefficient ``group + 1`` of the vector, zeros after its end: Σ_j (−1)^popcount((group + 1) & j)·v_j."""

    kind: ClassVar[str] = "coefficient"

    vector: Vector

    def __post_init__(self) -> None:
        check(2 <= self.vector.size <= MAX_GROUPS, f"2 to {MAX_GROUPS} entries")

    @property
    def parts(self) -> int:  # type: ignore[override]  # see Average
        return _next_power_of_two(self.vector.size) - 1

    def of(self, means: Floats, *, groups: Integers, slots: Integers, words: Words) -> Floats:
        vectors = self.vector.of(means)
        indices = part_numbers(self.parts, groups).T + 1
        rows = (hadamard_rows(index, self.parts + 1)[:, : self.vector.size] for index in indices)
        return np.stack([(row * vectors).sum(axis=1) for row in rows], axis=1)


class _FromCentre(_OfVector):
    """A statistic of where a vector lies from a public centre."""

    centre: tuple[float, ...]
    silent: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check(len(self.centre) == self.vector.size, "the centre has as many entries as the vector")
        _check_finite("the centre is", self.centre)

    @property
    def nothing(self) -> Fact:  # type: ignore[override]  # see Average
        unseen = self.vector.nothing
        return Fact("nothing-as-point", group=False) if unseen == MIDDLE else unseen


@dataclass(frozen=True, kw_only=True)
class Norm(_FromCentre):
    """The Euclidean length of vector − centre."""

    kind: ClassVar[str] = "norm"

    vector: Vector
    centre: tuple[float, ...]

    def of(self, means: Floats, *, groups: Integers, slots: Integers, words: Words) -> Floats:
        return lengths(distances_from(self.vector.of(means), self.centre))


@dataclass(frozen=True, kw_only=True)
class Direction(_FromCentre):
    """In which of a few public directions vector − centre points: ``2·row + (0 or 1 for its sign) + ½``.

    With v = vector − centre, u is v/|v| or, with probability ½ − min(|v|, radius)/(2·radius), its opposite; after
    the slot's public rotation (see `public_randomness`), the symbol is the one of the slot's `rows` public rows in
    which |u| is largest, and its sign there. The tally holds, for each entry, the sum of the reported directions and
    the sum of their squares.
    """

    kind: ClassVar[str] = "direction"
    draws: ClassVar[bool] = True

    vector: Vector
    centre: tuple[float, ...]
    radius: float
    seed: int
    rows: int

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_positive("radius", self.radius)
        _check_seed(self.seed)
        check(1 <= self.rows <= LEAST_TURNED // 2, f"rows: 1 to {LEAST_TURNED // 2}")

    @property
    def rotated_size(self) -> int:
        """How many entries the rotated vector has."""
        return max(LEAST_TURNED, _next_power_of_two(self.vector.size))

    @property
    def breadth(self) -> int:  # type: ignore[override]  # see Average
        return 4 * self.rotated_size

    @property
    def cells(self) -> int:
        return 2 * self.vector.size

    @property
    def fact(self) -> Fact:
        return Fact("computes-direction", vector=self.vector.fact, directions=2 * self.rows)

    def rotations(self, slots: Integers) -> tuple[Signs, Integers]:
        """The signs of the slots' three turns, ``(n, 3, rotated_size)``, and the rows they look at, ``(n, rows)``."""
        return slot_rotations(self.seed, self.rotated_size, self.rows, slots)

    def of(self, means: Floats, *, groups: Integers, slots: Integers, words: Words) -> Floats:
        """The symbols, each turned to its opposite or not by a uniform word.

        Of entries that are equally large the first row counts; a vector of length zero points along the first row.
        """
        away = distances_from(self.vector.of(means), self.centre)
        turns, rows = self.rotations(slots)
        longer = np.minimum(lengths(away)[:, 0] / self.radius, 1.0)
        opposite = words * 2.0**-64 >= 0.5 + 0.5 * longer
        unit = away / np.maximum(np.abs(away).max(axis=1), 1e-300)[:, None]
        entries = np.concatenate([rotated_rows(unit[few], turns[few], rows[few]) for few in self._blocks(slots)])
        best = np.argmax(np.abs(entries), axis=1)
        negative = (entries[np.arange(len(slots)), best] < 0) ^ opposite
        return np.asarray(2 * best + negative + 0.5)[:, None]

    def directions(self, slots: Integers, symbols: Integers) -> NDArray[np.int32]:
        """The reported directions: ``(n, size)`` whole numbers, 256 to a standard deviation of an entry.

        The signed row, rotated back: entries of whole numbers, about `rotated_size` large, that are then divided by
        ``rotated_size/256`` and rounded to the nearest, halves away from zero.
        """
        size, (turns, rows) = self.rotated_size, self.rotations(slots)
        row = rows[np.arange(len(slots)), symbols >> 1]
        entries = np.empty((len(slots), self.vector.size), dtype=np.int32)
        for few in self._blocks(slots):
            sign = (1 - 2 * (symbols[few] & 1)).astype(np.int8)[:, None]
            signed = hadamard_rows(row[few], size) * turns[few, -1] * sign
            entries[few] = undo_rotation(signed, turns[few])[:, : self.vector.size]
        if size <= FINE:
            return entries * np.int32(FINE // size)
        entries += (entries >> 31) + size // FINE // 2
        return entries >> np.int32((size // FINE).bit_length() - 1)

    def _blocks(self, slots: Integers) -> list[slice]:
        block = max(1, _AT_ONCE // self.rotated_size)
        return [slice(first, first + block) for first in range(0, len(slots), block)]


def _next_power_of_two(size: int) -> int:
    """The smallest power of two that is at least `size`."""
    return 1 << (size - 1).bit_length()


Statistic = (
    Average
    | Item
    | Each
    | Share
    | Rotated
    | Basis
    | Hashed
    | Residual
    | Nearest
    | Entry
    | Coefficient
    | Norm
    | Direction
    | Category
    | Joint
)


def on_column(statistic: Statistic, column: int) -> Statistic:
    """The same statistic, looking at the columns from `column` on."""
    if column == 0:
        return statistic
    if isinstance(statistic, Average):
        return replace(statistic, columns=tuple(each + column for each in statistic.columns))
    whole: Any = statistic
    observed: Any = getattr(statistic, "vector", statistic)
    check(hasattr(observed, "column"), "averages of several columns begin at the first")
    moved = replace(observed, column=observed.column + column)
    result: Statistic = moved if observed is whole else replace(whole, vector=moved)
    return result
