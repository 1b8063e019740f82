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
from functools import cached_property, lru_cache

import numpy as np

from sottovoce.design import subset
from sottovoce.messages import Floats, Integers, Subset, exact
from sottovoce.risk import ASSUMED_SPREAD

AT_AN_END = 1
"""Users that variances count besides, at each end. With half a report, one is as good as Agresti and Coull's two."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SymbolCounts:
    """How many reports hold each symbol."""

    channel: Subset
    counts: Integers
    reports: int

    @cached_property
    def share(self) -> Floats:
        """Unbiased shares of the users with each symbol."""
        return self.channel.shares(self.counts, self.reports)

    @cached_property
    def held(self) -> Floats:
        """Shares that users could have, nearest to those found: for variances."""
        inside = np.clip(self.share, 0.0, 1.0)
        return np.asarray(inside / inside.sum()) if inside.sum() > 0 else np.full(len(inside), 1 / len(inside))

    @property
    def half(self) -> float:
        """What half a report more or less changes of a share."""
        own, other = self.channel.inclusion
        return 0.5 / (self.reports * (own - other))

    def with_more(self, *places: int) -> Floats:
        """Shares with `AT_AN_END` users more at each of some places."""
        more = np.bincount(places, minlength=len(self.held)) * (AT_AN_END / self.reports)
        return np.asarray((self.held + more) / (1 + more.sum()))

    def covariance(self, first: Floats, second: Floats, held: Floats | None = None) -> float:
        """The covariance of two weighted sums of the shares, for users who are `held` so."""
        shares = self.held if held is None else held
        return report_covariance(self.channel, shares, first, second) / self.reports


def report_covariance(channel: Subset, held: Floats, first: Floats, second: Floats) -> float:
    """The covariance of what one report says of two weighted sums of shares, for users drawn from `held`.

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
    covariance = float(products @ rate) + both - float(first @ rate) * float(second @ rate)
    return covariance / (own - other) ** 2


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
    def of(cls, symbols: SymbolCounts, above: Floats, below: Floats) -> Ratio:
        """The ratio of two weighted sums of shares; the second is of those in the group, each with the weight 1."""
        members = np.flatnonzero(below)
        held = symbols.with_more(int(members[np.argmin(above[members])]), int(members[np.argmax(above[members])]))
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
        """The variance of A − θW."""
        return self.above_variance - 2 * theta * self.covariance + theta**2 * self.below_variance

    @property
    def standard_error(self) -> float:
        """The standard error of the ratio, where W is well above zero."""
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


# How many levels a mean is asked for with, and how many bins a quantile: plain arithmetic, before anyone is asked.

LEVELS = (2, 3, 4, 5, 6, 8)
"""Looked at for a mean: fewer are heard better through noise, more are rounded to with less."""
PLACES = (0.2, 0.35, 0.5, 0.65, 0.8)
"""Where users may be in the range, when nobody says; each counts alike."""
FEWEST_BINS, MOST_BINS = 8, 32


@lru_cache(maxsize=256)
def best_levels(epsilon: float, copies: int, share: float) -> int:
    """The number of levels with the least predicted variance; `copies` is how many groups share one alphabet."""
    return min(LEVELS, key=lambda levels: mean_variance(levels, epsilon, copies, share))


@lru_cache(maxsize=1024)
def mean_variance(levels: int, epsilon: float, copies: int, share: float, spread: float = ASSUMED_SPREAD) -> float:
    """The variance of what one report says of a group's mean, as a part of the range: on average over places.

    `share` of the users have something in the group.
    """
    values = np.linspace(0.0, 1.0, levels)
    variances = []
    for place in PLACES:
        law = _rounded(np.clip(place + spread * np.array([-1.5, -0.5, 0.5, 1.5]) / 1.118, 0.0, 1.0), levels)
        variances.append(contrast_variance(values - float(law @ values), law, epsilon, copies, share))
    return float(np.mean(variances)) / share**2


def contrast_variance(weights: Floats, law: Floats, epsilon: float, copies: int, share: float) -> float:
    """The variance of a weighted sum over a group's symbols in one report; `law` is that of users in the group."""
    size = len(law)
    full, held = np.zeros(copies * size + 1), np.zeros(copies * size + 1)
    full[:size] = weights
    held[: copies * size] = np.tile(law * share, copies)
    held[-1] = max(0.0, 1 - copies * share)
    held /= held.sum()
    return report_covariance(subset(exact(epsilon), len(held)), held, full, full)


def default_bins(epsilon: float, reports: float, share: float) -> int:
    """More bins show a finer curve through more noise."""
    law = np.full(FEWEST_BINS, 1 / FEWEST_BINS)
    half = np.where(np.arange(FEWEST_BINS) < FEWEST_BINS // 2, 0.5, -0.5)
    one = contrast_variance(half, law, epsilon, 1, share) / share**2
    return int(min(MOST_BINS, max(FEWEST_BINS, round((reports / one) ** (1 / 3)))))


def _rounded(places: Floats, levels: int) -> Floats:
    """The law of levels for users at these places, rounded at random to one of the two next."""
    at = places * (levels - 1)
    left = np.minimum(np.floor(at).astype(np.int64), levels - 2)
    law = np.zeros(levels)
    np.add.at(law, left, 1 - (at - left))
    np.add.at(law, left + 1, at - left)
    return np.asarray(law / len(places))
