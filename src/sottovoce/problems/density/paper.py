"""PrivateDensity (L795) with the constants of the paper's experiments."""

from __future__ import annotations

from sottovoce.methods import Tuned, by_experiments
from sottovoce.problems.density.localised import Localised
from sottovoce.problems.density.places import PEAK
from sottovoce.problems.density.settings import Density


class Paper(Localised):
    """As in the experiments: one coefficient a user at the whole budget, T for T*, C_α for √2 (L1077)."""

    name = "paper"
    help = "votes for places first, with the constants of the paper's experiments"

    def tuned(self, settings: Density) -> Tuned:
        return by_experiments(
            users=settings.users,
            observations=settings.observations,
            epsilon=settings.epsilon,
            low=-PEAK,
            high=PEAK,
            groups=settings.size - 1,
            delta=settings.delta,
        )
