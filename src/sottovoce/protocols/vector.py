"""The mean of a vector per observation, averaged over users: on a box (ℓ∞) or on a ball (ℓ2)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Average, Question, Rotated, Statistic, Tally, VectorEstimate
from sottovoce.messages.public import rotation_signs, walsh_hadamard
from sottovoce.protocols import localise, vector_answer, vector_one_round
from sottovoce.protocols.base import check_answered
from sottovoce.protocols.folds import Folds, Share, finest, one_each, several_each
from sottovoce.protocols.vector_settings import check_settings, ranges

Ball = Literal["linf", "l2"]
Method = Literal["auto", "one-round", "paper", "theory"]
BALL_CONSTANT = 4.0
"""C of the ℓ2 procedure, which the paper leaves open (ERRATA 9): √C·log/√(dT) is then the product of two deviations
of √(2 log), one of the average's length and one of a rotated coordinate."""


@dataclass(frozen=True, kw_only=True)
class VectorMean:
    """The mean vector from `users` users with about `observations` vectors of `dimension` coordinates each.

    `ball`: ``"linf"`` declares a range for each coordinate, [centre − radius, centre + radius] or `low` and `high`
    (one number, or one for each coordinate); ``"l2"`` declares a Euclidean ball of `radius` about `centre` (zero when
    left out). What a device finds outside, it clamps (linf) or projects onto the ball (l2).

    `method`: ``"paper"`` is PrivateMultiDimMean (L454) or PrivateMultiDimMean2 (L501) as in the paper's experiments
    (L890); ``"theory"`` is GeneralPrivateMultiDimMean (L1763) or its rotated form (L1793) with the constants of the
    proofs, K being `proof_constant` and C `ball_constant`; ``"one-round"`` asks everybody once, one coordinate each,
    on the full range; ``"auto"`` takes paper or one-round, whichever has the lower predicted error, and says why.

    Readings taken. The experiments do not say how a budget above 1 was spent: one coordinate a user at the full
    budget, Δ = C_α√(log(nTα²/d)/T) for linf and C_α·log(nTα²)/√(dT) for l2, reproduces the reference figures and is
    ``"paper"``. ``"theory"`` gives ⌊ε⌋ coordinates a budget of 1 each for 1 < ε ≤ d, never one more (ERRATA P1), and
    above d all of them ε/d, with three-bin votes. Folds use their own size (ERRATA 1); d is padded to a power of two
    for l2 and folds go over the padded size (2); the general l2 procedure has log²/(dT) (3); T* has exp(n·min(α, α²)
    /Kd) (4); logarithms are at least 1 (P6). For l2 all observations are averaged and T* only sets Δ: an average of
    more concentrates no less. `delta` overrides Δ, in half-ranges.

    `seed` draws the public rotation; choose it without looking at data. `names` are for the estimate.

    Privacy
    -------
    Every user answers one question; the report is `epsilon`-LDP (α in the paper) for the whole collection, its length
    included, all coordinates a user answers for added up.

    Accuracy
    --------
    Paper, theory: squared error of order d²/(nTε²) (linf) or d/(nTε²) (l2) up to logarithms, for users alike and
    votes that find the right bin (Theorem L370). One round: no better with more observations, nothing assumed.
    """

    epsilon: float
    users: int
    observations: int
    dimension: int
    ball: Ball = "linf"
    radius: float = 1.0
    centre: tuple[float, ...] | None = None
    low: float | tuple[float, ...] | None = None
    high: float | tuple[float, ...] | None = None
    method: Method = "auto"
    confidence: float = 0.95
    survey: str = "rehearsal"
    seed: int = 1
    proof_constant: float = localise.PROOF_CONSTANT
    ball_constant: float = BALL_CONSTANT
    delta: float | None = None
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_settings(self, balls=get_args(Ball), methods=get_args(Method))
        if self.chosen[0] == "one-round":
            self.one_round.question()
        else:
            self.folds(self.chosen[0]).parts()

    @property
    def groups(self) -> int:
        """Folds: a coordinate each, of the vector or of its rotation."""
        return self.dimension if self.ball == "linf" else 1 << (self.dimension - 1).bit_length()

    @cached_property
    def ranges(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """The declared range of every coordinate."""
        return ranges(self)

    @cached_property
    def chosen(self) -> tuple[Literal["one-round", "paper", "theory"], str]:
        """The method that runs, and why."""
        if self.method != "auto":
            return self.method, "asked for"
        single = self.predicted_mse("one-round") ** 0.5
        if self.users < 2 * self.groups:
            return "one-round", f"too few users to localise on {self.groups} coordinates; predicted error {single:.3g}"
        double = self.predicted_mse("paper") ** 0.5
        if single <= double:
            return "one-round", f"predicted error {single:.3g} in one round, {double:.3g} when localising first"
        return "paper", f"predicted error {double:.3g} when localising first, {single:.3g} in one round"

    def predicted_mse(self, method: str) -> float:
        """The squared Euclidean error of this method, for users alike with the largest spread T allows."""
        if method == "one-round":
            return self.dimension * self.one_round.predicted_mse(self.observations)
        spread = 1 / math.sqrt(self.kept(method) * (self.groups if self.ball == "l2" else 1))
        return self.dimension * self.folds(method).predicted_mse(spread=spread)

    @property
    def one_round(self) -> vector_one_round.OneRound:
        """The single question of ``"one-round"``."""
        return vector_one_round.OneRound(
            survey=self.survey,
            users=self.users,
            share=one_each(self.groups, self.epsilon),
            statistic=self._statistic("one-round"),
            ranges=self._group_ranges(),
            rotated=self.ball == "l2",
        )

    def folds(self, method: str) -> Folds:
        """The two questions of ``"paper"`` and ``"theory"``."""
        share = self.share(method)
        low, high = self._group_ranges()
        return Folds(
            survey=self.survey,
            users=self.users,
            share=share,
            layout=localise.Layout(
                low=-1.0,
                high=1.0,
                delta=max(self._delta(method, share), finest(share)),
                reach=1 if share.each > 1 and method == "theory" else 0,
                clip=method == "theory",
            ),
            statistic=self._statistic(method),
            low=low,
            high=high,
        )

    def share(self, method: str) -> Share:
        """How a user's budget is spread over coordinates."""
        return (several_each if method == "theory" else one_each)(self.groups, self.epsilon)

    def kept(self, method: str) -> int:
        """T*: how many observations of each user ``"theory"`` counts; all of them for the others."""
        if method != "theory":
            return self.observations
        return localise.truncated(self.users / self.groups, self.observations, self.epsilon, self.proof_constant)

    def _delta(self, method: str, share: Share) -> float:
        if self.delta is not None:
            return self.delta
        kept, fold = self.kept(method), self.users / self.groups
        if self.ball == "linf":
            rule = localise.proof_delta if method == "theory" else localise.experiment_delta
            return rule(fold, kept, share.each)
        if method == "theory":
            constant, budget = math.sqrt(self.ball_constant), min(1.0, self.epsilon)
        else:
            constant, budget = localise.experiment_constant(self.epsilon), self.epsilon
        return constant * localise.log_size(self.users * kept * budget**2) / math.sqrt(self.groups * kept)

    def _statistic(self, method: str) -> Statistic:
        if self.ball == "l2":
            return Rotated(seed=self.seed, size=self.groups, centre=self._centre, radius=self.radius)
        kept = self.kept(method)
        return Average(columns=tuple(range(self.dimension)), first=kept if kept < self.observations else None)

    @property
    def _centre(self) -> tuple[float, ...]:
        return (0.0,) * self.dimension if self.centre is None else self.centre

    def _group_ranges(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        if self.ball == "linf":
            return self.ranges
        return (-self.radius,) * self.groups, (self.radius,) * self.groups

    def turned_back(self, rotated: NDArray[np.float64]) -> NDArray[np.float64]:
        """R⁻¹ = Rᵀ (ERRATA 2): W·H·rotated/√D, the padding dropped."""
        signs = rotation_signs(self.seed, self.groups)
        return np.asarray((signs * walsh_hadamard(rotated) / math.sqrt(self.groups))[: self.dimension])

    def decide(self, tallies: tuple[Tally, ...]) -> Question | VectorEstimate:
        """One round: ask, then decode. Otherwise vote, refine in the winning bins, decode."""
        method, reason = self.chosen
        if method == "one-round":
            asked = self.one_round.question()
            if not tallies:
                return asked
            check_answered(tallies[0], asked)
            return vector_answer.one_round(self, asked, tallies[0], reason)
        folds = self.folds(method)
        if folds.localising and not tallies:
            return folds.vote()
        votes = tallies[0] if folds.localising else None
        if votes is not None:
            check_answered(votes, folds.vote())
        asked = folds.refine(votes)
        if len(tallies) == (1 if folds.localising else 0):
            return asked
        check_answered(tallies[-1], asked)
        return vector_answer.localised(self, folds, asked, tallies, method, reason)
