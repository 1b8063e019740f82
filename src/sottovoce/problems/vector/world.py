"""Made-up users who each hold vectors whose coordinates come from one distribution."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sottovoce.answers import VectorEstimate
from sottovoce.problems.fields import Help
from sottovoce.problems.vector.settings import VectorMean
from sottovoce.problems.worlds import FORMS, Distribution, Score, counted

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class VectorWorld:
    """Users alike: every coordinate is drawn on the declared range, or on the largest cube in an ℓ2 ball."""

    error: ClassVar[str] = "Euclidean distance of the estimate from the truth"
    figures: ClassVar[dict[str, tuple[str, str]]] = {"halfwidth": ("half-width", "{:.4g} on average")}

    settings: VectorMean
    distribution: Annotated[
        str,
        Help(
            text=f"of every coordinate: {FORMS}; on the declared range, or on the largest cube in an l2 ball",
            metavar="D",
        ),
    ] = "uniform"

    def __post_init__(self) -> None:
        _ = self.law

    @cached_property
    def law(self) -> Distribution:
        """Of a coordinate, on [0, 1]."""
        return Distribution.read(self.distribution)

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
    def words(self) -> str:
        own = self.settings
        people, vectors = counted(own.users, "made-up user"), counted(own.observations, "vector")
        held = f"{people} with {vectors} of {counted(own.dimension, 'coordinate')} each"
        return f"{held}, every coordinate {self.law}, all users alike"

    @property
    def values(self) -> int:
        return self.settings.users * self.settings.observations * self.settings.dimension

    def draw(self, stream: np.random.Generator) -> NDArray[Any]:
        own, (low, high) = self.settings, self.box
        unit = self.law.draw(stream, (own.users * own.observations, own.dimension))
        return np.asarray(low + (high - low) * unit).reshape(own.users, own.observations, own.dimension)

    @staticmethod
    def score(answer: VectorEstimate, truth: list[float]) -> Score:
        ends, true = np.array(answer.intervals), np.array(truth)
        return Score(
            squared_error=float(((np.array(answer.value) - true) ** 2).sum()),
            covered=float(((ends[:, 0] <= true) & (true <= ends[:, 1])).mean()),
            figures={"halfwidth": float((ends[:, 1] - ends[:, 0]).mean() / 2)},
        )

    @staticmethod
    def observed(means: Floats) -> list[float]:
        return [float(place) for place in means.mean(axis=0)]
