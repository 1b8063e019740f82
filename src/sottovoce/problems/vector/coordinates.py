"""What the methods share: a fold of users a coordinate, of the vector (ℓ∞) or of its rotation (ℓ2)."""

from __future__ import annotations

import math
from dataclasses import replace

from sottovoce.messages import Average, Rotated, Statistic
from sottovoce.methods import GroupScheme
from sottovoce.problems.method import Method
from sottovoce.problems.vector.assumed import fitting
from sottovoce.problems.vector.settings import VectorMean
from sottovoce.risk import Averages, Crowd, Poisoning, Prediction, average, worst

_PLACES = (-1.15, -0.32, 0.32, 1.15)
"""Quartile middles of a bell: where a rotated coordinate of a vector of length √D may lie."""


class ByCoordinate(Method[VectorMean]):
    """Every user answers for a coordinate, or for several."""

    def scheme(self, settings: VectorMean) -> GroupScheme:
        """The questions."""
        raise NotImplementedError("each method asks in its own way")

    def on(self, settings: VectorMean, low: float, high: float) -> GroupScheme:
        """The same for one coordinate with this range: what a prediction speaks of."""
        raise NotImplementedError("each method asks in its own way")

    def risk(self, settings: VectorMean, averages: Averages, low: float, high: float) -> Prediction:
        """The error of one coordinate with this range."""
        return self.on(settings, low, high).risk(averages)

    def kept(self, settings: VectorMean) -> int:
        """How many observations of each user count."""
        return settings.observations

    def reach(self, settings: VectorMean) -> float:
        """How far from zero a rotated coordinate may lie."""
        return settings.reach

    def statistic(self, settings: VectorMean) -> Statistic:
        """What a user's answer is about."""
        if settings.ball == "l2":
            return Rotated(
                seed=settings.public_seed, size=settings.groups, centre=settings.middle, radius=settings.reach
            )
        kept = self.kept(settings)
        return Average(columns=tuple(range(settings.dimension)), first=kept if kept < settings.observations else None)

    def ranges(self, settings: VectorMean) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """The range of every group."""
        if settings.ball == "linf":
            return settings.ranges
        reach = self.reach(settings)
        return (-reach,) * settings.groups, (reach,) * settings.groups

    def users_per_round(self, settings: VectorMean) -> tuple[int, ...]:
        return self.scheme(settings).users_per_round

    def predict(self, settings: VectorMean, crowd: Crowd) -> Prediction:
        """Of a coordinate, on average over coordinates; for a ball, over rotated ones, which is the same."""
        if settings.ball == "l2":
            reach = self.reach(settings)
            laws = self.laws(settings, crowd, -reach, reach)
            return average([self.risk(settings, law, -reach, reach) for law in laws])
        if crowd == Crowd():  # nothing is stated in units, so that an error goes with its range
            square = sum(count * ((high - low) / 2) ** 2 for low, high, count in settings.boxes)
            return self._on_a_range(settings, crowd, -1.0, 1.0).scaled(square / settings.dimension)
        total = Prediction(sampling=0.0, privacy=0.0)
        for low, high, count in settings.boxes:
            own = fitting(crowd, low, high, widest=settings.widest)
            total += self._on_a_range(settings, own, low, high).scaled(count / settings.dimension)
        return total

    def _on_a_range(self, settings: VectorMean, crowd: Crowd, low: float, high: float) -> Prediction:
        """The worst of the places that the crowd leaves open."""
        return worst(self.risk(settings, law, low, high) for law in self.laws(settings, crowd, low, high))

    def poisoning(self, settings: VectorMean, crowd: Crowd) -> Poisoning:
        """Of the coordinates that are easiest to move (the widest) and to capture, where users fill more of the range.

        Slots are dealt at random, so colluders cannot choose theirs.
        """
        ranges = sorted(set(zip(*self.ranges(settings), strict=True)), key=lambda ends: ends[0] - ends[1])
        widest, narrowest = (
            self.on(settings, low, high).poisoning(self.laws(settings, crowd, low, high))
            for low, high in (ranges[0], ranges[-1])
        )
        shares = [one.capture for one in (widest, narrowest) if one.capture is not None]
        return Poisoning(reach=widest.reach, capture=min(shares, default=None))

    def laws(self, settings: VectorMean, crowd: Crowd, low: float, high: float) -> list[Averages]:
        """The users' averages in a coordinate with this range, at each place that the crowd leaves open."""
        if settings.ball == "l2":
            return _rotated(settings, crowd, high)
        step = self.on(settings, low, high).step
        return crowd.laws(low, high, observations=self.kept(settings), step=step)


def _rotated(settings: VectorMean, crowd: Crowd, reach: float) -> list[Averages]:
    """A rotation spreads length evenly: a rotated coordinate has the average variance, and lies near length/√D."""
    radius, groups = settings.reach, settings.groups
    crowd.check_range(-radius, radius)
    shrink = math.sqrt(settings.dimension / groups)
    limit = radius / math.sqrt(groups)  # no observation in the ball is farther from the mean, on average
    within = limit if crowd.within is None else min(limit, crowd.within * shrink)
    turned = replace(crowd, within=within, spread=min(limit, (crowd.spread or 0.0) * shrink), around=None)
    size = 0.5 * limit if crowd.around is None else abs(crowd.around) * shrink
    return [
        turned.averages(
            centre=min(reach, max(-reach, place * size)), observations=settings.observations, low=-reach, high=reach
        )
        for place in _PLACES
    ]
