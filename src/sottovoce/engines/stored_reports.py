"""Stored reports added up: rows in any partition and any order, or files of columns, to the same bits.

Columns are streamed: memory grows with the slots asked, a bit for each, not with rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np

from sottovoce.messages import (
    Array,
    Batch,
    Bytes,
    Flags,
    Integers,
    InvalidInput,
    Malformed,
    Question,
    Report,
    SetAside,
    Slots,
    Tally,
    check_report_size,
    columns,
    set_aside_reason,
)

OTHER = "other-question"
_SHORT = 20


class StoredEngine:
    """What every engine over stored reports says of rows that it has not counted.

    `_unreadable` is what it cannot read, `_asides` what fell out of each question asked, by the question's digest.
    """

    _unreadable: SetAside
    _asides: dict[str, SetAside]

    @property
    def set_aside(self) -> SetAside:
        return self.aside(self._asides)

    def aside(self, digests: Iterable[str]) -> SetAside:
        """What was set aside of some questions only: those that a run has asked."""
        return sum((self._asides[digest] for digest in digests if digest in self._asides), self._unreadable)


def question_name(question: Question) -> str:
    """A question as people are told of it: rounds are counted from 1, and of a long name the beginning is enough."""
    name = question.survey if len(question.survey) <= _SHORT else f"{question.survey[:12]}…"
    return f"survey {name!r} round {question.round + 1} ({question.role})"


def unanswered_error(question: Question, aside: SetAside) -> InvalidInput:
    """The error of every engine over stored reports."""
    return InvalidInput(
        f"{question_name(question)}: none of the stored reports answers this question ({aside}); were they collected "
        "with the same protocol?"
    )


_GATHERED = 2**28
_ROW, _COPIES = 80, 5  # what a row of a slot seen twice takes while it is looked at, and how often its payload is held
_RUNS = 2**16


@dataclass(frozen=True, kw_only=True)
class ColumnFile:
    """A file of columns: where it is, its name for people, and what it says of itself.

    `digest` is that of the question it answers, `width` the size of its payloads.
    """

    place: str | Path
    name: str
    digest: str
    width: int
    rows: int


class FileEngine(StoredEngine):
    """What every engine over files of columns says of them."""

    files: list[ColumnFile]

    def _answering(self, question: Question) -> tuple[list[ColumnFile], SetAside]:
        """The files that answer a question, and of those the ones whose payloads have another size."""
        answering, aside = [], SetAside()
        for file in self.files:
            if file.digest == question.digest:
                try:
                    check_report_size(question, file.width)
                    answering.append(file)
                except Malformed as error:
                    aside += SetAside.file(file.name, set_aside_reason(error), file.rows)
        return answering, aside

    def files_of_other_questions(self, question: Question) -> SetAside:
        """The files that say they answer another question."""
        others = (file for file in self.files if file.digest != question.digest)
        return sum((SetAside.file(file.name, OTHER, file.rows) for file in others), SetAside())


class _Broken(InvalidInput):
    """A file that can be read no further."""


class ColumnEngine(FileEngine):
    """An engine over files of columns. `set_aside` says which rows and files were not counted so far, and why."""

    def __init__(self, paths: Sequence[str | Path], *, progress: Callable[[int], object] | None = None) -> None:
        self._progress = progress
        self.files = []
        self._unreadable, self._asides = SetAside(), {}
        for path, name in _found(paths):
            if path.is_symlink() and not path.exists():
                self._unreadable += SetAside.file(name, "broken-link")
                continue
            try:
                header = columns.header(path)
                digest, width, rows = header.digest, header.width, header.rows
                self.files.append(ColumnFile(place=path, name=name, digest=digest, width=width, rows=rows))
            except Malformed as error:
                self._unreadable += SetAside.file(name, set_aside_reason(error))

    def __call__(self, question: Question) -> Tally:
        """Count the rows of all files that answer this question."""
        columns.check_slots(question)
        files, asides = self._answering(question)
        try:
            total, rows = self._counted(question, files)
        except _Broken:  # a file counts as a whole, or not at all: look at all of them, and begin again
            whole, broken = _sorted(files)
            asides += broken
            total, rows = self._counted(question, whole)
        self._asides[question.digest] = asides + rows
        if not any(total.reports):
            raise unanswered_error(question, self.set_aside)
        return total

    def _counted(self, question: Question, files: Sequence[ColumnFile]) -> tuple[Tally, SetAside]:
        """The first valid row of each slot counts; where a slot came again, its rows are looked at once more."""
        seen, doubled = columns.SlotSet(question.slots), _RepeatedSlots(question.slots)
        total, asides = Tally.empty(question), SetAside()
        for file, block in _blocks(files):
            found = columns.faults(question, block.slots, block.payloads)
            asides += columns.set_aside_by_fault(
                found,
                lambda row, file=file, first=block.first: _place(file, first + row),  # type: ignore[misc]
            )
            slots, payloads = _rows_where(found == 0, block.slots, block.payloads)
            again = seen.add(slots)
            if again.any():
                doubled.add(slots[again])
                slots, payloads = _rows_where(~again, slots, payloads)
            total += Tally.of(Batch.of_payloads(question, slots.astype(np.int64), payloads))
            if self._progress is not None:
                self._progress(len(found))
        for first, last in doubled.parts(_GATHERED // (_COPIES * question.payload_bytes + _ROW)):
            total, more = _apply_rule_of_repeats(question, files, doubled, total, first, last)
            asides += more
        return total, asides


class _RepeatedSlots:
    """Slots that came again, and how many rows they have in runs of neighbouring slots."""

    def __init__(self, slots: Slots) -> None:
        self._slots, self._marked = slots, columns.SlotSet(slots)
        self._width = -(-slots.count // _RUNS)
        self._rows = np.zeros(-(-slots.count // self._width), dtype=np.int64)

    def add(self, slots: Array) -> None:
        """Rows of slots that were seen before: the second row of a slot stands for the first one too."""
        run = (slots.astype(np.int64) - self._slots.first) // self._width
        both = run[~self._marked.add(slots)]
        for rows in (run, both):
            self._rows += np.bincount(rows, minlength=len(self._rows))

    def has(self, slots: Array, first: int, last: int) -> Integers:
        """Which rows are of a slot that came again, from `first` to `last`."""
        near = np.flatnonzero((slots >= first) & (slots < last))
        return near[self._marked.has(slots[near])]

    def parts(self, most: int) -> Iterator[tuple[int, int]]:
        """Neighbouring slots whose rows are held at once: at most so many, or those of one run."""
        start = held = 0
        runs = np.flatnonzero(self._rows)
        for run, rows in zip(runs.tolist(), self._rows[runs].tolist(), strict=True):
            if held and held + rows > most:
                yield self._bound(start), self._bound(run)
                start, held = run, 0
            held += rows
        if held:
            yield self._bound(start), self._slots.first + self._slots.count

    def _bound(self, run: int) -> int:
        return self._slots.first + run * self._width


def _apply_rule_of_repeats(
    question: Question, files: Sequence[ColumnFile], doubled: _RepeatedSlots, total: Tally, first: int, last: int
) -> tuple[Tally, SetAside]:
    """Apply the rule to slots that came again, from `first` to `last`: the first row of each is in the total."""
    gathered: list[tuple[Array, ...]] = []
    number = {file.place: place for place, file in enumerate(files)}
    for file, block in _blocks(files):
        rows = doubled.has(block.slots, first, last)
        rows = rows[columns.faults(question, block.slots[rows], block.payloads[rows]) == 0]
        if len(rows):
            where = np.full(len(rows), number[file.place], dtype=np.int32)
            gathered.append((block.slots[rows], block.payloads[rows], where, block.first + rows))
    if not gathered:
        return total, SetAside()
    slots, payloads, file_of, row_of = (np.concatenate(parts) for parts in zip(*gathered, strict=True))
    del gathered
    verdicts = columns.faults_of_repeats(slots, payloads)
    conflicting = np.flatnonzero(verdicts == columns.DIFFERENT)
    _, one_each = np.unique(slots[conflicting], return_index=True)
    counted = conflicting[one_each]
    taken = Batch.of_payloads(question, slots[counted].astype(np.int64), payloads[counted])
    named = columns.set_aside_by_fault(verdicts, lambda row: _place(files[int(file_of[row])], int(row_of[row])))
    return total.without(Tally.of(taken)), named


def _rows_where(mask: Flags, slots: Any, payloads: Any) -> tuple[Array, Bytes]:
    return (slots, payloads) if mask.all() else (slots[mask], payloads[mask])


def _blocks(files: Sequence[ColumnFile]) -> Iterator[tuple[ColumnFile, columns.Block]]:
    for file in files:
        try:
            for block in columns.blocks(file.place):
                yield file, block
        except Malformed as error:
            raise _Broken(f"{file.place} changed while it was read: {error}") from error


def _sorted(files: Sequence[ColumnFile]) -> tuple[list[ColumnFile], SetAside]:
    """Those that can be read to their end, and the others."""
    whole, broken = [], SetAside()
    for file in files:
        try:
            for _ in columns.blocks(file.place):
                pass
        except Malformed as error:
            broken += SetAside.file(file.name, set_aside_reason(error), file.rows or None)
        else:
            whole.append(file)
    return whole, broken


def _place(file: ColumnFile, row: int) -> str:
    return f"{file.name} row {row + 1}"


def _found(paths: Sequence[str | Path]) -> Iterator[tuple[Path, str]]:
    """Files as they are given, folders by the files in them, in the order of their names."""
    for given in map(Path, paths):
        if not given.is_dir():
            yield given, given.name
            continue
        inside = ((path, path.relative_to(given)) for path in given.rglob("*.parquet"))
        files = sorted(
            (path, name.as_posix())
            for path, name in inside
            if not path.is_dir() and not any(part.startswith(".") for part in name.parts)
        )
        if not files:
            raise InvalidInput(f"there are no columns of reports (*.parquet) in {given}")
        yield from files


Rows = Iterable[Report | bytes]
_Places = list[tuple[str, Report]]


class RowEngine(StoredEngine):
    """An engine over stored reports. `set_aside` says which rows were not counted in what was asked so far, and why."""

    def __init__(self, partitions: Sequence[Rows]) -> None:
        self._asides, self._rows = {}, dict[str, _Places]()
        unreadable = []
        for number, rows in enumerate(partitions, 1):
            for row_number, row in enumerate(rows, 1):
                where = f"partition {number} row {row_number}"
                try:
                    report = row if isinstance(row, Report) else Report.from_bytes(bytes(memoryview(row)))
                except (Malformed, TypeError):
                    unreadable.append((where, "not-a-report"))
                else:
                    self._rows.setdefault(report.question, []).append((where, report))
        self._unreadable = SetAside.of(unreadable)

    def __call__(self, question: Question) -> Tally:
        """The valid rows of all partitions, by the rule for slots that appear more than once."""
        asides: list[tuple[str, str]] = []
        valid = _valid(question, self._rows.get(question.digest, []), asides)
        batch = Batch.of(question, (report for _, report in valid), slots_once=False)
        found = columns.faults_of_repeats(batch.slots, batch.payloads)
        asides += ((valid[row][0], columns.REASONS[found[row]]) for row in np.flatnonzero(found).tolist())
        self._asides[question.digest] = SetAside.of(asides)
        if found.all():
            raise unanswered_error(question, self.set_aside)
        return Tally.of(Batch.of_payloads(question, batch.slots[found == 0], batch.payloads[found == 0]))


def stored(partitions: Sequence[Rows] | Sequence[str | Path] | str | Path) -> RowEngine | ColumnEngine:
    """An engine over stored reports: a folder or files of columns, or partitions of rows, reports or their bytes.

    A bad row is set aside, with its place and the reason, and the others are counted. Reports to other questions are
    passed over. A slot that appears twice counts once if both reports are the same, and not at all if they differ.
    Columns (see docs/columns.md) are streamed: they may be larger than memory. A file that is not whole is set aside.
    """
    if isinstance(partitions, (str, Path)):
        return ColumnEngine([partitions])
    parts = list(partitions)
    if parts and all(isinstance(part, (str, Path)) for part in parts):
        return ColumnEngine(cast(Sequence[str | Path], parts))
    return RowEngine(cast(Sequence[Rows], parts))


def _valid(question: Question, rows: _Places, asides: list[tuple[str, str]]) -> _Places:
    """The rows that a device could have sent; all at once where all could, one by one where not."""
    try:
        Batch.of(question, (report for _, report in rows), slots_once=False)
    except Malformed as error:
        if len(rows) == 1:
            asides.append((rows[0][0], set_aside_reason(error)))
            return []
    else:
        return rows
    half = len(rows) // 2
    return _valid(question, rows[:half], asides) + _valid(question, rows[half:], asides)
