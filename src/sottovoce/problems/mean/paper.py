"""PrivateUniMean (L439) with the constants of the paper's experiments."""

from __future__ import annotations

from sottovoce.methods import Tuned, by_experiments
from sottovoce.problems.mean.localised import Localised
from sottovoce.problems.mean.settings import Mean


class Paper(Localised):
    """As in the experiments: T for T*, C_α for √2 (L1077)."""

    name = "paper"
    help = "votes for a place first, with the constants of the paper's experiments"

    def tuned(self, settings: Mean) -> Tuned:
        return by_experiments(
            users=settings.users,
            observations=settings.observations,
            epsilon=settings.epsilon,
            low=settings.low,
            high=settings.high,
            delta=settings.delta,
            three_bins=bool(settings.three_bin_votes),
        )
