"""The ways in which adaptive may ask about a distribution function."""

from __future__ import annotations

import math

from sottovoce.messages import Below, Encoder, Free, Item, Position, Share, Way
from sottovoce.methods import Asking, bins_way, zoom_ways
from sottovoce.problems.quantiles.predicted import PER_LEVEL
from sottovoce.problems.quantiles.seen import by_items, full_question
from sottovoce.problems.quantiles.settings import Cdf, Distributed, Quantiles
from sottovoce.problems.quantiles.stages import first_places, fitted_part


def ways_of(settings: Distributed) -> tuple[Way, ...]:
    """After the whole range directions, or items or shares, at places that reports choose; those of a cdf are given.

    Shares at k places lie in a cube, whose diagonal √k is the largest radius; none is checked beyond twice that.
    """
    places, smoothed, epsilon = first_places(settings), fitted_part(settings), settings.epsilon
    vector = Below(thresholds=settings.axis.thresholds(places))
    if isinstance(settings, Cdf):
        asking = Asking(survey=settings.survey, epsilon=epsilon, users=settings.users)
        given = full_question(asking, 1, axis=settings.axis, places=places, role="places", smoothed=smoothed)
        longest = 2 * math.sqrt(len(places))
        return (Way.of(given), *zoom_ways(vector=vector, epsilon=epsilon, longest=longest, inside=(0.0, 1.0)))
    assert isinstance(settings, Quantiles)
    low, high, most = settings.low, settings.high, (PER_LEVEL + 1) * len(settings.levels)
    items = [by_items(count, epsilon, smoothed=smoothed) for count in range(1, most + 1)]
    ways: list[Way] = []
    if any(items):
        ways.append(bins_way("places", statistic=Item(), low=low, high=high))
    if not all(items):
        below = Free(field="statistic.below", low=low, high=high, most=most)
        share = Encoder(statistic=Share(below=(low,)), placement=Position(low=(0.0,), high=(1.0,)))
        ways.append(Way.by(share, below, role="places", channel="table"))
    chosen = Free(field="statistic.vector.thresholds", low=low, high=high, most=most)
    longest = 2 * math.sqrt(most)
    ways += zoom_ways(vector=vector, epsilon=epsilon, longest=longest, inside=(0.0, 1.0), most=most, chosen=(chosen,))
    return tuple(ways)
