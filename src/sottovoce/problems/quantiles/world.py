"""Made-up users who each hold numbers, and the distribution function that they share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Fact, Floats, Integers, Interval
from sottovoce.problems.fields import Help
from sottovoce.problems.group_support import ROUNDING, weights_of_observations
from sottovoce.problems.quantiles.answer import CdfEstimate, QuantilesEstimate
from sottovoce.problems.quantiles.settings import DistributionSettings
from sottovoce.problems.worlds import FORMS, Distribution, Figure, Score, UsersOnRange, numbers_by_user

_GRID, _SHIFTS = 2**14, 257
"""Nodes of a law on [0, 1], and of the shifts of users: more change no digit that is shown."""


@dataclass(frozen=True, kw_only=True)
class _World(UsersOnRange):
    """Users who each draw from one distribution on [low, high], the observations of each shifted together."""

    settings: DistributionSettings
    distribution: Annotated[str, Help(text=f"{FORMS}, on [L, H]", metavar="D")] = "beta:2,5"

    @property
    def words(self) -> Fact:
        return self.words_of_law("made-up-on-range", step=self.settings.step)

    def draw(self, stream: np.random.Generator) -> NDArray[Any]:
        low, high, step = self.settings.low, self.settings.high, self.settings.step
        values = np.clip(self.observations(stream), low, high)
        return values if step is None else low + step * np.round((values - low) / step)

    def below(self, places: Floats) -> Floats:
        """F at places inside the range."""
        settings = self.settings
        at = places if settings.step is None else places + settings.step / 2
        reach = self.spread * math.sqrt(3)
        shifts = np.linspace(-reach, reach, _SHIFTS) if self.spread else np.zeros(1)
        unit = (at[:, None] - shifts[None, :] - settings.low) / (settings.high - settings.low)
        weights = np.ones(len(shifts))
        weights[[0, -1]] /= 2 if len(shifts) > 1 else 1
        return np.asarray(np.where(places >= settings.high, 1.0, _below(self.law, unit) @ (weights / weights.sum())))


@dataclass(frozen=True, kw_only=True)
class QuantilesWorld(_World):
    """Their quantiles, and how far an answer lies from them."""

    error: ClassVar[Fact] = Fact("trial-error-quantiles")
    figures: ClassVar[dict[str, Figure]] = {
        "halfwidth": Figure("label-half-width", "figure-number", "figure-on-average"),
        "model_halfwidth": Figure("label-figure-model-width", "figure-number", "figure-width-of-model-intervals"),
        "model_coverage": Figure("label-figure-model-holds", "figure-share", "figure-model-intervals-hold"),
    }

    @property
    def truth(self) -> tuple[float, ...]:
        settings = self.settings
        steps, levels = settings.axis.steps, settings.levels
        places = np.linspace(settings.low, settings.high, (_GRID if steps is None else steps) + 1)
        heights = self.below(places)
        if steps is not None or self.law.name in ("rademacher", "bernoulli"):
            return tuple(float(places[np.argmax(heights >= q - ROUNDING)]) for q in levels)
        return tuple(float(np.interp(q, heights, places)) for q in levels)

    @staticmethod
    def score(answer: QuantilesEstimate, truth: tuple[float, ...]) -> Score:
        return _score(answer.value, answer.intervals, answer.model_intervals, truth)


@dataclass(frozen=True, kw_only=True)
class CdfWorld(_World):
    """Their distribution function at the points, and how far an answer lies from it."""

    error: ClassVar[Fact] = Fact("trial-error-cdf")
    figures: ClassVar[dict[str, Figure]] = {
        "halfwidth": Figure("label-half-width", "figure-number", "figure-on-average-of-band"),
        "model_halfwidth": Figure("label-figure-model-width", "figure-number", "figure-width-of-model-band"),
        "model_coverage": Figure("label-figure-model-holds", "figure-share", "figure-model-bands-hold"),
    }

    @property
    def truth(self) -> tuple[float, ...]:
        return tuple(self.below(np.array(self.settings.places)).tolist())

    @staticmethod
    def score(answer: CdfEstimate, truth: tuple[float, ...]) -> Score:
        return _score(answer.value, answer.curve.band, answer.model_band, truth, at_once=True)


Intervals = tuple[Interval, ...]


def _score(
    value: Sequence[float],
    intervals: Intervals,
    model: Intervals | None,
    truth: Sequence[float],
    *,
    at_once: bool = False,
) -> Score:
    """Intervals count by the share of them that hold the truth; `at_once`, as a band that holds all of it or not."""
    true, figures = np.array(truth), dict[str, float]()
    for prefix, ends in (("", np.array(intervals)), ("model_", None if model is None else np.array(model))):
        if ends is not None:
            held = (ends[:, 0] <= true + ROUNDING) & (true - ROUNDING <= ends[:, 1])
            figures[f"{prefix}halfwidth"] = float((ends[:, 1] - ends[:, 0]).mean() / 2)
            figures[f"{prefix}coverage"] = float(held.all() if at_once else held.mean())
    covered = figures.pop("coverage")
    return Score(squared_error=float(((np.array(value) - true) ** 2).mean()), covered=covered, figures=figures)


def truth_of(settings: DistributionSettings, people: Any) -> list[float] | None:
    """What is asked for, about given users who count alike; users who hold nothing are left out."""
    values, whose, per_user = numbers_by_user(people)
    if not per_user.any():
        return None
    if settings.levels:
        return quantiles_of_numbers(settings, values, whose, per_user)
    places, below = _distribution(settings, values, whose, per_user)
    wanted = np.searchsorted(places, settings.axis.thresholds(settings.places), side="right")
    return [float(share) for share in np.concatenate(([0.0], below))[wanted]]


def quantiles_of_numbers(
    settings: DistributionSettings, values: Floats, whose: Integers, per_user: Integers
) -> list[float]:
    """The quantiles of given observations: `whose` each is, and how many each user has."""
    places, below = _distribution(settings, values, whose, per_user)
    reached = np.searchsorted(below, np.array(settings.levels) - ROUNDING)
    return [float(place) for place in places[np.minimum(reached, len(places) - 1)]]


def _distribution(
    settings: DistributionSettings, values: Floats, whose: Integers, per_user: Integers
) -> tuple[Floats, Floats]:
    """Observations in order, and the share up to each: of users who count alike."""
    values = on_steps(np.clip(values, settings.low, settings.high), settings.low, settings.step)
    order = np.argsort(values, kind="stable")
    return values[order], np.cumsum(weights_of_observations(whose, per_user)[order])


def on_steps(values: Floats, low: float, step: float | None) -> Floats:
    """The nearest step to each value, where there are steps."""
    return values if step is None else np.asarray(low + step * np.floor((values - low) / step + 0.5))


def _below(law: Distribution, unit: Floats) -> Floats:
    """The distribution function of a law on [0, 1]."""
    match law.name:
        case "uniform":
            return np.clip(unit, 0.0, 1.0)
        case "beta":
            first, second = law.parameters
            angle = np.linspace(0.0, math.pi / 2, _GRID + 1)  # x = sin²: no end of a beta law is steep in it
            with np.errstate(divide="ignore"):
                logs = (2 * first - 1) * np.log(np.sin(angle)) + (2 * second - 1) * np.log(np.cos(angle))
            height = np.exp(np.where(np.isfinite(logs), logs, -745.0) - logs[np.isfinite(logs)].max())
            mass = np.concatenate(([0.0], np.cumsum((height[1:] + height[:-1]) / 2)))
            places = np.arcsin(np.sqrt(np.clip(unit, 0.0, 1.0)))
            return np.asarray(np.interp(places, angle, mass / mass[-1]))
        case _:
            return np.where(unit >= 1, 1.0, np.where(unit >= 0, 1 - law.mean, 0.0))
