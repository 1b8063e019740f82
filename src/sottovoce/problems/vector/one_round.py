"""Everybody at once, one coordinate each, on the full range through the best finite channel."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from sottovoce.answers import VectorEstimate
from sottovoce.messages import Position, Question, Table, Tally
from sottovoce.problems.vector.answer import answered, levels, turned
from sottovoce.problems.vector.coordinates import ByCoordinate
from sottovoce.problems.vector.settings import VectorMean
from sottovoce.risk import Averages, Prediction
from sottovoce.schemes import Floats, FullRange, Script, decoded_with_interval, everybody

_MISSED = 1e-6


class OneRound(ByCoordinate):
    """One question, one table, nothing assumed about the users."""

    name = "one-round"
    help = "asks everybody once, one coordinate each, on the full range"

    def unavailable(self, settings: VectorMean) -> str | None:
        if settings.users >= settings.groups:
            return None
        return (
            f"{settings.users} users cannot fill {settings.groups} folds, one for each coordinate: more users are "
            f"needed, or fewer coordinates"
        )

    def narrowed(self, settings: VectorMean) -> float:
        """The part of the range kept for a rotated coordinate, which is small for nearly every rotation.

        A vector of length 1 has |(Rx)_j| > t for a share of at most 2·exp(−D·t²/2) of all rotations (Hoeffding on
        the random signs); t is chosen for 1e-6, so that the clamp moves an estimate by at most that part of the radius.
        """
        return min(1.0, math.sqrt(2 * math.log(2 / _MISSED) / settings.groups))

    def reach(self, settings: VectorMean) -> float:
        return self.narrowed(settings) * settings.reach

    def scheme(self, settings: VectorMean) -> FullRange:
        low, high = self.ranges(settings)
        if len(set(zip(low, high, strict=True))) == 1:  # one range for all keeps the question small
            low, high = low[:1], high[:1]
        return FullRange(
            survey=settings.survey,
            slots=everybody(settings.users),
            low=low,
            high=high,
            epsilon=settings.epsilon,
            statistic=self.statistic(settings),
            groups=settings.groups,
        )

    def on(self, settings: VectorMean, low: float, high: float) -> FullRange:
        return replace(self.scheme(settings), low=(low,), high=(high,))

    def risk(self, settings: VectorMean, averages: Averages, low: float, high: float) -> Prediction:
        """An estimate on a box never leaves it; one on a ball is turned back first."""
        return self.on(settings, low, high).risk(averages, clamp=settings.ball == "linf")

    def script(self, settings: VectorMean) -> Script[VectorEstimate]:
        asked = self.scheme(settings).question()
        tally = yield asked
        users = (sum(tally.reports),)
        if settings.ball == "l2":
            value, sampling, privacy = positions(asked, tally)
            kind = "normal approximation, no assumption on the users"
            return turned(settings, self.name, value, (sampling, privacy, 0.0), kind, users, settings.epsilon)
        each, joint = (
            [decoded_with_interval(asked, tally, level, group) for group in range(asked.groups)]
            for level in levels(settings)
        )
        return answered(
            settings,
            self.name,
            [min(high, max(low, found[0])) for found, low, high in zip(each, *settings.ranges, strict=True)],
            [found[3] for found in each],
            (tuple(found[1] for found in each), tuple(found[1] for found in joint)),
            each[0][2],
            users,
            settings.epsilon,
        )

    def words(self, settings: VectorMean) -> str:
        return "on the full range" if settings.groups == 1 else f"{settings.groups} folds, one coordinate each"


def positions(asked: Question, tally: Tally) -> tuple[Floats, float, float]:
    """Unbiased means of all groups in their range's units, and the average of their sampling and privacy variances.

    Few reports a group say little about its spread, all groups together a lot; where no group has two, users are
    taken to differ as much as they can.
    """
    channel, placement = asked.channel, asked.encoder.placement
    assert isinstance(channel, Table) and isinstance(placement, Position)
    low, high = (np.broadcast_to(ends, asked.groups) for ends in (placement.low, placement.high))
    counts, values, reports = tally.counts(), np.asarray(channel.decode), np.array(tally.reports, dtype=np.float64)
    means, width = counts @ values / reports, high - low
    inside = np.clip(means, 0.0, 1.0)
    noise = float(np.mean(width**2 * channel.variance(inside) / reports))
    several = reports > 1
    if several.any():
        spread = (counts @ values**2 / reports - means**2)[several] / (reports[several] - 1)
        sampling = max(0.0, float(np.mean(width[several] ** 2 * spread)) - noise)
    else:
        sampling = float(np.mean(width**2 * inside * (1 - inside) / reports))
    return low + width * means, sampling, noise
