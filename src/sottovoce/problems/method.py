"""A way to run a survey: what a file of a problem's folder defines."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Generic, TypeVar

from sottovoce.answers import WHOLE_COLLECTION, Answer, Chosen, ChosenBy, Note, Privacy
from sottovoce.messages import Fact, Rules
from sottovoce.methods import Script
from sottovoce.problems.empty_users import with_empty_users_placed
from sottovoce.problems.rule_builders import rules_of_question
from sottovoce.risk import Crowd, Poisoning, Prediction, Widening, average

S = TypeVar("S", bound=Any)


@dataclass(frozen=True, kw_only=True)
class Example:
    """Settings under which a method is audited and held to the contract; `more` is the rest, or more users."""

    method: str
    name: str = ""
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        return f"{self.method}-{self.name}" if self.name else self.method


class Method(Generic[S]):
    """A way to run a survey: a value, in a file of its own. What it needs beyond the settings, it computes."""

    name: ClassVar[str]
    help: ClassVar[str]
    """What it does, in half a sentence: ``asks everybody once on the full range``."""
    edition: ClassVar[int] = 1
    """Of its script: one that asks or answers anything else is a new edition, and manifests say by which they run."""
    guaranteed: ClassVar[bool] = False
    """Whether its interval holds whatever the users are, as narrow as predicted."""

    why_not_empty: ClassVar[Fact | None] = Fact("empty-users-unknown")
    """Why its intervals cannot allow for users without data; None where they can: see `empty_users`."""

    def considered_by_auto(self, settings: S) -> bool:
        """Whether ``"auto"`` looks at it here; where it does not, why it could not run is not worth a word."""
        return True

    def why_unavailable(self, settings: S) -> Fact | None:
        """Why it cannot run with these settings; None when it can."""
        return None

    def variants(self, settings: S, crowd: Crowd) -> tuple[S, ...]:
        """What ``"auto"`` looks at: this method by name, with its free parameters at values worth a look."""
        return (settings.with_method(self.name),)

    def script(self, settings: S) -> Script[Answer]:
        """The rounds, from the first question to the answer."""
        raise NotImplementedError("a method says what it asks")

    def script_as_asked(self, settings: S) -> Script[Answer]:
        """The rounds as they are asked: as scripted, with the place of users who hold nothing as the settings say."""
        return with_empty_users_placed(self.script(settings), getattr(settings, "empty", "middle"))

    def rules_as_asked(self, settings: S) -> Rules:
        """The rules of what is asked."""
        rules, empty = self.rules(settings), getattr(settings, "empty", "middle")
        return rules if empty == "middle" else replace(rules, ways=tuple(way.where_empty(empty) for way in rules.ways))

    def replacement(self, settings: S) -> Method[S] | None:
        """What runs under its name where it does not run itself, as with too few users: often a `StandIn`."""
        return None

    def resolve(self, settings: S) -> Method[S] | Fact:
        """What runs with these settings: itself, what runs in its place, or why nothing can.

        The one place where this is decided; whoever runs, predicts or describes a survey comes here first.
        """
        if getattr(settings, "empty_at_most", 0.0) and self.why_not_empty is not None:
            return Fact("empty-at-most-not-for", method=self.name, why=self.why_not_empty)
        if (why := self.why_unavailable(settings)) is not None:
            return why
        return self.replacement(settings) or self

    def method_that_runs(self, settings: S) -> Method[S]:
        """What runs with settings that were checked."""
        method = self.resolve(settings)
        assert not isinstance(method, Fact), "settings that no method can run with are refused when they are made"
        return method

    def survey_facts(self, settings: S, users: tuple[int, ...], *details: Fact) -> dict[str, Any]:
        """What an answer says of its survey: who answered in each round, privacy, and `details` of how it asked."""
        return {
            "confidence": settings.confidence,
            "users_per_round": users,
            "privacy": Privacy(
                epsilon=settings.epsilon, protects=WHOLE_COLLECTION, users=settings.users, rounds=len(users)
            ),
            "method": self.name,
            "chosen": Chosen(by=ChosenBy.CALLER, details=details),
        }

    def predict(self, settings: S, crowd: Crowd) -> Prediction:
        """The error to expect for users like these."""
        raise NotImplementedError("a method says how good it is")

    def assumed_users(self, settings: S, crowd: Crowd) -> tuple[Crowd, ...]:
        """The users that it is judged by, where `crowd` leaves open how they differ; each counts alike."""
        return (crowd,)

    def expected_error(self, settings: S, crowd: Crowd) -> Prediction:
        """The error to expect, on average over what is assumed: what plans say, and the chooser goes by."""
        crowds = self.assumed_users(settings, crowd)
        predictions = [self.predict(settings, users) for users in crowds]
        expected = predictions[0] if len(predictions) == 1 else average(predictions)
        if not getattr(settings, "empty_at_most", 0.0):
            return expected
        return replace(
            expected, wider=tuple(one for users in crowds for one in self.widenings_for_empty(settings, users))
        )

    def surely_best(self, settings: S, crowd: Crowd) -> bool:
        """Whether ``"auto"`` takes it without a comparison."""
        return False

    def loss(self, settings: S, crowd: Crowd) -> float:
        """What ``"auto"`` keeps small, where its problem goes `by_interval`."""
        return self.expected_error(settings, crowd).loss(settings.confidence)

    def judging_users(self, settings: S, crowd: Crowd) -> dict[Fact, Crowd]:
        """The kinds of users by which `loss` goes, by what they are; none where it goes by no more than is assumed."""
        return {}

    def widenings_for_empty(self, settings: S, crowd: Crowd) -> tuple[Widening, ...]:
        """How much wider intervals are for the users without data whom they allow for: see `empty_users`."""
        raise NotImplementedError("a method whose intervals allow for users without data says by how much")

    def guarded_halfwidth(self, settings: S, crowd: Crowd) -> float | None:
        """Half the width of an interval that holds whatever the users are, where it is not that of the error."""
        return None

    def users_per_round(self, settings: S) -> tuple[int, ...]:
        """How many users each round asks."""
        return (settings.users,)

    def rules(self, settings: S) -> Rules:
        """Who may be asked what, in which way and through which tables: what a survey announces beforehand.

        Every question of `script` keeps to them, whatever the tallies are; the contract suite holds it to that. Of a
        survey that asks everybody at once, the question says them.
        """
        question = next(self.script(settings))
        if question.slots.count < settings.users:
            raise NotImplementedError("a method of several rounds announces what it may ask")
        return rules_of_question(question)

    def words(self, settings: S) -> Fact:
        """How it asks: bins, folds and the like."""
        raise NotImplementedError("a method describes itself")

    def poisoning(self, settings: S, crowd: Crowd) -> Poisoning:
        """What colluding users could do."""
        raise NotImplementedError("a method says what colluders can do")


class StandIn(Method[S]):
    """Another method, which runs under the name of the one that was asked for: it has too few users, say."""

    def __init__(self, asked: Method[S], runs: Method[S], *notes: Note, tells_width: bool = False) -> None:
        self.asked, self.runs, self.notes, self.tells_width = asked, runs, notes, tells_width
        self.name, self.help, self.edition = asked.name, asked.help, asked.edition  # type: ignore[misc]
        self.why_not_empty, self.guaranteed = asked.why_not_empty, asked.guaranteed  # type: ignore[misc]

    def script(self, settings: S) -> Script[Answer]:
        answer = yield from self.runs.script(settings)
        return replace(answer, method=self.name, notes=(*answer.notes, *self.notes))

    def predict(self, settings: S, crowd: Crowd) -> Prediction:
        return self.runs.predict(settings, crowd)

    def loss(self, settings: S, crowd: Crowd) -> float:
        return self.runs.loss(settings, crowd)

    def assumed_users(self, settings: S, crowd: Crowd) -> tuple[Crowd, ...]:
        return self.asked.assumed_users(settings, crowd)

    def widenings_for_empty(self, settings: S, crowd: Crowd) -> tuple[Widening, ...]:
        return self.runs.widenings_for_empty(settings, crowd)

    def guarded_halfwidth(self, settings: S, crowd: Crowd) -> float | None:
        width = self.runs.guarded_halfwidth(settings, crowd)
        if width is None and self.tells_width:
            return self.runs.predict(settings, crowd).halfwidth(settings.confidence)
        return width

    def users_per_round(self, settings: S) -> tuple[int, ...]:
        return self.runs.users_per_round(settings)

    def rules(self, settings: S) -> Rules:
        return self.runs.rules(settings)

    def words(self, settings: S) -> Fact:
        return self.runs.words(settings)

    def poisoning(self, settings: S, crowd: Crowd) -> Poisoning:
        return self.runs.poisoning(settings, crowd)
