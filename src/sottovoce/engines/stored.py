"""Reports that were stored as rows, in any partition and any order, added up to the same bits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import cast

import numpy as np

from sottovoce.engines.columned import Columned
from sottovoce.engines.unanswered import unanswered
from sottovoce.messages import Batch, Malformed, Question, Report, SetAside, Tally, columns, reason_of

Rows = Iterable[Report | bytes]
_Places = list[tuple[str, Report]]


class Stored:
    """An engine over stored reports. `set_aside` says which rows were not counted in what was asked so far, and why."""

    def __init__(self, partitions: Sequence[Rows]) -> None:
        self._unreadable: list[tuple[str, str]] = []
        self._asides: dict[str, list[tuple[str, str]]] = {}
        self._partitions = [self._read(number, rows) for number, rows in enumerate(partitions, 1)]

    def _read(self, number: int, rows: Rows) -> dict[str, _Places]:
        """The readable rows of a partition, by the question they answer."""
        held: dict[str, _Places] = {}
        for row_number, row in enumerate(rows, 1):
            where = f"partition {number} row {row_number}"
            try:
                report = row if isinstance(row, Report) else Report.from_bytes(bytes(memoryview(row)))
            except (Malformed, TypeError):
                self._unreadable.append((where, "not-a-report"))
                continue
            held.setdefault(report.question, []).append((where, report))
        return held

    def __call__(self, question: Question) -> Tally:
        """The valid rows of all partitions, by the rule for slots that appear more than once."""
        asides: list[tuple[str, str]] = []
        self._asides[question.digest] = asides
        valid = [pair for held in self._partitions for pair in _valid(question, held.get(question.digest, []), asides)]
        batch = Batch.of(question, (report for _, report in valid), slots_once=False)
        found = columns.ruled(batch.slots, batch.payloads)
        asides += ((valid[row][0], columns.REASONS[found[row]]) for row in np.flatnonzero(found).tolist())
        if found.all():
            raise unanswered(question, self.set_aside)
        return Tally.of(Batch.of_payloads(question, batch.slots[found == 0], batch.payloads[found == 0]))

    @property
    def set_aside(self) -> SetAside:
        return self.aside(self._asides)

    def aside(self, digests: Iterable[str]) -> SetAside:
        """The same for some questions only: what a run has asked."""
        held = (pair for digest in digests for pair in self._asides.get(digest, ()))
        return SetAside.of([*self._unreadable, *held])


def stored(partitions: Sequence[Rows] | Sequence[str | Path] | str | Path) -> Stored | Columned:
    """An engine over stored reports: a folder or files of columns, or partitions of rows, reports or their bytes.

    A bad row is set aside, with its place and the reason, and the others are counted. Reports to other questions are
    passed over. A slot that appears twice counts once if both reports are the same, and not at all if they differ.
    Columns (see docs/columns.md) are streamed: they may be larger than memory. A file that is not whole is set aside.
    """
    if isinstance(partitions, (str, Path)):
        return Columned([partitions])
    given = list(partitions)
    if given and all(isinstance(part, (str, Path)) for part in given):
        return Columned(cast(Sequence[str | Path], given))
    return Stored(cast(Sequence[Rows], given))


def _valid(question: Question, rows: _Places, asides: list[tuple[str, str]]) -> _Places:
    """The rows that a device could have sent; all at once where all could, one by one where not."""
    try:
        Batch.of(question, (report for _, report in rows), slots_once=False)
    except Malformed as error:
        if len(rows) == 1:
            asides.append((rows[0][0], reason_of(error)))
            return []
    else:
        return rows
    half = len(rows) // 2
    return _valid(question, rows[:half], asides) + _valid(question, rows[half:], asides)
