"""Made-up users who each draw from one density."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sottovoce.answers import cosines
from sottovoce.messages import Fact, InvalidInput
from sottovoce.methods import check_positive
from sottovoce.problems.density.answer import DensityEstimate
from sottovoce.problems.density.settings import Density
from sottovoce.problems.fields import Help
from sottovoce.problems.worlds import Distribution, Figure, Score, World, made_up

Floats = NDArray[np.float64]
GRID = 512


@dataclass(frozen=True, kw_only=True)
class DensityWorld(World):
    """Users who draw from one bounded density on [low, high], or each from a law of their own around it.

    The squared error is the integrated one (its average is the MISE), after negative parts are taken away, with the
    range scaled to [0, 1]. A survey is covered if the headline band holds the smoothed density everywhere; in the
    trigonometric basis, by the part of the range at which the pointwise band holds the density.
    """

    error: ClassVar[Fact] = Fact("trial-error-density")
    figures: ClassVar[dict[str, Figure]] = {
        "uniform_error": Figure("label-figure-uniform", "figure-number", "figure-uniform"),
        "halfwidth": Figure("label-figure-band", "figure-number", "figure-on-average-over-range"),
        "model_halfwidth": Figure("label-figure-model-width", "figure-number", "figure-width-of-model-band"),
        "model_coverage": Figure("label-figure-model", "figure-share", "figure-model-bands-hold-smoothed"),
    }

    settings: Density
    distribution: Annotated[str, Help(text="uniform or beta:A,B with A and B from 1 on, on [L, H]", metavar="D")] = (
        "beta:4,4"
    )
    concentration: Annotated[
        float | None,
        Help(
            text="how alike users are: each has a law of their own, a Dirichlet process with this total weight",
            metavar="A",
            default="all alike",
        ),
    ] = None

    def __post_init__(self) -> None:
        if self.law.name not in ("uniform", "beta") or min(self.law.parameters, default=1.0) < 1:
            raise InvalidInput(
                rule="distribution must have a bounded density: uniform, or beta:A,B with A and B from 1 on"
            )
        check_positive("concentration", self.concentration)

    @cached_property
    def law(self) -> Distribution:
        """The law of an observation, on [0, 1]."""
        return Distribution.read(self.distribution)

    @property
    def truth(self) -> str:
        return str(self.law)

    @property
    def words(self) -> Fact:
        settings, law = self.settings, {"law": str(self.law), "concentration": self.concentration}
        return made_up("made-up-of-density", settings, low=settings.low, high=settings.high, **law)

    def draw(self, stream: np.random.Generator) -> NDArray[Any]:
        settings = self.settings
        unit = self.law.draw(stream, (settings.users, settings.observations))
        if self.concentration is not None:
            _repeat(unit, self.concentration, stream)
        return np.asarray(settings.low + (settings.high - settings.low) * unit)

    @staticmethod
    def score(answer: DensityEstimate, truth: str) -> Score:
        unit = (np.arange(GRID) + 0.5) / GRID
        width, heights = answer.high - answer.low, _heights(Distribution.read(truth), unit)
        points, true = answer.low + width * unit, answer.projected()
        figures = {"uniform_error": float(math.sqrt(((1 - heights) ** 2).mean()))}
        covered = float(_held(heights, true.band(points), width).mean())
        if answer.measured is not None:
            waves = cosines(unit, len(answer.coefficients))
            smooth = waves @ (waves.T @ heights / GRID)
            covered = float(_held(smooth, answer.band(points), width).all())
            figures |= {
                "halfwidth": answer.halfwidth(),
                "model_halfwidth": answer.halfwidth(model=True),
                "model_coverage": float(_held(smooth, answer.model_band(points), width).all()),
            }
        return Score(
            squared_error=float(((width * true(points) - heights) ** 2).mean()), covered=covered, figures=figures
        )


def _held(heights: Floats, band: tuple[Floats, Floats], width: float) -> NDArray[np.bool_]:
    """Where a band holds heights of the range scaled to [0, 1]."""
    low, high = (width * end for end in band)
    return np.asarray((low <= heights + 1e-9) & (heights <= high + 1e-9))


def _repeat(values: Floats, concentration: float, stream: np.random.Generator) -> None:
    """Let users say again what they said before, the less often the larger the weight (the urn of Pólya)."""
    rows = np.arange(len(values))
    for place in range(1, values.shape[1]):
        again = stream.random(len(values)) < place / (concentration + place)
        values[again, place] = values[rows[again], stream.integers(0, place, size=int(again.sum()))]


def _heights(law: Distribution, unit: NDArray[np.float64]) -> NDArray[np.float64]:
    """The density on [0, 1]."""
    if law.name == "uniform":
        return np.ones_like(unit)
    first, second = law.parameters
    scale = math.lgamma(first + second) - math.lgamma(first) - math.lgamma(second)
    return np.asarray(np.exp(scale + (first - 1) * np.log(unit) + (second - 1) * np.log1p(-unit)))
