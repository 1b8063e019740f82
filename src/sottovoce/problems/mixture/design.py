"""How the rounds of `adaptive` are laid out: bins, then levels around the kinds found so far."""

from __future__ import annotations

import math

import numpy as np

from sottovoce.methods import separation
from sottovoce.problems.mixture.fit import Fitted
from sottovoce.problems.mixture.settings import MixtureMeans

FIRST, SECOND = 0.40, 0.25
"""Parts of the users who say in which bin they are, and near which kind; the others say on which side of it."""
_MOST_BINS = 8
"""At most 2 to this power."""
_FARTHEST = 3.0


def strength(settings: MixtureMeans, voters: float) -> float:
    """By how many standard errors a kind of all users would stand out, on the edge of two bins: √(n(e^ε−1)²/(8e^ε)).

    A share of the users stands out by that share of it; about 2.5 is enough to find it (RESEARCH 2b).
    """
    return math.sqrt(voters * math.expm1(settings.epsilon) ** 2 / (8 * math.exp(settings.epsilon)))


def bins(settings: MixtureMeans) -> int:
    """Of the first round: three spreads of an average wide, wider where reports say little; an odd number.

    An even number would put an edge in the middle of the range, which is a likely average of whole numbers.
    """
    users, kinds = FIRST * settings.users, settings.kinds
    told = min(1.0, max(0.7, 0.2 + 0.2 * strength(settings, users) / kinds))
    most = 2 ** min(_MOST_BINS, 0.4 * users / separation(settings.epsilon))
    found = max(6, 3 * kinds, math.ceil(min(told * math.pi * math.sqrt(settings.observations) / 3, most)))
    return int(found + 1 - found % 2)


def edges(count: int) -> list[float]:
    """Inner edges on [−1, 1], evenly in arcsin x."""
    found: list[float] = np.sin(np.linspace(-math.pi / 2, math.pi / 2, count + 1)[1:-1]).tolist()
    return found


def levels(fitted: Fitted, *, sharp: bool) -> tuple[float, int]:
    """How far levels reach around a kind on [−1, 1], and how many there are.

    First four levels that hold most users of a kind, wherever its mean may be; then two levels that are nearly a sign,
    but no steeper than averages of whole numbers, which are 2/T apart, allow.
    """
    kinds = fitted.kinds
    wide = np.hypot(kinds.spreads, np.minimum(fitted.deviations()[1], _FARTHEST * kinds.spreads))
    finest = 2 / kinds.observations
    if sharp:
        return max(finest, 0.7 * float(wide.min())), 2
    return max(finest, 2.0 * math.sqrt(float(wide**2 @ kinds.shares) / float(kinds.shares.sum()))), 4
