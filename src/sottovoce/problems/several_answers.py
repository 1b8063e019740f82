"""Several problems in one survey. Not a problem of its own: a way to share users, or the budget, among some."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sottovoce.answers import Answers
from sottovoce.messages import Fact, InvalidInput, Question, Tally, check_epsilon, counted
from sottovoce.methods import Part, cannot_share, check_choice, check_users, in_one_report, one_after_another, replay
from sottovoce.problems.base import AUTO, Settings, choose
from sottovoce.risk import Crowd

SPLITS = ("auto", "users", "budget")
_MOST = 64
_TOGETHER = "one-round"
"""The method of every part where the budget is split."""
_ONE_GROUP = 1
"""Its edition that asks for a mean in one group: the question that everybody answers has a group for each part."""


@dataclass(frozen=True, kw_only=True)
class Several:
    """A survey that answers several things; a user still sends one report, ε-private for the whole collection.

    `parts` are surveys with a name each, `columns` where each begins to look. Their own `users` and `epsilon` do not
    matter: with ``split="users"`` each part asks an equal part of the users with the whole ε; with ``"budget"``
    everybody answers for all parts with ε divided evenly, which takes means asked in one round; ``"auto"`` takes the
    better of the two as predicted.
    """

    epsilon: float
    users: int
    parts: tuple[tuple[str, Settings], ...]
    columns: tuple[int, ...] = ()
    split: str = "auto"
    survey: str = "rehearsal"

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon)
        check_users(self.users)
        check_choice("split", self.split, SPLITS)
        if not 1 <= len(self.parts) <= _MOST:
            raise InvalidInput(rule=f"a survey has 1 to {_MOST} parts", wrong=f"got {len(self.parts)}")
        if len({name for name, _ in self.parts}) != len(self.parts):
            raise InvalidInput("every part has a name of its own")
        if any(not name or len(name) > 60 or not name.isprintable() for name, _ in self.parts):
            raise InvalidInput("the name of a part is a short printable text of at most 60 letters")
        if self.users < len(self.parts):
            raise InvalidInput(
                f"{counted(self.users, 'user')} cannot be split over {len(self.parts)} parts",
                code="too-few-users",
                fields={"users": self.users, "needed": len(self.parts)},
            )
        if self.columns and len(self.columns) != len(self.parts):
            raise InvalidInput(rule=f"{len(self.parts)} parts need as many columns", wrong=f"got {len(self.columns)}")
        if self.split == "budget" and (why := self.cannot_split_budget()) is not None:
            raise InvalidInput(f"the budget cannot be split: {why}", fix="split the users instead")

    def parts_as_asked(self, split: str) -> tuple[Part, ...]:
        """The parts as they are asked."""
        count, columns = len(self.parts), self.columns or (0,) * len(self.parts)
        parts = []
        for place, (name, part) in enumerate(self.parts):
            if split == "users":
                share = self.users * (place + 1) // count - self.users * place // count
                survey = replace(part, users=share, epsilon=self.epsilon)
            else:
                survey = replace(part, users=self.users, epsilon=self.epsilon / count)
                survey = survey.with_method(_TOGETHER, _ONE_GROUP)
            parts.append(Part(name=name, survey=survey, column=columns[place]))
        return tuple(parts)

    def cannot_split_budget(self) -> Fact | None:
        """Why everybody cannot answer for all parts at once."""
        for name, part in self.parts:
            if part.method not in (AUTO, _TOGETHER):
                return Fact("split-method", name=name, method=part.method)
            if _TOGETHER not in part.problem.method_names:
                return Fact("split-no-method", methods=part.problem.method_names, method=_TOGETHER)
        try:
            return cannot_share([part.survey.decide(()) for part in self.parts_as_asked("budget")])
        except InvalidInput as error:
            return Fact("split-refused", code=error.code)

    def chosen_split(self) -> tuple[str, Fact]:
        """The split that is taken, and why: the expected squared errors side by side."""
        if self.split != "auto":
            return self.split, Fact("split-asked-for")
        if len(self.parts) == 1:
            return "users", Fact("split-one-part")
        if (why := self.cannot_split_budget()) is not None:
            return "users", Fact("split-users", why=why)
        gain = 1.0
        for whole, part in zip(self.parts_as_asked("users"), self.parts_as_asked("budget"), strict=True):
            gain *= (_expected_squared_error(part.survey) / _expected_squared_error(whole.survey)) ** (
                1 / len(self.parts)
            )
        better = "budget" if gain < 1 else "users"
        return better, Fact("split-better", times=max(gain, 1 / gain))

    def decide(self, tallies: tuple[Tally, ...]) -> Question | Answers:
        """The next question, or all answers; see `methods.script`."""
        split, why = self.chosen_split()
        asked = one_after_another if split == "users" else in_one_report
        step = replay(asked(self.parts_as_asked(split), survey=self.survey), tallies)
        if isinstance(step, Question):
            return step
        answers = (replace(answer, privacy=replace(answer.privacy, epsilon=self.epsilon)) for answer in step)
        return Answers(names=tuple(name for name, _ in self.parts), answers=tuple(answers), split=split, chosen=why)


def _expected_squared_error(survey: Any) -> float:
    return float(choose(survey).predict(Crowd()).mse)


def several(parts: Mapping[str, Settings], **given: Any) -> Several:
    """`Several` from a mapping of names to surveys."""
    return Several(parts=tuple(parts.items()), **given)
