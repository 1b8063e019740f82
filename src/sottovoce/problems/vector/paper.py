"""PrivateMultiDimMean (L454) and PrivateMultiDimMean2 (L501) with the constants of the paper's experiments."""

from __future__ import annotations

import math

import numpy as np

from sottovoce.answers import Note, NoteCode, VectorEstimate
from sottovoce.messages import Fact, Rules
from sottovoce.methods import Budget, Means, Script, Tuned, VoteThenRefine, by_experiments, by_proofs, everybody
from sottovoce.problems.emptied import VOTES
from sottovoce.problems.ruling import voted
from sottovoce.problems.vector.answer import normal, turned
from sottovoce.problems.vector.one_round import ByCoordinate
from sottovoce.problems.vector.settings import VectorMean
from sottovoce.theory import LOCALISABLE, experiment_constant, log1, strength

# Votes for a place in every coordinate, then numbers from there: what ``"paper"`` and ``"theory"`` share.

NEAR_AVERAGES = Fact("model-averages-near")


class Localised(ByCoordinate):
    """Localise, then refine, with constants to be given."""

    not_empty = VOTES

    def tuned(self, settings: VectorMean) -> Tuned:
        """Δ, T* and the budget; bins are laid out on [−1, 1], to be stretched over the range of each coordinate."""
        raise NotImplementedError("each variant has its constants")

    def unavailable(self, settings: VectorMean) -> Fact | None:
        """Every coordinate needs a user in every round."""
        tuned = self.tuned(settings)
        rounds, needed = 2 if tuned.layout.bins > 1 else 1, tuned.budget.groups - tuned.budget.uses + 1
        if settings.users // rounds >= needed:
            return None
        groups = tuned.budget.groups
        return Fact("too-few-for-folds", users=settings.users, rounds=rounds, folds=groups, needed=rounds * needed)

    def kept(self, settings: VectorMean) -> int:
        return self.tuned(settings).kept

    def scheme(self, settings: VectorMean) -> VoteThenRefine:
        tuned = self.tuned(settings)
        return VoteThenRefine(
            survey=settings.survey,
            slots=everybody(settings.users),
            statistic=self.statistic(settings),
            budget=tuned.budget,
            layout=tuned.layout,
            ranges=self.ranges(settings),
        )

    def on(self, settings: VectorMean, low: float, high: float) -> VoteThenRefine:
        return self.scheme(settings).on(low, high)

    def script(self, settings: VectorMean) -> Script[VectorEstimate]:
        scheme = self.scheme(settings)
        means = yield from scheme.script()
        users, spent = means.answered, scheme.budget.spent
        doubtful = self._doubtful(settings, scheme.budget, means)
        notes = (Note(NoteCode.WRONG_PLACE, of="coordinates"),) if doubtful else ()
        if settings.ball == "l2":
            # Answers of one user for several groups go together, and the rotation may undo itself: uses × at most.
            sampling = means.uses * float(means.sampling.mean())
            variances = sampling, float(means.privacy.mean()), float(means.localisation.mean())
            return turned(settings, self.name, means.value, variances, NEAR_AVERAGES, users, spent, notes)
        parts = means.sampling, means.privacy, means.localisation
        return normal(settings, self.name, means.value, parts, NEAR_AVERAGES, users, spent, notes)

    def _doubtful(self, settings: VectorMean, budget: Budget, means: Means) -> bool:
        """Whether votes were cast that may well have gone wrong."""
        low, high = map(np.array, self.ranges(settings))
        total = strength(settings.users * budget.uses / budget.groups, budget.each)
        far = np.any(np.sqrt(means.localisation) > 0.04 * ((high - low) / 2))
        return len(means.answered) > 1 and (total < LOCALISABLE or bool(far))

    def rules(self, settings: VectorMean) -> Rules:
        return voted(self.scheme(settings))

    def words(self, settings: VectorMean) -> Fact:
        return self.scheme(settings).words()


# GeneralPrivateMultiDimMean (L1763) and its rotated form (L1793) with the constants of their proofs.


class Theory(Localised):
    """As in the proofs: T*, several coordinates a user above ε = 1, three-bin votes above ε = d, K a parameter."""

    name = "theory"
    help = "votes for a place in every coordinate first, with the constants of the paper's proofs"

    def tuned(self, settings: VectorMean) -> Tuned:
        tuned = self._by_proofs(settings, settings.delta)
        if settings.delta is not None or settings.ball == "linf":
            return tuned
        budget = min(1.0, settings.epsilon)  # also in the general case log²/(dT) (ERRATA 3)
        size = log1(settings.users * tuned.kept * (budget * budget))
        return self._by_proofs(
            settings, math.sqrt(settings.ball_constant) * size / math.sqrt(settings.groups * tuned.kept)
        )

    def _by_proofs(self, settings: VectorMean, delta: float | None) -> Tuned:
        return by_proofs(
            users=settings.users,
            observations=settings.observations,
            epsilon=settings.epsilon,
            low=-1.0,
            high=1.0,
            groups=settings.groups,
            delta=delta,
            constant=settings.proof_constant,
        )


class Paper(Localised):
    """As in the experiments: one coordinate a user at the whole budget, T for T*, C_α for √2 (L890, L1077)."""

    name = "paper"
    help = "votes for a place in every coordinate first, with the constants of the paper's experiments"

    def tuned(self, settings: VectorMean) -> Tuned:
        return by_experiments(
            users=settings.users,
            observations=settings.observations,
            epsilon=settings.epsilon,
            low=-1.0,
            high=1.0,
            groups=settings.groups,
            delta=self._delta(settings),
        )

    def _delta(self, settings: VectorMean) -> float | None:
        """A rotated coordinate is 1/√D of the vector's length: C_α·log(nTα²)/√(dT)."""
        if settings.delta is not None or settings.ball == "linf":
            return settings.delta
        epsilon, kept = settings.epsilon, settings.observations
        size = log1(settings.users * kept * (epsilon * epsilon))
        return experiment_constant(epsilon) * size / math.sqrt(settings.groups * kept)
