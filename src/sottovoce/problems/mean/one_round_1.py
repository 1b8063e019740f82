"""One round as it was: edition 1 of its script, for surveys that were announced with it, and for benchmarks."""

from __future__ import annotations

from dataclasses import replace

from sottovoce.answers import Estimate, Note, NoteCode
from sottovoce.design import best_position_table, designed_reach
from sottovoce.messages import Fact, exact
from sottovoce.methods import FullRange, Script, decode_with_guarantee, shrink_to_middle
from sottovoce.problems.mean.one_round import PULLED, OneRound
from sottovoce.problems.mean.settings import Mean
from sottovoce.risk import Averages, Crowd, Poisoning, Prediction, full_range_risk, table_reach, worst


class OneRoundEdition1(OneRound):
    """One question, one table, its unbiased value."""

    edition = 1

    def scheme(self, settings: Mean) -> FullRange:
        """For predictions: the closed form, within 6 % of the table that is asked with, and made without a solver."""
        return replace(super().scheme(settings), groups=1, channel=None)

    def script(self, settings: Mean) -> Script[Estimate]:
        scheme = replace(self.scheme(settings), channel=settings.position_table())
        question = scheme.question()
        tally = yield question
        raw, interval, error = decode_with_guarantee(question, tally, settings.confidence)
        low, high = settings.low, settings.high
        value = min(high, max(low, raw))
        notes: tuple[Note, ...] = ()
        if settings.shrink:
            plain, width = value, settings.width
            value = low + width * shrink_to_middle((raw - low) / width, (error.total / width) ** 2)
            if abs(value - plain) > PULLED * error.total:
                notes = (Note(NoteCode.PULLED_TO_MIDDLE, value=plain),)
        return self.answer(
            settings,
            value,
            (max(low, min(interval[0], value)), min(high, max(interval[1], value))),
            users=tally.reports,
            poisoning=scheme.poisoned(raw),
            notes=notes,
            shrunk=True,
            interval_kind=Fact("guarded-normal"),
            standard_error=error,
        )

    def predict(self, settings: Mean, crowd: Crowd) -> Prediction:
        ends = {"users": settings.users, "low": settings.low, "high": settings.high}
        table = best_position_table(exact(settings.epsilon))
        return worst([full_range_risk(law, **ends, table=table, clamp=True) for law in settings.laws(crowd)])

    def worst_law(self, settings: Mean, crowd: Crowd) -> Averages:
        scheme = self.scheme(settings)
        return max(settings.laws(crowd), key=lambda law: scheme.risk(law, clamp=True).mse)

    def poisoning(self, settings: Mean, crowd: Crowd) -> Poisoning:
        if settings.table:
            return Poisoning(reach=table_reach(settings.table, settings.width))
        return Poisoning(reach=settings.width * designed_reach(exact(settings.epsilon)))
