"""Reports that were stored as columns, streamed: memory grows with the slots asked, a bit for each, not with rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Batch, InvalidInput, Malformed, Question, SetAside, Tally, columns

_GATHERED = 2**28
_ROW = 40  # what a row of a slot seen twice takes beside its payload


@dataclass(frozen=True, kw_only=True)
class File:
    """A file of columns, the name it is told by, and the question that it says it answers."""

    path: Path
    name: str
    header: columns.Header


class _Broken(Exception):  # noqa: N818 - a file is broken
    def __init__(self, file: File, why: str) -> None:
        super().__init__(why)
        self.file, self.why = file, why


class Columned:
    """An engine over files of columns. `set_aside` says which rows and files were not counted so far, and why."""

    def __init__(self, paths: Sequence[str | Path], *, progress: Callable[[int], object] | None = None) -> None:
        self._progress = progress
        self.files: list[File] = []
        unreadable = []
        for path, name in _found(paths):
            try:
                self.files.append(File(path=path, name=name, header=columns.header(path)))
            except Malformed as error:
                unreadable.append((name, str(error)))
        self._unreadable = SetAside.of(unreadable)
        self._asides: dict[str, SetAside] = {}

    def __call__(self, question: Question) -> Tally:
        """Count the rows of all files that answer this question."""
        columns.check_slots(question)
        asides, files = SetAside(), []
        for file in self.files:
            if file.header.digest == question.digest:
                if file.header.width == question.payload_bytes:
                    files.append(file)
                else:
                    why = f"a report to this question has {question.payload_bytes} bytes"
                    asides += SetAside.of([(file.name, why)])
        while True:
            try:
                total, rows = self._counted(question, files)
                break
            except _Broken as broken:  # a file counts as a whole, or not at all: begin again without it
                asides += SetAside.of([(broken.file.name, broken.why)])
                files.remove(broken.file)
        self._asides[question.digest] = asides + rows
        if not any(total.reports):
            raise InvalidInput(
                f"survey {question.survey!r} round {question.round} ({question.role}): none of the stored reports "
                f"answers this question ({self.set_aside}); were they collected with the same protocol?"
            )
        return total

    @property
    def set_aside(self) -> SetAside:
        return self.aside(self._asides)

    def aside(self, digests: Iterable[str]) -> SetAside:
        """The same for some questions only: what a run has asked."""
        return sum((self._asides[digest] for digest in digests if digest in self._asides), self._unreadable)

    def _counted(self, question: Question, files: Sequence[File]) -> tuple[Tally, SetAside]:
        """The first valid row of each slot counts; where a slot came again, its rows are looked at once more."""
        seen, doubled, repeats = columns.Seen(question.slots), columns.Seen(question.slots), 0
        total, asides = Tally.empty(question), SetAside()
        for file, block in _blocks(files):
            found = columns.faults(question, block.slots, block.payloads)
            asides += columns.named(found, lambda row, file=file, first=block.first: _place(file, first + row))  # type: ignore[misc]
            slots, payloads = _kept(found == 0, block.slots, block.payloads)
            again = seen.add(slots)
            if again.any():
                doubled.add(slots[again])
                repeats += int(again.sum())
                slots, payloads = _kept(~again, slots, payloads)
            total += Tally.of(Batch.of_payloads(question, slots.astype(np.int64), payloads))
            if self._progress is not None:
                self._progress(len(found))
        if repeats:
            for first, last in _slices(question, repeats):
                total, more = _ruled(question, files, doubled, total, first, last)
                asides += more
        return total, asides


def _ruled(
    question: Question, files: Sequence[File], doubled: columns.Seen, total: Tally, first: int, last: int
) -> tuple[Tally, SetAside]:
    """Apply the rule to slots that came again, from `first` to `last`: the first row of each is in the total."""
    places: list[tuple[File, int]] = []
    gathered: list[tuple[NDArray[Any], NDArray[np.uint8]]] = []
    for file, block in _blocks(files):
        good = np.flatnonzero(columns.faults(question, block.slots, block.payloads) == 0)
        slots = block.slots[good]
        rows = good[(slots >= first) & (slots < last) & doubled.has(slots)]
        if len(rows):
            gathered.append((block.slots[rows], block.payloads[rows]))
            places += ((file, block.first + row) for row in rows.tolist())
    slots, payloads = (np.concatenate([part[side] for part in gathered]) for side in (0, 1))
    found = columns.ruled(slots, payloads)
    torn = np.flatnonzero(found == columns.DIFFERENT)
    _, one_each = np.unique(slots[torn], return_index=True)
    counted = torn[one_each]
    taken = Batch.of_payloads(question, slots[counted].astype(np.int64), payloads[counted])
    return total.without(Tally.of(taken)), columns.named(found, lambda row: _place(*places[row]))


def _slices(question: Question, repeats: int) -> Iterator[tuple[int, int]]:
    """Runs of slots whose rows are held at once: as few as memory allows."""
    parts = -(-2 * repeats * (question.payload_bytes + _ROW) // _GATHERED)
    first, count = question.slots.first, question.slots.count
    bounds = [first + count * part // parts for part in range(parts + 1)]
    return pairwise(bounds)


def _kept(mask: NDArray[np.bool_], slots: Any, payloads: Any) -> tuple[NDArray[Any], NDArray[np.uint8]]:
    return (slots, payloads) if mask.all() else (slots[mask], payloads[mask])


def _blocks(files: Sequence[File]) -> Iterator[tuple[File, columns.Block]]:
    for file in files:
        try:
            for block in columns.blocks(file.path):
                yield file, block
        except Malformed as error:
            raise _Broken(file, str(error)) from error


def _place(file: File, row: int) -> str:
    return f"{file.name} row {row + 1}"


def _found(paths: Sequence[str | Path]) -> Iterator[tuple[Path, str]]:
    """Files as they are given, folders by the files in them, in the order of their names."""
    for given in map(Path, paths):
        if not given.is_dir():
            yield given, given.name
            continue
        files = sorted(path for path in given.rglob("*.parquet") if not path.name.startswith("."))
        if not files:
            raise InvalidInput(f"there are no columns of reports (*.parquet) in {given}")
        for path in files:
            yield path, path.relative_to(given).as_posix()
