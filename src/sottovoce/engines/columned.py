"""Reports that were stored as columns, streamed: memory grows with the slots asked, a bit for each, not with rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.engines.unanswered import OTHER, SettingAside, unanswered
from sottovoce.messages import (
    Batch,
    InvalidInput,
    Malformed,
    Question,
    SetAside,
    Slots,
    Tally,
    check_size,
    columns,
    reason_of,
)

_GATHERED = 2**28
_ROW, _COPIES = 80, 5  # what a row of a slot seen twice takes while it is looked at, and how often its payload is held
_RUNS = 2**16


@dataclass(frozen=True, kw_only=True)
class File:
    """A file of columns, the name it is told by, and the question that it says it answers."""

    path: Path
    name: str
    header: columns.Header


class _Broken(InvalidInput):
    """A file that can be read no further."""


class Columned(SettingAside):
    """An engine over files of columns. `set_aside` says which rows and files were not counted so far, and why."""

    def __init__(self, paths: Sequence[str | Path], *, progress: Callable[[int], object] | None = None) -> None:
        self._progress = progress
        self.files: list[File] = []
        self._unreadable = SetAside()
        for path, name in _found(paths):
            if path.is_symlink() and not path.exists():
                self._unreadable += SetAside.file(name, "broken-link")
                continue
            try:
                self.files.append(File(path=path, name=name, header=columns.header(path)))
            except Malformed as error:
                self._unreadable += SetAside.file(name, reason_of(error))
        self._asides: dict[str, SetAside] = {}

    def __call__(self, question: Question) -> Tally:
        """Count the rows of all files that answer this question."""
        columns.check_slots(question)
        asides, files = SetAside(), []
        for file in self.files:
            if file.header.digest == question.digest:
                try:
                    check_size(question, file.header.width)
                    files.append(file)
                except Malformed as error:
                    asides += SetAside.file(file.name, reason_of(error), file.header.rows)
        try:
            total, rows = self._counted(question, files)
        except _Broken:  # a file counts as a whole, or not at all: look at all of them, and begin again
            whole, broken = _sorted(files)
            asides += broken
            total, rows = self._counted(question, whole)
        self._asides[question.digest] = asides + rows
        if not any(total.reports):
            raise unanswered(question, self.set_aside)
        return total

    def passed_over(self, question: Question) -> SetAside:
        """The files that say they answer another question."""
        others = (file for file in self.files if file.header.digest != question.digest)
        return sum((SetAside.file(file.name, OTHER, file.header.rows) for file in others), SetAside())

    def _counted(self, question: Question, files: Sequence[File]) -> tuple[Tally, SetAside]:
        """The first valid row of each slot counts; where a slot came again, its rows are looked at once more."""
        seen, doubled = columns.Seen(question.slots), _Doubled(question.slots)
        total, asides = Tally.empty(question), SetAside()
        for file, block in _blocks(files):
            found = columns.faults(question, block.slots, block.payloads)
            asides += columns.named(found, lambda row, file=file, first=block.first: _place(file, first + row))  # type: ignore[misc]
            slots, payloads = _kept(found == 0, block.slots, block.payloads)
            again = seen.add(slots)
            if again.any():
                doubled.add(slots[again])
                slots, payloads = _kept(~again, slots, payloads)
            total += Tally.of(Batch.of_payloads(question, slots.astype(np.int64), payloads))
            if self._progress is not None:
                self._progress(len(found))
        for first, last in doubled.parts(_GATHERED // (_COPIES * question.payload_bytes + _ROW)):
            total, more = _ruled(question, files, doubled, total, first, last)
            asides += more
        return total, asides


class _Doubled:
    """Slots that came again, and how many rows they have in runs of neighbouring slots."""

    def __init__(self, slots: Slots) -> None:
        self._slots, self._marked = slots, columns.Seen(slots)
        self._width = -(-slots.count // _RUNS)
        self._rows = np.zeros(-(-slots.count // self._width), dtype=np.int64)

    def add(self, slots: NDArray[Any]) -> None:
        """Rows of slots that were seen before: the second row of a slot stands for the first one too."""
        run = (slots.astype(np.int64) - self._slots.first) // self._width
        both = run[~self._marked.add(slots)]
        for rows in (run, both):
            self._rows += np.bincount(rows, minlength=len(self._rows))

    def has(self, slots: NDArray[Any], first: int, last: int) -> NDArray[np.int64]:
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


def _ruled(
    question: Question, files: Sequence[File], doubled: _Doubled, total: Tally, first: int, last: int
) -> tuple[Tally, SetAside]:
    """Apply the rule to slots that came again, from `first` to `last`: the first row of each is in the total."""
    gathered: list[tuple[NDArray[Any], ...]] = []
    number = {file.path: place for place, file in enumerate(files)}
    for file, block in _blocks(files):
        rows = doubled.has(block.slots, first, last)
        rows = rows[columns.faults(question, block.slots[rows], block.payloads[rows]) == 0]
        if len(rows):
            where = np.full(len(rows), number[file.path], dtype=np.int32)
            gathered.append((block.slots[rows], block.payloads[rows], where, block.first + rows))
    if not gathered:
        return total, SetAside()
    slots, payloads, file_of, row_of = (np.concatenate(parts) for parts in zip(*gathered, strict=True))
    del gathered
    found = columns.ruled(slots, payloads)
    torn = np.flatnonzero(found == columns.DIFFERENT)
    _, one_each = np.unique(slots[torn], return_index=True)
    counted = torn[one_each]
    taken = Batch.of_payloads(question, slots[counted].astype(np.int64), payloads[counted])
    named = columns.named(found, lambda row: _place(files[int(file_of[row])], int(row_of[row])))
    return total.without(Tally.of(taken)), named


def _kept(mask: NDArray[np.bool_], slots: Any, payloads: Any) -> tuple[NDArray[Any], NDArray[np.uint8]]:
    return (slots, payloads) if mask.all() else (slots[mask], payloads[mask])


def _blocks(files: Sequence[File]) -> Iterator[tuple[File, columns.Block]]:
    for file in files:
        try:
            for block in columns.blocks(file.path):
                yield file, block
        except Malformed as error:
            raise _Broken(f"{file.path} changed while it was read: {error}") from error


def _sorted(files: Sequence[File]) -> tuple[list[File], SetAside]:
    """Those that can be read to their end, and the others."""
    whole, broken = [], SetAside()
    for file in files:
        try:
            for _ in columns.blocks(file.path):
                pass
        except Malformed as error:
            broken += SetAside.file(file.name, reason_of(error), file.header.rows or None)
        else:
            whole.append(file)
    return whole, broken


def _place(file: File, row: int) -> str:
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
