"""The mean of one number per observation, averaged over users."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from sottovoce.messages import Average, Estimate, InvalidInput, Privacy, Question, StandardError, Tally
from sottovoce.messages.limits import MAX_ITEMS, check_epsilon, check_range
from sottovoce.protocols import localise, one_round
from sottovoce.protocols.base import (
    check_answered,
    check_confidence,
    check_observations,
    check_users,
    split,
    two_sided,
    within,
)

Method = Literal["auto", "one-round", "paper", "theory"]
LOCALISING_PAYS_BELOW = math.sqrt(8 / 144)
"""Δ below which a localised Laplace report beats one on the full range (ERRATA 6)."""


@dataclass(frozen=True, kw_only=True)
class Mean:
    """The mean on [low, high] from `users` users with about `observations` observations each.

    `method`: ``"one-round"`` asks everybody once on the full range; ``"paper"`` is PrivateUniMean (L439) with the
    constants of the paper's experiments (L1077, T for T*); ``"theory"`` is GeneralPrivateUniMean (L1740) with the
    constants of its proofs, `proof_constant` being K. ``"auto"`` takes one-round or paper, whichever has the lower
    predicted error, and says why in the estimate.

    Readings taken (ERRATA): folds use their own size (1); three-bin votes cost ω_{α/6} (P2); logarithms are at
    least 1 (P6); with one bin, or one user, nothing is voted on and everybody refines on the full range (6). The
    widened interval sticks out of the range as printed for ``"paper"`` and is clipped to it for ``"theory"`` (7).
    `delta` overrides Δ, in half-ranges; `three_bin_votes` the choice between the two kinds of vote.

    Privacy
    -------
    Every user answers one question; the report is `epsilon`-LDP (α in the paper) for the whole collection, its
    length included.

    Accuracy
    --------
    One round: an interval that assumes nothing about the users (exact for the one-bit table, that is for ε below
    about 1; a normal approximation for larger tables), error of order (high − low)/(ε√n) whatever T is. Paper, theory:
    error of order (high − low)/(ε√(nT)) when users are alike and the votes find the right bin (L1740, Theorem L370).
    """

    epsilon: float
    low: float
    high: float
    users: int
    observations: int
    method: Method = "auto"
    confidence: float = 0.95
    survey: str = "rehearsal"
    proof_constant: float = localise.PROOF_CONSTANT
    delta: float | None = None
    three_bin_votes: bool | None = None

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon)
        check_range(self.low, self.high)
        check_users(self.users)
        check_observations(self.observations)
        check_confidence(self.confidence)
        if self.method not in get_args(Method):
            raise InvalidInput(f"method must be one of {', '.join(get_args(Method))}; got {self.method!r}")
        if self.delta is not None and not 0 < self.delta < math.inf:
            raise InvalidInput(f"delta must be positive and finite; got {self.delta!r}")
        if not self.proof_constant > 0:
            raise InvalidInput(f"proof_constant must be positive; got {self.proof_constant!r}")

    @cached_property
    def chosen(self) -> tuple[Literal["one-round", "paper", "theory"], str]:
        """The method that runs, and why."""
        if self.method != "auto":
            return self.method, "asked for"
        single = self.predicted_mse("one-round") ** 0.5
        layout = self.layout_for("paper")
        if layout.delta >= LOCALISING_PAYS_BELOW or self.users < 2:
            return "one-round", (
                f"localising does not pay here: Δ = {layout.delta:.3g} is not below {LOCALISING_PAYS_BELOW:.3f}; "
                f"predicted error {single:.3g}"
            )
        double = self.predicted_mse("paper") ** 0.5
        if single <= double:
            return "one-round", f"predicted error {single:.3g} in one round, {double:.3g} when localising first"
        return "paper", f"predicted error {double:.3g} when localising first, {single:.3g} in one round"

    def layout_for(self, method: str) -> localise.Layout:
        """The bins of the vote."""
        three = self.three_bin_votes
        if method == "theory":
            three = self.epsilon > 1 if three is None else three
            default = localise.proof_delta(self.users, self.kept, self.epsilon)
        else:
            default = localise.experiment_delta(self.users, self.observations, self.epsilon)
        return localise.Layout(
            low=self.low,
            high=self.high,
            delta=max(default if self.delta is None else self.delta, 1 / MAX_ITEMS),
            reach=1 if three else 0,
            clip=method == "theory",
        )

    @property
    def kept(self) -> int:
        """T*: how many observations of each user ``"theory"`` looks at."""
        return localise.truncated(self.users, self.observations, self.epsilon, self.proof_constant)

    def predicted_mse(self, method: str) -> float:
        """What this method's mean squared error would be for users alike, with the largest spread T allows."""
        if method == "one-round":
            return one_round.predicted_mse(
                users=self.users, observations=self.observations, low=self.low, high=self.high, epsilon=self.epsilon
            )
        layout, kept = self.layout_for(method), self.kept if method == "theory" else self.observations
        voters = self.users // 2 if layout.bins > 1 else 0
        width = min(2 * (1 + layout.margin) * layout.delta, 2.0 if voters == 0 or layout.clip else math.inf)
        refined = (1 / kept + 2 * (width / self.epsilon) ** 2) / (self.users - voters)
        missed = 1 - localise.success_chance(layout, voters=voters, observations=kept, epsilon=self.epsilon)
        return layout.half**2 * (refined + missed * 2 / 3)

    def decide(self, tallies: tuple[Tally, ...]) -> Question | Estimate:
        """One round: ask, then decode. Otherwise vote, refine in the winning bin, decode."""
        method, reason = self.chosen
        if method == "one-round":
            return self._one_round(tallies, reason)
        layout = self.layout_for(method)
        statistic = Average(first=self.kept if method == "theory" and self.kept < self.observations else None)
        halves = split(self.users, 2)
        localising = layout.bins > 1 and halves[0] is not None
        if localising and not tallies:
            return self._vote(layout, statistic)
        if localising:
            check_answered(tallies[0], self._vote(layout, statistic))
        asked = self._refine(layout, statistic, tallies[:1] if localising else ())
        if len(tallies) == (1 if localising else 0):
            return asked
        return self._localised(layout, statistic, asked, tallies, method, reason)

    def _vote(self, layout: localise.Layout, statistic: Average) -> Question:
        voters = split(self.users, 2)[0]
        assert voters is not None
        return localise.vote(
            layout, survey=self.survey, round=0, slots=voters, statistic=statistic, epsilon=self.epsilon
        )

    def _refine(self, layout: localise.Layout, statistic: Average, votes: tuple[Tally, ...]) -> Question:
        if votes:
            low, high = layout.widened(localise.winners(votes[0]))
            slots = split(self.users, 2)[1]
        else:
            low, high = np.array([self.low]), np.array([self.high])
            slots = split(self.users, 1)[0]
        assert slots is not None
        return localise.refine(
            low, high, survey=self.survey, round=len(votes), slots=slots, statistic=statistic, epsilon=self.epsilon
        )

    def _one_round(self, tallies: tuple[Tally, ...], reason: str) -> Question | Estimate:
        asked = one_round.question(
            survey=self.survey, users=self.users, low=self.low, high=self.high, epsilon=self.epsilon
        )
        if not tallies:
            return asked
        check_answered(tallies[0], asked)
        value, interval, kind, error = one_round.decode(asked, tallies[0], self.confidence)
        return self._estimate(value, interval, kind, error, tallies, "one-round", reason)

    def _localised(
        self,
        layout: localise.Layout,
        statistic: Average,
        asked: Question,
        tallies: tuple[Tally, ...],
        method: str,
        reason: str,
    ) -> Estimate:
        check_answered(tallies[-1], asked)
        means = localise.refined(asked, tallies[-1])
        warnings = []
        misplaced = 0.0
        if len(tallies) > 1:
            voted = self.decide(())
            assert isinstance(voted, Question)
            misplaced = math.sqrt(localise.misplaced(layout, voted, tallies[0])[0])
            strength = self.users * min(self.epsilon, self.epsilon**2)
            if strength < 100 or misplaced > 0.02 * (self.high - self.low):
                warnings.append(
                    "the votes may have chosen the wrong place: more users or a larger epsilon would settle it, "
                    'method="one-round" does without'
                )
        error = StandardError(
            sampling=float(np.sqrt(means.sampling[0])), privacy=float(np.sqrt(means.privacy[0])), localisation=misplaced
        )
        value = float(means.mean[0])
        reach = two_sided(self.confidence) * error.total
        interval = within((value - reach, value + reach), self.low, self.high)
        kind = "model: users alike, so that their averages lie near one another"
        return self._estimate(value, interval, kind, error, tallies, method, reason, tuple(warnings))

    def _estimate(
        self,
        value: float,
        interval: tuple[float, float],
        kind: str,
        error: StandardError,
        tallies: tuple[Tally, ...],
        method: str,
        reason: str,
        warnings: tuple[str, ...] = (),
    ) -> Estimate:
        return Estimate(
            value=value,
            interval=interval,
            confidence=self.confidence,
            interval_kind=kind,
            standard_error=error,
            users_per_round=tuple(sum(tally.reports) for tally in tallies),
            privacy=Privacy(
                epsilon=self.epsilon, protects="its whole collection", users=self.users, rounds=len(tallies)
            ),
            method=method,
            reason=reason,
            low=self.low,
            high=self.high,
            warnings=warnings,
        )
