"""The exact mean squared error of localise-then-refine for the univariate mean, without simulation."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from sottovoce.messages import MAX_EPSILON, MAX_ITEMS, InvalidInput, Unary, check_epsilon
from sottovoce.theory.laws import Law
from sottovoce.theory.localisation import hold, occupied, winner_law
from sottovoce.theory.rate import bin_count
from sottovoce.theory.shifts import Edges, placements
from sottovoce.theory.user_means import Floats, Integers, MeanLaw
from sottovoce.theory.votes import ballot

MAX_VOTERS = 1000
NEGLECT = 1e-15


@dataclass(frozen=True, kw_only=True)
class ExactRisk:
    """An exact risk, in squared half-ranges, and where it comes from.

    ``mse = bias2 + variance``; `bias2` is E(bias given the winner)², which localisation decides, `variance` the
    refinement's, of which `privacy` is Laplace noise. `misses` is the chance that the widened interval misses the
    mean, `winner` the law of the winning bin (of the first shift, when shifts are averaged). `neglected` bounds the
    probability of everything that was left out.
    """

    mse: float
    bias2: float
    variance: float
    privacy: float
    misses: float
    winner: Floats
    bins: int
    voters: int
    neglected: float

    @classmethod
    def of(cls, terms: Floats, *, winner: Floats, bins: int, voters: int, neglected: float) -> ExactRisk:
        """From bias², sampling, privacy and the chance of a miss."""
        bias2, sampling, privacy, misses = (float(term) for term in terms)
        return cls(
            mse=bias2 + sampling + privacy,
            bias2=bias2,
            variance=sampling + privacy,
            privacy=privacy,
            misses=misses,
            winner=winner,
            bins=bins,
            voters=voters,
            neglected=neglected,
        )


def keep_chance(epsilon: float, bins: int, reach: int) -> float:
    """ω_{α/h}: each of the h bits in which two hot sets can differ pays an equal part of α (ERRATA P2)."""
    apart = Unary(items=bins, reach=reach, threshold=2**63).disagreements() or 2 * (2 * reach + 1)
    return 1 / (1 + math.exp(-epsilon / apart))


def exact_risk(
    *,
    users: int,
    observations: int,
    epsilon: float,
    delta: float,
    law: Law,
    reach: int = 0,
    clip: bool = False,
    shift: float | tuple[float, float] = 0.0,
    resolution: float = 0.25,
    noise_variance: float | None = None,
    neglect: float = NEGLECT,
    compiled: bool = False,
) -> ExactRisk:
    """The risk of UserLevelMean (L413; `reach` 1: GeneralUserLevelMean, L1707) on [−1, 1], for users with this `law`.

    ``method="paper"`` is ``reach=0, clip=False``; ``method="theory"`` is ``reach=1`` for ε > 1 and ``clip=True``,
    with T* for `observations`; Δ is an argument for both. The first ⌊n/2⌋ users vote, the others refine; with one
    bin everybody refines on [−1, 1] (ERRATA 6). `shift` is added to every observation, and to the mean; a pair
    means a shift uniform between the two, averaged over places `resolution` standard deviations of a user mean
    apart near an edge (and three bins, exact for quadratics, where the pair spans many). Another unbiased report
    than Laplace's plugs in by its `noise_variance`, in squared widths of the interval (Laplace: 2/ε²).

    Accuracy
    --------
    Exact but for: counts and votes that are rarer than `neglect` each (summed up in `neglected`); the law's own
    error (its docstring); the average over shifts (about 2e-3 of the risk); and the shipped Laplace
    channel's grid of 2^16 steps and clamp at 16 scales (e^-16 of its variance), which are ignored.
    `compiled` uses numba (extra ``fast``) for the same sums.
    """
    check_epsilon(epsilon, maximum=MAX_EPSILON)
    noise = 2 / epsilon**2 if noise_variance is None else noise_variance
    bins = checked_bins(users, observations, delta, reach)
    means = law.of_means(observations)
    voters = users // 2 if bins > 1 else 0
    if voters > MAX_VOTERS:
        raise InvalidInput(
            rule=f"exact risk takes up to {2 * MAX_VOTERS + 1} users", wrong=f"got {users}:", fix="take simulated_risk"
        )
    if voters == 0:
        return _without_votes(users, noise, means, shift)
    table = ballot(voters, keep_chance(epsilon, bins, reach))
    total = np.zeros(4)
    neglected, first = 0.0, None
    seen = _seen_from_the_mean(means, shift, delta, bins, neglect)
    for phase in placements(shift, seen, resolution=resolution):
        block = occupied(means, shift=phase.shift, delta=delta, bins=bins, neglect=neglect)
        votes = hold(table, block, bins=bins, reach=reach, neglect=neglect, compiled=compiled)
        width = votes.contest.wins.shape[1]
        neglected = max(neglected, voters * block.neglected + (6 * width + 2) * neglect)
        for moved, weight in phase.moves:
            lower = votes.first + moved
            winner = winner_law(table, votes, lower=lower, upper=bins - lower - width, compiled=compiled)
            place = phase.shift + 2 * delta * moved
            risk = conditional(means, place, np.arange(bins), delta=delta, reach=reach, clip=clip)
            total += weight * (winner @ np.stack(risk.terms(users - voters, noise), axis=1))
            first = winner if first is None else first
    assert first is not None
    return ExactRisk.of(total, winner=first, bins=bins, voters=voters, neglected=neglected)


def checked_bins(users: int, observations: int, delta: float, reach: int) -> int:
    """The number of bins, N(Δ) = ⌈1/Δ⌉, once all arguments make sense."""
    if users < 1 or observations < 1:
        raise InvalidInput(rule="users and observations must be at least 1", wrong=f"got {users}, {observations}")
    if not 0 < delta < math.inf:
        raise InvalidInput(rule="delta must be positive and finite", got=delta)
    if reach not in (0, 1):
        raise InvalidInput(rule="reach is 0 (one-bin votes) or 1 (three-bin votes)", got=reach)
    bins = bin_count(delta)
    if bins > MAX_ITEMS:
        raise InvalidInput(f"delta = {delta:g} makes {bins} bins; a vote has at most {MAX_ITEMS}")
    return bins


def _seen_from_the_mean(
    means: MeanLaw, shift: float | tuple[float, float], delta: float, bins: int, neglect: float
) -> Edges:
    """Edges, width and spread; movable where users stay inside the bins for every shift, but for `neglect`."""
    low, high = shift if isinstance(shift, tuple) else (shift, shift)
    ends = means.partial(np.array([-1 - low, 2 * delta * bins - 1 - high, math.inf]))
    return Edges(
        edge=-1 - means.mean,
        width=2 * delta,
        spread=math.sqrt(max(float(ends[2, 2]), 0.0)),
        step=means.step,
        movable=bool(ends[0, 0] <= neglect and ends[0, 2] - ends[0, 1] <= neglect),
    )


@dataclass(frozen=True)
class Conditional:
    """Given that each bin wins: bias and variance of one clamped mean, width of the interval, and whether it misses."""

    bias: Floats
    variance: Floats
    width: Floats
    missed: Floats

    def terms(self, refiners: int, noise: float) -> tuple[Floats, Floats, Floats, Floats]:
        return self.bias**2, self.variance / refiners, noise * self.width**2 / refiners, self.missed


def clamped(means: MeanLaw, shift: float, low: Floats, high: Floats) -> Conditional:
    """A user mean clamped to [low, high], against the true mean."""
    centre = means.mean + shift
    a, b = low - centre, high - centre
    below, upto = means.partial(low - shift), means.partial(high - shift)
    inside = upto - below
    rest = 1 - upto[0]
    bias = a * below[0] + inside[1] + b * rest
    second = a**2 * below[0] + inside[2] + b**2 * rest
    return Conditional(bias, np.maximum(second - bias**2, 0.0), high - low, ((a > 0) | (b < 0)).astype(float))


def conditional(
    means: MeanLaw, shift: float, winners: Integers, *, delta: float, reach: int, clip: bool
) -> Conditional:
    """A user mean clamped to the widened interval of each winning bin."""
    centres = (2 * winners.astype(np.float64) + 1) * delta - 1
    margin = (3 if reach == 0 else 6) * delta
    low, high = centres - margin, centres + margin
    if clip:
        low, high = np.maximum(low, -1.0), np.minimum(high, 1.0)
    return clamped(means, shift, low, high)


def _without_votes(users: int, noise: float, means: MeanLaw, shift: float | tuple[float, float]) -> ExactRisk:
    """Everybody refines on the full range; a pair of shifts by Gauss–Legendre."""
    if isinstance(shift, tuple):
        nodes, weights = np.polynomial.legendre.leggauss(64)
        places = (shift[0] + shift[1]) / 2 + (shift[1] - shift[0]) / 2 * nodes
        weights = weights / 2
    else:
        places, weights = np.array([shift]), np.array([1.0])
    total = np.zeros(4)
    for place, weight in zip(places, weights, strict=True):
        risk = clamped(means, float(place), np.array([-1.0]), np.array([1.0]))
        total += weight * np.array([term[0] for term in risk.terms(users, noise)])
    return ExactRisk.of(total, winner=np.array([1.0]), bins=1, voters=0, neglected=means.neglected)
