"""Words aimed at thresholds.

A word is aimed just below a threshold, at it, a power of two beside it, or anywhere on one side. So a comparison that
is off by one, cuts words or thresholds to fewer bits, reads them as signed numbers or as floats goes astray on some.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import numpy as np

_ALL = 2**64


class Marksman:
    """Words beside thresholds."""

    def __init__(self, seed: int) -> None:
        self._generator = np.random.Generator(np.random.PCG64(seed))
        self._stock: Iterator[tuple[int, int, int]] = iter(())
        self._turns = count()

    def beside(self, limit: int, *, below: bool) -> int:
        """A word below `limit`, or one that is not; whichever there is when there is only one kind."""
        below = (below or limit >= _ALL) and limit > 0
        kind, power, anywhere = self._next()
        room = limit if below else _ALL - limit
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
        for found in self._stock:
            return found
        kinds, powers = self._generator.integers(0, 4, 1024).tolist(), self._generator.integers(0, 64, 1024).tolist()
        spread = self._generator.integers(0, _ALL, size=1024, dtype=np.uint64).tolist()
        self._stock = iter(list(zip(kinds, powers, spread, strict=True)))
        return next(self._stock)
