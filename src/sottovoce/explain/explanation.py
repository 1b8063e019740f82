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
from sottovoce.explain.words import promise, steps
from sottovoce.messages import Category, InvalidInput, Item, Position, Question, Tally, counted, exact
from sottovoce.problems import AUTO, Settings, choose
from sottovoce.schemes import Survey

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
    reason: str
    assumed: str | None
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
            "reason": self.reason,
            "round": self.question.round,
            "assumed": self.assumed,
            "epsilon": self.epsilon,
            "steps": dict(steps(self.question)),
            "promise": promise(self.question),
            "device": self.device,
        }

    def computed_words(self) -> str:
        """The encoder's answer for the participant's own eyes."""
        assert self.device is not None
        found, placement, groups = self.device["computes"], self.question.encoder.placement, self.question.groups
        if found is None and self.device["observations"] == 0:
            return self.question.encoder.nothing
        if found is None:
            one = isinstance(self.question.encoder.statistic, (Item, Category))
            return "one of them, drawn at the moment of answering" if one else "that, with lots drawn at the moment"
        if isinstance(placement, Position):
            shown = ", ".join(f"{value:.4g}" for value in found[:_SHOWN])
        else:
            shown = f"bin {', '.join(str(index) for index in found[:_SHOWN])} of 0 … {placement.count - 1}"
        shown += f" … ({len(found):,} in all)" if len(found) > _SHOWN else ""
        return shown if groups == 1 else f"{shown} (for the first of {groups:,} groups; others compute other numbers)"

    def sent_words(self) -> str:
        """How large the report is."""
        assert self.device is not None
        payload = counted(self.device["payload_bytes"], "byte")
        return f"{payload} in hexadecimal; {counted(self.device['message_bytes'], 'byte')} with its envelope"


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
        assumed=None if round == 0 else _assumed(known=held is not None),
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
        reason="as the question says; which survey asks it, only its manifest tells",
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


def _assumed(*, known: bool) -> str:
    held = "this collection" if known else "nothing, which counts as the middle"
    return f"everybody asked before held {held}, and noise cancelled out; in a survey the reports decide that"


def _method(survey: Settings | Compared) -> tuple[str, str]:
    """What runs, and why."""
    if not isinstance(survey, Settings):
        return survey.name, "a baseline, to compare with"
    chosen = choose(survey)
    alone = "the only one that auto chooses from" if survey.method == AUTO else "asked for"
    return chosen.method.name, alone if chosen.reason is None else chosen.reason


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
