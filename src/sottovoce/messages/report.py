"""A report: what leaves a device. One user's, or many side by side."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import canonical
from sottovoce.messages.codec import from_plain, to_plain
from sottovoce.messages.limits import MAX_REPORT, check
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
        check(len(self.question) == 64 and _is_hex(self.question), "question: a SHA-256 digest")
        check(self.slot >= 0, "slot counts from 0")
        check(len(self.payload) % 2 == 0 and _is_hex(self.payload), "payload: lower-case hexadecimal")

    def to_bytes(self) -> bytes:
        return canonical.dumps(to_plain(self))

    @classmethod
    def from_bytes(cls, data: bytes) -> Report:
        return from_plain(cls, canonical.loads(data, size=MAX_REPORT))


def _is_hex(text: str) -> bool:
    return all(character in "0123456789abcdef" for character in text)


@dataclass(frozen=True, kw_only=True, eq=False)
class Batch:
    """Reports of many slots to one question: `symbols` is ``(n, uses, channel.width)``."""

    question: Question
    slots: NDArray[np.int64]
    symbols: NDArray[np.int64]

    def __post_init__(self) -> None:
        question = self.question
        check(
            self.symbols.shape == (len(self.slots), question.uses, question.channel.width), "symbols of another shape"
        )

    def __len__(self) -> int:
        return len(self.slots)

    def reports(self) -> list[Report]:
        """The same answers as separate reports."""
        payloads = self.question.channel.pack(self.symbols).reshape(len(self), -1)
        return [
            Report(question=self.question.digest, slot=int(slot), payload=payload.tobytes().hex())
            for slot, payload in zip(self.slots, payloads, strict=True)
        ]

    @classmethod
    def of(cls, question: Question, reports: Iterable[Report]) -> Batch:
        """Put reports side by side; one that is not an answer to this question is `Malformed`."""
        rows = list(reports)
        size = question.payload_bytes
        for report in rows:
            check(report.question == question.digest, "a report to another question")
            check(report.slot in question.slots, "a report from a slot that was not asked")
            check(len(report.payload) == 2 * size, f"a report to this question has {size} bytes")
        slots = np.array([report.slot for report in rows], dtype=np.int64)
        check(len(np.unique(slots)) == len(slots), "a slot reports once")
        raw = np.frombuffer(bytes.fromhex("".join(report.payload for report in rows)), dtype=np.uint8)
        if not rows:
            return cls(
                question=question, slots=slots, symbols=np.empty((0, question.uses, question.channel.width), int)
            )
        symbols = question.channel.unpack(raw.reshape(len(rows), question.uses, question.channel.payload_bytes))
        check(question.channel.valid(symbols), "a symbol that the channel never sends")
        return cls(question=question, slots=slots, symbols=symbols)
