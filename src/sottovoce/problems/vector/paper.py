"""PrivateMultiDimMean (L454), PrivateMultiDimMean2 (L501) and their general forms (L1763, L1793).

Votes for a place in every coordinate, then numbers from there, with the constants of the paper's experiments or those
of its proofs.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from sottovoce.answers import Note, NoteCode, VectorEstimate
from sottovoce.messages import Fact, Rules
from sottovoce.methods import Script, VotePlan, VoteThenRefine, all_slots, plan_of_experiments, plan_of_proofs
from sottovoce.problems.empty_users import EMPTY_USERS_VOTE
from sottovoce.problems.rule_builders import rules_of_votes
from sottovoce.problems.vector.answer_parts import normal_answer, rotated_back
from sottovoce.problems.vector.one_round import ByCoordinate
from sottovoce.problems.vector.settings import VectorMean
from sottovoce.theory import LOCALISABLE, experiment_constant, log1, strength

_FAR = 0.04
"""A place that may be off by more than this part of half the range is worth a note: fewer notes against more surprises;
chosen by hand."""


class PlaceVotes(ByCoordinate):
    """Localise, then refine, with constants to be given."""

    why_not_empty = EMPTY_USERS_VOTE

    def vote_plan(self, settings: VectorMean) -> VotePlan:
        """Δ, T* and the budget; bins are laid out on [−1, 1], to be stretched over the range of each coordinate."""
        raise NotImplementedError("each variant has its constants")

    def why_unavailable(self, settings: VectorMean) -> Fact | None:
        """Every coordinate needs a user in every round."""
        vote_plan = self.vote_plan(settings)
        rounds, groups = 2 if vote_plan.layout.bins > 1 else 1, vote_plan.budget.groups
        needed = groups - vote_plan.budget.uses + 1
        if settings.users // rounds >= needed:
            return None
        return Fact("too-few-for-folds", users=settings.users, rounds=rounds, folds=groups, needed=rounds * needed)

    def observations_used(self, settings: VectorMean) -> int:
        return self.vote_plan(settings).observations_used

    def scheme(self, settings: VectorMean) -> VoteThenRefine:
        vote_plan = self.vote_plan(settings)
        return VoteThenRefine(
            survey=settings.survey,
            slots=all_slots(settings.users),
            statistic=self.statistic(settings),
            budget=vote_plan.budget,
            layout=vote_plan.layout,
            ranges=self.ranges(settings),
        )

    def on_range(self, settings: VectorMean, low: float, high: float) -> VoteThenRefine:
        return self.scheme(settings).on_range(low, high)

    def survey_facts(self, settings: VectorMean, users: tuple[int, ...], *details: Fact) -> dict[str, Any]:
        """Several coordinates a user may not use up the budget."""
        facts = super().survey_facts(settings, users, *details)
        return facts | {"privacy": replace(facts["privacy"], epsilon=self.vote_plan(settings).budget.spent)}

    def script(self, settings: VectorMean) -> Script[VectorEstimate]:
        scheme = self.scheme(settings)
        means = yield from scheme.script()
        budget, (low, high) = scheme.budget, map(np.array, self.ranges(settings))
        weak = strength(settings.users * budget.uses / budget.groups, budget.each) < LOCALISABLE
        far = np.any(np.sqrt(means.localisation) > _FAR * ((high - low) / 2))
        doubtful = len(means.answered) > 1 and (weak or bool(far))  # votes were cast that may well have gone wrong
        variances: list[Any] = [means.sampling, means.privacy, means.localisation]
        value = means.value
        if settings.ball == "l2":
            # Answers of one user for several groups go together, and the rotation may undo itself: uses × at most.
            value, variances = rotated_back(settings, value), [float(part.mean()) for part in variances]
            variances[0] *= means.uses
        notes = (Note(NoteCode.WRONG_PLACE, of="coordinates"),) if doubtful else ()
        kind = Fact("model-averages-near")
        return normal_answer(self, settings, means.answered, value, variances, interval_kind=kind, notes=notes)

    def rules(self, settings: VectorMean) -> Rules:
        return rules_of_votes(self.scheme(settings))

    def words(self, settings: VectorMean) -> Fact:
        return self.scheme(settings).words()


def _tuned(rule: Callable[..., VotePlan], settings: VectorMean, delta: float | None, **constants: float) -> VotePlan:
    return rule(
        users=settings.users,
        observations=settings.observations,
        epsilon=settings.epsilon,
        low=-1.0,
        high=1.0,
        groups=settings.groups,
        delta=delta,
        **constants,
    )


class Paper(PlaceVotes):
    """As in the experiments: one coordinate a user at the whole budget, T for T*, C_α for √2 (L890, L1077)."""

    name = "paper"
    help = "votes for a place in every coordinate first, with the constants of the paper's experiments"

    def vote_plan(self, settings: VectorMean) -> VotePlan:
        delta = settings.delta
        if delta is None and settings.ball == "l2":  # a rotated coordinate is 1/√D of the vector's length
            epsilon, kept = settings.epsilon, settings.observations
            size = log1(settings.users * kept * (epsilon * epsilon))
            delta = experiment_constant(epsilon) * size / math.sqrt(settings.groups * kept)
        return _tuned(plan_of_experiments, settings, delta)


class Theory(PlaceVotes):
    """As in the proofs: T*, several coordinates a user above ε = 1, three-bin votes above ε = d, K a parameter."""

    name = "theory"
    help = "votes for a place in every coordinate first, with the constants of the paper's proofs"

    def vote_plan(self, settings: VectorMean) -> VotePlan:
        vote_plan = _tuned(plan_of_proofs, settings, settings.delta, constant=settings.proof_constant)
        if settings.delta is not None or settings.ball == "linf":
            return vote_plan
        budget = min(1.0, settings.epsilon)  # also in the general case log²/(dT) (ERRATA 3)
        size = log1(settings.users * vote_plan.observations_used * (budget * budget))
        delta = math.sqrt(settings.ball_constant) * size / math.sqrt(settings.groups * vote_plan.observations_used)
        return _tuned(plan_of_proofs, settings, delta, constant=settings.proof_constant)
