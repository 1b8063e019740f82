"""Everybody at once on the full range."""

from __future__ import annotations

from sottovoce.answers import Estimate
from sottovoce.problems.base import Method
from sottovoce.problems.mean.answer import answered
from sottovoce.problems.mean.settings import Mean
from sottovoce.risk import Averages, Crowd, Poisoning, Prediction, worst
from sottovoce.schemes import FullRange, Script, decoded_with_interval, everybody


class OneRound(Method[Mean]):
    """One question, one table, nothing assumed about the users."""

    name = "one-round"
    help = "asks everybody once on the full range"

    def scheme(self, settings: Mean) -> FullRange:
        """The question."""
        return FullRange(
            survey=settings.survey,
            slots=everybody(settings.users),
            low=(settings.low,),
            high=(settings.high,),
            epsilon=settings.epsilon,
        )

    def script(self, settings: Mean) -> Script[Estimate]:
        asked = self.scheme(settings).question()
        tally = yield asked
        value, interval, kind, error = decoded_with_interval(asked, tally, settings.confidence)
        return answered(
            settings,
            self.name,
            value,
            interval,
            kind,
            error,
            tuple(tally.reports),
            assumes="whatever the users are",
            poisoning=self.scheme(settings).poisoned(value),
        )

    def predict(self, settings: Mean, crowd: Crowd) -> Prediction:
        scheme = self.scheme(settings)
        return worst(scheme.risk(law, clamp=True) for law in self.laws(settings, crowd))

    def laws(self, settings: Mean, crowd: Crowd) -> list[Averages]:
        """The users' averages at each place that the crowd leaves open."""
        return crowd.laws(settings.low, settings.high, observations=settings.observations, step=0.0)

    def worst_law(self, settings: Mean, crowd: Crowd) -> Averages:
        """The users' averages for which `predict` speaks."""
        scheme = self.scheme(settings)
        return max(self.laws(settings, crowd), key=lambda law: scheme.risk(law, clamp=True).mse)

    def poisoning(self, settings: Mean, crowd: Crowd) -> Poisoning:
        return self.scheme(settings).poisoning(())

    def words(self, settings: Mean) -> str:
        return self.scheme(settings).words()
