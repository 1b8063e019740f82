"""The ways in which adaptive may ask about a distribution function."""

from __future__ import annotations

import math

from sottovoce.messages import Below, Way
from sottovoce.problems.quantiles.predicted import PER_LEVEL
from sottovoce.problems.quantiles.seen import by_items, full_question
from sottovoce.problems.quantiles.settings import Cdf, Distributed, Quantiles
from sottovoce.problems.quantiles.stages import FIRST, first_places, fitted_part
from sottovoce.schemes import Asking, zoom_ways


def ways_of(settings: Distributed) -> tuple[Way, ...]:
    """The whole range; then directions, or items or shares, at places that reports choose; those of a cdf are given.

    Shares at k places lie in a cube, whose diagonal √k is the largest radius; none is checked beyond twice that.
    """
    asking = Asking(survey=settings.survey, epsilon=settings.epsilon, users=settings.users)
    places, smoothed = first_places(settings), fitted_part(settings)
    whole = Way.of(full_question(asking, FIRST * settings.users, axis=settings.axis, places=places, role="whole"))
    if isinstance(settings, Cdf):
        most, counts = len(places), [len(places)]
    else:
        assert isinstance(settings, Quantiles)
        most = (PER_LEVEL + 1) * len(settings.levels)
        counts = list(range(1, most + 1))
    ways = [whole]
    if any(by_items(count, settings.epsilon, smoothed=smoothed) for count in counts):
        ways.append(_numbers("item", "bins", "subset", settings.low, settings.high))
    if not all(by_items(count, settings.epsilon, smoothed=smoothed) for count in counts):
        ways.append(_numbers("share", "position", "table", 0.0, 1.0))
    vector = Below(thresholds=settings.axis.thresholds(places))
    known = isinstance(settings, Cdf)
    return (*ways, *zoom_ways(vector=vector, epsilon=settings.epsilon, longest=2 * math.sqrt(most), known=known))


def _numbers(statistic: str, placement: str, channel: str, low: float, high: float) -> Way:
    return Way(role="places", statistic=statistic, placement=placement, channel=channel, low=low, high=high)
