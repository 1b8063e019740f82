"""`subset`, a second time."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np

from sottovoce.audit.kinds.kind import Floats, Integers, Kind, Read, Symbol
from sottovoce.audit.marksman import Marksman
from sottovoce.messages import Subset

_ALL = 2**64


@dataclass(frozen=True)
class SubsetKind(Kind):
    """Sets that hold the own item are equally likely among themselves, and so are those that do not."""

    channel: Subset

    def law(self, value: int) -> Iterator[tuple[Symbol, Fraction]]:
        items, size, own = self.channel.items, self.channel.size, self._own()
        inside = own / math.comb(items - 1, size - 1)
        outside = (1 - own) / math.comb(items - 1, size)
        for chosen in combinations(range(items), size):
            yield chosen, inside if value in chosen else outside

    def ratio(self) -> tuple[Fraction, int]:
        own, others = self._own(), self.channel.items - self.channel.size
        ratio = own * others / ((1 - own) * self.channel.size)
        return max(ratio, 1 / ratio), 1

    def paths(self) -> int:
        """Orders of the others, times the ways in which up to ten redraws spread over places that may need one."""
        limits = range(self.channel.items - self.channel.size, self.channel.items)[:20]
        redrawn = sum(_ALL % limit > 0 for limit in limits)
        return 2 * math.prod(limits) * math.comb(10 + redrawn, redrawn)

    def distance(self, value: int, symbol: Integers) -> float:
        return float(value not in symbol)

    def noise_bits(self, value: int, symbols: Integers) -> tuple[Floats, Floats]:
        own, items = self.channel.threshold / _ALL, self.channel.items
        other = (self.channel.size - own) / (items - 1)
        return self._held(symbols), np.where(np.arange(items) == value, own, other)

    def numbers(self, symbols: Integers) -> Floats:
        """A bit for each item."""
        return self._held(np.clip(symbols, 0, self.channel.items - 1)).reshape(len(symbols), -1)

    def symbols(self, inputs: Sequence[int], read: Read) -> list[Symbol]:
        items, size = self.channel.items, self.channel.size
        decks = [[item for item in range(items) if item != value] for value in inputs]
        for place in range(size):
            for deck, chosen in zip(decks, _below(items - 1 - place, len(inputs), read), strict=True):
                deck[place], deck[place + chosen] = deck[place + chosen], deck[place]
        own = [word < self.channel.threshold for word in read(len(inputs))]
        return [
            tuple(sorted((*deck[: size - 1], value if included else deck[size - 1])))
            for deck, value, included in zip(decks, inputs, own, strict=True)
        ]

    def aimed(self, inputs: Sequence[int], marksman: Marksman) -> list[int]:
        script: list[int] = []
        for place in range(self.channel.size):
            script += _indices(self.channel.items - 1 - place, len(inputs), marksman)
        return script + [marksman.beside(self.channel.threshold, below=marksman.toss()) for _ in inputs]

    def _own(self) -> Fraction:
        return Fraction(self.channel.threshold, _ALL)

    def _held(self, symbols: Integers) -> Floats:
        """Which items each set holds."""
        bits = np.zeros((*symbols.shape[:-1], self.channel.items))
        np.put_along_axis(bits, symbols, 1.0, axis=-1)
        return bits


def _below(limit: int, count: int, read: Read) -> list[int]:
    """Indices below `limit`: words of the last incomplete block are read again, in order."""
    words = read(count)
    while again := [place for place, word in enumerate(words) if word >= _ALL - _ALL % limit]:
        for place, word in zip(again, read(len(again)), strict=True):
            words[place] = word
    return [word % limit for word in words]


def _indices(limit: int, count: int, marksman: Marksman) -> list[int]:
    """Words for indices, some of them in the incomplete last block, so that they are drawn again."""
    ceiling, script = _ALL - _ALL % limit, list[int]()
    while count:
        words = [marksman.beside(ceiling, below=marksman.number(3) > 0) for _ in range(count)]
        script += words
        count = sum(word >= ceiling for word in words)
    return script
