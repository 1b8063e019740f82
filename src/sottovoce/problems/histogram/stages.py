"""What adaptive decides on the way: how many are asked, whether to look again from nearer by, whether to fall back.

All of it is arithmetic with public numbers, used by the script with what reports say, and by predictions with what
they are expected to say. Variances are of what one report says of a share, on average over categories; `apart` and
`start` are squared distances.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sottovoce.messages import Fact
from sottovoce.methods import MOST_CATEGORIES, Floats, coefficient_groups, coefficient_variance, response
from sottovoce.problems.histogram.items import item_variance
from sottovoce.problems.histogram.settings import Histogram
from sottovoce.theory import LOCALISABLE, strength

FIRST, MOST_FIRST = 0.15, 0.35
ZOOM = 0.2
"""Part of the users who are asked in a stage before the last."""
MOST_ZOOMS = 3
CHECKED, CHECKED_IF_MANY = 0.05, 0.08
"""Part of the users who are asked whether they lie outside, which a guarantee rests on: more for many categories."""
MANY = 64
LEFT = 0.35
"""Part of the users who must be left for the last stage."""
_WORTH = 0.5
_LIMIT = 0.7
"""A direction from a distance is taken up to this part of the variance of the fall-back."""


@dataclass(frozen=True, kw_only=True)
class Stages:
    """The numbers of one survey."""

    epsilon: float
    users: int
    size: int
    observations: int

    @classmethod
    def of(cls, settings: Histogram) -> Stages:
        return cls(
            epsilon=settings.epsilon,
            users=settings.users,
            size=settings.size,
            observations=settings.observations,
        )

    @cached_property
    def said(self) -> float:
        """m²: a direction report at radius r has the variance r²/m²."""
        return response(self.epsilon) ** 2

    @cached_property
    def by_item(self) -> float:
        """The variance of an item, for equal shares."""
        return item_variance(self.epsilon, np.full(self.size, 1 / self.size))

    @cached_property
    def unavailable(self) -> Fact | None:
        """Why nothing is gained by more than one round, whatever users are; None where something may be."""
        if strength(self.users, self.epsilon) < LOCALISABLE or self.users < 1.2 * self.size / self.said:
            return Fact("too-few-users-to-find")
        if 1.5 * (1 - 1 / self.size) / self.observations / self.said > _WORTH * self.by_item:
            return Fact("too-few-observations-each")
        return None

    @property
    def first(self) -> float:
        """How many are asked for an item first."""
        return min(MOST_FIRST * self.users, max(FIRST * self.users, 6 * self.size * self.by_item))

    @property
    def checked(self) -> float:
        """The part of the users who are asked in a check."""
        return CHECKED if self.size < MANY else CHECKED_IF_MANY

    def own(self, centre: Floats) -> float:
        """The mean squared distance from the average of users who are all alike, by chance alone."""
        return max(1 - float(centre @ centre), 0.02) / self.observations

    def coefficients_pay(self, by_item: float, median: float) -> bool:
        """Whether falling back to coefficients is better than to items; `median` is that of the users' distances."""
        return self._by_coefficient(median) < 0.9 * by_item

    @property
    def coefficients(self) -> bool:
        """Whether coefficients are asked for at all."""
        return self.size <= MOST_CATEGORIES and self.users >= 20 * coefficient_groups(self.size)

    def fall_back(self, by_item: float, median: float) -> float:
        """The variance of the better of the two ways to fall back."""
        return min(by_item, self._by_coefficient(median))

    def _by_coefficient(self, median: float) -> float:
        if not self.coefficients:
            return math.inf
        return coefficient_variance(self.epsilon, self.size, 1.3 * median**2)

    def after(self, radius: float, own: float, start: float) -> float:
        """The squared radius that a stage at `radius` would lead to."""
        between = max(own, 0.6 * radius**2 - start)
        return 1.3 * self.size * self.noise(radius) + 1.5 * between

    def noise(self, radius: float) -> float:
        """The variance of a share after a stage before the last."""
        return radius**2 / self.said / (ZOOM * self.users)

    def zooms(self, done: int, left: int, radius: float, after: float) -> bool:
        """Whether to look again from nearer by."""
        return done < MOST_ZOOMS and left - ZOOM * self.users > LEFT * self.users and after < 0.5 * radius**2

    def too_far(self, radius: float, fall_back: float) -> bool:
        """Whether users lie too far apart for directions to say more than the fall-back."""
        return radius**2 / self.said > _LIMIT * fall_back

    def stops(self, radius: float, fall_back: float, after: float, *, zooms: bool) -> bool:
        """Whether to fall back now: users are too far apart, and no look from nearer by promises otherwise."""
        rescued = zooms and after / self.said < 0.5 * fall_back and radius**2 / self.said < 3 * fall_back
        return self.too_far(radius, fall_back) and not rescued

    def farthest_radius(self, fall_back: float) -> float:
        """Beyond it, falling back is better."""
        return math.sqrt(_LIMIT * fall_back * self.said)

    def weight(self, radius: float, own: float) -> float:
        """How much of what a stage found the centre moves by: what is uncertain of it, against the stage's noise."""
        uncertain = max(radius**2 - own, 0.2 * radius**2) / self.size
        return uncertain / (uncertain + self.noise(radius))
