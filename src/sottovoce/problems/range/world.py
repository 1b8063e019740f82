"""Made-up users whose unit nobody knows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Fact
from sottovoce.methods import check_choice, check_observations, check_positive
from sottovoce.problems.fields import Help
from sottovoce.problems.range.answer import RangeEstimate
from sottovoce.problems.range.settings import Range
from sottovoce.problems.worlds import Figure, Score, World

SHAPES = ("normal", "lognormal", "signed", "constant", "zeros")
_OF_ITS_OWN = 0.5
"""How much users' own places differ, in units of one user's spread."""
_NOT_ZERO = 0.1


@dataclass(frozen=True, kw_only=True)
class RangeWorld(World):
    """Users whose observations have a shape, at any scale; each has a place of their own around it."""

    error: ClassVar[Fact] = Fact("trial-error-range")
    figures: ClassVar[dict[str, Figure]] = {
        "found": Figure("label-figure-found", "figure-share", "figure-ranges-found"),
        "doublings": Figure("label-figure-width", "figure-short", "figure-doublings"),
        "outside": Figure("label-figure-outside", "figure-share", "figure-users-outside"),
    }

    settings: Range
    shape: Annotated[
        Literal["normal", "lognormal", "signed", "constant", "zeros"],
        Help(text="normal around 5, lognormal, signed (around 0), constant, or zeros (nine of ten observations are 0)"),
    ] = "normal"
    scale: Annotated[float, Help(text="the unit that nobody knows: everything is multiplied by it", metavar="S")] = 1.0
    each: Annotated[int, Help(text="observations of each user", metavar="T")] = 20

    def __post_init__(self) -> None:
        check_choice("shape", self.shape, SHAPES)
        check_positive("scale", self.scale)
        check_observations(self.each)

    @property
    def truth(self) -> float:
        """The mean."""
        unit = {"normal": 5.0, "lognormal": math.exp((1 + _OF_ITS_OWN**2) / 2), "signed": 0.0, "constant": 3.0}
        return self.scale * unit.get(self.shape, _NOT_ZERO)

    @property
    def words(self) -> Fact:
        drawn = {"users": self.settings.users, "observations": self.each}
        return Fact("made-up-of-range", shape=self.shape, scale=self.scale, **drawn)

    @property
    def numbers_per_draw(self) -> int:
        return self.settings.users * self.each

    def draw(self, stream: np.random.Generator) -> NDArray[Any]:
        shape = (self.settings.users, self.each)
        places = _OF_ITS_OWN * stream.standard_normal((shape[0], 1))
        match self.shape:
            case "normal":
                drawn = 5 + places + stream.standard_normal(shape)
            case "lognormal":
                drawn = np.exp(places + stream.standard_normal(shape))
            case "signed":
                drawn = places + stream.standard_normal(shape)
            case "constant":
                drawn = np.full(shape, 3.0)
            case _:
                drawn = np.where(stream.random(shape) < _NOT_ZERO, stream.exponential(size=shape), 0.0)
        return np.asarray(self.scale * drawn)

    @staticmethod
    def score(answer: RangeEstimate, truth: float) -> Score:
        if not answer.value:
            return Score(squared_error=truth**2, covered=None, figures={"found": 0.0})
        low, high = answer.value
        away = max(0.0, low - truth, truth - high)
        size = abs(truth) or min(filter(None, map(abs, (low, high))))
        farther = max(high - truth, truth - low)
        return Score(
            squared_error=away**2,
            covered=float(away == 0),
            figures={"found": 1.0, "doublings": math.log2(max(1.0, farther / size)), "outside": answer.outside},
        )

    @staticmethod
    def truth_from_means(means: NDArray[np.float64]) -> float:
        return float(means[:, 0].mean())
