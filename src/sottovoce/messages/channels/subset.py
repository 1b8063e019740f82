"""`subset`: report m of K items; the own item is among them with an exact probability."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages.channels.counting import impossible_counts
from sottovoce.messages.channels.table import ONE, apportioned
from sottovoce.messages.codec import Big
from sottovoce.messages.exact import log_above
from sottovoce.messages.facts import Fact
from sottovoce.messages.limits import MAX_ITEMS, check


@dataclass(frozen=True, kw_only=True)
class Subset:
    """Subset selection (Ye and Barg 2018): the own item is included with probability ``threshold / 2^64``.

    Given that, the other items are a uniformly random subset of the right size. With ``size = 1`` this is k-ary
    randomised response.

    Privacy
    -------
    A set S has probability p / C(K−1, m−1) from an item in S and (1−p) / C(K−1, m) from an item outside, so
    ε = |ln( p (K−m) / ((1−p) m) )|.
    """

    kind: ClassVar[str] = "subset"
    categorical: ClassVar[bool] = True
    positional: ClassVar[bool] = False
    exclusive: ClassVar[bool] = False
    unit: ClassVar[int] = 1

    items: int
    size: int
    threshold: Big

    def __post_init__(self) -> None:
        check(2 <= self.items <= MAX_ITEMS, f"a subset channel has 2 to {MAX_ITEMS} items")
        check(1 <= self.size < self.items, "a subset holds at least one item and not all")
        check(0 < self.threshold < ONE, "the inclusion threshold lies strictly between 0 and 2^64")

    @property
    def span(self) -> int:
        return self.items - 1

    @property
    def width(self) -> int:
        return self.size

    @property
    def cells(self) -> int:
        return self.items

    @property
    def payload_bytes(self) -> int:
        return 2 * self.size

    def epsilon_bound(self) -> Fraction:
        """A proven upper bound on ε, from the integers."""
        ratio = Fraction(self.threshold * (self.items - self.size), (ONE - self.threshold) * self.size)
        return log_above(max(ratio, 1 / ratio))

    @property
    def inclusion(self) -> tuple[float, float]:
        """Probability that a report holds item j: when j is the own item, and when it is not."""
        own = self.threshold / ONE
        return own, (self.size - own) / (self.items - 1)

    def shares(self, counts: NDArray[np.int64], reports: int) -> NDArray[np.float64]:
        """Unbiased shares of the users that hold each item."""
        own, other = self.inclusion
        return np.asarray((counts / reports - other) / (own - other))

    def share_variance(self, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        """Variance of one report's contribution to each share."""
        own, other = self.inclusion
        rate = other + (own - other) * shares
        return np.asarray(rate * (1 - rate) / (own - other) ** 2)

    def valid(self, symbols: NDArray[np.int64]) -> bool:
        """Strictly increasing items in range: one form for one set."""
        inside = ((symbols >= 0) & (symbols < self.items)).all()
        return bool(inside and (np.diff(symbols, axis=-1) > 0).all())

    def pack(self, symbols: NDArray[np.int64]) -> NDArray[np.uint8]:
        return np.ascontiguousarray(symbols, dtype=">u2").view(np.uint8)

    def unpack(self, payload: NDArray[np.uint8]) -> NDArray[np.int64]:
        return np.ascontiguousarray(payload).view(">u2").astype(np.int64)

    def accumulate(self, symbols: NDArray[np.int64]) -> list[int]:
        """Reports that hold each item."""
        counts: list[int] = np.bincount(symbols.ravel(), minlength=self.items).tolist()
        return counts

    def impossible(self, reports: NDArray[Any], cells: NDArray[Any]) -> str | None:
        """Why no answers add up to this tally, or None: every answer holds `size` items."""
        return impossible_counts(reports, cells, total=self.size)

    def gap_variance(self, first: float, second: float) -> float:
        """Variance of one report's contribution to the difference of two shares: a user is in one of them at most."""
        first = min(1.0, max(0.0, first))
        second = min(1 - first, max(0.0, second))
        apart = float(self.share_variance(np.array([first, second])).sum())
        own, other = self.inclusion
        mine = own * (self.size - 1) / (self.items - 1)  # both reported, by one who holds one of the two
        pairs = (self.items - 1) * max(1, self.items - 2)
        theirs = (own * (self.size - 1) * (self.size - 2) + (1 - own) * self.size * (self.size - 1)) / pairs
        both = (first + second) * mine + max(0.0, 1 - first - second) * theirs
        rates = [other + (own - other) * share for share in (first, second)]
        return max(1e-300, apart - 2 * (both - rates[0] * rates[1]) / (own - other) ** 2)

    def marginals(self, value: int) -> NDArray[np.float64]:
        """The chance that a report holds each item, when `value` is the own one."""
        own, other = self.inclusion
        return np.where(np.arange(self.items) == value, own, other)

    def observed(self, value: int, symbols: NDArray[np.int64]) -> NDArray[np.int64]:
        """How often each event of `marginals` happened."""
        return np.array(self.accumulate(symbols), dtype=np.int64)

    def log_likelihoods(self, symbol: NDArray[np.int64], own: int) -> NDArray[np.float64]:
        """Log-likelihood of a set from every item, less that from the own one."""
        odds = math.log(self.threshold * (self.items - self.size) / ((ONE - self.threshold) * self.size))
        inside = np.isin(np.arange(self.items), symbol).astype(np.int64)
        return np.asarray(odds * (inside - inside[own]))

    def expected_cells(self, inputs: NDArray[np.int64]) -> list[int]:
        """A tally without chance: what users with these inputs send on average, rounded to a possible count."""
        own, other = self.inclusion
        held = np.bincount(np.asarray(inputs, dtype=np.int64), minlength=self.items).astype(np.float64)
        return apportioned(len(inputs) * other + (own - other) * held, self.size * len(inputs))

    @property
    def fact(self) -> Fact:
        """What a device does with its input, to its owner."""
        return Fact("channel-subset", size=self.size, items=self.items, chance=self.inclusion[0])
