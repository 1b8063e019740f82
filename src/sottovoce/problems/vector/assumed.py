"""What is assumed about the users of a mean vector before anyone is asked."""

from __future__ import annotations

import math
from dataclasses import replace

from sottovoce.problems.method import Method
from sottovoce.problems.vector.settings import VectorMean
from sottovoce.risk import Crowd

TENTH = 0.1
"""How much users' own means may differ when nobody says: this part of the (narrowest) range, or of a ball's
diameter, all coordinates together."""


TYPICAL = 0.5
"""Where the users' middle is taken to lie in a plan: at half of what the domain allows."""


def stated(settings: VectorMean, crowd: Crowd) -> Crowd:
    """The users as the caller describes them: in a plan, else in the survey."""
    return crowd if crowd.spread is not None else replace(crowd, spread=settings.spread)


def assumed(settings: VectorMean, crowd: Crowd) -> tuple[Crowd, ...]:
    """What auto decides by: users as stated; else users alike and users who differ by a tenth, which count alike."""
    told = stated(settings, crowd)
    if told.spread is not None or told.law is not None:
        return (told,)
    if settings.ball == "l2":
        width = 2 * settings.reach / math.sqrt(settings.dimension)
    else:
        width = min(high - low for low, high in zip(*settings.ranges, strict=True))
    return tuple(replace(told, spread=part * width) for part in (0.0, TENTH))


def asides(settings: VectorMean, crowd: Crowd) -> list[tuple[float, int]]:
    """How far the users' mean lies from the middle in a coordinate, and in how many: the farthest place left open."""
    if settings.ball == "l2":
        typical = TYPICAL * settings.reach / math.sqrt(settings.dimension)
        return [(typical if crowd.around is None else abs(crowd.around), settings.dimension)]
    found = []
    for low, high, count in settings.boxes:
        places = fitting(crowd, low, high, widest=settings.widest).centres(low, high, step=0.0)
        found.append((max(abs(place - (low + high) / 2) for place in places), count))
    return found


def fitting(crowd: Crowd, low: float, high: float, *, widest: float) -> Crowd:
    """The same users in a coordinate whose range is narrower than the widest: they differ as much as it lets them."""
    half = (high - low) / 2
    if 2 * half >= widest:
        return crowd
    return replace(
        crowd,
        spread=None if crowd.spread is None else min(crowd.spread, half),
        within=None if crowd.within is None else min(crowd.within, half),
    )


class AdaptiveWay(Method[VectorMean]):
    """What the ways to find the users, and then ask where they are, have in common."""

    name = "adaptive"
    help = "finds out where users are, then asks there"
    not_empty = None

    def assumed(self, settings: VectorMean, crowd: Crowd) -> tuple[Crowd, ...]:
        return assumed(settings, crowd)
