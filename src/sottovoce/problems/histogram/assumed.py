"""What is assumed about the users of a histogram before anyone is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sottovoce.messages import Fact, InvalidInput
from sottovoce.problems.histogram.settings import Histogram
from sottovoce.risk import Crowd

DIFFERING = 0.2
"""How much users' own shares may differ when nobody says: the root mean squared distance from their average."""


def assumed(settings: Histogram, crowd: Crowd) -> tuple[Crowd, ...]:
    """What auto decides by: users as stated; else users alike and users who differ by .2, which count alike."""
    told = crowd if crowd.spread is not None else replace(crowd, spread=settings.spread)
    if told.spread is not None:
        return (told,)
    return tuple(replace(told, spread=apart) for apart in (0.0, DIFFERING))


def apart(settings: Histogram, crowd: Crowd) -> float:
    """The mean squared distance of users' observed shares from their average, for equal shares: the most there is."""
    most, spread = 1 - 1 / settings.size, crowd.spread or 0.0
    if spread > 1:
        raise InvalidInput(rule="spread is a distance between shares, from 0 to 1", wrong=f"got {spread:g}")
    between = min(spread**2, most)
    return between + (most - between) / settings.observations


def assumed_crowd(crowds: Sequence[Crowd]) -> Fact:
    """What a plan assumes."""
    spreads = tuple(Fact("crowd-spread-of-shares", spread=one.spread or 0.0) for one in crowds)
    return Fact("crowd-of-shares", spreads=spreads)
