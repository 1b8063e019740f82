"""A mean vector of which only a few coordinates differ from zero."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from sottovoce.messages import (
    Average,
    Encoder,
    Hashed,
    InvalidInput,
    Position,
    Question,
    Slots,
    SparseEstimate,
    Tally,
    design,
)
from sottovoce.messages.limits import MAX_ITEMS, MAX_SEED, check_epsilon, check_range
from sottovoce.protocols import localise, sparse_answers
from sottovoce.protocols.base import check_answered, check_confidence, check_observations, check_users, split
from sottovoce.protocols.group_means import Floats, GroupMeans, Kind, better_kind
from sottovoce.protocols.vector_settings import check_length

Method = Literal["auto", "paper", "theory"]
Procedure = Literal["auto", "selection", "threshold"]
Rank = Literal["votes", "first"]


@dataclass(frozen=True, kw_only=True)
class SparseMean:
    """The mean of vectors in [low, high]^dimension that has at most `sparsity` coordinates other than zero.

    ``procedure="selection"`` is PrivateSparseSelection (L600): half of the users vote, by a public random sign a
    coordinate, for the coordinates whose average is at least ε from zero; the other half refines those selected, a
    coordinate a user. Three rounds. ``"threshold"`` is PrivateSparseThreshold (L624): every coordinate is estimated,
    small ones are set to zero. ``"auto"`` thresholds when nα² > C̃·d·log(dnTα²) (L595), `switch_constant` being C̃.

    `method`: ``"paper"`` has the constants of the experiments (η = √s, L1083; Δ with C_α, L1077; T for T*, L1005),
    ``"theory"`` those of the proofs (η = √(30s); K is `proof_constant`); ``"auto"`` is the paper's selection, but
    refines in one round on the full range where localising does not pay.

    Readings taken (ERRATA): selected coordinates are the `sparsity` with the most votes; ``rank="first"`` takes the
    first by index among those with at least ½ a vote, as printed, for reproduction only: it favours a support that
    comes first (10). `cut` keeps the ½ cut, by default only where it is printed: with η = √s the mean true vote is
    0.75, and 0.375 when s is assumed four times too small, so that the cut would select nothing (11). When nothing is
    selected the answer is zero and no further round is asked (10). ε = C·√(log(dnTα²)/T) half-ranges: the
    experiments do not say C. As printed, C = √2, and with ``rank="first"`` it agrees with our reference measurements;
    C = 1 selects more at small T, and is what ranking by votes takes (our choice); `threshold_constant` sets it. Above
    α = 1 the paper's method refines one coordinate a user at the whole budget. Thresholding: θ̃ throughout, the s
    largest, C' = 4 (`shrink_constant`; the proof's 56α sets everything to zero), C̃ = 50, log(nTα²) (9, 12). Votes use
    all T observations, not T*, which only sharpens them. `delta` overrides Δ, in half-ranges; `seed` makes the public
    signs.

    Privacy
    -------
    Every user answers one question; the report is `epsilon`-LDP (α in the paper) for the whole collection, all
    coordinates included.

    Accuracy
    --------
    Squared Euclidean error of order s·log(dnTα²)/T by selection, s·d·log²/(nTα²) by thresholding (Theorem L551) for
    users alike. The item-level error with as many observations, sd/(nTα²), does not fall when d grows with nT.
    """

    epsilon: float
    users: int
    observations: int
    dimension: int
    sparsity: int
    low: float = -1.0
    high: float = 1.0
    method: Method = "auto"
    procedure: Procedure = "auto"
    rank: Rank = "votes"
    cut: bool | None = None
    eta_constant: float | None = None
    threshold_constant: float | None = None
    shrink_constant: float = 4.0
    switch_constant: float = 50.0
    confidence: float = 0.95
    survey: str = "rehearsal"
    seed: int = 0
    proof_constant: float = localise.PROOF_CONSTANT
    delta: float | None = None
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon)
        check_range(self.low, self.high)
        check_users(self.users)
        check_observations(self.observations)
        check_confidence(self.confidence)
        _check_size("dimension", self.dimension, MAX_ITEMS)
        _check_size("sparsity", self.sparsity, self.dimension)
        for name, allowed in (("method", Method), ("procedure", Procedure), ("rank", Rank)):
            if getattr(self, name) not in get_args(allowed):
                raise InvalidInput(f"{name} must be one of {', '.join(get_args(allowed))}; got {getattr(self, name)!r}")
        if not self.low <= 0 <= self.high:
            raise InvalidInput("a sparse mean is zero in most coordinates, so zero must lie between low and high")
        for name in ("eta_constant", "threshold_constant", "delta"):
            value = getattr(self, name)
            if value is not None and not 0 < value < math.inf:
                raise InvalidInput(f"{name} must be positive and finite; got {value!r}")
        for name in ("shrink_constant", "switch_constant", "proof_constant"):
            if not getattr(self, name) > 0:
                raise InvalidInput(f"{name} must be positive; got {getattr(self, name)!r}")
        if type(self.seed) is not int or not 0 <= self.seed <= MAX_SEED:
            raise InvalidInput(f"seed must be a whole number from 0 to 2^53; got {self.seed!r}")
        if self.names:
            check_length("names", self.names, self.dimension)
        folds = 4 * self.sparsity if self.chosen[0] == "selection" else 2 * self.dimension
        if self.users < folds:
            raise InvalidInput(
                f"fewer users than folds: {self.chosen[0]} needs at least {folds} users (got {self.users}); "
                f"a smaller sparsity, or more users, would help"
            )

    @cached_property
    def chosen(self) -> tuple[Literal["selection", "threshold"], str]:
        """The procedure that runs, and why."""
        if self.procedure != "auto":
            return self.procedure, "asked for"
        strength = self.users * self.epsilon**2
        limit = self.switch_constant * self.dimension * self._log(self.dimension)
        if self.users < 2 * self.dimension:
            return "selection", f"{self.users} users cannot fill two folds for each of {self.dimension} coordinates"
        if strength <= limit:
            return "selection", f"nα² = {strength:.3g} is at most C̃·d·log(dnTα²) = {limit:.3g}"
        return "threshold", f"nα² = {strength:.3g} is above C̃·d·log(dnTα²) = {limit:.3g}"

    def _log(self, factor: float) -> float:
        return localise.log_size(factor * self.users * self._kept * self.epsilon**2)

    @property
    def _kept(self) -> int:
        """T* of the selection (L603); all observations in practice."""
        if self.method != "theory":
            return self.observations
        fold = self.users / self.sparsity
        return localise.truncated(fold, self.observations, self.epsilon, self.proof_constant)

    @property
    def half(self) -> float:
        return (self.high - self.low) / 2

    @property
    def eta(self) -> float:
        """The clamp of the signed sum of votes (L603)."""
        constant = (30.0 if self.method == "theory" else 1.0) if self.eta_constant is None else self.eta_constant
        return math.sqrt(constant * self.sparsity)

    @property
    def threshold(self) -> float:
        """How far from zero an average must be to get a vote, in the units of the data (ε at L603)."""
        printed = self.rank == "first" or self.method == "theory"
        constant = (math.sqrt(2) if printed else 1.0) if self.threshold_constant is None else self.threshold_constant
        return constant * math.sqrt(self._log(self.dimension) / self._kept) * self.half

    @property
    def cuts(self) -> bool:
        return self.rank == "first" or self.method == "theory" if self.cut is None else self.cut

    def decide(self, tallies: tuple[Tally, ...]) -> Question | SparseEstimate:
        """Vote for coordinates, refine those selected, decode; or estimate all and threshold."""
        procedure, reason = self.chosen
        if procedure == "threshold":
            return self._threshold(tallies, reason)
        asked = self._vote()
        if not tallies:
            return asked
        check_answered(tallies[0], asked)
        scores, noise = sparse_answers.scores(self, asked, tallies[0])
        support = self._select(scores)
        if not support:
            return sparse_answers.selected(self, tallies, support, scores, noise, None, reason)
        folds, statistic = self.refinement(support)
        step = folds.decide(statistic, tallies[1:])
        if isinstance(step, Question):
            return step
        return sparse_answers.selected(self, tallies, support, scores, noise, step, f"{reason}; {self._refining[1]}")

    def _vote(self) -> Question:
        voters = split(self.users, 2)[0]
        assert voters is not None
        return Question(
            survey=self.survey,
            round=0,
            role="vote",
            slots=voters,
            encoder=Encoder(
                statistic=Hashed(seed=self.seed, columns=self.dimension, threshold=self.threshold),
                placement=Position(low=(-self.eta,), high=(self.eta,)),
            ),
            channel=design.laplace(self.epsilon),
            epsilon=self.epsilon,
        )

    def _select(self, scores: Floats) -> tuple[int, ...]:
        candidates = np.flatnonzero(scores >= 0.5) if self.cuts else np.arange(self.dimension)
        if self.rank == "votes":
            candidates = candidates[np.argsort(-scores[candidates], kind="stable")]
        return tuple(int(index) for index in candidates[: self.sparsity])

    @cached_property
    def _refining(self) -> tuple[Kind, str]:
        if self.method != "auto":
            return self.method, "refined as asked for"
        users = self.users - self.users // 2
        fold = better_kind(
            users=users,
            groups=self.sparsity,
            low=self.low,
            high=self.high,
            observations=self.observations,
            epsilon=self.epsilon,
        )
        kind, why = fold.chosen
        return kind, f"refined: {why}"

    def refinement(self, support: tuple[int, ...]) -> tuple[GroupMeans, Average]:
        """How the selected coordinates are estimated: folds, and what is asked."""
        refiners = split(self.users, 2)[1]
        assert refiners is not None
        folds = self._folds(refiners, 1, len(support), self._refining[0], self.delta)
        return folds, _average(support, folds)

    def _folds(self, slots: Slots, number: int, groups: int, kind: Kind, delta: float | None) -> GroupMeans:
        return GroupMeans(
            survey=self.survey,
            slots=slots,
            round=number,
            groups=groups,
            low=self.low,
            high=self.high,
            observations=self.observations,
            epsilon=self.epsilon,
            kind=kind,
            proof_constant=self.proof_constant,
            delta=delta,
        )

    @cached_property
    def thresholding(self) -> tuple[GroupMeans, float]:
        """Folds over all coordinates, and the size below which an estimate is set to zero."""
        everybody = split(self.users, 1)[0]
        assert everybody is not None
        kind: Kind = "theory" if self.method == "theory" else "paper"
        folds = self._folds(everybody, 0, self.dimension, kind, self.delta)
        if self.delta is None:  # Δ counts all users here (L628), and has √4 for √2 (ERRATA 14)
            each, size = folds.share.each, self.users * folds.kept * self.epsilon**2
            wide = (
                2 * math.sqrt(localise.log_size(size) / folds.kept)
                if kind == "theory"
                else localise.experiment_delta(self.users, self.observations, each)
            )
            folds = self._folds(everybody, 0, self.dimension, kind, wide)
        size = localise.log_size(self.users * folds.kept * self.epsilon**2)
        spent = self.users * folds.share.uses * folds.share.each**2  # nα² up to α = 1, and what is spent above
        shrink = self.shrink_constant * folds.layout.delta * self.half
        return folds, 3 * shrink * math.sqrt(self.dimension * size / spent)

    def _threshold(self, tallies: tuple[Tally, ...], reason: str) -> Question | SparseEstimate:
        folds, smallest = self.thresholding
        step = folds.decide(_average(tuple(range(self.dimension)), folds), tallies)
        if isinstance(step, Question):
            return step
        return sparse_answers.thresholded(self, tallies, step, smallest, reason)


def _average(columns: tuple[int, ...], folds: GroupMeans) -> Average:
    return Average(columns=columns, first=folds.kept if folds.kept < folds.observations else None)


def _check_size(name: str, value: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise InvalidInput(f"{name} must be a whole number from 1 to {most}; got {value!r}")
