"""Votes for a place in every coordinate, then numbers from there: what ``"paper"`` and ``"theory"`` share."""

from __future__ import annotations

import numpy as np

from sottovoce.answers import Note, NoteCode, VectorEstimate
from sottovoce.messages import Fact, Rules
from sottovoce.methods import Budget, Means, Script, Tuned, VoteThenRefine, everybody
from sottovoce.problems.emptied import VOTES
from sottovoce.problems.ruling import voted
from sottovoce.problems.vector.answer import normal, turned
from sottovoce.problems.vector.coordinates import ByCoordinate
from sottovoce.problems.vector.settings import VectorMean
from sottovoce.theory import LOCALISABLE, strength

KIND = Fact("model-averages-near")


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
            return turned(settings, self.name, means.value, variances, KIND, users, spent, notes)
        parts = means.sampling, means.privacy, means.localisation
        return normal(settings, self.name, means.value, parts, KIND, users, spent, notes)

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
