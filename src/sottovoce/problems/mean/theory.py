"""GeneralPrivateUniMean (L1740) with the constants of its proofs."""

from __future__ import annotations

from sottovoce.methods import Tuned, by_proofs
from sottovoce.problems.mean.localised import Localised
from sottovoce.problems.mean.settings import Mean


class Theory(Localised):
    """As in the proofs: T*, three-bin votes above ε = 1, K a parameter."""

    name = "theory"
    help = "votes for a place first, with the constants of the paper's proofs"

    def tuned(self, settings: Mean) -> Tuned:
        return by_proofs(
            users=settings.users,
            observations=settings.observations,
            epsilon=settings.epsilon,
            low=settings.low,
            high=settings.high,
            delta=settings.delta,
            three_bins=settings.three_bin_votes,
            constant=settings.proof_constant,
        )
