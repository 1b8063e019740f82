"""Ratios of shares: what users in a group say, over how many there are, from counts of subset selection.

Everything a group is asked for is a ratio A/W of two linear functions of the shares of symbols: W is the share of the
users who have something in the group. Its interval is Fieller's (1954): all θ for which A − θW is no farther from zero
than chance explains. That holds however small W is; where W itself may be zero, every θ is possible. Half a report is
allowed for on top, since counts are whole; and variances count a user more at either end of what is asked for, in the
manner of Agresti and Coull (1998): thirty who happen to be alike do not show that all others are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Subset

Floats = NDArray[np.float64]
AT_AN_END = 1
"""Users that variances count besides, at each end. With half a report, one is as good as Agresti and Coull's two."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Symbols:
    """How many reports hold each symbol."""

    channel: Subset
    counts: NDArray[np.int64]
    reports: int

    @cached_property
    def share(self) -> Floats:
        """Unbiased shares of the users with each symbol."""
        return self.channel.shares(self.counts, self.reports)

    @cached_property
    def held(self) -> Floats:
        """The same as shares that users could have: for variances."""
        inside = np.clip(self.share, 0.0, 1.0)
        return np.asarray(inside / inside.sum()) if inside.sum() > 0 else np.full(len(inside), 1 / len(inside))

    @property
    def half(self) -> float:
        """What half a report more or less changes of a share."""
        own, other = self.channel.inclusion
        return 0.5 / (self.reports * (own - other))

    def with_more(self, *places: int) -> Floats:
        """The same with `AT_AN_END` users more at each of some places."""
        more = np.bincount(places, minlength=len(self.held)) * (AT_AN_END / self.reports)
        return np.asarray((self.held + more) / (1 + more.sum()))

    def covariance(self, first: Floats, second: Floats, held: Floats | None = None) -> float:
        """Of two weighted sums of the shares, for users who are `held` so."""
        found = self.held if held is None else held
        return report_covariance(self.channel, found, first, second) / self.reports


def report_covariance(channel: Subset, held: Floats, first: Floats, second: Floats) -> float:
    """Of what one report says of two weighted sums of shares, for users drawn from `held`.

    Users who are who they are differ less than that, so a variance is never below the true one on average.
    """
    own, other = channel.inclusion
    size, items = channel.size, channel.items
    mine = own * (size - 1) / (items - 1)  # another symbol reported by one who has this one
    pairs = (items - 1) * max(1, items - 2)  # two symbols reported by one who has neither
    theirs = (size - 1) * (own * (size - 2) + (1 - own) * size) / pairs
    rate = other + (own - other) * held
    sums, products = (float(first.sum()), float(second.sum())), first * second
    both = theirs * (sums[0] * sums[1] - float(products.sum()))
    both += (mine - theirs) * (
        float(first @ held) * sums[1] + sums[0] * float(second @ held) - 2 * float(products @ held)
    )
    found = float(products @ rate) + both - float(first @ rate) * float(second @ rate)
    return found / (own - other) ** 2


@dataclass(frozen=True, kw_only=True)
class Ratio:
    """A/W with the covariances of both."""

    above: float
    below: float
    above_variance: float
    covariance: float
    below_variance: float
    half: float = 0.0
    """What half a report more or less would change of A."""

    @classmethod
    def of(cls, symbols: Symbols, above: Floats, below: Floats) -> Ratio:
        """Of two weighted sums of shares; the second is of those in the group, each with the weight 1."""
        own = np.flatnonzero(below)
        held = symbols.with_more(int(own[np.argmin(above[own])]), int(own[np.argmax(above[own])]))
        return cls(
            above=float(symbols.share @ above),
            below=float(symbols.share @ below),
            above_variance=symbols.covariance(above, above, held),
            covariance=symbols.covariance(above, below, held),
            below_variance=symbols.covariance(below, below, held),
            half=symbols.half,
        )

    @property
    def value(self) -> float:
        return self.above / self.below

    def sure(self, errors: float) -> bool:
        """Whether W is above zero by so many standard errors: else nothing can be said of the ratio."""
        return self.below > 0 and self.below**2 > errors**2 * self.below_variance

    def variance(self, theta: float) -> float:
        """Of A − θW."""
        return self.above_variance - 2 * theta * self.covariance + theta**2 * self.below_variance

    @property
    def standard_error(self) -> float:
        """Of the ratio, where W is well above zero."""
        return self._error / abs(self.below)

    @property
    def _error(self) -> float:
        return math.sqrt(max(0.0, self.variance(self.value)))

    def away(self, theta: float) -> float:
        """How many standard errors A − θW lies from zero, half a report allowed for."""
        apart = self.above - theta * self.below
        error = math.sqrt(max(1e-300, self.variance(theta)))
        return math.copysign(max(0.0, abs(apart) - self.half), apart) / error

    def interval(self, errors: float) -> tuple[float, float] | None:
        """All θ that are possible; None where all are."""
        if not self.sure(errors):
            return None
        square = errors**2
        most = self.above_variance + 2 * self.half * self._error / errors + (self.half / errors) ** 2
        a = self.below**2 - square * self.below_variance
        b = self.above * self.below - square * self.covariance
        c = self.above**2 - square * most
        root = math.sqrt(max(0.0, b**2 - a * c))
        return (b - root) / a, (b + root) / a
