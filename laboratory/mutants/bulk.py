"""Mistakes that answering for many users at once invites: coins cut short or shared, windows, padding, forks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from sottovoce.audit.channel_derivations import Integers
from sottovoce.audit.device_paths import Bytes, RebuiltMany
from sottovoce.audit.word_scripts import Words
from sottovoce.device import Collections, Entropy, bulk
from sottovoce.engines import Ask, local
from sottovoce.messages import Batch, Channel, Laplace, Question, Unary


class Votes(RebuiltMany):
    """Votes for many users, with one step of them to get wrong."""

    def toss(self, channel: Unary, count: int, entropy: Entropy) -> Words:
        return bulk.coins(channel.threshold, 64, count, entropy)

    def share(self, flips: Bytes) -> Bytes:
        return flips

    def hot(self, channel: Unary, inputs: Integers) -> NDArray[np.bool_]:
        return channel.hot(inputs)

    def pad(self, payloads: Bytes, channel: Unary) -> Bytes:
        payloads[:, -1] &= np.uint8(0xFF << -channel.items % 8 & 0xFF)
        return payloads

    def block(self, channel: Channel, inputs: Integers, entropy: Entropy) -> Bytes:
        assert isinstance(channel, Unary)
        users, size = len(inputs), channel.payload_bytes
        flips = self.toss(channel, -(-users * size // 8), entropy).view(np.uint8)[: users * size]
        lit = np.packbits(self.hot(channel, inputs), axis=1)
        return self.pad(self.share(flips.reshape(users, size)) ^ lit, channel)


class OneBitEarly(Votes):
    """The lowest bit of a threshold is never looked at."""

    def toss(self, channel: Unary, count: int, entropy: Entropy) -> Words:
        entropy.words(count)  # drawn as it should be, so that nothing is left
        return bulk.coins(channel.threshold >> 1, 63, count, entropy)


class SixteenBits(Votes):
    """Thresholds cut to their upper 16 bits."""

    def toss(self, channel: Unary, count: int, entropy: Entropy) -> Words:
        return bulk.coins(channel.threshold >> 48 << 48, 64, count, entropy)


class SharedLanes(Votes):
    """From the 65th user on, the coins of the 64th user before are used again."""

    def share(self, flips: Bytes) -> Bytes:
        shared = flips.copy()
        shared[64:] = flips[:-64]
        return shared


class SharedBytes(Votes):
    """One byte of coins for all bits of a vote."""

    def share(self, flips: Bytes) -> Bytes:
        return np.repeat(flips[:, :1], flips.shape[1], axis=1)


class NextBin(Votes):
    """The window of hot bits begins one bit too late."""

    def hot(self, channel: Unary, inputs: Integers) -> NDArray[np.bool_]:
        return channel.hot(np.minimum(inputs + 1, channel.span))


class Unpadded(Votes):
    """What pads a vote to whole bytes is not zero."""

    def pad(self, payloads: Bytes, channel: Unary) -> Bytes:
        return payloads


class UpperHalf(RebuiltMany):
    """Laplace digits by the upper half of their thresholds."""

    def block(self, channel: Channel, inputs: Integers, entropy: Entropy) -> Bytes:
        assert isinstance(channel, Laplace)
        coarse = tuple(max(1 << 64, digit >> 64 << 64) for digit in channel.digits)
        return bulk.privatise(Laplace(steps=channel.steps, bound=channel.bound, digits=coarse), inputs, entropy)


class Kept:
    """The words of a first block, for all others too; drawn as they should be, so that nothing is left."""

    def __init__(self, source: Entropy) -> None:
        self._source, self._first, self._place = source, dict[int, Words](), 0

    def again(self) -> Kept:
        self._place = 0
        return self

    def words(self, count: int) -> Words:
        drawn = self._source.words(count)
        kept = self._first.setdefault(self._place, drawn)
        self._place += 1
        return kept if len(kept) == count else drawn


class SharedBlocks(Votes):
    """Noise of one block is used again for the next."""

    def payloads(self, channel: Channel, inputs: Integers, entropy: Entropy) -> Bytes:
        self._kept = Kept(entropy)
        return super().payloads(channel, inputs, self._kept)

    def block(self, channel: Channel, inputs: Integers, entropy: Entropy) -> Bytes:
        return super().block(channel, inputs, self._kept.again())


class SharedBatches(Votes):
    """The same, for users who are encoded together."""

    def batches(self, question: Question, people: Collections, slots: Integers, entropy: Entropy) -> Iterable[Batch]:
        self._kept = Kept(entropy)
        return super().batches(question, people, slots, self._kept)

    def payloads(self, channel: Channel, inputs: Integers, entropy: Entropy) -> Bytes:
        return super().payloads(channel, inputs, self._kept.again())


def head_only(threshold: int, bits: int, count: int, entropy: Entropy) -> Words:
    """Lanes that are equal to the threshold in its first bits count as decided."""
    cut = max(0, bits - 12)
    return bulk.coins(threshold >> cut, bits - cut, count, entropy)


class Keyed:
    """A generator that is keyed when it is made: a fork goes on with the same key."""

    def __init__(self, key: int | None = None) -> None:
        key = int.from_bytes(os.urandom(32), "little") if key is None else key
        self._generator = np.random.Generator(np.random.PCG64(key))

    def words(self, count: int) -> Words:
        return self._generator.integers(0, 2**64, size=count, dtype=np.uint64)


class Stretched:
    """OpenSSL's bytes for small requests, a generator keyed by them for large ones."""

    def words(self, count: int) -> Words:
        if count <= 512:
            return bulk.BulkEntropy().words(count)
        import ssl  # an odd build of Python has none

        seed = int.from_bytes(ssl.RAND_bytes(32), "little")
        return np.random.Generator(np.random.PCG64(seed)).integers(0, 2**64, size=count, dtype=np.uint64)


class FedOnce:
    """OpenSSL is fed when the first process starts, and never again."""

    def __init__(self) -> None:
        import ssl  # an odd build of Python has none

        ssl.RAND_add(os.urandom(48), 48.0)

    def words(self, count: int) -> Words:
        import ssl

        return np.frombuffer(ssl.RAND_bytes(8 * count), dtype="<u8")


def seeded_answers(question: Question, people: Collections, slots: Integers) -> Iterable[Batch]:
    """Nobody handed in a source: one with a fixed seed."""
    return bulk.respond_many(question, people, slots, Keyed(7))


def seeded_engine(people: Collections, *, keep: Callable[[Batch], None]) -> Ask:
    """The same, for seats and reports."""
    return local(people, entropy=Keyed(7), keep=keep)
