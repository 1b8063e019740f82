"""PrivateMultiDimMean (L454) and PrivateMultiDimMean2 (L501) with the constants of the paper's experiments."""

from __future__ import annotations

import math

from sottovoce.methods import Tuned, by_experiments
from sottovoce.problems.vector.localised import Localised
from sottovoce.problems.vector.settings import VectorMean
from sottovoce.theory import experiment_constant, log1


class Paper(Localised):
    """As in the experiments: one coordinate a user at the whole budget, T for T*, C_α for √2 (L890, L1077)."""

    name = "paper"
    help = "votes for a place in every coordinate first, with the constants of the paper's experiments"

    def tuned(self, settings: VectorMean) -> Tuned:
        return by_experiments(
            users=settings.users,
            observations=settings.observations,
            epsilon=settings.epsilon,
            low=-1.0,
            high=1.0,
            groups=settings.groups,
            delta=self._delta(settings),
        )

    def _delta(self, settings: VectorMean) -> float | None:
        """A rotated coordinate is 1/√D of the vector's length: C_α·log(nTα²)/√(dT)."""
        if settings.delta is not None or settings.ball == "linf":
            return settings.delta
        epsilon, kept = settings.epsilon, settings.observations
        size = log1(settings.users * kept * (epsilon * epsilon))
        return experiment_constant(epsilon) * size / math.sqrt(settings.groups * kept)
