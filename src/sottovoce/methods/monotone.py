"""A function that never falls, from noisy values at some places: the nearest one, and a band that holds it.

The band uses what is known of such a function: it is at least the mean of its values over places to the left, and at
most the mean over places to the right. Means of several places are less noisy than one value.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
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
