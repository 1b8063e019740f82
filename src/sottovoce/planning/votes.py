"""Which bin wins a vote, and how likely: every bin's count is binomial, and bins are treated as independent.

Independence is exact for the bins that nobody holds. Two bins that users do hold have a correlation of at most
(2w − 1)² p_j p_k / w(1 − w), which matters only between neighbours, where either winner serves.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
MANY_BINS, FEW_POINTS, MOST_POINTS = 128, 160, 400
"""Numbers of votes to look at: a tenth of a standard deviation apart, or a twenty-fifth where bins are few."""


def winning_chances(shares: Floats, *, voters: int, keep: float, reach: int = 0) -> Floats:
    """The chance of each bin to have the most votes, ties to the lower index (L428)."""
    if len(shares) == 1:
        return np.ones(1)
    lit = np.convolve(shares, np.ones(2 * reach + 1))[reach : reach + len(shares)]
    rates = (1 - keep) + (2 * keep - 1) * lit
    kinds, kind_of = np.unique(np.round(rates, 9), return_inverse=True)
    grid = _grid(kinds, voters, FEW_POINTS if len(shares) > MANY_BINS else MOST_POINTS)
    below = _at_most(grid[0] - 1, grid[1:] - 1, kinds, voters)  # fewer votes than the grid point
    upto = np.concatenate((below[:, 1:], np.ones((len(kinds), 1))), axis=1)
    tiny = 1e-300
    log_below, log_upto = np.log(below + tiny), np.log(upto + tiny)
    mass = upto - below
    counts = np.zeros((len(shares), len(kinds)))
    counts[np.arange(len(shares)), kind_of] = 1.0
    before = np.cumsum(counts, axis=0) - counts  # how many bins of each kind have a lower index
    after = counts.sum(axis=0) - before - counts
    with np.errstate(under="ignore"):
        others = np.exp(before @ log_below + after @ log_upto)
    chances = (mass[kind_of] * others).sum(axis=1)
    return np.asarray(chances / chances.sum())


def _grid(rates: Floats, voters: int, points: int) -> NDArray[np.float64]:
    """Numbers of votes worth a look: from below what an empty bin reaches at best, up to what the fullest can get."""
    deviation = np.sqrt(voters * rates * (1 - rates))
    first = max(0.0, math.floor(float((voters * rates - 7 * deviation).max())))
    last = min(float(voters), math.ceil(float((voters * rates + 8 * deviation).max())))
    step = max(1, math.ceil((last - first) / points))
    return np.arange(first, last + step, step)


def _at_most(first: float, rest: Floats, rates: Floats, voters: int) -> Floats:
    """P(Bin(voters, rate) ≤ v), exactly up to a few thousand voters, beyond by a normal with continuity correction."""
    from scipy.special import bdtr, ndtr

    places = np.concatenate(([first], rest))
    if voters <= 4000:
        exact = np.where(places < 0, 0.0, bdtr(np.clip(places, 0, voters), voters, rates[:, None]))
        return np.asarray(exact)
    deviation = np.sqrt(voters * rates * (1 - rates))
    return np.asarray(ndtr((places + 0.5 - voters * rates[:, None]) / deviation[:, None]))
