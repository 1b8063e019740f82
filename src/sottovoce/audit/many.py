"""Many users at once: the path of `device.bulk`, and every number that one of its lanes may read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from sottovoce.audit.findings import Finding
from sottovoce.audit.lanes import Turner, Words
from sottovoce.audit.path import Integers, Path
from sottovoce.audit.scripts import Tape
from sottovoce.device import Collections, Entropy, bulk
from sottovoce.messages import Batch, Channel, Laplace, Question, Unary

Bytes = NDArray[np.uint8]
Toss = Callable[[int, int, int, Entropy], Words]


class Many(Path):
    """The shipped path for many users. Scripts for it are laid across words; one user is many of one."""

    cut = (9, 4)

    def payloads(self, channel: Channel, inputs: Integers, entropy: Entropy) -> Bytes:
        """Privatise, as it travels."""
        return bulk.privatise(channel, inputs, entropy)

    def symbols(self, channel: Channel, inputs: Integers, entropy: Entropy) -> Integers:
        return channel.unpack(self.payloads(channel, inputs, entropy)).reshape(len(inputs), channel.width)

    def respond(self, question: Question, one: Collections, slot: int, entropy: Entropy) -> bytes:
        return self.respond_many(question, one, np.array([slot], dtype=np.int64), entropy)[0]

    def batches(self, question: Question, people: Collections, slots: Integers, entropy: Entropy) -> Iterable[Batch]:
        return bulk.respond_many(question, people, slots, entropy)

    def laid_out(self, channel: Channel, script: list[int], users: int) -> list[int]:
        return Turner(len(script)).turned(channel, script, users)

    @contextmanager
    def in_blocks(self) -> Iterator[None]:
        users, inputs = self.cut
        shipped = bulk.samplers.sampler

        def sampler(channel: Channel) -> tuple[bulk.samplers.Sample, int]:
            return shipped(channel)[0], inputs

        with mock.patch.object(bulk.samplers, "sampler", sampler), mock.patch.object(bulk.respond, "_MOST", users):
            yield

    def compares(self, channel: Channel) -> bool:
        return not isinstance(channel, (Unary, Laplace))  # bit by bit: `every_number` tries them all instead


class RebuiltMany(Many):
    """A path put together from `inputs` and `block`, for mutants of the latter; in the same blocks as what ships."""

    checks_budget = False

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


MANY = Many()
_SMALL, _LARGE, _RUNS = 6, 16, 20
"""Bits of numbers that are all tried: in one word, in so many that only some draw all of their bits, in two runs."""


def every_number(subject: str, toss: Toss) -> Finding:
    """Numbers of few bits, each in one lane: a coin is one for exactly those that are at least the threshold."""
    several = {2**place + more for place in range(_LARGE) for more in (-1, 0, 1)} | set(range(77, 2**_LARGE, 6007))
    tried = [(_SMALL, threshold) for threshold in range(1, 2**_SMALL)]
    tried += [(_LARGE, threshold) for threshold in sorted(several) if 0 < threshold < 2**_LARGE]
    tried.append((_RUNS, 345_678))
    problem = next((found for bits, threshold in tried if (found := _wrong(bits, threshold, toss))), "")
    return Finding(
        subject=subject,
        layer="tree",
        check="coins, 64 in a word",
        passed=not problem,
        detail=problem or f"{len(tried)} thresholds, each against every number of as many bits, once each",
    )


def _wrong(bits: int, threshold: int, toss: Toss) -> str:
    numbers = np.random.Generator(np.random.PCG64(threshold)).permutation(2**bits).astype(np.uint64)
    tape = Tape(Turner(threshold).coins(threshold, numbers, bits=bits).tolist())
    coins = np.unpackbits(toss(threshold, bits, 2**bits // 64, tape).view(np.uint8))
    if (astray := int((coins != (numbers >= threshold)).sum())) or tape.left:
        return (
            f"{bits} bits, threshold {threshold}: {astray} numbers of {2**bits} go astray, {tape.left} words are left"
        )
    return ""
