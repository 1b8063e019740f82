"""Find the users, then ask where they are; no assumption that they are alike.

By directions of the whole vector, from ever nearer by; or on boxes of few sides one coordinate a user, each as adaptive
does for a mean. Whichever promises more runs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import NormalDist
from typing import Any

import numpy as np

from sottovoce.answers import GUARDED, Answer, Assumes, Note, NoteCode, StandardError, VectorEstimate, two_sided, within
from sottovoce.design import one_bit
from sottovoce.messages import Average, Fact, Free, Inside, Rules, Way
from sottovoce.methods import (
    CHECKED,
    Adaptive,
    Domain,
    Entries,
    Floats,
    FromMiddle,
    Script,
    Unclipped,
    ZoomPrediction,
    ZoomResult,
    best_table,
    bins_way,
    direction_response,
    direction_sway,
    direction_way,
    entry_way,
    position_way,
    predict_zoom,
    reports_for_centre,
    separation,
    side_by_side,
    zoom,
    zoom_ways,
)
from sottovoce.problems.alternatives import promise_of_other_method
from sottovoce.problems.method import Method, StandIn
from sottovoce.problems.rule_builders import rules_of_rounds, waves_in_turn
from sottovoce.problems.vector.answer_parts import Intervals, vector_answer
from sottovoce.problems.vector.one_round import OneRound
from sottovoce.problems.vector.settings import (
    TYPICAL,
    VectorMean,
    crowds_for_vectors,
    distances_from_middle,
    ranges_with_users,
)
from sottovoce.risk import COLLUDING, Averages, Crowd, Poisoning, Prediction, Widening, table_reach, worst
from sottovoce.theory import LOCALISABLE, strength

ENOUGH_EACH = {"linf": 4, "l2": 600}
"""Users for each coordinate from which one coordinate a user can be asked, whoever answered before: enough to answer,
and on a ball, where all of the users' spread may lie in one coordinate, enough to see it. Chosen by hand."""
USERS_TO_ZOOM = 200
"""Users, in units of coth²(ε/2), from which it is learned how far they lie from their middle: fewer say too
little about it to set a radius by. Chosen by hand."""
MOST_SIDES = 16
"""Coordinates up to which they are asked side by side: each has a round of its own."""
TOO_FEW = Note(NoteCode.ASKED_AT_ONCE, why="users-for-directions")


@dataclass(frozen=True, kw_only=True, eq=False)
class Units:
    """The declared set in its own units, a ball of radius 1 about zero or the box from −1 to 1, and the way back.

    A coordinate with its own range counts in halves of it, so that boxes whose sides differ lose nothing: the narrow
    coordinates are asked as finely as the wide ones.
    """

    vector: Inside
    domain: Domain
    middle: Floats
    half: Floats
    """Of each range; of a ball its radius."""

    @classmethod
    def of(cls, settings: VectorMean) -> Units:
        low, high = (np.array(ends) for ends in settings.ranges)
        middle, half, size, ball = (low + high) / 2, (high - low) / 2, settings.dimension, settings.ball == "l2"
        if ball:
            middle, half = np.array(settings.middle), np.full(size, settings.reach)
        # One entry where all are the same: a question stays small.
        few = (tuple((part[:1] if (part == part[0]).all() else part).tolist()) for part in (middle, half))
        assert settings.ball is not None
        domain = Domain(
            middle=(0.0,) * size,
            radius=1.0 if ball else math.sqrt(size),
            low=(-1.0,) * size,
            high=(1.0,) * size,
            project=_onto_ball if ball else _onto_box,
            far=lambda centre: 1 + math.hypot(*centre) if ball else math.hypot(*(1 + abs(at) for at in centre)),
        )
        vector = Inside(size=size, middle=next(few), half=next(few), ball=settings.ball)
        return cls(vector=vector, domain=domain, middle=middle, half=half)

    def in_observed_units(self, places: Floats) -> Floats:
        """The same places in units of the observations."""
        return np.asarray(self.middle + self.half * places)


def _onto_ball(places: Floats) -> Floats:
    return np.asarray(places / max(1.0, float(np.sqrt(places @ places))))


def _onto_box(places: Floats) -> Floats:
    return np.clip(places, -1.0, 1.0)


def way_to_ask_everybody(settings: VectorMean, units: Units) -> Unclipped:
    """How users are asked where no radius is worth it: one coordinate each, or directions from the middle."""
    entries = Entries(vector=units.vector, low=-1.0, high=1.0, epsilon=settings.epsilon)
    directions = FromMiddle(vector=units.vector, domain=units.domain, epsilon=settings.epsilon)
    assert settings.ball is not None
    enough = settings.users >= ENOUGH_EACH[settings.ball] * settings.dimension
    return entries if enough and entries.variance(0.0) < directions.variance(0.0) else directions


def squared_deviations(settings: VectorMean, crowd: Crowd) -> tuple[float, float]:
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
    for low, high, count, users in ranges_with_users(settings, crowd):
        (_, total), *_ = users.moments(low, high, observations=settings.observations)
        spread = users.law.variance if users.law is not None else min((users.spread or 0.0) ** 2, total)
        square = ((high - low) / 2) ** 2
        alike, apart = alike + count * (total - spread) / square, apart + count * spread / square
    return alike, apart


class AdaptiveWay(Method[VectorMean]):
    """What the ways to find the users, and then ask where they are, have in common."""

    name = "adaptive"
    help = "finds out where users are, then asks there"
    why_not_empty = None

    def assumed_users(self, settings: VectorMean, crowd: Crowd) -> tuple[Crowd, ...]:
        return crowds_for_vectors(settings, crowd)


class AdaptiveByDirection(AdaptiveWay):
    """Look from afar, look again from nearer by, learn how far users lie, check, and listen."""

    def zooms(self, settings: VectorMean) -> bool:
        """Whether there are enough users to look twice."""
        needed = reports_for_centre(settings.dimension, settings.epsilon)
        return settings.users >= max(needed, USERS_TO_ZOOM * separation(settings.epsilon))

    def replacement(self, settings: VectorMean) -> Method[VectorMean] | None:
        """Everybody is asked as one round does, where few users make that better than directions."""
        if self.zooms(settings) or OneRound().why_unavailable(settings) is not None:
            return None
        plain = way_to_ask_everybody(settings, Units.of(settings))
        mse = plain.variance(0.0) * settings.reach**2 / settings.users
        if not isinstance(plain, Entries) and OneRound().predict(settings, Crowd(spread=0.0)).mse >= mse:
            return None
        return StandIn(self, OneRound(), TOO_FEW, tells_width=True)

    def script(self, settings: VectorMean) -> Script[VectorEstimate]:
        units = Units.of(settings)
        plain = way_to_ask_everybody(settings, units)
        asking = settings.round_maker()
        if self.zooms(settings):
            zoomed = yield from zoom(
                asking, vector=units.vector, domain=units.domain, observations=settings.observations, unclipped=plain
            )
        else:
            at_once = yield from plain.script(asking)
            middle, radius = units.domain.middle, units.domain.radius
            zoomed = ZoomResult(found=at_once, centre=middle, radius=radius, stages=0, fired=False)
        return self._answer(settings, units, zoomed, tuple(asking.rounds))

    def _answer(self, settings: VectorMean, units: Units, zoomed: ZoomResult, users: tuple[int, ...]) -> VectorEstimate:
        mean_vector, widest = zoomed.found, float(units.half.max())
        raw, value = (
            units.in_observed_units(mean_vector.value),
            units.in_observed_units(units.domain.project(mean_vector.value)).tolist(),
        )

        def ends(reach: Floats) -> Intervals:
            """Around the unbiased value, cut to the ranges and never without the published one."""
            rows = zip(raw.tolist(), (units.half * reach).tolist(), value, *settings.ranges, strict=True)
            cut = ((within((at - far, at + far), low, high), published) for at, far, published, low, high in rows)
            return tuple((min(low, published), max(high, published)) for (low, high), published in cut)

        guarded = ends(self._reach_of_each(settings, units, zoomed)), ends(self._reach_of_all(settings, units, zoomed))
        # Users lie as far from their middle as half of them do; the rest of the variance is noise.
        sampling = np.minimum(
            (zoomed.typical or 0.0) ** 2 / len(mean_vector.variance) / mean_vector.reports, mean_vector.variance
        )
        causes = zip(*(units.half * np.sqrt(part) for part in (sampling, mean_vector.variance - sampling)), strict=True)
        facts: dict[str, Any] = {
            "value": tuple(value),
            "standard_error": tuple(StandardError(sampling=own, privacy=noise) for own, noise in causes),
            "interval_kind": GUARDED,
            "notes": () if zoomed.stages else (TOO_FEW,),
            "assumes": Assumes.NOTHING,
        }
        if zoomed.outside is not None:
            each, jointly = (
                ends(two_sided(level) * np.sqrt(mean_vector.variance))
                for level in settings.confidences(settings.dimension)
            )
            error = zoomed.outside.error
            matters = error + 0.5 * math.sqrt(settings.dimension / users[-1]) / direction_response(settings.epsilon)
            # The share of the users that would be found outside 95 times in 100; see `methods.widen`.
            hidden = min(1.0, max(2 * error, matters) + NormalDist().inv_cdf(0.95) * error)
            facts |= {
                "model_intervals": each,
                "model_simultaneous": jointly,
                "model_assumes": Assumes.ONE_CLOUD,
                "detection_limit": hidden,
                "hidden_shift": hidden * widest * float(zoomed.moved(1.0, units.domain).max()),
            }
        pulls = tuple((share, widest * pull) for share, pull in zoomed.pulls)
        poisoning = replace(self.poisoning(settings, Crowd()), known=pulls)
        return vector_answer(self, settings, users, guarded, poisoning, **facts)

    def _reach_of_each(self, settings: VectorMean, units: Units, zoomed: ZoomResult) -> Floats:
        """How far each interval reaches, in units: noise, and what users outside may have moved.

        The check errs on its own: both errors in squares, or, where the check dominates, its own to one side.
        """
        z, noise = two_sided(settings.confidence), np.sqrt(zoomed.found.variance)
        if zoomed.outside is None:
            return np.asarray(z * noise)
        share, error = max(0.0, zoomed.outside.mean), zoomed.outside.error
        one_sided = z if zoomed.fired else NormalDist().inv_cdf(settings.confidence)  # it was looked at again
        shown, more, most = (zoomed.moved(share + part * error, units.domain) for part in (0.0, one_sided, z))
        return np.asarray(shown + np.minimum(z * noise + more - shown, np.hypot(z * noise, most - shown)))

    def _reach_of_all(self, settings: VectorMean, units: Units, zoomed: ZoomResult) -> Floats:
        """How far intervals of all coordinates at once reach: half of what may go wrong is noise, half the check."""
        wrong, noise = 1 - settings.confidence, np.sqrt(zoomed.found.variance)
        if zoomed.outside is None:
            return np.asarray(two_sided(1 - wrong / settings.dimension) * noise)
        share = max(0.0, zoomed.outside.mean) + NormalDist().inv_cdf(1 - wrong / 2) * zoomed.outside.error
        return np.asarray(two_sided(1 - wrong / 2 / settings.dimension) * noise + zoomed.moved(share, units.domain))

    def predicted_course(self, settings: VectorMean, crowd: Crowd) -> ZoomPrediction:
        """The course of the survey for such users, in units."""
        units = Units.of(settings)
        alike, differing = squared_deviations(settings, crowd)
        return predict_zoom(
            users=settings.users,
            size=settings.dimension,
            epsilon=settings.epsilon,
            radius=units.domain.radius,
            observations=settings.observations,
            alike=alike,
            differing=differing,
            plain=way_to_ask_everybody(settings, units).variance(math.sqrt(alike + differing)),
            zooms=self.zooms(settings),
        )

    def predict(self, settings: VectorMean, crowd: Crowd) -> Prediction:
        half = Units.of(settings).half
        return self.predicted_course(settings, crowd).prediction.scaled(float(half @ half) / settings.dimension)

    def widenings_for_empty(self, settings: VectorMean, crowd: Crowd) -> tuple[Widening, ...]:
        """They count as the centre of each stage: first the middle, in the end a point near the mean."""
        share = settings.empty_at_most
        places = distances_from_middle(settings, crowd)
        return tuple(Widening.by(share, away, 0.0, weight=count) for away, count in places)

    def guarded_halfwidth(self, settings: VectorMean, crowd: Crowd) -> float:
        half = float(np.mean(Units.of(settings).half))
        course = self.predicted_course(settings, crowd)
        noise = two_sided(settings.confidence) * math.sqrt(course.prediction.sampling + course.prediction.privacy)
        if not course.clipped:
            return half * min(1.0, noise)
        zero, one = one_bit(settings.epsilon).decode
        rate = -zero / (one - zero)
        error = (one - zero) * math.sqrt(rate * (1 - rate) / (CHECKED * settings.users))
        centre = TYPICAL / (math.sqrt(settings.dimension) if settings.ball == "l2" else 1)
        return half * min(1.0, noise + NormalDist().inv_cdf(settings.confidence) * error * (1 + centre))

    def users_per_round(self, settings: VectorMean) -> tuple[int, ...]:
        """If nobody is found outside; else there are more rounds, of the last one's users."""
        return self.predicted_course(settings, crowds_for_vectors(settings, Crowd())[0]).users_per_round

    def rules(self, settings: VectorMean) -> Rules:
        """From a point of the domain nobody lies farther than its diameter, and no radius is checked beyond twice."""
        units, epsilon = Units.of(settings), settings.epsilon
        ways: tuple[Way, ...] = ()
        if self.zooms(settings):
            ways = zoom_ways(vector=units.vector, epsilon=epsilon, longest=4 * units.domain.radius, inside=(-1.0, 1.0))
        if isinstance(way_to_ask_everybody(settings, units), Entries):
            ways += (entry_way("entry", vector=units.vector, low=-1.0, high=1.0),)
        else:
            middle, radius = units.domain.middle, units.domain.radius
            ways += (direction_way("direction", vector=units.vector, epsilon=epsilon, centre=middle, radius=radius),)
        tables = [
            table(epsilon)
            for table, role in ((one_bit, "check"), (best_table, "entry"))
            if role in {way.role for way in ways}
        ]
        return rules_of_rounds(next(self.script(settings)), ways, tables, users=settings.users)

    def poisoning(self, settings: VectorMean, crowd: Crowd) -> Poisoning:
        """Colluders may claim that users are far away, until nobody is cut off or the radius is as large as pays."""
        units = Units.of(settings)
        plain = way_to_ask_everybody(settings, units)
        if not self.zooms(settings):
            return Poisoning(reach=float(units.half.max()) * plain.reach)
        widest = min(
            units.domain.radius, direction_response(settings.epsilon) * math.sqrt(plain.variance(units.domain.radius))
        )
        reach = max(plain.reach, widest * direction_sway(settings.epsilon) + min(widest, 2.0))
        return Poisoning(reach=float(units.half.max()) * reach)

    def words(self, settings: VectorMean) -> Fact:
        return Fact("directions", nearer=self.zooms(settings))


class AdaptiveByCoordinate(AdaptiveWay):
    """Bins, finer bins, a table between ends, for every coordinate.

    All first looks are one question where the ranges are the same, and all last questions always are one; the second
    looks are asked one after another, of equally many users each. With several coordinates side by side a false alarm
    anywhere costs accuracy, so that each is looked at with low caution: guarded intervals hold all the same.
    """

    def fits(self, settings: VectorMean) -> bool:
        """Whether coordinates can be asked one by one, are few enough for a round each, and have users enough."""
        one_by_one = settings.ball == "linf" or settings.dimension == 1
        each = strength(settings.users // settings.dimension, settings.epsilon)
        return one_by_one and settings.dimension <= MOST_SIDES and each >= LOCALISABLE

    def scheme(self, settings: VectorMean, coordinate: int = 0) -> Adaptive:
        """The rounds of one coordinate."""
        return Adaptive(
            survey=settings.survey,
            users=settings.users // settings.dimension,
            observations=settings.observations,
            low=settings.ranges[0][coordinate],
            high=settings.ranges[1][coordinate],
            epsilon=settings.epsilon,
            caution="low",
            confidence=settings.confidence,
            statistic=Average(columns=(coordinate,)),
            beside=settings.dimension,
        )

    def script(self, settings: VectorMean) -> Script[VectorEstimate]:
        schemes = [self.scheme(settings, place) for place in range(settings.dimension)]
        spare, table = settings.users - sum(scheme.users for scheme in schemes), best_table(settings.epsilon)
        means, users = yield from side_by_side([scheme.script(table) for scheme in schemes], spare=spare)
        rows = list(zip(means, *settings.ranges, strict=True))
        errors = tuple(one.standard_error for one in means)

        def ends(reaches: Iterable[tuple[float, float]]) -> Intervals:
            """Around each value, cut to its range."""
            return tuple(
                (max(low, one.value - below), min(high, one.value + above))
                for (one, low, high), (below, above) in zip(rows, reaches, strict=True)
            )

        guarded = ends((one.below, one.above) for one in means), ends(one.jointly for one in means)
        model = []
        for z, wide in zip(map(two_sided, settings.confidences(settings.dimension)), guarded, strict=True):
            narrow = ends((z * error.total, z * error.total) for error in errors)  # never beyond the guarded one
            model.append(tuple((max(a, c), min(b, d)) for (a, b), (c, d) in zip(narrow, wide, strict=True)))
        pulls = tuple((share, max(dict(one.pulls)[share] for one in means)) for share in COLLUDING)
        return vector_answer(
            self,
            settings,
            users,
            guarded,
            replace(self.poisoning(settings, Crowd()), known=pulls),
            value=tuple(one.value for one in means),
            standard_error=errors,
            interval_kind=GUARDED,
            assumes=Assumes.NOTHING,
            model_intervals=model[0],
            model_simultaneous=model[1],
            model_assumes=Assumes.ONE_BELL_EACH,
            detection_limit=max(one.hidden for one in means),
            hidden_shift=max(one.hidden * max(high - one.high, one.low - low) for one, low, high in rows),
        )

    def _sides(self, settings: VectorMean, crowd: Crowd) -> Iterator[tuple[int, Adaptive, list[Averages]]]:
        """For each of the different ranges, how many coordinates have it, their rounds, and laws of their users."""
        for low, high, count, users in ranges_with_users(settings, crowd):
            laws = users.laws(low, high, observations=settings.observations, step=0.0)
            yield count, replace(self.scheme(settings), low=low, high=high), laws

    def predict(self, settings: VectorMean, crowd: Crowd) -> Prediction:
        """The expected error of a coordinate, on average over coordinates."""
        table, total = best_table(settings.epsilon), Prediction(sampling=0.0, privacy=0.0)
        for count, scheme, laws in self._sides(settings, crowd):
            total += worst(scheme.risk(law, table) for law in laws).scaled(count / settings.dimension)
        return total

    def widenings_for_empty(self, settings: VectorMean, crowd: Crowd) -> tuple[Widening, ...]:
        """They count as the middle of what the last question asks about."""
        table, widenings = best_table(settings.epsilon), []
        for count, scheme, laws in self._sides(settings, crowd):
            away = max(abs(scheme.mean_above_midpoint(law, table)) for law in laws)
            widenings.append(Widening.by(settings.empty_at_most, away, -away, weight=count))
        return tuple(widenings)

    def guarded_halfwidth(self, settings: VectorMean, crowd: Crowd) -> float:
        table, total = best_table(settings.epsilon), 0.0
        for count, scheme, laws in self._sides(settings, crowd):
            total += count * max(scheme.guarded_halfwidth(law, table) for law in laws)
        return total / settings.dimension

    def users_per_round(self, settings: VectorMean) -> tuple[int, ...]:
        """The first looks, the second looks one after another, the last question."""
        scheme, count = self.scheme(settings), settings.dimension
        looks = (count * scheme.first,) if len(settings.boxes) == 1 else (scheme.first,) * count
        last = settings.users - count * (scheme.first + scheme.second)
        return (*looks, *(scheme.second,) * count, last)

    def rules(self, settings: VectorMean) -> Rules:
        """How many coordinates look twice is decided on the way: the last question takes what they leave."""
        scheme, count = self.scheme(settings), settings.dimension
        low, high = min(settings.ranges[0]), max(settings.ranges[1])
        columns = Free(field="statistic.columns", low=0.0, high=float(count - 1), most=count)
        ways = (
            Way.of(next(self.script(settings)), opening=True),
            bins_way("bins", columns, statistic=Average(), low=low, high=high),
            position_way("mean", statistic=Average(columns=tuple(range(count))), low=low, high=high, most=count),
        )
        turns = [(scheme.first, ("bins",))] * count + [(scheme.second, ("bins", "mean"))] * count
        last = settings.users - count * (scheme.first + scheme.second)
        waves = waves_in_turn([*turns, (last, ("mean",))], epsilon=settings.epsilon)
        return Rules(waves=waves, ways=ways, tables=(best_table(settings.epsilon),))

    def poisoning(self, settings: VectorMean, crowd: Crowd) -> Poisoning:
        return Poisoning(reach=table_reach(best_table(settings.epsilon), settings.widest))

    def words(self, settings: VectorMean) -> Fact:
        return Fact("bins-of-coordinates", bins=self.scheme(settings).bins)


class AdaptiveRounds(AdaptiveWay):
    """Directions of the whole vector, or on boxes of few sides one coordinate a user, whichever promises more."""

    def replacement(self, settings: VectorMean) -> Method[VectorMean]:
        return _best(settings)


@lru_cache(maxsize=256)
def _best(settings: Any) -> Method[VectorMean]:
    """The better of the two by the error to expect: it follows from the settings alone."""
    whole, alone = AdaptiveByDirection().method_that_runs(settings), AdaptiveByCoordinate()
    if not alone.fits(settings):
        return whole
    return (
        alone if alone.expected_error(settings, Crowd()).mse <= whole.expected_error(settings, Crowd()).mse else whole
    )


def with_promise_of_other_method(settings: VectorMean, answer: Answer) -> Answer:
    """An answer of adaptive or one round with what the other choice would have promised."""
    assert isinstance(answer, VectorEstimate)
    if settings.method not in (OneRound.name, AdaptiveRounds.name):
        return answer
    return replace(answer, instead=_promise_of_other_method(settings))


@lru_cache(maxsize=256)
def _promise_of_other_method(settings: Any) -> Fact | None:
    one_round = OneRound()
    if settings.method != one_round.name and one_round.why_unavailable(settings) is not None:
        return None
    return promise_of_other_method(settings, settings.widest / 2, "-each")
