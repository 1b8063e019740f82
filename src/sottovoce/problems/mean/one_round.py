"""Everybody at once on the full range, through the table designed for it."""

from __future__ import annotations

from dataclasses import replace

from sottovoce.answers import Estimate, Note, NoteCode
from sottovoce.design import best_position_table, designed_reach
from sottovoce.messages import Fact, Rules, exact
from sottovoce.methods import FullRange, Script, everybody, guarded_value, shrunk
from sottovoce.problems.mean.answer import answered
from sottovoce.problems.mean.assumed import assumed
from sottovoce.problems.mean.settings import Mean
from sottovoce.problems.method import Method
from sottovoce.problems.ruling import only
from sottovoce.risk import Averages, Crowd, Poisoning, Prediction, Wider, full_range_risk, table_reach, worst

KIND = Fact("guarded-normal")


class OneRound(Method[Mean]):
    """One question, one table, nothing assumed about the users."""

    name = "one-round"
    help = "asks everybody once on the full range"
    guaranteed = True
    not_empty = None

    def scheme(self, settings: Mean) -> FullRange:
        """For predictions: the closed form, within 6 % of the table that is asked with, and made without a solver."""
        return FullRange(
            survey=settings.survey,
            slots=everybody(settings.users),
            low=(settings.low,),
            high=(settings.high,),
            epsilon=settings.epsilon,
        )

    def script(self, settings: Mean) -> Script[Estimate]:
        scheme = replace(self.scheme(settings), channel=settings.position_table())
        asked = scheme.question()
        tally = yield asked
        value, interval, error = guarded_value(asked, tally, settings.confidence)
        inside = min(settings.high, max(settings.low, value))
        notes: tuple[Note, ...] = ()
        if settings.shrink:
            width = settings.high - settings.low
            plain = inside
            inside = settings.low + width * shrunk((value - settings.low) / width, (error.total / width) ** 2)
            pulled = abs(inside - plain) > 1e-3 * error.total
            notes = (Note(NoteCode.PULLED_TO_MIDDLE, value=plain),) if pulled else ()
        interval = max(settings.low, min(interval[0], inside)), min(settings.high, max(interval[1], inside))
        return answered(
            settings,
            self.name,
            inside,
            interval,
            KIND,
            error,
            tuple(tally.reports),
            notes,
            shrunk=True,
            poisoning=scheme.poisoned(value),
        )

    def predict(self, settings: Mean, crowd: Crowd) -> Prediction:
        ends = {"users": settings.users, "low": settings.low, "high": settings.high}
        table = best_position_table(exact(settings.epsilon))
        laws = self.laws(settings, crowd)
        return worst([full_range_risk(law, **ends, table=table, clamp=True) for law in laws])

    def wider(self, settings: Mean, crowd: Crowd) -> tuple[Wider, ...]:
        """They count as the middle of the range."""
        middle = (settings.low + settings.high) / 2
        return (farthest(settings, [(law.mean, law.mean - middle) for law in self.laws(settings, crowd)]),)

    def assumed(self, settings: Mean, crowd: Crowd) -> tuple[Crowd, ...]:
        return assumed(settings, crowd)

    def laws(self, settings: Mean, crowd: Crowd) -> list[Averages]:
        """The users' averages at each place that the crowd leaves open."""
        return crowd.laws(settings.low, settings.high, observations=settings.observations, step=0.0)

    def worst_law(self, settings: Mean, crowd: Crowd) -> Averages:
        """The users' averages for which `predict` speaks."""
        scheme = self.scheme(settings)
        return max(self.laws(settings, crowd), key=lambda law: scheme.risk(law, clamp=True).mse)

    def rules(self, settings: Mean) -> Rules:
        return only(next(self.script(settings)))

    def poisoning(self, settings: Mean, crowd: Crowd) -> Poisoning:
        width = settings.high - settings.low
        reach = (
            table_reach(settings.table, width) if settings.table else width * designed_reach(exact(settings.epsilon))
        )
        return Poisoning(reach=reach)

    def words(self, settings: Mean) -> Fact:
        return self.scheme(settings).words()


def farthest(settings: Mean, places: list[tuple[float, float]]) -> Wider:
    """How much wider intervals are at the mean that lies farthest from what users without data count as."""
    mean, away = max(places, key=lambda place: abs(place[1]))
    room = mean - settings.low, settings.high - mean
    return Wider.by(settings.empty_at_most, away, -away, room=room)
