"""What an estimate's error will be, by cause, before anyone is asked."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter
from typing import Any, Literal

import numpy as np

from sottovoce.answers import two_sided
from sottovoce.messages import Floats, Table
from sottovoce.risk.averages import Averages

Cause = Literal["sampling", "privacy", "localisation", "omission"]
CLAMP_REACH = 8.0
"""Standard deviations from an end beyond which clamping changes less than a float holds."""
CAUSES: tuple[Cause, ...] = ("sampling", "privacy", "localisation", "omission")


@dataclass(frozen=True, kw_only=True)
class Widening:
    """How much wider an interval gets that allows for users without data: `stretch` times, and so far down and up.

    An end only ever moves outward, and for this alone no farther than the `room` below and above the truth. `weight`
    is that of the numbers that it speaks of, where there are several kinds.
    """

    stretch: float
    down: float
    up: float
    weight: float = 1.0
    room: tuple[float, float] = (math.inf, math.inf)

    @classmethod
    def by(
        cls,
        share: float,
        below: float,
        above: float,
        *,
        weight: float = 1.0,
        room: tuple[float, float] = (math.inf, math.inf),
    ) -> Widening:
        """For a share of users who count as something between `below` under the truth and `above` over it.

        Less than zero is the other side. What lies x away from what they count as goes to x/(1 − share).
        """
        more = share / (1 - share)
        return cls(stretch=1 / (1 - share), down=more * above, up=more * below, weight=weight, room=room)

    def __call__(self, half: float) -> float:
        """Half the width, of an interval that was `half` to either side.

        The larger of two: if nobody is without data in the end, or if as many are as may be. Then what is observed lies
        nearer to what they count as, and the end on that side farther from the truth.
        """
        far = self.stretch * half
        nobody = (far + self.down, far + self.up)
        everybody = (max(far, half + self.up / self.stretch), max(far, half + self.down / self.stretch))
        return max(self._cut(half, nobody), self._cut(half, everybody))

    def _cut(self, half: float, ends: tuple[float, float]) -> float:
        return sum(max(half, min(end, room)) for end, room in zip(ends, self.room, strict=True)) / 2


@dataclass(frozen=True, kw_only=True)
class Prediction:
    """Mean squared error, as a sum of causes; of what number, the problem says.

    `sampling`: users differ and hold finitely many observations. `privacy`: the noise of the channel.
    `localisation`: an earlier round chose the wrong place, or the interval cuts some users off. `omission`: what is
    not asked at all (coordinates that are not selected, coefficients beyond the last).

    `wider`: what intervals allow for besides, on average over these; no error comes from it. `guaranteed` is half the
    width of an interval that holds whatever the users are, where that is the one that an answer gives.
    """

    sampling: float
    privacy: float
    localisation: float = 0.0
    omission: float = 0.0
    wider: tuple[Widening, ...] = ()
    guaranteed: float | None = None

    @cached_property
    def mse(self) -> float:
        return self.sampling + self.privacy + self.localisation + self.omission

    @property
    def rmse(self) -> float:
        return math.sqrt(self.mse)

    def halfwidth(self, confidence: float) -> float:
        """Half the width of the interval that is given; at this confidence, if it is about as normal as the error."""
        return self.widened(two_sided(confidence) * self.rmse if self.guaranteed is None else self.guaranteed)

    def widened(self, half: float) -> float:
        """Half the width of an interval that allows for whatever is to be allowed for."""
        whole = sum(one.weight for one in self.wider)
        return sum(one.weight * one(half) for one in self.wider) / whole if self.wider else half

    def loss(self, confidence: float) -> float:
        """What a choice by the interval goes by: the half-width first, then the error behind it."""
        return math.log(self.halfwidth(confidence)) + math.log(self.mse) / 4

    @property
    def dominant(self) -> Cause:
        return max(CAUSES, key=lambda cause: float(getattr(self, cause)))

    def share(self, cause: Cause) -> float:
        """How much of the mean squared error is due to one cause."""
        return float(getattr(self, cause)) / self.mse if self.mse > 0 else 0.0

    def scaled(self, factor: float) -> Prediction:
        """All causes times a factor."""
        return Prediction(
            sampling=factor * self.sampling,
            privacy=factor * self.privacy,
            localisation=factor * self.localisation,
            omission=factor * self.omission,
            guaranteed=self.guaranteed,
        )

    def __add__(self, other: Prediction) -> Prediction:
        return Prediction(
            sampling=self.sampling + other.sampling,
            privacy=self.privacy + other.privacy,
            localisation=self.localisation + other.localisation,
            omission=self.omission + other.omission,
        )


def average(predictions: Sequence[Prediction]) -> Prediction:
    """The average of several groups, or places, that count alike."""
    total = predictions[0]
    for prediction in predictions[1:]:
        total += prediction
    widths = [one.guaranteed for one in predictions if one.guaranteed is not None]
    guaranteed = sum(widths) / len(widths) if len(widths) == len(predictions) else None
    return replace(total.scaled(1 / len(predictions)), guaranteed=guaranteed)


def worst(predictions: Iterable[Prediction]) -> Prediction:
    """The largest of several."""
    return max(predictions, key=attrgetter("mse"))


def clamped_normal_mse(variance: float, *, mean: float, low: float, high: float, truth: float | None = None) -> float:
    """Mean squared error of a normal estimate around `mean` that is then clamped to [low, high].

    `truth` is where it should have been, left out its mean.
    """
    deviation = math.sqrt(variance)
    if truth is not None and truth != mean:
        return _clamped_mse_off_centre(deviation, mean=mean, low=low, high=high, truth=truth)
    if deviation == 0:
        return 0.0
    total = 0.0
    for end in (mean - low, high - mean):  # each side on its own: ∫₀^a z²φ + a²(1 − Φ(a)) in units of the deviation
        a = end / deviation
        tail = 0.5 * math.erfc(a / math.sqrt(2))
        total += 0.5 - tail - a * math.exp(-a * a / 2) / math.sqrt(2 * math.pi) + a * a * tail
    return variance * total


def _clamped_mse_off_centre(deviation: float, *, mean: float, low: float, high: float, truth: float) -> float:
    """The clamped error around another number: what is inside, and the two ends with their chances."""
    off = mean - truth
    if deviation == 0:
        return (min(high, max(low, mean)) - truth) ** 2
    a, b = (low - mean) / deviation, (high - mean) / deviation
    under, over = [0.5 * math.erfc(z / math.sqrt(2)) for z in (-a, b)]
    at_a, at_b = [math.exp(-z * z / 2) / math.sqrt(2 * math.pi) for z in (a, b)]
    inside = 1 - under - over
    middle = off**2 * inside + 2 * off * deviation * (at_a - at_b) + deviation**2 * (inside + a * at_a - b * at_b)
    return (low - truth) ** 2 * under + (high - truth) ** 2 * over + middle


def laplace_variance(width: Any, epsilon: float) -> Any:
    """The variance of Laplace noise for a range of this width; the channel's grid and clamp add below 1e-6 of it."""
    return 2 * (width / epsilon) ** 2


def full_range_risk(
    averages: Averages, *, users: float, low: float, high: float, table: Table, clamp: bool = False
) -> Prediction:
    """One round on the full range. Sampling is the variance of the users' averages, privacy the table's where they lie.

    `clamp`: the estimate itself never leaves the range, which shows when the noise is as wide as the range.
    """
    width = high - low
    places = np.clip((averages.points - low) / width, 0, 1)
    privacy = width**2 * float(averages.weights @ table.variance(places)) / users
    sampling, shrink = averages.variance / users, 1.0
    if clamp and (mse := sampling + privacy) > 0:
        shrink = clamped_normal_mse(mse, mean=averages.mean, low=low, high=high) / mse
    return Prediction(sampling=shrink * sampling, privacy=shrink * privacy)


def localised_risk(
    averages: Averages,
    chances: Floats,
    low: Floats,
    high: Floats,
    *,
    refiners: float,
    epsilon: float,
    table: Table | None,
    clamp: tuple[float, float] | None,
) -> Prediction:
    """Refining in one of several intervals, each with its chance: the error around the true mean.

    By Laplace noise, or through a `table`, whose noise depends on where in the interval the users are. `clamp` is the
    range that the estimate itself never leaves.
    """
    means, variances = averages.clamped(low, high)
    if table is None:
        noise = laplace_variance(high - low, epsilon)
    else:
        width = (high - low)[:, None]
        places = np.clip((averages.points - low[:, None]) / width, 0, 1)
        noise = width[:, 0] ** 2 * (table.variance(places) @ averages.weights)
    truth = averages.mean
    free = Prediction(
        sampling=float(chances @ variances) / refiners,
        privacy=float(chances @ noise) / refiners,
        localisation=float(chances @ (means - truth) ** 2),
    )
    if clamp is None or free.mse <= 0:
        return free
    spread = (variances + noise) / refiners
    room = np.minimum(means - clamp[0], clamp[1] - means)
    near = np.flatnonzero((chances > 0) & (room < CLAMP_REACH * np.sqrt(spread)))  # elsewhere the clamp does nothing
    total = free.mse - float(chances[near] @ (spread + (means - truth) ** 2)[near])
    for index in near.tolist():
        ends = {"low": clamp[0], "high": clamp[1], "truth": truth}
        total += float(chances[index]) * clamped_normal_mse(float(spread[index]), mean=float(means[index]), **ends)
    return free.scaled(total / free.mse)
