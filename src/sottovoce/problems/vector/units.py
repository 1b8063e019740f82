"""The declared set in its own units: a ball of radius 1 about zero, or the box from −1 to 1.

A coordinate with its own range counts in halves of it, so that boxes whose sides differ lose nothing: the narrow
coordinates are asked as finely as the wide ones.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from sottovoce.messages import Inside
from sottovoce.methods import Domain, Entries, Floats, FromMiddle, Unclipped
from sottovoce.problems.vector.assumed import fitting
from sottovoce.problems.vector.settings import VectorMean
from sottovoce.risk import Crowd

ENOUGH_EACH = {"linf": 4, "l2": 600}
"""Users for each coordinate from which one coordinate a user can be asked, whoever answered before: enough to answer,
and on a ball, where all of the users' spread may lie in one coordinate, enough to see it."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Units:
    """What a survey asks about, and the way back."""

    vector: Inside
    domain: Domain
    middle: Floats
    half: Floats
    """Of each range; of a ball its radius."""

    @classmethod
    def of(cls, settings: VectorMean) -> Units:
        low, high = (np.array(ends) for ends in settings.ranges)
        middle, half, size = (low + high) / 2, (high - low) / 2, settings.dimension
        if settings.ball == "l2":
            middle, half = np.array(settings.middle), np.full(size, settings.reach)
        assert settings.ball is not None
        vector = Inside(size=size, middle=_few(middle), half=_few(half), ball=settings.ball)
        return cls(vector=vector, domain=_ball(size) if settings.ball == "l2" else _box(size), middle=middle, half=half)

    def out(self, places: Floats) -> Floats:
        """In units of the observations."""
        return np.asarray(self.middle + self.half * places)


def _few(entries: Floats) -> tuple[float, ...]:
    """One entry where all are the same: a question stays small."""
    same = bool((entries == entries[0]).all())
    return (float(entries[0]),) if same else tuple(map(float, entries))


def _ball(size: int) -> Domain:
    return Domain(
        middle=(0.0,) * size,
        radius=1.0,
        low=(-1.0,) * size,
        high=(1.0,) * size,
        project=lambda places: np.asarray(places / max(1.0, float(np.sqrt(places @ places)))),
        far=lambda centre: 1 + math.hypot(*centre),
    )


def _box(size: int) -> Domain:
    return Domain(
        middle=(0.0,) * size,
        radius=math.sqrt(size),
        low=(-1.0,) * size,
        high=(1.0,) * size,
        project=lambda places: np.clip(places, -1.0, 1.0),
        far=lambda centre: math.hypot(*(1 + abs(at) for at in centre)),
    )


def unclipped(settings: VectorMean, units: Units) -> Unclipped:
    """How users are asked where no radius is worth it: one coordinate each, or directions from the middle."""
    entries = Entries(vector=units.vector, low=-1.0, high=1.0, epsilon=settings.epsilon)
    directions = FromMiddle(vector=units.vector, domain=units.domain, epsilon=settings.epsilon)
    assert settings.ball is not None
    enough = settings.users >= ENOUGH_EACH[settings.ball] * settings.dimension
    return entries if enough and entries.variance(0.0) < directions.variance(0.0) else directions


def squares(settings: VectorMean, crowd: Crowd) -> tuple[float, float]:
    """E|X − EX|² of the users' vectors X in these units: what their observations leave, what their own means add."""
    size = settings.dimension
    if settings.ball == "l2":
        radius = settings.reach
        crowd.check_range(-radius, radius)
        if crowd.law is not None:
            return 0.0, min(1.0, size * crowd.law.variance / radius**2)
        alike = 1.0 if crowd.within is None else min(1.0, size * (crowd.within / radius) ** 2)
        apart = min(1.0, size * ((crowd.spread or 0.0) / radius) ** 2)
        return alike / settings.observations, min(apart, 1 - alike / settings.observations)
    alike = apart = 0.0
    for low, high, count in settings.boxes:
        own, half = fitting(crowd, low, high, widest=settings.widest), (high - low) / 2
        (_, total), *_ = own.moments(low, high, observations=settings.observations, step=0.0)
        spread = own.law.variance if own.law is not None else min((own.spread or 0.0) ** 2, total)
        alike, apart = alike + count * (total - spread) / half**2, apart + count * spread / half**2
    return alike, apart
