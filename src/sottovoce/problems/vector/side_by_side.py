"""One coordinate a user, each coordinate's users found as adaptive finds those of a mean: for boxes of few sides.

All first looks are one question where the ranges are the same, and all last questions always are one; the second looks
are asked one after another, of equally many users each. With several coordinates side by side a false alarm anywhere
costs accuracy, so that each is looked at with low caution: guarded intervals hold all the same.
"""

from __future__ import annotations

import math
from dataclasses import replace

from sottovoce.answers import GUARDED, Assumes, StandardError, VectorEstimate, two_sided
from sottovoce.design import best_position_table
from sottovoce.messages import Average, Fact, Free, Rules, Way, exact
from sottovoce.methods import COLLUDING, Adapted, Adaptive, Script, bins_way, position_way, side_by_side
from sottovoce.problems.ruling import in_turn
from sottovoce.problems.vector.answer import Intervals, answered, levels
from sottovoce.problems.vector.assumed import AdaptiveWay, fitting
from sottovoce.problems.vector.settings import VectorMean
from sottovoce.risk import Crowd, Poisoning, Prediction, Wider, table_reach, worst
from sottovoce.theory import LOCALISABLE, strength

MOST = 16
"""Coordinates up to which they are asked side by side: each has a round of its own."""


class SideBySide(AdaptiveWay):
    """Bins, finer bins, a table between ends, for every coordinate."""

    def fits(self, settings: VectorMean) -> bool:
        """Whether coordinates can be asked one by one, are few enough for a round each, and have users enough."""
        one_by_one = settings.ball == "linf" or settings.dimension == 1
        each = strength(settings.users // settings.dimension, settings.epsilon)
        return one_by_one and settings.dimension <= MOST and each >= LOCALISABLE

    def scheme(self, settings: VectorMean, coordinate: int, low: float, high: float) -> Adaptive:
        """The rounds of one coordinate."""
        return Adaptive(
            survey=settings.survey,
            users=settings.users // settings.dimension,
            observations=settings.observations,
            low=low,
            high=high,
            epsilon=settings.epsilon,
            caution="low",
            confidence=settings.confidence,
            statistic=Average(columns=(coordinate,)),
            beside=settings.dimension,
        )

    def script(self, settings: VectorMean) -> Script[VectorEstimate]:
        table, ranges = best_position_table(exact(settings.epsilon)), list(zip(*settings.ranges, strict=True))
        schemes = [self.scheme(settings, place, low, high) for place, (low, high) in enumerate(ranges)]
        spare = settings.users - sum(scheme.users for scheme in schemes)
        found, users = yield from side_by_side([scheme.script(table) for scheme in schemes], spare=spare)
        errors = [
            StandardError(sampling=math.sqrt(one.sampling), privacy=math.sqrt(one.privacy), clipping=one.clipping)
            for one in found
        ]
        guarded = _ends(found, ranges, [(one.below, one.above) for one in found])
        jointly = _ends(found, ranges, [one.jointly for one in found])
        each, all_ = ([two_sided(level) * error.total for error in errors] for level in levels(settings))
        beyond = [max(high - one.high, one.low - low) for one, (low, high) in zip(found, ranges, strict=True)]
        pulls = tuple((share, max(dict(one.pulls)[share] for one in found)) for share in COLLUDING)
        return answered(
            settings,
            "adaptive",
            [one.value for one in found],
            errors,
            (guarded, jointly),
            GUARDED,
            users,
            settings.epsilon,
            assumes=Assumes.NOTHING,
            model=tuple(
                _inside(_ends(found, ranges, [(reach, reach) for reach in both]), wide)
                for both, wide in ((each, guarded), (all_, jointly))
            ),
            model_assumes=Assumes.ONE_BELL_EACH,
            detection_limit=max(one.hidden for one in found),
            hidden_shift=max(one.hidden * far for one, far in zip(found, beyond, strict=True)),
            poisoning=replace(self.poisoning(settings, Crowd()), known=pulls),
        )

    def predict(self, settings: VectorMean, crowd: Crowd) -> Prediction:
        """Of a coordinate, on average over coordinates."""
        table = best_position_table(exact(settings.epsilon))
        total = Prediction(sampling=0.0, privacy=0.0)
        for low, high, count in settings.boxes:
            own = fitting(crowd, low, high, widest=settings.widest)
            laws = own.laws(low, high, observations=settings.observations, step=0.0)
            scheme = self.scheme(settings, 0, low, high)
            total += worst(scheme.risk(law, table) for law in laws).scaled(count / settings.dimension)
        return total

    def wider(self, settings: VectorMean, crowd: Crowd) -> tuple[Wider, ...]:
        """They count as the middle of what the last question asks about."""
        table, found = best_position_table(exact(settings.epsilon)), []
        for low, high, count in settings.boxes:
            own = fitting(crowd, low, high, widest=settings.widest)
            laws = own.laws(low, high, observations=settings.observations, step=0.0)
            away = max(abs(self.scheme(settings, 0, low, high).aside(law, table)) for law in laws)
            found.append(Wider.by(settings.empty_at_most, away, -away, weight=count))
        return tuple(found)

    def guarded(self, settings: VectorMean, crowd: Crowd) -> float:
        table = best_position_table(exact(settings.epsilon))
        total = 0.0
        for low, high, count in settings.boxes:
            own = fitting(crowd, low, high, widest=settings.widest)
            laws = own.laws(low, high, observations=settings.observations, step=0.0)
            scheme = self.scheme(settings, 0, low, high)
            total += count * max(scheme.guard(law, table) for law in laws)
        return total / settings.dimension

    def users_per_round(self, settings: VectorMean) -> tuple[int, ...]:
        """The first looks, the second looks one after another, the last question."""
        scheme, count = self.scheme(settings, 0, *settings.boxes[0][:2]), settings.dimension
        looks = (count * scheme.first,) if len(settings.boxes) == 1 else (scheme.first,) * count
        last = settings.users - count * (scheme.first + scheme.second)
        return (*looks, *(scheme.second,) * count, last)

    def rules(self, settings: VectorMean) -> Rules:
        """How many coordinates look twice is decided on the way: the last question takes what they leave."""
        scheme, count = self.scheme(settings, 0, *settings.boxes[0][:2]), settings.dimension
        low, high = min(settings.ranges[0]), max(settings.ranges[1])
        columns = Free(field="statistic.columns", low=0.0, high=float(count - 1), most=count)
        ways = (
            Way.of(next(self.script(settings)), opening=True),
            bins_way("bins", columns, statistic=Average(), low=low, high=high),
            position_way("mean", statistic=Average(columns=tuple(range(count))), low=low, high=high, most=count),
        )
        turns = [(scheme.first, ("bins",))] * count + [(scheme.second, ("bins", "mean"))] * count
        last = settings.users - count * (scheme.first + scheme.second)
        return Rules(
            waves=in_turn([*turns, (last, ("mean",))], epsilon=settings.epsilon),
            ways=ways,
            tables=(best_position_table(exact(settings.epsilon)),),
        )

    def poisoning(self, settings: VectorMean, crowd: Crowd) -> Poisoning:
        return Poisoning(reach=table_reach(best_position_table(exact(settings.epsilon)), settings.widest))

    def words(self, settings: VectorMean) -> Fact:
        return Fact("bins-of-coordinates", bins=self.scheme(settings, 0, *settings.boxes[0][:2]).bins)


def _ends(found: list[Adapted], ranges: list[tuple[float, float]], reach: list[tuple[float, float]]) -> Intervals:
    """Around each value, cut to its range."""
    return tuple(
        (max(low, one.value - below), min(high, one.value + above))
        for one, (low, high), (below, above) in zip(found, ranges, reach, strict=True)
    )


def _inside(model: Intervals, guarded: Intervals) -> Intervals:
    """A model interval never reaches beyond the guarded one."""
    return tuple((max(one[0], other[0]), min(one[1], other[1])) for one, other in zip(model, guarded, strict=True))
