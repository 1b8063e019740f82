"""Reports to one question in Parquet: version 1 of the schema, described in docs/columns.md.

::

    slot     uint32, required                        payload  fixed-size binary, required

The file's metadata say which version it is, and which question the reports answer. Slots are packed as differences,
payloads stand as they are: they are random bits, which nothing makes smaller.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages.errors import InvalidInput, Malformed, MissingExtra
from sottovoce.messages.limits import check
from sottovoce.messages.question import Question
from sottovoce.messages.report import Batch

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


def table_of(question: Question, slots: NDArray[Any], payloads: NDArray[np.uint8]) -> Any:
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
        self._waiting: list[tuple[NDArray[Any], NDArray[np.uint8]]] = []
        self._held = self._in_file = self.files = self.rows = 0
        self.written: list[tuple[str, int]] = []
        self._last = -1
        self._file: Any = None

    def write(self, slots: NDArray[Any], payloads: NDArray[np.uint8]) -> None:
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
            self._file = _open(self._path("part"), self.question)
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
            self._file = _open(self._path("part"), self.question)
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


def _open(path: Path, question: Question) -> Any:
    schema = schema_of(question)
    from pyarrow.parquet import ParquetWriter

    made = ParquetWriter(
        path,
        schema,
        compression="none",
        use_dictionary=False,
        column_encoding={"slot": "DELTA_BINARY_PACKED", "payload": "PLAIN"},
        write_statistics=["slot"],
        store_schema=False,
        write_page_checksum=True,
    )
    made.add_key_value_metadata(metadata_of(question))
    return made


@dataclass(frozen=True, kw_only=True)
class Header:
    """What a file says of itself: the digest of its question, the question's bytes, how many rows of which width."""

    digest: str
    question: bytes
    rows: int
    width: int


def header(path: str | Path) -> Header:
    """Read the end of a file; one that is not whole columns of this version is `Malformed`."""
    with _reading(Path(path)) as file:
        pa, schema = _pyarrow(), file.schema_arrow
        told = file.metadata.metadata or {}
        if _VERSION not in told:
            raise Malformed("not columns of reports")
        version = told[_VERSION].decode(errors="replace")
        check(version == str(VERSION), f"columns of version {version[:20]!r}; this software reads version {VERSION}")
        check(schema.names == ["slot", "payload"], "columns other than slot and payload")
        slot, payload = schema.field("slot"), schema.field("payload")
        fitting = slot.type == pa.uint32() and pa.types.is_fixed_size_binary(payload.type)
        check(fitting, "columns that are not slots of 32 bits and payloads of one size")
        check(not (slot.nullable or payload.nullable), "columns in which a value may be missing")
        return Header(
            digest=told.get(_DIGEST, b"").decode(errors="replace"),
            question=told.get(_QUESTION, b""),
            rows=file.metadata.num_rows,
            width=payload.type.byte_width,
        )


class Block(NamedTuple):
    """Rows of a file, one after another: the number of the first, from 0, and the columns."""

    first: int
    slots: NDArray[np.uint32]
    payloads: NDArray[np.uint8]


def blocks(path: str | Path, *, rows: int | None = None) -> Iterator[Block]:
    """The rows of a file, a block at a time, so that memory does not grow with it; a broken file is `Malformed`."""
    with _reading(Path(path)) as file:
        width = file.schema_arrow.field("payload").type.byte_width
        size = max(1, min(_BLOCK_ROWS, _BLOCK_BYTES // (width + 4))) if rows is None else rows
        first = 0
        for batch in _checked(file.iter_batches(batch_size=size, columns=["slot", "payload"], use_threads=False)):
            slots, payload = batch.column(0).to_numpy(), batch.column(1)
            start = payload.offset * width
            raw = np.frombuffer(payload.buffers()[1], dtype=np.uint8)[start : start + len(payload) * width]
            yield Block(first, slots, raw.reshape(len(payload), width))
            first += len(slots)
        check(first == file.metadata.num_rows, _BROKEN)


def _checked(batches: Any) -> Iterator[Any]:
    """The same batches; what the reader says of bytes that it cannot read is said in one way."""
    pa = _pyarrow()
    while True:
        try:
            batch = next(batches)
        except StopIteration:
            return
        except (pa.ArrowException, OSError) as error:
            raise _told(error, _BROKEN) from error
        yield batch


def _told(error: Exception, why: str) -> Exception:
    """`Malformed`, but for what is no fault of the file: a disk or a permission, which have a number, or memory."""
    ours = isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno is not None)
    return error if ours else Malformed(why)


def _reading(path: Path) -> Any:
    pa = _pyarrow()
    from pyarrow.parquet import ParquetFile

    if not path.is_file():
        raise InvalidInput(f"there is no file {path}", code="missing-file")
    try:
        return ParquetFile(path, pre_buffer=False, buffer_size=2**22, page_checksum_verification=True)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise _told(error, "not columns of reports, or a file that is not whole") from error
