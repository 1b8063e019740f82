"""Entropy that is not the operating system's and looks as if it were, and words that are changed on their way."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import numpy as np

from sottovoce.audit.word_scripts import Words
from sottovoce.device import Entropy, bulk


class Changed:
    """Entropy by a function of how many words are asked for."""

    def __init__(self, words: Callable[[int], Words]) -> None:
        self.words = words


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


class Generator:
    """A generator that is keyed when it is made: a fork goes on with the same key."""

    def __init__(self, key: int | None = None) -> None:
        key = _number(os.urandom(32)) if key is None else key
        self._generator = np.random.Generator(np.random.PCG64(key))

    def words(self, count: int) -> Words:
        return self._generator.integers(0, 2**64, size=count, dtype=np.uint64)


class Pool:
    """Entropy from a buffer that a fork copies."""

    def __init__(self) -> None:
        self._left = Generator().words(2**14)

    def words(self, count: int) -> Words:
        given, self._left = self._left[:count], self._left[count:]
        return given


class Buffered:
    """Four kilobytes of the system's at once, handed out in small pieces; a fork starts afresh."""

    def __init__(self) -> None:
        self._left, self._owner = b"", os.getpid()

    def words(self, count: int) -> Words:
        if self._owner != os.getpid():
            self._left, self._owner = b"", os.getpid()
        while len(self._left) < 8 * count:
            self._left += os.urandom(max(4096, 8 * count))
        given, self._left = self._left[: 8 * count], self._left[8 * count :]
        return np.frombuffer(given, dtype="<u8")


def _number(data: bytes) -> int:
    return int.from_bytes(data, "little")


def _system(count: int) -> Words:
    return np.frombuffer(os.urandom(8 * count), dtype="<u8")


def without_low_bits(words: Words) -> Words:
    """Words by way of floats: their lowest eleven bits are zero."""
    return words & np.uint64(2**64 - 2**11)


def short_seed() -> Entropy:
    """A good generator, seeded anew for every call with 32 bits: all noise is one of four thousand million."""
    return Changed(lambda count: Generator(_number(os.urandom(4))).words(count))


def time_seed() -> Entropy:
    """A good generator, seeded anew for every call with the time."""
    return Changed(lambda count: Generator(time.time_ns()).words(count))


def from_floats() -> Entropy:
    """The system's words by way of floats."""
    return Changed(lambda count: without_low_bits(_system(count)))


def stretched() -> Entropy:
    """The system's bytes for small requests, a generator for large ones: "faster"."""
    return Changed(lambda count: _system(count) if count <= 512 else Generator().words(count))


def stretched_openssl() -> Entropy:
    """OpenSSL's bytes for small requests, a generator keyed by them for large ones."""
    import ssl  # an odd build of Python has none

    few = bulk.BulkEntropy()
    return Changed(
        lambda count: few.words(count) if count <= 512 else Generator(_number(ssl.RAND_bytes(32))).words(count)
    )


def fed_once() -> Entropy:
    """OpenSSL is fed when the first process starts, and never again."""
    import ssl

    ssl.RAND_add(os.urandom(48), 48.0)
    return Changed(lambda count: np.frombuffer(ssl.RAND_bytes(8 * count), dtype="<u8"))
