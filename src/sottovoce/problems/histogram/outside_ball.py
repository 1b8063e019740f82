"""What users who lie outside the ball that was asked about may have done to each share.

A direction report counts whoever lies farther than r from the centre c as if they lay at distance r, which takes
(1 − r/ρ)(x_j − c_j) off share j for a user at x, ρ = |x − c|. The check's position of that user is clip(ρ/r − 1, 0, 1).
Upward, what is taken off is at most position·max((1 − c_j)(1 − r/far), min(r, 1 − c_j)): beyond 2r the position is 1
and nobody is farther than `far`; between r and 2r it is at most ρ − r = position·r, and 1 − r/ρ at most the position.
Downward it is the same with c_j in place of 1 − c_j: nobody has less than nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sottovoce.answers import two_sided
from sottovoce.messages import Floats
from sottovoce.methods import CheckedRadius, MeanVector, OutsideCheck
from sottovoce.problems.histogram.one_round import Ends

FIRST = 0.5
"""The part of what may go wrong that the first check has: it may see nobody although some lie outside. Half and half is
chosen by hand: it trades wider intervals where nobody lies outside against those where somebody does."""
LATER = 1 - FIRST
"""The part that is left for the intervals of those who are asked after a check saw somebody."""


@dataclass(frozen=True, kw_only=True, eq=False)
class OutsideBound:
    """How far the mean position of the check moves each share upward and downward, and what stages missed besides."""

    up: Floats
    down: Floats
    missed: float
    checked: CheckedRadius

    @property
    def outside(self) -> OutsideCheck:
        assert self.checked.outside is not None
        return self.checked.outside

    def limit(self, confidence: float) -> float:
        """The part of the users who may lie far outside, at this (one-sided) confidence."""
        return max(0.0, self.outside.mean) + self.checked.errors(confidence) * self.outside.error

    def shift(self, confidence: float) -> float:
        """How far they may have moved a share at most."""
        return self.limit(confidence) * float(max(self.up.max(), self.down.max())) + self.missed

    def ends(self, shares: MeanVector, confidence: float) -> tuple[Ends, Ends]:
        """The ends of intervals for each share, and of simultaneous ones.

        Each: noise of the reports and of the check are independent, and whoever is hidden moves a share one way: where
        that matters an end is missed on its own side only, so one-sided errors of both together will do, and never
        less than two-sided errors of the reports alone. Simultaneous: half of what may go wrong for the check, half for
        all shares (Bonferroni).
        """
        error, seen = np.sqrt(shares.variance), max(0.0, self.outside.mean)
        least, errors = two_sided(confidence) * error, self.checked.errors(confidence)
        all_shares = two_sided(1 - (1 - confidence) / len(shares.value)) * error
        limit = self.limit((1 + confidence) / 2)
        each, joint = [], []
        for side, reach in ((-1, self.down), (1, self.up)):
            far = np.maximum(least, errors * np.hypot(error, reach * self.outside.error))
            each.append(shares.value + side * (far + reach * seen + self.missed))
            joint.append(shares.value + side * all_shares + side * (reach * limit) + side * self.missed)
        return (each[0], each[1]), (joint[0], joint[1])


def farthest(shares: Floats) -> float:
    """The largest distance that anybody's shares can have from these: of one who holds the rarest category only."""
    return math.sqrt(1 - 2 * float(shares.min()) + float(shares @ shares))


def reaches(centre: Sequence[float], radius: float, checked: float) -> Ends:
    """Upward and downward, for a stage at this centre and radius; `checked` is the radius of the check."""
    shares = np.array(centre)
    part, near = max(0.0, 1 - radius / farthest(shares)), min(checked, radius)
    up, down = (np.maximum(room * part, np.minimum(near, room)) for room in (1 - shares, shares))
    return up, down


def balanced(shares: MeanVector) -> MeanVector:
    """Shares add up to one, which directions do not know: their common error is taken off.

    Errors of shares are about independent of each other; whoever was clipped lies on the plane already.
    """
    size = len(shares.value)
    return MeanVector(
        value=shares.value - (float(shares.value.sum()) - 1) / size,
        variance=shares.variance * (1 - 2 / size) + shares.spread / size,
        reports=shares.reports,
    )


def mixed(parts: Sequence[MeanVector], missed: Sequence[float], room: float) -> tuple[MeanVector, Floats]:
    """Independent estimates together by their variances, and the weights.

    What each may have `missed` widens every interval by its weight times that: where all of it would take more than the
    `room` there is, those who missed something count for less.
    """
    weights = np.array([1 / part.spread for part in parts])
    lost = np.array(missed)
    sure = lost == 0
    if float(weights @ lost) > room * float(weights.sum()):
        # t·Σ w·lost = room·(Σ sure w + t·Σ unsure w), for the part t of their weights that is left
        unsure = float(weights[~sure] @ lost[~sure]) - room * float(weights[~sure].sum())
        weights = np.where(sure, weights, weights * room * float(weights[sure].sum()) / unsure)
    weights = weights / weights.sum()
    together = MeanVector(
        value=weights @ np.stack([part.value for part in parts]),
        variance=weights**2 @ np.stack([part.variance for part in parts]),
        reports=sum(part.reports for part in parts),
    )
    return together, weights
