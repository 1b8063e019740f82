"""The sparse procedures with the constants of their proofs."""

from __future__ import annotations

import math

from sottovoce.methods import Tuned, by_proofs
from sottovoce.problems.sparse.procedures import ByProcedure
from sottovoce.problems.sparse.settings import SparseMean
from sottovoce.theory import log1, t_star


class Theory(ByProcedure):
    """As in the proofs: η = √(30s), T*, several coordinates a user above ε = 1, K a parameter."""

    name = "theory"
    help = "selects or thresholds, with the constants of the paper's proofs"
    eta_constant = 30.0
    as_printed = True

    def kept(self, settings: SparseMean) -> int:
        return t_star(
            users=settings.users / settings.at_most,
            observations=settings.observations,
            epsilon=settings.epsilon,
            constant=settings.proof_constant,
        )

    def tuned(self, settings: SparseMean, delta: float | None, users: int, groups: int) -> Tuned:
        return by_proofs(
            users=users,
            observations=settings.observations,
            epsilon=settings.epsilon,
            low=settings.low,
            high=settings.high,
            groups=groups,
            delta=delta,
            constant=settings.proof_constant,
        )

    def wide(self, settings: SparseMean, tuned: Tuned) -> float:
        """√4 for √2 (ERRATA 14)."""
        return 2 * math.sqrt(log1(settings.users * tuned.kept * (settings.epsilon * settings.epsilon)) / tuned.kept)
