"""How many users lie at the ends of the declared range, from reports alone: a range that misses them shows there."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from sottovoce.messages import Bins, Position, Question, Subset, Table, Tally
from sottovoce.methods.bins import Shares
from sottovoce.methods.full_range import position


@dataclass(frozen=True, kw_only=True)
class AtEnd:
    """The share of the users within `reach` of an end of the range, in units of the observations.

    Reports are clamped, so those beyond the end are among them. `error` is the standard error of `share`.
    """

    share: float
    error: float
    reach: float


def at_ends(
    asked: Question, tally: Tally, *, low: float, high: float, reach: float
) -> tuple[AtEnd | None, AtEnd | None]:
    """The share of the users at the low end and at the high end, as one question shows them; None where it does not.

    *Bins* through subset selection: the unbiased shares of the outermost bins, where these are no wider than `reach`.

    *Positions* through a table that decodes without bias, on an interval that begins at the end in question: let X ≥ 0
    be how far a user lies from that end. Markov's inequality, P(X ≥ r) ≤ E X / r, gives P(X < r) ≥ 1 − E X / r, and the
    right-hand side is estimated without bias by the decoded mean. So this is a lower bound on the share within r:
    `reach`, or the whole interval where that is shorter. One bit says no more than that; tables with more symbols
    could, and are read the same way.
    """
    channel, placement = asked.channel, asked.encoder.placement
    if asked.groups != 1 or asked.uses != 1:
        return None, None
    if isinstance(channel, Subset) and isinstance(placement, Bins):
        shares = Shares.of(asked, tally)
        outer = (placement.edges[0] - low, high - placement.edges[-1])
        weights = np.eye(shares.bins)
        errors = np.sqrt(shares.variance(weights))
        first, last = (
            AtEnd(share=float(shares.share[place]), error=float(errors[place]), reach=width)
            if 0 < width <= reach
            else None
            for place, width in zip((0, -1), outer, strict=True)
        )
        return first, last
    if isinstance(channel, Table) and isinstance(placement, Position) and channel.decode:
        start, stop = placement.low[0], placement.high[0]
        mean, total, _ = position(channel, tally.cells[0], tally.reports[0])
        part = min(1.0, reach / (stop - start))
        error, width = math.sqrt(total) / part, part * (stop - start)
        return (
            AtEnd(share=1 - mean / part, error=error, reach=width) if start == low else None,
            AtEnd(share=1 - (1 - mean) / part, error=error, reach=width) if stop == high else None,
        )
    return None, None
