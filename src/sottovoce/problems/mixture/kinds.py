"""Several kinds of users on [−1, 1]: a bell for the averages of each, and a few users anywhere.

Users of one kind hold averages of T observations around the kind's mean; their spread is r√((1 − μ²)/T), where r = 1 if
all observations are at the two ends, less otherwise, and more only if users of the kind differ.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sottovoce.methods import leaning, leaning_below

Floats = NDArray[np.float64]
FINEST = 0.3
"""Spreads below this part of 1/T are not told apart."""
WIDEST = 0.3
"""A kind with a larger spread than this is no kind."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Kinds:
    """Shares, means and ratios r of the kinds; `elsewhere` is the share of the users who are of none of them."""

    shares: Floats
    means: Floats
    ratios: Floats
    elsewhere: float
    observations: int

    @property
    def count(self) -> int:
        return len(self.means)

    @cached_property
    def spreads(self) -> Floats:
        """Standard deviations of the averages of each kind."""
        return spreads(self.means, self.ratios, self.observations)

    def in_order(self) -> Kinds:
        """By increasing means."""
        return self.only(np.argsort(self.means, kind="stable"))

    def without(self, kind: int) -> Kinds:
        """All but one; shares stay as they are."""
        return self.only(np.delete(np.arange(self.count), kind))

    def only(self, chosen: NDArray[np.intp]) -> Kinds:
        """Some of them, in this order; shares stay as they are."""
        return replace(self, shares=self.shares[chosen], means=self.means[chosen], ratios=self.ratios[chosen])


def spreads(means: Floats, ratios: Floats, observations: int) -> Floats:
    """Standard deviations of averages."""
    room = np.maximum(1 - means**2, 1 / observations)
    return np.asarray(np.maximum(ratios * np.sqrt(room / observations), FINEST / observations))


def widest_ratio(observations: int) -> float:
    """The largest r that is looked at."""
    return max(4.0, WIDEST * math.sqrt(observations))


def narrowest_ratio(observations: int) -> float:
    """The smallest."""
    return max(0.02, FINEST / math.sqrt(observations))


def below(places: Floats, means: Floats, ratios: Floats, observations: int) -> Floats:
    """The part of each kind below each place: ``(kinds, places)``. Beyond the range lies nobody."""
    spread = spreads(means, ratios, observations)
    lean = np.clip(leaning(observations, means, ratios, np.zeros(1)) / spread, -2.5, 2.5)
    inside = np.clip(places, -1.0, 1.0)
    found = leaning_below(inside, means[:, None], spread[:, None], lean[:, None])
    return np.asarray(np.where(places >= 1, 1.0, np.where(places < -1, 0.0, found)))


def anywhere_below(places: Floats) -> Floats:
    """The same for users who may be anywhere: evenly in arcsin x."""
    return np.asarray(np.arcsin(np.clip(places, -1.0, 1.0)) / math.pi + 0.5)


def bell_at(places: Floats, kinds: Kinds) -> Floats:
    """The density of all kinds together at each place, leaning left out."""
    score = (places - kinds.means[:, None]) / kinds.spreads[:, None]
    height = kinds.shares / kinds.spreads / math.sqrt(2 * math.pi)
    return np.asarray(height @ np.exp(-np.minimum(score**2, 1400) / 2))
