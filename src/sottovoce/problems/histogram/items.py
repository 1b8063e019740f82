"""One random item of each user by subset selection: unbiased shares, nothing assumed, nothing clipped."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sottovoce.design import subset
from sottovoce.messages import Categories, Category, Encoder, Grid, Question, Subset, Tally
from sottovoce.methods import Asking, Floats, Found, binomial_limits


def item_question(asking: Asking, count: float, *, vector: Categories) -> Question:
    """`count` users say in which category one of their observations lies."""
    size = vector.size
    return asking.question(
        count,
        role="item",
        encoder=Encoder(statistic=Category(vector=vector), placement=Grid(low=(0.0,), high=(float(size),), count=size)),
        channel=subset(asking.epsilon, size),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Items:
    """How many reports hold each category; those of several questions with the same channel add up."""

    channel: Subset
    counts: NDArray[np.int64]
    reports: int

    @classmethod
    def of(cls, asked: Question, tally: Tally) -> Items:
        assert isinstance(asked.channel, Subset)
        return cls(channel=asked.channel, counts=tally.counts()[0], reports=tally.reports[0])

    def __add__(self, other: Items) -> Items:
        return Items(channel=self.channel, counts=self.counts + other.counts, reports=self.reports + other.reports)

    @property
    def found(self) -> Found:
        """The shares that they say."""
        shares = self.channel.shares(self.counts, self.reports)
        variance = self.channel.share_variance(np.clip(shares, 0.0, 1.0)) / self.reports
        return Found(value=shares, variance=variance, reports=self.reports)

    def ends(self, errors: float) -> tuple[Floats, Floats]:
        """Ends of intervals for all shares, exact for rare categories too."""
        own, other = self.channel.inclusion
        limits = binomial_limits(self.counts, self.reports, errors)
        low, high = (np.asarray((limit - other) / (own - other)) for limit in limits)
        return low, high


def item_variance(epsilon: float, shares: Floats) -> float:
    """Of what one report says of a share, on average over categories."""
    return float(subset(epsilon, len(shares)).share_variance(shares).mean())


def item_reach(epsilon: float, size: int) -> float:
    """How far one colluder can pull a share: from an honest report to the farthest, times the users."""
    own, other = subset(epsilon, size).inclusion
    return max(own, 1 - other) / (own - other)


def farthest(shares: Floats) -> float:
    """The largest distance that anybody's shares can have from these: of one who holds the rarest category only."""
    return math.sqrt(1 - 2 * float(shares.min()) + float(shares @ shares))
