"""Everybody at once."""

from __future__ import annotations

from sottovoce.answers import WHOLE_COLLECTION, Assumes, Chosen, ChosenBy, Privacy
from sottovoce.messages import Fact, Rules, Share
from sottovoce.methods import FullRange, Script, all_slots, decode_with_interval
from sottovoce.problems import Method, rule_builders
from sottovoce.risk import Crowd, Poisoning, Prediction, worst
from tests.toy.answer import UpToEstimate
from tests.toy.settings import UpTo


class OneRound(Method[UpTo]):
    """One question on [0, 1]."""

    name = "one-round"
    help = "asks everybody once"

    def scheme(self, settings: UpTo) -> FullRange:
        return FullRange(
            survey=settings.survey,
            slots=all_slots(settings.users),
            low=(0.0,),
            high=(1.0,),
            epsilon=settings.epsilon,
            statistic=Share(below=(settings.threshold,)),
        )

    def script(self, settings: UpTo) -> Script[UpToEstimate]:
        asked = self.scheme(settings).question()
        tally = yield asked
        value, interval, kind, _ = decode_with_interval(asked, tally, settings.confidence)
        return UpToEstimate(
            value=value,
            interval=interval,
            threshold=settings.threshold,
            confidence=settings.confidence,
            interval_kind=kind,
            assumes=Assumes.NOTHING,
            users_per_round=tuple(tally.reports),
            privacy=Privacy(epsilon=settings.epsilon, protects=WHOLE_COLLECTION, users=settings.users, rounds=1),
            method=self.name,
            chosen=Chosen(by=ChosenBy.CALLER),
        )

    def predict(self, settings: UpTo, crowd: Crowd) -> Prediction:
        laws = crowd.laws(0.0, 1.0, observations=settings.observations, step=0.0)
        return worst(self.scheme(settings).risk(law) for law in laws)

    def rules(self, settings: UpTo) -> Rules:
        return rule_builders.rules_of_question(self.scheme(settings).question())

    def poisoning(self, settings: UpTo, crowd: Crowd) -> Poisoning:
        return self.scheme(settings).poisoning(())

    def words(self, settings: UpTo) -> Fact:
        return Fact("up-to-threshold", threshold=settings.threshold)
