"""Users by number, 0, 1, 2… as their ids first appear, over as many blocks of rows as it takes; no loop in Python."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Sequence
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.data.columns import NOBODY
from sottovoce.data.grouping import Integers

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_SEED = 0
Words = NDArray[np.uint64]


class Numbering:
    """Ids of any kind, one by one."""

    def __init__(self) -> None:
        self._numbers: defaultdict[Hashable, int] = defaultdict(count().__next__)

    def of(self, ids: Collection[Hashable]) -> Integers:
        """The number of each."""
        return np.fromiter(map(self._numbers.__getitem__, ids), dtype=np.int64, count=len(ids))

    @property
    def users(self) -> int:
        return len(self._numbers)


class Keys:
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


class Ids:
    """Users of one column, whatever it holds; every block must hold the same kind."""

    def __init__(self) -> None:
        self._keys = Keys()
        self._known: Any = None
        self._one_by_one: Numbering | None = None

    @property
    def users(self) -> int:
        return self._keys.users if self._one_by_one is None else self._one_by_one.users

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
            if self._known is not None:
                known = self._known.append(known) if len(fresh) else self._known
            if bool((known.gather(numbers) == ids).all()):
                self._known = known.rechunk() if len(fresh) else known
                return numbers
            self._one_by_one = Numbering()  # two ids with one hash
            self._one_by_one.of(known.head(self._keys.users - len(fresh)).to_list())
        return self._one_by_one.of(ids.to_list())

    def encoded(self, codes: Integers, ids: Collection[Hashable]) -> Integers:
        """Users by the places of their ids in a list of ids as they first appear."""
        return self.any(ids)[codes]

    def any(self, ids: Collection[Hashable]) -> Integers:
        """Users by ids of any kind."""
        if self._one_by_one is None:
            self._one_by_one = Numbering()
        return self._one_by_one.of(ids)

    def plain(self, ids: Sequence[str]) -> Integers:
        """Users by text, one by one, without blanks around it; what names nobody has the number -1."""
        ids = [one.strip(" ") for one in ids]
        if self._one_by_one is None:
            self._one_by_one = Numbering()
            if self._known is not None:
                self._one_by_one.of(self._known.to_list())
        numbers = self._one_by_one.of([one for one in ids if one not in NOBODY])
        if len(numbers) < len(ids):
            users = np.full(len(ids), -1)
            users[[one not in NOBODY for one in ids]] = numbers
            return users
        return numbers
