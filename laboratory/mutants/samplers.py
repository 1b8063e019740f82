"""Mistakes in the samplers that small instances do not show, and those that answering for many users at once invites.

Each class is a right sampler with steps that can be replaced: a mutant names the one that is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laboratory.mutants.mutant import Step, alter, altered
from laboratory.mutants.sources import Changed, Generator, Kept, without_low_bits
from sottovoce.audit.channel_derivations import Integers
from sottovoce.audit.device_paths import Bytes, RebuiltBulkPath, RebuiltPath
from sottovoce.audit.word_scripts import Words
from sottovoce.device import Collections, Entropy, bulk
from sottovoce.engines import Ask, local
from sottovoce.messages import Batch, Channel, Laplace, Question, Subset, Table, Unary

Bits = NDArray[np.bool_]


@dataclass(eq=False)
class UnarySampler(RebuiltPath):
    """Votes whose flips are decided by `used` of the words that were drawn, a row for each user."""

    used: Callable[[Words], Words]

    def symbols(self, channel: Channel, inputs: Integers, entropy: Entropy) -> Integers:
        assert isinstance(channel, Unary)
        words = self.used(entropy.words(len(inputs) * channel.items).reshape(len(inputs), channel.items))
        return (channel.hot_bits(inputs) ^ (words >= np.uint64(channel.threshold))).astype(np.int64)


def repeated(bits: int) -> UnarySampler:
    """Unary noise from a block of `bits` words that is used again and again."""
    return UnarySampler(lambda words: words[:, np.arange(words.shape[1]) % bits])


SAME_FOR_ALL = UnarySampler(lambda words: np.repeat(words[:1], len(words), axis=0))
"""One draw of noise for everybody who is answered together."""
LOW_BITS_LOST = altered(
    symbols=lambda right, channel, inputs, entropy: right(
        channel, inputs, Changed(lambda count: without_low_bits(entropy.words(count)))
    )
)
"""Words made from floats."""


@dataclass(eq=False, kw_only=True)
class LaplaceSampler(RebuiltPath):
    """Laplace noise from digits."""

    lost: int = 0
    """How many of the highest digits are drawn and never counted."""
    below: Callable[[Words, int], Bits] = lambda words, digit: (
        (words[0] < np.uint64(digit >> 64))
        | ((words[0] == np.uint64(digit >> 64)) & (words[1] < np.uint64(digit & (2**64 - 1))))
    )
    weigh: Callable[[Integers, int], Integers] = np.left_shift
    twice: bool = True
    """Whether the second part of the noise is drawn by itself."""
    clamped: bool = True

    def geometric(self, channel: Laplace, count: int, entropy: Entropy) -> Integers:
        total = np.zeros(count, dtype=np.int64)
        for place, digit in enumerate(channel.digits):
            words = entropy.words(2 * count).reshape(2, count)
            if place < len(channel.digits) - self.lost:
                total += self.weigh(self.below(words, digit).astype(np.int64), place)
        return total

    def symbols(self, channel: Channel, inputs: Integers, entropy: Entropy) -> Integers:
        assert isinstance(channel, Laplace)
        more, less = (self.geometric(channel, len(inputs), entropy) for _ in range(2))
        noisy = inputs + more - (less if self.twice else more)
        if self.clamped:
            noisy = np.clip(noisy, -channel.bound, channel.steps + channel.bound)
        return noisy[:, None]


@dataclass(eq=False, kw_only=True)
class TableSampler(RebuiltPath):
    """A symbol from a table, whose row lies between two nodes."""

    fraction: Callable[[Integers], Integers] = lambda fraction: fraction
    fresh: bool = True
    """Whether the symbol has a word of its own, or that which chose the node."""
    above: Callable[[Words, Words], Bits] = np.greater_equal

    def symbols(self, channel: Channel, inputs: Integers, entropy: Entropy) -> Integers:
        assert isinstance(channel, Table)
        node, fraction = np.divmod(inputs, channel.unit)
        first, second = entropy.words(len(inputs)), entropy.words(len(inputs))
        node = node + (first < self.fraction(fraction).astype(np.uint64) << np.uint64(32))
        sums = [np.cumsum(np.array(row[:-1], dtype=np.uint64)) for row in channel.rows]
        limits, words = np.array(sums, dtype=np.uint64)[node], second if self.fresh else first
        return np.asarray(self.above(words[:, None], limits).sum(axis=1)[:, None])


@dataclass(eq=False)
class SubsetSampler(RebuiltPath):
    """A subset by shuffling with remainders that are never drawn again: low items are a little likelier.

    `naive` swaps each place with any place: then not every order is equally likely.
    """

    naive: bool = False

    def symbols(self, channel: Channel, inputs: Integers, entropy: Entropy) -> Integers:
        assert isinstance(channel, Subset)
        rows, others = np.arange(len(inputs)), channel.items - 1
        deck = np.tile(np.arange(others), (len(inputs), 1))
        for place in range(channel.size):
            first = 0 if self.naive else place
            chosen = first + (entropy.words(len(inputs)) % np.uint64(others - first)).astype(np.int64)
            deck[rows, place], deck[rows, chosen] = deck[rows, chosen], deck[rows, place]
        picked = deck[:, : channel.size]
        picked += picked >= inputs[:, None]
        included = entropy.words(len(inputs)) < np.uint64(channel.threshold)
        picked[:, -1] = np.where(included, inputs, picked[:, -1])
        return np.sort(picked, axis=1)


@dataclass(eq=False, kw_only=True)
class ManyVotes(RebuiltBulkPath):
    """Votes for many users at once."""

    toss: Callable[[int, int, Entropy], Words] = lambda threshold, count, entropy: bulk.coins(
        threshold, 64, count, entropy
    )
    shared: Callable[[Bytes], Bytes] = lambda flips: flips
    late: int = 0
    """How many bits too late the window of hot bits begins."""
    padded: bool = True
    """Whether what fills a vote up to whole bytes is zero."""

    def block(self, channel: Channel, inputs: Integers, entropy: Entropy) -> Bytes:
        assert isinstance(channel, Unary)
        users, size = len(inputs), channel.payload_bytes
        flips = self.toss(channel.threshold, -(-users * size // 8), entropy).view(np.uint8)[: users * size]
        hot = channel.hot_bits(np.minimum(inputs + self.late, channel.span))
        payloads = self.shared(flips.reshape(users, size)) ^ np.packbits(hot, axis=1)
        if self.padded:
            payloads[:, -1] &= np.uint8(0xFF << -channel.items % 8 & 0xFF)
        return payloads


def one_bit_early(threshold: int, count: int, entropy: Entropy) -> Words:
    """The lowest bit of a threshold is never looked at."""
    entropy.words(count)  # drawn as it should be, so that nothing is left
    return bulk.coins(threshold >> 1, 63, count, entropy)


def shared_lanes(flips: Bytes) -> Bytes:
    """From the 65th user on, the coins of the 64th user before are used again."""
    return np.concatenate((flips[:64], flips[:-64]))


def shared_words(whole: str, part: str) -> ManyVotes:
    """Votes of which each `part` uses the words of the first part of the same `whole`: two steps of the path."""
    keepers: list[Kept] = []

    def begin(right: Step, *arguments: Any) -> Any:
        keepers[:] = [Kept(arguments[-1])]
        return right(*arguments[:-1], keepers[0])

    def go_on(right: Step, *arguments: Any) -> Any:
        return right(*arguments[:-1], keepers[0].again())

    return alter(ManyVotes(), **{whole: begin, part: go_on})


def upper_half(right: Step, channel: Laplace, *more: Any) -> Any:
    """Laplace digits by the upper half of their thresholds."""
    coarse = tuple(max(1 << 64, digit >> 64 << 64) for digit in channel.digits)
    return right(Laplace(steps=channel.steps, bound=channel.bound, digits=coarse), *more)


def head_only(threshold: int, bits: int, count: int, entropy: Entropy) -> Words:
    """Lanes that are equal to the threshold in its first bits count as decided."""
    cut = max(0, bits - 12)
    return bulk.coins(threshold >> cut, bits - cut, count, entropy)


def seeded_answers(question: Question, people: Collections, slots: Integers) -> Iterable[Batch]:
    """Nobody handed in a source: one with a fixed seed."""
    return bulk.respond_many(question, people, slots, Generator(7))


def seeded_engine(people: Collections, *, keep: Callable[[Batch], None]) -> Ask:
    """The same, for seats and reports."""
    return local(people, entropy=Generator(7), keep=keep)
