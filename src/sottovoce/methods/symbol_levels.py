"""How many levels a mean is asked for with, and how many bins a quantile: plain arithmetic, before anyone is asked."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sottovoce.design import subset
from sottovoce.messages import exact
from sottovoce.methods.ratios import report_covariance

Floats = NDArray[np.float64]
LEVELS = (2, 3, 4, 5, 6, 8)
"""Looked at for a mean: fewer are heard better through noise, more are rounded to with less."""
PLACES = (0.2, 0.35, 0.5, 0.65, 0.8)
"""Where users may be in the range, when nobody says; each counts alike."""
ASSUMED_SPREAD = 0.1
"""How much their averages differ, as a part of the range."""
FEWEST_BINS, MOST_BINS = 8, 32


@lru_cache(maxsize=256)
def best_levels(epsilon: float, copies: int, share: float) -> int:
    """The number of levels with the least predicted variance; `copies` is how many groups share one alphabet."""
    return min(LEVELS, key=lambda levels: mean_variance(levels, epsilon, copies, share))


@lru_cache(maxsize=1024)
def mean_variance(levels: int, epsilon: float, copies: int, share: float, spread: float = ASSUMED_SPREAD) -> float:
    """Of what one report says of a group's mean, as a part of the range: on average over places.

    `share` of the users have something in the group.
    """
    values = np.linspace(0.0, 1.0, levels)
    found = []
    for place in PLACES:
        law = _rounded(np.clip(place + spread * np.array([-1.5, -0.5, 0.5, 1.5]) / 1.118, 0.0, 1.0), levels)
        found.append(contrast_variance(values - float(law @ values), law, epsilon, copies, share))
    return float(np.mean(found)) / share**2


def contrast_variance(weights: Floats, law: Floats, epsilon: float, copies: int, share: float) -> float:
    """Of a weighted sum over one group's symbols, as one report says it; `law` is that of users in the group."""
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
