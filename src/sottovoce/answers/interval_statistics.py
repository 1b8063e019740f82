"""The little statistics that every interval needs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from sottovoce.messages import Interval

# Intervals that allow for users without data: how far one reaches.
#
# Let w be the share of the users without data, e what one of them counts as, and μ the truth among the others. What is
# observed is m = (1 − w)·μ + w·e, hence μ = e + (m − e)/(1 − w) (`mean_without_empty`), which is monotone in m, in e
# and, for given m and e, in w: its derivative in w is (m − e)/(1 − w)². So when [L, U] holds m, and e lies in [e₀,
# e₁], μ lies between the least and the largest of `mean_without_empty` at the corners (`interval_allowing_for_empty`),
# for every share w from 0 to w̄. Several rounds with weights that add up to one count an empty user as the same
# average of what each of them does, which lies between the least and the largest of these, whatever the weights.

Falls = Callable[[int], list[Interval | None]]
"""Of so many entries, between what and what a user without data counts in each; None where nothing is known."""
UNIT = (0.0, 1.0)
ROWS = ("intervals", "simultaneous", "model_intervals", "model_simultaneous")


def mean_without_empty(observed: float, empty: float, share: float) -> float:
    """The truth among users with data, when a `share` of the users without counts as `empty`."""
    return empty + (observed - empty) / (1 - share)


def interval_allowing_for_empty(interval: Interval, empty: Interval, at_most: float, within: Interval) -> Interval:
    """An interval for the truth among users with data, from one for all users: see above. It lies `within`."""
    lows = [interval[0], *(mean_without_empty(interval[0], one, at_most) for one in empty)]
    highs = [interval[1], *(mean_without_empty(interval[1], one, at_most) for one in empty)]
    return max(within[0], min(lows)), min(within[1], max(highs))


def intervals_allowing_for_empty(
    answer: Any, falls: Falls, at_most: float, within: Sequence[Interval]
) -> dict[str, Any]:
    """Every interval of an answer about several numbers, which lie `within`, for the truth among users with data."""
    rows = [(own or ends, ends) for own, ends in zip(falls(len(within)), within, strict=True)]
    return {
        name: tuple(
            interval_allowing_for_empty(one, own, at_most, ends) for one, (own, ends) in zip(pairs, rows, strict=True)
        )
        for name in ROWS
        if (pairs := getattr(answer, name))
    }


def two_sided(confidence: float) -> float:
    """The normal quantile of a two-sided interval."""
    from statistics import NormalDist  # costs 15 ms at import; most callers never ask

    return NormalDist().inv_cdf((1 + confidence) / 2)


def upper_quantile(chance: float) -> float:
    """What a standard normal exceeds with this chance."""
    from statistics import NormalDist

    return NormalDist().inv_cdf(1 - chance)


def upper_tail(z: float) -> float:
    """P(N(0, 1) > z)."""
    return 0.5 * math.erfc(z / math.sqrt(2))


def within(interval: tuple[float, float], low: float, high: float) -> tuple[float, float]:
    """The part of an interval inside the declared range.

    One that lies outside is first moved to the nearest end, so that it keeps half of its width: the truth is inside
    the range, hence never farther from the moved centre than from the old one.
    """
    half = (interval[1] - interval[0]) / 2
    centre = min(max(interval[0] + half, low), high)
    return max(low, min(interval[0], centre - half)), min(high, max(interval[1], centre + half))
