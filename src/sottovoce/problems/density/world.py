"""Made-up users who each draw from one density."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sottovoce.answers import DensityEstimate
from sottovoce.messages import InvalidInput
from sottovoce.problems.density.settings import Density
from sottovoce.problems.fields import Help
from sottovoce.problems.worlds import Distribution, Score, counted

GRID = 512


@dataclass(frozen=True, kw_only=True)
class DensityWorld:
    """Users who are all alike and draw from one bounded density on [low, high].

    The squared error is the integrated one (its average is the MISE), after negative parts are taken away, with the
    range scaled to [0, 1].
    """

    error: ClassVar[str] = "square root of the MISE, range scaled to [0, 1]"
    figures: ClassVar[dict[str, tuple[str, str]]] = {
        "uniform_error": ("uniform", "{:.4g} is the error of the uniform density, which needs no data"),
    }

    settings: Density
    distribution: Annotated[str, Help(text="uniform or beta:A,B with A and B from 1 on, on [L, H]", metavar="D")] = (
        "beta:4,4"
    )

    def __post_init__(self) -> None:
        if self.law.name not in ("uniform", "beta") or min(self.law.parameters, default=1.0) < 1:
            raise InvalidInput("distribution must have a bounded density: uniform, or beta:A,B with A and B from 1 on")

    @cached_property
    def law(self) -> Distribution:
        """Of an observation, on [0, 1]."""
        return Distribution.read(self.distribution)

    @property
    def truth(self) -> str:
        return str(self.law)

    @property
    def words(self) -> str:
        own = self.settings
        held = f"{counted(own.users, 'made-up user')} with {counted(own.observations, 'observation')} each"
        return f"{held}, {self.law} on [{own.low:g}, {own.high:g}], all alike"

    @property
    def values(self) -> int:
        return self.settings.users * self.settings.observations

    def draw(self, stream: np.random.Generator) -> NDArray[Any]:
        own = self.settings
        return np.asarray(own.low + (own.high - own.low) * self.law.draw(stream, (own.users, own.observations)))

    @staticmethod
    def score(answer: DensityEstimate, truth: str) -> Score:
        unit = (np.arange(GRID) + 0.5) / GRID
        width, heights = answer.high - answer.low, _heights(Distribution.read(truth), unit)
        points, true = answer.low + width * unit, answer.projected()
        low, high = (width * ends for ends in true.band(points))
        return Score(
            squared_error=float(((width * true(points) - heights) ** 2).mean()),
            covered=float(((low <= heights) & (heights <= high)).mean()),
            figures={"uniform_error": float(math.sqrt(((1 - heights) ** 2).mean()))},
        )

    @staticmethod
    def observed(means: NDArray[np.float64]) -> None:
        """Means do not tell a density."""
        return


def _heights(law: Distribution, unit: NDArray[np.float64]) -> NDArray[np.float64]:
    """The density on [0, 1]."""
    if law.name == "uniform":
        return np.ones_like(unit)
    first, second = law.parameters
    scale = math.lgamma(first + second) - math.lgamma(first) - math.lgamma(second)
    return np.asarray(np.exp(scale + (first - 1) * np.log(unit) + (second - 1) * np.log1p(-unit)))
