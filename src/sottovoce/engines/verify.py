"""Whether a survey asked what it announced, and answers what its reports say: the chain is gone through again.

Manifest → question → tally → question → … → answer. Everything but the tallies follows from the manifest and from the
tallies before, so that anybody can compute it. A tally is taken as it is: that it is possible can be told, not who
sent the reports.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from sottovoce.answers import Answer, Collection
from sottovoce.engines.alike import Compared, Tolerance, compare
from sottovoce.engines.verdict import Verdict
from sottovoce.messages import (
    ClosedRound,
    Malformed,
    Manifest,
    Question,
    Tally,
    Transcript,
    exact,
    to_plain,
)
from sottovoce.problems import Announced
from sottovoce.schemes import LATTICE

_FAILS = (ValueError, ArithmeticError, LookupError, AssertionError)
"""What a replay may fail with, when it is fed what no survey comes to."""


class _Differs(Exception):  # noqa: N818 - it says what a verdict says
    """The chain is broken here."""

    def __init__(self, step: str, why: str) -> None:
        super().__init__(why)
        self.step, self.why = step, why


def verify(transcript: Transcript, *, survey: str | None = None, answered: Iterable[tuple[str, str]] = ()) -> Verdict:
    """Go through a transcript and say: identical, equal up to rounding, or different, and at which step.

    `survey` is the id from an invitation: without it, any manifest is taken for the announced one. `answered` are pairs
    of a survey and the digest of a question, as a device's ledger holds them: what this device was asked must be what
    everybody was asked.
    """
    chain = _Chain(transcript)
    try:
        chain.manifest_as(survey)
        for number, closed in enumerate(transcript.rounds):
            chain.round(number, closed)
        chain.end()
        chain.devices({question for own, question in answered if own == transcript.survey})
    except _Differs as found:
        return chain.verdict("different", step=found.step, why=found.why)
    return chain.verdict("rounding" if chain.rounded else "identical")


@dataclass
class _Chain:
    """What was gone through so far."""

    transcript: Transcript
    rounded: int = 0
    """Numbers that were equal up to rounding only."""
    drifted: int = 0
    """Rounds whose questions were: each may move what is asked later by another step."""
    asked: list[Question] = field(default_factory=list)
    """As the transcript has them."""
    tallies: list[Tally] = field(default_factory=list)
    """Of the questions as they were computed here."""
    used: int = 0
    silent: str = ""
    """Why the last round cannot be decided upon, where it cannot."""
    lines: list[str] = field(default_factory=list)

    def manifest_as(self, survey: str | None) -> None:
        """The manifest is the announced one, and its rules are those of its settings."""
        if survey is not None and survey != self.transcript.survey:
            raise _Differs("manifest", f"expected survey {survey[:12]}…, got {self.transcript.survey[:12]}…")
        try:
            self.manifest = Manifest.from_bytes(self.transcript.manifest.encode())
            self.announced = Announced(self.manifest)
            settings = self.announced.settings
            own = settings.problem.method(settings.method).rules(settings)
        except _FAILS as error:
            raise _Differs("manifest", f"it is no manifest that can be kept to: {error}") from None
        found = compare(to_plain(own), to_plain(self.manifest.rules), self._numbers())
        if found.different is not None:
            raise _Differs("manifest", f"its rules are not those of its settings: {found.different}")
        self.rounded += found.rounded
        checked = "" if survey is None else ", the one that was announced"
        self.lines.append(f"manifest {self.transcript.survey[:12]}…{checked}: {self.manifest.problem}, {self._waves()}")

    def round(self, number: int, closed: ClosedRound) -> None:
        """One round: the question, and what was counted."""
        name = f"round {number + 1}"
        if self.silent:
            raise _Differs(name, f"it was asked although {self.silent}")
        try:
            question = Question.from_bytes(closed.question.encode())
        except Malformed as error:
            raise _Differs(f"{name}: question", str(error)) from None
        self._as_announced(f"{name}: question", number, question)
        own = self._step(f"{name}: question")
        if not isinstance(own, Question):
            raise _Differs(f"{name}: question", "the survey was over before: nobody was to be asked any more")
        if question.epsilon != own.epsilon:
            raise _Differs(f"{name}: question", f"it declares ε = {question.epsilon:g}; expected {own.epsilon:g}")
        found = compare(to_plain(own), to_plain(question), self._steps())
        if found.different is not None:
            raise _Differs(f"{name}: question", f"it is not the one that follows from the tallies: {found.different}")
        self._note(found)
        self.asked.append(question)
        self.used = question.slots.first + question.slots.count
        tally = self._counted(f"{name}: tally", number, question, closed)
        if tally is not None:
            self.tallies.append(tally.as_of(own))
        told = "" if found.identical else ", equal up to rounding"
        self.lines.append(f"{name} ({question.role}): {closed.answered:,} of {question.slots.count:,} answered{told}")

    def _as_announced(self, step: str, number: int, question: Question) -> None:
        if (why := self.manifest.departure(question)) is not None:
            raise _Differs(step, f"it leaves what was announced: {why}")
        if question.round != number:
            raise _Differs(step, f"expected round {number + 1}, got round {question.round + 1}: one is missing")
        if question.slots.first < self.used:
            raise _Differs(
                step, f"it asks slots from {question.slots.first} on; those below {self.used} were asked before"
            )
        allowed = min(wave.epsilon for wave in self.manifest.rules.waves_of(question.slots))
        if (proven := question.epsilon_bound()) > exact(allowed):
            raise _Differs(step, f"its channel costs {float(proven):g}; announced: {allowed:g}")

    def _counted(self, step: str, number: int, question: Question, closed: ClosedRound) -> Tally | None:
        """The tally, where there is one."""
        least = self.manifest.minimum
        if not closed.tally:
            if closed.answered >= least:
                raise _Differs(step, f"it is missing, although {closed.answered:,} answered and {least:,} are enough")
            self.silent = f"only {closed.answered:,} answered round {number + 1}, of at least {least:,}"
            return None
        try:
            tally = Tally.from_bytes(closed.tally.encode())
            tally.check(question)
        except Malformed as error:
            raise _Differs(step, str(error)) from None
        users = sum(tally.reports) // question.uses
        if users != closed.answered:
            raise _Differs(step, f"it counts {users:,} users; the round says that {closed.answered:,} answered")
        if users < least:
            raise _Differs(step, f"only {users:,} answered, of at least {least:,}: nothing was to be shown")
        if min(tally.reports) < 1:
            self.silent = f"nobody answered in a group of round {number + 1}"
        return tally

    def end(self) -> None:
        """What came of it."""
        transcript = self.transcript
        if transcript.abandoned:
            if not self.silent:
                raise _Differs("end", f"it was abandoned although every round had enough users: {transcript.abandoned}")
            self.lines.append(f"abandoned: {transcript.abandoned} ({self.silent})")
            return
        if self.silent:
            raise _Differs("end", f"it was not abandoned although {self.silent}")
        own = self._step("answer")
        if isinstance(own, Question):
            if transcript.answer:
                raise _Differs("answer", f"it came although round {own.round + 1} ({own.role}) was not asked")
            self.lines.append(f"running: round {own.round + 1} ({own.role}) has not closed")
            return
        if not transcript.answer:
            raise _Differs("answer", "it is missing, although the last round has closed")
        self._same_answer(replace(own, collection=Collection.of(self.asked, self.tallies)))

    def _same_answer(self, own: Answer) -> None:
        try:
            told: Any = json.loads(self.transcript.answer)
        except (ValueError, RecursionError):
            raise _Differs("answer", "it is no JSON document") from None
        found = compare(json.loads(own.to_json()), told, self._steps() if self.drifted else self._numbers())
        if found.different is not None:
            raise _Differs("answer", f"it is not the one that follows from the tallies: {found.different}")
        self._note(found)
        self.lines.append("answer: follows from the tallies" + ("" if found.identical else ", up to rounding"))

    def devices(self, questions: set[str]) -> None:
        """What devices of this survey were asked is what the transcript says everybody was asked."""
        known = {question.digest for question in self.asked}
        if self.state == "running" and isinstance(own := self._step("end"), Question):
            known.add(own.digest)
        for question in sorted(questions - known):
            if self.state == "running" and self.rounded:  # another machine may have written its last digits otherwise
                self.lines.append(
                    f"question {question[:12]}… is not published yet: look again when its round has closed"
                )
                continue
            raise _Differs(
                "device", f"this device was asked something else: question {question[:12]}… is none of these"
            )
        if questions:
            self.lines.append("device: was asked what everybody was asked")

    @property
    def state(self) -> str:
        transcript = self.transcript
        return "abandoned" if transcript.abandoned else "done" if transcript.answer else "running"

    def verdict(self, kind: str, *, step: str = "", why: str = "") -> Verdict:
        return Verdict(
            kind=kind, step=step, why=why, state=self.state, survey=self.transcript.survey, lines=tuple(self.lines)
        )

    def _step(self, step: str) -> Question | Answer:
        try:
            return self.announced.step(tuple(self.tallies))
        except _FAILS as error:
            raise _Differs(step, f"it cannot be computed from the tallies: {error}") from None

    def _note(self, found: Compared) -> None:
        self.rounded += found.rounded
        self.drifted += bool(found.rounded)

    def _numbers(self) -> Tolerance:
        """Of the last digits of a computation."""
        return Tolerance(absolute=1e-12)

    def _steps(self) -> Tolerance:
        """Of numbers on the lattice: one step, and one more for each round that was a step off before."""
        ranges = [way.high - way.low for way in self.manifest.rules.ways]
        low, high = self.manifest.settings.get("low"), self.manifest.settings.get("high")
        if isinstance(low, float) and isinstance(high, float):
            ranges.append(high - low)
        return Tolerance(absolute=(1 + self.drifted) * LATTICE * max(ranges) * (1 + 1e-9))

    def _waves(self) -> str:
        rules = self.manifest.rules
        return f"{rules.users:,} slots in {len(rules.waves)} waves, ε at most {rules.epsilon:g}"
