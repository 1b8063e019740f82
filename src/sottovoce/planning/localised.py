"""Risk of localise-then-refine (protocols.localise) for users of a given law: what any group of a protocol pays."""

from __future__ import annotations

import math

import numpy as np

from sottovoce.messages.exact import exact
from sottovoce.planning.law import Law
from sottovoce.planning.prediction import Prediction
from sottovoce.planning.votes import winning_chances
from sottovoce.protocols.localise import Layout

_UNLIKELY = 1e-15


def risk(layout: Layout, law: Law, *, voters: int, refiners: int, epsilon: float, uses: int = 1) -> Prediction:
    """Mean squared error around the mean of `law`: the law of the winner, times what refining there gives.

    `epsilon` is a user's whole budget, shared out over `uses` groups. With no voters everybody refines on the range.
    """
    truth, budget = law.mean, epsilon / uses
    if voters == 0 or layout.bins == 1:
        low, high, chances = np.array([layout.low]), np.array([layout.high]), np.ones(1)
    else:
        edges = layout.low + 2 * layout.delta * layout.half * np.arange(layout.bins + 1)
        keep = layout.vote_channel(exact(epsilon) / uses).keep
        chances = winning_chances(law.shares(edges), voters=voters, keep=keep, reach=layout.reach)
        likely = np.flatnonzero(chances > _UNLIKELY)
        low, high = layout.widened(likely)
        chances = chances[likely]
    means, variances = law.clamped(low, high)
    noise = 2 * ((high - low) / budget) ** 2  # of the laplace channel; its grid and clamp add less than 1e-6 of it
    return Prediction(
        sampling=float(chances @ variances) / refiners,
        privacy=float(chances @ noise) / refiners,
        localisation=float(chances @ (means - truth) ** 2),
    )


def success(layout: Layout, law: Law, *, voters: int, epsilon: float, uses: int = 1) -> float:
    """The chance that the interval holds the truth."""
    if voters == 0 or layout.bins == 1:
        return 1.0
    edges = layout.low + 2 * layout.delta * layout.half * np.arange(layout.bins + 1)
    keep = layout.vote_channel(exact(epsilon) / uses).keep
    chances = winning_chances(law.shares(edges), voters=voters, keep=keep, reach=layout.reach)
    low, high = layout.widened(np.arange(layout.bins))
    return math.fsum(chances[(low <= law.mean) & (law.mean <= high)])
