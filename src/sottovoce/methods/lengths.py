"""How far from a public point do the users lie? Subset selection over bins of the logarithm, and the law behind it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sottovoce.design import subset
from sottovoce.messages import Bins, Encoder, Norm, Question, Subset, Tally, Vector, nearest_log
from sottovoce.methods.asking import Asking
from sottovoce.methods.bell import normal_below
from sottovoce.methods.bins import inner_edges

Floats = NDArray[np.float64]
_HALF_OCTAVE = nearest_log(2) / 2
_SPREADS = np.array([0.06, 0.085, 0.12, 0.17, 0.25, 0.35, 0.5, 0.7, 1.0])
_PRIOR = np.array([1.0, 1.0, 1.0, 1.0, 1.0, 0.85, 0.7, 0.55, 0.4])
_PLACES = 80
_ANYWHERE = 0.01
"""A part of the users may lie anywhere."""


def users_for_lengths(users: int, epsilon: float) -> float:
    """How many are asked for their length: 3 to 6 % of the users."""
    return min(0.06 * users, max(0.03 * users, 60 / math.tanh(epsilon / 2) ** 2))


def usual_quantile(users: int) -> float:
    """The radius holds all but this part of the users, as far as they follow one law."""
    return 1 - min(0.03, 2 / math.sqrt(users))


def length_question(
    asking: Asking, count: float, *, vector: Vector, centre: Sequence[float], low: float, high: float
) -> Question:
    """`count` users say how far they lie from the centre, in bins from below `low` to above `high`, ratio √2."""
    bins = max(4, math.ceil(nearest_log(high / low) / _HALF_OCTAVE) + 1)
    edges = inner_edges((low * math.exp(_HALF_OCTAVE * place) for place in range(bins - 1)), 0.0, 2 * high)
    return asking.question(
        count,
        role="length",
        encoder=Encoder(statistic=Norm(vector=vector, centre=tuple(centre)), placement=Bins(edges=edges)),
        channel=subset(asking.epsilon, len(edges) + 1),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Lengths:
    """The users' lengths, as the next one would be drawn: a law over a grid of logarithms."""

    places: Floats
    below: Floats

    def quantile(self, share: float) -> float:
        return math.exp(float(np.interp(share, self.below, self.places)))

    @property
    def median(self) -> float:
        return self.quantile(0.5)


def share_beyond(asked: Question, tally: Tally, radius: float, *, errors: float = 1.645) -> float:
    """The most users who may lie beyond a radius, as a part of all, but for one time in twenty: no law is assumed."""
    channel, placement = asked.channel, asked.encoder.placement
    assert isinstance(channel, Subset) and isinstance(placement, Bins)
    first = int(np.searchsorted(placement.edges, radius, side="right"))  # the bin that the radius falls in counts too
    shares = channel.shares(tally.counts()[0], tally.reports[0])
    variance = channel.share_variance(np.clip(shares, 0.0, 1.0)) / tally.reports[0]
    most = max(0.0, float(shares[first:].sum())) + errors * math.sqrt(float(variance[first:].sum()))
    return min(1.0, most)


def lengths(asked: Question, tally: Tally, *, claimed: float = 0.0) -> Lengths:
    """What a tally of `length_question` says: lognormal laws, each by its likelihood.

    `claimed`: as if this share of the users had named the outermost bins, whatever they hold.
    """
    channel, placement = asked.channel, asked.encoder.placement
    assert isinstance(channel, Subset) and isinstance(placement, Bins)
    edges, reports = np.log(placement.edges), tally.reports[0]
    counts = (1 - claimed) * tally.counts()[0]
    counts[-channel.size :] += claimed * reports
    own, other = channel.inclusion
    centres = np.linspace(edges[0] - 0.5, edges[-1] + 0.5, _PLACES)
    middle, width = np.repeat(centres, len(_SPREADS)), np.tile(_SPREADS, _PLACES)
    inside = normal_below((edges[None, :] - middle[:, None]) / width[:, None])
    ends = np.ones((len(middle), 1))
    shares = np.diff(np.hstack((0 * ends, inside, ends)), axis=1)
    rate = other + (own - other) * ((1 - _ANYWHERE) * shares + _ANYWHERE / channel.items)
    support = np.log(rate) @ counts
    if channel.size > 1:  # items of one report depend on each other: together they say a little less
        support = 0.85 * (1 - 1 / channel.items) * (support + np.log1p(-rate) @ (reports - counts))
    support = support + np.tile(np.log(_PRIOR), _PLACES)
    weight = np.exp(support - support.max())
    places = np.linspace(centres[0] - 0.5, centres[-1] + 2.5, 300)
    below = normal_below((places[:, None] - middle[None, :]) / width[None, :]) @ (weight / weight.sum())
    return Lengths(places=places, below=below)
