"""Localised means for many repetitions at once, exact in law: UserLevelMean (L413), and one of it a coordinate (L454).

The protocols say where bins lie, who votes and who refines, how far a report reaches and how loud it is; only the
drawing of reports is done in aggregate. `user_level_mean` is the paper's pseudocode word for word, asks nobody, and is
what all this is held against.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Literal

import numpy as np
from numpy.random import Generator

from sottovoce.messages import Laplace, has_numba
from sottovoce.methods import VoteThenRefine, experiment_delta
from sottovoce.paper.figure import Floats, Integers
from sottovoce.paper.simulation.averages import laplace_sum
from sottovoce.problems import Settings
from sottovoce.problems.mean import Mean
from sottovoce.problems.vector import VectorMean
from sottovoce.theory import bin_count


def voters_and_refiners(user_means: Floats, scheme: VoteThenRefine) -> tuple[Floats, Floats]:
    """The averages of those who vote and of those who refine, for a scheme of one group; nobody votes on one bin."""
    (voters,), (refiners,) = scheme.folds
    assert user_means.shape[1] == voters + refiners
    return user_means[:, :voters], user_means[:, voters:]


def noise_scale(scheme: VoteThenRefine) -> float:
    """The scale of the Laplace noise of one report, in widths of where it reports."""
    channel = scheme.refine_channel
    assert isinstance(channel, Laplace)
    return channel.scale


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
        keeps = np.array([[scheme.keep for scheme in row] for row in self.schemes])
        assert (keeps == keeps[:, :1]).all()
        return keeps[:, 0]

    @cached_property
    def scale(self) -> Floats:
        """The scale of the noise, for each ε, in widths of where it is reported."""
        scales = np.array([[noise_scale(scheme) for scheme in row] for row in self.schemes])
        assert (scales == scales[:, :1]).all()
        return scales[:, 0]

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


@lru_cache(maxsize=64)
def log_binomial(voters: int, chance: float) -> Floats:
    """Log F(v) of Bin(voters, chance), v = 0 … voters, accurate where F is close to 0 and to 1."""
    from scipy.special import bdtr, bdtrc

    values = np.arange(voters + 1)
    below, above = bdtr(values, voters, chance), bdtrc(values, voters, chance)
    with np.errstate(divide="ignore"):
        return np.where(above < 0.5, np.log1p(-above), np.log(below))


@lru_cache(maxsize=16)
def vote_table(voters: int, keep: float) -> Floats:
    """F_c(v) of the votes for a bin that holds c of the voters: Bin(c, ω) + Bin(voters − c, 1 − ω)."""
    from scipy.stats import binom

    rows = np.empty((voters + 1, voters + 1))
    for holders in range(voters + 1):
        true = binom.pmf(np.arange(holders + 1), holders, keep)
        false = binom.pmf(np.arange(voters - holders + 1), voters - holders, 1 - keep)
        rows[holders] = np.cumsum(np.convolve(true, false))
    rows[:, -1] = 1.0
    return rows


def most_votes_of_empty_bins(stream: Generator, voters: int, keep: float, empty: Integers) -> tuple[Integers, Integers]:
    """The most votes among `empty` bins that hold nobody, and the first of them (in their own order) that has it.

    P(max ≤ v) = F(v)^K, so with E ~ Exp(1) the maximum is min{v : −K·log F(v) ≤ E}. Given the maximum v, every bin
    is at most v and the first that reaches it is geometric with ratio q = F(v−1)/F(v), cut off at K.
    """
    law = log_binomial(voters, 1 - keep)
    count = np.maximum(empty, 1)
    most = np.minimum(np.searchsorted(law, -stream.standard_exponential(len(empty)) / count), voters)
    below = np.where(most > 0, law[np.maximum(most, 1) - 1], -np.inf)
    log_ratio = below - law[most]
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = -np.expm1(count * log_ratio)  # 1 − q^K
        first = np.floor(np.log1p(-stream.random(len(empty)) * spread) / log_ratio)
    first = np.clip(np.nan_to_num(first, nan=0.0, posinf=0.0), 0, count - 1).astype(np.int64)
    return np.where(empty > 0, most, -1), first


def winners(stream: Generator, index: Integers, bins: int, keep: float) -> Integers:
    """Who wins the vote, ties to the lower index: `index` holds the voters' bins, a row a repetition, sorted."""
    repetitions, voters = index.shape
    starts = np.ones(index.shape, dtype=bool)
    starts[:, 1:] = index[:, 1:] != index[:, :-1]
    at = np.flatnonzero(starts)
    rows, occupied = at // voters, index.ravel()[at]
    holders = np.diff(np.append(at, index.size))
    got = stream.binomial(holders, keep) + stream.binomial(voters - holders, 1 - keep)
    first_run = np.searchsorted(rows, np.arange(repetitions))
    best = np.maximum.reduceat(got * np.int64(bins) + (bins - 1 - occupied), first_run)
    best_votes, best_bin = best // bins, bins - 1 - best % bins
    runs = np.bincount(rows, minlength=repetitions)
    most, rank = most_votes_of_empty_bins(stream, voters, keep, bins - runs)
    passed = occupied - (np.arange(len(at)) - first_run[rows]) <= rank[rows]  # occupied bins before the empty one
    place = rank + np.bincount(rows[passed], minlength=repetitions)
    wins = (most > best_votes) | ((most == best_votes) & (place < best_bin))
    return np.where(wins, place, best_bin)


PAPER = "paper"


def method_of(settings: Settings) -> Any:
    """The method that these settings name: it knows its constants, its layout and its decoding."""
    return settings.problem.method(settings.method)


def mean_scheme(users: int, observations: int, epsilon: float, *, delta: float | None = None) -> VoteThenRefine:
    """PrivateUniMean (L439) on [−1, 1], as in the experiments or with this Δ."""
    asked = Mean(
        epsilon=epsilon, users=users, observations=observations, low=-1.0, high=1.0, delta=delta, method=PAPER
    )  # fmt: skip
    return _scheme_of(asked)


def surveys_with_deltas(
    users: int, observations: int, epsilons: Sequence[float], deltas: Sequence[float] | Floats
) -> Surveys:
    """Surveys of one mean, for several ε and Δ."""
    rows = (
        tuple(mean_scheme(users, observations, epsilon, delta=float(delta)) for delta in deltas) for epsilon in epsilons
    )
    return Surveys(tuple(rows))


def surveys_with_constants(
    users: int, observations: int, epsilons: Sequence[float], constants: Sequence[float] | Floats
) -> Surveys:
    """Surveys of one mean, for several ε and several constants in place of C_α in Δ (L1031)."""

    def wide(epsilon: float, constant: float) -> float:
        return experiment_delta(users, observations, epsilon, constant=constant)

    rows = (
        tuple(mean_scheme(users, observations, epsilon, delta=wide(epsilon, float(c))) for c in constants)
        for epsilon in epsilons
    )
    return Surveys(tuple(rows))


def vector_scheme(
    users: int,
    observations: int,
    epsilon: float,
    *,
    dimension: int,
    ball: Literal["l2", "linf"],
    delta: float | None = None,
) -> VoteThenRefine:
    """PrivateMultiDimMean (L454) on the cube, or PrivateMultiDimMean2 (L501) on the ball, of radius 1."""
    asked = VectorMean(
        epsilon=epsilon, users=users, observations=observations, dimension=dimension, ball=ball, delta=delta,
        method=PAPER,
    )  # fmt: skip
    return _scheme_of(asked)


def _scheme_of(settings: Settings) -> VoteThenRefine:
    scheme: VoteThenRefine = method_of(settings).scheme(settings)
    return scheme


def refinement_ends(stream: Generator, voters: Floats, scheme: VoteThenRefine) -> tuple[Floats, Floats]:
    """The ends between which each repetition refines: the widened winner, or the range where nobody voted."""
    layout = scheme.layout
    if not voters.shape[1]:
        return np.full(len(voters), layout.low), np.full(len(voters), layout.high)
    index = np.sort(layout.grid().index(voters), axis=1)
    return layout.widened(winners(stream, index, layout.bins, scheme.keep))


def refined_means(stream: Generator, refiners: Floats, ends: tuple[Floats, Floats], scheme: VoteThenRefine) -> Floats:
    """The average of those who refine, each clamped between the ends, with Laplace noise as wide as they are apart."""
    low, high = ends
    users = refiners.shape[1]
    noise = noise_scale(scheme) * (high - low) * laplace_sum(stream, users, (len(refiners),))
    return np.asarray(np.clip(refiners, low[:, None], high[:, None]).mean(axis=1) + noise / users)


def user_level_estimates(stream: Generator, voters: Floats, refiners: Floats, *, scheme: VoteThenRefine) -> Floats:
    """Estimates of `repetitions` runs; `voters` and `refiners` are user means, a row a repetition."""
    return refined_means(stream, refiners, refinement_ends(stream, voters, scheme), scheme)


def squared_errors(
    stream: Generator, user_means: Floats, truth: Floats, *, surveys: Surveys, compiled: bool | None = None
) -> tuple[Floats, Floats]:
    """Σ e² and Σ e⁴ over repetitions for every survey, ``(A, D)``; `user_means` has a row a repetition.

    The users are the same for every (α, Δ), the votes and the noise are not. `compiled` asks for numba (the extra
    ``fast``); by default it is used where it is installed. Both draw from the same law, not the same bits.
    """
    if compiled is None:
        compiled = has_numba()
    sums, squares = np.zeros(surveys.shape), np.zeros(surveys.shape)
    voters, refiners = voters_and_refiners(user_means, surveys.schemes[0][0])
    if compiled:
        from sottovoce.paper.simulation.numba_localisation import GUIDE, add_errors

        laws = np.stack([vote_table(voters.shape[1], float(keep)) for keep in surveys.keep])
        empties = np.stack([log_binomial(voters.shape[1], float(1 - keep)) for keep in surveys.keep])
        starts = np.arange(GUIDE) / GUIDE  # where to start looking in each row: the first v with F(v) ≥ b/GUIDE
        guides = np.array([[np.searchsorted(row, starts) for row in law] for law in laws], dtype=np.int16)
        ordered = np.sort(refiners, axis=1)
        totals = np.concatenate([np.zeros((len(ordered), 1)), np.cumsum(ordered, axis=1)], axis=1)
        add_errors(
            stream, np.sort(voters, axis=1), ordered, totals, truth, *surveys.bins, *surveys.ends, surveys.scale,
            laws, guides, empties, sums, squares,
        )  # fmt: skip
        return sums, squares
    for a, row in enumerate(surveys.schemes):
        for place, scheme in enumerate(row):
            error = (user_level_estimates(stream, voters, refiners, scheme=scheme) - truth) ** 2
            sums[a, place], squares[a, place] = error.sum(), (error**2).sum()
    return sums, squares


def error_summary(errors: Any) -> dict[str, float]:
    """Mean squared error and its standard error from squared errors of repetitions, and their median."""
    errors = np.asarray(errors, dtype=np.float64)
    spread = float(errors.std(ddof=1) / math.sqrt(len(errors)))
    return {"mse": float(errors.mean()), "se": spread, "median": float(np.median(errors))}


Draw = Callable[[int, tuple[int, int]], Floats]
"""User means of a coordinate: (coordinate, (repetitions, users)) → array."""


def first_users(scheme: VoteThenRefine) -> list[int]:
    """Where the users of each coordinate begin, those who vote and those who refine side by side."""
    return [0, *np.cumsum(np.add(*scheme.folds)).tolist()]


def coordinatewise_estimates(stream: Generator, draw: Draw, *, scheme: VoteThenRefine, repetitions: int) -> Floats:
    """Estimates ``(repetitions, d)`` of PrivateMultiDimMean (L454): a fold of users a coordinate, half of it voting."""
    estimates = np.empty((repetitions, scheme.budget.groups))
    low, high = scheme.ranges or ((scheme.layout.low,), (scheme.layout.high,))
    alone = [scheme.on_range(*ends) for ends in zip(low, high, strict=True)]
    for coordinate, (voters, refiners) in enumerate(zip(*scheme.folds, strict=True)):
        user_means = draw(coordinate, (repetitions, voters + refiners))
        on_own_range = alone[coordinate % len(alone)]
        estimates[:, coordinate] = user_level_estimates(
            stream, user_means[:, :voters], user_means[:, voters:], scheme=on_own_range
        )
    return estimates


def user_level_mean(stream: Generator, means: Floats, *, delta: float, epsilon: float) -> float:
    """UserLevelMean (L413) for one survey: `means` are the averages of n users, the first half of whom vote."""
    bins = bin_count(delta)
    half = len(means) // 2
    omega = math.exp(epsilon / 2) / (1 + math.exp(epsilon / 2))
    index = np.clip(np.floor((means[:half] + 1) / (2 * delta)), 0, bins - 1).astype(np.int64)
    votes = np.zeros((half, bins), dtype=bool)
    votes[np.arange(half), index] = True
    uniforms = stream.random((half, bins))
    private = np.where(votes, uniforms <= omega, uniforms > omega)
    winner = int(np.argmax(private.sum(axis=0)))
    low, high = -1 + 2 * winner * delta - 2 * delta, -1 + 2 * (winner + 1) * delta + 2 * delta
    refined = np.clip(means[half:], low, high) + 6 * delta / epsilon * stream.laplace(size=len(means) - half)
    return float(refined.mean())
