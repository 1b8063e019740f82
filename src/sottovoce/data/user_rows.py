"""Rows with a user each: which columns are wanted, users by number as their ids first appear, and rows by user."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.data.categories import Coding
from sottovoce.data.reading_report import NO_USER, ReadingLog
from sottovoce.data.records import NOBODY, ReadingOptions
from sottovoce.device import Collections
from sottovoce.messages import InvalidInput

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Words = NDArray[np.uint64]
Block = tuple[Integers, Floats]
"""Some rows: the numbers of their users, and their observations."""
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio: neighbouring ids fall into slots far apart
_SEED = 0


def stack_columns(columns: list[Floats]) -> Floats:
    """The observations of some rows: numbers, or vectors where there are several columns."""
    return columns[0] if len(columns) == 1 else np.column_stack(columns)


def gather_blocks(blocks: Iterable[Block], *, count: int = 0) -> Collections:
    """The rows of each user from blocks of numbers of users and observations: see `gather_rows`."""
    users, values = zip(*blocks, strict=True)
    return gather_rows(np.concatenate(users), np.concatenate(values), count=count)


def gather_rows(users: Integers, values: Floats, *, count: int = 0) -> Collections:
    """Gather the rows of each user; `users` numbers them 0, 1, 2… without a gap, or with gaps where `count` is told."""
    sizes = np.bincount(users, minlength=count)
    order = order_by_user(users, len(sizes))
    return Collections(values if order is None else values[order], np.concatenate(([0], np.cumsum(sizes))))


def order_by_user(users: Integers, count: int) -> Integers | None:
    """The rows of user 0 in their order, then those of user 1, and so on; None where they lie so already.

    Counted, 16 bits at a time (numpy sorts such numbers by radix), and not compared: `users` are below `count`.
    """
    if not np.any(users[1:] < users[:-1]):
        return None
    order = np.argsort(users.astype(np.uint16), kind="stable")
    for bits in range(16, int(count).bit_length(), 16):
        order = order[np.argsort((users >> bits).astype(np.uint16)[order], kind="stable")]
    return order


class WordTable:
    """Ids that are words of 64 bits: a hash table, at most a quarter full, that is asked about many at once."""

    def __init__(self) -> None:
        self.users = 0
        self._make(2**12)

    def of(self, keys: Words) -> tuple[Integers, Integers]:
        """The number of each, and the rows in which new ones first appear, in their order."""
        numbers = self._look_up(keys)
        unknown = np.flatnonzero(numbers < 0)
        if not len(unknown):
            return numbers, unknown
        fresh, first, place = np.unique(keys[unknown], return_index=True, return_inverse=True)
        order = np.argsort(first)
        rank = np.empty_like(order)
        rank[order] = np.arange(self.users, self.users + len(order))
        numbers[unknown] = rank[place]
        self._add(fresh[order])
        return numbers, unknown[first[order]]

    def _make(self, size: int) -> None:
        self._keys, self._numbers = np.zeros(size, dtype=np.uint64), np.full(size, -1, dtype=np.int64)
        self._shift = np.uint64(64 - (size.bit_length() - 1))

    def _slots(self, keys: Words) -> Integers:
        return ((keys * _GOLDEN) >> self._shift).view(np.int64)

    def _look_up(self, keys: Words) -> Integers:
        slots = self._slots(keys)
        numbers = self._numbers[slots]
        wrong = np.flatnonzero((self._keys[slots] != keys) & (numbers >= 0))
        while len(wrong):  # somebody else's: look in the next slot
            slots[wrong] = (slots[wrong] + 1) % len(self._keys)
            numbers[wrong] = self._numbers[slots[wrong]]
            wrong = wrong[(self._keys[slots[wrong]] != keys[wrong]) & (numbers[wrong] >= 0)]
        return numbers

    def _add(self, keys: Words) -> None:
        numbers = np.arange(self.users, self.users + len(keys))
        self.users += len(keys)
        if 4 * self.users > len(self._keys):
            held = self._numbers >= 0
            keys, numbers = np.append(self._keys[held], keys), np.append(self._numbers[held], numbers)
            self._make(1 << (4 * self.users).bit_length())
        slots = self._slots(keys)
        while len(keys):
            free = self._numbers[slots] < 0
            self._numbers[slots[free]] = numbers[free]  # of several that want a slot the last gets it
            won = free & (self._numbers[slots] == numbers)
            self._keys[slots[won]] = keys[won]
            keys, numbers, slots = keys[~won], numbers[~won], (slots[~won] + 1) % len(self._keys)


class UserNumbers:
    """Users of one column by number, 0, 1, 2…, whatever it holds; every block of rows must hold the same kind."""

    def __init__(self) -> None:
        self._keys = WordTable()
        self._texts: Any = None
        self._one_by_one: defaultdict[Hashable, int] | None = None

    @property
    def users(self) -> int:
        """How many were seen so far."""
        return self._keys.users if self._one_by_one is None else len(self._one_by_one)

    def numbers(self, ids: NDArray[Any]) -> Integers:
        """Users by ids that are numbers."""
        if ids.dtype.kind == "f":
            keys = (ids.astype(np.float64) + 0.0).view(np.uint64)  # one zero
        else:
            keys = ids.astype(np.uint64 if ids.dtype == np.uint64 else np.int64, copy=False).view(np.uint64)
        return self._keys.of(np.ascontiguousarray(keys))[0]

    def texts(self, ids: Any) -> Integers:
        """Users by a polars series of text: by its hash, and every id is then compared."""
        if self._one_by_one is None:
            numbers, fresh = self._keys.of(ids.hash(_SEED).to_numpy())
            known = ids.gather(fresh)
            if self._texts is not None:
                known = self._texts.append(known) if len(fresh) else self._texts
            if bool((known.gather(numbers) == ids).all()):
                self._texts = known.rechunk() if len(fresh) else known
                return numbers
            self._texts = known.head(self._keys.users - len(fresh))  # two ids with one hash
        return self.any(ids.to_list())

    def any(self, ids: Collection[Hashable]) -> Integers:
        """Users by ids of any kind, one by one; those whom `texts` knew keep their numbers."""
        if self._one_by_one is None:
            self._one_by_one = defaultdict(count().__next__)
            if self._texts is not None:
                self.any(self._texts.to_list())
        return np.fromiter(map(self._one_by_one.__getitem__, ids), dtype=np.int64, count=len(ids))

    def plain(self, ids: Sequence[str]) -> Integers:
        """Users by text without blanks around it; what names nobody has the number -1."""
        ids = [one.strip(" ") for one in ids]
        there = np.array([one not in NOBODY for one in ids])
        users = np.full(len(ids), -1)
        users[there] = self.any([one for one in ids if one not in NOBODY])
        return users


@dataclass(kw_only=True)
class WantedColumns:
    """The columns that are wanted of a file or a frame, what becomes of their cells, and what was met on the way."""

    user: str
    values: list[str]
    coding: Coding | None
    """Where observations are labels of categories, whose numbers are known when all of them were seen."""
    options: ReadingOptions
    log: ReadingLog
    users: UserNumbers = field(default_factory=UserNumbers)

    @property
    def names(self) -> list[str]:
        """The names of all columns that are wanted."""
        return [self.user, *self.values]

    @property
    def without_user(self) -> int:
        """How many rows belong to nobody, of those that were seen."""
        return self.log.left_out[NO_USER].count if NO_USER in self.log.left_out else 0

    def check_rows(self, rows: int, place: str, note: str = "") -> None:
        """Refuse rows that belong to nobody, and files without any others; `note` says how that comes about."""
        missing = self.without_user
        if missing and not self.options.skip_bad:
            first = self.log.left_out[NO_USER].lines[0]
            some, them = ("1 row has", "it") if missing == 1 else (f"{missing:,} rows have", "them")
            where = f"({self.log.line} {first}{'' if missing == 1 else ' the first'}){f'; {note}' if note else ''}"
            fix = f"drop or repair {them}, or --skip-bad (skip_bad=True) leaves {them} out"
            raise InvalidInput(f"{some} no user in column {self.user!r} {where}", fix=fix)
        if rows == missing:
            raise InvalidInput(f"{place} has no rows" + (" that can be read" if self.log.faults else ""))
