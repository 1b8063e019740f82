"""From counts of bins to a range: which bins hold more users than chance explains."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sottovoce.answers import two_sided
from sottovoce.methods import Floats, Shares, binomial_surprise

FALSE_ALARM = 1e-3
"""The chance that any bin without users counts as one with some, over all tests of a survey."""
RUNS = (1, 2, 4)
"""How many neighbouring bins are looked at together: users who are spread over several are hardly seen in one."""
SURE = 3.1
"""Standard errors from which on users without data are taken to be there."""
ON = 1.3
"""Standard errors above chance at which a bin next to the found ones, or that and the next, belong to them."""
MIRRORED = 1.3
"""Standard errors above chance at which bins of the other sign, mirrored, belong to the found ones."""
Places = NDArray[np.int64]


@lru_cache(maxsize=8)
def looked_at(bins: int) -> tuple[Places, ...]:
    """The sets of bins that are tested, small ones first: neighbours, then the same of both signs together."""
    return tuple(_sets(bins))


def _sets(bins: int) -> Iterator[Places]:
    for length in RUNS:
        for first in range(bins - length + 1):
            yield np.arange(first, first + length)
    for length in RUNS:
        for first in range(bins // 2 + 1, bins - length + 1):
            above = np.arange(first, first + length)
            yield np.concatenate((bins - 1 - above[::-1], above))


@dataclass(frozen=True, kw_only=True)
class Hull:
    """From bin `first` to bin `last`, both counted from the lowest."""

    first: int
    last: int

    def nothing_but_zero(self, bins: int) -> bool:
        """Whether the bin around zero is all there is."""
        return self.first == self.last == bins // 2


def threshold(bins: int) -> float:
    """Normal deviations above chance at which a set of bins holds somebody."""
    return two_sided(1 - 2 * FALSE_ALARM / len(looked_at(bins)))


def without_data(shares: Shares) -> float:
    """What users without data add to the share of every bin: they answer with one at random.

    The median bin hardly ever holds anybody else, so its share is theirs. Nothing where that may be chance, in all but
    one of a thousand surveys: the median of normal numbers has π/2 times the variance of their mean.
    """
    middle = float(np.median(shares.share))
    return middle if middle > SURE * math.sqrt(math.pi / 2 * shares.empty_variance / shares.bins) else 0.0


def above_chance(shares: Shares) -> Hull | None:
    """From the lowest to the highest bin that holds users, as far as these reports tell; None where they tell nothing.

    A bin without users is in a report with the chance `other`, or a little more where users without data answer with
    any bin, whoever the users are: its count is binomial. Counts of several bins of one report hinder each other, so
    their sum is at most as spread as if every one were independent.
    """
    chance = shares.other + (shares.own - shares.other) * without_data(shares)
    sets = looked_at(shares.bins)
    seen = np.array([shares.counts[places].sum() for places in sets], dtype=np.int64)
    lengths = np.array([len(places) for places in sets])
    above = binomial_surprise(seen, lengths * shares.reports, chance) > threshold(shares.bins)
    held = np.zeros(shares.bins, dtype=bool)
    for places in (places for places, some in zip(sets, above, strict=True) if some):
        held[places] |= not held[places].any()  # what is above chance because of a part of it says no more
    if not held.any():
        return None
    first, last = (int(place) for place in np.flatnonzero(held)[[0, -1]])
    found = Hull(first=first, last=last)
    return found if found.nothing_but_zero(shares.bins) else _farther(shares, _mirrored(shares, found))


def _mirrored(shares: Shares, hull: Hull) -> Hull:
    """With the other sign, where there are users as well: half of those who are spread around zero may go unseen."""
    there = np.arange(shares.bins - 1 - hull.last, shares.bins - hull.first)
    there = there[(there < hull.first) | (there > hull.last)]
    if not len(there) or not _holds(shares, there, MIRRORED):
        return hull
    return Hull(first=min(hull.first, int(there[0])), last=max(hull.last, int(there[-1])))


def _farther(shares: Shares, hull: Hull) -> Hull:
    """As far outward as the next bin, or that and the one after, is above chance."""
    first, last, most = hull.first, hull.last, shares.bins - 1
    while first > 0 and any(_holds(shares, np.arange(max(0, first - step), first), ON) for step in (1, 2)):
        first -= 1
    while last < most and any(_holds(shares, np.arange(last + 1, min(most, last + step) + 1), ON) for step in (1, 2)):
        last += 1
    return Hull(first=first, last=last)


def _holds(shares: Shares, places: Places, errors: float) -> bool:
    above = float(shares.share[places].sum()) - len(places) * without_data(shares)
    return above > errors * math.sqrt(len(places) * shares.empty_variance)


def outside(shares: Shares, hull: Hull) -> tuple[float, float]:
    """The share who are not in these bins, of the users who have data, and its standard error."""
    weights: Floats = np.ones(shares.bins)
    weights[hull.first : hull.last + 1] = 0.0
    nothing = without_data(shares)
    there = max(1 / shares.reports, 1 - nothing * shares.bins)
    away, error = float(shares.share @ weights), float(np.sqrt(shares.variance(weights)))
    return (away - nothing * float(weights.sum())) / there, error / there
