"""Reports that were stored as rows, in any partition and any order, added up to the same bits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sottovoce.engines.run import Ask
from sottovoce.messages import Batch, InvalidInput, Malformed, Question, Report, Tally

Rows = Iterable[Report | bytes]


def stored(partitions: Sequence[Rows]) -> Ask:
    """An engine over stored reports: each partition is tallied on its own, then the tallies are merged.

    Reports to other questions are passed over; a slot that appears twice is an error, whichever partitions hold it.
    """
    parsed = [[_read(row) for row in partition] for partition in partitions]

    def ask(question: Question) -> Tally:
        total, seen = Tally.empty(question), set[int]()
        for partition in parsed:
            mine = [report for report in partition if report.question == question.digest]
            slots = {report.slot for report in mine}
            if slots & seen:
                raise Malformed(f"survey {question.survey!r} round {question.round}: a slot has reported twice")
            seen |= slots
            if mine:
                total += Tally.of(Batch.of(question, mine))
        if not seen:
            raise InvalidInput(
                f"survey {question.survey!r} round {question.round} ({question.role}): none of the stored reports "
                f"answers this question; were they collected with the same protocol?"
            )
        return total

    return ask


def _read(row: Report | bytes) -> Report:
    return row if isinstance(row, Report) else Report.from_bytes(row)
