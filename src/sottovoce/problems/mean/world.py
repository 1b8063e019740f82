"""Made-up users who each hold numbers from one distribution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sottovoce.answers import Estimate
from sottovoce.messages import counted
from sottovoce.problems.mean.settings import Mean
from sottovoce.problems.worlds import DrawnOnRange, Score
from sottovoce.risk import Averages


@dataclass(frozen=True, kw_only=True)
class MeanWorld(DrawnOnRange):
    """Users who each draw from one distribution on [low, high], the observations of each shifted together."""

    error: ClassVar[str] = "distance of the estimate from the truth"
    figures: ClassVar[dict[str, tuple[str, str]]] = {
        "bias": ("bias", "{:+.4g}"),
        "halfwidth": ("half-width", "{:.4g} on average"),
        "model_halfwidth": ("model ±", "{:.4g} on average: half-width of the model interval"),
        "model_coverage": ("model holds", "{:.1%} of the model intervals hold the truth"),
    }

    settings: Mean

    @property
    def truth(self) -> float:
        return self.settings.low + (self.settings.high - self.settings.low) * self.law.mean

    @property
    def words(self) -> str:
        return f"{self.drawn()}; the truth is the mean of the distribution"

    def draw(self, stream: np.random.Generator) -> NDArray[Any]:
        return self.observations(stream)

    @staticmethod
    def score(answer: Estimate, truth: float) -> Score:
        figures = {"bias": answer.value - truth, "halfwidth": answer.halfwidth}
        if answer.model_interval is not None:
            low, high = answer.model_interval
            figures |= {"model_halfwidth": (high - low) / 2, "model_coverage": float(low <= truth <= high)}
        return Score(
            squared_error=(answer.value - truth) ** 2,
            covered=float(answer.interval[0] <= truth <= answer.interval[1]),
            figures=figures,
        )

    @staticmethod
    def observed(means: NDArray[np.float64]) -> float:
        return float(means[:, 0].mean())


@dataclass(frozen=True, kw_only=True)
class AssumedUsers:
    """Users as a plan assumes them: each holds one observation, the user's average; a mean looks at nothing else."""

    error: ClassVar[str] = MeanWorld.error
    figures: ClassVar[dict[str, tuple[str, str]]] = MeanWorld.figures

    settings: Mean
    averages: Averages

    @property
    def truth(self) -> float:
        return self.averages.mean

    @property
    def words(self) -> str:
        return f"{counted(self.settings.users, 'made-up user')}, as the plan assumes them"

    @property
    def values(self) -> int:
        return self.settings.users

    def draw(self, stream: np.random.Generator) -> NDArray[Any]:
        return stream.choice(self.averages.points, size=(self.settings.users, 1), p=self.averages.weights)

    @staticmethod
    def score(answer: Estimate, truth: float) -> Score:
        return MeanWorld.score(answer, truth)

    @staticmethod
    def observed(means: NDArray[np.float64]) -> float:
        return MeanWorld.observed(means)
