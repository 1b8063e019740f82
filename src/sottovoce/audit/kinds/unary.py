"""`unary`, a second time."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sottovoce.audit.kinds.kind import Floats, Integers, Kind, Read, Symbol
from sottovoce.audit.marksman import Marksman
from sottovoce.messages import Unary


@dataclass(frozen=True)
class UnaryKind(Kind):
    """Each bit is kept or flipped on its own."""

    independent: ClassVar[bool] = True

    channel: Unary

    def law(self, value: int) -> Iterator[tuple[Symbol, Fraction]]:
        items, keep, hot = self.channel.items, self._keep(), self._hot(value)
        for pattern in range(2**items):
            bits = tuple(pattern >> place & 1 for place in range(items))
            parts = (keep if bit == is_hot else 1 - keep for bit, is_hot in zip(bits, hot, strict=True))
            yield bits, math.prod(parts, start=Fraction(1))

    def ratio(self) -> tuple[Fraction, int]:
        keep, apart = self._keep(), self._most_bits_apart()
        return max(keep / (1 - keep), (1 - keep) / keep), apart

    def paths(self) -> int:
        return int(2 ** min(self.channel.items, 40))

    def distance(self, value: int, symbol: Integers) -> float:
        return float((symbol != self._hot(value)).sum())

    def noise_bits(self, value: int, symbols: Integers) -> tuple[Floats, Floats]:
        flipped = symbols != self._hot(value)
        return flipped.astype(float), np.full(self.channel.items, 1 - self.channel.threshold / 2**64)

    def symbols(self, inputs: Sequence[int], read: Read) -> list[Symbol]:
        found = []
        for value in inputs:
            hot = (abs(place - value) <= self.channel.reach for place in range(self.channel.items))
            kept = (word < self.channel.threshold for word in read(self.channel.items))
            found.append(tuple(int(lit == same) for lit, same in zip(hot, kept, strict=True)))
        return found

    def aimed(self, inputs: Sequence[int], marksman: Marksman) -> list[int]:
        places = range(len(inputs) * self.channel.items)
        return [marksman.beside(self.channel.threshold, below=marksman.toss()) for _ in places]

    def _keep(self) -> Fraction:
        return Fraction(self.channel.threshold, 2**64)

    def _hot(self, value: int) -> NDArray[np.bool_]:
        """The bits before they are flipped."""
        return np.asarray(np.abs(np.arange(self.channel.items) - value) <= self.channel.reach)

    def _most_bits_apart(self) -> int:
        """By trying inputs: each against each, the far ones standing for all when there are many."""
        window = 2 * self.channel.reach + 1
        few = np.arange(self.channel.items)
        if self.channel.items > 6 * window:  # beyond that, indices in the middle differ from one another alike
            few = np.concatenate((few[: 3 * window], few[-3 * window :]))
        hot = [self._hot(int(index)) for index in few]
        return max(int((one != other).sum()) for one in hot for other in hot)
