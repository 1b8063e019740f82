"""Whether a survey asked what it announced, and answers what its reports say: the chain is gone through again.

Manifest → question → tally → question → … → answer. Everything but the tallies follows from the manifest and from the
tallies before, so that anybody can compute it. A tally is taken as it is: that it is possible can be told, not who
sent the reports, nor whether all that came were counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from sottovoce.answers import Answer, Collection
from sottovoce.engines.alike import Compared, Difference, Tolerance, compare
from sottovoce.engines.closing import untimely
from sottovoce.engines.replayed import FAILS, Replayed, Step, tolerance
from sottovoce.engines.told import answer_of, as_read
from sottovoce.engines.verdict import Verdict
from sottovoce.messages import (
    ClosedRound,
    InvalidInput,
    Malformed,
    Manifest,
    Question,
    Tally,
    Transcript,
    counted,
    digest,
    exact,
    to_plain,
)
from sottovoce.problems import Announced, cannot_be_asked, too_few

Answered: TypeAlias = tuple[str, str] | tuple[str, str, bytes]
"""A survey, the digest of a question of it that a device answered, and the question's bytes where they are kept."""
_OVER = Difference(where="", expected="nothing", got="a question")


class _Differs(Exception):  # noqa: N818 - it says what a verdict says
    """The chain is broken here."""

    def __init__(self, step: str, why: str) -> None:
        super().__init__(why)
        self.step, self.why = step, why


def verify(transcript: Transcript, *, survey: str | None = None, answered: Iterable[Answered] = ()) -> Verdict:
    """Go through a transcript and say: identical, equal up to rounding, or different, and at which step.

    `survey` is the id from an invitation: without it, any manifest is taken for the announced one. `answered` is what a
    device's ledger holds: what this device was asked must be what everybody was asked. A question's bytes are looked at
    where its round is open, and the transcript does not hold them yet.
    """
    chain = _Chain(transcript)
    try:
        chain.manifest_as(survey)
        for number, closed in enumerate(transcript.rounds):
            chain.round(number, closed)
        chain.end()
        chain.devices({name: b"".join(held) for own, name, *held in answered if own == transcript.survey})
    except _Differs as found:
        return chain.verdict("different", step=found.step, why=found.why)
    return chain.verdict("rounding" if chain.rounded else "identical")


def _apart(expected: Any, got: Any, tolerance: Tolerance) -> Compared:
    """Of what is not the same to the letter, even where nothing but the sign of a zero differs."""
    found = compare(expected, got, tolerance)
    return replace(found, rounded=max(1, found.rounded))


@dataclass
class _Chain:
    """What was gone through so far."""

    transcript: Transcript
    rounded: int = 0
    """Numbers that were equal up to rounding only."""
    asked: list[Question] = field(default_factory=list)
    """As the transcript has them."""
    tallies: list[Tally] = field(default_factory=list)
    """Of the questions as they were computed here."""
    used: int = 0
    since: int = 0
    """When the next round opened at the earliest."""
    silent: str = ""
    """Why the last round cannot be decided upon, where it cannot."""
    lines: list[str] = field(default_factory=list)

    def manifest_as(self, survey: str | None) -> None:
        """The manifest is the announced one, and its rules are those of its settings."""
        if survey is not None and survey != self.transcript.survey:
            raise _Differs("manifest", f"expected survey {survey[:12]}…, got {self.transcript.survey[:12]}…")
        try:
            self.manifest = Manifest.from_bytes(self.transcript.manifest.encode())
            self.announced, self.tolerance = Announced(self.manifest), tolerance(self.manifest)
            self.replayed, settings = Replayed(self.announced), self.announced.settings
            rules = as_read(settings.problem.method(settings.method).promises(settings))
        except FAILS as error:
            raise _Differs("manifest", f"it is no manifest that can be kept to: {error}") from None
        found = compare(to_plain(rules), to_plain(self.manifest.rules), self.tolerance)
        if found.different is not None:
            raise _Differs("manifest", f"its rules are not those of its settings: {found.different}")
        self.rounded += found.rounded
        self.since = self.manifest.opens
        checked = "" if survey is None else ", the one that was announced"
        self.lines.append(f"manifest {self.transcript.survey[:12]}…{checked}: {self.manifest.problem}, {self._waves()}")
        if survey is None:
            self.lines.append("not compared with any invitation: give --survey, the id in yours")

    def round(self, number: int, closed: ClosedRound) -> None:
        """One round: the question, what was counted, and why it closed."""
        name = f"round {number + 1}"
        if self.silent:
            raise _Differs(name, f"it was asked although {self.silent}")
        try:
            question = Question.from_bytes(closed.question.encode())
        except Malformed as error:
            raise _Differs(f"{name}: question", str(error)) from None
        own, found = self._asked(f"{name}: question", number, question)
        if vain := self._in_vain(question):
            raise _Differs(name, f"it was asked although {vain}")
        self.asked.append(question)
        self.used = question.slots.first + question.slots.count
        tally = self._counted(f"{name}: tally", number, question, closed)
        if tally is not None:
            self.tallies.append(tally.as_of(own))
        if why := untimely(self.manifest, question, closed, since=self.since, silent=self.silent):
            raise _Differs(f"{name}: closing", why)
        self.since = closed.closed
        told = "" if found.identical else ", equal up to rounding"
        self.lines.append(f"{name} ({question.role}): {closed.answered:,} of {question.slots.count:,} answered{told}")
        if closed.because == "hand":
            self.lines.append(f"{name} was closed by hand, by {closed.by or 'somebody'}: when was theirs to choose")

    def _asked(self, step: str, number: int, question: Question) -> tuple[Question, Compared]:
        """The question as it is computed here; what was asked keeps to the manifest and is this one."""
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

        def judge(own: Step) -> Compared:
            if not isinstance(own, Question):
                return Compared(differing=1, different=_OVER)
            same = own.digest == question.digest
            return Compared() if same else _apart(to_plain(as_read(own)), to_plain(question), self.tolerance)

        own, found = self._like(step, judge)
        if not isinstance(own, Question):
            raise _Differs(step, "the survey was over before: nobody was to be asked any more")
        if question.epsilon != own.epsilon:
            raise _Differs(step, f"it declares ε = {question.epsilon:g}; expected {own.epsilon:g}")
        if found.different is not None:
            raise _Differs(step, f"it is not the one that follows from the tallies: {found.different}")
        return own, found

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
            why = self._ending()
            if not why:
                raise _Differs("end", f"it was abandoned although every round had enough users: {transcript.abandoned}")
            if why != transcript.abandoned:
                raise _Differs("end", f"it was abandoned because {why}, and says: {transcript.abandoned}")
            self.lines.append(f"abandoned: {why}")
            return
        if self.silent:
            raise _Differs("end", f"it was not abandoned although {self.silent}")
        own = self._step("answer")
        if isinstance(own, Question):
            if transcript.answer:
                raise _Differs("answer", f"it came although round {own.round + 1} ({own.role}) was not asked")
            if why := self._in_vain(own):
                raise _Differs("end", f"it was not abandoned although {why}")
            self.lines.append(f"running: round {own.round + 1} ({own.role}) has not closed")
            return
        if not transcript.answer:
            raise _Differs("answer", "it is missing, although the last round has closed")
        self._same_answer(transcript.answer)

    def _ending(self) -> str:
        """Why the survey ended without an answer, in the words of a collector; empty where nothing ended it."""
        if self.asked and (few := too_few(self.announced, self.asked[-1], self.transcript.rounds[-1].answered)):
            return few
        try:
            own = self.replayed.step(tuple(self.tallies))
        except InvalidInput as error:  # a group in which nobody answered
            return str(error)
        except FAILS as error:
            raise _Differs("end", f"it cannot be computed from the tallies: {error}") from None
        return self._in_vain(own) if isinstance(own, Question) else ""

    def _in_vain(self, question: Question) -> str:
        """Why a question cannot be asked after the rounds so far, which ends a survey too; empty where it can."""
        return cannot_be_asked(self.announced, question, now=self.since) or ""

    def _same_answer(self, text: str) -> None:
        try:
            told = answer_of(text)
        except Malformed as error:
            raise _Differs("answer", str(error)) from None

        def judge(own: Step) -> Compared:
            assert isinstance(own, Answer)
            written = replace(own, collection=Collection.of(self.asked, self.tallies)).to_json()
            return Compared() if written == text else _apart(answer_of(written), told, self.tolerance)

        _, found = self._like("answer", judge)
        if found.different is not None:
            raise _Differs("answer", f"it is not the one that follows from the tallies: {found.different}")
        self.lines.append("answer: follows from the tallies" + ("" if found.identical else ", up to rounding"))

    def devices(self, answered: dict[str, bytes]) -> None:
        """What devices of this survey were asked is what the transcript says, or will say, that everybody was asked."""
        known = {question.digest for question in self.asked}
        for name, data in sorted(answered.items()):
            if name not in known and not (self.state == "running" and self._open(name, data)):
                raise _Differs(
                    "device", f"this device was asked something else: question {name[:12]}… is none of these"
                )
        if answered:
            self.lines.append("device: was asked what everybody was asked")

    def _open(self, name: str, data: bytes) -> bool:
        """Whether a question is that of the open round, as it is computed here, but for rounding."""
        own = self._step("end")
        if isinstance(own, Question) and own.digest == name:
            return True
        try:
            if digest(data) == name:
                self._asked("device", len(self.asked), Question.from_bytes(data))
                return True
        except (Malformed, _Differs):
            pass
        return False

    @property
    def state(self) -> str:
        transcript = self.transcript
        return "abandoned" if transcript.abandoned else "done" if transcript.answer else "running"

    def verdict(self, kind: str, *, step: str = "", why: str = "") -> Verdict:
        return Verdict(
            kind=kind, step=step, why=why, state=self.state, survey=self.transcript.survey, lines=tuple(self.lines)
        )

    def _step(self, step: str) -> Step:
        try:
            return self.replayed.step(tuple(self.tallies))
        except FAILS as error:
            raise _Differs(step, f"it cannot be computed from the tallies: {error}") from None

    def _like(self, step: str, judge: Callable[[Step], Compared]) -> tuple[Step, Compared]:
        """What follows from the tallies, as like as another machine's floats could have made it."""
        before = len(self.replayed.turned)
        try:
            own, found = self.replayed.like(tuple(self.tallies), judge)
        except FAILS as error:
            raise _Differs(step, f"it cannot be computed from the tallies: {error}") from None
        found = replace(found, rounded=found.rounded + len(self.replayed.turned) - before)
        self.rounded += found.rounded
        return own, found

    def _waves(self) -> str:
        rules = self.manifest.rules
        return f"{rules.users:,} slots in {counted(len(rules.waves), 'wave')}, ε at most {rules.epsilon:g}"
