"""One random item of each user by subset selection: unbiased shares, nothing assumed, nothing clipped."""

from __future__ import annotations

import math

import numpy as np

from sottovoce.design import subset
from sottovoce.messages import Categories, Category, Encoder, Grid, Question, Subset, Tally
from sottovoce.schemes import Asking, Floats, Found


def item_question(asking: Asking, count: float, *, vector: Categories) -> Question:
    """`count` users say in which category one of their observations lies."""
    size = vector.size
    return asking.question(
        count,
        role="item",
        encoder=Encoder(statistic=Category(vector=vector), placement=Grid(low=(0.0,), high=(float(size),), count=size)),
        channel=subset(asking.epsilon, size),
    )


def items_found(asked: Question, tally: Tally) -> Found:
    """The shares that a tally of items says."""
    channel, reports = asked.channel, tally.reports[0]
    assert isinstance(channel, Subset)
    shares = channel.shares(tally.counts()[0], reports)
    return Found(value=shares, variance=channel.share_variance(np.clip(shares, 0.0, 1.0)) / reports, reports=reports)


def item_variance(epsilon: float, shares: Floats) -> float:
    """Of what one report says of a share, on average over categories."""
    return float(subset(epsilon, len(shares)).share_variance(shares).mean())


def item_reach(epsilon: float, size: int) -> float:
    """How far one colluder can pull a share: from an honest report to the farthest, times the users."""
    own, other = subset(epsilon, size).inclusion
    return max(own, 1 - other) / (own - other)


def score_ends(asked: Question, tally: Tally, errors: float) -> tuple[Floats, Floats]:
    """Ends of intervals for all shares by Wilson's score, `errors` standard errors wide: right for rare reports too."""
    channel, reports = asked.channel, tally.reports[0]
    assert isinstance(channel, Subset)
    own, other = channel.inclusion
    rate = tally.counts()[0] / reports
    middle = (rate + errors**2 / (2 * reports)) / (1 + errors**2 / reports)
    half = errors / (1 + errors**2 / reports) * np.sqrt(rate * (1 - rate) / reports + (errors / (2 * reports)) ** 2)
    low, high = (((end - other) / (own - other)) for end in (middle - half, middle + half))
    return np.asarray(low), np.asarray(high)


def farthest(shares: Floats) -> float:
    """The largest distance that anybody's shares can have from these: of one who holds the rarest category only."""
    return math.sqrt(1 - 2 * float(shares.min()) + float(shares @ shares))
