"""What ε leaves of the information about a mean: no local protocol does better, whatever its rounds.

Users alike, whose averages are about normal with standard deviation s. Kalinin and Steinberger, *Efficient estimation
of a Gaussian mean with local differential privacy* (AISTATS 2025), prove for ε up to 1.04 that reporting the side of a
good guess on which one's average lies is best: n·Var/s² = π/2·coth²(ε/2). Above that the limit is numerical: linear
programmes over all staircase channels find k-ary randomised response on a few central bins, two of them up to ε = 2.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from sottovoce.theory.laws import Floats
from sottovoce.theory.rate import check_positive

SIGN_IS_BEST = 2.0
"""Up to this ε two bins are best."""
_COUNTS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 18, 20, 24, 28, 32, 40, 48, 64)
_STRETCHES = (0.8, 2.0)
"""Bins lie at quantiles of a normal law this much wider than the users': between bins of equal width and of equal
share, and indistinguishable from what linear programmes find (.02 %)."""
_ENOUGH = 50.0
"""Beyond this ε nothing changes, and exponentials overflow."""
_PAST_BEST = 0.995
"""Less than this part of the most information so far, and more bins do not come back: even and odd numbers differ by
less; chosen by hand."""
_GOLDEN = (math.sqrt(5) - 1) / 2


def limit(epsilon: float) -> float:
    """The least n·Var/s² of an ε-local estimate of the mean of n users alike, s being the spread of their averages."""
    check_positive(epsilon=epsilon)
    return _least_variance_and_cuts(min(float(epsilon), _ENOUGH))[0]


def central_cuts(epsilon: float) -> tuple[float, ...]:
    """Where to cut around a good guess of the mean, in units of s: between the bins that reach the limit."""
    check_positive(epsilon=epsilon)
    return _least_variance_and_cuts(min(float(epsilon), _ENOUGH))[1]


@lru_cache(maxsize=256)
def _least_variance_and_cuts(epsilon: float) -> tuple[float, tuple[float, ...]]:
    if epsilon <= SIGN_IS_BEST:
        return math.pi / 2 / math.tanh(epsilon / 2) ** 2, (0.0,)
    best: tuple[float, tuple[float, ...]] = (0.0, ())
    for bins in _COUNTS:
        candidate = _most_information_and_cuts(epsilon, bins)
        if (
            candidate[0] < _PAST_BEST * best[0]
        ):  # past the best number of bins: it rises and falls once, but for even and odd
            break
        best = max(best, candidate)
    return 1 / best[0], best[1]


def _most_information_and_cuts(epsilon: float, bins: int) -> tuple[float, tuple[float, ...]]:
    """The most information with so many bins, and their cuts: golden section over how far they reach."""
    quantiles = np.array([NormalDist().inv_cdf(place / bins) for place in range(1, bins)])
    low, high = _STRETCHES
    while high - low > 1e-3:
        step = _GOLDEN * (high - low)
        if _information(epsilon, (high - step) * quantiles) < _information(epsilon, (low + step) * quantiles):
            low = high - step
        else:
            high = low + step
    cuts = (low + high) / 2 * quantiles
    return _information(epsilon, cuts), tuple(float(cut) for cut in cuts)


def _information(epsilon: float, cuts: Floats) -> float:
    """Fisher information about the mean in one k-ary randomised response on the bins between `cuts`, with s = 1."""
    gain, bins = math.expm1(epsilon), len(cuts) + 1
    below = np.array([0.0, *(0.5 * math.erfc(-cut / math.sqrt(2)) for cut in cuts), 1.0])
    height = np.array([0.0, *(math.exp(-cut * cut / 2) / math.sqrt(2 * math.pi) for cut in cuts), 0.0])
    chance, slope = 1 + gain * np.diff(below), gain * np.diff(height)  # of each symbol, times gain + bins
    return float((slope**2 / chance).sum() / (gain + bins))
