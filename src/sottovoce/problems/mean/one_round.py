"""Everybody at once on the full range; and what every method of a mean does alike: assume users, make an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sottovoce.answers import Assumes, Estimate, Note, NoteCode
from sottovoce.design import best_position_table, designed_reach
from sottovoce.messages import Fact, Interval, exact
from sottovoce.methods import FullRange, Script, all_slots, decode_with_guarantee, shrink_to_middle
from sottovoce.problems.alternatives import assumed_crowds
from sottovoce.problems.mean.settings import Mean
from sottovoce.problems.method import Method
from sottovoce.risk import (
    ASSUMED_SPREAD,
    Averages,
    Crowd,
    Poisoning,
    Prediction,
    Widening,
    full_range_risk,
    table_reach,
    worst,
)
from sottovoce.theory import limit

_BELL = 1 / 8
"""User averages with at most this part of the range as standard deviation are about normal: four fit on either side."""
_PULLED = 1e-3
"""A value that was shrunk by less than this part of its error needs no note. Chosen by hand."""


def widest_law(laws: Sequence[Averages]) -> Averages:
    """The law of the users' averages, of those left open, that varies most."""
    return max(laws, key=lambda law: law.variance)


def least_error(settings: Mean, crowd: Crowd) -> float | None:
    """The least mean squared error that ε allows for such users; None where their averages are far from normal."""
    variance = widest_law(settings.laws(crowd)).variance
    if not 0 < variance <= (_BELL * settings.width) ** 2:
        return None
    return limit(settings.epsilon) * variance / settings.users


class MeanMethod(Method[Mean]):
    """What the methods of a mean share: the users that they are judged by, and one kind of answer."""

    def assumed_users(self, settings: Mean, crowd: Crowd) -> tuple[Crowd, ...]:
        return assumed_crowds(crowd, settings.spread, ASSUMED_SPREAD * settings.width)

    def worst_law(self, settings: Mean, crowd: Crowd) -> Averages:
        """The users' averages for which `predict` speaks."""
        return widest_law(settings.laws(crowd))

    def answer(
        self,
        settings: Mean,
        value: float,
        interval: Interval,
        *,
        users: Sequence[int],
        poisoning: Poisoning,
        notes: tuple[Note, ...] = (),
        shrunk: bool = False,
        **facts: Any,
    ) -> Estimate:
        """One number, moved into the range where noise took it out, with its interval; `facts` are further fields.

        `poisoning` is what colluders can do at this very answer, which never leaves its range, not even when votes are
        captured: the farther end is the most. `shrunk`: what the caller wanted is done, so that no note says otherwise.
        """
        low, high = settings.low, settings.high
        inside = min(high, max(low, value))
        most, halfwidth = max(high - inside, inside - low), (interval[1] - interval[0]) / 2
        return Estimate(
            **{"assumes": Assumes.NOTHING} | self.survey_facts(settings, tuple(users)) | facts,
            value=inside,
            interval=(float(interval[0]), float(interval[1])),
            low=low,
            high=high,
            notes=(*notes, Note(NoteCode.NOT_SHRUNK)) if settings.shrink and not shrunk else notes,
            colluders=poisoning.colluders(halfwidth, most),
        )


class OneRound(MeanMethod):
    """One question, one table, nothing assumed about the users."""

    name = "one-round"
    help = "asks everybody once on the full range"
    guaranteed = True
    why_not_empty = None

    def scheme(self, settings: Mean) -> FullRange:
        """For predictions: the closed form, within 6 % of the table that is asked with, and made without a solver."""
        return FullRange(
            survey=settings.survey,
            slots=all_slots(settings.users),
            low=(settings.low,),
            high=(settings.high,),
            epsilon=settings.epsilon,
        )

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
            if abs(value - plain) > _PULLED * error.total:
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

    def widenings_for_empty(self, settings: Mean, crowd: Crowd) -> tuple[Widening, ...]:
        """They count as the middle of the range."""
        middle = (settings.low + settings.high) / 2
        return (widening_for_empty_users(settings, [(law.mean, law.mean - middle) for law in settings.laws(crowd)]),)

    def poisoning(self, settings: Mean, crowd: Crowd) -> Poisoning:
        if settings.table:
            return Poisoning(reach=table_reach(settings.table, settings.width))
        return Poisoning(reach=settings.width * designed_reach(exact(settings.epsilon)))

    def words(self, settings: Mean) -> Fact:
        return self.scheme(settings).words()


def widening_for_empty_users(settings: Mean, places: list[tuple[float, float]]) -> Widening:
    """How much wider intervals are at the mean that lies farthest from what users without data count as.

    `places` are pairs: where a mean may lie, and how far above what they count as.
    """
    mean, away = max(places, key=lambda place: abs(place[1]))
    return Widening.by(settings.empty_at_most, away, -away, room=(mean - settings.low, settings.high - mean))
