"""What can be said about a question of a survey, and with a collection about the answer of a device."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sottovoce.device import Collections
from sottovoce.explain.answering import inputs, placed, relative_likelihood, send
from sottovoce.explain.as_if import expected_tally
from sottovoce.explain.steps import promise, steps
from sottovoce.messages import Category, Fact, InvalidInput, Item, Position, Question, Tally, counted, exact
from sottovoce.methods import Survey
from sottovoce.problems import AUTO, Settings, choose

_SHOWN = 8


class Compared(Survey[Any], Protocol):
    """A survey that is compared with the methods of a problem."""

    @property
    def name(self) -> str: ...

    @property
    def epsilon(self) -> float: ...


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """A question with everything that can be said about it; `device` is None without a collection."""

    question: Question
    asked_epsilon: float
    users: int
    method: str
    reason: Fact
    """The method, and why."""
    assumed: Fact | None
    """What earlier rounds are taken to have found; None for the first question."""
    device: dict[str, Any] | None

    @property
    def epsilon(self) -> dict[str, float]:
        """What was asked for, what the question declares, what is proven, and by how much it stays below."""
        proven = self.question.epsilon_bound()
        return {
            "asked": self.asked_epsilon,
            "declared": self.question.epsilon,
            "certified": float(proven),
            "slack": float(exact(self.question.epsilon) - proven),
        }

    def to_dict(self) -> dict[str, Any]:
        return {
            "question": json.loads(self.question.to_bytes()),  # its canonical form is what the digest is of
            "digest": self.question.digest,
            "question_bytes": len(self.question.to_bytes()),
            "method": self.method,
            "reason": self.reason.to_plain(),
            "round": self.question.round,
            "assumed": self.assumed and self.assumed.to_plain(),
            "epsilon": self.epsilon,
            "steps": {name: step.to_plain() for name, step in steps(self.question)},
            "promise": promise(self.question).to_plain(),
            "device": self.device,
        }

    @property
    def computed(self) -> Fact:
        """The encoder's answer for the participant's own eyes."""
        assert self.device is not None
        found, placement = self.device["computes"], self.question.encoder.placement
        if found is None and self.device["observations"] == 0:
            return self.question.encoder.nothing
        if found is None:
            return Fact("explain-drawn", one=isinstance(self.question.encoder.statistic, (Item, Category)))
        more = {"total": len(found) if len(found) > _SHOWN else None, "groups": self.question.groups}
        kind = "number" if isinstance(placement, Position) else "bin"
        values = [Fact(f"explain-{kind}", value=value) for value in found[:_SHOWN]]
        if isinstance(placement, Position):
            return Fact("explain-numbers", values=values, **more)
        return Fact("explain-bins", values=values, last=placement.count - 1, **more)

    @property
    def sent(self) -> Fact:
        """How large the report is."""
        assert self.device is not None
        return Fact("explain-sent", payload=self.device["payload_bytes"], bytes=self.device["message_bytes"])


def explained(
    survey: Settings | Compared,
    *,
    round: int = 0,
    collection: Sequence[float] | Sequence[Sequence[float]] | None = None,
    cap: float | None = None,
) -> Explanation:
    """Take a survey of any problem, or a baseline, to a question and let a device answer it.

    `collection` is what one user holds: numbers, or rows of them. `round` counts from 0; rounds before it are taken as
    if everybody held this collection, or nothing at all without one, and noise cancelled out. `cap` is the most the
    device would ever spend (default: what the question declares).

    Raises
    ------
    InvalidInput
        The survey has no such round; with how many it has.
    Declined
        The device does not answer, with its code.
    """
    held = None if collection is None else Collections.of_one(collection)
    question = _question(survey, round, Collections.of_one(()) if held is None else held)
    method, reason = _method(survey)
    return Explanation(
        question=question,
        asked_epsilon=survey.epsilon,
        users=survey.users,
        method=method,
        reason=reason,
        assumed=None if round == 0 else Fact("explain-assumed", known=held is not None),
        device=None if held is None else _device(question, held, cap),
    )


def explained_question(
    question: Question,
    *,
    collection: Sequence[float] | Sequence[Sequence[float]] | None = None,
    cap: float | None = None,
) -> Explanation:
    """A question as it came, whatever survey it is of; without a collection the device holds nothing."""
    return Explanation(
        question=question,
        asked_epsilon=question.epsilon,
        users=question.slots.count,
        method="",
        reason=Fact("explain-as-the-question-says"),
        assumed=None,
        device=_device(question, Collections.of_one(() if collection is None else collection), cap),
    )


def _question(survey: Settings | Compared, round: int, everybody: Collections) -> Question:
    """The question of a round, when all users hold the same."""
    if round < 0:
        raise InvalidInput(rule="round counts from 0", wrong=f"got {round}")
    tallies: tuple[Tally, ...] = ()
    while True:
        asked = survey.decide(tallies)
        if not isinstance(asked, Question):
            rounds = len(tallies)
            there = "round 0 only" if rounds == 1 else f"rounds 0 to {rounds - 1}"
            raise InvalidInput(f"this survey asks {counted(rounds, 'question')}", fix=f"take {there}, not {round}")
        if len(tallies) == round:
            return asked
        tallies += (expected_tally(asked, everybody),)


def _method(survey: Settings | Compared) -> tuple[str, Fact]:
    """What runs, and why."""
    if not isinstance(survey, Settings):
        return survey.name, _because(survey.name, "explain-baseline")
    chosen = choose(survey)
    name = chosen.method.name
    alone = "explain-only-method" if survey.method == AUTO else "explain-asked-for"
    return name, _because(name, alone) if chosen.why is None else chosen.why.told(name)


def _because(method: str, code: str) -> Fact:
    return Fact("chosen", method=method, parts=(Fact(code),))


def _device(question: Question, collection: Collections, cap: float | None) -> dict[str, Any]:
    sent = send(question, collection, cap=cap)
    own = inputs(question, collection)
    bound = float(question.epsilon_bound())
    return {
        "observations": int(collection.sizes[0]),
        "computes": None if own is None else placed(question, own),
        "report": {"question": sent.report.question, "slot": sent.report.slot, "payload": sent.report.payload},
        "payload_bytes": sent.payload_bytes,
        "message_bytes": len(sent.message),
        "relative_likelihood": None if own is None else relative_likelihood(question, sent.report, own),
        "guaranteed_likelihood": [math.exp(-bound), math.exp(bound) if bound < 700 else math.inf],
    }
