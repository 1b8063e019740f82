"""A round as if everybody held one collection and noise cancelled out: the tally from which the next question follows.

Nothing is drawn: a tally holds what the channel gives on average, rounded to whole counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sottovoce.design import one_bit
from sottovoce.device import Collections, SystemEntropy, encode
from sottovoce.messages import (
    FINE,
    Batch,
    Category,
    Direction,
    Encoder,
    Item,
    Laplace,
    Norm,
    Position,
    Question,
    Subset,
    Tally,
    Within,
)

_AT_ONCE = 2**20
_SIGNS = 2**27
"""Signs looked at, of a question with signs or turns for everybody: further users count like those."""
_LOTS = 64


def expected_tally(question: Question, collection: Collections) -> Tally:
    """The tally of everybody whom `question` asks, if they all held `collection`."""
    if question.encoder.statistic.signed:
        return _signed(question, collection)
    if isinstance(question.encoder.statistic, Direction):
        return _directed(question, question.encoder.statistic, collection)
    inputs = _inputs(question, collection)
    block = question.groups * max(1, _AT_ONCE // (question.groups * question.uses))  # whole rounds of all groups
    blocks, rest = divmod(question.slots.count, block)
    reports = [0] * question.groups
    cells = [[0] * question.cells for _ in reports]
    for times, users in ((blocks, block), (1, rest)):  # every block is like the first
        for group, asked in enumerate(_by_group(question, inputs, users) if times and users else ()):
            reports[group] += times * len(asked)
            more = question.channel.expected_cells(asked)
            cells[group] = [count + times * here for count, here in zip(cells[group], more, strict=True)]
    return Tally.build(question, reports, cells)


def _inputs(question: Question, collection: Collections) -> NDArray[np.int64]:
    """Inputs of the channel ``(k, groups, uses)``: those of a slot repeat after `groups` slots, k of them in turn.

    k is 1, unless the device draws lots: then each of its observations has its turn, or each of `_LOTS` lots; where it
    draws a group, in each of its groups.
    """
    encoder, lots = question.encoder, _MIDDLE
    held, people, looked = 1, collection, encoder.statistic.dimension - 1
    one = isinstance(encoder.statistic, (Item, Category)) and encoder.within is None
    present = collection.values[~np.isnan(collection.values[:, looked : looked + 1]).any(axis=1)]
    if one and len(present):  # each observation as if it were all that somebody held, so that there is nothing to draw
        people = Collections(present, np.arange(len(present) + 1))
    elif encoder.draws:
        people = collection if encoder.within is None else _by_group_held(collection, encoder.within, looked)
        held, people, lots = people.users, people.take(np.repeat(np.arange(people.users), _LOTS)), _SPREAD
    slots = question.slots.first + np.arange(min(question.groups, question.slots.count))
    block = max(1, _AT_ONCE // max(1, people.values.size))
    blocks = []
    for first in range(0, len(slots), block):
        here = slots[first : first + block]
        everybody = people.take(np.tile(np.arange(people.users), len(here)))
        inputs = encode(question, everybody, np.repeat(here, people.users), lots)
        blocks.append(inputs.reshape(len(here), people.users, question.uses))
    inputs = np.concatenate(blocks).transpose(1, 0, 2)
    return inputs[np.arange(len(inputs)).reshape(held, -1).T.ravel()]  # all groups have their turn with every lot


class FixedWords:
    """Entropy that is none: the same words again and again, in their order."""

    def __init__(self, words: Sequence[int]) -> None:
        self._words = np.array(words, dtype=np.uint64)

    def words(self, count: int) -> NDArray[np.uint64]:
        """So many of them."""
        return np.resize(self._words, count)


_MIDDLE = FixedWords([2**63])
"""Lots that all fall in the middle."""
_SPREAD = FixedWords([2**64 // (2 * _LOTS) * (2 * place + 1) for place in range(_LOTS)])
"""Lots that are spread evenly, each in the middle of its part."""


def _by_group_held(collection: Collections, within: Within, column: int) -> Collections:
    """What lies in each group, as if it were all that somebody held, where the device would draw one of them."""
    if not within.is_drawn or max(within.column, column) >= collection.dimension:
        return collection
    index = within.index(collection.values[:, within.column].astype(np.float64), collection.values[:, column] * 1.0)
    order = np.argsort(index, kind="stable")[: np.count_nonzero(index < within.count)]
    sizes = np.unique(index[order], return_counts=True)[1]
    held = Collections(collection.values[order], np.concatenate(([0], np.cumsum(sizes, dtype=np.int64))))
    return held if held.users else collection


def _by_group(question: Question, own: NDArray[np.int64], users: int) -> list[NDArray[np.int64]]:
    """The inputs of the first `users` slots, apart by group."""
    turn, place = np.divmod(np.arange(users), question.groups)
    inputs = own[turn % len(own), place].ravel()
    groups = question.group_of(question.slots.first + np.arange(users)).ravel()
    order = np.argsort(groups, kind="stable")
    bounds = np.cumsum(np.bincount(groups, minlength=question.groups))
    return np.split(inputs[order], bounds[:-1])


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
        inputs = encode(question, alike.take(np.zeros(len(slots), dtype=np.int64)), slots, SystemEntropy())
        tally += Tally.of(Batch(question=question, slots=slots, symbols=inputs[:, :, None]))
    sums = [cell * count // users for cell in tally.cells[0]]
    sums[-1] += round(4 * count * channel.noise_variance * channel.steps**2)  # of 2 z − steps
    return Tally.build(question, [count], [sums])


def _directed(question: Question, statistic: Direction, collection: Collections) -> Tally:
    """Everybody's direction, as far as coin and channel leave it, and squares: those of the own row, and of any other.

    A coin turns a direction to its opposite the less often, the longer the vector; the channel names any other as often
    as its opposite.
    """
    channel, count, size = question.channel, question.slots.count, statistic.vector.size
    assert isinstance(channel, Subset)  # a question makes sure
    own, other = channel.inclusion
    users, block = min(count, max(1, _SIGNS // statistic.rotated_size)), max(1, _AT_ONCE // statistic.rotated_size)
    sums, squares = np.zeros(size), np.zeros(size)
    for first in range(0, users, block):
        slots = question.slots.first + np.arange(first, min(first + block, users))
        symbols = encode(question, collection.take(np.zeros(len(slots), dtype=np.int64)), slots, _MIDDLE)[:, 0]
        directions = statistic.directions(slots, symbols).astype(np.float64)
        sums, squares = sums + directions.sum(axis=0), squares + (directions**2).sum(axis=0)
    sums = np.rint(sums * (own - other) * _length_in_radii(question, statistic, collection) * count / users)
    squares = np.rint(squares * (own + other) * count / users + count * FINE**2 * (1 - own - other))
    squares += (sums - squares) % 2  # a number and its square are both even, or both odd
    return Tally.build(question, [count], [[*sums.astype(np.int64).tolist(), *squares.astype(np.int64).tolist()]])


def _length_in_radii(question: Question, statistic: Direction, collection: Collections) -> float:
    """The length of the collection's vector, as a part of the radius."""
    channel = one_bit(1.0)
    far = Encoder(
        statistic=Norm(vector=statistic.vector, centre=statistic.centre),
        placement=Position(low=(0.0,), high=(statistic.radius,)),
    )
    asked = replace(question, encoder=far, channel=channel)
    slots = np.array([question.slots.first])
    return float(encode(asked, collection, slots, _MIDDLE)[0, 0] / channel.span)
