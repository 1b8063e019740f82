"""Risk of localise-then-refine (protocols.localise) for users of a given law: what any group of a protocol pays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages.exact import exact
from sottovoce.planning.law import Law
from sottovoce.planning.poisoning import capture_share
from sottovoce.planning.prediction import Prediction
from sottovoce.planning.votes import winning_chances
from sottovoce.protocols.localise import Layout

_UNLIKELY = 1e-15


def edges(layout: Layout) -> NDArray[np.float64]:
    """Where the bins of a vote begin and end."""
    grid = layout.grid()
    return np.linspace(grid.low[0], grid.high[0], layout.bins + 1)


def risk(layout: Layout, law: Law, *, voters: int, refiners: float, epsilon: float, uses: int = 1) -> Prediction:
    """Mean squared error around the mean of `law`: the law of the winner, times what refining there gives.

    `epsilon` is a user's whole budget, shared out over `uses` groups. With no voters everybody refines on the range.
    """
    truth, budget = law.mean, epsilon / uses
    if voters == 0 or layout.bins == 1:
        low, high, chances = np.array([layout.low]), np.array([layout.high]), np.ones(1)
    else:
        keep = layout.vote_channel(exact(epsilon) / uses).keep
        chances = winning_chances(law.shares(edges(layout)), voters=voters, keep=keep, reach=layout.reach)
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


def capture(layout: Layout, laws: Sequence[Law], *, epsilon: float, uses: int = 1) -> float:
    """The share of colluders that decides the vote, where honest users are least concentrated."""
    keep = layout.vote_channel(exact(epsilon) / uses).keep
    reach = np.ones(2 * layout.reach + 1)  # with three-bin votes a bin is lit by its neighbours' users too
    fullest = min(float(np.convolve(law.shares(edges(layout)), reach).max()) for law in laws)
    return capture_share(keep, fullest)
