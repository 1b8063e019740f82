"""Which users count to which winner: the vote on shares, and where its items are."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from sottovoce.methods import Layout
from sottovoce.problems.mixture.decode import Integers
from sottovoce.problems.mixture.settings import Membership


def edges(membership: Membership, layout: Layout, winners: Integers) -> tuple[float, ...]:
    """Inner edges of the share vote: midpoints, just above so that ties go down as residuals do; or bin ends."""
    if membership == "nearest":
        middles = [(left + right) / 2 for left, right in pairwise(map(float, layout.centre(winners)))]
        return tuple(math.nextafter(middle, math.inf) for middle in middles)
    centre, reach = layout.centre(winners), layout.delta * layout.half
    ends = np.stack((centre - reach, centre + reach), axis=1).ravel()
    # Votes from outside the range went to the outermost bins, so those have no outer end.
    inner = slice(1 if winners[0] == 0 else 0, -1 if winners[-1] == layout.bins - 1 else None)
    return tuple(map(float, ends[inner]))


def places(membership: Membership, winners: Integers) -> Integers:
    """Where in the share vote the winners' items are: all of them, or every other one between elsewheres."""
    if membership == "nearest":
        return np.arange(len(winners))
    return 2 * np.arange(len(winners)) + (0 if winners[0] == 0 else 1)
