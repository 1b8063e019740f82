"""Where one report is looked at before it is stored: every check that needs no store, in the order of their price."""

from __future__ import annotations

from sottovoce.messages import Batch, Malformed, Question, Report, Table
from sottovoce.service import access
from sottovoce.service.collector import Survey
from sottovoce.service.errors import Refused, forbidden
from sottovoce.service.store import ReportRow


class Desk:
    """Of one open round."""

    def __init__(self, survey: Survey) -> None:
        self.survey, question = survey, survey.question
        self._key, self.digest = survey.last.key, survey.last.digest
        self._first, self._end = question.slots.first, question.slots.first + question.slots.count
        self._look = _looker(question)
        self._secret = survey.row.secret

    def admit(self, report: Report, capability: str) -> ReportRow:
        """What is stored of a report; or why it is not."""
        self.check_capability(report.slot, capability)
        if report.question != self.digest:
            raise self.other_question(report.question)
        if not self._first <= report.slot < self._end:
            raise self._refused(404, "not-asked", "this slot is not asked in the open round", do="read the progress")
        return ReportRow(round_key=self._key, slot=report.slot, payload=self._look(report))

    def check_capability(self, slot: int, capability: str) -> None:
        """Refuse whoever does not hold the slot."""
        if not access.may_report(self._secret, slot, capability):
            raise forbidden("this capability is not that of the report's slot", do="send the one that enrolment gave")

    def check_open(self, now: float) -> None:
        """Refuse before the survey opens, and after it is over."""
        state, manifest = self.survey.state(now), self.survey.manifest
        if state == "early":
            raise self._refused(425, "early", "the survey has not opened", retry_after=manifest.opens - now)
        if state != "open" or now >= manifest.closes:
            raise self._refused(410, "expired", "the survey is over", do="nothing: it takes no more answers")
        if self.survey.last.closed is not None:
            raise self.closed()

    def closed(self) -> Refused:
        """The round is over, the survey perhaps not."""
        return self._refused(409, "closed", "the round is closed", do="nothing: it takes no more answers")

    def conflict(self) -> Refused:
        """Another report of the same slot is stored."""
        return self._refused(409, "conflict", "another report of this slot is stored, and stays", do="nothing")

    def asked_before(self, digest: str) -> bool:
        """Whether a question is one of this survey's, open or closed."""
        return any(row.digest == digest for row in self.survey.rounds)

    def other_question(self, digest: str) -> Refused:
        """A report to a question that is not the open one."""
        if self.asked_before(digest):
            return self.closed()
        return self._refused(
            404, "not-asked", "this survey never asked that question", expected=self.digest, do="read the progress"
        )

    def _refused(
        self, status: int, code: str, message: str, *, expected: str = "", do: str = "", retry_after: float | None = None
    ) -> Refused:
        return Refused(
            status=status,
            code=code,
            message=message,
            survey=self.survey.row.id,
            round=self.survey.last.number,
            expected=expected,
            do=do,
            retry_after=retry_after,
        )


class _Looker:
    """Payloads of one question: bytes that its channel can send, or `Malformed`."""

    def __init__(self, question: Question) -> None:
        self._question = question

    def __call__(self, report: Report) -> bytes:
        Batch.of(self._question, [report])
        return bytes.fromhex(report.payload)


class _TableLooker(_Looker):
    """A table's symbols are single bytes: one pass over them, without an array."""

    def __init__(self, question: Question) -> None:
        super().__init__(question)
        self._length, self._symbols = 2 * question.payload_bytes, bytes(range(question.channel.cells))

    def __call__(self, report: Report) -> bytes:
        payload = bytes.fromhex(report.payload)
        if len(report.payload) != self._length:
            raise Malformed(f"a report to this question has {self._length // 2} bytes")
        if payload.translate(None, self._symbols):
            raise Malformed("a symbol that the channel never sends")
        return payload


def _looker(question: Question) -> _Looker:
    return _TableLooker(question) if isinstance(question.channel, Table) else _Looker(question)


class Desks:
    """One for each survey, made again when its round, or what is known of it, changes."""

    def __init__(self) -> None:
        self._held: dict[str, Desk] = {}

    def of(self, survey: Survey) -> Desk:
        """The desk of a survey as it stands."""
        held = self._held.get(survey.row.id)
        if held is not None and held.survey is survey:
            return held
        if held is not None and held.digest == survey.last.digest:
            held.survey = survey
            return held
        made = self._held[survey.row.id] = Desk(survey)
        return made
