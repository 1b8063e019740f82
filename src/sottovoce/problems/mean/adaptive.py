"""Find the users, then ask between ends that hold them; no assumption that they are alike."""

from __future__ import annotations

import math
from dataclasses import replace

from sottovoce.answers import GUARDED, Assumes, Estimate, Note, NoteCode, StandardError, two_sided, within
from sottovoce.design import best_position_table
from sottovoce.messages import Fact, Rules, Way, exact
from sottovoce.methods import Adaptive, Script
from sottovoce.problems.mean.answer import answered
from sottovoce.problems.mean.assumed import assumed
from sottovoce.problems.mean.one_round import OneRound, farthest
from sottovoce.problems.mean.settings import Mean
from sottovoce.problems.mean.ways import binned, numbers
from sottovoce.problems.method import Method, StandIn
from sottovoce.problems.ruling import in_turn
from sottovoce.risk import Crowd, Poisoning, Prediction, Wider, worst
from sottovoce.theory import LOCALISABLE, strength


def enough(settings: Mean) -> bool:
    """Whether all reports together can say where users are."""
    return strength(settings.users, settings.epsilon) >= LOCALISABLE


AT_ONCE = Note(NoteCode.ASKED_AT_ONCE, why="users-to-find")


class AdaptiveRounds(Method[Mean]):
    """Bins, finer bins, a table between ends."""

    name = "adaptive"
    help = "finds out where users are, then asks there"
    not_empty = None

    def unavailable(self, settings: Mean) -> Fact | None:
        if settings.rounds not in (None, 2, 3):
            return Fact("adaptive-rounds", rounds=settings.rounds)
        return None

    def replacement(self, settings: Mean) -> Method[Mean] | None:
        return None if enough(settings) else StandIn(self, OneRound(), AT_ONCE, tells_width=True)

    def variants(self, settings: Mean, crowd: Crowd) -> tuple[Mean, ...]:
        return super().variants(settings, crowd) if enough(settings) else ()

    def scheme(self, settings: Mean) -> Adaptive:
        """The rounds."""
        return Adaptive(
            survey=settings.survey,
            users=settings.users,
            observations=settings.observations,
            low=settings.low,
            high=settings.high,
            epsilon=settings.epsilon,
            caution=settings.caution,
            rounds=settings.rounds or 3,
            confidence=settings.confidence,
        )

    def script(self, settings: Mean) -> Script[Estimate]:
        found = yield from self.scheme(settings).script(settings.position_table())
        error = StandardError(
            sampling=math.sqrt(found.sampling), privacy=math.sqrt(found.privacy), clipping=found.clipping
        )
        reach = two_sided(settings.confidence) * error.total
        interval = max(settings.low, found.value - found.below), min(settings.high, found.value + found.above)
        model = within((found.value - reach, found.value + reach), settings.low, settings.high)
        model = max(model[0], interval[0]), min(model[1], interval[1])
        beyond = max(settings.high - found.high, found.low - settings.low)
        return answered(
            settings,
            self.name,
            found.value,
            interval,
            GUARDED,
            error,
            found.answered,
            model_interval=model,
            model_assumes=Assumes.ONE_BELL,
            detection_limit=found.hidden,
            hidden_shift=found.hidden * beyond,
            poisoning=replace(self.poisoning(settings, Crowd()), known=found.pulls),
        )

    def predict(self, settings: Mean, crowd: Crowd) -> Prediction:
        scheme, table = self.scheme(settings), best_position_table(exact(settings.epsilon))
        laws = crowd.laws(settings.low, settings.high, observations=settings.observations, step=0.0)
        return worst([scheme.risk(law, table) for law in laws])

    def guarded(self, settings: Mean, crowd: Crowd) -> float:
        table = best_position_table(exact(settings.epsilon))
        laws = crowd.laws(settings.low, settings.high, observations=settings.observations, step=0.0)
        return max(self.scheme(settings).guard(law, table) for law in laws)

    def wider(self, settings: Mean, crowd: Crowd) -> tuple[Wider, ...]:
        """They count as the middle of what the last question asks about."""
        scheme, table = self.scheme(settings), best_position_table(exact(settings.epsilon))
        laws = crowd.laws(settings.low, settings.high, observations=settings.observations, step=0.0)
        return (farthest(settings, [(law.mean, scheme.aside(law, table)) for law in laws]),)

    def assumed(self, settings: Mean, crowd: Crowd) -> tuple[Crowd, ...]:
        return assumed(settings, crowd)

    def users_per_round(self, settings: Mean) -> tuple[int, ...]:
        return self.scheme(settings).users_per_round

    def rules(self, settings: Mean) -> Rules:
        first, *later, last = self.users_per_round(settings)
        turns = [(first, ("bins",)), *((users, ("bins", "mean")) for users in later), (last, ("mean",))]
        return Rules(
            waves=in_turn(turns, epsilon=settings.epsilon),
            ways=(Way.of(next(self.script(settings)), opening=True), binned(settings), numbers(settings)),
            tables=(settings.position_table(),),
        )

    def poisoning(self, settings: Mean, crowd: Crowd) -> Poisoning:
        return OneRound().poisoning(settings, crowd)

    def words(self, settings: Mean) -> Fact:
        return Fact("bins-then-ends", bins=self.scheme(settings).bins)
