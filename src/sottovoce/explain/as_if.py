"""A round as if everybody held one collection and noise cancelled out: the tally from which the next question follows.

Nothing is drawn: a tally holds what the channel gives on average, rounded to whole counts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sottovoce.device import Collections, SystemEntropy, encode
from sottovoce.messages import Batch, Category, Direction, Item, Laplace, Question, Subset, Tally

_AT_ONCE = 2**20
_TURNED = 2**23
"""Entries of turned vectors looked at, of a question about directions: further users count like those."""
_SIGNS = 2**27
"""Signs looked at, of a question with signs for everybody: further users count like those."""


def expected_tally(question: Question, collection: Collections) -> Tally:
    """The tally of everybody whom `question` asks, if they all held `collection`."""
    if question.encoder.statistic.signed:
        return _signed(question, collection)
    if isinstance(question.encoder.statistic, Direction):
        return _directed(question, collection)
    own = _inputs(question, collection)
    block = question.groups * max(1, _AT_ONCE // (question.groups * question.uses))  # whole rounds of all groups
    blocks, rest = divmod(question.slots.count, block)
    reports = [0] * question.groups
    cells = [[0] * question.cells for _ in reports]
    for times, users in ((blocks, block), (1, rest)):  # every block is like the first
        for group, asked in enumerate(_by_group(question, own, users) if times and users else ()):
            reports[group] += times * len(asked)
            more = question.channel.expected_cells(asked)
            cells[group] = [count + times * here for count, here in zip(cells[group], more, strict=True)]
    return Tally.build(question, reports, cells)


def _inputs(question: Question, collection: Collections) -> NDArray[np.int64]:
    """Inputs of the channel ``(k, groups, uses)``: those of a slot repeat after `groups` slots, k of them in turn.

    k is 1, unless the device draws one of its observations: then each has its turn.
    """
    statistic = question.encoder.statistic
    people = collection
    if isinstance(statistic, (Item, Category)):
        people = _apart(collection, statistic.column if isinstance(statistic, Item) else statistic.vector.column)
    slots = question.slots.first + np.arange(min(question.groups, question.slots.count))
    block = max(1, _AT_ONCE // max(1, people.values.size))
    found = []
    for first in range(0, len(slots), block):
        here = slots[first : first + block]
        everybody = people.take(np.tile(np.arange(people.users), len(here)))
        given = encode(question, everybody, np.repeat(here, people.users), SystemEntropy())
        found.append(given.reshape(len(here), people.users, question.uses))
    return np.concatenate(found).transpose(1, 0, 2)


def _apart(collection: Collections, column: int) -> Collections:
    """Each observation as if it were all that somebody held, so that there is nothing to draw."""
    held = collection.values[~np.isnan(collection.values[:, column : column + 1]).any(axis=1)]
    return Collections(held, np.arange(len(held) + 1)) if len(held) else collection


def _by_group(question: Question, own: NDArray[np.int64], users: int) -> list[NDArray[np.int64]]:
    """The inputs of the first `users` slots, apart by group."""
    turn, place = np.divmod(np.arange(users), question.groups)
    given = own[turn % len(own), place].ravel()
    groups = question.group_of(question.slots.first + np.arange(users)).ravel()
    order = np.argsort(groups, kind="stable")
    bounds = np.cumsum(np.bincount(groups, minlength=question.groups))
    return np.split(given[order], bounds[:-1])


def _signed(question: Question, collection: Collections) -> Tally:
    """The signed sums of everybody's inputs, and their squares with the noise's variance."""
    channel, signed, count = question.channel, question.encoder.statistic.signed, question.slots.count
    assert isinstance(channel, Laplace)  # a question makes sure
    with np.errstate(all="ignore"):
        values = collection.values.astype(np.float64)
        absent = np.isnan(values)
        average = np.where(absent, 0.0, values).sum(axis=0) / (~absent).sum(axis=0)
    alike = Collections(average[None, :], np.array([0, 1]))  # what has signs looks at the average only
    users, block = min(count, max(1, _SIGNS // signed)), max(1, _AT_ONCE // signed)
    tally = Tally.empty(question)
    for first in range(0, users, block):
        slots = question.slots.first + np.arange(first, min(first + block, users))
        given = encode(question, alike.take(np.zeros(len(slots), dtype=np.int64)), slots, SystemEntropy())
        tally += Tally.of(Batch(question=question, slots=slots, symbols=given[:, :, None]))
    sums = [cell * count // users for cell in tally.cells[0]]
    sums[-1] += round(4 * count * channel.noise_variance * channel.steps**2)  # of 2 z − steps
    return Tally.build(question, [count], [sums])


class _Evenly:
    """Words that fill the range evenly, in place of entropy: what is left to chance comes out as it should."""

    def __init__(self) -> None:
        self._used = 0

    def words(self, count: int) -> NDArray[np.uint64]:
        steps = np.arange(self._used + 1, self._used + count + 1, dtype=np.uint64)
        self._used += count
        return steps * np.uint64(0x9E3779B97F4A7C15)


def _directed(question: Question, collection: Collections) -> Tally:
    """The sums of everybody's directions; of what noise adds to them, opposite ones cancel."""
    statistic, channel, count = question.encoder.statistic, question.channel, question.slots.count
    assert isinstance(statistic, Direction) and isinstance(channel, Subset)  # a question makes sure
    users, block, even = min(count, max(1, _TURNED // statistic.turned)), _AT_ONCE // statistic.breadth, _Evenly()
    tally = Tally.empty(question)
    for first in range(0, users, max(1, block)):
        slots = question.slots.first + np.arange(first, min(first + max(1, block), users))
        given = encode(question, collection.take(np.zeros(len(slots), dtype=np.int64)), slots, even)
        tally += Tally.of(Batch(question=question, slots=slots, symbols=given[:, :, None]))
    own, other = channel.inclusion
    cells, size = tally.cells[0], statistic.vector.size
    sums = [round(cell * (own - other) * count / users) for cell in cells[:size]]
    return Tally.build(question, [count], [[*sums, *(cell * count // users + 1 for cell in cells[size:])]])
