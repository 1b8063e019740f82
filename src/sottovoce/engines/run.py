"""The loop. Four lines, and the same for every engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from sottovoce.answers import Answer, Collection
from sottovoce.messages import Question, Tally
from sottovoce.schemes import Survey

Ask = Callable[[Question], Tally]
Result = TypeVar("Result")


def run(protocol: Survey[Result], ask: Ask) -> Result:
    """Ask what the protocol asks until it answers; the answer then says how the collecting went.

    Privacy
    -------
    The engine behind `ask` decides who answers; every protocol asks a slot at most once.
    """
    return questions_of(protocol, ask)[0]


def questions_of(protocol: Survey[Result], ask: Ask) -> tuple[Result, tuple[Question, ...]]:
    """The same, and every question that was asked."""
    asked: tuple[Question, ...] = ()
    tallies: tuple[Tally, ...] = ()
    while isinstance(step := protocol.decide(tallies), Question):
        asked, tallies = (*asked, step), (*tallies, ask(step))
    if isinstance(step, Answer):
        aside = getattr(ask, "aside", None)
        told = () if aside is None else aside(question.digest for question in asked).counts.items()
        step = replace(step, collection=Collection.of(asked, tallies, tuple(told)))
    return step, asked
