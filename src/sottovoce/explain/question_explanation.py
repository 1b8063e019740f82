"""What can be said about a question of a survey, and with a collection about the answer of a device."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sottovoce.device import Collections, Ledger, SystemEntropy, encode, respond
from sottovoce.explain.expected_tally import FixedWords, expected_tally
from sottovoce.messages import (
    Batch,
    Category,
    Direction,
    Each,
    Encoder,
    Fact,
    Grid,
    InvalidInput,
    Item,
    Joint,
    Knots,
    Manifest,
    Nearest,
    Position,
    Question,
    Report,
    Tally,
    counted,
    exact,
)
from sottovoce.methods import Survey
from sottovoce.problems import AUTO, Settings, choose


def report_of_new_device(question: Question, collection: Collections, *, cap: float | None = None) -> bytes:
    """The report of a device with a fresh ledger, as it would travel; `cap` is its budget (default: the question's)."""
    with Ledger(":memory:", cap=question.epsilon if cap is None else cap) as ledger:
        return respond(
            question.to_bytes(),
            collection,
            slot=question.slots.first,
            digest=question.digest,
            collector="rehearsal",
            source="this collection",
            ledger=ledger,
            entropy=SystemEntropy(),
        )


def inputs_of_channel(question: Question, collection: Collections) -> NDArray[np.int64] | None:
    """What the encoder hands to the channel, one for each use; None when the device itself draws lots for it.

    Where lots decide only if there is nothing to speak of, they decide nothing for whoever has something.
    """
    encoder = question.encoder
    if encoder.statistic.draws or (encoder.within is not None and encoder.within.is_drawn):
        return None
    slot = np.array([question.slots.first])
    least, most = (encode(question, collection, slot, FixedWords([word])).ravel() for word in (0, 2**64 - 1))
    return least if np.array_equal(least, most) else None


def input_values(question: Question, channel_inputs: NDArray[np.int64]) -> list[float]:
    """The inputs in the units of the question: clamped numbers, or indices of bins that count from 0."""
    placement, channel = question.encoder.placement, question.channel
    if isinstance(placement, Knots):
        return [float(number) for number in placement.number(channel_inputs / channel.unit)]
    if not isinstance(placement, Position):
        return [int(index) // channel.unit for index in channel_inputs]
    groups = question.group_of(np.array([question.slots.first]))[0] % placement.parts  # one range for all, or each
    ranges = [(placement.low[group], placement.high[group]) for group in groups]
    return [
        low + (high - low) * int(position) / channel.span
        for (low, high), position in zip(ranges, channel_inputs, strict=True)
    ]


def relative_likelihood(question: Question, report: Report, channel_inputs: NDArray[np.int64]) -> tuple[float, float]:
    """How likely this very report is from other collections, as a multiple of this one: the smallest and the largest.

    Over all inputs of the channel, whether or not a collection leads to them.
    """
    least = most = 0.0
    for place, symbol in zip(channel_inputs, Batch.of(question, [report]).symbols[0], strict=True):
        others = question.channel.log_likelihood_ratios(symbol, int(place))
        least, most = least + float(others.min()), most + float(others.max())
    return math.exp(least), math.exp(most) if most < 700 else math.inf


def steps(question: Question) -> list[tuple[str, Fact]]:
    """What a device does, in order: a name and what is done, for each step."""
    encoder = question.encoder
    return [
        ("compute", Fact("step-compute-within" if encoder.within else "step-compute", what=encoder.fact)),
        ("place", Fact("step-place", placed=placement_fact(encoder), nothing=encoder.nothing)),
        ("randomise", question.channel.fact),
        ("send", report_size(question)),
    ]


def placement_fact(encoder: Encoder) -> Fact:
    """Where what is computed falls."""
    placement = encoder.placement
    numbered = isinstance(encoder.statistic, (Nearest, Category, Joint, Direction))
    if numbered and isinstance(placement, Grid) and (*placement.low, *placement.high) == (0.0, placement.count):
        return Fact("placed-number", count=placement.count)
    return placement.fact


def report_size(question: Question) -> Fact:
    """How large a report is, for everybody."""
    each = isinstance(question.encoder.statistic, Each)
    return Fact("report-size", bytes=question.payload_bytes, uses=question.uses, each=each, groups=question.groups)


def promise(question: Question) -> Fact:
    """What the report may tell about a participant, to the participant; the same as odds where that is little.

    Odds: of 100 guesses between two collections, how many are right at most after seeing the report.
    """
    epsilon = float(question.epsilon_bound())
    right = 100 / (1 + math.exp(-epsilon))
    return Fact("promise", **likelier_times(epsilon).data, right=None if right > 95 else math.ceil(right))


def likelier_times(epsilon: float) -> Fact:
    """``e^ε = 2.72``, or only its left side when the number would say nothing."""
    return Fact("likelier-times", epsilon=epsilon, times=math.exp(epsilon) if epsilon <= 100 else None)


# By the names that a manifest has for what a device may compute, as facts: for whoever is asked to agree.
# A manifest names a statistic only; of one that is asked, `Statistic.fact` says more. A test reads both.

_OPEN: dict[str, dict[str, Any]] = {
    "inside": {"ball": False},
    "categories": {"size": None},
    "below": {"size": None},
    "cosines": {"size": None},
}
"""What a manifest's name for a vector leaves open."""
_MEASURED = frozenset({"average", "item", "each", "entry of averages"})
"""Whose range is one of the observations; that of others is the encoder's business."""


def consent_fact(manifest: Manifest) -> Fact:
    """What of the observations the one report is about: everything that may be computed, once, with its ranges."""
    ranges: dict[Fact, list[Fact]] = {}
    for way in manifest.rules.ways:
        about = "groups" if manifest.groups else "columns" if way.columns > 1 else ""
        columns = way.columns if about == "columns" else 1
        spans = ranges.setdefault(
            Fact("may-compute", what=statistic_fact(way.statistic), about=about, columns=columns), []
        )
        # Of the observations themselves; what lies beyond the outermost of some edges is in a bin as well.
        measured = way.statistic in _MEASURED and way.placement != "bins"
        if measured and (ends := range_fact(way.low, way.high)) not in spans:
            spans.append(ends)
    what = [Fact(fact.code, **fact.data, ranges=spans) for fact, spans in ranges.items()]
    return Fact("consent-from-you", what=what)


def statistic_fact(statistic: str) -> Fact:
    """``"norm of categories"`` as a fact, without the numbers that a manifest leaves open."""
    kind, _, vector = statistic.partition(" of ")
    if kind == "average":
        return Fact("computes-average-or-first")
    if kind in ("category", "joint"):
        return Fact(f"computes-{kind}", **{"size" if vector else "places": None})
    of = {"vector": Fact(f"vector-{vector}", **_OPEN.get(vector, {}))} if vector else {}
    return Fact(f"computes-{kind}", **of, **({"directions": None} if kind == "direction" else {}))


def range_fact(low: float, high: float) -> Fact:
    """``from 1 to 5``, to six digits; where those hardly tell the ends apart, to the last one."""
    if abs(high - low) >= 1e-3 * max(abs(low), abs(high)):
        return Fact("consent-span", low=low, high=high)
    return Fact("consent-span-to-the-last-digit", low=_whole_if_possible(low), high=_whole_if_possible(high))


def _whole_if_possible(end: float) -> float:
    """So that a whole number is written as one."""
    return int(end) if float(end).is_integer() and abs(end) < 1e16 else end


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
        values_computed, placement = self.device["computes"], self.question.encoder.placement
        if values_computed is None and self.device["observations"] == 0:
            return self.question.encoder.nothing
        if values_computed is None:
            return Fact("explain-drawn", one=isinstance(self.question.encoder.statistic, (Item, Category)))
        more = {
            "total": len(values_computed) if len(values_computed) > _SHOWN else None,
            "groups": self.question.encoder.parts,
        }
        kind = "bin" if placement.count else "number"
        values = [Fact(f"explain-{kind}", value=value) for value in values_computed[:_SHOWN]]
        if placement.count:
            return Fact("explain-bins", values=values, last=placement.count - 1, **more)
        return Fact("explain-numbers", values=values, **more)

    @property
    def sent(self) -> Fact:
        """How large the report is."""
        assert self.device is not None
        return Fact("explain-sent", payload=self.device["payload_bytes"], bytes=self.device["message_bytes"])


def explain_survey(
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
    people = None if collection is None else Collections.of_one(collection)
    question = _question(survey, round, Collections.of_one(()) if people is None else people)
    method, reason = _method_and_reason(survey)
    return Explanation(
        question=question,
        asked_epsilon=survey.epsilon,
        users=survey.users,
        method=method,
        reason=reason,
        assumed=None if round == 0 else Fact("explain-assumed", known=people is not None),
        device=None if people is None else _device_answer(question, people, cap),
    )


def explain_question(
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
        device=_device_answer(question, Collections.of_one(() if collection is None else collection), cap),
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


def _method_and_reason(survey: Settings | Compared) -> tuple[str, Fact]:
    """What runs, and why."""
    if not isinstance(survey, Settings):
        return survey.name, _chosen_fact(survey.name, "explain-baseline")
    chosen = choose(survey)
    name = chosen.method.name
    alone = "explain-only-method" if survey.method == AUTO else "explain-asked-for"
    return name, _chosen_fact(name, alone) if chosen.why is None else chosen.why.method_fact(name)


def _chosen_fact(method: str, code: str) -> Fact:
    return Fact("chosen", method=method, parts=(Fact(code),))


def _device_answer(question: Question, collection: Collections, cap: float | None) -> dict[str, Any]:
    message = report_of_new_device(question, collection, cap=cap)
    report, channel_inputs = Report.from_bytes(message), inputs_of_channel(question, collection)
    bound = float(question.epsilon_bound())
    return {
        "observations": int(collection.sizes[0]),
        "computes": None if channel_inputs is None else input_values(question, channel_inputs),
        "report": {"question": report.question, "slot": report.slot, "payload": report.payload},
        "payload_bytes": len(report.payload) // 2,
        "message_bytes": len(message),
        "relative_likelihood": None
        if channel_inputs is None
        else relative_likelihood(question, report, channel_inputs),
        "guaranteed_likelihood": [math.exp(-bound), math.exp(bound) if bound < 700 else math.inf],
    }
