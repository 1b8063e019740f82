"""Medians, quartiles, ratios of times that took turns, and exponents of growth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares


@dataclass(frozen=True)
class Spread:
    """A median between its quartiles."""

    low: float
    median: float
    high: float

    def __mul__(self, factor: float) -> Spread:
        return Spread(self.low * factor, self.median * factor, self.high * factor)


def spread(values: Sequence[float]) -> Spread:
    low, median, high = np.quantile(np.asarray(values, dtype=float), (0.25, 0.5, 0.75))
    return Spread(float(low), float(median), float(high))


def ratio(above: Sequence[float], below: Sequence[float], *, scale: float = 1.0) -> Spread:
    """How many times `above` is of `below`, turn by turn; `scale` brings both to the same amount of work."""
    pairs = zip(above, below, strict=True)
    return spread([scale * one / other for one, other in pairs])


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """The slope of log cost over log size, by least squares."""
    return float(np.polyfit(np.log(np.asarray(sizes, float)), np.log(np.asarray(costs, float)), 1)[0])


def growth(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """The power p of ``a + b·size^p`` that fits log cost best; the smallest size is there for `a`, what any size costs.

    Sizes at which hardly more than that is spent say little about p, and are given little to say.
    """
    size, cost = np.log(np.asarray(sizes, float)), np.asarray(costs, float)

    def away(tried: NDArray[np.float64]) -> NDArray[np.float64]:
        fixed, scale, power = tried
        return np.log(np.exp(fixed) + np.exp(scale + power * (size - size[-1]))) - np.log(cost)

    start = (np.log(cost[0] / 2), np.log(cost[-1] / 2), 1.0)
    return float(least_squares(away, start, bounds=((-50, -50, 0), (50, 50, 4))).x[2])
