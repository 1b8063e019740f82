"""What is under audit: the questions of a protocol, and the path that answers them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import count
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from sottovoce.audit.channel_derivations import Integers, Symbol
from sottovoce.audit.word_scripts import BulkScripts, Tape, TapeEnded, Words
from sottovoce.device import Collections, Entropy, Ledger, bulk, encode, privatise, respond, respond_many
from sottovoce.messages import Batch, Channel, Laplace, Question, Unary


@lru_cache(maxsize=16)
def _question_bytes(question: Question) -> bytes:
    """Written once for the many times that a question is asked."""
    return question.to_bytes()


_CAP, _ANSWERS = 64.0, 1000
_NUMBERS = count()
_OPEN: dict[tuple[int, int], Ledger] = {}


def _ledger(process: int, volume: int) -> Ledger:
    """One for a thousand sources, each with a budget of its own: opening a ledger takes longer than an answer."""
    if (process, volume) not in _OPEN:
        for old in _OPEN.values():
            old.close()
        _OPEN.clear()
        _OPEN[process, volume] = Ledger(":memory:", cap=_CAP)
    return _OPEN[process, volume]


class Path:
    """The shipped path, step by step and whole. A mutant overrides a step; nothing that ships does."""

    batched: bool = True
    """Whether answers of many users come as batches before they are written; if not, all are read from their bytes."""

    tries_corners: bool = False
    """Whether words that cannot be followed (see `compares_words`) are tried at the corners of every path instead."""

    at_once: tuple[int, int] = (2**62, 2**62)
    """How many users are encoded, and how many inputs sampled, before the next words are drawn for others."""

    block_sizes: tuple[int, int] | None = None
    """How many users are encoded, and how many inputs sampled, at once `in_blocks`; None where there are no blocks."""

    def claimed_cost(self, question: Question) -> Fraction:
        """What the device itself reckons that an answer costs, before it answers."""
        return question.epsilon_bound()

    def inputs(self, question: Question, people: Collections, slots: Integers, entropy: Entropy) -> Integers:
        """Encode: ``(n, uses)``."""
        return encode(question, people, slots, entropy)

    def symbols(self, channel: Channel, inputs: Integers, entropy: Entropy) -> Integers:
        """Privatise: ``(k, width)`` for inputs ``(k,)``."""
        return privatise(channel, inputs, entropy)

    def respond(self, question: Question, one: Collections, slot: int, entropy: Entropy) -> bytes:
        """Question bytes in, report bytes out, for a source of data that never answered before: what a device does."""
        number = next(_NUMBERS)
        return respond(
            _question_bytes(question),
            one,
            slot=slot,
            digest=question.digest,
            collector=f"audit {number}",
            source=f"data {number}",
            ledger=_ledger(os.getpid(), number // _ANSWERS),
            entropy=entropy,
        )

    def batches(self, question: Question, people: Collections, slots: Integers, entropy: Entropy) -> Iterable[Batch]:
        """The answers of many users at once, without ledgers, before each is written as a report of its own."""
        return respond_many(question, people, slots, entropy)

    def write(self, batch: Batch, people: Collections) -> list[bytes]:
        """The reports of a batch, as they travel."""
        return [report.to_bytes() for report in batch.reports()]

    def in_reading_order(self, channel: Channel, script: list[int], users: int) -> list[int]:
        """The words of a script, written for a device, in the order in which this path reads them."""
        return script

    def compares_words(self, channel: Channel) -> bool:
        """Whether words are read by comparing them whole, so that the tree layer can follow them."""
        return True

    def on_scripts(self, channel: Channel, inputs: list[int], scripts: Sequence[Sequence[int]]) -> list[Symbol | None]:
        """What each script gives, all uses side by side; None where words are left over, or too few."""
        given: list[Symbol | None] = []
        for tape in map(Tape, scripts):
            try:
                symbols = self.symbols(channel, np.array(inputs, dtype=np.int64), tape)
            except TapeEnded:
                given.append(None)
                continue
            given.append(None if tape.left else tuple(int(part) for part in symbols.ravel()))
        return given

    @contextmanager
    def in_blocks(self) -> Iterator[None]:
        """As long as this lasts, blocks are as small as `block_sizes` says."""
        yield

    def respond_many(self, question: Question, people: Collections, slots: Integers, entropy: Entropy) -> list[bytes]:
        """Collections in, report bytes out, for many users."""
        written: list[bytes] = []
        for batch in self.batches(question, people, slots, entropy):
            here = np.arange(len(written), len(written) + len(batch))
            written += self.write(batch, people.take(here))
        return written


class RebuiltPath(Path):
    """A path put together from `inputs` and `symbols`, without the device's refusals: for mutants of either step."""

    def respond(self, question: Question, one: Collections, slot: int, entropy: Entropy) -> bytes:
        return self.respond_many(question, one, np.array([slot], dtype=np.int64), entropy)[0]

    def batches(self, question: Question, people: Collections, slots: Integers, entropy: Entropy) -> Iterable[Batch]:
        yield self.batch(question, people, slots, entropy)

    def batch(self, question: Question, people: Collections, slots: Integers, entropy: Entropy) -> Batch:
        inputs = self.inputs(question, people, slots, entropy)
        symbols = self.symbols(question.channel, inputs.ravel(), entropy)
        shape = (len(slots), question.uses, question.channel.width)
        return Batch(question=question, slots=slots, symbols=symbols.reshape(shape))


SHIPPED = Path()


@dataclass(frozen=True, kw_only=True)
class Subject:
    """A protocol under audit: everything it asks, what it promises for a whole collection, and who answers."""

    name: str
    epsilon: float
    questions: tuple[Question, ...]
    path: Path = field(default=SHIPPED, repr=False)
    sampled: bool = True
    """Whether the statistical layer looks at it too; small instances, enumerated in full, can do without."""


Bytes = NDArray[np.uint8]
Toss = Callable[[int, int, int, Entropy], Words]


class BulkPath(Path):
    """The shipped path for many users. Scripts for it are laid across words; one user is many of one."""

    block_sizes = (9, 4)

    def payloads(self, channel: Channel, inputs: Integers, entropy: Entropy) -> Bytes:
        """Privatise, as it travels."""
        return bulk.privatise(channel, inputs, entropy)

    def symbols(self, channel: Channel, inputs: Integers, entropy: Entropy) -> Integers:
        return channel.unpack(self.payloads(channel, inputs, entropy)).reshape(len(inputs), channel.width)

    def respond(self, question: Question, one: Collections, slot: int, entropy: Entropy) -> bytes:
        return self.respond_many(question, one, np.array([slot], dtype=np.int64), entropy)[0]

    def batches(self, question: Question, people: Collections, slots: Integers, entropy: Entropy) -> Iterable[Batch]:
        return bulk.respond_many(question, people, slots, entropy)

    def in_reading_order(self, channel: Channel, script: list[int], users: int) -> list[int]:
        return BulkScripts(len(script)).laid_across_words(channel, script, users)

    @contextmanager
    def in_blocks(self) -> Iterator[None]:
        users, inputs = self.block_sizes
        shipped = bulk.samplers.sampler

        def sampler(channel: Channel) -> tuple[bulk.samplers.Sample, int]:
            return shipped(channel)[0], inputs

        with mock.patch.object(bulk.samplers, "sampler", sampler), mock.patch.object(bulk.respond, "_MOST", users):
            yield

    def compares_words(self, channel: Channel) -> bool:
        return not isinstance(channel, (Unary, Laplace))  # bit by bit: `every_number` tries them all instead


class RebuiltBulkPath(BulkPath):
    """A path put together from `inputs` and `block`, for mutants of the latter; in the same blocks as what ships."""

    def batches(self, question: Question, people: Collections, slots: Integers, entropy: Entropy) -> Iterable[Batch]:
        for rows, part in people.blocks(bulk.respond._MOST):
            inputs = self.inputs(question, part, slots[rows], entropy)
            payloads = self.payloads(question.channel, inputs.ravel(), entropy)
            yield Batch.of_payloads(question, slots[rows], payloads.reshape(len(inputs), question.payload_bytes))

    def payloads(self, channel: Channel, inputs: Integers, entropy: Entropy) -> Bytes:
        size = bulk.samplers.sampler(channel)[1]
        starts = range(0, len(inputs), size)
        return np.concatenate([self.block(channel, inputs[first : first + size], entropy) for first in starts])

    def block(self, channel: Channel, inputs: Integers, entropy: Entropy) -> Bytes:
        """Privatise what is sampled at once."""
        return bulk.privatise(channel, inputs, entropy)


BULK = BulkPath()
