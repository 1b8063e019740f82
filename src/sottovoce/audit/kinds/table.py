"""`table`, a second time."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

import numpy as np

from sottovoce.audit.kinds.kind import Floats, Integers, Kind, Read, Symbol
from sottovoce.audit.marksman import Marksman
from sottovoce.messages import Table


@dataclass(frozen=True)
class TableKind(Kind):
    """A position between two nodes is a mixture of their rows."""

    channel: Table

    def law(self, value: int) -> Iterator[tuple[Symbol, Fraction]]:
        rows = self.channel.rows
        node, rest = divmod(value, 2**32)
        upper = rows[min(node + 1, len(rows) - 1)]
        for symbol, (here, there) in enumerate(zip(rows[node], upper, strict=True)):
            yield (symbol,), Fraction(here * (2**32 - rest) + there * rest, 2**96)

    def ratio(self) -> tuple[Fraction, int]:
        columns = zip(*self.channel.rows, strict=True)
        return max(Fraction(max(column), min(column)) for column in columns), 1

    def paths(self) -> int:
        return 2 * len(self.channel.rows[0])

    def distance(self, value: int, symbol: Integers) -> float:
        return float(abs(int(symbol[0]) - int(np.argmax(self._chances(value)))))

    def noise_bits(self, value: int, symbols: Integers) -> tuple[Floats, Floats]:
        chances = self._chances(value)
        return (symbols == np.arange(len(chances))).astype(float), chances

    def symbols(self, inputs: Sequence[int], read: Read) -> list[Symbol]:
        between, within = read(len(inputs)), read(len(inputs))
        sums = self._sums()
        found: list[Symbol] = []
        for value, first, second in zip(inputs, between, within, strict=True):
            node, fraction = divmod(value, 2**32)
            node += first < fraction * 2**32
            found.append((bisect_right(sums[node], second),))
        return found

    def aimed(self, inputs: Sequence[int], marksman: Marksman) -> list[int]:
        sums = self._sums()
        between, within = [], []
        for value in inputs:
            node, fraction = divmod(value, 2**32)
            word = marksman.beside(fraction * 2**32, below=marksman.toss())
            limits = sums[node + (word < fraction * 2**32)]
            between.append(word)
            within.append(marksman.beside(limits[marksman.number(len(limits))], below=marksman.toss()))
        return between + within

    def _chances(self, value: int) -> Floats:
        """The row at a node."""
        return np.array([cell / 2**64 for cell in self.channel.rows[value // 2**32]])

    def _sums(self) -> list[list[int]]:
        """Where one symbol ends and the next begins, in each row."""
        return [list(accumulate(row))[:-1] for row in self.channel.rows]
