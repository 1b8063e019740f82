"""Users outside of the interval that a vote chose: whether the votes show any, and how far they may pull the mean.

Who sits beyond an end counts as if at the end. A bin in which nobody is gets votes by chance alone, and the law of
that number is known, so a group of users far from the winner shows as votes that chance does not explain.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Tally
from sottovoce.methods.layout import Layout, winners

Floats = NDArray[np.float64]
FALSE_ALARMS = 0.01
"""The chance that users who all sit near the winner raise an alarm, over all bins together."""


@dataclass(frozen=True, kw_only=True)
class Elsewhere:
    """What lies beyond the two ends: share of the users × distance, as the votes show it, and its deviation."""

    bins: int
    """Far from the winner, with more votes than chance explains; the rest speaks only when there are any."""
    share: float
    """About how many of the users sit in those."""
    limit: float
    """A share that is seen in 95 of 100 surveys if it sits in one place; a smaller one, or one spread out, may hide."""
    below: float
    above: float
    below_deviation: float
    above_deviation: float


def elsewhere(layout: Layout, votes: Tally, *, keep: float) -> Elsewhere:
    """Look at every bin more than one place from the winner.

    Where a vote lights neighbours too, more than three: users two places away, whom the interval holds, light a third.
    """
    counts, reports = votes.counts()[0].astype(np.float64), votes.reports[0]
    lit = (counts / reports - (1 - keep)) / (2 * keep - 1)
    full = _far(votes, 1 + 2 * layout.reach) & (chance_of(counts, reports, 1 - keep) < FALSE_ALARMS / layout.bins)
    low, high = layout.widened(winners(votes))
    edges = layout.edges
    noise = keep * (1 - keep) / (2 * keep - 1) ** 2  # of one vote, whether the bin is held or not
    below, below_variance = _beyond(np.maximum(low - edges[:-1], 0)[::-1], lit[::-1], full[::-1], layout.reach, noise)
    above, above_variance = _beyond(np.maximum(edges[1:] - high, 0), lit, full, layout.reach, noise)
    seen = lit[full]
    share = max(seen.max(), seen.sum() / (2 * layout.reach + 1)) if len(seen) else 0.0
    return Elsewhere(
        bins=len(seen),
        share=min(1.0, float(share)),
        limit=min(1.0, _least_seen(layout.bins) * math.sqrt(noise / reports)),
        below=below,
        above=above,
        below_deviation=math.sqrt(below_variance / reports),
        above_deviation=math.sqrt(above_variance / reports),
    )


def _beyond(distance: Floats, lit: Floats, full: NDArray[np.bool_], reach: int, noise: float) -> tuple[float, float]:
    """Σ share × distance over bins that are ordered outward, never below 0, and the variance of one vote's part in it.

    `distance` is that of a bin's far edge. Where a user lights neighbours too, each of them counts with a part of it;
    the outermost makes up for the neighbour that it lacks.
    """
    weights = distance / (2 * reach + 1)
    if reach:
        weights[-1] = distance[-1] - weights[-1 - reach : -1].sum()
    pull = max(0.0, float(weights @ lit), float(weights[full] @ lit[full]))
    sampling = float((weights * distance) @ np.clip(lit, 0, 1)) - pull**2
    return pull, noise * float(weights @ weights) + max(0.0, sampling)


def lead(layout: Layout, votes: Tally) -> float | None:
    """By how many votes a voter the winner is ahead of the strongest bin far from it; None where no bin is far."""
    counts, far = votes.counts()[0], _far(votes, 1 + layout.reach)
    return float(counts.max() - counts[far].max()) / votes.reports[0] if far.any() else None


def _far(votes: Tally, places: int) -> NDArray[np.bool_]:
    """Bins more than so many places from the winner."""
    return np.asarray(np.abs(np.arange(votes.counts().shape[1]) - winners(votes)[0]) > places)


def _least_seen(bins: int) -> float:
    """Standard deviations above chance: those that raise an alarm, and those that luck may take away."""
    from statistics import NormalDist  # costs 15 ms at import; most callers never ask

    return NormalDist().inv_cdf(1 - FALSE_ALARMS / bins) + NormalDist().inv_cdf(0.95)


def chance_of(counts: Floats, reports: int, rate: float) -> Floats:
    """P(Bin(reports, rate) ≥ count)."""
    from scipy.special import betainc  # 100 ms at import; a normal tail is wrong where votes are rare

    return np.where(counts > 0, betainc(np.maximum(counts, 1), reports - np.maximum(counts, 1) + 1, rate), 1.0)
