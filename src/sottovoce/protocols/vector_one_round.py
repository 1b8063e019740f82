"""Everybody at once, one coordinate each, on the full range through the best finite channel."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Encoder, InvalidInput, Position, Question, Slots, Statistic, Table, Tally
from sottovoce.protocols import one_round
from sottovoce.protocols.folds import Share

_MISSED = 1e-6


@dataclass(frozen=True, kw_only=True)
class OneRound:
    """One question. A rotated coordinate is small for nearly every rotation, so its range is cut: see `narrowed`."""

    survey: str
    users: int
    share: Share
    statistic: Statistic
    ranges: tuple[tuple[float, ...], tuple[float, ...]]
    rotated: bool

    @property
    def narrowed(self) -> float:
        """The part of the range kept for a rotated coordinate.

        A vector of length 1 has |(Rx)_j| > t for a share of at most 2·exp(−D·t²/2) of all rotations (Hoeffding on
        the random signs); t is chosen for 1e-6, so that the clamp moves an estimate by at most that part of the radius.
        """
        return min(1.0, math.sqrt(2 * math.log(2 / _MISSED) / self.share.groups)) if self.rotated else 1.0

    def question(self) -> Question:
        """Everybody answers for one coordinate."""
        if self.users < self.share.groups:
            raise InvalidInput(
                f"{self.users} users cannot fill {self.share.groups} folds, one for each coordinate: more users are "
                f"needed, or fewer coordinates"
            )
        low, high = (tuple(self.narrowed * end for end in ends) for ends in self.ranges)
        if len(set(zip(low, high, strict=True))) == 1:
            low, high = low[:1], high[:1]
        return Question(
            survey=self.survey,
            round=0,
            role="mean",
            slots=Slots(first=0, count=self.users),
            encoder=Encoder(statistic=self.statistic, placement=Position(low=low, high=high)),
            channel=one_round.best_table(self.share.spent),
            epsilon=self.share.spent,
            groups=self.share.groups,
        )

    def predicted_mse(self, observations: int) -> float:
        """Mean squared error of a coordinate, on average over coordinates."""
        errors = {
            ends: one_round.predicted_mse(
                users=self.users / self.share.groups,
                observations=observations,
                low=self.narrowed * ends[0],
                high=self.narrowed * ends[1],
                epsilon=self.share.spent,
                sampling=((ends[1] - ends[0]) / 2) ** 2 / (self.share.groups * observations) if self.rotated else None,
            )
            for ends in set(zip(*self.ranges, strict=True))
        }
        return float(np.mean([errors[ends] for ends in zip(*self.ranges, strict=True)]))


def positions(asked: Question, tally: Tally) -> tuple[NDArray[np.float64], float, float]:
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
