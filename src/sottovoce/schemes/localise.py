"""Localise, then refine: the paper's UserLevelMean (L413) and GeneralUserLevelMean (L1707), for any number of groups.

Everything here works in the units of the declared range; the paper's [−1, 1] is ``low … high`` and its Δ is `delta`
half-ranges. Groups are coordinates (or basis functions …); the univariate mean has one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Encoder, Grid, Laplace, Position, Question, Slots, Statistic, Tally, Unary, design
from sottovoce.messages.exact import exact
from sottovoce.protocols.base import upper_tail

PROOF_CONSTANT = 8535.0
"""K of the proofs at α = 1 (ERRATA 5)."""


ENOUGH_TO_MEASURE = 30
"""Refine reports from which the spread of the users is taken from the reports of their own group."""


def log_size(size: float) -> float:
    """log(max(size, e)): a logarithm that keeps every Δ positive (ERRATA P6)."""
    return math.log(max(size, math.e))


def experiment_constant(epsilon: float) -> float:
    """C_α of the experiments (L1077): .5 up to α = 1, .25 from α = 2; between them, a straight line (our choice)."""
    return min(0.5, max(0.25, 0.75 - 0.25 * epsilon))


def experiment_delta(users: float, observations: int, epsilon: float) -> float:
    """Δ of the experiments: C_α √(log(nTα²) / T), with T in place of T* (L1005)."""
    return experiment_constant(epsilon) * math.sqrt(log_size(users * observations * epsilon**2) / observations)


def truncated(users: float, observations: int, epsilon: float, constant: float) -> int:
    """T* = T ∧ exp(n·min(α, α²) / K) (L1743), at least one observation."""
    exponent = users * min(epsilon, epsilon**2) / constant
    return observations if exponent > math.log(observations) else max(1, math.floor(math.exp(exponent)))


def proof_delta(users: float, observations: int, epsilon: float) -> float:
    """Δ of the proofs: √(2 log(nT*α²) / T*) up to α = 1, √(4 log(nT*) / T*) above (L1740)."""
    if epsilon <= 1:
        return math.sqrt(2 * log_size(users * observations * epsilon**2) / observations)
    return math.sqrt(4 * log_size(users * observations) / observations)


@dataclass(frozen=True, kw_only=True)
class Layout:
    """N = ⌈1/Δ⌉ bins of width 2Δ (in half-ranges) from `low` on; the last may stick out, as the paper's does."""

    low: float
    high: float
    delta: float
    reach: int = 0
    clip: bool = False

    def __post_init__(self) -> None:
        if self.bins <= self.reach + 1:  # every bin would get every vote: such a question says nothing
            object.__setattr__(self, "reach", 0)

    @property
    def half(self) -> float:
        return (self.high - self.low) / 2

    @property
    def bins(self) -> int:
        return max(1, math.ceil(1 / self.delta * (1 - 1e-12)))

    @property
    def margin(self) -> float:
        """How far the chosen bin is widened to each side: 2Δ for one-bin votes, 5Δ for three-bin votes."""
        return 2.0 if self.reach == 0 else 5.0

    def vote_channel(self, epsilon: Fraction) -> Unary:
        """Unary votes: ω_{α/2} for one bin, ω_{α/6} for three (ERRATA P2)."""
        return design.unary(epsilon, self.bins, reach=self.reach)

    def grid(self) -> Grid:
        return Grid(low=(self.low,), high=(self.low + 2 * self.bins * self.delta * self.half,), count=self.bins)

    def centre(self, index: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.asarray(self.low + (2 * np.asarray(index) + 1) * self.delta * self.half, dtype=np.float64)

    def widened(self, index: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Ĩ of the chosen bins; intersected with the range when `clip` (ERRATA 7)."""
        reach = (1 + self.margin) * self.delta * self.half
        low, high = self.centre(index) - reach, self.centre(index) + reach
        return (np.maximum(low, self.low), np.minimum(high, self.high)) if self.clip else (low, high)


def vote(
    layout: Layout,
    *,
    survey: str,
    round: int,
    slots: Slots,
    statistic: Statistic,
    epsilon: float,
    groups: int = 1,
    uses: int = 1,
) -> Question:
    """Everybody in `slots` votes for the bin of their statistic."""
    return Question(
        survey=survey,
        round=round,
        role="vote",
        slots=slots,
        encoder=Encoder(statistic=statistic, placement=layout.grid()),
        channel=layout.vote_channel(exact(epsilon) / uses),
        epsilon=epsilon,
        groups=groups,
        uses=uses,
    )


def winners(tally: Tally) -> NDArray[np.int64]:
    """The bin with the most votes in each group, ties to the lower index (L428)."""
    return np.asarray(np.argmax(tally.counts(), axis=1))


def refine(
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    *,
    survey: str,
    round: int,
    slots: Slots,
    statistic: Statistic,
    epsilon: float,
    groups: int = 1,
    uses: int = 1,
) -> Question:
    """Everybody in `slots` sends their statistic, clamped to the group's interval, through Laplace noise."""
    return Question(
        survey=survey,
        round=round,
        role="refine",
        slots=slots,
        encoder=Encoder(
            statistic=statistic, placement=Position(low=tuple(map(float, low)), high=tuple(map(float, high)))
        ),
        channel=design.laplace(exact(epsilon) / uses),
        epsilon=epsilon,
        groups=groups,
        uses=uses,
    )


@dataclass(frozen=True, kw_only=True)
class Refined:
    """Group means with their variance, split into what users and what noise contribute."""

    mean: NDArray[np.float64]
    sampling: NDArray[np.float64]
    privacy: NDArray[np.float64]


def refined(question: Question, tally: Tally) -> Refined:
    """Decode a refine tally: unbiased but for the clamps."""
    channel, placement = question.channel, question.encoder.placement
    assert isinstance(channel, Laplace) and isinstance(placement, Position)
    low = np.broadcast_to(placement.low, question.groups)
    width = np.broadcast_to(placement.high, question.groups) - low
    reports = np.array(tally.reports, dtype=np.float64)
    first = np.array([Fraction(cells[0], count) / channel.steps for cells, count in _pairs(tally)], dtype=np.float64)
    spread = np.array(
        [
            Fraction(cells[1] * count - cells[0] ** 2, max(1, count * (count - 1)) * channel.steps**2)
            for cells, count in _pairs(tally)
        ],
        dtype=np.float64,
    )
    noise = channel.noise_variance
    extra = np.maximum(spread - noise, 0.0)
    few = reports < ENOUGH_TO_MEASURE
    if (
        few.any()
    ):  # too few to measure a spread: pooled over groups, and at least what fits the interval in ±3 deviations
        pooled = float((spread * (reports - 1)).sum() / max(1.0, (reports - 1).sum())) - noise
        extra = np.where(few, np.maximum(max(pooled, 0.0), 1 / 36), extra)
    return Refined(
        mean=low + width * first,
        sampling=width**2 * extra / reports,
        privacy=width**2 * noise / reports,
    )


def _pairs(tally: Tally) -> list[tuple[tuple[int, ...], int]]:
    return list(zip(tally.cells, tally.reports, strict=True))


def misplaced(layout: Layout, question: Question, tally: Tally) -> NDArray[np.float64]:
    """Mean squared distance by which the localisation of each group may be off, judged from the votes themselves.

    A bin two or more places from the winner beats it in truth with about the normal tail of their gap; each such
    bin counts with that probability and its squared distance, in all at most the whole range.
    """
    channel = question.channel
    assert isinstance(channel, Unary)
    votes, reports = tally.counts().astype(np.float64), np.array(tally.reports, dtype=np.float64)
    best = np.argmax(votes, axis=1)
    apart = np.abs(np.arange(votes.shape[1])[None, :] - best[:, None])
    deviation = np.sqrt(2 * reports * channel.keep * (1 - channel.keep))[:, None]
    gap = (votes[np.arange(len(best)), best][:, None] - votes) / deviation
    tail = 0.5 * np.vectorize(math.erfc, otypes=[float])(gap / math.sqrt(2))
    far = np.where(apart > 1 + layout.reach, (2 * (apart - 1) * layout.delta * layout.half) ** 2 * tail, 0.0)
    return np.asarray(np.minimum(far.sum(axis=1), (layout.high - layout.low) ** 2))


def success_chance(layout: Layout, *, voters: int, observations: int, epsilon: float) -> float:
    """Predicted chance that the winner is the right bin or a neighbour, for users whose means spread by 1/√T."""
    if layout.bins <= 2 + layout.reach:
        return 1.0
    keep = layout.vote_channel(exact(epsilon)).keep
    spread = 1 / math.sqrt(observations)
    offsets = np.linspace(0, 1, 11) * layout.delta
    reach = (1 + 2 * layout.reach) * layout.delta
    shares = [1 - upper_tail((reach - o) / spread) - upper_tail((reach + o) / spread) for o in offsets]
    deviation = math.sqrt(2 * voters * keep * (1 - keep))
    rivals = layout.bins - 2
    misses = [min(1.0, rivals * upper_tail((2 * keep - 1) * voters * share / deviation)) for share in shares]
    return 1 - float(np.mean(misses))
