"""The answer of an announced survey from the tallies of its rounds, wherever those were counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sottovoce.answers import Answer, Collection
from sottovoce.engines.replayed import Replayed, asking, tolerance
from sottovoce.messages import InvalidInput, Manifest, Question, Tally
from sottovoce.problems import Announced, too_few


def retold(
    manifest: Manifest, rounds: Sequence[tuple[Question, Tally]], *, set_aside: Sequence[tuple[str, int]] = ()
) -> Answer:
    """Replay a survey; every question must be the one that follows from the tallies before, but for rounding.

    Raises
    ------
    InvalidInput
        With the round: a question that does not follow, a tally that does not fit, too few answers, a round that is
        missing.
    """
    announced = Announced(manifest)
    replayed, near = Replayed(announced), tolerance(manifest)
    tallies: tuple[Tally, ...] = ()
    for number, (question, tally) in enumerate(rounds, 1):
        if (problem := tally.problem(question)) is not None:
            raise InvalidInput(f"round {number}: the tally does not fit its question: {problem}")
        if (why := too_few(announced, question, sum(tally.reports) // question.uses)) is not None:
            raise InvalidInput(str(why))
        own, found = replayed.like(tallies, asking(question, near))
        if found.different is not None or not isinstance(own, Question):
            raise InvalidInput(f"round {number}: its question does not follow from the tallies before")
        tallies = (*tallies, tally.as_of(own))
    step = replayed.step(tallies)
    if isinstance(step, Question):
        raise InvalidInput(f"round {step.round + 1} ({step.role}) is missing: it was not exported, or has not closed")
    asked = [question for question, _ in rounds]
    return replace(step, collection=Collection.of(asked, tallies, tuple(set_aside)))
