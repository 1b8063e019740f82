"""Find the users, then ask between ends that hold them; no assumption that they are alike."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sottovoce.answers import GUARDED, Answer, Assumes, Estimate, Note, NoteCode, two_sided, within
from sottovoce.design import best_position_table
from sottovoce.messages import Average, Fact, Rules, Table, Way, exact
from sottovoce.methods import Adaptive, Script, bins_way, position_way
from sottovoce.problems.alternatives import promise_of_other_method
from sottovoce.problems.mean.one_round import MeanMethod, OneRound, widening_for_empty_users
from sottovoce.problems.mean.settings import Mean
from sottovoce.problems.method import Method, StandIn
from sottovoce.problems.rule_builders import waves_in_turn
from sottovoce.risk import Crowd, Poisoning, Prediction, Widening, worst
from sottovoce.theory import LOCALISABLE, strength

AT_ONCE = Note(NoteCode.ASKED_AT_ONCE, why="users-to-find")


class AdaptiveRounds(MeanMethod):
    """Bins, finer bins, a table between ends."""

    name = "adaptive"
    help = "finds out where users are, then asks there"
    why_not_empty = None

    def why_unavailable(self, settings: Mean) -> Fact | None:
        return None if settings.rounds in (None, 2, 3) else Fact("adaptive-rounds", rounds=settings.rounds)

    def finds_users(self, settings: Mean) -> bool:
        """Whether all reports together can say where users are."""
        return strength(settings.users, settings.epsilon) >= LOCALISABLE

    def replacement(self, settings: Mean) -> Method[Mean] | None:
        return None if self.finds_users(settings) else StandIn(self, OneRound(), AT_ONCE, tells_width=True)

    def variants(self, settings: Mean, crowd: Crowd) -> tuple[Mean, ...]:
        return super().variants(settings, crowd) if self.finds_users(settings) else ()

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

    def _scheme_and_table(self, settings: Mean) -> tuple[Adaptive, Table]:
        """The rounds, and for predictions the closed form of the table that is asked with."""
        return self.scheme(settings), best_position_table(exact(settings.epsilon))

    def script(self, settings: Mean) -> Script[Estimate]:
        low, high = settings.low, settings.high
        estimate = yield from self.scheme(settings).script(settings.position_table())
        error = estimate.standard_error
        reach = two_sided(settings.confidence) * error.total
        interval = max(low, estimate.value - estimate.below), min(high, estimate.value + estimate.above)
        model = within((estimate.value - reach, estimate.value + reach), low, high)
        return self.answer(
            settings,
            estimate.value,
            interval,
            users=estimate.answered,
            poisoning=replace(self.poisoning(settings, Crowd()), known=estimate.pulls),
            interval_kind=GUARDED,
            standard_error=error,
            model_interval=(max(model[0], interval[0]), min(model[1], interval[1])),
            model_assumes=Assumes.ONE_BELL,
            detection_limit=estimate.hidden,
            hidden_shift=estimate.hidden * max(high - estimate.high, estimate.low - low),
        )

    def predict(self, settings: Mean, crowd: Crowd) -> Prediction:
        scheme, table = self._scheme_and_table(settings)
        return worst([scheme.risk(law, table) for law in settings.laws(crowd)])

    def guarded_halfwidth(self, settings: Mean, crowd: Crowd) -> float:
        scheme, table = self._scheme_and_table(settings)
        return max(scheme.guarded_halfwidth(law, table) for law in settings.laws(crowd))

    def widenings_for_empty(self, settings: Mean, crowd: Crowd) -> tuple[Widening, ...]:
        """They count as the middle of what the last question asks about."""
        scheme, table = self._scheme_and_table(settings)
        places = [(law.mean, scheme.mean_above_midpoint(law, table)) for law in settings.laws(crowd)]
        return (widening_for_empty_users(settings, places),)

    def users_per_round(self, settings: Mean) -> tuple[int, ...]:
        return self.scheme(settings).users_per_round

    def rules(self, settings: Mean) -> Rules:
        first, *later, last = self.users_per_round(settings)
        turns = [(first, ("bins",)), *((users, ("bins", "mean")) for users in later), (last, ("mean",))]
        inside: dict[str, Any] = {"statistic": Average(), "low": settings.low, "high": settings.high}
        opening = Way.of(next(self.script(settings)), opening=True)
        return Rules(
            waves=waves_in_turn(turns, epsilon=settings.epsilon),
            ways=(opening, bins_way("bins", **inside), position_way("mean", **inside)),
            tables=(settings.position_table(),),
        )

    def poisoning(self, settings: Mean, crowd: Crowd) -> Poisoning:
        return OneRound().poisoning(settings, crowd)

    def words(self, settings: Mean) -> Fact:
        return Fact("bins-then-ends", bins=self.scheme(settings).bins)


def with_other_promise(settings: Mean, answer: Answer) -> Answer:
    """An answer with what the other choice would have promised; an adaptive one that asked once has no other."""
    adaptive = AdaptiveRounds()
    if settings.method != OneRound.name:
        known = len(answer.users_per_round) > 1
    else:
        known = adaptive.finds_users(settings) and adaptive.why_unavailable(settings) is None
    promise = promise_of_other_method(settings, settings.width / 2) if known else None
    return replace(answer, instead=promise)
