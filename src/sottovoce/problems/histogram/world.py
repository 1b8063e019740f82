"""Made-up users who each hold categories, or numbers in bins."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Fact, Floats, Integers
from sottovoce.methods import check_positive
from sottovoce.problems.fields import Help
from sottovoce.problems.histogram.answer import HistogramEstimate
from sottovoce.problems.histogram.settings import Histogram
from sottovoce.problems.worlds import Figure, Score, World, intervals_hold, made_up, model_figures, numbers_by_user

_BLOCK = 2**24
_ROUNDING = 1e-12


@dataclass(frozen=True, kw_only=True)
class HistogramWorld(World):
    """Users whose observations come from the same shares, or each from shares of their own around them."""

    error: ClassVar[Fact] = Fact("trial-error-histogram")
    figures: ClassVar[dict[str, Figure]] = {
        "halfwidth": Figure("label-half-width", "figure-number", "figure-on-average"),
        "simultaneous_coverage": Figure("label-figure-all", "figure-share", "figure-simultaneous"),
        "model_halfwidth": Figure("label-figure-model-width", "figure-number", "figure-width-of-model-intervals"),
        "model_coverage": Figure("label-figure-model", "figure-share", "figure-model-intervals-hold"),
    }

    settings: Histogram
    distribution: Annotated[
        Literal["zipf", "uniform"],
        Help(text="zipf (the j-th category has a share in proportion to 1/j) or uniform"),
    ] = "zipf"
    concentration: Annotated[
        float | None,
        Help(
            text="how alike users are: each has shares of their own, Dirichlet with this total weight",
            metavar="A",
            default="all alike",
        ),
    ] = None

    def __post_init__(self) -> None:
        check_positive("concentration", self.concentration)

    @cached_property
    def shares(self) -> Floats:
        """The average over users."""
        weights = np.ones(self.settings.size)
        if self.distribution == "zipf":
            weights = 1 / np.arange(1, self.settings.size + 1)
        return np.asarray(weights / weights.sum())

    @property
    def truth(self) -> list[float]:
        return [float(share) for share in self.shares]

    @property
    def words(self) -> Fact:
        settings, law = self.settings, {"law": self.distribution, "concentration": self.concentration}
        return made_up("made-up-of-histogram", settings, categories=settings.size, **law)

    def draw(self, stream: np.random.Generator) -> NDArray[Any]:
        settings = self.settings
        numbers = np.empty((settings.users, settings.observations), dtype=np.uint16)
        block = max(1, _BLOCK // max(settings.size, settings.observations))
        for first in range(0, settings.users, block):
            last = min(settings.users, first + block)
            numbers[first:last] = self._drawn(stream, last - first)
        if settings.bounds is None:
            return numbers
        edges = np.asarray(settings.bounds)
        return np.asarray(edges[numbers] + (edges[numbers + 1] - edges[numbers]) * stream.random(numbers.shape))

    def _drawn(self, stream: np.random.Generator, users: int) -> Integers:
        """Categories by number, for some users."""
        places = stream.random((users, self.settings.observations))
        if self.concentration is None:
            places_found = np.searchsorted(np.cumsum(self.shares), places)
            return np.asarray(np.minimum(places_found, self.settings.size - 1))
        weights = stream.gamma(self.concentration * self.shares, size=(users, self.settings.size))
        whole = weights.sum(axis=1, keepdims=True)
        each = np.where(whole > 0, weights / np.where(whole > 0, whole, 1.0), self.shares)
        running = np.cumsum(each, axis=1)
        rows = [np.searchsorted(line, place) for line, place in zip(running, places, strict=True)]
        return np.asarray(np.minimum(np.array(rows), self.settings.size - 1))

    @staticmethod
    def score(answer: HistogramEstimate, truth: list[float]) -> Score:
        true = np.array(truth)
        figures = {
            "halfwidth": answer.halfwidth,
            "simultaneous_coverage": float(intervals_hold(answer.simultaneous, true, slack=_ROUNDING).all()),
        }
        figures |= model_figures(answer.model_intervals, true, slack=_ROUNDING)
        return Score(
            squared_error=float(((np.array(answer.value) - true) ** 2).sum()),
            covered=float(intervals_hold(answer.intervals, true, slack=_ROUNDING).mean()),
            figures=figures,
        )


def shares_of(settings: Histogram, people: Any) -> list[float] | None:
    """The average over given users of their own shares; users who hold nothing are left out."""
    values, whose, per_user = numbers_by_user(people)
    if not per_user.any():
        return None
    total = weights_by_category(
        settings, values, 1 / per_user[whose]
    )  # divided last: a share on the brink rounds alike
    return [float(share) for share in total / np.count_nonzero(per_user)]


def weights_by_category(settings: Histogram, values: Floats, weights: Floats) -> Floats:
    """The weights of observations, added up in each category or bin."""
    index = settings.vector.places.index(values)
    return np.asarray(np.bincount(index, weights=weights, minlength=settings.size), dtype=np.float64)
