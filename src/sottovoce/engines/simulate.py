"""What the devices would have said, drawn from the same laws with a seed. Exact in law, repeatable, not private."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sottovoce.device import encode
from sottovoce.engines.run import Ask
from sottovoce.engines.seats import People, Seats, dealt
from sottovoce.engines.subsets import BLOCK_CELLS, draw_subsets
from sottovoce.messages import (
    TICKS,
    Batch,
    Channel,
    Direction,
    InvalidInput,
    Laplace,
    Question,
    Subset,
    Table,
    Tally,
    Unary,
)

Integers = NDArray[np.int64]


class SeededWords:
    """Public randomness of a simulation or a check (which item a user picks, who sits where)."""

    def __init__(self, generator: np.random.Generator) -> None:
        self._generator = generator

    def words(self, count: int) -> NDArray[np.uint64]:
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

    seats = Seats(people, dealt(SeededWords(generator(0)).words(people.users)))

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
    cells = [_draw(channel, part, stream) for part in parts]
    return Tally.build(question, [int(count) for count in reports], cells)


def _draw(channel: Table | Unary | Subset, inputs: Integers, stream: np.random.Generator) -> list[int]:
    match channel:
        case Table():
            return _table(channel, inputs, stream)
        case Unary():
            return _unary(channel, inputs, stream)
        case Subset():
            return [int(count) for count in draw_subsets(channel, inputs, stream)]


def _table(channel: Table, inputs: Integers, stream: np.random.Generator) -> list[int]:
    """Round to nodes, then one multinomial a node."""
    node, fraction = np.divmod(inputs, TICKS)
    node = node + (stream.integers(0, TICKS, size=len(inputs)) < fraction)
    held = np.bincount(node, minlength=len(channel.rows))
    return [int(count) for count in stream.multinomial(held, channel.probabilities).sum(axis=0)]


def _unary(channel: Unary, inputs: Integers, stream: np.random.Generator) -> list[int]:
    """Bits are independent given the inputs: true ones kept plus false ones flipped, bin by bin."""
    held = np.bincount(inputs, minlength=channel.items)
    reach = channel.reach
    hot = np.convolve(held, np.ones(2 * reach + 1, dtype=np.int64))[reach : reach + channel.items]
    kept = stream.binomial(hot, channel.keep)
    return [int(count) for count in kept + stream.binomial(len(inputs) - hot, 1 - channel.keep)]


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
