"""What the workers of a cluster run. It travels by value: a worker needs numpy, pyarrow and `sottovoce.messages`.

Everything here maps an iterator of Arrow batches to another, holds a bounded block of rows at a time, and answers the
same for the same rows, whenever and however often a task is run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, islice
from operator import itemgetter
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from sottovoce.engines.spark.counting import counted
from sottovoce.engines.spark.runs import Chosen, split, twice
from sottovoce.messages import Question, Tally

Batches = Iterator[Any]
Task = Callable[[Batches], Batches]

# Partial results, and what they merge into: `key` is a bucket of slots, `BAD`, or a heap of tallies below it.
PARTIAL = "key bigint, data binary, reason string, rows bigint"
BAD = -1
HEAPS = 16  # so many tasks share the merging of tallies
PLACE = "file string, row bigint, reason string"
SUSPECT = "slot bigint, payload binary, file string, row bigint"
# What a slot that appears twice takes back.
TAKEN = "data binary, reason string, rows bigint, file string, row bigint"
PLACES = 20  # of every reason are named
COPY = "a copy of a report that was counted"
DIFFERENT = "its slot has sent different reports"

_BLOCK_ROWS = 2**18
_BLOCK_BYTES = 2**23
_HELD_SLOTS = 2**22
Row = tuple[Any, ...]


def tally(question: Question) -> Task:
    """Of a partition: its tally, its bad rows by reason, and the slots that it counted."""

    def task(batches: Batches) -> Batches:
        total, bad = Tally.empty(question), Counter[str]()
        slots: list[NDArray[np.int64]] = []
        for block in _blocks(batches):
            part, good, others = counted(question, block["slot"], block["payload"])
            total += part
            bad.update(reason for _, reason in others)
            slots.append(np.asarray(block["slot"].take(good), dtype=np.int64))
            if sum(map(len, slots)) >= _HELD_SLOTS:
                yield from _sets(slots)
                slots = []
        yield from _sets(slots)
        written = total.to_bytes()
        heap = BAD - 1 - crc32(written) % HEAPS  # of the same tally the same, whoever runs the task
        tallied = [(heap, written, None, None)] if any(total.reports) else []
        yield from _batches(PARTIAL, [*tallied, *((BAD, None, reason, rows) for reason, rows in bad.items())])

    return task


def _sets(parts: list[NDArray[np.int64]]) -> Batches:
    """The slots by bucket. One that is here twice goes into two sets, as one that is in two tasks does."""
    slots = np.sort(np.concatenate(parts)) if parts else np.empty(0, dtype=np.int64)
    again = slots[1:] == slots[:-1]
    for members in (np.unique(slots), np.unique(slots[1:][again])):
        yield from _batches(PARTIAL, ((bucket, data, None, None) for bucket, data in split(members)))


def merge(batches: Batches) -> Batches:
    """Partial results, sorted by key: tallies added up, bad rows too, and of every bucket the slots that are there twice."""
    for key, rows in groupby(_rows(batches), key=itemgetter(0)):
        if key == BAD:
            bad = Counter[str]()
            for _, _, reason, count in rows:
                bad[reason] += count
            yield from _batches(PARTIAL, [(BAD, None, reason, count) for reason, count in bad.items()])
        elif key < BAD:
            parts = (Tally.from_bytes(data) for _, data, _, _ in rows)
            yield from _batches(PARTIAL, [(key, sum(parts, start=next(parts)).to_bytes(), None, None)])
        elif data := twice(data for _, data, _, _ in rows):
            yield from _batches(PARTIAL, [(key, data, None, None)])


def places(question: Question) -> Task:
    """Where the first bad rows of a partition stand."""

    def task(batches: Batches) -> Batches:
        named = _Named()
        for block in _blocks(batches):
            for row, reason in counted(question, block["slot"], block["payload"])[2]:
                named.add(reason, block["file"][row].as_py(), block["row"][row].as_py())
        yield from _batches(PLACE, named.rows())

    return task


def suspects(question: Question, sets: dict[int, bytes]) -> Task:
    """The rows, good ones only, of the slots in `sets`."""

    def task(batches: Batches) -> Batches:
        chosen = Chosen(sets)
        for block in _blocks(batches):
            near = np.flatnonzero(chosen(np.asarray(block["slot"].fill_null(-1), dtype=np.int64)))
            held = block.take(near)
            good = counted(question, held["slot"], held["payload"])[1]
            yield held.take(good)

    return task


def taken(question: Question) -> Task:
    """What is not to be counted after all, of rows sorted by slot and place: copies, and all of a slot that differ."""

    def task(batches: Batches) -> Batches:
        import pyarrow as pa

        total, counts, named = Tally.empty(question), Counter[str](), _Named()
        rows = _not_counted(_rows(batches))
        while held := list(islice(rows, _BLOCK_ROWS // 4)):
            slots, payloads = pa.array([row[0] for row in held]), pa.array([row[1] for row in held], pa.binary())
            total += counted(question, slots, payloads)[0]
            for _, _, file, row, reason in held:
                counts[reason] += 1
                named.add(reason, file, row)
        if counts:
            sums = [(None, reason, rows, None, None) for reason, rows in counts.items()]
            seats = [(None, reason, None, file, row) for file, row, reason in named.rows()]
            yield from _batches(TAKEN, [(total.to_bytes(), None, None, None, None), *sums, *seats])

    return task


def _not_counted(rows: Iterator[Row]) -> Iterator[Row]:
    """With the reason. Of copies the first place counts."""
    for _, group in groupby(rows, key=itemgetter(0)):
        same = list(group)
        if any(row[1] != same[0][1] for row in same):
            yield from ((*row, DIFFERENT) for row in same)
        else:
            yield from ((*row, COPY) for row in same[1:])


class _Named:
    """The first places of every reason, in bounded room."""

    def __init__(self) -> None:
        self._held: dict[str, list[tuple[str, int]]] = {}

    def add(self, reason: str, file: str, row: int) -> None:
        held = self._held.setdefault(reason, [])
        held.append((file, row))
        if len(held) >= 64 * PLACES:
            held[:] = sorted(held)[:PLACES]

    def rows(self) -> Iterator[Row]:
        for reason, held in self._held.items():
            yield from ((file, row, reason) for file, row in sorted(held)[:PLACES])


def _blocks(batches: Batches) -> Iterator[Any]:
    """Batches put together: whatever Spark cuts them into, blocks are neither small nor without bound."""
    held: list[Any] = []
    rows = size = 0
    for batch in batches:
        held.append(batch)
        rows, size = rows + len(batch), size + batch.nbytes
        if rows >= _BLOCK_ROWS or size >= _BLOCK_BYTES:
            yield _one(held)
            held, rows, size = [], 0, 0
    if rows:
        yield _one(held)


def _one(held: list[Any]) -> Any:
    import pyarrow as pa

    (block,) = pa.Table.from_batches(held).combine_chunks().to_batches()
    return block


def _rows(batches: Batches) -> Iterator[Row]:
    for batch in batches:
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def _batches(schema: str, rows: Iterable[Row]) -> Batches:
    """Rows as one batch; no rows as none."""
    import pyarrow as pa

    types = {"bigint": pa.int64(), "binary": pa.binary(), "string": pa.string()}
    fields = [field.split() for field in schema.split(", ")]
    columns = list(zip(*rows, strict=True))
    if columns:
        yield pa.record_batch(
            [pa.array(column, types[kind]) for column, (_, kind) in zip(columns, fields, strict=True)],
            names=[name for name, _ in fields],
        )
