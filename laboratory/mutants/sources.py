"""Entropy that is not the operating system's, and looks as if it were."""

from __future__ import annotations

import os
import time

import numpy as np

from sottovoce.audit.word_scripts import Words


class Pool:
    """Entropy from a buffer that a fork copies."""

    def __init__(self, size: int = 2**14) -> None:
        self._left = np.frombuffer(np.random.default_rng().bytes(8 * size), dtype=np.uint64)

    def words(self, count: int) -> Words:
        given, self._left = self._left[:count], self._left[count:]
        return given


class _Seeded:
    """A good generator, seeded anew for every call: forks do not repeat it, and no test of outputs sees it."""

    def seed(self) -> int:
        raise NotImplementedError("each mutant has its own seed")

    def words(self, count: int) -> Words:
        return np.random.Generator(np.random.PCG64(self.seed())).integers(0, 2**64, size=count, dtype=np.uint64)


class ShortSeed(_Seeded):
    """Seeded with 32 bits of the system's: all noise is one of four thousand million."""

    def seed(self) -> int:
        return int.from_bytes(os.urandom(4), "little")


class TimeSeed(_Seeded):
    """Seeded with the time."""

    def seed(self) -> int:
        return time.time_ns()


class FromFloats:
    """The system's words by way of floats: the lowest eleven bits are zero."""

    def words(self, count: int) -> Words:
        words = np.frombuffer(os.urandom(8 * count), dtype="<u8")
        return words & np.uint64(2**64 - 2**11)


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


class Stretched:
    """The system's bytes for small requests, a generator for large ones: "faster"."""

    def words(self, count: int) -> Words:
        if count <= 512:
            return np.frombuffer(os.urandom(8 * count), dtype="<u8")
        seed = int.from_bytes(os.urandom(32), "little")
        return np.random.Generator(np.random.PCG64(seed)).integers(0, 2**64, size=count, dtype=np.uint64)
