"""Reports to one question as columns: slots and packed payloads, counted many at a time, and kept in Parquet files.

`count` adds up the rows that a device could have sent and names the others by `REASONS`; `faults_of_repeats` has the
rule for slots that appear more than once. `Writer`, `Keep`, `header` and `blocks` write and read the same columns in
Parquet files; pyarrow is loaded when one of them is called. Version 1 of the schema, described in docs/columns.md::

    slot     uint32, required                        payload  fixed-size binary, required

The file's metadata say which version it is, and which question the reports answer. Slots are packed as differences,
payloads stand as they are: they are random bits, which nothing makes smaller.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import canonical
from sottovoce.messages.array_types import Array, Bytes, Flags, Integers
from sottovoce.messages.canonical import from_plain, to_plain
from sottovoce.messages.errors import InvalidInput, Malformed, MissingExtra
from sottovoce.messages.limits import Size, check, check_digest
from sottovoce.messages.question import Question, Slots
from sottovoce.messages.report import COPY, DIFFERENT, REASONS, Batch, faults
from sottovoce.messages.set_aside_reasons import MOST_PLACES, SetAside
from sottovoce.messages.tally import Tally

__all__ = [
    "COPY",
    "DIFFERENT",
    "MAX_SLOTS",
    "REASONS",
    "VERSION",
    "Block",
    "Counted",
    "Header",
    "Keep",
    "PartFile",
    "RoundSummary",
    "SlotSet",
    "Writer",
    "blocks",
    "check_slots",
    "count",
    "faults",
    "faults_of_repeats",
    "header",
    "metadata_of",
    "schema_of",
    "set_aside_by_fault",
    "shares_slot",
    "table_of",
]


class Counted(NamedTuple):
    """The tally of the good rows, and for each row why it is none of them: see `REASONS`."""

    tally: Tally
    faults: Bytes


def count(question: Question, slots: Array, payloads: Bytes) -> Counted:
    """Add up the rows that a device could have sent. Rows of one slot all count: `faults_of_repeats` has their rule.

    `slots` are integers of any size, `payloads` have the shape ``(n, payload_bytes)``.
    """
    row_faults = faults(question, slots, payloads)
    if row_faults.any():
        good = row_faults == 0
        slots, payloads = slots[good], payloads[good]
    batch = Batch.of_payloads(question, np.asarray(slots, dtype=np.int64), payloads)
    return Counted(Tally.of(batch), row_faults)


def set_aside_by_fault(row_faults: Bytes, where: Callable[[int], str]) -> SetAside:
    """From a number for every row (see `REASONS`); `where` says where a row of these stands."""
    if not row_faults.any():
        return SetAside()
    counts: dict[str, int] = {}
    places: dict[str, tuple[str, ...]] = {}
    for code in np.flatnonzero(np.bincount(row_faults))[0 if row_faults.all() else 1 :].tolist():
        rows = np.flatnonzero(row_faults == code)
        counts[REASONS[code]] = len(rows)
        places[REASONS[code]] = tuple(where(row) for row in rows[:MOST_PLACES].tolist())
    return SetAside(counts=counts, places=places)


_DENSE = 8  # slots to a row up to which a run of rows is marked as a whole


class SlotSet:
    """A set of slots among those that a question asks."""

    def __init__(self, slots: Slots) -> None:
        self._first = slots.first
        self._bits = np.zeros(-(-slots.count // 8), dtype=np.uint8)

    def add(self, slots: Array) -> Flags:
        """Mark the slots of these rows; gives which rows are of a slot that was marked before, or by a row above."""
        place = np.asarray(slots, dtype=np.int64) - self._first
        again = np.zeros(len(place), dtype=np.bool_)
        if not len(place):
            return again
        if not (place[1:] > place[:-1]).all():
            again = self._have(place)
            place, first = np.unique(place, return_index=True)
            later = np.ones(len(again), dtype=np.bool_)
            later[first] = False
            self._mark(place)
            return again | later
        if self._mark(place, look=True):
            again = self._have(place)
            self._mark(place)
        return again

    def has(self, slots: Array) -> Flags:
        """Which rows are of a slot that was marked."""
        return self._have(np.asarray(slots, dtype=np.int64) - self._first)

    def _have(self, place: Integers) -> Flags:
        return np.asarray((self._bits[place >> 3] >> (place & 7).astype(np.uint8)) & 1 != 0)

    def _mark(self, place: Integers, *, look: bool = False) -> bool:
        """Mark places, which are in order. To `look` first: where some are marked already, say so and mark none."""
        low, high = int(place[0]) >> 3, (int(place[-1]) >> 3) + 1
        if 8 * (high - low) <= _DENSE * len(place) + 64:
            flags = np.zeros(8 * (high - low), dtype=np.uint8)
            flags[place - 8 * low] = 1
            where: Any = slice(low, high)
            bits = np.packbits(flags, bitorder="little")
        else:
            byte, bit = place >> 3, np.uint8(1) << (place & 7).astype(np.uint8)
            starts = np.concatenate(([0], np.flatnonzero(np.diff(byte)) + 1))
            where, bits = byte[starts], np.bitwise_or.reduceat(bit, starts)
        if look and (self._bits[where] & bits).any():
            return True
        self._bits[where] |= bits
        return False


def shares_slot(slots: Array) -> Flags:
    """Which rows share their slot with another row of these."""
    if len(slots) < 2 or bool((slots[1:] > slots[:-1]).all()):  # in the order of slots, as they are written
        return np.zeros(len(slots), dtype=np.bool_)
    _, place, counts = np.unique(slots, return_inverse=True, return_counts=True)
    return np.asarray(counts[place] > 1)


def faults_of_repeats(slots: Array, payloads: Bytes) -> Bytes:
    """For valid rows, all of the slots that they are of: 0 for a row that counts, else a place in `REASONS`.

    Of rows of one slot with the same payload the first counts, the others are copies. If any two of them differ, none
    counts. Rows are in the order in which they stand: what is counted does not depend on it, only which is the copy.
    """
    row_faults = np.zeros(len(slots), dtype=np.uint8)
    rows = np.flatnonzero(shares_slot(slots))
    if not len(rows):
        return row_faults
    rows = rows[np.argsort(slots[rows], kind="stable")]
    fresh = np.concatenate(([True], slots[rows[1:]] != slots[rows[:-1]]))  # the first row of each slot
    first = np.flatnonzero(fresh)[np.cumsum(fresh) - 1]
    differs = (payloads[rows] != payloads[rows[first]]).any(axis=1)
    torn = np.logical_or.reduceat(differs, np.flatnonzero(fresh))[np.cumsum(fresh) - 1]
    row_faults[rows] = np.where(torn, DIFFERENT, np.where(fresh, 0, COPY))
    return row_faults


VERSION = 1
MAX_SLOTS = 2**32
_VERSION, _DIGEST, _QUESTION = b"sottovoce.columns", b"sottovoce.question.digest", b"sottovoce.question"
_GROUP_BYTES, _FILE_BYTES = 2**24, 2**28
_GROUP_ROWS = 2**20
_BLOCK_BYTES, _BLOCK_ROWS = 2**23, 2**19
_BROKEN = "a file that is broken inside"


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtra("columns of reports need pyarrow", extra="columns") from error
    return pyarrow


def schema_of(question: Question) -> Any:
    """The Arrow schema of reports to a question."""
    pa = _pyarrow()
    check_slots(question)
    return pa.schema(
        [
            pa.field("slot", pa.uint32(), nullable=False),
            pa.field("payload", pa.binary(question.payload_bytes), nullable=False),
        ]
    )


def metadata_of(question: Question) -> dict[bytes, bytes]:
    """What a file of reports to a question says of itself."""
    return {_VERSION: str(VERSION).encode(), _DIGEST: question.digest.encode(), _QUESTION: question.to_bytes()}


def table_of(question: Question, slots: Array, payloads: Bytes) -> Any:
    """Rows as an Arrow table. Nothing is copied where slots are 32-bit words and payloads stand side by side."""
    pa = _pyarrow()
    size = question.payload_bytes
    check(payloads.shape == (len(slots), size), f"a report to this question has {size} bytes")
    rows = np.ascontiguousarray(payloads)
    binary = pa.Array.from_buffers(pa.binary(size), len(slots), [None, pa.py_buffer(rows)])
    return pa.Table.from_arrays([pa.array(slots.astype(np.uint32, copy=False)), binary], schema=schema_of(question))


def check_slots(question: Question) -> None:
    """Refuse a question that asks more slots than these columns hold."""
    last = question.slots.first + question.slots.count
    if last > MAX_SLOTS:
        raise InvalidInput(
            f"survey {question.survey!r} round {question.round + 1} ({question.role}) asks slots up to {last}",
            fix=f"columns of version {VERSION} hold slots below 2^32 = {MAX_SLOTS}: split the survey",
        )


class Writer:
    """Writes reports to one question into a folder: ``part-00000.parquet`` and so on, each of bounded size.

    Reports come in the order of slots. A file has its name only when it is whole and on the disk.
    """

    def __init__(self, folder: str | Path, question: Question, *, rows_per_file: int | None = None) -> None:
        check_slots(question)
        self.question, self.folder = question, Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        row = question.payload_bytes + 4
        self._group = max(1, min(_GROUP_ROWS, _GROUP_BYTES // row))
        self._most = max(1, _FILE_BYTES // row) if rows_per_file is None else rows_per_file
        self._waiting: list[tuple[Array, Bytes]] = []
        self._held = self._in_file = self.files = self.rows = 0
        self.written: list[tuple[str, int]] = []
        self._last = -1
        self._file: Any = None

    def write(self, slots: Array, payloads: Bytes) -> None:
        """Add rows; they are on the disk after `close`."""
        if not len(slots):
            return
        if int(slots[0]) <= self._last or not bool((slots[1:] > slots[:-1]).all()):
            raise InvalidInput("reports are written in the order of slots, each slot once: sort them before")
        if int(slots[-1]) >= MAX_SLOTS:
            raise InvalidInput(f"columns of version {VERSION} hold slots below 2^32")
        self._last = int(slots[-1])
        self._waiting.append((slots.astype(np.uint32), payloads))
        self._held += len(slots)
        self.rows += len(slots)
        while self._held >= self._next():
            self._flush(self._next())

    def __call__(self, batch: Batch) -> None:
        """A batch of the same question: this is a `keep` for engines that have one."""
        check(batch.question.digest == self.question.digest, "reports to another question")
        self.write(batch.slots, batch.payloads)

    def _next(self) -> int:
        return min(self._group, self._most - self._in_file)

    def _flush(self, count: int) -> None:
        slots, payloads = (np.concatenate([part[side] for part in self._waiting]) for side in (0, 1))
        self._waiting = [(slots[count:], payloads[count:])] if len(slots) > count else []
        self._held -= count
        if self._file is None:
            self._file = _open_to_write(self._path("part"), self.question)
        self._file.write_table(table_of(self.question, slots[:count], payloads[:count]), row_group_size=self._group)
        self._in_file += count
        if self._in_file >= self._most:
            self._finish()

    def _path(self, kind: str) -> Path:
        name = f"part-{self.files:05}.parquet"
        return self.folder / (name if kind == "whole" else f".{name}.part")

    def _finish(self) -> None:
        self._file.close()
        with self._path("part").open("rb") as file:
            os.fsync(file.fileno())
        self._path("part").rename(self._path("whole"))
        self.written.append((self._path("whole").name, self._in_file))
        self._file, self._in_file, self.files = None, 0, self.files + 1

    def close(self) -> None:
        """Write what is left. A question nobody answered has one file without rows."""
        while self._held:
            self._flush(min(self._held, self._next()))
        if self._file is None and not self.files:
            self._file = _open_to_write(self._path("part"), self.question)
        if self._file is not None:
            self._finish()

    def discard(self) -> None:
        """Leave the file that is not whole without a name."""
        if self._file is not None:
            self._file.close()
            self._path("part").unlink(missing_ok=True)
            self._file = None

    def __enter__(self) -> Writer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close() if kind is None else self.discard()


def _open_to_write(path: Path, question: Question) -> Any:
    schema = schema_of(question)
    from pyarrow.parquet import ParquetWriter

    writer = ParquetWriter(
        path,
        schema,
        compression="none",
        use_dictionary=False,
        column_encoding={"slot": "DELTA_BINARY_PACKED", "payload": "PLAIN"},
        write_statistics=["slot"],
        store_schema=False,
        write_page_checksum=True,
    )
    writer.add_key_value_metadata(metadata_of(question))
    return writer


@dataclass(frozen=True, kw_only=True)
class Header:
    """What a file says of itself: the digest of its question, the question's bytes, how many rows of which width."""

    digest: str
    question: bytes
    rows: int
    width: int


def header(path: str | Path) -> Header:
    """Read the end of a file; one that is not whole columns of this version is `Malformed`."""
    with _open_to_read(Path(path)) as file:
        pa, schema = _pyarrow(), file.schema_arrow
        metadata = file.metadata.metadata or {}
        if _VERSION not in metadata:
            raise Malformed("not columns of reports")
        version = metadata[_VERSION].decode(errors="replace")
        check(version == str(VERSION), f"columns of version {version[:20]!r}; this software reads version {VERSION}")
        check(schema.names == ["slot", "payload"], "columns other than slot and payload")
        slot, payload = schema.field("slot"), schema.field("payload")
        fitting = slot.type == pa.uint32() and pa.types.is_fixed_size_binary(payload.type)
        check(fitting, "columns that are not slots of 32 bits and payloads of one size")
        check(not (slot.nullable or payload.nullable), "columns in which a value may be missing")
        return Header(
            digest=metadata.get(_DIGEST, b"").decode(errors="replace"),
            question=metadata.get(_QUESTION, b""),
            rows=file.metadata.num_rows,
            width=payload.type.byte_width,
        )


class Block(NamedTuple):
    """Rows of a file, one after another: the number of the first, from 0, and the columns."""

    first: int
    slots: NDArray[np.uint32]
    payloads: Bytes


def blocks(path: str | Path, *, rows: int | None = None) -> Iterator[Block]:
    """The rows of a file, a block at a time, so that memory does not grow with it; a broken file is `Malformed`."""
    with _open_to_read(Path(path)) as file:
        width = file.schema_arrow.field("payload").type.byte_width
        size = max(1, min(_BLOCK_ROWS, _BLOCK_BYTES // (width + 4))) if rows is None else rows
        first = 0
        for batch in _readable_batches(
            file.iter_batches(batch_size=size, columns=["slot", "payload"], use_threads=False)
        ):
            slots, payload = batch.column(0).to_numpy(), batch.column(1)
            start = payload.offset * width
            raw = np.frombuffer(payload.buffers()[1], dtype=np.uint8)[start : start + len(payload) * width]
            yield Block(first, slots, raw.reshape(len(payload), width))
            first += len(slots)
        check(first == file.metadata.num_rows, _BROKEN)


def _readable_batches(batches: Any) -> Iterator[Any]:
    """The same batches; what the reader says of bytes that it cannot read is said in one way."""
    pa = _pyarrow()
    while True:
        try:
            batch = next(batches)
        except StopIteration:
            return
        except (pa.ArrowException, OSError) as error:
            raise _malformed_unless_ours(error, _BROKEN) from error
        yield batch


def _malformed_unless_ours(error: Exception, why: str) -> Exception:
    """`Malformed`, but for what is no fault of the file: a disk or a permission, which have a number, or memory."""
    ours = isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno is not None)
    return error if ours else Malformed(why)


def _open_to_read(path: Path) -> Any:
    pa = _pyarrow()
    from pyarrow.parquet import ParquetFile

    if not path.is_file():
        raise InvalidInput(f"there is no file {path}", code="missing-file")
    try:
        return ParquetFile(path, pre_buffer=False, buffer_size=2**22, page_checksum_verification=True)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise _malformed_unless_ours(error, "not columns of reports, or a file that is not whole") from error


class Keep:
    """Writes every batch it is called with: the `keep` of an engine. A question is a round, in the order they come.

    A folder of rounds holds ``round-1/question.json`` and the reports to it, ``round-1/part-00000.parquet`` and on.

    Use it with ``with``. A round has its name once it is whole: when the next is asked, or at the end; a round that an
    error cut short is taken away. The folders are readable by their owner alone.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        if self.folder.exists() and any(self.folder.iterdir()):
            raise InvalidInput(f"{self.folder} is not empty", fix="name a new folder for the reports")
        self._asked: set[str] = set()
        self._writer: Writer | None = None

    def __call__(self, batch: Batch) -> None:
        question = batch.question
        if self._writer is None or self._writer.question.digest != question.digest:
            self._close()  # a round ends before the next is asked
            if question.digest in self._asked:
                raise InvalidInput("reports to a round that has ended: rounds are kept one after another")
            self._asked.add(question.digest)
            place = self.folder / f".round-{len(self._asked)}.part"
            for made in (self.folder, place):
                made.mkdir(mode=0o700, parents=True, exist_ok=True)
            (place / "question.json").write_bytes(question.to_bytes())
            self._writer = Writer(place, question)
        self._writer.write(batch.slots, batch.payloads)

    def _close(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer.folder.rename(self.folder / f"round-{len(self._asked)}")
            self._writer = None

    def __enter__(self) -> Keep:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._close()
        elif self._writer is not None:
            self._writer.discard()
            shutil.rmtree(self._writer.folder, ignore_errors=True)
            self._writer = None


_SIZE = Size(letters=2**26, marks=2**22)


@dataclass(frozen=True, kw_only=True)
class PartFile:
    """A file by its name, and how many rows it has."""

    title: ClassVar[str] = "file"

    name: str
    rows: int


@dataclass(frozen=True, kw_only=True)
class RoundSummary:
    """How many reports a round had, in which files, and the SHA-256 of its tally as it was published.

    It stands beside the exported files, in ``round.json``: by it whoever counts sees that something is lost.
    """

    title: ClassVar[str] = "Round"

    reports: int
    files: tuple[PartFile, ...]
    tally: str
    version: int = 1

    def __post_init__(self) -> None:
        check(self.version == 1, "version 1 is the one this software speaks")
        check_digest("tally", self.tally)
        check(all(file.rows >= 0 for file in self.files), "files: rows are counted from 0")
        check(sum(file.rows for file in self.files) == self.reports, "files: their rows are the reports")

    @classmethod
    def of(cls, files: Sequence[tuple[str, int]], tally: bytes) -> RoundSummary:
        """From files with their rows, and the canonical bytes of the tally."""
        return cls(
            reports=sum(rows for _, rows in files),
            files=tuple(PartFile(name=name, rows=rows) for name, rows in files),
            tally=canonical.digest(tally),
        )

    def is_published(self, tally: bytes) -> bool:
        """Whether this is the tally that was published, to the bit."""
        return canonical.digest(tally) == self.tally

    def to_bytes(self) -> bytes:
        return canonical.dumps(to_plain(self))

    @classmethod
    def from_bytes(cls, data: bytes) -> RoundSummary:
        """Read it; anything but the canonical form of one is `Malformed`."""
        return from_plain(cls, canonical.loads(data, size=_SIZE))
