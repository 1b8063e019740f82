"""Scripts of words: words aimed at thresholds, a tape that gives each once, and scripts for many users at once.

Scripts are drawn from fixed seeds: nothing that is decided with them has chance in it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import count

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Channel, Laplace, Unary

WORDS = 2**64


class AimedWords:
    """Aims words just below a threshold, at it, a power of two beside it, or anywhere on one side.

    So a comparison that is off by one, cuts words or thresholds to fewer bits, reads them as signed numbers or as
    floats goes astray on some.
    """

    def __init__(self, seed: int) -> None:
        self._generator = np.random.Generator(np.random.PCG64(seed))
        self._stock: Iterator[tuple[int, int, int]] = iter(())
        self._turns = count()

    def beside(self, limit: int, *, below: bool) -> int:
        """A word below `limit`, or one that is not; whichever there is when there is only one kind."""
        below = (below or limit >= WORDS) and limit > 0
        kind, power, anywhere = self._next()
        room = limit if below else WORDS - limit
        away = (0, 0, min(2**power, room - 1), anywhere % room)[kind]
        return limit - 1 - away if below else limit + away

    def turn(self) -> int:
        """How many were aimed for before: what is to be tried one after another is, whoever asks."""
        return next(self._turns)

    def toss(self) -> bool:
        return self._next()[2] % 2 == 1

    def number(self, limit: int) -> int:
        """Any number below `limit`."""
        return self._next()[2] % limit

    def _next(self) -> tuple[int, int, int]:
        for aim in self._stock:
            return aim
        kinds, powers = self._generator.integers(0, 4, 1024).tolist(), self._generator.integers(0, 64, 1024).tolist()
        spread = self._generator.integers(0, WORDS, size=1024, dtype=np.uint64).tolist()
        self._stock = iter(list(zip(kinds, powers, spread, strict=True)))
        return next(self._stock)


Words = NDArray[np.uint64]
_HIGHEST, _FEW, _RUN, _WORD = 12, 512, 8192, 64


class BulkScripts:
    """Lays the script of a device across words, as `device.bulk` reads them; `seed` fills what belongs to nobody.

    `device.bulk` tosses 64 coins at a time, so one word holds one bit of each of 64 numbers. A script that says by
    which number each coin is decided is turned over here, from what PRIVACY.md says of the order in which words are
    drawn, and without a call of the device. Lanes that are nobody's, and words that are drawn in vain, are filled.
    """

    def __init__(self, seed: int) -> None:
        self._generator = np.random.Generator(np.random.PCG64(seed))

    def laid_across_words(self, channel: Channel, script: Sequence[int], users: int) -> list[int]:
        """The script of a device, for `users` inputs, as the words that `device.bulk` draws."""
        words = np.array(script, dtype=np.uint64)
        match channel:
            case Unary():  # every user's bits fill whole bytes
                lanes = self._random_words((users, -(-channel.items // 8) * 8))
                lanes[:, : channel.items] = words.reshape(users, channel.items)
                words = self.coins(channel.threshold, lanes.ravel())
            case Laplace():
                digits = zip(channel.digits * 2, words.reshape(2 * len(channel.digits), 2, users), strict=True)
                words = np.concatenate([self.coins(digit, low, high) for digit, (high, low) in digits])
        plain: list[int] = words.tolist()
        return plain

    def coins(self, threshold: int, *numbers: Words, bits: int | None = None) -> Words:
        """The words in which lane l reads its number: its 64 bits, or a lower and an upper half of 64 bits each.

        Numbers of fewer `bits` are for whoever tries them all.
        """
        bits, missing = _WORD * len(numbers) if bits is None else bits, -len(numbers[0]) % _WORD
        lanes = [np.concatenate((half, self._random_words(missing))) for half in numbers]
        planes = np.concatenate([_planes(half) for half in lanes])[:bits]
        count = planes.shape[1]
        if count < _FEW:
            return planes.ravel()
        lower = bits - _HIGHEST
        head = [planes[lower:, first : first + _RUN].ravel() for first in range(0, count, _RUN)]
        equal = lanes[-1] >> np.uint64((bits - 1) % _WORD + 1 - _HIGHEST) == np.uint64(threshold >> lower)
        open_words = np.flatnonzero(equal.reshape(count, _WORD).any(axis=1))
        mean = count // 64
        tail = self._random_words((lower, max(mean + 10 * math.isqrt(mean) + 64, len(open_words))))
        tail[:, : len(open_words)] = planes[:lower, open_words]
        return np.concatenate((*head, tail.ravel()))

    def _random_words(self, shape: int | tuple[int, ...]) -> Words:
        return self._generator.integers(0, 2**64, size=shape, dtype=np.uint64)


def _planes(lanes: Words) -> Words:
    """One row for each bit, the lowest first; the first lane is the highest bit of the first byte."""
    bits = np.unpackbits(lanes.astype(">u8").view(np.uint8).reshape(-1, 8), axis=1)  # the highest first
    return np.packbits(bits[:, ::-1].T, axis=1).view("<u8")


class TapeEnded(RuntimeError):  # noqa: N818 - says what happened
    """More words were drawn than the script has."""


class Tape:
    """Entropy that gives the words of a script, each once, and no others."""

    def __init__(self, script: Sequence[int]) -> None:
        self._script = np.array(script, dtype=np.uint64)
        self.used = 0

    @property
    def left(self) -> int:
        return len(self._script) - self.used

    def words(self, count: int) -> Words:
        if count > self.left:
            raise TapeEnded("more words are drawn than the law needs")
        self.used += count
        return self._script[self.used - count : self.used].copy()

    def rest(self) -> bytes:
        """The words that are left, lowest byte first."""
        return self._script[self.used :].astype("<u8").tobytes()

    def read(self, count: int) -> list[int]:
        """The next words, as plain integers."""
        return [int(word) for word in self.words(count)]


class Recorder:
    """Entropy from a seed that remembers what it gave."""

    def __init__(self, seed: int) -> None:
        self._generator = np.random.Generator(np.random.PCG64(seed))
        self.given: list[int] = []

    def words(self, count: int) -> Words:
        words = self._generator.integers(0, 2**64, size=count, dtype=np.uint64)
        self.given += words.tolist()
        return words
