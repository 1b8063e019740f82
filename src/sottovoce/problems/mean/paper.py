"""Vote for a place, then report there: the paper's algorithm, with the constants of its experiments or its proofs."""

from __future__ import annotations

import math
from typing import Any

from sottovoce.answers import Assumes, Estimate, Note, NoteCode, StandardError, two_sided
from sottovoce.messages import Average, Fact, Interval, Rules
from sottovoce.methods import (
    Script,
    UsersOutside,
    VotePlan,
    VoteThenRefine,
    all_slots,
    best_table,
    plan_of_experiments,
    plan_of_proofs,
)
from sottovoce.problems.alternatives import stated_crowd
from sottovoce.problems.empty_users import EMPTY_USERS_VOTE
from sottovoce.problems.mean.one_round import MeanMethod
from sottovoce.problems.mean.settings import Mean
from sottovoce.problems.rule_builders import rules_of_votes
from sottovoce.risk import Averages, Crowd, Poisoning, Prediction, worst
from sottovoce.theory import LOCALISABLE, strength

DOUBTFUL_PLACE = 0.02
"""The localisation error, as a part of the range, from which it is said that the place may be wrong. By hand: lower,
it would be said of nearly every survey of a few hundred users."""


class VotesForPlace(MeanMethod):
    """Localise, then refine, with constants to be given."""

    why_not_empty = EMPTY_USERS_VOTE

    def why_unavailable(self, settings: Mean) -> Fact | None:
        return Fact("two-rounds", method=self.name) if settings.rounds == 1 else None

    def vote_plan(self, settings: Mean) -> VotePlan:
        """Δ, T* and the budget."""
        raise NotImplementedError("each variant has its constants")

    def scheme(self, settings: Mean, *, as_asked: bool = False) -> VoteThenRefine:
        """The two questions; `as_asked`, with the table that the survey carries: one group spends all of ε."""
        vote_plan, table = self.vote_plan(settings), None
        if settings.refine == "table":
            table = settings.position_table() if as_asked else best_table(vote_plan.budget.each)
        return VoteThenRefine(
            survey=settings.survey,
            slots=all_slots(settings.users),
            statistic=Average(first=vote_plan.first_of(settings.observations)),
            budget=vote_plan.budget,
            layout=vote_plan.layout,
            table=table,
        )

    def script(self, settings: Mean) -> Script[Estimate]:
        scheme = self.scheme(settings, as_asked=True)
        means = yield from scheme.script()
        value, votes = float(means.value[0]), means.votes
        low, high = scheme.interval(votes)
        votes_elsewhere = None if votes is None else scheme.elsewhere(votes)
        far = votes_elsewhere if votes_elsewhere is not None and votes_elsewhere.bins else None
        error = StandardError(
            sampling=math.sqrt(means.sampling[0]),
            privacy=math.sqrt(means.privacy[0]),
            localisation=math.sqrt(means.localisation[0]),
            clipping=0.0 if far is None else max(far.below, far.above),
        )
        hidden: dict[str, Any] = {}
        if votes_elsewhere is not None:
            share = votes_elsewhere.limit
            shift = share * max(settings.high - high, low - settings.low, 0.0)
            hidden = {"detection_limit": share, "hidden_shift": shift}
        return self.answer(
            settings,
            value,
            _interval(settings, value, error, far),
            users=means.answered,
            poisoning=scheme.poisoned(value, votes),
            notes=() if votes is None else _notes(settings, error, far),
            interval_kind=Fact("model-averages-near" if far is None else "model-averages-near-contradicted"),
            standard_error=error,
            assumes=Assumes.AVERAGES_NEAR if far is None else Assumes.AVERAGES_NEAR_CONTRADICTED,
            **hidden,
        )

    def predict(self, settings: Mean, crowd: Crowd) -> Prediction:
        scheme = self.scheme(settings)
        return worst([scheme.risk(law, clamp=True) for law in self.laws(settings, crowd)])

    def assumed_users(self, settings: Mean, crowd: Crowd) -> tuple[Crowd, ...]:
        """Users alike, unless the caller says how they differ."""
        return (stated_crowd(settings, crowd),)

    def laws(self, settings: Mean, crowd: Crowd) -> list[Averages]:
        """The users' averages at each place that the crowd leaves open."""
        vote_plan = self.vote_plan(settings)
        return settings.laws(
            crowd, observations_used=vote_plan.observations_used, step=vote_plan.layout.delta * settings.width
        )

    def users_per_round(self, settings: Mean) -> tuple[int, ...]:
        return self.scheme(settings).users_per_round

    def worst_law(self, settings: Mean, crowd: Crowd) -> Averages:
        scheme = self.scheme(settings)
        return max(self.laws(settings, crowd), key=lambda law: scheme.risk(law, clamp=True).mse)

    def rules(self, settings: Mean) -> Rules:
        return rules_of_votes(self.scheme(settings, as_asked=True))

    def poisoning(self, settings: Mean, crowd: Crowd) -> Poisoning:
        return self.scheme(settings).poisoning(self.laws(settings, crowd))

    def words(self, settings: Mean) -> Fact:
        return self.scheme(settings).words()


class Paper(VotesForPlace):
    """PrivateUniMean (L439) as in the experiments: T for T*, C_α for √2 (L1077)."""

    name = "paper"
    help = "votes for a place first, with the constants of the paper's experiments"

    def vote_plan(self, settings: Mean) -> VotePlan:
        return plan_of_experiments(**_declared(settings), three_bins=bool(settings.three_bin_votes))


class Theory(VotesForPlace):
    """GeneralPrivateUniMean (L1740) as in the proofs: T*, three-bin votes above ε = 1, K a parameter."""

    name = "theory"
    help = "votes for a place first, with the constants of the paper's proofs"

    def vote_plan(self, settings: Mean) -> VotePlan:
        return plan_of_proofs(
            **_declared(settings), three_bins=settings.three_bin_votes, constant=settings.proof_constant
        )


def _declared(settings: Mean) -> dict[str, Any]:
    """The settings that the constants of both variants follow from."""
    return {name: getattr(settings, name) for name in ("users", "observations", "epsilon", "low", "high", "delta")}


def _interval(settings: Mean, value: float, error: StandardError, far: UsersOutside | None) -> Interval:
    """The model's; where the votes show users beyond an end, as far out as they may pull the mean on that side."""
    quantile = two_sided(settings.confidence)
    noise = math.hypot(error.sampling, error.privacy, error.localisation)
    down = up = quantile * noise
    if far is not None:
        down = far.below + quantile * math.hypot(noise, far.below_deviation)
        up = far.above + quantile * math.hypot(noise, far.above_deviation)
    inside = min(settings.high, max(settings.low, value))  # the truth is no farther from it than from the value
    return max(settings.low, inside - down), min(settings.high, inside + up)


def _notes(settings: Mean, error: StandardError, far: UsersOutside | None) -> tuple[Note, ...]:
    notes = []
    weak = strength(settings.users, settings.epsilon) < LOCALISABLE
    if weak or error.localisation > DOUBTFUL_PLACE * settings.width:
        notes.append(Note(NoteCode.WRONG_PLACE, of="mean"))
    if far is not None:
        notes.append(Note(NoteCode.VOTES_ELSEWHERE, places=far.bins, share=far.share))
    return tuple(notes)
