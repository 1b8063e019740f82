"""Everybody at once."""

from __future__ import annotations

from sottovoce.answers import WHOLE_COLLECTION, Chosen, ChosenBy, Estimate, Privacy
from sottovoce.messages import Rules, Share
from sottovoce.problems import Method, ruling
from sottovoce.risk import Crowd, Poisoning, Prediction, worst
from sottovoce.schemes import FullRange, Script, decoded_with_interval, everybody
from tests.toy.settings import UpTo


class OneRound(Method[UpTo]):
    """One question on [0, 1]."""

    name = "one-round"
    help = "asks everybody once"

    def scheme(self, settings: UpTo) -> FullRange:
        return FullRange(
            survey=settings.survey,
            slots=everybody(settings.users),
            low=(0.0,),
            high=(1.0,),
            epsilon=settings.epsilon,
            statistic=Share(below=(settings.threshold,)),
        )

    def script(self, settings: UpTo) -> Script[Estimate]:
        asked = self.scheme(settings).question()
        tally = yield asked
        value, interval, kind, error = decoded_with_interval(asked, tally, settings.confidence)
        return Estimate(
            value=value,
            interval=interval,
            confidence=settings.confidence,
            interval_kind=kind,
            standard_error=error,
            users_per_round=tuple(tally.reports),
            privacy=Privacy(epsilon=settings.epsilon, protects=WHOLE_COLLECTION, users=settings.users, rounds=1),
            method=self.name,
            chosen=Chosen(by=ChosenBy.CALLER),
            low=0.0,
            high=1.0,
        )

    def predict(self, settings: UpTo, crowd: Crowd) -> Prediction:
        laws = crowd.laws(0.0, 1.0, observations=settings.observations, step=0.0)
        return worst(self.scheme(settings).risk(law) for law in laws)

    def rules(self, settings: UpTo) -> Rules:
        return ruling.only(self.scheme(settings).question())

    def poisoning(self, settings: UpTo, crowd: Crowd) -> Poisoning:
        return self.scheme(settings).poisoning(())

    def words(self, settings: UpTo) -> str:
        return f"up to {settings.threshold:g}"
