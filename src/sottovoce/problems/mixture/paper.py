"""PrivateMixtureMean (L1186) with the constants of the paper's experiments."""

from __future__ import annotations

from sottovoce.methods import experiment_delta
from sottovoce.problems.mixture.settings import MixtureMeans
from sottovoce.problems.mixture.three_folds import ThreeFolds


class Paper(ThreeFolds):
    """As in the experiments: T for T*, C_α for √4 (ERRATA 14), residuals for all but the smallest shares (L1123)."""

    name = "paper"
    help = "asks in three rounds, with the constants of the paper's experiments"

    def delta_at(self, settings: MixtureMeans, observations: int) -> float:
        return experiment_delta(settings.users, observations, settings.epsilon)

    def own_cut(self, settings: MixtureMeans) -> float:
        return 1 / (100 * settings.kinds)
