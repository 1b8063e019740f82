"""Directions of the whole vector, from ever nearer by: what adaptive does on a ball, and on boxes of many sides."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import NormalDist

import numpy as np

from sottovoce.answers import GUARDED, Assumes, Note, NoteCode, StandardError, VectorEstimate, two_sided
from sottovoce.design import one_bit
from sottovoce.messages import Fact, Rules, Way
from sottovoce.methods import (
    CHECKED,
    Asking,
    Entries,
    Floats,
    Foreseen,
    Script,
    Zoomed,
    best_table,
    direction_way,
    entry_way,
    foreseen,
    response,
    separation,
    sway,
    zoom,
    zoom_ways,
)
from sottovoce.problems.method import Method, StandIn
from sottovoce.problems.ruling import announced
from sottovoce.problems.vector.answer import Intervals, answered, around, levels
from sottovoce.problems.vector.assumed import TYPICAL, AdaptiveWay, asides, assumed
from sottovoce.problems.vector.one_round import OneRound
from sottovoce.problems.vector.settings import VectorMean
from sottovoce.problems.vector.units import Units, squares, unclipped
from sottovoce.risk import Crowd, Poisoning, Prediction, Wider

ENOUGH = 200
"""Users, in units of coth²(ε/2), from which it is learned how far they lie from their middle."""
TOO_FEW = Note(NoteCode.ASKED_AT_ONCE, why="users-for-directions")


class Zooming(AdaptiveWay):
    """Look from afar, look again from nearer by, learn how far users lie, check, and listen."""

    def zooms(self, settings: VectorMean) -> bool:
        """Whether there are enough users to look twice."""
        needed = 6 * settings.dimension / response(settings.epsilon) ** 2
        return settings.users >= max(needed, ENOUGH * separation(settings.epsilon))

    def replacement(self, settings: VectorMean) -> Method[VectorMean] | None:
        """Everybody is asked as one round does, where few users make that better than directions."""
        if self.zooms(settings) or OneRound().unavailable(settings) is not None:
            return None
        plain = unclipped(settings, Units.of(settings))
        mse = plain.variance(0.0) * settings.reach**2 / settings.users
        if not isinstance(plain, Entries) and OneRound().predict(settings, Crowd(spread=0.0)).mse >= mse:
            return None
        return StandIn(self, OneRound(), TOO_FEW, tells_width=True)

    def script(self, settings: VectorMean) -> Script[VectorEstimate]:
        units = Units.of(settings)
        plain = unclipped(settings, units)
        asking = Asking(
            survey=settings.survey, epsilon=settings.epsilon, users=settings.users, seed=settings.public_seed
        )
        if self.zooms(settings):
            found = yield from zoom(
                asking, vector=units.vector, domain=units.domain, observations=settings.observations, unclipped=plain
            )
        else:
            at_once = yield from plain.script(asking)
            middle, radius = units.domain.middle, units.domain.radius
            found = Zoomed(found=at_once, bias=0.0, centre=middle, radius=radius, stages=0, fired=False, lost=True)
        return self._answer(settings, units, found, tuple(asking.rounds))

    def _answer(self, settings: VectorMean, units: Units, zoomed: Zoomed, users: tuple[int, ...]) -> VectorEstimate:
        found, widest = zoomed.found, float(units.half.max())
        raw, value = units.out(found.value), units.out(units.domain.project(found.value))

        def ends(reach: Floats) -> Intervals:
            return around(settings, raw, units.half * reach, value)

        guarded = ends(self._each(settings, units, zoomed)), ends(self._all(settings, units, zoomed))
        model = hidden = shift = None
        if zoomed.outside is not None:
            model = tuple(ends(two_sided(level) * np.sqrt(found.variance)) for level in levels(settings))
            hidden = self._hidden(settings, zoomed, users[-1])
            shift = hidden * widest * float(zoomed.moved(1.0, units.domain).max())
        pulls = tuple((share, widest * pull) for share, pull in zoomed.pulls)
        return answered(
            settings,
            "adaptive",
            value.tolist(),
            self._causes(units, zoomed),
            guarded,
            GUARDED,
            users,
            settings.epsilon,
            () if zoomed.stages else (TOO_FEW,),
            assumes=Assumes.NOTHING,
            model=model,
            model_assumes=None if model is None else Assumes.ONE_CLOUD,
            detection_limit=hidden,
            hidden_shift=shift,
            poisoning=replace(self.poisoning(settings, Crowd()), known=pulls),
        )

    def _causes(self, units: Units, zoomed: Zoomed) -> list[StandardError]:
        """Users who lie as far from their middle as half of them do; the rest of the variance is noise."""
        total, typical = zoomed.found.variance, zoomed.typical or 0.0
        sampling = np.minimum(typical**2 / len(total) / zoomed.found.reports, total)
        parts = (units.half * np.sqrt(part) for part in (sampling, total - sampling))
        return [StandardError(sampling=own, privacy=noise) for own, noise in zip(*map(list, parts), strict=True)]

    def _each(self, settings: VectorMean, units: Units, zoomed: Zoomed) -> Floats:
        """How far each interval reaches, in units: noise, and what users outside may have moved.

        The check errs on its own: both errors in squares, or, where the check dominates, its own to one side.
        """
        z, noise = two_sided(settings.confidence), np.sqrt(zoomed.found.variance)
        if zoomed.outside is None:
            return np.asarray(z * noise)
        seen, error = max(0.0, zoomed.outside.mean), zoomed.outside.error
        one_sided = z if zoomed.fired else NormalDist().inv_cdf(settings.confidence)  # it was looked at again
        shown, more, most = (zoomed.moved(seen + part * error, units.domain) for part in (0.0, one_sided, z))
        return np.asarray(shown + np.minimum(z * noise + more - shown, np.hypot(z * noise, most - shown)))

    def _all(self, settings: VectorMean, units: Units, zoomed: Zoomed) -> Floats:
        """The same for all coordinates at once: half of what may go wrong for the noise, half for the one check."""
        wrong, noise = 1 - settings.confidence, np.sqrt(zoomed.found.variance)
        if zoomed.outside is None:
            return np.asarray(two_sided(1 - wrong / settings.dimension) * noise)
        seen = max(0.0, zoomed.outside.mean) + NormalDist().inv_cdf(1 - wrong / 2) * zoomed.outside.error
        return np.asarray(two_sided(1 - wrong / 2 / settings.dimension) * noise + zoomed.moved(seen, units.domain))

    def _hidden(self, settings: VectorMean, zoomed: Zoomed, left: int) -> float:
        """The share of the users that would be found outside 95 times in 100; see `methods.widen`."""
        assert zoomed.outside is not None
        error = zoomed.outside.error
        matters = error + 0.5 * math.sqrt(settings.dimension / left) / response(settings.epsilon)
        return min(1.0, max(2 * error, matters) + NormalDist().inv_cdf(0.95) * error)

    def foreseen(self, settings: VectorMean, crowd: Crowd) -> Foreseen:
        """The course of the survey for such users, in units."""
        units = Units.of(settings)
        alike, differing = squares(settings, crowd)
        return foreseen(
            users=settings.users,
            size=settings.dimension,
            epsilon=settings.epsilon,
            radius=units.domain.radius,
            observations=settings.observations,
            alike=alike,
            differing=differing,
            plain=unclipped(settings, units).variance(math.sqrt(alike + differing)),
            zooms=self.zooms(settings),
        )

    def predict(self, settings: VectorMean, crowd: Crowd) -> Prediction:
        half = Units.of(settings).half
        return self.foreseen(settings, crowd).prediction.scaled(float(half @ half) / settings.dimension)

    def wider(self, settings: VectorMean, crowd: Crowd) -> tuple[Wider, ...]:
        """They count as the centre of each stage: first the middle, in the end a point near the mean."""
        share = settings.empty_at_most
        return tuple(Wider.by(share, away, 0.0, weight=count) for away, count in asides(settings, crowd))

    def guarded(self, settings: VectorMean, crowd: Crowd) -> float:
        half = float(np.mean(Units.of(settings).half))
        course = self.foreseen(settings, crowd)
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
        return self.foreseen(settings, assumed(settings, Crowd())[0]).users_per_round

    def rules(self, settings: VectorMean) -> Rules:
        """From a point of the domain nobody lies farther than its diameter, and no radius is checked beyond twice."""
        units, epsilon = Units.of(settings), settings.epsilon
        ways: tuple[Way, ...] = ()
        if self.zooms(settings):
            ways = zoom_ways(vector=units.vector, epsilon=epsilon, longest=4 * units.domain.radius, inside=(-1.0, 1.0))
        if isinstance(unclipped(settings, units), Entries):
            ways += (entry_way("entry", vector=units.vector, low=-1.0, high=1.0),)
        else:
            middle, radius = units.domain.middle, units.domain.radius
            ways += (direction_way("direction", vector=units.vector, epsilon=epsilon, centre=middle, radius=radius),)
        tables = [
            table(epsilon)
            for table, role in ((one_bit, "check"), (best_table, "entry"))
            if role in {way.role for way in ways}
        ]
        return announced(next(self.script(settings)), ways, tables, users=settings.users)

    def poisoning(self, settings: VectorMean, crowd: Crowd) -> Poisoning:
        """Colluders may claim that users are far away, until nobody is cut off or the radius is as large as pays."""
        units = Units.of(settings)
        plain = unclipped(settings, units)
        if not self.zooms(settings):
            return Poisoning(reach=float(units.half.max()) * plain.reach)
        widest = min(units.domain.radius, response(settings.epsilon) * math.sqrt(plain.variance(units.domain.radius)))
        reach = max(plain.reach, widest * sway(settings.epsilon) + min(widest, 2.0))
        return Poisoning(reach=float(units.half.max()) * reach)

    def words(self, settings: VectorMean) -> Fact:
        return Fact("directions", nearer=self.zooms(settings))
