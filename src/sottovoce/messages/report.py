"""A report: what leaves a device. One user's, or many side by side."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import canonical
from sottovoce.messages.codec import from_plain
from sottovoce.messages.limits import MAX_REPORT, MAX_REPORT_BYTES, check
from sottovoce.messages.packed import NOT_ASKED, faults, refusal
from sottovoce.messages.question import Question


@dataclass(frozen=True, kw_only=True)
class Report:
    """The answer of one slot to one question. `payload` is hexadecimal and of one length for everybody."""

    question: str
    slot: int
    payload: str
    version: int = 1

    def __post_init__(self) -> None:
        check(self.version == 1, "version 1 is the one this software speaks")
        check(
            len(self.question) == 64 and _HEXADECIMAL.fullmatch(self.question) is not None, "question: a SHA-256 digest"
        )
        check(self.slot >= 0, "slot counts from 0")
        check(
            len(self.payload) % 2 == 0 and _HEXADECIMAL.fullmatch(self.payload) is not None,
            "payload: lower-case hexadecimal",
        )

    def to_bytes(self) -> bytes:
        return f'{{"payload":"{self.payload}","question":"{self.question}","slot":{self.slot},"version":1}}'.encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Report:
        """Read a report; anything but the canonical form of one is `Malformed`."""
        if len(data) <= MAX_REPORT_BYTES and (match := _CANONICAL.fullmatch(data)) is not None:
            payload, question, slot = match.groups()
            if len(payload) % 2 == 0 and (number := int(slot)) <= canonical.SAFE_INTEGER:
                made: Report = object.__new__(cls)  # the pattern has checked all that the constructor would
                vars(made).update(question=question.decode(), slot=number, payload=payload.decode(), version=1)
                return made
        return from_plain(cls, canonical.loads(data, size=MAX_REPORT))  # says what is wrong with it


_CANONICAL = re.compile(
    rb'\{"payload":"([0-9a-f]*+)","question":"([0-9a-f]{64})","slot":(0|[1-9][0-9]{0,15}),"version":1\}'
)
_HEXADECIMAL = re.compile(r"[0-9a-f]*")


def check_size(question: Question, size: int) -> None:
    """Refuse reports of another size than that of the answers to a question."""
    check(size == question.payload_bytes, f"a report to this question has {question.payload_bytes} bytes")


class Batch:
    """Reports of many slots to one question, side by side. A frozen value.

    They are held as `payloads` ``(n, payload_bytes)``, as they are stored and sent, or as `symbols`
    ``(n, uses, channel.width)``, as a channel speaks; the other form is made when it is first asked for.
    """

    __slots__ = ("_payloads", "_symbols", "question", "slots")

    question: Question
    slots: NDArray[np.int64]

    def __init__(self, *, question: Question, slots: NDArray[np.int64], symbols: NDArray[np.int64]) -> None:
        check(symbols.shape == (len(slots), question.uses, question.channel.width), "symbols of another shape")
        self._hold(question, slots, symbols=symbols)

    def _hold(
        self,
        question: Question,
        slots: NDArray[np.int64],
        *,
        payloads: NDArray[np.uint8] | None = None,
        symbols: NDArray[np.int64] | None = None,
    ) -> None:
        self.question, self.slots, self._payloads, self._symbols = question, slots, payloads, symbols

    @property
    def payloads(self) -> NDArray[np.uint8]:
        """What the reports carry: ``(n, payload_bytes)``."""
        if self._payloads is None:
            packed = self.question.channel.pack(self._symbols)  # type: ignore[arg-type]  # one of the two is there
            self._payloads = packed.reshape(len(self), self.question.payload_bytes)
        return self._payloads

    @property
    def symbols(self) -> NDArray[np.int64]:
        """What they say: ``(n, uses, channel.width)``; padding that is not zero is `Malformed`."""
        if self._symbols is None:
            question = self.question
            rows = self.payloads.reshape(len(self), question.uses, question.channel.payload_bytes)
            self._symbols = question.channel.unpack(rows).reshape(len(self), question.uses, question.channel.width)
        return self._symbols

    def __len__(self) -> int:
        return len(self.slots)

    def reports(self) -> list[Report]:
        """The same answers as separate reports."""
        return [
            Report(question=self.question.digest, slot=int(slot), payload=payload.tobytes().hex())
            for slot, payload in zip(self.slots, self.payloads, strict=True)
        ]

    @classmethod
    def of_payloads(cls, question: Question, slots: NDArray[np.int64], payloads: NDArray[np.uint8]) -> Batch:
        """From packed payloads ``(n, payload_bytes)`` of whoever made or checked them: only the shape is looked at."""
        check(payloads.shape == (len(slots), question.payload_bytes), "payloads of another shape")
        made: Batch = object.__new__(cls)
        made._hold(question, slots, payloads=payloads)
        return made

    @classmethod
    def of(cls, question: Question, reports: Iterable[Report], *, slots_once: bool = True) -> Batch:
        """Put reports side by side; one that is not an answer to this question is `Malformed`.

        Without `slots_once` a slot may appear more than once: to look at rows before they are counted.
        """
        rows = list(reports)
        for report in rows:
            check(report.question == question.digest, "a report to another question")
            if report.slot not in question.slots:
                raise refusal(NOT_ASKED)
            check_size(question, len(report.payload) // 2)
        given = [report.slot for report in rows]
        check(not slots_once or len(set(given)) == len(given), "a slot reports once")
        slots = np.array(given, dtype=np.int64)
        return cls.packed(question, slots, bytes.fromhex("".join(report.payload for report in rows)))

    @classmethod
    def packed(cls, question: Question, slots: NDArray[np.int64], payloads: bytes) -> Batch:
        """From payloads one after another, as they are stored; what no device could have sent is `Malformed`."""
        count, size = len(slots), question.payload_bytes
        check(len(payloads) == count * size, f"a report to this question has {size} bytes")
        made = cls.of_payloads(question, slots, np.frombuffer(payloads, dtype=np.uint8).reshape(count, size))
        found = faults(question, slots, made.payloads)
        if found.any():
            raise refusal(int(found[found > 0].min()))
        return made
