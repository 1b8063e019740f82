"""Limits that hold at least as often as they say: of rates behind counts, and of the mean behind a table's symbols.

Tails of binomial laws by Peizer and Pratt (1968), to three digits from one report on; scipy's would be as exact, and
load for longer than all of this takes. Limits are those of Clopper and Pearson: they hold at least as often as they
say, and also when every user has a rate of their own (Hoeffding 1956).
"""

from __future__ import annotations

from dataclasses import dataclass

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


# An interval for the mean of positions that holds whatever the users are, from counts of a table's symbols.
#
# A mean is kept when the value lies within so many standard deviations of it, the deviation being that of users with
# *this* mean: as much as the reports show, plus what users too few to show would add at the far end (that is how
# another mean could hide behind the same reports), and never more than users of that mean can differ. Half a report is
# allowed for on top, since counts are whole. With fewer than `ENOUGH_TO_SHOW` reports users are taken to differ as much
# as they can. Measured for points, two ends and uniform users, ε .5 to 16: covers 94.8 % or more at 95 % from two users
# on.

ENOUGH_TO_SHOW = 20
"""Reports from which their own variance is used."""
_BISECTIONS = 52


@dataclass(frozen=True, kw_only=True)
class _Moments:
    """Second moments of a report of one table: at each node, and the largest of any users with a given mean."""

    nodes: Floats
    second: Floats
    hull: NDArray[np.intp]

    def at(self, places: Floats) -> Floats:
        return np.interp(places, self.nodes, self.second)

    def most(self, means: Floats) -> Floats:
        return np.interp(means, self.nodes[self.hull], self.second[self.hull])


def _moments(channel: Table) -> _Moments:
    second = channel.probabilities @ np.asarray(channel.decode) ** 2
    hull: list[int] = []  # nodes are evenly spaced: a node below the line between its neighbours goes
    for node in range(len(second)):
        while len(hull) > 1:
            before, last = hull[-2], hull[-1]
            if (second[last] - second[before]) * (node - last) > (second[node] - second[last]) * (last - before):
                break
            hull.pop()
        hull.append(node)
    return _Moments(nodes=np.linspace(0.0, 1.0, len(second)), second=second, hull=np.array(hull))


def guaranteed_interval(channel: Table, cells: tuple[int, ...], reports: int, confidence: float) -> tuple[float, float]:
    """Ends on [0, 1] around the unbiased mean of the positions, itself first moved into [0, 1] if it lies outside."""
    low, high = guaranteed_intervals(channel, np.array([cells]), np.array([reports]), confidence)
    return float(low[0]), float(high[0])


def guaranteed_intervals(
    channel: Table, cells: Integers, reports: Integers, confidence: float
) -> tuple[Floats, Floats]:
    """Guaranteed intervals of several groups at once: cells ``(groups, symbols)``, each with its own reports."""
    counts, values, count = cells.astype(np.float64), np.asarray(channel.decode), reports.astype(np.float64)
    mean = counts @ values / count
    value = np.clip(mean, 0.0, 1.0)
    moments = _moments(channel)
    measured = (counts @ values**2 / count - mean**2) * count / np.maximum(count - 1, 1)
    least = np.maximum(measured, moments.at(value) - value**2)
    shown = np.where(count >= ENOUGH_TO_SHOW, least, np.inf)
    z = two_sided(confidence)

    def outermost(end: float) -> Floats:
        whole = np.full_like(value, end)
        room = np.maximum(np.abs(end - value), 1e-300)
        more = moments.at(whole) - moments.at(value)

        def kept(candidate: Floats) -> Flags:
            apart = np.abs(candidate - value)
            seen = np.maximum(0.0, shown + more * apart / room - candidate**2 + value**2)
            variance = np.minimum(moments.most(candidate) - candidate**2, seen)
            return np.asarray(count * np.maximum(0.0, apart - 0.5 / count) ** 2 <= z**2 * variance)

        there = (value == end) | kept(whole)
        inside, outside = value, whole  # what is kept is one stretch: the condition is convex on either side
        for _ in range(0 if there.all() else _BISECTIONS):
            middle = (inside + outside) / 2
            held = kept(middle)
            inside, outside = np.where(held, middle, inside), np.where(held, outside, middle)
        return np.asarray(np.where(there, whole, outside))

    return outermost(0.0), outermost(1.0)
