"""The loop. A few lines, and the same for every engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from sottovoce.answers import Answer, Collection
from sottovoce.messages import Question, Tally
from sottovoce.methods import Script, Survey, steps_of

Ask = Callable[[Question], Tally]
Result = TypeVar("Result")


def run(protocol: Survey[Result], ask: Ask) -> Result:
    """Ask what the protocol asks until it answers; the answer then says how the collecting went.

    Privacy
    -------
    The engine behind `ask` decides who answers; every protocol asks a slot at most once.
    """
    return rounds_of(protocol, ask)[0]


def questions_of(protocol: Survey[Result], ask: Ask) -> tuple[Result, tuple[Question, ...]]:
    """The answer of a protocol, and every question that was asked."""
    return rounds_of(protocol, ask)[:2]


def rounds_of(protocol: Survey[Result], ask: Ask) -> tuple[Result, tuple[Question, ...], tuple[Tally, ...]]:
    """The answer of a protocol, every question that was asked, and what was answered."""
    asked: tuple[Question, ...] = ()
    tallies: tuple[Tally, ...] = ()
    steps = steps_of(protocol)
    step: Any = _after(steps)
    while isinstance(step, Question):
        asked, tallies = (*asked, step), (*tallies, ask(step))
        step = _after(steps, tallies[-1])
    if isinstance(step, Answer):
        aside = getattr(ask, "aside", None)
        told = () if aside is None else aside(question.digest for question in asked).counts.items()
        step = replace(step, collection=Collection.of(asked, tallies, tuple(told)))
    return step, asked, tallies


def _after(steps: Script[Result], tally: Any = None) -> Question | Result:
    """The next step: the first, or the one after this tally."""
    try:
        return steps.send(tally)
    except StopIteration as stop:
        result: Result = stop.value
        return result
