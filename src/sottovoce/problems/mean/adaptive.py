"""Find the users, then ask where they are and how far beyond anybody is; no assumption that they are alike."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sottovoce.answers import GUARDED, Answer, Assumes, Estimate, Note, NoteCode, two_sided, within
from sottovoce.design import even_table, tail_tables
from sottovoce.messages import Average, Fact, Rules, Way, exact
from sottovoce.methods import LastTables, Script, TailRounds, bins_way, knots_way
from sottovoce.problems.alternatives import promise_of_other_method
from sottovoce.problems.mean.one_round import MeanMethod, OneRound, widening_for_empty_users
from sottovoce.problems.mean.settings import Mean
from sottovoce.problems.method import Method, StandIn
from sottovoce.problems.rule_builders import waves_in_turn
from sottovoce.risk import Crowd, Poisoning, Prediction, Widening
from sottovoce.theory import LOCALISABLE, strength

CLEAR, MANY = (500.0, 20_000.0), 100
"""Strengths between which adaptive is clearly better, and observations from which on; at ε above 2 it takes more."""
LARGEST = 4.0
"""The ε up to which that is so."""
AT_ONCE = Note(NoteCode.ASKED_AT_ONCE, why="users-to-find")


class AdaptiveRounds(MeanMethod):
    """Bins, finer bins, a table with several decodings."""

    name = "adaptive"
    edition = 2
    help = "finds out where users are, then asks there, and how far beyond anybody is"
    guaranteed = True
    why_not_empty = None

    def why_unavailable(self, settings: Mean) -> Fact | None:
        return None if settings.rounds in (None, 2, 3) else Fact("adaptive-rounds", rounds=settings.rounds)

    def finds_users(self, settings: Mean) -> bool:
        """Whether all reports together can say where users are."""
        return strength(settings.users, settings.epsilon) >= LOCALISABLE

    def replacement(self, settings: Mean) -> Method[Mean] | None:
        return None if self.finds_users(settings) else StandIn(self, OneRound(), AT_ONCE)

    def variants(self, settings: Mean, crowd: Crowd) -> tuple[Mean, ...]:
        return super().variants(settings, crowd) if self.finds_users(settings) else ()

    def surely_best(self, settings: Mean, crowd: Crowd) -> bool:
        """Where its loss lies well below one round's for any of the users by whom ``auto`` chooses."""
        if self.why_unavailable(settings) is not None or len(self.assumed_users(settings, crowd)) < 2:
            return False
        found, (least, most) = strength(settings.users, settings.epsilon), CLEAR
        clear = least * max(1.0, (settings.epsilon / 2) ** 3) <= found <= most
        return clear and settings.observations >= MANY and settings.epsilon <= LARGEST

    def scheme(self, settings: Mean) -> TailRounds:
        """The rounds."""
        epsilon = exact(settings.epsilon)
        return TailRounds(
            survey=settings.survey,
            users=settings.users,
            observations=settings.observations,
            low=settings.low,
            high=settings.high,
            epsilon=settings.epsilon,
            tables=LastTables(found=tail_tables(epsilon), even=even_table(epsilon)),
            caution=settings.caution,
            rounds=settings.rounds or 3,
            confidence=settings.confidence,
            aim=settings.aim,
        )

    def script(self, settings: Mean) -> Script[Estimate]:
        estimate = yield from self.scheme(settings).script()
        error, model = estimate.standard_error, None
        if estimate.modelled:
            reach = two_sided(settings.confidence) * error.total
            model = within((estimate.value - reach, estimate.value + reach), *estimate.interval)
        return self.answer(
            settings,
            estimate.value,
            estimate.interval,
            users=estimate.answered,
            poisoning=replace(self.poisoning(settings, Crowd()), known=estimate.pulls),
            notes=() if estimate.modelled else (Note(NoteCode.FEW_COULD_HIDE, shift=estimate.hidden_shift),),
            interval_kind=GUARDED,
            standard_error=error,
            model_interval=model,
            model_assumes=None if model is None else Assumes.ONE_BELL,
            detection_limit=estimate.hidden,
            hidden_shift=estimate.hidden_shift,
        )

    def predict(self, settings: Mean, crowd: Crowd) -> Prediction:
        expected = self.scheme(settings).expected(self.worst_law(settings, crowd))
        return Prediction(
            sampling=expected.sampling,
            privacy=expected.privacy,
            localisation=expected.tails,
            guaranteed=expected.halfwidth,
        )

    def widenings_for_empty(self, settings: Mean, crowd: Crowd) -> tuple[Widening, ...]:
        """They count as the middle of the core."""
        law = self.worst_law(settings, crowd)
        away = law.mean - self.scheme(settings).expected(law).middle
        return (widening_for_empty_users(settings, [(law.mean, away)]),)

    def users_per_round(self, settings: Mean) -> tuple[int, ...]:
        return self.scheme(settings).users_per_round

    def rules(self, settings: Mean) -> Rules:
        scheme = self.scheme(settings)
        first, *later, last = scheme.users_per_round
        turns = [(first, ("bins",)), *((users, ("bins", "mean")) for users in later), (last, ("mean",))]
        inside: dict[str, Any] = {"statistic": Average(), "low": settings.low, "high": settings.high}
        opening = Way.of(next(self.script(settings)), opening=True)
        return Rules(
            waves=waves_in_turn(turns, epsilon=settings.epsilon),
            ways=(opening, bins_way("bins", **inside), knots_way("mean", **inside)),
            tables=scheme.tables.all,
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
