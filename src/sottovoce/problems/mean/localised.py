"""Vote for a place, then report there: what the paper's two variants share."""

from __future__ import annotations

import math
from dataclasses import replace

from sottovoce.answers import Assumes, Estimate, Note, NoteCode, StandardError, two_sided
from sottovoce.messages import Average, Fact, Rules
from sottovoce.methods import Elsewhere, Script, Tuned, VoteThenRefine, best_table, everybody
from sottovoce.problems.emptied import VOTES
from sottovoce.problems.mean.answer import answered
from sottovoce.problems.mean.assumed import stated
from sottovoce.problems.mean.settings import Mean
from sottovoce.problems.method import Method
from sottovoce.problems.ruling import voted
from sottovoce.risk import Averages, Crowd, Poisoning, Prediction, worst
from sottovoce.theory import LOCALISABLE, strength

KIND = Fact("model-averages-near")
CONTRADICTED = Fact("model-averages-near-contradicted")


class Localised(Method[Mean]):
    """Localise, then refine, with constants to be given."""

    not_empty = VOTES

    def unavailable(self, settings: Mean) -> Fact | None:
        return Fact("two-rounds", method=self.name) if settings.rounds == 1 else None

    def tuned(self, settings: Mean) -> Tuned:
        """Δ, T* and the budget."""
        raise NotImplementedError("each variant has its constants")

    def scheme(self, settings: Mean) -> VoteThenRefine:
        """The two questions."""
        tuned = self.tuned(settings)
        return VoteThenRefine(
            survey=settings.survey,
            slots=everybody(settings.users),
            statistic=Average(first=tuned.kept if tuned.kept < settings.observations else None),
            budget=tuned.budget,
            layout=tuned.layout,
            table=best_table(tuned.budget.each) if settings.refine == "table" else None,
        )

    def asked(self, settings: Mean) -> VoteThenRefine:
        """The same with the table that the survey carries: one group spends all of ε, so that it is of that ε."""
        scheme = self.scheme(settings)
        return scheme if settings.refine == "laplace" else replace(scheme, table=settings.position_table())

    def script(self, settings: Mean) -> Script[Estimate]:
        scheme = self.asked(settings)
        means = yield from scheme.script()
        value, votes = float(means.value[0]), means.votes
        low, high = scheme.interval(votes)
        beyond = None if votes is None else scheme.elsewhere(votes)
        found = beyond if beyond is not None and beyond.bins else None
        error = StandardError(
            sampling=math.sqrt(means.sampling[0]),
            privacy=math.sqrt(means.privacy[0]),
            localisation=math.sqrt(means.localisation[0]),
            clipping=0.0 if found is None else max(found.below, found.above),
        )
        limit = None if beyond is None else beyond.limit
        return answered(
            settings,
            self.name,
            value,
            _interval(settings, value, error, found),
            KIND if found is None else CONTRADICTED,
            error,
            means.answered,
            _notes(settings, error, found) if votes is not None else (),
            assumes=Assumes.AVERAGES_NEAR if found is None else Assumes.AVERAGES_NEAR_CONTRADICTED,
            detection_limit=limit,
            hidden_shift=None if limit is None else limit * max(settings.high - high, low - settings.low, 0.0),
            poisoning=scheme.poisoned(value, votes),
        )

    def predict(self, settings: Mean, crowd: Crowd) -> Prediction:
        scheme = self.scheme(settings)
        return worst([scheme.risk(law, clamp=True) for law in self.laws(settings, crowd)])

    def assumed(self, settings: Mean, crowd: Crowd) -> tuple[Crowd, ...]:
        """Users alike, unless the caller says how they differ."""
        return (stated(settings, crowd),)

    def laws(self, settings: Mean, crowd: Crowd) -> list[Averages]:
        """The users' averages at each place that the crowd leaves open."""
        tuned = self.tuned(settings)
        step = tuned.layout.delta * (settings.high - settings.low)
        return crowd.laws(settings.low, settings.high, observations=tuned.kept, step=step)

    def users_per_round(self, settings: Mean) -> tuple[int, ...]:
        return self.scheme(settings).users_per_round

    def worst_law(self, settings: Mean, crowd: Crowd) -> Averages:
        """The users' averages for which `predict` speaks."""
        scheme = self.scheme(settings)
        return max(self.laws(settings, crowd), key=lambda law: scheme.risk(law, clamp=True).mse)

    def rules(self, settings: Mean) -> Rules:
        return voted(self.asked(settings))

    def poisoning(self, settings: Mean, crowd: Crowd) -> Poisoning:
        return self.scheme(settings).poisoning(self.laws(settings, crowd))

    def words(self, settings: Mean) -> Fact:
        return self.scheme(settings).words()


def _interval(settings: Mean, value: float, error: StandardError, found: Elsewhere | None) -> tuple[float, float]:
    """The model's; where the votes show users beyond an end, as far out as they may pull the mean on that side."""
    quantile = two_sided(settings.confidence)
    own = math.hypot(error.sampling, error.privacy, error.localisation)
    down = up = quantile * own
    if found is not None:
        down = found.below + quantile * math.hypot(own, found.below_deviation)
        up = found.above + quantile * math.hypot(own, found.above_deviation)
    inside = min(settings.high, max(settings.low, value))  # the truth is no farther from it than from the value
    return max(settings.low, inside - down), min(settings.high, inside + up)


def _notes(settings: Mean, error: StandardError, found: Elsewhere | None) -> tuple[Note, ...]:
    notes = []
    if strength(settings.users, settings.epsilon) < LOCALISABLE or error.localisation > 0.02 * (
        settings.high - settings.low
    ):
        notes.append(Note(NoteCode.WRONG_PLACE, of="mean"))
    if found is not None:
        notes.append(Note(NoteCode.VOTES_ELSEWHERE, places=found.bins, share=found.share))
    return tuple(notes)
