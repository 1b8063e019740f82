"""What is assumed about the users of a mean before anyone is asked, and what ε leaves at best for such users."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from sottovoce.problems.mean.settings import Mean
from sottovoce.risk import Averages, Crowd
from sottovoce.theory import limit

TENTH = 0.1
"""How much users' own means may differ when nobody says: this part of the range."""
_BELL = 1 / 8
"""User averages with at most this part of the range as standard deviation are about normal: four fit on either side."""


def stated(settings: Mean, crowd: Crowd) -> Crowd:
    """The users as the caller describes them: in a plan, else in the survey."""
    return crowd if crowd.spread is not None else replace(crowd, spread=settings.spread)


def assumed(settings: Mean, crowd: Crowd) -> tuple[Crowd, ...]:
    """What auto decides by: users as stated; else users alike and users who differ by a tenth, which count alike."""
    return _assumed(crowd, settings.spread, settings.high - settings.low)


@lru_cache(maxsize=64)
def _assumed(crowd: Crowd, spread: float | None, width: float) -> tuple[Crowd, ...]:
    if crowd.spread is not None or crowd.law is not None:
        return (crowd,)
    return tuple([replace(crowd, spread=one) for one in ((0.0, TENTH * width) if spread is None else (spread,))])


def widest(settings: Mean, crowd: Crowd) -> Averages:
    """The users' averages at the place, of those left open, where they vary most."""
    laws = crowd.laws(settings.low, settings.high, observations=settings.observations, step=0.0)
    return max(laws, key=lambda law: law.variance)


def least(settings: Mean, crowd: Crowd) -> float | None:
    """The least mean squared error that ε allows for such users; None where their averages are far from normal."""
    variance = widest(settings, crowd).variance
    if not 0 < variance <= (_BELL * (settings.high - settings.low)) ** 2:
        return None
    return limit(settings.epsilon) * variance / settings.users
