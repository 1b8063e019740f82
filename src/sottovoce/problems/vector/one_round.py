"""Everybody at once, one coordinate each, on the full range; and what all methods share that ask by coordinate.

A fold of users answers for each coordinate, of the vector (ℓ∞) or of its rotation (ℓ2).
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from sottovoce.answers import Assumes, StandardError, VectorEstimate
from sottovoce.messages import Average, Fact, Position, Question, Rotated, Statistic, Table, Tally
from sottovoce.methods import (
    ENOUGH_TO_MEASURE,
    Floats,
    FullRange,
    GroupScheme,
    Script,
    all_slots,
    decode_means,
    guaranteed_intervals,
)
from sottovoce.problems.method import Method
from sottovoce.problems.vector.answer_parts import colluders, normal_answer, rotated_back, vector_answer
from sottovoce.problems.vector.settings import VectorMean, crowds_for_vectors, distances_from_middle, ranges_with_users
from sottovoce.risk import Averages, Crowd, Poisoning, Prediction, Widening, average, worst

_PLACES = (-1.15, -0.32, 0.32, 1.15)
"""Quartile middles of a bell: where a rotated coordinate of a vector of length √D may lie."""
_MISSED = 1e-6
"""The share of all rotations that may turn a vector beyond the range that is kept. It trades bias for a narrower range;
chosen by hand, so that the bias is next to nothing."""


class ByCoordinate(Method[VectorMean]):
    """Every user answers for a coordinate, or for several."""

    def scheme(self, settings: VectorMean) -> GroupScheme:
        """The questions."""
        raise NotImplementedError("each method asks in its own way")

    def on_range(self, settings: VectorMean, low: float, high: float) -> GroupScheme:
        """The questions about one coordinate with this range: what a prediction speaks of."""
        raise NotImplementedError("each method asks in its own way")

    def risk(self, settings: VectorMean, averages: Averages, low: float, high: float) -> Prediction:
        """The error of one coordinate with this range."""
        return self.on_range(settings, low, high).risk(averages)

    def observations_used(self, settings: VectorMean) -> int:
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
        kept = self.observations_used(settings)
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
        """The error of a coordinate, on average over them; for a ball, over rotated ones, which is the same."""
        if settings.ball == "l2":
            reach = self.reach(settings)
            laws = self.laws(settings, crowd, -reach, reach)
            return average([self.risk(settings, law, -reach, reach) for law in laws])
        parts: list[tuple[float, float, float, Crowd]] = [*ranges_with_users(settings, crowd)]
        if crowd == Crowd():  # nothing is stated in units, so that an error goes with its range
            square = sum(count * ((high - low) / 2) ** 2 for low, high, count, _ in parts)
            parts = [(-1.0, 1.0, square, crowd)]
        total = Prediction(sampling=0.0, privacy=0.0)
        for low, high, weight, users in parts:
            laws = self.laws(settings, users, low, high)
            total += worst(self.risk(settings, law, low, high) for law in laws).scaled(weight / settings.dimension)
        return total

    def poisoning(self, settings: VectorMean, crowd: Crowd) -> Poisoning:
        """What colluders can do where it is easiest: to the widest coordinates, and where users fill more of the range.

        Slots are dealt at random, so colluders cannot choose theirs.
        """
        ranges = sorted(set(zip(*self.ranges(settings), strict=True)), key=lambda ends: ends[0] - ends[1])
        widest, narrowest = (
            self.on_range(settings, low, high).poisoning(self.laws(settings, crowd, low, high))
            for low, high in (ranges[0], ranges[-1])
        )
        shares = [one.capture for one in (widest, narrowest) if one.capture is not None]
        return Poisoning(reach=widest.reach, capture=min(shares, default=None))

    def laws(self, settings: VectorMean, crowd: Crowd, low: float, high: float) -> list[Averages]:
        """The users' averages in a coordinate with this range, at each place that the crowd leaves open.

        A rotation spreads length evenly: a rotated coordinate has the average variance, and lies near length/√D.
        """
        if settings.ball == "linf":
            step = self.on_range(settings, low, high).step
            return crowd.laws(low, high, observations=self.observations_used(settings), step=step)
        crowd.check_range(-settings.reach, settings.reach)
        shrink = math.sqrt(settings.dimension / settings.groups)
        limit = settings.reach / math.sqrt(settings.groups)  # no observation is farther from the mean, on average
        within = limit if crowd.within is None else min(limit, crowd.within * shrink)
        turned = replace(crowd, within=within, spread=min(limit, (crowd.spread or 0.0) * shrink), around=None)
        size = 0.5 * limit if crowd.around is None else abs(crowd.around) * shrink
        centres = (min(high, max(low, place * size)) for place in _PLACES)
        return [
            turned.averages(centre=centre, observations=settings.observations, low=low, high=high) for centre in centres
        ]


class OneRound(ByCoordinate):
    """One question, one table, nothing assumed about the users."""

    name = "one-round"
    help = "asks everybody once, one coordinate each, on the full range"
    guaranteed = True
    why_not_empty = None

    def why_unavailable(self, settings: VectorMean) -> Fact | None:
        if settings.users >= settings.groups:
            return None
        return Fact("too-few-for-coordinates", users=settings.users, folds=settings.groups)

    def reach(self, settings: VectorMean) -> float:
        """Only a part of the radius, since a rotated coordinate is small for nearly every rotation.

        A vector of length 1 has |(Rx)_j| > t for a share of at most 2·exp(−D·t²/2) of all rotations (Hoeffding on
        the random signs); t is chosen for 1e-6, so that the clamp moves an estimate by at most that part of the radius.
        """
        return min(1.0, math.sqrt(2 * math.log(2 / _MISSED) / settings.groups)) * settings.reach

    def scheme(self, settings: VectorMean) -> FullRange:
        low, high = self.ranges(settings)
        if len(set(zip(low, high, strict=True))) == 1:  # one range for all keeps the question small
            low, high = low[:1], high[:1]
        return FullRange(
            survey=settings.survey,
            slots=all_slots(settings.users),
            low=low,
            high=high,
            epsilon=settings.epsilon,
            statistic=self.statistic(settings),
            groups=settings.groups,
        )

    def on_range(self, settings: VectorMean, low: float, high: float) -> FullRange:
        return replace(self.scheme(settings), low=(low,), high=(high,))

    def risk(self, settings: VectorMean, averages: Averages, low: float, high: float) -> Prediction:
        """An estimate on a box never leaves it, nor one on a ball of one dimension; others are turned back first."""
        return self.on_range(settings, low, high).risk(
            averages, clamp=settings.ball == "linf" or settings.dimension == 1
        )

    def script(self, settings: VectorMean) -> Script[VectorEstimate]:
        asked = self.scheme(settings).question()
        tally = yield asked
        users, poisoning = (sum(tally.reports),), self.poisoning(settings, Crowd())
        facts = {"interval_kind": Fact("guarded-normal"), "assumes": Assumes.NOTHING}
        if settings.ball == "l2":
            rotated, sampling, noise = rotated_means(asked, tally, settings.reach)
            unbiased, middle = rotated_back(settings, rotated), np.array(settings.middle)
            answer = normal_answer(self, settings, users, unbiased, (sampling, noise, 0.0), **facts)
            # The value is the nearest one inside the ball. Intervals stay around the unbiased one; one that does not
            # hold the published value is widened to it.
            away = unbiased - middle
            value = tuple((middle + away / max(1.0, float(np.linalg.norm(away)) / settings.reach)).tolist())
            each, jointly = (
                tuple((min(low, at), max(high, at)) for (low, high), at in zip(ends, value, strict=True))
                for ends in (answer.intervals, answer.simultaneous)
            )
            shown = colluders(settings, each, poisoning)
            return replace(answer, value=value, intervals=each, simultaneous=jointly, colluders=shown)
        means, channel = decode_means(asked, tally), asked.channel
        assert isinstance(channel, Table)
        low, high = map(np.array, settings.ranges)
        guarded = []
        for level in settings.confidences(settings.dimension):  # in every coordinate, as for a mean
            ends = guaranteed_intervals(channel, tally.counts(), np.array(tally.reports), level)
            guarded.append(tuple(zip(*((low + (high - low) * end).tolist() for end in ends), strict=True)))
        causes = zip(np.sqrt(means.sampling).tolist(), np.sqrt(means.privacy).tolist(), strict=True)
        facts["standard_error"] = tuple(StandardError(sampling=one, privacy=noise) for one, noise in causes)
        facts["value"] = tuple(np.minimum(high, np.maximum(low, means.value)).tolist())
        return vector_answer(self, settings, users, (guarded[0], guarded[1]), poisoning, **facts)

    def widenings_for_empty(self, settings: VectorMean, crowd: Crowd) -> tuple[Widening, ...]:
        """They count as the middle, of every range or of the ball."""
        share = settings.empty_at_most
        places = distances_from_middle(settings, crowd)
        return tuple(Widening.by(share, away, -away, weight=count) for away, count in places)

    def assumed_users(self, settings: VectorMean, crowd: Crowd) -> tuple[Crowd, ...]:
        return crowds_for_vectors(settings, crowd)

    def poisoning(self, settings: VectorMean, crowd: Crowd) -> Poisoning:
        """On a ball colluders who push all rotated coordinates together move one of the vector √D times as far."""
        one = super().poisoning(settings, crowd)
        return one if settings.ball == "linf" else replace(one, reach=math.sqrt(settings.groups) * one.reach)

    def words(self, settings: VectorMean) -> Fact:
        return Fact("folds-of-coordinates", folds=settings.groups)


def rotated_means(asked: Question, tally: Tally, radius: float) -> tuple[Floats, float, float]:
    """Unbiased means of all groups in their range's units, and the average of their sampling and privacy variances.

    Few reports a group say little about its spread, all groups together a lot. Where they say too little as well, users
    are taken to differ as much as they can: the squares of their rotated coordinates add up to at most radius², so that
    the variances of all groups do.
    """
    channel, placement = asked.channel, asked.encoder.placement
    assert isinstance(channel, Table) and isinstance(placement, Position)
    low, high = (np.broadcast_to(ends, asked.groups) for ends in (placement.low, placement.high))
    counts, values, reports = tally.counts(), np.asarray(channel.whole), np.array(tally.reports, dtype=np.float64)
    means, width = counts @ values / reports, high - low
    inside = np.clip(means, 0.0, 1.0)
    noise = float(np.mean(width**2 * channel.variance(inside) / reports))
    several = reports > 1
    if (reports[several] - 1).sum() >= ENOUGH_TO_MEASURE:
        spread = (counts @ values**2 / reports - means**2)[several] / (reports[several] - 1)
        return low + width * means, max(0.0, float(np.mean(width[several] ** 2 * spread)) - noise), noise
    noise = float(np.mean(width**2 / reports)) * float(channel.variance(np.linspace(0.0, 1.0, 257)).max())
    return low + width * means, radius**2 / float(reports.sum()), noise
