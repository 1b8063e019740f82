"""Limits for the rates behind counts, right for rare ones too.

Tails of binomial laws by Peizer and Pratt (1968), to three digits from one report on; scipy's would be as exact, and
load for longer than all of this takes. Limits are those of Clopper and Pearson: they hold at least as often as they
say, and also when every user has a rate of their own (Hoeffding 1956).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_HALVINGS = 60


def binomial_limits(
    counts: NDArray[np.int64], reports: NDArray[np.int64] | int, errors: float
) -> tuple[Floats, Floats]:
    """The lowest and the highest rate that explain each count, each but for the tail beyond so many standard errors."""
    seen = np.asarray(counts, dtype=np.float64)
    low = _solved(np.maximum(seen - 1, 0.0), reports, errors)
    high = _solved(np.minimum(seen, reports - 1.0), reports, -errors)
    return np.where(seen > 0, low, 0.0), np.where(seen < reports, high, 1.0)


def binomial_surprise(counts: NDArray[np.int64], reports: NDArray[np.int64] | int, rate: float) -> Floats:
    """How surprising so many or more are at a rate: beyond so many standard errors, the lower limit is above it."""
    seen = np.asarray(counts, dtype=np.float64)
    found = _deviation(np.maximum(seen - 1, 0.0), reports, np.full_like(seen, rate))
    return np.asarray(np.where(seen > 0, found, -np.inf))


def _solved(counts: Floats, reports: NDArray[np.int64] | int, wanted: float) -> Floats:
    """The rate at which so many or fewer are `wanted` normal deviations likely: fewer are likelier at lower rates."""
    low, high = np.zeros_like(counts), np.ones_like(counts)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        below = _deviation(counts, reports, middle) > wanted
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return np.asarray((low + high) / 2)


def _deviation(counts: Floats, reports: NDArray[np.int64] | int, rate: Floats) -> Floats:
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
