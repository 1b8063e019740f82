"""A survey whose range nobody knows: some users are asked for it first, the others in it. A user sends one report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sottovoce.answers import Answer, Note, NoteCode
from sottovoce.messages import Fact, InvalidInput, Question, Tally, check_epsilon, counted
from sottovoce.methods import Part, Script, check_users, one_part, replay
from sottovoce.problems.base import Problem, Settings
from sottovoce.problems.range import Range, RangeEstimate
from sottovoce.problems.registry import named


@dataclass(frozen=True, kw_only=True)
class Ranged:
    """A survey of `problem` with these `settings`, all but its range, its users and ε, after a search for the range.

    The `share` of the users is asked for a range (see `Range`), the others are asked as the settings say, between its
    ends. Where no range is found there is no answer: it ends with an error that says why.

    Privacy
    -------
    Every user answers one question, either of the two; the report is `epsilon`-LDP for the whole collection.
    """

    problem: str
    epsilon: float
    users: int
    share: float
    settings: tuple[tuple[str, Any], ...] = ()
    survey: str = "rehearsal"

    @classmethod
    def of(cls, problem: Problem[Any], values: Mapping[str, Any], *, share: float) -> Ranged:
        """From all settings of a problem by name; low and high must not be among them."""
        declared = [name for name in ("low", "high", "edges", "categories") if values.get(name) is not None]
        if declared:
            raise InvalidInput(f"find_range finds low and high, and {declared[0]} is given:", fix="give one of the two")
        left_out = ("low", "high", "users", "epsilon", "survey")
        rest = tuple((name, value) for name, value in values.items() if name not in left_out)
        return cls(problem=problem.name, epsilon=values["epsilon"], users=values["users"], share=share, settings=rest)

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon)
        check_users(self.users)
        if not named(self.problem).finds_range:
            raise InvalidInput(f"a {self.problem} has no range to find:", fix="declare what it asks for")
        if isinstance(self.share, bool) or not isinstance(self.share, (int, float)) or not 0 < self.share < 1:
            raise InvalidInput(rule="find_range is a share of the users, between 0 and 1", got=self.share)
        if self.users < 2:
            raise InvalidInput(
                "one user cannot be asked for a range, and another in it",
                code="too-few-users",
                fields={"users": 1, "needed": 2},
            )
        if dict(self.settings).get("step") is not None:
            raise InvalidInput("with a step low and high are needed: steps are counted from low")
        self.between(0.0, self.range.edges[-1])  # whatever else is wrong is said before anyone is asked

    @property
    def asked_first(self) -> int:
        """How many users are asked for the range."""
        return min(self.users - 1, max(1, round(self.share * self.users)))

    @property
    def observations(self) -> int | None:
        """How many observations a user has, as the settings declare it."""
        return dict(self.settings).get("observations")

    @property
    def range(self) -> Range:
        """The survey that searches for the range."""
        of: Any = named(self.problem).finds_range
        return Range(epsilon=self.epsilon, users=self.asked_first, of=of, survey=self.survey)

    def between(self, low: float, high: float) -> Settings:
        """The survey of the others, in a range."""
        made: Settings = named(self.problem).settings(
            **dict(self.settings),
            low=low,
            high=high,
            epsilon=self.epsilon,
            users=self.users - self.asked_first,
            survey=self.survey,
        )
        return made

    def settled(self, tallies: tuple[Tally, ...]) -> Settings:
        """The survey of the others, in the range that the first of the tallies say."""
        searched = replay(self._search(), tallies[:1])
        assert isinstance(searched, tuple) and searched[0].interval is not None
        return self.between(*searched[0].interval)

    def decide(self, tallies: tuple[Tally, ...]) -> Question | Answer:
        """The next question, or the answer; see `methods.script`."""
        return replay(self.script(), tallies)

    def script(self) -> Script[Answer]:
        """First the range, then everything else."""
        estimate, rounds = yield from self._search()
        if estimate.interval is None:
            asked = f"(find_range={self.share:g} asked {counted(self.asked_first, 'user')})"
            note = estimate.notes[0]
            fix = Fact(f"{note.code}-fix", **note.data)
            raise InvalidInput(f"{note} {asked}", fix=f"{fix} {asked}", code="missing-range")
        rest = Part(name=self.problem, survey=self.between(*estimate.interval))
        answer, _ = yield from one_part(rest, survey=self.survey, first=self.asked_first, number=rounds)
        return self._with_price_of_range(answer, estimate)

    def _search(self) -> Script[tuple[RangeEstimate, int]]:
        """The range, and how many rounds that took."""
        return one_part(Part(name="bounds", survey=self.range), survey=self.survey, first=0, number=0)

    def _with_price_of_range(self, answer: Answer, estimate: RangeEstimate) -> Answer:
        """The answer with the price of its range."""
        assert estimate.interval is not None
        low, high = estimate.interval
        note = Note(
            NoteCode.RANGE_FOUND,
            most=estimate.detection_limit,
            of=estimate.of,
            confidence=estimate.confidence,
            groups=self.problem == "groups",
        )
        first = Fact("range-found-first", low=low, high=high, asked=self.asked_first)
        users = (*estimate.users_per_round, *answer.users_per_round)
        return replace(
            answer,
            chosen=replace(answer.chosen, details=(*answer.chosen.details, first)),
            users_per_round=users,
            privacy=replace(answer.privacy, users=self.users, rounds=len(users)),
            notes=(*answer.notes, note),
        )
