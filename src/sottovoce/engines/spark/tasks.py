"""What the workers of a cluster run. It travels by value: a worker needs numpy, pyarrow and `sottovoce.messages`.

Everything here maps an iterator of Arrow batches to another, holds a bounded block of rows at a time, and answers the
same for the same rows, whenever and however often a task is run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any
from zlib import crc32

import numpy as np

from sottovoce.messages import Batch, Bytes, Flags, Integers, Question, Tally, columns

# Sets of slots, by bucket: small where slots come in runs, never larger than a bit for each slot of a bucket.

BUCKET = 2**20
_BITMAP_BYTES = BUCKET // 8


def slots_by_bucket(slots: Integers) -> Iterator[tuple[int, bytes]]:
    """Sorted slots, each once, as pairs of a bucket and the set of slots in it."""
    buckets = slots // BUCKET
    starts = np.flatnonzero(np.diff(buckets, prepend=-1))
    for part in np.split(slots, starts[1:]) if len(slots) else ():
        bucket = int(part[0]) // BUCKET
        yield bucket, _written(part - bucket * BUCKET)


def slots_in_several_sets(sets: Iterable[bytes]) -> bytes:
    """Those that are in more than one of several sets of one bucket."""
    seen, again = np.zeros(BUCKET, dtype=bool), np.zeros(BUCKET, dtype=bool)
    for data in sets:
        here = _offsets(data)
        again[here] |= seen[here]
        seen[here] = True
    return _written(np.flatnonzero(again))


class Chosen:
    """Whether slots are in a set that is given by buckets."""

    def __init__(self, sets: dict[int, bytes]) -> None:
        self._sets = sets
        self._open: dict[int, Flags] = {}

    def __call__(self, slots: Integers) -> Flags:
        buckets = slots // BUCKET
        found = np.zeros(len(slots), dtype=bool)
        for bucket in np.unique(buckets).tolist():
            if bucket in self._sets:
                if bucket not in self._open:
                    self._open[bucket] = np.zeros(BUCKET, dtype=bool)
                    self._open[bucket][_offsets(self._sets[bucket])] = True
                here = np.flatnonzero(buckets == bucket)
                found[here] = self._open[bucket][slots[here] - bucket * BUCKET]
        return found


def _written(offsets: Integers) -> bytes:
    """First and last of every run, or one bit a slot where that is shorter."""
    if not len(offsets):
        return b""
    breaks = np.flatnonzero(np.diff(offsets) != 1)
    if 8 * (len(breaks) + 1) < _BITMAP_BYTES:
        first = offsets[np.concatenate(([0], breaks + 1))]
        last = offsets[np.concatenate((breaks, [len(offsets) - 1]))]
        return np.stack((first, last), axis=1).astype("<u4").tobytes()
    flags = np.zeros(BUCKET, dtype=bool)
    flags[offsets] = True
    return np.packbits(flags).tobytes()


def _offsets(data: bytes) -> Integers:
    if len(data) == _BITMAP_BYTES:
        return np.flatnonzero(np.unpackbits(np.frombuffer(data, dtype=np.uint8)))
    first, last = np.frombuffer(data, dtype="<u4").reshape(-1, 2).astype(np.int64).T
    lengths = last - first + 1
    return np.asarray(np.arange(lengths.sum()) + np.repeat(first - np.cumsum(lengths) + lengths, lengths))


Batches = Iterator[Any]
Task = Callable[[Batches], Batches]
Row = tuple[Any, ...]

# Partial results, and what they merge into. `key` is a bucket of slots, `FAULTS`, or a heap of tallies below it; `code`
# is one of `columns.REASONS`.
PARTIAL = "key bigint, data binary, code bigint, rows bigint"
FAULTS = -1
HEAPS = 16  # so many tasks share the merging of tallies
PLACE = "code bigint, file string, row bigint"
SUSPECT = "slot bigint, payload binary, file string, row bigint"
# What slots that appear twice take back: a tally, how many rows for each reason, and where the first of them stand.
TAKEN = "data binary, code bigint, rows bigint, file string, row bigint"
PLACES = 100  # of every reason are named

_BLOCK_ROWS, _BLOCK_BYTES = 2**18, 2**23
_HELD_SLOTS = 2**21


def tally(question: Question) -> Task:
    """Make the task that counts a partition: its tally, its bad rows by reason, and the slots that it counted."""

    def task(batches: Batches) -> Batches:
        total, bad = Tally.empty(question), np.zeros(len(columns.REASONS), dtype=np.int64)
        slots: list[Integers] = []
        for block in _blocks(batches):
            here, payloads = _arrays(question, block)
            part, faults = columns.count(question, here, payloads)
            total += part
            bad += np.bincount(faults, minlength=len(bad))
            slots.append(here[faults == 0])
            if sum(map(len, slots)) >= _HELD_SLOTS:
                yield from _sets(slots)
        yield from _sets(slots)
        written = total.to_bytes()
        heap = FAULTS - 1 - crc32(written) % HEAPS  # of the same tally the same, whoever runs the task
        tallied = [(heap, written, None, None)] if any(total.reports) else []
        yield from _batches(PARTIAL, [*tallied, *((FAULTS, None, code, rows) for code, rows in _by_code(bad))])

    return task


def _sets(parts: list[Integers]) -> Batches:
    """The slots by bucket, and `parts` emptied. One that is here twice goes into two sets, as one in two tasks does."""
    slots = np.concatenate([*parts, np.empty(0, dtype=np.int64)])
    parts.clear()
    slots.sort()
    fresh = np.diff(slots, prepend=-1) != 0
    for members in (slots[fresh], np.unique(slots[~fresh])):
        yield from _batches(PARTIAL, ((bucket, data, None, None) for bucket, data in slots_by_bucket(members)))


def merge(batches: Batches) -> Batches:
    """Partial results, sorted by key: tallies and bad rows added up, and of every bucket the slots that came twice."""
    for key, rows in groupby(_rows(batches), key=itemgetter(0)):
        if key == FAULTS:
            bad = np.zeros(len(columns.REASONS), dtype=np.int64)
            for _, _, code, count in rows:
                bad[code] += count
            yield from _batches(PARTIAL, ((FAULTS, None, code, count) for code, count in _by_code(bad)))
        elif key < FAULTS:
            parts = (Tally.from_bytes(data) for _, data, _, _ in rows)
            yield from _batches(PARTIAL, [(key, sum(parts, start=next(parts)).to_bytes(), None, None)])
        elif data := slots_in_several_sets(data for _, data, _, _ in rows):
            yield from _batches(PARTIAL, [(key, data, None, None)])


def bad_row_places(question: Question) -> Task:
    """Where the first bad rows of a partition stand."""

    def task(batches: Batches) -> Batches:
        named = _Named()
        for block in _blocks(batches):
            named.add(block, columns.faults(question, *_arrays(question, block)))
        yield from _batches(PLACE, named.rows())

    return task


def suspects(question: Question, sets: dict[int, bytes]) -> Task:
    """The rows, good ones only, of the slots in `sets`."""

    def task(batches: Batches) -> Batches:
        chosen = Chosen(sets)
        for block in _blocks(batches):
            slots, payloads = _arrays(question, block)
            yield block.take(np.flatnonzero(chosen(slots) & (columns.faults(question, slots, payloads) == 0)))

    return task


def rows_not_counted(question: Question) -> Task:
    """What is not to be counted after all, of rows sorted by slot and place: copies, and all of a slot that differ."""

    def task(batches: Batches) -> Batches:
        total, bad, named = Tally.empty(question), np.zeros(len(columns.REASONS), dtype=np.int64), _Named()
        for block in _whole_slots(batches):
            slots, payloads = _arrays(question, block)
            found = columns.faults_of_repeats(slots, payloads)
            out = found != 0
            total += Tally.of(Batch.of_payloads(question, slots[out], payloads[out]))
            bad += np.bincount(found, minlength=len(bad))
            named.add(block, found)
        sums = [(None, code, rows, None, None) for code, rows in _by_code(bad)]
        seats = [(None, code, None, file, row) for code, file, row in named.rows()]
        if sums:
            yield from _batches(TAKEN, [(total.to_bytes(), None, None, None, None), *sums, *seats])

    return task


class _Named:
    """The first places of every reason, in bounded room."""

    def __init__(self) -> None:
        self._held: dict[int, list[tuple[str, int]]] = {}

    def add(self, block: Any, faults: Bytes) -> None:
        for index in np.flatnonzero(faults).tolist():
            held = self._held.setdefault(int(faults[index]), [])
            held.append((block["file"][index].as_py(), block["row"][index].as_py()))
            if len(held) >= 64 * PLACES:
                held[:] = sorted(held)[:PLACES]

    def rows(self) -> Iterator[Row]:
        for code, held in self._held.items():
            yield from ((code, file, row) for file, row in sorted(held)[:PLACES])


def _by_code(bad: Integers) -> list[tuple[int, int]]:
    return [(code, rows) for code, rows in enumerate(bad.tolist()) if code and rows]


def _arrays(question: Question, block: Any) -> tuple[Integers, Bytes]:
    """Slots, and payloads side by side: they are all of one size, as their files say."""
    column = block["payload"]
    _, offsets, data = column.buffers()
    wide = str(column.type) == "large_binary"
    ends = np.frombuffer(offsets, dtype=np.int64 if wide else np.int32)[column.offset : column.offset + len(column) + 1]
    raw = np.frombuffer(data if data is not None else b"", dtype=np.uint8)[ends[0] : ends[-1]]
    return np.asarray(block["slot"], dtype=np.int64), raw.reshape(len(column), question.payload_bytes)


def _blocks(batches: Batches) -> Batches:
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


def _whole_slots(batches: Batches) -> Batches:
    """Blocks of rows sorted by slot, cut between slots."""
    rest: list[Any] = []
    for block in _blocks(batches):
        block = _one([*rest, block])
        slots = np.asarray(block["slot"])
        cut = int(np.searchsorted(slots, slots[-1]))
        rest = [block.slice(cut)]
        if cut:
            yield block.slice(0, cut)
    yield from rest


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
    held = list(zip(*rows, strict=True))
    if held:
        yield pa.record_batch(
            [pa.array(column, types[kind]) for column, (_, kind) in zip(held, fields, strict=True)],
            names=[name for name, _ in fields],
        )
