"""Made-up users who each hold numbers from one distribution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sottovoce.answers import Estimate
from sottovoce.messages import Fact
from sottovoce.problems.mean.settings import Mean
from sottovoce.problems.worlds import Figure, Score, UsersOnRange
from sottovoce.risk import Averages


@dataclass(frozen=True, kw_only=True)
class MeanWorld(UsersOnRange):
    """Users who each draw from one distribution on [low, high], the observations of each shifted together."""

    error: ClassVar[Fact] = Fact("trial-error-mean")
    figures: ClassVar[dict[str, Figure]] = {
        "bias": Figure("label-bias", "figure-signed", "figure-alone"),
        "halfwidth": Figure("label-half-width", "figure-number", "figure-on-average"),
        "model_halfwidth": Figure("label-figure-model-width", "figure-number", "figure-width-of-model-interval"),
        "model_coverage": Figure("label-figure-model-holds", "figure-share", "figure-model-intervals-hold"),
    }

    settings: Mean

    @property
    def truth(self) -> float:
        return self.settings.low + self.settings.width * self.law.mean

    @property
    def words(self) -> Fact:
        return self.words_of_law("made-up-of-mean")

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
    def truth_from_means(means: NDArray[np.float64]) -> float:
        return float(means[:, 0].mean())


@dataclass(frozen=True, kw_only=True)
class AssumedUsers(MeanWorld):
    """Users as a plan assumes them: each holds one observation, the user's average; a mean looks at nothing else."""

    averages: Averages

    @property
    def truth(self) -> float:
        return self.averages.mean

    @property
    def words(self) -> Fact:
        return Fact("made-up-as-planned", users=self.settings.users)

    @property
    def numbers_per_draw(self) -> int:
        return self.settings.users

    def draw(self, stream: np.random.Generator) -> NDArray[Any]:
        return stream.choice(self.averages.points, size=(self.settings.users, 1), p=self.averages.weights)
