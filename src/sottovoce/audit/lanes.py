"""Words for many users at once: the script of `kinds`, laid across words as `device.bulk` reads them.

`device.bulk` tosses 64 coins at a time, so one word holds one bit of each of 64 numbers. A script that says by which
number each coin is decided is turned over here, from what PRIVACY.md says of the order in which words are drawn, and
without a call of the device. Lanes that are nobody's, and words that are drawn in vain, are filled from a seed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Channel, Laplace, Unary

Words = NDArray[np.uint64]
_HIGHEST, _FEW, _RUN, _WORD = 12, 512, 8192, 64


class Turner:
    """Turns scripts over; `seed` fills what belongs to nobody."""

    def __init__(self, seed: int) -> None:
        self._generator = np.random.Generator(np.random.PCG64(seed))

    def turned(self, channel: Channel, script: Sequence[int], users: int) -> list[int]:
        """The script of a device, for `users` inputs, as the words that `device.bulk` draws."""
        match channel:
            case Unary():
                return _plain(self._unary(channel, np.array(script, dtype=np.uint64).reshape(users, channel.items)))
            case Laplace():
                halves = np.array(script, dtype=np.uint64).reshape(2 * len(channel.digits), 2, users)
                digits = zip(channel.digits * 2, halves, strict=True)
                return _plain(np.concatenate([self.coins(digit, low, high) for digit, (high, low) in digits]))
            case _:
                return list(script)

    def _unary(self, channel: Unary, words: Words) -> Words:
        """Every user's bits fill whole bytes."""
        lanes = self._any((len(words), -(-channel.items // 8) * 8))
        lanes[:, : channel.items] = words
        return self.coins(channel.threshold, lanes.ravel())

    def coins(self, threshold: int, *numbers: Words, bits: int | None = None) -> Words:
        """The words in which lane l reads its number: its 64 bits, or a lower and an upper half of 64 bits each.

        Numbers of fewer `bits` are for whoever tries them all.
        """
        bits, missing = _WORD * len(numbers) if bits is None else bits, -len(numbers[0]) % _WORD
        lanes = [np.concatenate((half, self._any(missing))) for half in numbers]
        planes = np.concatenate([_planes(half) for half in lanes])[:bits]
        count = planes.shape[1]
        if count < _FEW:
            return planes.ravel()
        lower = bits - _HIGHEST
        head = [planes[lower:, first : first + _RUN].ravel() for first in range(0, count, _RUN)]
        equal = lanes[-1] >> np.uint64((bits - 1) % _WORD + 1 - _HIGHEST) == np.uint64(threshold >> lower)
        open_words = np.flatnonzero(equal.reshape(count, _WORD).any(axis=1))
        mean = count // 64
        tail = self._any((lower, max(mean + 10 * math.isqrt(mean) + 64, len(open_words))))
        tail[:, : len(open_words)] = planes[:lower, open_words]
        return np.concatenate((*head, tail.ravel()))

    def _any(self, shape: int | tuple[int, ...]) -> Words:
        return self._generator.integers(0, 2**64, size=shape, dtype=np.uint64)


def _planes(lanes: Words) -> Words:
    """One row for each bit, the lowest first; the first lane is the highest bit of the first byte."""
    bits = np.unpackbits(lanes.astype(">u8").view(np.uint8).reshape(-1, 8), axis=1)  # the highest first
    return np.packbits(bits[:, ::-1].T, axis=1).view("<u8")


def _plain(words: Words) -> list[int]:
    plain: list[int] = words.tolist()
    return plain
