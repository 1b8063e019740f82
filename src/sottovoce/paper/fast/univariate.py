"""UserLevelMean (L413) on [−1, 1] for many repetitions at once, exact in law."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.paper.fast.means import laplace_sum
from sottovoce.paper.fast.votes import keep, winners
from sottovoce.theory import bin_count, has_numba

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def bins_of(means: Floats, delta: float, bins: int) -> Integers:
    """The bin of every mean; below −1 the first, beyond the last the last (P7: exactly one answer)."""
    return np.clip(np.floor((means + 1) / (2 * delta)), 0, bins - 1).astype(np.int64)


def refined(stream: np.random.Generator, refiners: Floats, winner: Integers, delta: float, epsilon: float) -> Floats:
    """The average of the second half, each clamped to the widened winner, with Laplace noise of scale 6Δ/α."""
    low = (-1 + 2 * delta * winner - 2 * delta)[:, None]
    held = np.clip(refiners, low, low + 6 * delta)
    users = refiners.shape[1]
    return np.asarray(held.mean(axis=1) + 6 * delta / epsilon * laplace_sum(stream, users, (len(held),)) / users)


def user_level(
    stream: np.random.Generator, voters: Floats, refiners: Floats, *, delta: float, epsilon: float
) -> Floats:
    """Estimates of `repetitions` runs; `voters` and `refiners` are user means, a row a repetition."""
    bins = bin_count(delta)
    index = np.sort(bins_of(voters, delta, bins), axis=1)
    return refined(stream, refiners, winners(stream, index, bins, keep(epsilon / 2)), delta, epsilon)


def squared_errors(
    stream: np.random.Generator,
    voters: Floats,
    refiners: Floats,
    truth: Floats,
    *,
    deltas: Floats,
    epsilons: Floats,
    compiled: bool | None = None,
) -> tuple[Floats, Floats]:
    """Σ e² and Σ e⁴ over repetitions for every α and Δ, ``(A, D)``; `deltas` is ``(A, D)``.

    The users are the same for every (α, Δ), the votes and the noise are not. `compiled` asks for numba (the extra
    ``fast``); by default it is used where it is installed. Both draw from the same law, not the same bits.
    """
    if compiled is None:
        compiled = has_numba()
    counts = np.array([[bin_count(delta) for delta in row] for row in deltas])
    if compiled:
        from sottovoce.paper.fast import compiled as fast

        return fast.squared_errors(stream, voters, refiners, truth, deltas, counts, epsilons)
    sums, squares = np.zeros(deltas.shape), np.zeros(deltas.shape)
    ordered = np.sort(voters, axis=1)
    for a, epsilon in enumerate(epsilons):
        for place, delta in enumerate(deltas[a]):
            index = bins_of(ordered, delta, counts[a, place])
            winner = winners(stream, index, int(counts[a, place]), keep(epsilon / 2))
            error = (refined(stream, refiners, winner, delta, epsilon) - truth) ** 2
            sums[a, place], squares[a, place] = error.sum(), (error**2).sum()
    return sums, squares


def summary(errors: Any) -> dict[str, float]:
    """Mean squared error and its standard error from squared errors of repetitions."""
    errors = np.asarray(errors, dtype=np.float64)
    return {"mse": float(errors.mean()), "se": float(errors.std(ddof=1) / math.sqrt(len(errors)))}
