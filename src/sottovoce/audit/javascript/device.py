"""The JavaScript device as a path of the audit: the same questions, collections and scripts, answered in Node."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from sottovoce.audit.channel_derivations import Integers, Symbol
from sottovoce.audit.device_paths import Path
from sottovoce.audit.entropy_layer import SMALL_COUNTS, problem_of_bytes, problem_of_reports, source_findings
from sottovoce.audit.findings import Finding
from sottovoce.audit.javascript.bench import Bench, Change, sources
from sottovoce.audit.questions import single_question
from sottovoce.audit.word_scripts import Tape
from sottovoce.device import Collections, Entropy
from sottovoce.messages import (
    Channel,
    Declined,
    Grid,
    Manifest,
    Position,
    Question,
    canonical,
)

_AT_ONCE = 4000
"""Users of one request, and scripts of one request."""
_DECLINED = "declined: "


class FailedInNode(RuntimeError):  # noqa: N818 - says what happened
    """The JavaScript device threw what no device throws on purpose; the text is the name of it."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """Bytes that a device is asked with, at a slot, under a digest (their own, unless one is stated) and a manifest."""

    name: str
    data: bytes
    slot: int
    stated_digest: str | None = None
    manifest: Manifest | None = None

    @property
    def digest(self) -> str:
        return canonical.digest(self.data) if self.stated_digest is None else self.stated_digest


class JavaScript(Path):
    """The shipped modules, or a changed copy of them. One user is answered after another, each as on a page.

    A `Tape` is played to the device. Any other source means that it draws for itself, from crypto.getRandomValues.
    """

    batched = False
    tries_corners = True
    at_once = (1, 2**62)

    def __init__(self, changes: Sequence[Change] = ()) -> None:
        self._changed = sources(changes)
        self._bench: Bench | None = None

    @property
    def bench(self) -> Bench:
        """Started when it is needed, and again when it has ended."""
        if self._bench is None or not self._bench.close.alive:
            self._bench = Bench(self._changed)
        return self._bench

    def close(self) -> None:
        """End the process, if there is one."""
        if self._bench is not None:
            self._bench.close()

    def compares_words(self, channel: Channel) -> bool:
        return False

    def claimed_cost(self, question: Question) -> Fraction:
        (cost,) = self.examine([Case(name="", data=question.to_bytes(), slot=question.slots.first)])
        if isinstance(cost, str):
            raise Declined(cost, "the JavaScript device declines")
        return cost

    def examine(self, cases: Sequence[Case]) -> list[Fraction | str]:
        """What each question would cost by the device's own account, or why it is declined: a code."""
        requests: list[dict[str, Any]] = []
        for case in cases:
            requests.append({"question": _text(case.data), "slot": case.slot, "digest": case.digest})
            if case.manifest is not None:
                requests[-1] |= {"manifest": _text(case.manifest.to_bytes()), "survey": case.manifest.digest}
        replies = _checked(self.bench.ask({"do": "examined", "cases": requests}))["out"]
        return [Fraction(one["cost"]) if "cost" in one else one["failed"].removeprefix(_DECLINED) for one in replies]

    def inputs(self, question: Question, people: Collections, slots: Integers, entropy: Entropy) -> Integers:
        rows = self._outputs("inputs", question, people, slots, entropy)
        return np.array(rows, dtype=np.int64).reshape(len(slots), question.uses)

    def symbols(self, channel: Channel, inputs: Integers, entropy: Entropy) -> Integers:
        request = {"do": "symbols", "question": _text(carrier(channel)), "inputs": inputs.tolist()}
        symbols = _checked(self.bench.ask(request))["out"][0]
        return np.array(symbols, dtype=np.int64).reshape(len(inputs), channel.width)

    def on_scripts(self, channel: Channel, inputs: list[int], scripts: Sequence[Sequence[int]]) -> list[Symbol | None]:
        answers: list[Symbol | None] = []
        for first in range(0, len(scripts), _AT_ONCE):
            here = scripts[first : first + _AT_ONCE]
            words = np.array([word for script in here for word in script], dtype="<u8")
            request = {"do": "symbols", "question": _text(carrier(channel)), "inputs": inputs}
            more = {"words": _text(words.tobytes()), "lengths": [len(script) for script in here]}
            for one in _checked(self.bench.ask(request | more))["out"]:
                answers.append(None if one is None else tuple(part for symbol in one for part in symbol))
        return answers

    def respond(self, question: Question, one: Collections, slot: int, entropy: Entropy) -> bytes:
        """By the front door, with a ledger that never says no."""
        slots = np.array([slot], dtype=np.int64)
        (report,) = self._outputs("reports", question, one, slots, entropy, front=True)
        return bytes(report, "latin-1")

    def respond_many(self, question: Question, people: Collections, slots: Integers, entropy: Entropy) -> list[bytes]:
        reports = self._outputs("reports", question, people, slots, entropy, front=False)
        return [bytes(report, "latin-1") for report in reports]

    def respond_from(self, script: bytes, question: Question, one: Collections, slot: int) -> tuple[bytes, int]:
        """The report while crypto.getRandomValues gives the bytes of a script; and how many it gave."""
        request = _request("reports", question, one, np.array([slot])) | {"front": True, "kernel": _text(script)}
        reply = _checked(self.bench.ask(request))
        return bytes(reply["out"][0], "latin-1"), reply["used"]

    def words(self, counts: Sequence[int], script: bytes) -> list[tuple[bytes, list[int]]]:
        """What the shipped source gives for these counts, and what it asked of crypto.getRandomValues for each."""
        reply = _checked(self.bench.ask({"do": "source", "counts": list(counts), "kernel": _text(script)}))
        return [(base64.b64decode(one["given"]), one["calls"]) for one in reply["out"]]

    def _outputs(
        self, what: str, question: Question, people: Collections, slots: Integers, entropy: Entropy, **more: Any
    ) -> list[Any]:
        """What comes back for each user, some users after another; those on a script all at once."""
        outputs, size = list[Any](), len(slots) if isinstance(entropy, Tape) else _AT_ONCE
        for first in range(0, len(slots), size):
            here = np.arange(first, min(first + size, len(slots)))
            request = _request(what, question, people.take(here), slots[here]) | more
            if isinstance(entropy, Tape):
                request["words"] = _text(entropy.rest())
            reply = self.bench.ask(request)
            if isinstance(entropy, Tape):
                entropy.used += reply.get("used", 0)
            outputs += _checked(reply)["out"]
        return outputs


def _request(what: str, question: Question, people: Collections, slots: Integers) -> dict[str, Any]:
    """Collections that are alike are sent once, and the same user again and again is a count."""
    places: dict[str, int] = {}
    cases: list[list[int]] = []
    for slot, first, last in zip(slots.tolist(), people.offsets[:-1], people.offsets[1:], strict=True):
        values = np.ascontiguousarray(people.values[first:last], dtype="<f8").tobytes()
        place = places.setdefault(_text(values), len(places))
        if cases and cases[-1][:2] == [place, slot]:
            cases[-1][2] += 1
        else:
            cases.append([place, slot, 1])
    return {
        "do": what,
        "question": _text(question.to_bytes()),
        "digest": question.digest,
        "collections": [{"columns": people.values.shape[1], "values": text} for text in places],
        "cases": cases,
    }


def carrier(channel: Channel) -> bytes:
    """A question that brings a channel to the device; nobody answers it."""
    ends = {"low": (0.0,), "high": (1.0,)}
    binned = channel.kind in ("subset", "unary")
    placement = Grid(**ends, count=channel.span // channel.unit + 1) if binned else Position(**ends)
    return single_question(channel, placement, role="channel", epsilon=16.0).to_bytes()


def _checked(reply: dict[str, Any]) -> dict[str, Any]:
    """The reply, or what the device raised, as this side would have raised it."""
    name = reply.get("failed")
    if name is None:
        return reply
    if name.startswith(_DECLINED):
        raise Declined(name.removeprefix(_DECLINED), "the JavaScript device declines")
    raise FailedInNode(name)


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


IN_NODE = JavaScript()


COUNTS = (1, 2, 0, 7, 64, 1, 1000, 129, 8191, 8192, 8193, 3 * 8192 + 5, *SMALL_COUNTS)
"""Words asked for, one after another: also more than one call may ask for."""
QUOTA = 65_536
"""Bytes that one call of crypto.getRandomValues may ask for."""
_PLENTY = 4096
"""Words on the script of one answer; none of these needs so many."""


def exactly_the_browsers_bytes(subject: str, path: JavaScript) -> list[Finding]:
    """Two findings: the source alone, and a device that draws from it.

    The browser's generator is put on a script, as the system's is. No call may ask for more than a browser gives.
    Everything else that chance could be taken from (Math.random, random identifiers, keys, the clocks) throws on the
    bench, always.
    """

    def alone() -> str:
        script = np.random.Generator(np.random.PCG64(1)).bytes(8 * sum(COUNTS) + 2 * QUOTA)
        first = 0
        for count, (given, calls) in zip(COUNTS, path.words(COUNTS, script), strict=True):
            if problem := problem_of_bytes("browser", count, given, script[first : first + sum(calls)]):
                return problem
            if max(calls, default=0) > QUOTA:
                return f"{count} words were asked for, {max(calls)} bytes of them in one call"
            first += sum(calls)
        return ""

    def answer(question: Question, one: Collections, slot: int, seed: int) -> tuple[bytes, bytes]:
        script = np.random.Generator(np.random.PCG64(seed)).bytes(8 * _PLENTY)
        report, taken = path.respond_from(script, question, one, slot)
        return report, script[:taken] if taken % 8 == 0 else b""

    return source_findings(subject, "browser", len(COUNTS), alone, lambda: problem_of_reports("browser", answer))
