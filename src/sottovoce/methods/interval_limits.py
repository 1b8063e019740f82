"""Limits that hold at least as often as they say: of rates behind counts, and of the mean behind a table's symbols.

Tails of binomial laws by Peizer and Pratt (1968), to three digits from one report on; scipy's would be as exact, and
load for longer than all of this takes. Limits are those of Clopper and Pearson: they hold at least as often as they
say, and also when every user has a rate of their own (Hoeffding 1956).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sottovoce.answers import two_sided
from sottovoce.messages import Flags, Floats, Integers, Table

# Limits for the rates behind counts, right for rare ones too.

_HALVINGS = 60


def binomial_limits(counts: Integers, reports: Integers | int, errors: float) -> tuple[Floats, Floats]:
    """The lowest and the highest rate that explain each count, each but for the tail beyond so many standard errors."""
    seen = np.asarray(counts, dtype=np.float64)
    low = _solved(np.maximum(seen - 1, 0.0), reports, errors)
    high = _solved(np.minimum(seen, reports - 1.0), reports, -errors)
    return np.where(seen > 0, low, 0.0), np.where(seen < reports, high, 1.0)


def binomial_surprise(counts: Integers, reports: Integers | int, rate: float) -> Floats:
    """How surprising so many or more are at a rate: beyond so many standard errors, the lower limit is above it."""
    seen = np.asarray(counts, dtype=np.float64)
    deviations = _deviation(np.maximum(seen - 1, 0.0), reports, np.full_like(seen, rate))
    return np.asarray(np.where(seen > 0, deviations, -np.inf))


def _solved(counts: Floats, reports: Integers | int, wanted: float) -> Floats:
    """The rate at which so many or fewer are `wanted` normal deviations likely: fewer are likelier at lower rates."""
    low, high = np.zeros_like(counts), np.ones_like(counts)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        below = _deviation(counts, reports, middle) > wanted
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return np.asarray((low + high) / 2)


def _deviation(counts: Floats, reports: Integers | int, rate: Floats) -> Floats:
    """The z with P(X ≤ counts) = P(N(0, 1) ≤ z) for X of a binomial law, 0 ≤ counts < reports."""
    some, others = counts + 0.5, reports - counts - 0.5
    rate = np.clip(rate, 1e-300, 1 - 1e-16)
    apart = counts + 2 / 3 - (reports + 1 / 3) * rate
    apart += 0.02 * ((1 - rate) / (counts + 1) - rate / (reports - counts) + (0.5 - rate) / (reports + 1))
    mean = reports * rate
    gain = some * np.log(some / mean) + others * np.log(others / (reports * (1 - rate)))
    near = np.abs(some - mean) < 1e-9 * reports
    scale = np.sqrt(np.maximum(0.0, 2 / (1 + 1 / (6 * reports)) * gain)) / np.where(near, 1.0, np.abs(some - mean))
    return np.asarray(apart * np.where(near, 1 / np.sqrt(reports * rate * (1 - rate) + 1e-300), scale))


# An interval for the mean of positions that holds whatever the users are, from counts of a table's symbols; and for the
# mean of any other function of the position that never falls, from a decoding that is unbiased for it at each node.
#
# A mean is kept when the value lies within so many standard deviations of it, the deviation being that of users with
# *this* mean: as much as the reports show, plus what users too few to show would add at the far end (that is how
# another mean could hide behind the same reports), and never more than users of that mean can differ. Half a report is
# allowed for on top, since counts are whole. With fewer than `ENOUGH_TO_SHOW` reports users are taken to differ as much
# as they can. Measured for points, two ends and uniform users, ε .5 to 16: covers 94.8 % or more at 95 % from two users
# on.

ENOUGH_TO_SHOW = 20
"""Reports from which their own variance is used."""
SAME = 1e-9
"""Of the range of a decoding: means of nodes that lie no farther apart are one."""
EXACT, NEAR = 52, 28
"""How often a limit is halved: to the last digit, or to a hundred-millionth of what a decoding spans."""


@dataclass(frozen=True, kw_only=True)
class Moments:
    """What a decoding of one table gives on average, at each node: its mean and its second moment.

    `values` increase and `second` are in their order; where nodes have the same mean, the larger second moment stands.
    """

    values: Floats
    second: Floats

    @classmethod
    def of(cls, values: Floats, second: Floats) -> Moments:
        """From means that never fall from node to node."""
        order = np.flatnonzero(np.append(np.diff(values) > SAME * (values[-1] - values[0]), True))
        first = np.concatenate(([0], order[:-1] + 1))
        return cls(values=values[order], second=np.maximum.reduceat(second, first))

    @cached_property
    def hull(self) -> NDArray[np.intp]:
        """The nodes between which users of a given mean can differ most."""
        values, second, hull = self.values, self.second, list[int]()
        for node in range(len(values)):
            while len(hull) > 1:
                before, last = hull[-2], hull[-1]
                rise = (second[last] - second[before]) * (values[node] - values[last])
                if rise > (second[node] - second[last]) * (values[last] - values[before]):
                    break
                hull.pop()
            hull.append(node)
        return np.array(hull)

    def at(self, places: Floats) -> Floats:
        """The second moment of users who are all at one place."""
        return np.interp(places, self.values, self.second)

    def variance(self, mean: Floats, squares: Floats, reports: Floats) -> Floats:
        """The variance that reports show, from the mean and the mean square of what they decode to.

        Never less than that of users who are all at one place.
        """
        inside = np.clip(mean, self.values[0], self.values[-1])
        shown = (squares - mean**2) * reports / np.maximum(reports - 1, 1)
        least = np.maximum(shown, self.at(inside) - inside**2)
        return np.where(reports >= ENOUGH_TO_SHOW, least, np.inf)

    def limit(
        self,
        mean: Floats,
        squares: Floats,
        reports: Floats,
        z: float,
        *,
        upward: bool,
        spare: float = 0.0,
        halvings: int = EXACT,
    ) -> Floats:
        """The farthest mean, upward or downward, that explains what reports decode to.

        What decodes to a mean beyond the other end is as far off as that end, and farther by `spare` standard errors at
        most: the farther, the narrower the interval, which must not shrink to a point.
        """
        first, last = float(self.values[0]), float(self.values[-1])
        end = last if upward else first
        value = np.clip(mean, first, last)
        shown = self.variance(mean, squares, reports)
        whole = np.full_like(value, end)
        room = np.maximum(np.abs(end - value), 1e-300)
        more = self.at(whole) - self.at(value)
        half_a_report = 0.5 / reports * (last - first)
        most = self.values[self.hull], self.second[self.hull]
        error = np.where(np.isfinite(shown), np.sqrt(np.minimum(shown, 1e300) / reports), 0.0)
        beyond = np.clip(first - mean if upward else mean - last, 0.0, spare * error)

        def kept(candidate: Floats) -> Flags:
            apart = np.abs(candidate - value)
            seen = np.maximum(0.0, shown + more * apart / room - candidate**2 + value**2)
            variance = np.minimum(np.interp(candidate, *most) - candidate**2, seen)
            return np.asarray(reports * np.maximum(0.0, apart + beyond - half_a_report) ** 2 <= z**2 * variance)

        there = (value == end) | kept(whole)
        inside, outside = value, whole  # what is kept is one stretch: the condition is convex on either side
        for _ in range(0 if there.all() else halvings):
            middle = (inside + outside) / 2
            held = kept(middle)
            inside, outside = np.where(held, middle, inside), np.where(held, outside, middle)
        return np.asarray(np.where(there, whole, outside))


def guaranteed_interval(channel: Table, cells: tuple[int, ...], reports: int, confidence: float) -> tuple[float, float]:
    """Ends on [0, 1] around the unbiased mean of the positions, itself first moved into [0, 1] if it lies outside."""
    low, high = guaranteed_intervals(channel, np.array([cells]), np.array([reports]), confidence)
    return float(low[0]), float(high[0])


def guaranteed_intervals(
    channel: Table, cells: Integers, reports: Integers, confidence: float
) -> tuple[Floats, Floats]:
    """Guaranteed intervals of several groups at once: cells ``(groups, symbols)``, each with its own reports."""
    counts, values, count = cells.astype(np.float64), np.asarray(channel.whole), reports.astype(np.float64)
    mean, squares, z = counts @ values / count, counts @ values**2 / count, two_sided(confidence)
    places = np.linspace(0.0, 1.0, len(channel.rows))
    moments = Moments(values=places, second=channel.probabilities @ values**2)
    low, high = (moments.limit(mean, squares, count, z, upward=upward) for upward in (False, True))
    return low, high
