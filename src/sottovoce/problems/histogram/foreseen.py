"""Adaptive before anyone is asked: the same decisions, with what reports are expected to say."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from sottovoce.answers import two_sided
from sottovoce.design import one_bit
from sottovoce.methods import Widened, projected_variance, users_for_lengths, usual_quantile
from sottovoce.problems.histogram.settings import Histogram
from sottovoce.problems.histogram.stages import ZOOM, Stages
from sottovoce.problems.histogram.unseen import FIRST, reaches
from sottovoce.risk import Prediction

RADIUS = 1.1
"""A radius is learned from few users, and is wider than what they say on average: measured."""


@dataclass(frozen=True, kw_only=True)
class Foreseen:
    """The variance of a share, how much of it is sampling, what may hide, and how many are asked in each round."""

    variance: float
    sampling: float
    reach: float
    """How far the check's standard error moves the ends of an interval, upward and downward together, halved."""
    users: tuple[int, ...]

    def prediction(self, size: int) -> Prediction:
        """Of a share, on average, after it was moved to the simplex."""
        sampling = min(self.sampling, self.variance)
        free = Prediction(sampling=sampling, privacy=self.variance - sampling)
        return free.scaled(projected_variance(self.variance, size) / self.variance)

    def halfwidth(self, confidence: float) -> float:
        """Of a guarded interval, before it is cut to [0, 1]."""
        error = math.sqrt(self.variance)
        aside = Widened(radius=1.0, fired=False, lost=False, outside=None, first=FIRST).errors(confidence)
        return max(two_sided(confidence) * error, aside * math.hypot(error, self.reach) + 0.4 * self.reach)


def foreseen(settings: Histogram, apart: float) -> Foreseen:
    """For equal shares and users whose own lie `apart` (squared) from their average."""
    anything: Any = settings
    return _foreseen(anything, apart)


@lru_cache(maxsize=1024)
def _foreseen(settings: Any, apart: float) -> Foreseen:
    stages, users, size = Stages.of(settings), settings.users, settings.size
    centre = np.full(size, 1 / size)
    first, own, by_item = round(stages.first), stages.own(centre), stages.by_item
    variances, rounds = [by_item / first], [first]
    error = size * projected_variance(by_item / first, size)
    start, done = size * by_item / first, 0
    sampling = apart / size / users
    while True:
        rounds.append(round(users_for_lengths(users, settings.epsilon)))
        middle = math.sqrt(apart + error)
        radius = min(1.5, RADIUS * middle * _wider(size - 1, usual_quantile(users)))
        fall_back, after = stages.fall_back(by_item, middle), stages.after(radius, own, start)
        zooms = stages.zooms(done, users - sum(rounds), radius, after)
        if stages.stops(radius, fall_back, after, zooms=zooms):
            rest = users - sum(rounds)
            total = _together([*variances[:1], fall_back / rest])
            return Foreseen(variance=total, sampling=sampling, reach=0.0, users=(*rounds, rest))
        if not zooms:
            break
        rounds.append(round(ZOOM * users))
        variances.append((1 - 1 / size) * stages.noise(radius))
        error = 1 / (1 / max(error, 1e-300) + 1 / (size * stages.noise(radius)))
        start, done = size * stages.noise(radius), done + 1
    rounds.append(math.ceil(stages.checked * users))
    rest = max(1, users - sum(rounds))
    variances.append((1 - 1 / size) * radius**2 / stages.said / rest)
    total = _together(variances)
    up, down = reaches((1 / size,) * size, radius, radius)
    part = (1 - total / variances[0]) * _check_error(settings.epsilon, rounds[-1])
    reach = part * (float(up[0]) + float(down[0])) / 2
    return Foreseen(variance=total, sampling=sampling, reach=reach, users=(*rounds, rest))


def _together(variances: list[float]) -> float:
    return 1 / sum(1 / variance for variance in variances)


def _check_error(epsilon: float, users: int) -> float:
    """The standard error of a check in which nobody lies outside."""
    return math.sqrt(float(one_bit(epsilon).variance(np.array([0.0]))[0]) / users)


def _wider(freedom: int, share: float) -> float:
    """A quantile of a length over the root of its mean square, χ with so many degrees (Wilson and Hilferty)."""
    part = 2 / (9 * freedom)
    root = max(0.0, 1 - part + two_sided(max(0.0, 2 * share - 1)) * math.sqrt(part))
    return math.sqrt(root**3)
