"""UserLevelMean (L413) for many repetitions at once, exact in law: the scheme says where bins lie and who reports."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.random import Generator

from sottovoce.messages import has_numba
from sottovoce.methods import VoteThenRefine
from sottovoce.paper.fast.means import laplace_sum
from sottovoce.paper.fast.surveys import Floats, Surveys, halves, scale_of
from sottovoce.paper.fast.votes import winners


def located(stream: Generator, voters: Floats, scheme: VoteThenRefine) -> tuple[Floats, Floats]:
    """The ends between which each repetition refines: the widened winner, or the range where nobody voted."""
    layout = scheme.layout
    if not voters.shape[1]:
        return np.full(len(voters), layout.low), np.full(len(voters), layout.high)
    index = np.sort(layout.grid().index(voters), axis=1)
    return layout.widened(winners(stream, index, layout.bins, scheme.keep))


def refined(stream: Generator, refiners: Floats, ends: tuple[Floats, Floats], scheme: VoteThenRefine) -> Floats:
    """The average of those who refine, each clamped between the ends, with Laplace noise as wide as they are apart."""
    low, high = ends
    users = refiners.shape[1]
    noise = scale_of(scheme) * (high - low) * laplace_sum(stream, users, (len(refiners),))
    return np.asarray(np.clip(refiners, low[:, None], high[:, None]).mean(axis=1) + noise / users)


def user_level(stream: Generator, voters: Floats, refiners: Floats, *, scheme: VoteThenRefine) -> Floats:
    """Estimates of `repetitions` runs; `voters` and `refiners` are user means, a row a repetition."""
    return refined(stream, refiners, located(stream, voters, scheme), scheme)


def squared_errors(
    stream: Generator, held: Floats, truth: Floats, *, surveys: Surveys, compiled: bool | None = None
) -> tuple[Floats, Floats]:
    """Σ e² and Σ e⁴ over repetitions for every survey, ``(A, D)``; `held` are the user means, a row a repetition.

    The users are the same for every (α, Δ), the votes and the noise are not. `compiled` asks for numba (the extra
    ``fast``); by default it is used where it is installed. Both draw from the same law, not the same bits.
    """
    if compiled is None:
        compiled = has_numba()
    if compiled:
        from sottovoce.paper.fast import compiled as fast

        return fast.squared_errors(stream, held, truth, surveys)
    sums, squares = np.zeros(surveys.shape), np.zeros(surveys.shape)
    voters, refiners = halves(held, surveys.schemes[0][0])
    for a, row in enumerate(surveys.schemes):
        for place, scheme in enumerate(row):
            error = (user_level(stream, voters, refiners, scheme=scheme) - truth) ** 2
            sums[a, place], squares[a, place] = error.sum(), (error**2).sum()
    return sums, squares


def summary(errors: Any) -> dict[str, float]:
    """Mean squared error and its standard error from squared errors of repetitions, and their median."""
    errors = np.asarray(errors, dtype=np.float64)
    spread = float(errors.std(ddof=1) / math.sqrt(len(errors)))
    return {"mse": float(errors.mean()), "se": spread, "median": float(np.median(errors))}
