"""The loop. Four lines, and the same for every engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from sottovoce.messages import Question, Tally
from sottovoce.schemes import Survey

Ask = Callable[[Question], Tally]
Result = TypeVar("Result")


def run(protocol: Survey[Result], ask: Ask) -> Result:
    """Ask what the protocol asks until it answers.

    Privacy
    -------
    The engine behind `ask` decides who answers; every protocol asks a slot at most once.
    """
    tallies: tuple[Tally, ...] = ()
    while isinstance(step := protocol.decide(tallies), Question):
        tallies += (ask(step),)
    return step


def questions_of(protocol: Survey[Result], ask: Ask) -> tuple[Result, tuple[Question, ...]]:
    """Run it, and keep every question that it asks."""
    asked: list[Question] = []

    def recorded(question: Question) -> Tally:
        asked.append(question)
        return ask(question)

    return run(protocol, recorded), tuple(asked)
