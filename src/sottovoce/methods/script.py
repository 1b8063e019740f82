"""Rounds as a story: ask, look, ask again, answer.

A script is a generator: it yields a question, is sent the tally, and returns the answer. `replay` runs it over the
tallies at hand, so that `decide` stays a pure function of them and each question is written once, where it is asked.
Whoever runs a survey from its first round to its last follows it with `steps_of`, and no round is computed again.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import Any, Protocol, TypeVar

import numpy as np

from sottovoce.answers import Answer
from sottovoce.messages import Floats, InvalidInput, Question, Tally

# Roundings that could have gone either way: all that another machine's floats can change in a question.
#
# Numbers go from tallies into questions by `rounded` only, as whole steps. Machines compute them alike but for the last
# digits, so they can disagree only where a number lies in the middle between two steps. Whoever replays a survey that
# ran elsewhere learns here which roundings were such, and may turn them.

NEAR = 1e-3
"""Of a step: so near to the middle between two, machines may differ. In parts of the range, that is 1e-9."""

Tie = tuple[float, float, float]
"""A number that was rounded, and the range that it was rounded on."""


class _Noted:
    def __init__(self, turned: frozenset[Tie]) -> None:
        self.turned, self.ties = turned, dict[Tie, None]()


NOTED: ContextVar[_Noted | None] = ContextVar("noted", default=None)


@contextmanager
def replaying(turned: Iterable[Tie] = ()) -> Iterator[dict[Tie, None]]:
    """Round as usual inside, but those of `turned` the other way; gives the ties that were met, in their order."""
    noted = _Noted(frozenset(turned))
    token = NOTED.set(noted)
    try:
        yield noted.ties
    finally:
        NOTED.reset(token)


def turn_ties(whole: Floats, steps: Floats, values: Floats, low: float, high: float) -> None:
    """Note what could have been rounded the other way, `whole` steps from these, and turn what is to be turned."""
    noted = NOTED.get()
    assert noted is not None, "only where a survey is replayed"
    off = steps - whole
    for place in np.flatnonzero(np.abs(np.abs(off) - 0.5) <= NEAR).tolist():
        tie = (float(values[place]), low, high)
        noted.ties[tie] = None
        if tie in noted.turned:
            whole[place] += 1 if off[place] > 0 else -1


Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)
Script = Generator[Question, Tally, Result]


class Survey(Protocol[Result_co]):
    """What every engine runs.

    `decide` is pure: the same tallies give the same next step, on any machine, in any process. It returns the next
    question, or the answer.
    """

    @property
    def users(self) -> int:
        """How many slots there are."""
        ...

    def decide(self, tallies: tuple[Tally, ...]) -> Question | Result_co:
        """The next step, given the tally of every question asked so far."""
        ...


class Scripted:
    """A survey whose rounds are one script."""

    def script(self) -> Script[Any]:
        """The rounds, from the first question to the answer."""
        raise NotImplementedError("a survey says what it asks")

    def story(self) -> Script[Any]:
        """The script, and an answer which says when a number of it lies outside its own interval."""
        answer = yield from self.script()
        return (
            replace(answer, notes=(*answer.notes, *answer.inconsistencies())) if isinstance(answer, Answer) else answer
        )

    def decide(self, tallies: tuple[Tally, ...]) -> Any:
        """The next question, or the answer."""
        return replay(self.story(), tallies)


def replay(script: Script[Result], tallies: Sequence[Tally]) -> Question | Result:
    """The step after these tallies; see `check_tallies`."""
    steps, seen = check_tallies(script), 0
    try:
        asked = next(steps)
        for tally in tallies:
            seen += 1
            asked = steps.send(tally)
    except StopIteration as stop:
        if seen < len(tallies):
            raise InvalidInput(f"{len(tallies)} tallies for a survey that was over after {seen}") from None
        result: Result = stop.value
        return result
    finally:
        steps.close()
    return asked


def steps_of(survey: Survey[Result]) -> Script[Result]:
    """What `decide` says step by step, each computed once: a story goes on where it stands.

    A survey without one decides, every time from its first round on.
    """
    if hasattr(survey, "story"):
        result: Result = yield from check_tallies(survey.story())
        return result
    tallies: tuple[Tally, ...] = ()
    while isinstance(step := survey.decide(tallies), Question):
        tallies = (*tallies, (yield step))
    return step


def check_tallies(script: Script[Result]) -> Script[Result]:
    """The same script; each tally is checked against the very question it answers before it is looked at."""
    return _watch(script, check_answered)


def record_rounds(script: Script[Result], rounds: list[tuple[Question, Tally]]) -> Script[Result]:
    """The same script; each question is kept in `rounds` with the tally that answered it."""
    return _watch(script, lambda question, tally: rounds.append((question, tally)))


def _watch(script: Script[Result], look: Callable[[Question, Tally], None]) -> Script[Result]:
    """The same script; `look` is called with each question and its tally before the script goes on."""
    try:
        question = next(script)
        while True:
            tally = yield question
            look(question, tally)
            question = script.send(tally)
    except StopIteration as stop:
        result: Result = stop.value
        return result
    finally:
        script.close()


def check_answered(question: Question, tally: Tally) -> None:
    """A tally is of this question, and somebody answered in every group: otherwise nothing can be decided upon."""
    tally.check(question)
    if silent := question.silent_groups(tally.reports):
        raise InvalidInput(
            f"survey {question.survey!r} round {question.round} ({question.role}): {silent} of {len(tally.reports)} "
            "groups have no report",
            fix="keep the round open or plan for fewer groups",
        )
