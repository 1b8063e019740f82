"""Finite-sample bounds that hold by construction: Clopper–Pearson for shares, Fisher's exact test for two by two."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def epsilon_below(hits: Any, of: int, other_hits: Any, other_of: int, *, level: float) -> Floats:
    """A lower bound on ln(P/P′), wrong with probability at most `level`: Clopper–Pearson, half of it on each side.

    `hits` of `of` reports of one collection and `other_hits` of `other_of` reports of its neighbour fell in an event
    that was chosen without looking at them.
    """
    from scipy.special import betainccinv, betaincinv  # 100 ms at import; only this needs it

    hits, other_hits = np.asarray(hits, dtype=np.float64), np.asarray(other_hits, dtype=np.float64)
    with np.errstate(all="ignore"):
        least = np.where(hits > 0, betaincinv(np.maximum(hits, 1), of - hits + 1, level / 2), 0.0)
        room = np.maximum(other_of - other_hits, 1)
        most = np.where(other_hits < other_of, betainccinv(other_hits + 1, room, level / 2), 1.0)
        return np.asarray(np.where(least > 0, np.log(least / most), -np.inf))


def fisher(both: int, first: int, second: int, total: int) -> float:
    """Two-sided p-value of `both` common members of two sets of `first` and `second` among `total`, exactly.

    Given the sizes of the sets, independence makes `both` hypergeometric; twice the smaller tail.
    """
    low, high = max(0, first + second - total), min(first, second)
    scale = _log_choose(total, first)
    chances = [
        math.exp(_log_choose(second, k) + _log_choose(total - second, first - k) - scale) for k in range(low, high + 1)
    ]
    upper, lower = math.fsum(chances[both - low :]), math.fsum(chances[: both - low + 1])
    return min(1.0, 2 * min(upper, lower))


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
