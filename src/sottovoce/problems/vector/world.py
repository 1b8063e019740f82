"""Made-up users who each hold vectors whose coordinates come from one distribution."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sottovoce.answers import VectorEstimate
from sottovoce.messages import Fact
from sottovoce.problems.fields import Help
from sottovoce.problems.vector.settings import VectorMean
from sottovoce.problems.worlds import FORMS, Figure, Score, UsersOfOneLaw, intervals_hold, made_up, model_figures

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class VectorWorld(UsersOfOneLaw):
    """Every coordinate is drawn on the declared range, or on the largest cube in an ℓ2 ball; users may differ."""

    error: ClassVar[Fact] = Fact("trial-error-vector")
    figures: ClassVar[dict[str, Figure]] = {
        "halfwidth": Figure("label-half-width", "figure-number", "figure-on-average"),
        "together": Figure("label-figure-all", "figure-share", "figure-all-coordinates"),
        "model_halfwidth": Figure("label-figure-model-width", "figure-number", "figure-width-of-model-intervals"),
        "model_coverage": Figure("label-figure-model", "figure-share", "figure-model-intervals-hold"),
    }

    settings: VectorMean
    distribution: Annotated[
        str,
        Help(
            text=f"of every coordinate: {FORMS}; on the declared range, or on the largest cube in an l2 ball",
            metavar="D",
        ),
    ] = "uniform"
    spread: Annotated[
        float,
        Help(
            text="standard deviation of the users' own means in a coordinate, in units of the observations",
            metavar="S",
        ),
    ] = 0.0

    @cached_property
    def box(self) -> tuple[Floats, Floats]:
        """The ends between which every coordinate is drawn."""
        low, high = (np.array(ends) for ends in self.settings.ranges)
        if self.settings.ball == "linf":
            return low, high
        middle, half = (low + high) / 2, (high - low) / 2 / math.sqrt(self.settings.dimension)
        return middle - half, middle + half

    @property
    def truth(self) -> list[float]:
        low, high = self.box
        return [float(place) for place in low + (high - low) * self.law.mean]

    @property
    def words(self) -> Fact:
        law = {"law": str(self.law), "spread": self.spread}
        return made_up("made-up-of-vector", self.settings, coordinates=self.settings.dimension, **law)

    def draw(self, stream: np.random.Generator) -> NDArray[Any]:
        settings, (low, high) = self.settings, self.box
        unit = self.law.draw(stream, (settings.users * settings.observations, settings.dimension))
        values = np.asarray(low + (high - low) * unit).reshape(
            settings.users, settings.observations, settings.dimension
        )
        if self.spread:
            values += self.spread * math.sqrt(3) * stream.uniform(-1, 1, size=(settings.users, 1, settings.dimension))
        return values

    @staticmethod
    def score(answer: VectorEstimate, truth: list[float]) -> Score:
        true = np.array(truth)
        figures = {"halfwidth": answer.halfwidth, "together": float(intervals_hold(answer.simultaneous, true).all())}
        figures |= model_figures(answer.model_intervals, true)
        return Score(
            squared_error=float(((np.array(answer.value) - true) ** 2).sum()),
            covered=float(intervals_hold(answer.intervals, true).mean()),
            figures=figures,
        )

    @staticmethod
    def truth_from_means(means: Floats) -> list[float]:
        return [float(place) for place in means.mean(axis=0)]
