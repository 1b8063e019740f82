"""The ledger layer: what a ledger promises, tried in the open and through every fault that can be made here.

Never two different reports for one survey. Never a report that is not stored. Over all collectors and surveys never
more about one source than the cap. After every fault the file is opened again and asked.
"""

from __future__ import annotations

import os
import select
import signal
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, nullcontext, suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, partial
from itertools import count, product
from typing import Any

from sottovoce.audit.findings import Finding, attempt, verdict
from sottovoce.audit.ledger_faults import CAN_FORK, CRASHED, Fault, finish, limit_files, start, watched
from sottovoce.audit.questions import single_question
from sottovoce.audit.word_scripts import Words
from sottovoce.design import subset, unary
from sottovoce.device import Collections, Ledger, SystemEntropy, respond
from sottovoce.messages import Declined, Encoder, Grid, Item, Manifest, Question, Rules, Slots, Wave, Way

OpenLedger = Callable[[str, float], Ledger]
Respond = Callable[..., bytes]
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
    votes = Grid(low=(0.0,), high=(1.0,), count=ITEMS)
    return single_question(unary(1.0, ITEMS), votes, survey=survey, round=round, role="vote", users=10)


@cache
def cost() -> Fraction:
    """What one answer costs, exactly."""
    return question("cost").epsilon_bound()


class CountedEntropy:
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
class LedgerTrial:
    """A ledger that is opened from a file with a cap, and an outbox."""

    path: str
    open: OpenLedger
    cap: float
    responds: Respond = respond
    outbox: Outbox = field(default_factory=Outbox)

    def ledger(self) -> Ledger:
        return self.open(self.path, self.cap)

    def send(self, ledger: Ledger, survey: str, *, collector: str = "lab", round: int = 0, **more: Any) -> bytes:
        """Answer, and put the report in the outbox: from then on it is in the world."""
        report = self.answer(ledger, question(survey, round=round), collector=collector, **more)
        self.outbox.put(f"{collector} {survey} {report.hex()}")
        return report

    def answer(self, ledger: Ledger, asked: Question, **more: Any) -> bytes:
        """What the device says to a question; it is not sent."""
        usual = {"source": "diary", "slot": 3, "entropy": CountedEntropy()}
        return self.responds(asked.to_bytes(), PEOPLE, digest=asked.digest, ledger=ledger, **(usual | more))

    def try_to_send(self, ledger: Ledger, survey: str, **more: Any) -> bytes | None:
        """The report, or None where the device declines."""
        try:
            return self.send(ledger, survey, **more)
        except Declined:
            return None

    def sent(self) -> dict[tuple[str, str], set[str]]:
        """Everything that is in the world, by collector and survey."""
        reports: dict[tuple[str, str], set[str]] = {}
        for line in self.outbox.lines():
            collector, survey, report = line.split(" ")
            reports.setdefault((collector, survey), set()).add(report)
        return reports

    def broken_promise(self) -> str:
        """Which promise was broken by what was sent so far; opens the file again to see."""
        sent = self.sent()
        if any(len(reports) > 1 for reports in sent.values()):
            return "two different reports for one survey"
        if len(sent) * cost() > Fraction(self.cap):
            return f"{len(sent)} answers of {float(cost()):.3g} each, with a cap of {self.cap:g}"
        with closing(self.ledger()) as ledger:
            try:
                for (collector, survey), reports in sent.items():
                    entropy = CountedEntropy()
                    if {self.send(ledger, survey, collector=collector, entropy=entropy).hex()} != reports:
                        return "a report was sent that is not stored: asked again, the device says something else"
                    if entropy.drawn:
                        return "fresh noise was drawn for a survey that was answered"
                if ledger.spent("diary") < len(sent) * cost():
                    return "less is counted as spent than was said"
            except Declined as error:
                return f"a report was sent that is not stored: asked again, the device declines ({error.code})"
        return ""

    def broken_promise_or_silence(self) -> str:
        """Which promise was broken, where something must have been answered: silence breaks one."""
        return self.broken_promise() or ("" if self.sent() else "nothing was answered at all")


@cache
def manifest() -> Manifest:
    """Ten slots, one wave, one vote at ε = 1."""
    rules = Rules(
        waves=(Wave(first=0, count=10, epsilon=1.0, roles=("vote",)),),
        ways=(Way.of(question("steps"), opening=True),),
    )
    return Manifest(
        problem="audit",
        settings={},
        reason="",
        rules=rules,
        labels=(),
        columns=(),
        enrolment="ahead",
        access="invited",
        minimum=1,
        opens=0,
        closes=1,
        round_seconds=None,
        quota=1.0,
        retention_days=0,
        collector="audit",
        purpose="audit",
        software="sottovoce",
    )


def announced_question() -> Question:
    """The vote as it was announced."""
    return replace(question("steps"), survey=manifest().digest)


def unannounced_questions() -> Iterator[tuple[str, Question]]:
    """What a device must not answer, by name. Each is a valid question, and costs no more than it says."""
    asked = announced_question()
    encoder = asked.encoder
    yield "a larger ε", replace(asked, epsilon=1.5, channel=unary(1.5, ITEMS))
    yield "another survey's question", question("steps")
    yield "another role", replace(asked, role="refine")
    yield "a question for one slot", replace(asked, slots=Slots(first=3, count=1))
    yield "slots that nobody announced", replace(asked, slots=Slots(first=0, count=20))
    yield "another statistic", replace(asked, encoder=Encoder(statistic=Item(), placement=encoder.placement))
    wider = Grid(low=(-1.0,), high=(1.0,), count=ITEMS)
    yield "another range", replace(asked, encoder=Encoder(statistic=encoder.statistic, placement=wider))
    yield "another channel", replace(asked, channel=subset(1.0, ITEMS))


SIZES = (0, 512, 1024, 2048, 4096, 6000, 8192, 12288, 16384, 20480, 28672)
"""Bytes to which files are limited: somewhere among them lies every write of a commit."""
PROCESSES = 4
INSIDE_SECONDS = 0.15
"""Seconds for which a process that is between looking and spending keeps others waiting, when all have come."""

Make = Callable[[float], LedgerTrial]
Trial = Callable[[Make], Iterator[str]]


def keeps_its_promise(subject: str, opens: OpenLedger, responds: Respond = respond) -> list[Finding]:
    """A finding for each trial, up to the first that is failed: who broke one promise is not tried further."""
    findings: list[Finding] = []
    for name, trial in TRIALS.items():
        if CAN_FORK or trial not in FORKING:
            findings += attempt(subject, "ledger", name, partial(_trial_findings, subject, name, opens, responds))
        if findings and not findings[-1].passed:
            break
    return findings


def _trial_findings(subject: str, name: str, opens: OpenLedger, responds: Respond) -> list[Finding]:
    """Every case of a trial has a file of its own; the first that breaks a promise is named."""
    cases, problem = 0, ""
    with tempfile.TemporaryDirectory(prefix="sottovoce-audit-") as folder, ExitStack() as stack:
        files = count()

        def make(cap: float) -> LedgerTrial:
            path = os.path.join(folder, f"ledger-{next(files)}")
            stage = LedgerTrial(path=path, open=opens, cap=cap, responds=responds)
            stack.callback(stage.outbox.close)
            return stage

        for problem in TRIALS[name](make):
            cases += 1
            if problem:
                break
    return [verdict(subject, "ledger", name, problem, f"{cases} case{'s' if cases > 1 else ''}, every promise kept")]


def one_answer(make: Make) -> Iterator[str]:
    """The same bytes whoever asks again, in this process or after a restart; never an answer to something else."""
    stage = make(9.0)
    for _ in range(2):
        with closing(stage.ledger()) as ledger:
            first = stage.send(ledger, "steps")
            again = {stage.try_to_send(ledger, "steps") for _ in range(3)}
            yield "" if again == {first} else "a retry gives other bytes"
            changes: tuple[dict[str, Any], ...] = ({"round": 1}, {"source": "music"}, {"slot": 4})
            for change in changes:
                with suppress(Declined):
                    stage.send(ledger, "steps", **change)
    yield stage.broken_promise()


def one_cap(make: Make) -> Iterator[str]:
    """All collectors and all surveys share the cap of a source, also after a restart."""
    for collectors, surveys in (((0, 1), (0,)), ((0,), (0, 1, 2)), ((0, 1, 2), (0, 1, 2))):
        stage = make(2.5 if len(collectors) * len(surveys) > 2 else 1.5)
        for collector in collectors:
            for survey in surveys:
                with closing(stage.ledger()) as ledger:
                    stage.try_to_send(ledger, f"survey-{survey}", collector=f"collector-{collector}")
        yield stage.broken_promise_or_silence()


def as_announced(make: Make) -> Iterator[str]:
    """With a manifest, a question that leaves it is declined, costs nothing, and does not stand in the way."""
    stage = make(9.0)
    with closing(stage.ledger()) as ledger:
        answer = partial(
            stage.answer, ledger, collector=manifest().digest, entropy=CountedEntropy(), manifest=manifest()
        )
        for name, asked in unannounced_questions():
            try:
                answer(asked)
            except Declined as declined:
                yield "" if declined.code == "not-announced" else f"{name}: declined, but as {declined.code}"
            else:
                yield f"{name} was answered, though the manifest does not announce it"
        yield "a question that was declined is counted" if ledger.spent("diary") else ""
        yield "" if answer(announced_question()) == answer(announced_question()) else "a retry gives other bytes"


def durable(make: Make) -> Iterator[str]:
    """SQLite is told to wait for the disk, and there is a disk."""
    stage = make(9.0)
    with watched() as watch, closing(stage.ledger()) as ledger:
        stage.send(ledger, "steps")
        if not watch.connections:
            yield "no connection was seen: the ledger opens its file in a way that cannot be watched"
        for one in watch.connections:
            rows = {name: sqlite3.Connection.execute(one, f"PRAGMA {name}").fetchone() for name in _PRAGMAS}
            log, waits, file = rows["journal_mode"][0], rows["synchronous"][0], rows["database_list"][2]
            yield "" if file else "the ledger is in no file"
            safe = (log in _LASTING and waits == 3) or (log == "wal" and waits >= 2)
            yield "" if safe else f"journal {log} with synchronous {waits}: a power cut can undo what was spent"


_LASTING = ("delete", "truncate", "persist", "wal")
_PRAGMAS = ("journal_mode", "synchronous", "database_list")


def _answer_twice(stage: LedgerTrial, strike: Callable[[], AbstractContextManager[object] | None]) -> None:
    """What a device does under a fault: it opens its ledger, answers, tries again when that failed. Then it is cut."""
    with strike() or nullcontext():
        for _ in range(2):
            with suppress(Exception):
                ledger = stage.ledger()
                for _ in range(2):
                    with suppress(Exception):
                        stage.send(ledger, "steps")
        os._exit(0)


def _problem_after_fault(stage: LedgerTrial) -> str:
    """The fault is over: the survey is answered, as it was before if it was, and nothing else can be afforded."""
    if problem := stage.broken_promise():
        return problem
    with closing(stage.ledger()) as ledger:
        if stage.try_to_send(ledger, "steps") is None:
            return "the device stays silent after the fault is over"
        stage.try_to_send(ledger, "another")
    return stage.broken_promise()


def _problems_with_faults(make: Make, kinds: tuple[tuple[str, bool], ...]) -> Iterator[str]:
    """A fault at every statement that opening and answering take, and one right after the report was sent."""
    stage = make(1.5)
    with watched() as watch, closing(stage.ledger()) as ledger:
        stage.send(ledger, "steps")
    steps = len(watch.statements)
    if not steps:
        yield "no statement was seen: the ledger uses its file in a way that cannot be watched"
    for step, (kind, after) in product(range(steps + 1), kinds):
        stage, fault = make(1.5), Fault(kind=kind, step=step, after=after)
        code = finish(start(partial(_answer_twice, stage, partial(watched, fault))))
        problem = "it did not come" if kind == "crash" and code != [CRASHED] else _problem_after_fault(stage)
        place = f"{kind} {'after' if after else 'at'} statement {step + 1}, of {steps} for an answer"
        yield f"{place}: {problem}" if problem else ""


def _problems_with_file_limits(make: Make, *, deadly: bool) -> Iterator[str]:
    for earlier in (0, 1):
        codes = set[int]()
        for size in SIZES:
            stage = make(1.5 + earlier)
            if earlier:
                with closing(stage.ledger()) as ledger:
                    stage.send(ledger, "earlier")
            codes.update(finish(start(partial(_answer_twice, stage, partial(limit_files, size, deadly=deadly)))))
            problem = _problem_after_fault(stage)
            yield f"files limited to {size} bytes: {problem}" if problem else ""
        if deadly and codes != {0, -signal.SIGXFSZ}:
            yield "limits on files were to end some of the processes and not others"


def crashes(make: Make) -> Iterator[str]:
    """The process ends before and after every statement, and in the middle of every write."""
    yield from _problems_with_faults(make, (("crash", False), ("crash", True)))
    yield from _problems_with_file_limits(make, deadly=True)


def full_disk(make: Make) -> Iterator[str]:
    """From some statement on there is no room, and writes end in the middle."""
    yield from _problems_with_faults(make, (("full", False),))
    yield from _problems_with_file_limits(make, deadly=False)


def input_output(make: Make) -> Iterator[str]:
    """A statement fails once: it was not done, or it was done and said to have failed."""
    yield from _problems_with_faults(make, (("io", False), ("io", True)))


def forks(make: Make) -> Iterator[str]:
    """A ledger that was open before a fork, used by all at once."""
    stage = make(2.5)
    finish(start(partial(_ask_across_forks, stage)))
    yield stage.broken_promise_or_silence()


def _ask_across_forks(stage: LedgerTrial) -> None:
    ledger = stage.ledger()
    stage.send(ledger, "before")
    children = [start(partial(_ask, stage, ledger, ("steps", f"own-{child}"))) for child in range(PROCESSES)]
    _ask(stage, ledger, ("steps",))
    finish(*children)
    _ask(stage, ledger, ("steps", "last"))


def _ask(stage: LedgerTrial, ledger: Ledger, surveys: tuple[str, ...]) -> None:
    for survey in surveys:
        with suppress(Exception):
            stage.send(ledger, survey)


def races(make: Make) -> Iterator[str]:
    """One process is inside, and opens its ledger again, when others come: about the same survey, and about others."""
    for survey in ("steps", "other"):
        stage = make(1.5)
        stage.ledger().close()
        inside, arrivals = os.pipe(), os.pipe()
        first = start(partial(_stay_inside, stage, inside[1], arrivals))
        os.close(inside[1])
        os.read(inside[0], 1)  # it is inside, or has ended
        others = [start(partial(_ask_later, stage, survey, arrivals[1])) for _ in range(PROCESSES - 1)]
        for end in (inside[0], *arrivals):
            os.close(end)
        finish(first, *others)
        yield stage.broken_promise_or_silence()


def _stay_inside(stage: LedgerTrial, inside: int, arrivals: tuple[int, int]) -> None:
    def again() -> None:
        with suppress(Declined):  # it waits for this very process, and may give up
            stage.ledger()

    def wait() -> None:
        other = threading.Thread(target=again, daemon=True)
        other.start()  # closing any descriptor of a file drops the locks that a process holds on it
        other.join(INSIDE_SECONDS)
        os.write(inside, b"x")
        os.close(arrivals[1])
        for _ in range(PROCESSES - 1):  # not for ever: a ledger may keep others out before they can say that they came
            if select.select(arrivals[:1], [], [], 10 * INSIDE_SECONDS)[0]:
                os.read(arrivals[0], 1)
        time.sleep(INSIDE_SECONDS)

    stage.send(stage.ledger(), "steps", entropy=CountedEntropy(wait))


def _ask_later(stage: LedgerTrial, survey: str, arrivals: int) -> None:
    ledger = stage.ledger()
    os.write(arrivals, b"x")
    stage.send(ledger, survey)


TRIALS: dict[str, Trial] = {
    "one answer for each survey": one_answer,
    "one cap for all collectors and surveys": one_cap,
    "only what was announced": as_announced,
    "durable before anything is sent": durable,
    "crash at every step": crashes,
    "full disk": full_disk,
    "input and output errors": input_output,
    "open ledger across a fork": forks,
    "several processes at once": races,
}
FORKING = (crashes, full_disk, input_output, forks, races)
"""Trials that need processes which can be ended, or raced."""
