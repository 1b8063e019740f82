"""Noisy values moved to the nearest that obey what is known: a function that never falls, shares that add up to one.

The band around a function that never falls uses this: it is at least the mean of its values over places to the left,
and at most the mean over places to the right. Means of several places are less noisy than one value.
"""

from __future__ import annotations

import math

import numpy as np

from sottovoce.messages import Floats

# A function that never falls, from noisy values at some places: the nearest one, and a band that holds it.

WINDOWS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
"""How many neighbouring places are averaged; the best of them counts."""


def isotonic(values: Floats, weights: Floats) -> Floats:
    """The nearest values that never fall, by weighted squares: neighbours that fall are pooled."""
    means: list[float] = []
    masses: list[float] = []
    lengths: list[int] = []
    for value, weight in zip(values.tolist(), weights.tolist(), strict=True):
        means.append(value)
        masses.append(weight)
        lengths.append(1)
        while len(means) > 1 and means[-2] >= means[-1]:
            mass = masses[-2] + masses[-1]
            means[-2:] = [(means[-2] * masses[-2] + means[-1] * masses[-1]) / mass]
            masses[-2:] = [mass]
            lengths[-2:] = [lengths[-2] + lengths[-1]]
    return np.repeat(means, lengths)


def rising_band(values: Floats, covariance: Floats, errors: float, bias: Floats | float = 0.0) -> tuple[Floats, Floats]:
    """Ends that hold a function between 0 and 1 that never falls, so many standard errors from unbiased values of it.

    `bias` is how far each value may be off besides. Neither end ever falls.
    """
    count = len(values)
    off = np.broadcast_to(np.asarray(bias, dtype=np.float64), (count,))
    low, high = np.zeros(count), np.ones(count)
    for width in WINDOWS:
        if width > count:
            break
        weights = np.zeros((count - width + 1, count))
        for first in range(count - width + 1):
            weights[first, first : first + width] = 1 / width
        means = weights @ values
        reach = errors * np.sqrt(np.maximum(0.0, ((weights @ covariance) * weights).sum(axis=1))) + weights @ off
        last = np.arange(width - 1, count)
        low[last] = np.maximum(low[last], means - reach)  # a window that ends here
        high[: count - width + 1] = np.minimum(high[: count - width + 1], means + reach)  # one that starts here
    low, high = np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0)
    return np.maximum.accumulate(low), np.minimum.accumulate(high[::-1])[::-1]


# Shares that add up to one: the nearest point that does, and what moving there does to an error.

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
