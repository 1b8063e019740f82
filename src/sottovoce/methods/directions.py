"""Means of vectors from direction reports: one small symbol a user, whatever the dimension.

A report at (centre c, radius r) is unbiased for c + v where |v| ≤ r, v = vector − c; a longer v counts as if it were
cut to length r. Its variance is (r/m)² an entry, m the `response`; 1/m² is 7.36, 2.08 and .53 at ε = 1, 2 and 4.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from sottovoce.design import subset
from sottovoce.messages import FINE, Direction, Encoder, Grid, Question, Tally, Vector
from sottovoce.methods.asking import Asking
from sottovoce.methods.bell import normal_below

Floats = NDArray[np.float64]
_PRIOR = 20.0
"""Reports that the law of one direction counts for, beside squares that came out smaller."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Found:
    """An unbiased estimate of a mean vector: its entries, the variance of each, from so many reports."""

    value: Floats
    variance: Floats
    reports: int

    @property
    def spread(self) -> float:
        """The mean variance of an entry."""
        return float(self.variance.mean())


def symbols(epsilon: float) -> int:
    """How many symbols a direction report has: about e^ε of them pay."""
    return int(2 ** max(1, min(6, round(epsilon))))


@cache
def response(epsilon: float) -> float:
    """m: what a direction report says of a unit vector, before it is divided by m."""
    count = symbols(epsilon)
    own, other = subset(epsilon, count, size=1).inclusion
    ends = np.linspace(0.0, 7.0, 7001)
    below = (2 * normal_below(ends) - 1) ** (count // 2)
    return (own - other) * float(np.trapezoid(1 - below, ends))


@cache
def stretch(epsilon: float) -> float:
    """How much larger the variance along one direction can be than an entry's usual one, (r/m)²: users decide which.

    Of a unit vector that points along it, the row that is reported has a second moment of more than one: it is the
    largest of several. Users who all lie in one direction give that direction this variance, and the others less.
    """
    count = symbols(epsilon)
    own = subset(epsilon, count, size=1).inclusion[0]
    ends = np.linspace(0.0, 7.0, 7001)
    below = (2 * normal_below(ends) - 1) ** (count // 2)
    largest = float(np.trapezoid(2 * ends * (1 - below), ends))
    return own * largest + (1 - own) * (count - largest) / (count - 1)


def direction_question(
    asking: Asking, count: float, *, role: str, vector: Vector, centre: Sequence[float], radius: float
) -> Question:
    """`count` users say in which direction they lie from the centre."""
    held = symbols(asking.epsilon)
    statistic = Direction(vector=vector, centre=tuple(centre), radius=radius, seed=asking.next_seed, rows=held // 2)
    return asking.question(
        count,
        role=role,
        encoder=Encoder(statistic=statistic, placement=Grid(low=(0.0,), high=(float(held),), count=held)),
        channel=subset(asking.epsilon, held, size=1),
    )


def directed_mean(asked: Question, tally: Tally) -> Found:
    """The mean vector from a tally of directions."""
    statistic = asked.encoder.statistic
    assert isinstance(statistic, Direction)
    reports, size = tally.reports[0], statistic.vector.size
    scale = statistic.radius / (response(asked.epsilon) * (1 + 0.25 / statistic.turned))  # entries are not quite normal
    cells = np.array(tally.cells[0], dtype=np.float64)
    away = scale * cells[:size] / (reports * FINE)
    squares = cells[size:] / FINE**2
    second = scale**2 * np.maximum((squares + _PRIOR) / (reports + _PRIOR), squares / reports)
    variance = np.maximum(second - away**2, 0.1 * scale**2) / max(1, reports - 1)
    return Found(value=np.asarray(statistic.centre) + away, variance=variance, reports=reports)


def pooled(parts: Sequence[Found]) -> tuple[Found, Floats]:
    """Independent estimates together, each by the inverse of its mean variance, and the weights."""
    weights = np.array([1 / part.spread for part in parts])
    weights = weights / weights.sum()
    value = weights @ np.stack([part.value for part in parts])
    variance = weights**2 @ np.stack([part.variance for part in parts])
    return Found(value=value, variance=variance, reports=sum(part.reports for part in parts)), weights


def distance(left: Sequence[float] | Floats, right: Sequence[float] | Floats) -> float:
    """Euclidean."""
    return math.dist(left, right)
