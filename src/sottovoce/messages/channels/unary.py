"""`unary`: K bits, the bits near the own index are hot, each bit is flipped on its own."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages.channels.counting import impossible_counts
from sottovoce.messages.channels.table import ONE
from sottovoce.messages.codec import Big
from sottovoce.messages.exact import log_above
from sottovoce.messages.facts import Fact
from sottovoce.messages.limits import MAX_ITEMS, check


@dataclass(frozen=True, kw_only=True)
class Unary:
    """Index j lights bits ``j − reach … j + reach`` (inside 0 … K−1); each bit is kept with ``threshold / 2^64``.

    `reach` 0 is the paper's vote for one bin (L413), `reach` 1 its vote for three bins (L1707).

    Privacy
    -------
    Two indices disagree in at most ``2·(2·reach + 1)`` bits, fewer where K is small; every bit in which they
    disagree costs ln(threshold / (2^64 − threshold)), the others nothing.
    """

    kind: ClassVar[str] = "unary"
    categorical: ClassVar[bool] = True
    positional: ClassVar[bool] = False
    exclusive: ClassVar[bool] = False
    unit: ClassVar[int] = 1

    items: int
    reach: int
    threshold: Big

    def __post_init__(self) -> None:
        check(1 <= self.items <= MAX_ITEMS, f"a unary channel has 1 to {MAX_ITEMS} items")
        check(0 <= self.reach <= 8, "a unary channel reaches 0 to 8 items to each side")
        check(ONE // 2 <= self.threshold < ONE, "the keep threshold lies between 2^63 and 2^64")

    @property
    def span(self) -> int:
        return self.items - 1

    @property
    def width(self) -> int:
        return self.items

    @property
    def cells(self) -> int:
        return self.items

    @property
    def payload_bytes(self) -> int:
        return -(-self.items // 8)

    def disagreements(self) -> int:
        """The largest number of bits in which the hot sets of two indices differ."""
        if self.items >= 2 * (2 * self.reach + 1):
            return 2 * (2 * self.reach + 1)
        hot = self.hot(np.arange(self.items))
        return int((hot[:, None, :] != hot[None, :, :]).sum(axis=2).max())

    def epsilon_bound(self) -> Fraction:
        """A proven upper bound on ε, from the integers."""
        differing = self.disagreements()
        return differing * log_above(Fraction(self.threshold, ONE - self.threshold)) if differing else Fraction(0)

    def hot(self, indices: NDArray[np.int64]) -> NDArray[np.bool_]:
        """The bits before they are flipped: ``(n, K)``."""
        return np.asarray(np.abs(np.arange(self.items)[None, :] - np.asarray(indices)[:, None]) <= self.reach)

    @property
    def keep(self) -> float:
        """ω in the paper: the probability that a bit is sent as it is."""
        return self.threshold / ONE

    def shares(self, counts: NDArray[np.int64], reports: int) -> NDArray[np.float64]:
        """Unbiased shares of the users whose bit is hot."""
        return np.asarray((counts / reports - (1 - self.keep)) / (2 * self.keep - 1))

    def share_variance(self, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        """Variance of one report's contribution to each share."""
        rate = (1 - self.keep) + (2 * self.keep - 1) * shares
        return np.asarray(rate * (1 - rate) / (2 * self.keep - 1) ** 2)

    def valid(self, symbols: NDArray[np.int64]) -> bool:
        return bool(((symbols == 0) | (symbols == 1)).all())

    def pack(self, symbols: NDArray[np.int64]) -> NDArray[np.uint8]:
        return np.packbits(symbols.astype(np.uint8), axis=-1)

    def unpack(self, payload: NDArray[np.uint8]) -> NDArray[np.int64]:
        bits = np.unpackbits(np.ascontiguousarray(payload), axis=-1)
        check(not bits[..., self.items :].any(), "padding bits of a unary report are zero")
        return bits[..., : self.items].astype(np.int64)

    def accumulate(self, symbols: NDArray[np.int64]) -> list[int]:
        """Reports in which each bit is set."""
        counts: list[int] = symbols.sum(axis=0).tolist()
        return counts

    def impossible(self, reports: NDArray[Any], cells: NDArray[Any]) -> str | None:
        """Why no answers add up to this tally, or None: every answer sets a bit or not."""
        return impossible_counts(reports, cells, total=None)

    def gap_variance(self, first: float, second: float) -> float:
        """Variance of one report's contribution to the difference of two shares: a user is in one of them at most."""
        first = min(1.0, max(0.0, first))
        second = min(1 - first, max(0.0, second))
        apart = float(self.share_variance(np.array([first, second])).sum())
        return apart + 2 * first * second  # bits are independent given the index: only membership is shared

    def marginals(self, value: int) -> NDArray[np.float64]:
        """The chance that each bit is set, when `value` is the own index."""
        return np.where(self.hot(np.array([value]))[0], self.keep, 1 - self.keep)

    def observed(self, value: int, symbols: NDArray[np.int64]) -> NDArray[np.int64]:
        """How often each event of `marginals` happened."""
        return np.array(self.accumulate(symbols), dtype=np.int64)

    def log_likelihoods(self, symbol: NDArray[np.int64], own: int) -> NDArray[np.float64]:
        """Log-likelihood of the bits from every index, less that from the own one."""
        agree = self._near(2 * symbol - 1)  # up to a constant, the bits that agree with the hot ones of an index
        return np.asarray(math.log(self.threshold / (ONE - self.threshold)) * (agree - agree[own]))

    def expected_cells(self, inputs: NDArray[np.int64]) -> list[int]:
        """A tally without chance: what users with these inputs send on average, rounded to a possible count."""
        held = np.bincount(np.asarray(inputs, dtype=np.int64), minlength=self.items)
        expected = len(inputs) * (1 - self.keep) + (2 * self.keep - 1) * self._near(held)
        return [int(count) for count in np.rint(expected)]

    def _near(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """At every index the sum of the values that it lights."""
        sums = np.concatenate(([0], np.cumsum(values)))
        index, reach = np.arange(self.items), self.reach
        return np.asarray(sums[np.minimum(index + reach + 1, self.items)] - sums[np.maximum(index - reach, 0)])

    @property
    def fact(self) -> Fact:
        """What a device does with its input, to its owner."""
        return Fact("channel-unary", items=self.items, reach=self.reach, chance=1 - self.keep)
