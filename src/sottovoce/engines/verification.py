"""Whether a survey asked what it announced, and answers what its reports say: the chain is gone through again.

Manifest → question → tally → question → … → answer. Everything but the tallies follows from the manifest and from the
tallies before, so that anybody can compute it. A tally is taken as it is: that it is possible can be told, not who
sent the reports, nor whether all that came were counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from sottovoce.answers import Answer, Collection, facts
from sottovoce.engines.published_facts import Compared, compare, compare_unequal, message_as_read, parse_answer
from sottovoce.engines.replay import FAILS, Replayed, Step, question_comparison, tolerance
from sottovoce.messages import (
    ClosedRound,
    Fact,
    InvalidInput,
    Malformed,
    Manifest,
    Question,
    Tally,
    Transcript,
    digest,
    exact,
    to_plain,
)
from sottovoce.problems import (
    UNDECIDABLE,
    Announced,
    cannot_be_asked,
    other_edition,
    read,
    silent_groups,
    too_few,
)


def why_closed_too_early(
    manifest: Manifest, question: Question, closed: ClosedRound, *, since: int, silent: Fact | None
) -> Fact | None:
    """Why a round cannot have closed when it did, for the reason that it gives; None where it can.

    `since` is when the round before closed, or when the survey opened; `silent` says why the round cannot be decided
    upon, where it cannot. When a quota was reached, or who closed by hand, cannot be told, nor how long after it opened
    a survey came to a collector. Who closes a round whose time is over, for whatever reason, says so: by its deadline.
    """
    if closed.closed < since:
        return Fact("untimely-early", closed=closed.closed, since=since)
    if closed.because == "quota" and closed.answered < (enough := manifest.enough_answers(question.slots.count)):
        return Fact("untimely-quota", enough=enough, answered=closed.answered)
    lasts = manifest.round_seconds
    due = manifest.closes if lasts is None else min(manifest.closes, since + lasts)
    if closed.because == "deadline" and closed.closed < due:
        return Fact("untimely-deadline", closed=closed.closed, due=due)
    latest = manifest.closes if question.round == 0 else due
    if closed.because != "deadline" and closed.closed > latest:
        return Fact("untimely-late", because=closed.because, closed=closed.closed, latest=latest)
    if silent is not None and closed.because != "deadline":
        return Fact("untimely-silent", why=silent)
    return None


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What came of it, where it differs and in what, and what was gone through.

    `kind` is ``"identical"``, ``"rounding"`` (equal but for the last digits of numbers), ``"different"``, or
    ``"not-replayed"``: the survey's method has changed since, and this release does not hold its `edition`; all that
    can be checked without it holds. `step` and `why` say where it differs and in what; `state` is ``"done"``,
    ``"running"`` or ``"abandoned"``; `lines` say what was gone through.
    """

    kind: str
    step: Fact | None = None
    why: Fact | None = None
    state: str
    survey: str
    lines: tuple[Fact, ...]
    method: str = ""
    edition: int = 1
    release: str = ""
    """The software that announced the survey: what can replay it."""

    @property
    def ok(self) -> bool:
        """Nothing differs."""
        return self.kind != "different"

    @property
    def replayed(self) -> bool:
        """Whether the answer was computed again."""
        return self.kind in ("identical", "rounding")

    def _verdict_fact(self, code: str) -> Fact:
        edition = {"method": self.method, "edition": self.edition, "release": self.release}
        return Fact(code, kind=self.kind, state=self.state, step=self.step, why=self.why, **edition)

    @property
    def headline(self) -> Fact:
        """The verdict in one line."""
        return self._verdict_fact("verdict")

    @property
    def words(self) -> Fact:
        """The verdict for whoever has not read how a survey works."""
        return self._verdict_fact("verdict-words")

    def __str__(self) -> str:
        return "\n".join(map(str, (*self.lines, self.headline)))

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "kind": self.kind,
            "step": self.step and self.step.to_plain(),
            "why": self.why and self.why.to_plain(),
            "state": self.state,
            "survey": self.survey,
            "method": self.method,
            "edition": self.edition,
            "release": self.release,
            "lines": [line.to_plain() for line in self.lines],
            "ok": self.ok,
        }


Answered: TypeAlias = tuple[str, str] | tuple[str, str, bytes]
"""A survey, the digest of a question of it that a device answered, and the question's bytes where they are kept."""
MANIFEST, END, ANSWER, DEVICE = (Fact(f"step-{name}") for name in ("manifest", "end", "answer", "device"))


class _Differs(Exception):  # noqa: N818 - it says what a verdict says
    """The chain is broken here."""

    def __init__(self, step: Fact, code: str, **data: Any) -> None:
        self.step, self.why = step, Fact(code, **data)
        super().__init__(code)


def verify(transcript: Transcript, *, survey: str | None = None, answered: Iterable[Answered] = ()) -> Verdict:
    """Go through a transcript and say: identical, equal up to rounding, or different, and at which step.

    `survey` is the id from an invitation: without it, any manifest is taken for the announced one. `answered` is what a
    device's ledger holds: what this device was asked must be what everybody was asked. A question's bytes are looked at
    where its round is open, and the transcript does not hold them yet.

    Where the survey's method has changed since (another edition), nothing is replayed: that questions keep to the
    manifest and their ε, tallies to their questions, and rounds to their minimum and times, is checked all the same.
    """
    chain = _Chain(transcript)
    try:
        chain.manifest_as(survey)
        for number, closed in enumerate(transcript.rounds):
            chain.round(number, closed)
        chain.end()
        chain.devices({name: b"".join(held) for own, name, *held in answered if own == transcript.survey})
    except _Differs as difference:
        return chain.verdict("different", step=difference.step, why=difference.why)
    if not chain.announced.edition_held:
        return chain.verdict("not-replayed")
    return chain.verdict("rounding" if chain.rounded else "identical")


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
    silent: Fact | None = None
    """Why the last round cannot be decided upon, where it cannot."""
    lines: list[Fact] = field(default_factory=list)

    def tell(self, code: str, **data: Any) -> None:
        """One more line of what was gone through."""
        self.lines.append(Fact(code, **data))

    def manifest_as(self, survey: str | None) -> None:
        """The manifest is the announced one, and its rules are those of its settings."""
        published = self.transcript.survey
        if survey is not None and survey != published:
            raise _Differs(MANIFEST, "differs-survey", expected=survey[:12], got=published[:12])
        try:
            self.manifest = Manifest.from_bytes(self.transcript.manifest.encode())
            self.announced, self.tolerance = Announced(self.manifest), tolerance(self.manifest)
            self.replayed = Replayed(self.announced)
            rules = message_as_read(self.announced.promised()) if self.announced.edition_held else self.manifest.rules
        except FAILS as error:
            raise _Differs(MANIFEST, "differs-no-manifest", error=str(error)) from None
        compared = compare(to_plain(rules), to_plain(self.manifest.rules), self.tolerance)
        if compared.different is not None:
            raise _Differs(MANIFEST, "differs-rules", difference=compared.different)
        self.rounded += compared.rounded
        self.since = self.manifest.opens
        self.tell(
            "checked-manifest",
            survey=published[:12],
            announced=survey is not None,
            problem=self.manifest.problem,
            slots=self.manifest.rules.users,
            waves=len(self.manifest.rules.waves),
            epsilon=self.manifest.rules.epsilon,
        )
        if survey is None:
            self.tell("checked-no-invitation")

    def round(self, number: int, closed: ClosedRound) -> None:
        """One round: the question, what was counted, and why it closed."""
        shown = number + 1
        if self.silent:
            raise _Differs(Fact("step-round", round=shown), "differs-asked-although", why=self.silent)
        step = Fact("step-question", round=shown)
        try:
            question = Question.from_bytes(closed.question.encode())
        except Malformed as error:
            raise _Differs(step, "differs-message", error=str(error)) from None
        self._announced(step, number, question)
        computed, compared = self._follows(step, question) if self.announced.edition_held else (question, Compared())
        if (why_not := self._in_vain(question)) is not None:
            raise _Differs(Fact("step-round", round=shown), "differs-asked-although", why=why_not)
        self.asked.append(question)
        self.used = question.slots.first + question.slots.count
        tally = self._counted(Fact("step-tally", round=shown), number, question, closed)
        if tally is not None:
            self.tallies.append(tally.as_of(computed))
        if (
            why := why_closed_too_early(self.manifest, question, closed, since=self.since, silent=self.silent)
        ) is not None:
            raise _Differs(Fact("step-closing", round=shown), why.code, **why.data)
        self.since = closed.closed
        self.tell(
            "checked-round",
            round=shown,
            role=question.role,
            answered=closed.answered,
            asked=question.slots.count,
            rounded=not compared.identical,
        )
        if closed.because == "hand":
            self.tell("checked-by-hand", round=shown, by=closed.by)

    def _announced(self, step: Fact, number: int, question: Question) -> None:
        """What was asked keeps to the manifest: slots, roles, vocabulary and ε."""
        if (why := self.manifest.departure(question)) is not None:
            raise _Differs(step, "differs-announced", why=str(why))
        if question.round != number:
            raise _Differs(step, "differs-round-missing", expected=number + 1, got=question.round + 1)
        if question.slots.first < self.used:
            raise _Differs(step, "differs-slots", first=question.slots.first, used=self.used)
        allowed = min(wave.epsilon for wave in self.manifest.rules.waves_of(question.slots))
        if (proven := question.epsilon_bound()) > exact(allowed):
            raise _Differs(step, "differs-epsilon", proven=float(proven), allowed=allowed)

    def _follows(self, step: Fact, question: Question) -> tuple[Question, Compared]:
        """The question as it is computed here, which is the one that was asked."""
        computed, compared = self._like(step, question_comparison(question, self.tolerance))
        if not isinstance(computed, Question):
            raise _Differs(step, "differs-over")
        if question.epsilon != computed.epsilon:
            raise _Differs(step, "differs-declared", declared=question.epsilon, expected=computed.epsilon)
        if compared.different is not None:
            raise _Differs(step, "differs-does-not-follow", difference=compared.different)
        return computed, compared

    def _counted(self, step: Fact, number: int, question: Question, closed: ClosedRound) -> Tally | None:
        """The tally, where there is one."""
        least, answered = self.manifest.minimum, closed.answered
        if not closed.tally:
            if answered >= least:
                raise _Differs(step, "differs-tally-missing", answered=answered, least=least)
            self.silent = Fact("silent-too-few", answered=answered, round=number + 1, least=least)
            return None
        try:
            tally = Tally.from_bytes(closed.tally.encode())
            tally.check(question)
        except Malformed as error:
            raise _Differs(step, "differs-message", error=str(error)) from None
        users = sum(tally.reports) // question.uses
        if users != answered:
            raise _Differs(step, "differs-tally-count", users=users, answered=answered)
        if users < least:
            raise _Differs(step, "differs-tally-too-few", users=users, least=least)
        if question.silent_groups(tally.reports):
            self.silent = Fact("silent-group", round=number + 1)
        return tally

    def end(self) -> None:
        """What came of it."""
        if not self.announced.edition_held:
            self.tell("checked-not-replayed")
        elif self.transcript.ended_without_answer:
            self._ended()
        else:
            self._answered(self.transcript.answer)

    def _ended(self) -> None:
        """It ended without an answer, for the reason that it gives."""
        says, why = self.transcript.why_ended, self._ending()
        if why is None:
            raise _Differs(END, "differs-abandoned-needlessly", says=says)
        if self.transcript.abandoned:
            self.tell("checked-ending-facts", why=why)
        elif why != says:
            raise _Differs(END, "differs-abandoned-otherwise", why=why, says=says)
        else:
            self.tell("checked-abandoned", why=why)

    def _answered(self, answer: str) -> None:
        """It has an answer that follows, or runs."""
        if self.silent:
            raise _Differs(END, "differs-not-abandoned", why=self.silent)
        computed = self._step(ANSWER)
        if isinstance(computed, Question):
            if answer:
                raise _Differs(ANSWER, "differs-answer-early", round=computed.round + 1, role=computed.role)
            if (why := self._in_vain(computed)) is not None:
                raise _Differs(END, "differs-not-abandoned", why=why)
            self.tell("checked-running", round=computed.round + 1, role=computed.role)
            return
        if not answer:
            raise _Differs(ANSWER, "differs-answer-missing")
        self._same_answer(answer)

    def _ending(self) -> Fact | None:
        """Why the survey ended without an answer, as a collector says it; None where nothing ended it."""
        given_up = other_edition(self.announced)
        if self.transcript.why_ended == given_up and self.since >= self.manifest.closes:
            return given_up
        if self.asked and (few := too_few(self.announced, self.asked[-1], self.transcript.rounds[-1].answered)):
            return few
        if self.tallies and (silent := silent_groups(self.asked[-1], self.tallies[-1])) is not None:
            return silent
        try:
            computed = self.replayed.step(tuple(self.tallies))
        except InvalidInput:
            return UNDECIDABLE
        except FAILS as error:
            raise _Differs(END, "differs-cannot-compute", error=str(error)) from None
        return self._in_vain(computed) if isinstance(computed, Question) else None

    def _in_vain(self, question: Question) -> Fact | None:
        """Why a question cannot be asked after the rounds so far, which ends a survey too; None where it can."""
        return cannot_be_asked(self.announced, question, now=self.since)

    def _same_answer(self, text: str) -> None:
        """The answer is the one that follows; of one in format 1 all but its sentences."""
        try:
            published = parse_answer(text)
            earlier = (
                isinstance(published, dict) and type(published.get("version")) is int and published["version"] == 1
            )
            if earlier:
                read(text)  # so that what cannot be read is no answer, though its sentences are not compared
        except Malformed as error:
            raise _Differs(ANSWER, "differs-message", error=str(error)) from None

        def judge(own: Step) -> Compared:
            assert isinstance(own, Answer)
            written = replace(own, collection=Collection.of(self.asked, self.tallies)).to_json()
            if written == text:
                return Compared()
            plain = parse_answer(written)
            if not earlier:
                return compare_unequal(plain, published, self.tolerance)
            return compare(_ordered(facts(plain, plain)), _ordered(facts(published, plain)), self.tolerance)

        _, compared = self._like(ANSWER, judge)
        if compared.different is not None:
            raise _Differs(ANSWER, "differs-does-not-follow", difference=compared.different)
        self.tell("checked-answer-facts" if earlier else "checked-answer", rounded=not compared.identical)

    def devices(self, answered: dict[str, bytes]) -> None:
        """What devices of this survey were asked is what the transcript says, or will say, that everybody was asked."""
        known = {question.digest for question in self.asked}
        for name, data in sorted(answered.items()):
            if name not in known and not (self.state == "running" and self._open(name, data)):
                raise _Differs(DEVICE, "differs-device", question=name[:12])
        if answered:
            self.tell("checked-device")

    def _open(self, name: str, data: bytes) -> bool:
        """Whether a question is that of the open round, as it is computed here, but for rounding."""
        if not self.announced.edition_held:
            return True  # what is asked next cannot be computed here
        computed = self._step(END)
        if isinstance(computed, Question) and computed.digest == name:
            return True
        try:
            if digest(data) == name:
                question = Question.from_bytes(data)
                self._announced(DEVICE, len(self.asked), question)
                self._follows(DEVICE, question)
                return True
        except (Malformed, _Differs):
            pass
        return False

    @property
    def state(self) -> str:
        transcript = self.transcript
        return "abandoned" if transcript.ended_without_answer else "done" if transcript.answer else "running"

    def verdict(self, kind: str, *, step: Fact | None = None, why: Fact | None = None) -> Verdict:
        known: dict[str, Any] = {}
        if kind == "not-replayed":
            manifest = self.manifest
            method = str(manifest.settings.get("method", ""))
            known = {"method": method, "edition": manifest.edition, "release": manifest.software}
        survey, lines = self.transcript.survey, tuple(self.lines)
        return Verdict(kind=kind, step=step, why=why, state=self.state, survey=survey, lines=lines, **known)

    def _step(self, step: Fact) -> Step:
        try:
            return self.replayed.step(tuple(self.tallies))
        except FAILS as error:
            raise _Differs(step, "differs-cannot-compute", error=str(error)) from None

    def _like(self, step: Fact, judge: Callable[[Step], Compared]) -> tuple[Step, Compared]:
        """What follows from the tallies, as like as another machine's floats could have made it."""
        before = len(self.replayed.turned)
        try:
            computed, compared = self.replayed.nearest_step(tuple(self.tallies), judge)
        except FAILS as error:
            raise _Differs(step, "differs-cannot-compute", error=str(error)) from None
        compared = replace(compared, rounded=compared.rounded + len(self.replayed.turned) - before)
        self.rounded += compared.rounded
        return computed, compared


def _ordered(plain: Any) -> Any:
    """Plain data with names in order: formats differ in it."""
    if isinstance(plain, dict):
        return {name: _ordered(plain[name]) for name in sorted(plain)}
    return [_ordered(value) for value in plain] if isinstance(plain, list) else plain
