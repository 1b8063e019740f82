"""A stage for ledgers: a file, a device that asks it, and an outbox of what was sent."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any

from sottovoce.audit.lanes import Words
from sottovoce.design import unary
from sottovoce.device import Collections, Ledger, SystemEntropy, respond
from sottovoce.messages import Average, Declined, Encoder, Grid, Manifest, Question, Slots

Open = Callable[[str, float], Ledger]
Responds = Callable[..., bytes]
"""As `device.respond`."""

PEOPLE = Collections.of_one([0.2, 0.7])
ITEMS = 64
"""Bits of a report: two that were drawn afresh are never alike."""


def shipped_ledger(path: str, cap: float) -> Ledger:
    """The ledger of a device."""
    return Ledger(path, cap=cap)


@cache
def question(survey: str, *, round: int = 0) -> Question:
    """A vote that costs about one."""
    return Question(
        survey=survey,
        round=round,
        role="vote",
        slots=Slots(first=0, count=10),
        encoder=Encoder(statistic=Average(), placement=Grid(low=(0.0,), high=(1.0,), count=ITEMS)),
        channel=unary(1.0, ITEMS),
        epsilon=1.0,
    )


@cache
def cost() -> Fraction:
    """What one answer costs, exactly."""
    return question("cost").epsilon_bound()


class Counted:
    """The system's entropy; counts the words, and can do something when the first is drawn."""

    def __init__(self, at_first: Callable[[], None] | None = None) -> None:
        self._system = SystemEntropy()
        self._at_first = at_first
        self.drawn = 0

    def words(self, count: int) -> Words:
        if self.drawn == 0 and self._at_first is not None:
            self._at_first()
        self.drawn += count
        return self._system.words(count)


class Outbox:
    """What is in the world: a pipe, which no disk can fill and which outlives the processes that write to it."""

    def __init__(self) -> None:
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._reader, False)
        self._read = b""

    def put(self, line: str) -> None:
        os.write(self._writer, f"{line}\n".encode())

    def lines(self) -> list[str]:
        with suppress(BlockingIOError):
            while more := os.read(self._reader, 2**16):
                self._read += more
        return self._read.decode().splitlines()

    def close(self) -> None:
        os.close(self._reader)
        os.close(self._writer)


@dataclass(frozen=True, kw_only=True)
class Stage:
    """A ledger that is opened from a file with a cap, and an outbox."""

    path: str
    open: Open
    cap: float
    responds: Responds = respond
    outbox: Outbox = field(default_factory=Outbox)

    def ledger(self) -> Ledger:
        return self.open(self.path, self.cap)

    def send(
        self,
        ledger: Ledger,
        survey: str,
        *,
        collector: str = "lab",
        source: str = "diary",
        slot: int = 3,
        round: int = 0,
        entropy: Counted | None = None,
    ) -> bytes:
        """Answer, and put the report in the outbox: from then on it is in the world."""
        asked = question(survey, round=round)
        report = self.hear(ledger, asked, collector=collector, source=source, slot=slot, entropy=entropy or Counted())
        self.outbox.put(f"{collector} {survey} {report.hex()}")
        return report

    def hear(
        self,
        ledger: Ledger,
        asked: Question,
        *,
        collector: str,
        source: str = "diary",
        slot: int = 3,
        entropy: Counted,
        manifest: Manifest | None = None,
    ) -> bytes:
        """What the device says to a question; it is not sent."""
        return self.responds(
            asked.to_bytes(),
            PEOPLE,
            slot=slot,
            digest=asked.digest,
            collector=collector,
            source=source,
            ledger=ledger,
            entropy=entropy,
            manifest=manifest,
        )

    def try_to_send(self, ledger: Ledger, survey: str, **more: Any) -> bytes | None:
        """The report, or None where the device declines."""
        try:
            return self.send(ledger, survey, **more)
        except Declined:
            return None

    def sent(self) -> dict[tuple[str, str], set[str]]:
        """Everything that is in the world, by collector and survey."""
        found: dict[tuple[str, str], set[str]] = {}
        for line in self.outbox.lines():
            collector, survey, report = line.split(" ")
            found.setdefault((collector, survey), set()).add(report)
        return found

    def broken(self) -> str:
        """Which promise was broken by what was sent so far; opens the file again to see."""
        sent = self.sent()
        if any(len(reports) > 1 for reports in sent.values()):
            return "two different reports for one survey"
        if len(sent) * cost() > Fraction(self.cap):
            return f"{len(sent)} answers of {float(cost()):.3g} each, with a cap of {self.cap:g}"
        ledger = self.ledger()
        try:
            for (collector, survey), reports in sent.items():
                entropy = Counted()
                if {self.send(ledger, survey, collector=collector, entropy=entropy).hex()} != reports:
                    return "a report was sent that is not stored: asked again, the device says something else"
                if entropy.drawn:
                    return "fresh noise was drawn for a survey that was answered"
            if ledger.spent("diary") < len(sent) * cost():
                return "less is counted as spent than was said"
        except Declined as error:
            return f"a report was sent that is not stored: asked again, the device declines ({error.code})"
        finally:
            ledger.close()
        return ""
