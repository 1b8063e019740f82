"""The little statistics that every interval needs."""

from __future__ import annotations

import math


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
