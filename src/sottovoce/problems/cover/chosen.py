"""How sure a choice is: which centres may be the fullest, and how many users the chosen one speaks for.

Nothing is assumed about the users; shares of many reports are taken for normal.
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Subset, Unary

Floats = NDArray[np.float64]
CLOSE = 64
"""For so many rivals the lead is reckoned exactly; of the others, whose votes are fewer, as if independent."""
_SIMULTANEOUS = 0.1
"""The part of the chance of an error that goes to the bound for all centres at once."""
_DENIED = 1e-3
"""How often users alike are taken to differ."""


def leads(channel: Unary | Subset, found: Floats, reports: int, order: NDArray[np.intp]) -> Floats:
    """By how many standard errors the first centre in `order` leads each of the others, in their order."""
    best, others = float(found[order[0]]), found[order[1:]]
    variance = np.empty(len(others))
    for place, other in enumerate(others[:CLOSE].tolist()):
        variance[place] = channel.gap_variance(best, other)
    shares = np.clip(np.append(others[CLOSE:], best), 0.0, 1.0)
    apart = channel.share_variance(shares)
    variance[CLOSE:] = apart[:-1] + apart[-1]
    return np.asarray((best - others) / np.sqrt(variance / reports))


def contenders(lead: Floats, confidence: float) -> int:
    """How many centres, the chosen one and the next in order, hold the fullest one with this confidence.

    Gupta's subset selection (1965): the truly fullest centre falls behind another by more than `behind` standard errors
    with a chance of at most 1 − confidence over all others together.
    """
    behind = NormalDist().inv_cdf(1 - (1 - confidence) / len(lead))
    return 1 + int(np.flatnonzero(lead <= behind).max(initial=-1)) + 1


def chosen_share(
    channel: Unary | Subset, found: Floats, reports: int, order: NDArray[np.intp], confidence: float
) -> tuple[float, tuple[float, float]]:
    """The share of the users nearest to the chosen centre, and an interval, given that it was chosen for its votes.

    Given the votes of the others, its own are normal, cut off where it would not have been chosen: the ends are those
    shares under which what was seen would be rare. Where it leads clearly that is the usual interval. Where it does
    not, no lower end is better than one that holds for all centres at once, so that is the lowest. Votes are whole
    numbers, and of a tie the cut-off law says nothing: the share found always lies inside.

    The share itself is the one under which what was seen is as likely too large as too small (the median of that law),
    or the nearer end of the interval: with a clear lead, the share found.
    """
    best, missed = float(found[order[0]]), 1 - confidence
    variance = float(channel.share_variance(np.array([min(1.0, max(0.0, best))]))[0]) / reports
    cut = -math.inf
    for other in found[order[1 : 1 + CLOSE]].tolist():
        own = float(channel.share_variance(np.array([min(1.0, max(0.0, other))]))[0]) / reports
        together = (variance + own - channel.gap_variance(best, other) / reports) / 2 / variance
        cut = max(cut, (other - together * best) / (1 - together))
    deviation, each = math.sqrt(variance), (1 - _SIMULTANEOUS) * missed / 2
    at_once = NormalDist().inv_cdf(1 - _SIMULTANEOUS * missed / len(found))
    seen, least = best / deviation, min(best, cut) / deviation
    low = max(_mean_for(seen, least, each), seen - at_once)
    high = _mean_for(seen, least, 1 - each)
    ends = min(1.0, max(0.0, deviation * low)), min(1.0, max(0.0, best, deviation * high))
    return min(ends[1], max(ends[0], deviation * _mean_for(seen, least, 0.5))), ends


def may_be_alike(channel: Unary | Subset, share: float, reports: int) -> bool:
    """Whether the votes allow that everybody is nearest to the chosen centre: it has as many as that would give.

    If everybody is, this is denied to one survey in a thousand.
    """
    deviation = math.sqrt(float(channel.share_variance(np.array([1.0]))[0]) / reports)
    return share >= 1 + NormalDist().inv_cdf(_DENIED) * deviation


def _mean_for(seen: float, least: float, tail: float) -> float:
    """The mean of a normal law, cut off below `least`, that exceeds `seen` with chance `tail`; deviation 1."""
    low, high = seen - 40.0, seen + 10.0
    for _ in range(60):
        middle = (low + high) / 2
        above = _log_above(seen - middle) - _log_above(least - middle)
        low, high = (middle, high) if above < math.log(tail) else (low, middle)
    return (low + high) / 2


def _log_above(z: float) -> float:
    """The logarithm of P(N(0, 1) > z), far into the tail."""
    if z < 30:
        return math.log(0.5 * math.erfc(z / math.sqrt(2)))
    return -z * z / 2 - math.log(z * math.sqrt(2 * math.pi))
