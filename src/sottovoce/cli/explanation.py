"""What `sotto explain` knows: a question, and with a collection the answer of a device."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sottovoce.cli.answering import answer, inputs, placed, plain, relative_likelihood
from sottovoce.cli.methods import protocol
from sottovoce.cli.terminal import count
from sottovoce.cli.words import promise, steps
from sottovoce.device import Collections
from sottovoce.messages import Grid, InvalidInput, Position, Question, Tally
from sottovoce.messages.exact import exact
from sottovoce.protocols import Mean, Protocol


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """A question with everything that can be said about it; `device` is None without a collection."""

    question: Question
    asked_epsilon: float
    users: int
    method: str
    reason: str
    assumed_winner: int | None
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
            "question": plain(self.question),
            "digest": self.question.digest,
            "question_bytes": len(self.question.to_bytes()),
            "method": self.method,
            "reason": self.reason,
            "round": self.question.round,
            "assumed_winner": self.assumed_winner,
            "epsilon": self.epsilon,
            "steps": dict(steps(self.question)),
            "promise": promise(self.question),
            "device": self.device,
        }

    def computed_words(self) -> str:
        """The encoder's answer for the participant's own eyes."""
        assert self.device is not None
        found, placement = self.device["computes"], self.question.encoder.placement
        if found is None:
            return "one of them, drawn at the moment of answering"
        if isinstance(placement, Position):
            shown = ", ".join(f"{value:.4g}" for value in found[:8])
        else:
            shown = "bin " + ", ".join(str(index) for index in found[:8])
            if isinstance(placement, Grid):
                shown += f" of 0 … {placement.count - 1}"
        return shown + (f" … ({len(found):,} in all)" if len(found) > 8 else "")

    def sent_words(self) -> str:
        """How large the report is."""
        assert self.device is not None
        payload = count(self.device["payload_bytes"], "byte")
        return f"{payload} in hexadecimal; {count(self.device['message_bytes'], 'byte')} with its envelope"


def explained(
    method: str,
    *,
    epsilon: float,
    low: float,
    high: float,
    users: int,
    observations: int,
    round: int,
    values: Sequence[float] | None,
    cap: float | None,
) -> Explanation:
    """Take the survey to the wanted round and let a device answer it."""
    survey = protocol(method, epsilon=epsilon, low=low, high=high, users=users, observations=observations)
    collection = None if values is None else Collections.of_one(values)
    question, winner = survey.decide(()), None
    assert isinstance(question, Question)
    if round == 1:
        question, winner = _second(survey, question, collection)
    ran, reason = survey.chosen if isinstance(survey, Mean) else (method, "a baseline, to compare with")
    device = None if collection is None or values is None else _device(question, collection, len(values), cap)
    return Explanation(
        question=question,
        asked_epsilon=epsilon,
        users=users,
        method=ran,
        reason=reason,
        assumed_winner=winner,
        device=device,
    )


def _second(survey: Protocol[Any], first: Question, collection: Collections | None) -> tuple[Question, int]:
    """The question after a vote that the collection's own bin has won; without a collection, the middle bin."""
    if first.role != "vote":
        raise InvalidInput(
            "this survey asks one question only: leave out --round, or take --method paper or theory with enough "
            "observations for a vote to pay"
        )
    winner = first.channel.span // 2
    if collection is not None:
        own = inputs(first, collection)
        assert own is not None
        winner = int(own[0])
    cells = [0] * first.channel.cells
    cells[winner] = first.slots.count
    second = survey.decide((Tally.build(first, [first.slots.count], [cells]),))
    assert isinstance(second, Question)
    return second, winner


def _device(question: Question, collection: Collections, held: int, cap: float | None) -> dict[str, Any]:
    sent = answer(question, collection, cap=cap)
    own = inputs(question, collection)
    bound = float(question.epsilon_bound())
    return {
        "observations": held,
        "computes": None if own is None else placed(question, own),
        "report": {"question": sent.report.question, "slot": sent.report.slot, "payload": sent.report.payload},
        "payload_bytes": sent.payload_bytes,
        "message_bytes": len(sent.message),
        "relative_likelihood": None if own is None else relative_likelihood(question, sent.report, own),
        "guaranteed_likelihood": [math.exp(-bound), math.exp(bound) if bound < 700 else math.inf],
    }
