"""What the devices would have said, drawn from the same laws with a seed. Exact in law, repeatable, not private."""

from __future__ import annotations

import numpy as np

from sottovoce.device import encode
from sottovoce.engines.local_devices import People, Seats
from sottovoce.engines.survey_loop import Ask
from sottovoce.messages import (
    TICKS,
    Batch,
    Channel,
    Direction,
    Integers,
    InvalidInput,
    Laplace,
    Question,
    Subset,
    Table,
    Tally,
    Unary,
    Words,
)

BLOCK_CELLS = 2**22
FEW_ITEMS = 512


def draw_subsets(channel: Subset, inputs: Integers, stream: np.random.Generator) -> Integers:
    """Own items kept or not, item by item; the other items of one report depend on each other."""
    held = np.bincount(inputs, minlength=channel.items)
    own, other = channel.inclusion
    if channel.size == 1 and channel.items <= FEW_ITEMS:
        law = np.full((channel.items, channel.items), other)
        np.fill_diagonal(law, own)
        return np.asarray(stream.multinomial(held, law / law.sum(axis=1, keepdims=True)).sum(axis=0))
    kept = stream.binomial(held, own)
    counts = kept + _others(channel.items, channel.size - 1, kept, stream)
    return np.asarray(counts + _others(channel.items, channel.size, held - kept, stream))


def _others(items: int, size: int, held: Integers, stream: np.random.Generator) -> Integers:
    """Counts of `size` items besides the own one; by user where that is little work, else by item."""
    if items > FEW_ITEMS and size * int(held.sum()) > BLOCK_CELLS:
        return by_item(items, size, held, stream)
    return by_user(items, size, held, stream)


def by_user(items: int, size: int, held: Integers, stream: np.random.Generator) -> Integers:
    """Drawn by Floyd's sampling for all users of a block at once.

    The k-th step draws among the first ``items − size + k`` of the others, and takes the last of these when the drawn
    one was taken before. Nothing is sorted, so that every machine draws the same.
    """
    counts = np.zeros(items, dtype=np.int64)
    everybody = np.repeat(np.arange(items), held)
    block = max(1, BLOCK_CELLS // items)
    for first in range(0, len(everybody), block):
        own = everybody[first : first + block]
        start = np.arange(len(own)) * (items - 1)
        taken = np.zeros(len(own) * (items - 1), dtype=np.bool_)
        for last in range(items - 1 - size, items - 1):
            drawn = stream.integers(0, last + 1, size=len(own))
            drawn = np.where(taken[start + drawn], last, drawn)
            taken[start + drawn] = True
            counts += np.bincount(drawn + (drawn >= own), minlength=items)
    return counts


def by_item(items: int, size: int, held: Integers, stream: np.random.Generator) -> Integers:
    """The same law, item after item: work does not grow with the number of users.

    A user who has r items left to draw draws the next one with chance r over the others that are left, so only how many
    users have how many left needs to be known: apart for users whose own item is still to come, who have one fewer to
    choose from, and for those whose own item is behind. Before their own item all users are alike, so those who hold
    the next item are a random part of the first kind.
    """
    counts = np.zeros(items, dtype=np.int64)
    coming, behind = np.zeros(size + 1, dtype=np.int64), np.zeros(size + 1, dtype=np.int64)
    coming[size] = held.sum()
    low = high = size
    for item in range(items):
        rest, left = items - item, np.arange(low, high + 1)
        before, after = coming[low : high + 1].copy(), behind[low : high + 1].copy()
        own = np.zeros_like(before)
        if held[item]:
            own = stream.multivariate_hypergeometric(before, held[item], method="marginals")
        before -= own
        first = stream.binomial(before, np.minimum(1.0, left / max(1, rest - 1)))
        second = stream.binomial(after, left / rest)
        counts[item] = first.sum() + second.sum()
        coming[low : high + 1], behind[low : high + 1] = before - first, after - second + own
        some = max(low, 1)  # who has none left draws none
        coming[some - 1 : high] += first[some - low :]
        behind[some - 1 : high] += second[some - low :]
        low = max(0, low - 1)
        there = np.flatnonzero(coming[low : high + 1] + behind[low : high + 1])
        if not len(there):
            break
        low, high = low + int(there[0]), low + int(there[-1])
    return counts


class SeededWords:
    """Public randomness of a simulation or a check (which item a user picks, who sits where)."""

    def __init__(self, generator: np.random.Generator) -> None:
        self._generator = generator

    def words(self, count: int) -> Words:
        return self._generator.integers(0, 2**64, size=count, dtype=np.uint64)


def simulate(people: People, *, seed: int, repetition: int = 0) -> Ask:
    """An engine that draws each tally from its law.

    The same `seed` and `repetition` give the same bits; repetitions are independent streams, so that they can run
    in any order on any number of processes.

    Privacy
    -------
    None: anyone with the seed can undo the noise. For rehearsals only.
    """
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
        raise InvalidInput(
            rule="seed must be a whole number, at least 0", wrong=f"got {seed!r}; without one, reports are real"
        )

    def generator(*key: int) -> np.random.Generator:
        return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(repetition, *key))))

    seats = Seats(people, np.argsort(SeededWords(generator(0)).words(people.users), kind="stable"))

    def ask(question: Question) -> Tally:
        stream = generator(1, question.round)
        asked, slots = seats.asked(question, SeededWords(stream))
        held = max(question.encoder.breadth, question.uses, people.dimension, 64)
        inputs = [  # wide collections in blocks, so that only a few are held as floats at once
            encode(question, part, slots[rows], SeededWords(stream))
            for rows, part in asked.blocks(max(1, BLOCK_CELLS // held))
        ]
        return draw_tally(question, np.concatenate(inputs), slots, stream)

    return ask


def draw_tally(question: Question, inputs: Integers, slots: Integers, stream: np.random.Generator) -> Tally:
    """A tally of these channel inputs ``(n, uses)``, drawn from the channel's law."""
    channel = question.channel
    if isinstance(channel, Laplace):
        return Tally.of(Batch(question=question, slots=slots, symbols=_laplace(channel, inputs, stream)))
    if isinstance(question.encoder.statistic, Direction):
        return Tally.of(Batch(question=question, slots=slots, symbols=_one_symbol(channel, inputs, stream)))
    groups, inputs = question.group_of(slots).ravel(), inputs.ravel()
    reports = np.bincount(groups, minlength=question.groups)
    order = np.argsort(groups, kind="stable")
    parts = np.split(inputs[order], np.cumsum(reports)[:-1])
    cells = [_draw(channel, part, stream).tolist() for part in parts]
    return Tally.build(question, reports.tolist(), cells)


def _draw(channel: Table | Unary | Subset, inputs: Integers, stream: np.random.Generator) -> Integers:
    """How often each symbol is sent."""
    match channel:
        case Table():  # round to nodes, then one multinomial a node
            node, fraction = np.divmod(inputs, TICKS)
            node = node + (stream.integers(0, TICKS, size=len(inputs)) < fraction)
            held = np.bincount(node, minlength=len(channel.rows))
            return np.asarray(stream.multinomial(held, channel.probabilities).sum(axis=0))
        case Unary():  # bits are independent given the inputs: true ones kept plus false ones flipped, bin by bin
            held, reach = np.bincount(inputs, minlength=channel.items), channel.reach
            hot = np.convolve(held, np.ones(2 * reach + 1, dtype=np.int64))[reach : reach + channel.items]
            kept = stream.binomial(hot, channel.keep)
            return np.asarray(kept + stream.binomial(len(inputs) - hot, 1 - channel.keep))
        case Subset():
            return draw_subsets(channel, inputs, stream)


def _one_symbol(channel: Channel, inputs: Integers, stream: np.random.Generator) -> Integers:
    """The one item that each report holds, where a tally needs to know whose it is: symbols ``(n, uses, 1)``."""
    assert isinstance(channel, Subset) and channel.size == 1  # a question makes sure
    other = stream.integers(0, channel.items - 1, size=inputs.shape)
    other += other >= inputs
    kept = stream.random(inputs.shape) < channel.inclusion[0]
    return np.where(kept, inputs, other)[:, :, None]


def _laplace(channel: Laplace, inputs: Integers, stream: np.random.Generator) -> Integers:
    """Two geometric draws a report, clamped: symbols ``(n, uses, 1)``."""
    success = -np.expm1(-channel.rate)
    noise = stream.geometric(success, size=inputs.shape) - stream.geometric(success, size=inputs.shape)
    return np.clip(inputs + noise, -channel.bound, channel.steps + channel.bound)[:, :, None]
