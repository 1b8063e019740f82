"""How a report is looked at before it is stored: every check that needs no store, one report at a time."""

from __future__ import annotations

from sottovoce.messages import Batch, Malformed, Report, Table
from sottovoce.service.access import may_report
from sottovoce.service.errors import Refused, forbidden
from sottovoce.service.store import Put, ReportRow
from sottovoce.service.survey import Survey


class ReportChecks:
    """The checks of one survey's reports, as long as one round is open."""

    def __init__(self, survey: Survey) -> None:
        self.survey, slots = survey, survey.question.slots
        self._slots = range(slots.first, slots.first + slots.count)
        channel = survey.question.channel
        self._symbols = bytes(range(channel.cells)) if isinstance(channel, Table) else None

    def admit(self, report: Report, capability: str, *, now: float) -> ReportRow:
        """The row to store; or why there is none.

        What comes too late goes to the store all the same, which does not take it but still knows its own: a device
        whose acknowledgement was lost hears that its report is there.
        """
        slot, survey = report.slot, self.survey
        self.check_capability(slot, capability)
        if report.question != survey.last.digest:
            key = next((row.key for row in survey.rounds if row.digest == report.question), None)
            if key is None:
                message = "this survey has not asked that question"
                raise survey.refusal(404, "not-asked", message, expected=survey.last.digest, do="read the progress")
            return ReportRow(key, slot, bytes.fromhex(report.payload))
        if slot not in self._slots:
            raise survey.refusal(404, "not-asked", "this slot is not asked in this round", do="read the progress")
        if survey.last.closed is None and now < survey.manifest.opens:
            survey.refuse_early(now)
        return ReportRow(survey.last.key, slot, self._payload(report), now >= survey.deadline)

    def check_capability(self, slot: int, capability: str) -> None:
        """Refuse whoever does not hold the slot."""
        if not may_report(self.survey.row.secret, slot, capability):
            raise forbidden("this capability is not that of the report's slot", do="send the one that enrolment gave")

    def knows(self, digest: str) -> bool:
        """Whether a question is one of this survey's, open or closed, as far as was heard here."""
        return any(row.digest == digest for row in reversed(self.survey.rounds))

    def refusal(self, put: Put, *, now: float) -> Refused | None:
        """Why the store did not keep a report; None where it holds it."""
        if put == "other":
            message = "another report of this slot is stored, and stays"
            return self.survey.refusal(409, "conflict", message, do="nothing")
        if put != "closed":
            return None
        over = not self.survey.running or now >= self.survey.manifest.closes
        status, code, what = (410, "expired", "survey is over") if over else (409, "closed", "round is closed")
        return self.survey.refusal(status, code, f"the {what}", do="nothing: it takes no more answers")

    def _payload(self, report: Report) -> bytes:
        """Bytes that the question's channel can send, or `Malformed`."""
        payload, question = bytes.fromhex(report.payload), self.survey.question
        if self._symbols is None:
            Batch.of(question, [report])
        elif len(payload) != question.payload_bytes:
            raise Malformed(f"a report to this question has {question.payload_bytes} bytes")
        elif payload.translate(None, self._symbols):  # single bytes: one pass over them, without an array
            raise Malformed("a symbol that the channel never sends")
        return payload
