"""Made-up users who each hold numbers, and the distribution function that they share."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Fact
from sottovoce.problems.fields import Help
from sottovoce.problems.quantiles.cdf import CdfEstimate
from sottovoce.problems.quantiles.estimate import QuantilesEstimate
from sottovoce.problems.quantiles.settings import Cdf, Distributed, Quantiles
from sottovoce.problems.worlds import FORMS, Distribution, DrawnOnRange, Figure, Score

Floats = NDArray[np.float64]
_GRID = 2**14
_SHIFTS = 257
_CLOSE = 1e-9


@dataclass(frozen=True, kw_only=True)
class _World(DrawnOnRange):
    """Users who each draw from one distribution on [low, high], the observations of each shifted together."""

    settings: Distributed
    distribution: Annotated[str, Help(text=f"{FORMS}, on [L, H]", metavar="D")] = "beta:2,5"

    @property
    def words(self) -> Fact:
        return self.drawn("made-up-on-range", step=self.settings.step)

    def draw(self, stream: np.random.Generator) -> NDArray[Any]:
        own = self.settings
        values = np.clip(self.observations(stream), own.low, own.high)
        return values if own.step is None else own.low + own.step * np.round((values - own.low) / own.step)

    def below(self, places: Floats) -> Floats:
        """F at places inside the range."""
        own = self.settings
        at = places if own.step is None else places + own.step / 2
        reach = self.spread * math.sqrt(3)
        shifts = np.linspace(-reach, reach, _SHIFTS) if self.spread else np.zeros(1)
        unit = (at[:, None] - shifts[None, :] - own.low) / (own.high - own.low)
        found = _below(self.law, unit)
        weights = np.ones(len(shifts))
        weights[[0, -1]] /= 2 if len(shifts) > 1 else 1
        return np.asarray(np.where(places >= own.high, 1.0, found @ (weights / weights.sum())))


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
        own = self.settings
        assert isinstance(own, Quantiles)
        steps = own.axis.steps
        places = np.linspace(own.low, own.high, (_GRID if steps is None else steps) + 1)
        heights = self.below(places)
        if steps is not None or self.law.name in ("rademacher", "bernoulli"):
            return tuple(float(places[np.argmax(heights >= q - _CLOSE)]) for q in own.levels)
        return tuple(float(np.interp(q, heights, places)) for q in own.levels)

    @staticmethod
    def score(answer: QuantilesEstimate, truth: tuple[float, ...]) -> Score:
        true, ends = np.array(truth), np.array(answer.intervals)
        figures = {"halfwidth": float((ends[:, 1] - ends[:, 0]).mean() / 2)}
        if answer.model_intervals is not None:
            model = np.array(answer.model_intervals)
            figures["model_halfwidth"] = float((model[:, 1] - model[:, 0]).mean() / 2)
            figures["model_coverage"] = _held(true, model)
        return Score(
            squared_error=float(((np.array(answer.value) - true) ** 2).mean()),
            covered=_held(true, ends),
            figures=figures,
        )

    @staticmethod
    def observed(means: NDArray[np.float64]) -> None:
        """Means do not tell a quantile; see `truth_of`."""
        return


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
        assert isinstance(self.settings, Cdf)
        return tuple(self.below(np.array(self.settings.places)).tolist())

    @staticmethod
    def score(answer: CdfEstimate, truth: tuple[float, ...]) -> Score:
        true, ends = np.array(truth), np.array(answer.curve.band)
        figures = {"halfwidth": float((ends[:, 1] - ends[:, 0]).mean() / 2)}
        if answer.model_band is not None:
            model = np.array(answer.model_band)
            figures["model_halfwidth"] = float((model[:, 1] - model[:, 0]).mean() / 2)
            figures["model_coverage"] = float(_held(true, model) == 1.0)
        return Score(
            squared_error=float(((np.array(answer.value) - true) ** 2).mean()),
            covered=float(_held(true, ends) == 1.0),
            figures=figures,
        )

    @staticmethod
    def observed(means: NDArray[np.float64]) -> None:
        """Means do not tell a distribution; see `truth_of`."""
        return


def truth_of(settings: Distributed, people: Any) -> list[float] | None:
    """What is asked for, about given users who count alike; users who hold nothing are left out."""
    own = people.values[:, 0].astype(np.float64)
    here, sizes = ~np.isnan(own), np.diff(people.offsets)
    user = np.repeat(np.arange(len(sizes)), sizes)[here]
    held = np.bincount(user, minlength=len(sizes))
    if not held.any():
        return None
    own, weights = np.clip(own[here], settings.low, settings.high), 1 / held[user] / np.count_nonzero(held)
    if settings.step is not None:
        own = settings.low + settings.step * np.floor((own - settings.low) / settings.step + 0.5)
    order = np.argsort(own, kind="stable")
    places, below = own[order], np.cumsum(weights[order])
    if isinstance(settings, Cdf):
        wanted = np.searchsorted(places, settings.axis.thresholds(settings.places), side="right")
        return [float(share) for share in np.concatenate(([0.0], below))[wanted]]
    assert isinstance(settings, Quantiles)
    reached = np.searchsorted(below, np.array(settings.levels) - _CLOSE)
    return [float(place) for place in places[np.minimum(reached, len(places) - 1)]]


def _held(true: Floats, ends: Floats) -> float:
    """The share of the intervals that hold the truth."""
    return float(((ends[:, 0] <= true + _CLOSE) & (true - _CLOSE <= ends[:, 1])).mean())


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
