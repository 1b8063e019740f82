"""A survey replayed from its tallies, and held against what was published elsewhere.

Numbers may differ in their last digits, by a part in a billion; under two versions of numpy, answers that were measured
differ by two parts in a million million at most. Where such digits decide a rounding on the way to a question (see
`methods.replaying`), the published rounding is taken, and only there: nothing that follows needs more room.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, TypeGuard

from sottovoce.answers import Answer, Collection
from sottovoce.engines.published_facts import Compared, Tolerance, compare_unequal, difference, message_as_read
from sottovoce.messages import InvalidInput, Manifest, Question, Tally, to_plain
from sottovoce.methods import Tie, replaying
from sottovoce.problems import Announced, too_few

FAILS = (ValueError, ArithmeticError, LookupError, AssertionError, TypeError, RecursionError)
"""What a replay may fail with, when it is fed what no survey comes to."""
RELATIVE, CANCELLED = 1e-9, 1e-12
OF_A_RANGE, MEASURED = 2.0**-20, 4e-12
"""More than so much of a range, or of a bin, is no rounding; less than so much of a number is, all the same."""
MOST_TRIES = 64
"""Replays with a rounding turned, in a whole survey; two roundings in a thousand are ties, and few of them matter."""

Step = Question | Answer
_OVER = difference("", "nothing", "a question")


def tolerance(manifest: Manifest) -> Tolerance:
    """For every number of a survey, whatever its units: the smallest range says how small a number can matter.

    A part in a billion of a number is too much where ranges are narrow and far from zero; there a part of them counts.
    """
    ranges = [*_ranges(manifest.settings)]
    far = [
        stop - start
        for start, stop in (*ranges, *_bins(manifest.settings))
        if RELATIVE * max(abs(start), abs(stop)) > OF_A_RANGE * (stop - start) > 0
    ]
    return Tolerance(
        relative=RELATIVE,
        absolute=CANCELLED * min([1.0, *(stop - start for start, stop in ranges)]),
        most=OF_A_RANGE * min(far) if far else math.inf,
        least=MEASURED if far else 0.0,
    )


def _ranges(settings: dict[str, Any]) -> Iterator[tuple[float, float]]:
    """Where numbers lie, as the survey declares it: each range, or a ball from its centre on."""
    low, high, radius = settings.get("low"), settings.get("high"), settings.get("radius")
    pairs = zip(low, high, strict=False) if isinstance(low, list) and isinstance(high, list) else ((low, high),)
    yield from ((start, stop) for start, stop in pairs if _number(start) and _number(stop))
    if _number(radius):
        yield from ((at, at + radius) for at in settings.get("centre") or (0.0,) if _number(at))


def _bins(settings: dict[str, Any]) -> Iterator[tuple[float, float]]:
    """What is to be told apart within a range: bins, or centres."""
    yield from pairwise(settings.get("edges") or ())
    yield from ((min(column), max(column)) for column in zip(*(settings.get("centres") or ()), strict=True))
    if settings.get("bins"):
        yield settings["high"] - (settings["high"] - settings["low"]) / settings["bins"], settings["high"]


def _number(value: object) -> TypeGuard[float]:
    return type(value) in (int, float)


def question_comparison(asked: Question, near: Tolerance) -> Callable[[Step], Compared]:
    """How a step compares with a question that was asked: the same to the letter, or but for rounding."""

    def judge(own: Step) -> Compared:
        if not isinstance(own, Question):
            return Compared(differing=1, different=_OVER)
        same = own.digest == asked.digest
        return Compared() if same else compare_unequal(to_plain(message_as_read(own)), to_plain(asked), near)

    return judge


@dataclass
class Replayed:
    """What follows from tallies, step by step."""

    announced: Announced
    turned: tuple[Tie, ...] = ()
    """Roundings that were done the other way where the survey ran."""
    tries: int = field(default=0, repr=False)

    def step(self, tallies: tuple[Tally, ...]) -> Step:
        """The next question, or the answer."""
        with replaying(self.turned):
            return self.announced.step(tallies)

    def nearest_step(self, tallies: tuple[Tally, ...], judge: Callable[[Step], Compared]) -> tuple[Step, Compared]:
        """The next step, and how it compares; ties are turned one by one for as long as that brings it nearer."""
        with replaying(self.turned) as ties:
            computed = self.announced.step(tallies)
        compared = judge(computed)
        while compared.different is not None:
            nearer = self._nearer(tallies, judge, tuple(ties), compared.differing)
            if nearer is None:
                break
            computed, compared, ties = nearer
        return computed, compared

    def _nearer(
        self, tallies: tuple[Tally, ...], judge: Callable[[Step], Compared], ties: tuple[Tie, ...], differing: int
    ) -> tuple[Step, Compared, dict[Tie, None]] | None:
        for tie in ties:
            if tie in self.turned or self.tries >= MOST_TRIES:
                continue
            self.tries += 1
            turned = (*self.turned, tie)
            try:
                with replaying(turned) as met:
                    computed = self.announced.step(tallies)
            except FAILS:  # an earlier question would have been another one
                continue
            compared = judge(computed)
            if compared.differing < differing:
                self.turned = turned
                return computed, compared, met
        return None


def answer_from_tallies(
    manifest: Manifest, rounds: Sequence[tuple[Question, Tally]], *, set_aside: Sequence[tuple[str, int]] = ()
) -> Answer:
    """The answer of an announced survey from the tallies of its rounds, wherever those were counted.

    Every question must be the one that follows from the tallies before, but for rounding.

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
        if (problem := tally.why_impossible(question)) is not None:
            raise InvalidInput(f"round {number}: the tally does not fit its question: {problem}")
        if (why := too_few(announced, question, sum(tally.reports) // question.uses)) is not None:
            raise InvalidInput(str(why))
        computed, compared = replayed.nearest_step(tallies, question_comparison(question, near))
        if compared.different is not None or not isinstance(computed, Question):
            raise InvalidInput(f"round {number}: its question does not follow from the tallies before")
        tallies = (*tallies, tally.as_of(computed))
    step = replayed.step(tallies)
    if isinstance(step, Question):
        raise InvalidInput(f"round {step.round + 1} ({step.role}) is missing: it was not exported, or has not closed")
    asked = [question for question, _ in rounds]
    return replace(step, collection=Collection.of(asked, tallies, tuple(set_aside)))
