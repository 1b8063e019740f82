"""PrivateMixtureMean (L1186) with the constants of the proofs."""

from __future__ import annotations

import math

from sottovoce.messages import Fact
from sottovoce.problems.mixture.settings import MixtureMeans
from sottovoce.problems.mixture.three_folds import ThreeFolds
from sottovoce.theory import log1, t_star


class Theory(ThreeFolds):
    """As in the proofs: T* with m² in its exponent, K a parameter; half of π₀ = 1/(2m) for the cut."""

    name = "theory"
    help = "asks in three rounds, with the constants of the paper's proofs"
    more_bins = (Fact("help-by-proof-constant"), Fact("help-by-method", method="paper"))

    def delta_at(self, settings: MixtureMeans, observations: int) -> float:
        n, m, epsilon = settings.users, settings.kinds, settings.epsilon
        kept = t_star(users=n / m**2, observations=observations, epsilon=epsilon, constant=settings.proof_constant)
        return math.sqrt(4 * log1(n * kept * (epsilon * epsilon)) / kept)

    def own_cut(self, settings: MixtureMeans) -> float:
        return 1 / (4 * settings.kinds)
