"""GeneralPrivateMultiDimMean (L1763) and its rotated form (L1793) with the constants of their proofs."""

from __future__ import annotations

import math

from sottovoce.methods import Tuned, by_proofs
from sottovoce.problems.vector.localised import Localised
from sottovoce.problems.vector.settings import VectorMean
from sottovoce.theory import log1


class Theory(Localised):
    """As in the proofs: T*, several coordinates a user above ε = 1, three-bin votes above ε = d, K a parameter."""

    name = "theory"
    help = "votes for a place in every coordinate first, with the constants of the paper's proofs"

    def tuned(self, settings: VectorMean) -> Tuned:
        tuned = self._by_proofs(settings, settings.delta)
        if settings.delta is not None or settings.ball == "linf":
            return tuned
        budget = min(1.0, settings.epsilon)  # also in the general case log²/(dT) (ERRATA 3)
        size = log1(settings.users * tuned.kept * (budget * budget))
        return self._by_proofs(
            settings, math.sqrt(settings.ball_constant) * size / math.sqrt(settings.groups * tuned.kept)
        )

    def _by_proofs(self, settings: VectorMean, delta: float | None) -> Tuned:
        return by_proofs(
            users=settings.users,
            observations=settings.observations,
            epsilon=settings.epsilon,
            low=-1.0,
            high=1.0,
            groups=settings.groups,
            delta=delta,
            constant=settings.proof_constant,
        )
