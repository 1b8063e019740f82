"""UserLevelMean (L413) for many repetitions at once, exact in law: the scheme says where bins lie and who reports."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Laplace
from sottovoce.paper.fast.means import laplace_sum
from sottovoce.paper.fast.votes import winners
from sottovoce.schemes import VoteThenRefine
from sottovoce.theory import has_numba

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def halves(held: Floats, scheme: VoteThenRefine) -> tuple[Floats, Floats]:
    """The averages of those who vote and of those who refine, for a scheme of one group; nobody votes on one bin."""
    (voters,), (refiners,) = scheme.folds
    assert held.shape[1] == voters + refiners
    return held[:, :voters], held[:, voters:]


def located(stream: np.random.Generator, voters: Floats, scheme: VoteThenRefine) -> tuple[Floats, Floats]:
    """The ends between which each repetition refines: the widened winner, or the range where nobody voted."""
    layout = scheme.layout
    if not voters.shape[1]:
        return np.full(len(voters), layout.low), np.full(len(voters), layout.high)
    index = np.sort(layout.grid().index(voters), axis=1)
    return layout.widened(winners(stream, index, layout.bins, scheme.keep))


def refined(
    stream: np.random.Generator, refiners: Floats, ends: tuple[Floats, Floats], scheme: VoteThenRefine
) -> Floats:
    """The average of those who refine, each clamped between the ends, with Laplace noise as wide as they are apart."""
    low, high = ends
    users = refiners.shape[1]
    noise = scale_of(scheme) * (high - low) * laplace_sum(stream, users, (len(refiners),))
    return np.asarray(np.clip(refiners, low[:, None], high[:, None]).mean(axis=1) + noise / users)


def scale_of(scheme: VoteThenRefine) -> float:
    """Of the Laplace noise of one report, in widths of where it reports."""
    channel = scheme.refine_channel
    assert isinstance(channel, Laplace)
    return channel.scale


def user_level(stream: np.random.Generator, voters: Floats, refiners: Floats, *, scheme: VoteThenRefine) -> Floats:
    """Estimates of `repetitions` runs; `voters` and `refiners` are user means, a row a repetition."""
    return refined(stream, refiners, located(stream, voters, scheme), scheme)


@dataclass(frozen=True, eq=False)
class Surveys:
    """Schemes that differ in ε, a row each, and in Δ, a column each; and what they say, as arrays for a compiler."""

    schemes: tuple[tuple[VoteThenRefine, ...], ...]

    def __post_init__(self) -> None:
        every = [scheme for row in self.schemes for scheme in row]
        assert len({scheme.users_per_round for scheme in every}) == 1 and every[0].voters is not None

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.schemes), len(self.schemes[0])

    @cached_property
    def keep(self) -> Floats:
        """The chance that a bit of a vote is sent as it is, for each ε: the same whatever the bins."""
        found = np.array([[scheme.keep for scheme in row] for row in self.schemes])
        assert (found == found[:, :1]).all()
        return found[:, 0]

    @cached_property
    def scale(self) -> Floats:
        """Of the noise, for each ε, in widths of where it is reported."""
        found = np.array([[scale_of(scheme) for scheme in row] for row in self.schemes])
        assert (found == found[:, :1]).all()
        return found[:, 0]

    @cached_property
    def bins(self) -> tuple[Floats, Floats, Integers]:
        """Where the bins of each scheme start, how wide each is, and how many they are."""
        grids = [[scheme.layout.grid() for scheme in row] for row in self.schemes]
        starts = np.array([[grid.low[0] for grid in row] for row in grids])
        counts = np.array([[grid.count for grid in row] for row in grids])
        return starts, (np.array([[grid.high[0] for grid in row] for row in grids]) - starts) / counts, counts

    @cached_property
    def ends(self) -> tuple[Integers, Floats, Floats]:
        """Between which ends is reported after each winner, one scheme after another, and where each scheme begins."""
        layouts = [scheme.layout for row in self.schemes for scheme in row]
        each = [layout.widened(np.arange(layout.bins)) for layout in layouts]
        first = np.cumsum([0, *(layout.bins for layout in layouts)])[:-1].reshape(self.shape)
        return first, np.concatenate([low for low, _ in each]), np.concatenate([high for _, high in each])


def squared_errors(
    stream: np.random.Generator, held: Floats, truth: Floats, *, surveys: Surveys, compiled: bool | None = None
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
    """Mean squared error and its standard error from squared errors of repetitions."""
    errors = np.asarray(errors, dtype=np.float64)
    return {"mse": float(errors.mean()), "se": float(errors.std(ddof=1) / math.sqrt(len(errors)))}
