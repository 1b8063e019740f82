"""Where a report is looked at before it is stored: every check that needs no store, one report at a time."""

from __future__ import annotations

from sottovoce.messages import Batch, Malformed, Question, Report, Table
from sottovoce.service import access
from sottovoce.service.errors import Refused, forbidden
from sottovoce.service.store import Put, ReportRow
from sottovoce.service.survey import Survey


class Desk:
    """Of one survey, as long as one round is open."""

    def __init__(self, survey: Survey) -> None:
        self.survey, question = survey, survey.question
        self.digest, self._key = survey.last.digest, survey.last.key
        self._first, self._end = question.slots.first, question.slots.first + question.slots.count
        self._secret, self._look = survey.row.secret, _looker(question)

    def admit(self, report: Report, capability: str, *, now: float) -> ReportRow:
        """The row to store; or why there is none.

        What comes too late goes to the store all the same, which does not take it but still knows its own: a device
        whose acknowledgement was lost hears that its report is there.
        """
        slot, survey = report.slot, self.survey
        self.check_capability(slot, capability)
        if report.question != self.digest:
            return ReportRow(self._closed_round(report.question), slot, bytes.fromhex(report.payload))
        if not self._first <= slot < self._end:
            raise survey.refusal(404, "not-asked", "this slot is not asked in this round", do="read the progress")
        if survey.last.closed is None and now < survey.manifest.opens:
            survey.refuse_early(now)
        return ReportRow(self._key, slot, self._look(report), now >= survey.deadline)

    def check_capability(self, slot: int, capability: str) -> None:
        """Refuse whoever does not hold the slot."""
        if not access.may_report(self._secret, slot, capability):
            raise forbidden("this capability is not that of the report's slot", do="send the one that enrolment gave")

    def knows(self, digest: str) -> bool:
        """Whether a question is one of this survey's, open or closed, as far as was heard here."""
        return digest == self.digest or any(row.digest == digest for row in self.survey.rounds)

    def _closed_round(self, digest: str) -> int:
        for row in self.survey.rounds:
            if row.digest == digest:
                return row.key
        message = "this survey has not asked that question"
        raise self.survey.refusal(404, "not-asked", message, expected=self.digest, do="read the progress")

    def late(self, now: float) -> Refused:
        """The round is closed, or the survey over."""
        over = not self.survey.running or now >= self.survey.manifest.closes
        status, code, what = (410, "expired", "survey is over") if over else (409, "closed", "round is closed")
        return self.survey.refusal(status, code, f"the {what}", do="nothing: it takes no more answers")

    def refusal(self, put: Put, *, now: float) -> Refused | None:
        """Why the store did not keep a report; None where it holds it."""
        if put == "other":
            return self.survey.refusal(
                409, "conflict", "another report of this slot is stored, and stays", do="nothing"
            )
        return self.late(now) if put == "closed" else None


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
        self._size, self._symbols = question.payload_bytes, bytes(range(question.channel.cells))

    def __call__(self, report: Report) -> bytes:
        payload = bytes.fromhex(report.payload)
        if len(payload) != self._size:
            raise Malformed(f"a report to this question has {self._size} bytes")
        if payload.translate(None, self._symbols):
            raise Malformed("a symbol that the channel never sends")
        return payload


def _looker(question: Question) -> _Looker:
    return _TableLooker(question) if isinstance(question.channel, Table) else _Looker(question)


class Desks:
    """One for each survey, made again when another round opens."""

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
