"""PrivateDensity (L795) with the constants of the proofs."""

from __future__ import annotations

from sottovoce.methods import Tuned, by_proofs
from sottovoce.problems.density.localised import Localised
from sottovoce.problems.density.places import PEAK
from sottovoce.problems.density.settings import Density


class Theory(Localised):
    """As in the proofs: T*, above ε = 1 several coefficients a user, K a parameter."""

    name = "theory"
    help = "votes for places first, with the constants of the paper's proofs"

    def tuned(self, settings: Density) -> Tuned:
        return by_proofs(
            users=settings.users,
            observations=settings.observations,
            epsilon=settings.epsilon,
            low=-PEAK,
            high=PEAK,
            groups=settings.size - 1,
            delta=settings.delta,
            constant=settings.proof_constant,
        )
