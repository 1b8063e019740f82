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


def growth(sizes: Sequence[float], costs: Sequence[float], fixed: float) -> float:
    """The power p of ``fixed + b·size^p`` that fits log cost best.

    Sizes at which hardly more than `fixed` is spent say
    little about p, and are given little to say.
    """
    size, cost = np.log(np.asarray(sizes, float)), np.asarray(costs, float)
    most = max(float(cost[-1]) - fixed, float(cost[-1]) / 100)

    def away(tried: NDArray[np.float64]) -> NDArray[np.float64]:
        scale, power = tried
        return np.log(fixed + np.exp(scale + power * (size - size[-1]))) - np.log(cost)

    return float(least_squares(away, (np.log(most), 1.0)).x[1])
