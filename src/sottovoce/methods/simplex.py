"""Shares that add up to one: the nearest point that does, and what moving there does to an error."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_STEPS = 60


def to_simplex(values: Floats) -> Floats:
    """The nearest vector (in Euclidean distance) with no negative entry whose entries add up to one."""
    falling = np.sort(values)[::-1]
    over = (np.cumsum(falling) - 1) / np.arange(1, len(values) + 1)
    return np.asarray(np.maximum(values - over[np.flatnonzero(falling > over)[-1]], 0.0))


def projected_variance(variance: float, size: int) -> float:
    """The mean squared error of an entry after `to_simplex`, for equal shares and normal noise of this variance.

    Where noise is far above the shares most of it is cut off: entries are max(p + noise − τ, 0), τ by bisection.
    """
    if variance <= 0:
        return 0.0
    share, deviation = 1 / size, math.sqrt(variance)
    low, high = share - deviation * (4 + math.sqrt(2 * math.log(size))), share  # p − τ: mean above 0 is one share

    def above(shift: float) -> tuple[float, float]:
        z = shift / deviation
        below, peak = 0.5 * math.erfc(-z / math.sqrt(2)), math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
        return (
            shift * below + deviation * peak,
            (shift**2 + variance) * below + shift * deviation * peak,
        )

    for _ in range(_STEPS):
        middle = (low + high) / 2
        if above(middle)[0] > share:
            high = middle
        else:
            low = middle
    return min(variance, max(0.0, above(high)[1] - share**2))
