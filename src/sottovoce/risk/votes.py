"""Which bin wins a vote, and how likely.

Every bin's count is binomial. Bins that nobody holds are independent; those that users hold are not, since a user in
one is not in another, and where a vote may fail that matters: what one bin lacks another has. So there the fullest
bin's users are summed over, given which the others are treated as independent. `theory.exact_risk` has the whole sum.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Floats

MANY_BINS, FEW_POINTS, MOST_POINTS = 128, 160, 400
"""Numbers of votes to look at: a tenth of a standard deviation apart, or a twenty-fifth where bins are few."""
EXACT_UP_TO = 1000
_NODES = 7
"""Numbers of users in the fullest bin that are summed over."""
_HELD = 1e-3
"""A smaller share of the users counts as nobody."""
_CORRELATED = 0.02
"""The correlation of two bins' counts that is worth the sum over the fullest; these three were chosen by hand."""


def winning_chances(shares: Floats, *, voters: int, keep: float, reach: int = 0, base: float | None = None) -> Floats:
    """The chance of each bin to have the most votes, ties to the lower index (L428).

    A bin is lit with probability `keep` by those who hold it (or one within `reach`), with `base` by the others.
    """
    base = 1 - keep if base is None else base
    if len(shares) == 1:
        return np.ones(1)
    lit = np.convolve(shares, np.ones(2 * reach + 1))[reach : reach + len(shares)]
    rates = base + (keep - base) * lit
    kinds, kind_of = np.unique(np.round(rates, 9), return_inverse=True)
    grid = _numbers_of_votes(kinds, voters, FEW_POINTS if len(shares) > MANY_BINS else MOST_POINTS)
    chances = _chances_to_win(_chance_of_at_most(grid - 1, kinds, voters), kind_of)
    missed = float(chances[shares < _HELD].sum())
    if reach == 0 and voters <= EXACT_UP_TO and 1e-14 < missed < 0.5 and _counts_correlate(shares, keep, base):
        return _given_the_fullest(shares, grid, voters, keep, base)
    return chances


def _chances_to_win(below: Floats, kind_of: NDArray[np.intp]) -> Floats:
    """Chances of all bins, given for each kind of bin the chance of fewer votes than each point of a grid."""
    upto = np.concatenate((below[:, 1:], np.ones((len(below), 1))), axis=1)
    tiny = 1e-300
    log_below, log_upto = np.log(below + tiny), np.log(upto + tiny)
    counts = np.zeros((len(kind_of), len(below)))
    counts[np.arange(len(kind_of)), kind_of] = 1.0
    before = np.cumsum(counts, axis=0) - counts  # how many bins of each kind have a lower index
    after = counts.sum(axis=0) - before - counts
    with np.errstate(under="ignore"):
        others = np.exp(before @ log_below + after @ log_upto)
    chances = ((upto - below)[kind_of] * others).sum(axis=1)
    return np.asarray(chances / chances.sum())


def _numbers_of_votes(rates: Floats, voters: int, points: int) -> Floats:
    """Numbers of votes worth a look: around what the fullest bin gets, where every winner lies."""
    deviation = np.sqrt(voters * rates * (1 - rates))
    first = max(0.0, math.floor(float((voters * rates - 7 * deviation).max())))
    last = min(float(voters), math.ceil(float((voters * rates + 8 * deviation).max())))
    step = max(1, math.ceil((last - first) / points))
    return np.arange(first, last + step, step)


def _chance_of_at_most(places: Floats, rates: Floats, voters: int) -> Floats:
    """P(Bin(voters, rate) ≤ v), exactly up to a few thousand voters, beyond by a normal with continuity correction."""
    if voters <= 4 * EXACT_UP_TO:
        index = np.clip(places.astype(np.int64) + 1, 0, voters + 1)
        laws = [np.concatenate(([0.0], np.cumsum(_binomial(voters, rate)))) for rate in rates.tolist()]
        return np.asarray(np.minimum(1.0, [law[index] for law in laws]))  # rounding takes a sum beyond 1
    deviation = np.sqrt(voters * rates * (1 - rates))
    z = (places + 0.5 - voters * rates[:, None]) / deviation[:, None]
    return np.asarray(0.5 * np.asarray(_erfc(-z / math.sqrt(2)), dtype=np.float64))


def _counts_correlate(shares: Floats, keep: float, base: float) -> bool:
    """Whether the counts of the two fullest bins have a correlation worth the trouble."""
    second, first = np.sort(shares)[-2:]
    return float((keep - base) ** 2 * first * second) > _CORRELATED * keep * (1 - keep)


def _given_the_fullest(shares: Floats, grid: Floats, voters: int, keep: float, base: float) -> Floats:
    """Summed over how many users hold the fullest bin."""
    fullest, occupied = int(shares.argmax()), np.flatnonzero(shares >= _HELD)
    kind_of = np.zeros(len(shares), dtype=np.intp)
    kind_of[occupied] = 1 + np.arange(len(occupied))
    part = float(shares[fullest])
    spread = math.sqrt(voters * part * (1 - part))
    total = np.zeros(len(shares))
    for node, weight in zip(*_nodes(), strict=True):
        inside = min(voters, max(0, round(voters * part + spread * node)))
        outside = voters - inside
        rows = [_chance_of_at_most(grid - 1, np.array([base]), voters)[0]]
        for index in occupied:
            if index == fullest:
                rows.append(_sum_at_most(grid - 1, (inside, keep), (outside, base)))
            else:
                rate = base + (keep - base) * min(1.0, float(shares[index]) / max(1e-12, 1 - part))
                rows.append(_sum_at_most(grid - 1, (outside, rate), (inside, base)))
        total += weight * _chances_to_win(np.array(rows), kind_of)
    return total


def _sum_at_most(places: Floats, first: tuple[int, float], second: tuple[int, float]) -> Floats:
    """P(Bin(first) + Bin(second) ≤ v)."""
    law = np.concatenate(([0.0], np.cumsum(np.convolve(_binomial(*first), _binomial(*second)))))
    return np.asarray(np.minimum(1.0, law[np.clip(places.astype(np.int64) + 1, 0, len(law) - 1)]))


def _binomial(number: int, rate: float) -> Floats:
    """P(Bin(number, rate) = k) for k = 0 … number."""
    if rate <= 0 or rate >= 1:
        return np.asarray(np.eye(1, number + 1, 0 if rate <= 0 else number)[0])
    k = np.arange(number + 1)
    logs = _log_factorials(1 << max(10, number.bit_length()))
    return np.asarray(
        np.exp(logs[number] - logs[k] - logs[number - k] + k * math.log(rate) + (number - k) * math.log1p(-rate))
    )


@lru_cache(maxsize=4)
def _log_factorials(size: int) -> Floats:
    """Log k! for k = 0 … size."""
    return np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, size + 1)))))


@cache
def _nodes() -> tuple[Floats, Floats]:
    """Places and weights that integrate against a normal law."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(_NODES)
    return nodes, weights / weights.sum()


_erfc = np.frompyfunc(math.erfc, 1, 1)  # scipy's would be faster, and takes longer to load than a plan to make
