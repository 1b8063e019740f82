"""Users of a file that is larger than memory: read once for who they are, then once for each question."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.data.grouping import Block, Floats, Integers, by_user, gathered, grouped
from sottovoce.data.reading import Held
from sottovoce.data.sources import Source
from sottovoce.device import Collections, Entropy, Means, totals
from sottovoce.messages import Category, InvalidInput, Item, Question, counted, zero_for_missing

HELD = 1 << 22
"""Cells of a file that are held: one with fewer is read once, and is a `Collections`."""


class Streamed:
    """The users of one file. What is held grows with the number of users, never with that of rows.

    A question about averages needs one walk through the file, whatever the number of rounds: sums of the observations
    that are there, and how many. Shares, categories, thresholds and waves need one walk for each question. What needs
    rows (each observation in turn, the first few, those within a group) holds the rows of the users who are asked; what
    draws one observation at random, only the one that was drawn.

    Sums are added up as rows come, so that an average may differ in its last bit from that of a `Collections`. Users
    keep the order in which they first appear. The ``repr`` shows the shape, never a value.
    """

    def __init__(self, source: Source, sizes: Integers, sums: _Sums) -> None:
        self._source, self.sizes, self.present = source, sizes, sums.present()
        self.reading = source.reading
        self._averages = sums.means() if source.coding is None else None  # of categories, once they are known

    @property
    def users(self) -> int:
        return len(self.sizes)

    @property
    def dimension(self) -> int:
        return self._source.dimension

    def asked(self, question: Question, users: Integers, slots: Integers, entropy: Entropy) -> Collections:
        """What the question needs of these users, who sit in these slots; lots are drawn by words of `entropy`."""
        statistic = question.encoder.statistic
        alone = question.uses == 1 and question.encoder.within is None
        if isinstance(statistic, Item | Category) and alone:
            return self._drawn(statistic.dimension - 1, users, entropy)
        match question.encoder.needs:
            case "averages":
                return self.averages().take(users)
            case "sums":
                return self._summed(question, users, slots)
            case "rows":
                return self._rows(users)

    def averages(self) -> Means:
        """Everybody's own averages; NaN for nobody's. Of numbers they are known without another walk."""
        if self._averages is None:
            sums = _Sums(self.dimension)
            for block in self._blocks():
                sums.add(*block)
            self._averages = sums.means()
        return self._averages

    def collections(self) -> Collections:
        """All rows, held in memory."""
        return self._rows(np.arange(self.users))

    def indexed(self, choose: Callable[[NDArray[Any]], Any]) -> Collections:
        """What the participants' own function says of their collections: see `Collections`. All rows are held."""
        return self.collections().indexed(choose)

    def _blocks(self) -> Iterator[Block]:
        coding, users = self._source.coding, self.users
        for numbers, values in self._source.blocks():
            if self._source.users > users:
                raise InvalidInput(f"{self._source.name!r} changed while it was read")
            yield numbers, values if coding is None else coding.settled(values)

    def _of(self, users: Integers) -> Iterator[Block]:
        """The rows of some users, who are then numbered in this order."""
        places = np.full(self.users, -1)
        places[users] = np.arange(len(users))
        for numbers, values in self._blocks():
            own = places[numbers]
            there = np.flatnonzero(own >= 0)
            yield own[there], values[there]

    def _summed(self, question: Question, users: Integers, slots: Integers) -> Means:
        sums, counts = np.zeros((len(users), 0)), np.zeros((len(users), 1))
        for own, values in self._of(users):
            present, numbers = np.unique(own, return_inverse=True)
            with np.errstate(all="ignore"):
                more, held = totals(question, grouped(numbers, values), slots[present])
            sums = sums if sums.shape[1] else np.zeros((len(users), more.shape[1]))
            sums[present] += more
            counts[present] += held
        with np.errstate(all="ignore"):
            return Means(sums / counts)

    def _drawn(self, column: int, users: Integers, entropy: Entropy) -> Collections:
        """One observation of each, all alike likely to be it: which one is drawn first, then it is looked for."""
        left = np.full(len(users), -1.0)
        if column < self.dimension:
            held = self.present[column, users]
            left = np.minimum(np.floor(entropy.words(len(users)) * 2.0**-64 * held), held - 1)
        drawn = np.full((len(users), self.dimension), np.nan)
        for own, values in self._of(users):
            there = np.flatnonzero(~np.isnan(values[:, column])) if column < self.dimension else np.zeros(0, dtype=int)
            order = by_user(own[there], len(users))
            rows = there if order is None else there[order]
            counts = np.bincount(own[rows], minlength=len(users))
            rank = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
            chosen = rows[rank == left[own[rows]]]
            drawn[own[chosen]] = values[chosen]
            left -= counts
        return Collections(drawn, np.arange(len(users) + 1))

    def _rows(self, users: Integers) -> Collections:
        return gathered(self._of(users), count=len(users))

    def __len__(self) -> int:
        return self.users

    def __repr__(self) -> str:
        return f"<Streamed: {counted(self.users, 'user')}, dimension {self.dimension}, contents hidden>"


class _Sums:
    """Sums of the observations of every user that are there, and how many; users may come as they like."""

    def __init__(self, dimension: int) -> None:
        self._sums, self._counts = np.zeros((dimension, 0)), np.zeros((dimension, 0))
        self.users = 0

    def add(self, users: Integers, values: Floats) -> None:
        """Some rows more."""
        self.users = max(self.users, int(users.max(initial=-1)) + 1)
        self._sums, self._counts = (_longer(held, self.users) for held in (self._sums, self._counts))
        with np.errstate(all="ignore"):
            for column in range(values.shape[1]):
                own = values[:, column]
                np.add.at(self._sums[column], users, zero_for_missing(own))
                np.add.at(self._counts[column], users, 1.0 - np.isnan(own))

    def present(self) -> Floats:
        """How many observations of each column everybody holds, ``(dimension, users)``."""
        return self._counts[:, : self.users]

    def means(self) -> Means:
        """Everybody's averages; NaN for nobody's."""
        with np.errstate(all="ignore"):
            return Means((self._sums / self._counts)[:, : self.users].T)


def _longer(held: NDArray[Any], users: int) -> NDArray[Any]:
    """Room for so many users, and for as many again."""
    if users <= held.shape[-1]:
        return held
    room = np.zeros((*held.shape[:-1], 2 * users), dtype=held.dtype)
    room[..., : held.shape[-1]] = held
    return room


def from_source(source: Source) -> Collections | Streamed:
    """Walk through a file once: a short one is held, of a long one only who its users are and their averages."""
    sizes, sums, cells = np.zeros(0, dtype=np.int64), _Sums(source.dimension), 0
    held: list[Block] = []
    coding, doubtful = source.coding, np.zeros(3, dtype=np.int64)
    for users, values in source.blocks():
        sizes, cells = _longer(sizes, source.users), cells + values.size
        np.add.at(sizes, users, 1)
        sums.add(users, values)
        if coding is not None:
            doubtful += coding.doubtful(values)
        if cells <= HELD:
            held.append((users, values))
        else:
            held.clear()
    if coding is not None:
        coding.check(doubtful)
    if held:
        together = gathered(held)
        values = together.values if coding is None else coding.settled(together.values)
        return Held(values, together.offsets, source.reading)
    return Streamed(source, sizes[: source.users], sums)
