"""Made-up users who each hold vectors of two ends; the mean of a few columns is not zero."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sottovoce.answers import VectorEstimate
from sottovoce.messages import Fact, InvalidInput
from sottovoce.problems.fields import Help
from sottovoce.problems.sparse.answer import SparseEstimate
from sottovoce.problems.sparse.settings import SparseMean
from sottovoce.problems.worlds import Figure, Score, World, made_up

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class SparseWorld(World):
    """Users alike. Every cell is one of the two ends of the declared range; the active columns are spread evenly."""

    error: ClassVar[Fact] = Fact("trial-error-vector")
    figures: ClassVar[dict[str, Figure]] = {
        "found": Figure("label-figure-found", "figure-share", "figure-columns-found"),
    }

    settings: SparseMean
    true_sparsity: Annotated[
        int | None,
        Help(
            text="columns whose mean is not zero",
            metavar="S",
            default="as --sparsity says, else the root of the columns",
        ),
    ] = None
    strength: Annotated[
        float, Help(text="their mean, as a part of the highest value, above 0 and at most 1", metavar="M")
    ] = 0.5

    def __post_init__(self) -> None:
        dimension = self.settings.dimension
        if not 0 <= self.active <= dimension:
            raise InvalidInput(
                rule=f"true_sparsity must lie between 0 and dimension={dimension}", wrong=f"got {self.active}"
            )
        if not 0 < self.strength <= 1:
            raise InvalidInput(rule="strength must lie above 0 and be at most 1", wrong=f"got {self.strength:g}")

    @property
    def active(self) -> int:
        """How many columns have a mean other than zero."""
        return self.settings.supposed_nonzero if self.true_sparsity is None else self.true_sparsity

    @property
    def truth(self) -> list[float]:
        settings, means = self.settings, np.zeros(self.settings.dimension)
        means[np.arange(self.active) * settings.dimension // max(self.active, 1)] = self.strength * settings.high
        return [float(mean) for mean in means]

    @property
    def words(self) -> Fact:
        settings, mean = self.settings, self.strength * self.settings.high
        return made_up("made-up-of-sparse", settings, columns=settings.dimension, active=self.active, mean=mean)

    def draw(self, stream: np.random.Generator) -> NDArray[Any]:
        settings = self.settings
        chance = (np.array(self.truth) - settings.low) / (
            settings.high - settings.low
        )  # of the high end; the low end otherwise
        up = stream.random((settings.users, settings.observations, settings.dimension), dtype=np.float32) < chance
        return np.where(up, np.float32(settings.high), np.float32(settings.low))

    @staticmethod
    def score(answer: VectorEstimate, truth: list[float]) -> Score:
        true = np.array(truth)
        chosen = list(answer.support) if isinstance(answer, SparseEstimate) else np.flatnonzero(answer.value).tolist()
        ends = np.array(answer.intervals)[chosen].reshape(-1, 2)
        holds = (ends[:, 0] <= true[chosen]) & (true[chosen] <= ends[:, 1])
        active = int((true != 0).sum())  # all of them in a file, where nothing is zero to the last bit
        return Score(
            squared_error=float(((np.array(answer.value) - true) ** 2).sum()),
            covered=float(holds.mean()) if chosen else None,
            figures={"found": float((true[chosen] != 0).sum()) / active} if 0 < active < len(true) else {},
        )

    @staticmethod
    def truth_from_means(means: Floats) -> list[float]:
        return [float(mean) for mean in means.mean(axis=0)]
