"""`table`: a finite channel written out in full. One bit, k-ary response and piecewise tables are all tables."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages.channels.counting import impossible_counts
from sottovoce.messages.codec import Big
from sottovoce.messages.exact import log_above
from sottovoce.messages.facts import Fact
from sottovoce.messages.limits import MAX_SYMBOLS, MAX_TABLE_CELLS, check

ONE = 2**64
TICKS = 2**32
"""Inputs between two neighbouring nodes: a position is a node and a 32-bit fraction."""


@dataclass(frozen=True, kw_only=True)
class Table:
    """G nodes × L symbols. Row g is the law of the symbol at node g, in integers that sum to 2^64.

    An input is a position ``0 … (G − 1)·2^32``; between two nodes it is first rounded to one of them at random,
    without bias. `decode` gives each symbol's value on [0, 1] (empty where nodes are categories).

    Privacy
    -------
    ε = ln max over columns of (largest entry / smallest entry). A position between nodes is a mixture of two rows,
    and a mixture cannot exceed the ratio of its parts.
    """

    kind: ClassVar[str] = "table"
    categorical: ClassVar[bool] = True
    positional: ClassVar[bool] = True
    exclusive: ClassVar[bool] = True
    unit: ClassVar[int] = TICKS
    width: ClassVar[int] = 1
    payload_bytes: ClassVar[int] = 1

    rows: tuple[tuple[Big, ...], ...]
    decode: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        given: Any = self.rows
        if isinstance(given, np.ndarray):  # 64-bit words, read as a whole
            vars(self).update(integers=given, rows=tuple(map(tuple, given.tolist())))
        nodes, symbols = len(self.rows), len(self.rows[0]) if self.rows else 0
        check(nodes >= 2, "a table has at least two nodes")
        check(2 <= symbols <= MAX_SYMBOLS, f"a table has 2 to {MAX_SYMBOLS} symbols")
        check(nodes * symbols <= MAX_TABLE_CELLS, f"a table has at most {MAX_TABLE_CELLS} cells")
        check(set(map(len, self.rows)) == {symbols}, "all rows of a table have the same length")
        try:
            inside = bool(self.integers.all())
        except OverflowError:
            inside = False
        check(inside, "every cell lies strictly between 0 and 2^64")
        low = (self.integers & np.uint64(TICKS - 1)).sum(axis=1)  # in halves, so that no sum wraps around
        high = (self.integers >> np.uint64(32)).sum(axis=1) + (low >> np.uint64(32))
        exact = (high == TICKS) & (low % np.uint64(TICKS) == 0)
        check(bool(exact.all()), "every row of a table sums to 2^64")
        check(len(self.decode) in (0, symbols), "a table decodes all of its symbols or none")

    @property
    def span(self) -> int:
        return (len(self.rows) - 1) * TICKS

    @property
    def cells(self) -> int:
        return len(self.rows[0])

    def epsilon_bound(self) -> Fraction:
        """A proven upper bound on ε, from the integers."""
        above, below = self.integers.max(axis=0).tolist(), self.integers.min(axis=0).tolist()
        largest, smallest = above[0], below[0]
        for high, low in zip(above, below, strict=True):
            if high * smallest > largest * low:
                largest, smallest = high, low
        return log_above(Fraction(largest, smallest))

    @cached_property
    def integers(self) -> NDArray[np.uint64]:
        """The law as 64-bit words: ``(G, L)``."""
        return np.array(self.rows, dtype=np.uint64)

    @cached_property
    def probabilities(self) -> NDArray[np.float64]:
        """The law as floats, for debiasing and simulation: ``(G, L)``."""
        return self.integers / float(ONE)

    def shares(self, counts: NDArray[np.int64], reports: int) -> NDArray[np.float64]:
        """Unbiased shares of the users at each node, when nodes are categories."""
        return np.asarray(np.linalg.solve(self.probabilities.T, counts / reports))

    def variance(self, positions: NDArray[np.float64]) -> NDArray[np.float64]:
        """Variance of one decoded report at true positions in [0, 1], rounding to nodes included."""
        values = np.asarray(self.decode)
        second = self.probabilities @ values**2
        at = np.linspace(0.0, 1.0, len(self.rows))
        return np.asarray(np.interp(positions, at, second) - np.interp(positions, at, self.probabilities @ values) ** 2)

    def valid(self, symbols: NDArray[np.int64]) -> bool:
        return bool(((symbols >= 0) & (symbols < self.cells)).all())

    def pack(self, symbols: NDArray[np.int64]) -> NDArray[np.uint8]:
        return symbols.astype(np.uint8)

    def unpack(self, payload: NDArray[np.uint8]) -> NDArray[np.int64]:
        return payload.astype(np.int64)

    def accumulate(self, symbols: NDArray[np.int64]) -> list[int]:
        """Reports of each symbol."""
        counts: list[int] = np.bincount(symbols[:, 0], minlength=self.cells).tolist()
        return counts

    def impossible(self, reports: NDArray[Any], cells: NDArray[Any]) -> str | None:
        """Why no answers add up to this tally, or None: every answer is one symbol."""
        return impossible_counts(reports, cells, total=1)

    def marginals(self, value: int) -> NDArray[np.float64]:
        """The chance of each symbol at an input, rounding to nodes included."""
        node, rest = divmod(value, TICKS)
        ends = self.rows[node], self.rows[min(node + 1, len(self.rows) - 1)]
        return np.array([(low * (TICKS - rest) + high * rest) / (ONE * TICKS) for low, high in zip(*ends, strict=True)])

    def observed(self, value: int, symbols: NDArray[np.int64]) -> NDArray[np.int64]:
        """How often each event of `marginals` happened."""
        return np.array(self.accumulate(symbols), dtype=np.int64)

    def log_likelihoods(self, symbol: NDArray[np.int64], own: int) -> NDArray[np.float64]:
        """Log-likelihood of a symbol at every node, less that at the own input: the extremes are at nodes."""
        chances = self.probabilities[:, int(symbol[0])]
        return np.asarray(np.log(chances / np.interp(own, np.arange(len(chances)) * self.unit, chances)))

    def expected_cells(self, inputs: NDArray[np.int64]) -> list[int]:
        """A tally without chance: what users with these inputs send on average, rounded to a possible count."""
        nodes, rests = np.divmod(np.asarray(inputs, dtype=np.int64), TICKS)
        held = np.bincount(nodes, weights=1 - rests / TICKS, minlength=len(self.rows))
        held += np.bincount(nodes + 1, weights=rests / TICKS, minlength=len(self.rows) + 1)[: len(self.rows)]
        return apportioned(held @ self.probabilities, len(nodes))

    @property
    def fact(self) -> Fact:
        """What a device does with its input, to its owner."""
        if self.cells == 2:
            return Fact("channel-coin", least=self.probabilities[0, 1], most=self.probabilities[-1, 1])
        epsilon = float(self.epsilon_bound())
        return Fact("channel-table", symbols=self.cells, epsilon=epsilon, times=math.exp(epsilon))


def apportioned(expected: NDArray[np.float64], total: int) -> list[int]:
    """Whole numbers near the expected ones that add up to `total`: all rounded down, the largest remainders up."""
    whole = np.floor(expected).astype(np.int64)
    short = total - int(whole.sum())
    whole[np.argsort(whole - expected, kind="stable")[:short]] += 1
    return [int(count) for count in whole]
