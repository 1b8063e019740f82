"""Made-up users with uniform observations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import counted
from sottovoce.problems import Figure, Score, World
from tests.toy.answer import UpToEstimate
from tests.toy.settings import UpTo


@dataclass(frozen=True, kw_only=True)
class UpToWorld(World):
    """Uniform on [0, 1]."""

    error: ClassVar[str] = "root mean squared error"
    figures: ClassVar[dict[str, Figure]] = {"halfwidth": Figure("label-half-width", "figure-short", "figure-alone")}

    settings: UpTo

    @property
    def truth(self) -> float:
        return min(1.0, max(0.0, self.settings.threshold))

    @property
    def words(self) -> str:
        return f"{counted(self.settings.users, 'made-up user')} with uniform observations"

    def draw(self, stream: np.random.Generator) -> NDArray[Any]:
        return stream.random((self.settings.users, self.settings.observations))

    @staticmethod
    def score(answer: UpToEstimate, truth: float) -> Score:
        return Score(
            squared_error=(answer.value - truth) ** 2,
            covered=float(answer.interval[0] <= truth <= answer.interval[1]),
            figures={"halfwidth": answer.halfwidth},
        )
