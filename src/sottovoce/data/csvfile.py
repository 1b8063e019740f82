"""CSV in blocks: only the named columns are kept. What is plain is read fast, the rest with the standard library."""

from __future__ import annotations

import csv
import gzip
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import IO, TypeVar

import numpy as np
from numpy.typing import NDArray

from sottovoce.data.categories import MISSING, Coding
from sottovoce.data.columns import check_columns, no_user, value_names
from sottovoce.data.grouping import grouped
from sottovoce.data.ids import Ids
from sottovoce.data.numeric import plain_number
from sottovoce.data.plain import Block, Plain, Rest
from sottovoce.data.progress import Bar, unseen
from sottovoce.device import Collections
from sottovoce.messages import InvalidInput

_T = TypeVar("_T")
BLOCK = 1 << 10  # rows; larger blocks only give the garbage collector more to look at
_WORDS = {"true": 1.0, "false": 0.0} | dict.fromkeys(MISSING, np.nan)


def from_csv(
    path: Path, *, user: str | None, value: str | Sequence[str] | None, coding: Coding | None = None
) -> Collections:
    """Read a file with a line of names, commas, UTF-8; with a `coding`, cells are labels of categories.

    A cell that is empty or says NA, N/A, null or none is a missing value; true and false are 1 and 0.
    """
    by, values = value_names(user=user, value=value)
    users, numbers = zip(*csv_blocks(path, by=by, values=values, coding=coding, ids=Ids()), strict=True)
    return grouped(np.concatenate(users), np.concatenate(numbers))


def csv_names(path: Path) -> list[str]:
    """What the first line calls the columns."""

    def first() -> list[str]:
        with _open(path) as lines:
            return _names(csv.reader(lines, skipinitialspace=True, strict=True))

    return _guarded(path, first)


def csv_blocks(
    path: Path, *, by: str, values: list[str], coding: Coding | None, ids: Ids, bar: Bar = unseen
) -> Iterator[Block]:
    """The rows in blocks: numbers of users, and observations.

    Plain lines are read by polars where it is installed; from the first that are not, all by the standard library.
    Both give the same, or say the same.
    """
    reading, missing, rows = _Reading(path, by=by, values=values, coding=coding, ids=ids), 0, 0
    blocks = reading.blocks(bar)
    while (found := _guarded(path, lambda: next(blocks, None))) is not None:
        rows, missing = rows + len(found[0]), missing + int((found[0] < 0).sum())
        if not missing:
            yield found
    if missing:
        raise no_user(rows=missing, user=by)
    if not rows:
        raise InvalidInput(f"{path.name!r} has no rows")


def _guarded(path: Path, read: Callable[[], _T]) -> _T:
    """What `read` finds, or a fault of the file in words that quote nothing of it."""
    try:
        return read()
    except UnicodeDecodeError:
        trouble = "is not UTF-8 text"
    except (EOFError, zlib.error, gzip.BadGzipFile):
        trouble = "is not a complete gzip file"
    except csv.Error:
        trouble = "has a quote that is never closed, or another fault of that kind"
    raise InvalidInput(f"{path.name!r} {trouble}")


class _Reading:
    """One walk through a file."""

    def __init__(self, path: Path, *, by: str, values: list[str], coding: Coding | None, ids: Ids) -> None:
        self.path, self.by, self.values, self.coding, self.ids = path, by, values, coding, ids

    def blocks(self, bar: Bar) -> Iterator[Block]:
        """Blocks; a row without a user has the number -1."""
        if find_spec("polars") is None:
            yield from self._careful(None)
            return
        with _raw(self.path) as (file, place):
            rest = Rest(file, place, bar)
            line = rest.names()
            if line is None:
                yield from self._careful(None)
                return
            header = self._header(csv.reader([line], skipinitialspace=True, strict=True))
            plain = Plain(header, by=self.by, values=self.values, coding=self.coding, ids=self.ids, number=_number)
            for lines in rest.lines():
                found = plain.read(lines)
                if found is None:
                    yield from self._careful(header, rest.after(lines))
                    return
                yield found

    def _careful(self, header: list[str] | None, lines: IO[str] | None = None) -> Iterator[Block]:
        with _open(self.path) if lines is None else lines as opened:
            rows = csv.reader(opened, skipinitialspace=True, strict=True)
            header = header or self._header(rows)
            at = {name: place for place, name in enumerate(header)}
            place, *places = (at[name] for name in (self.by, *self.values))
            read = _numbers if self.coding is None else self.coding.texts
            while block := list(islice(rows, BLOCK)):
                if set(map(len, block)) != {len(header)}:
                    block = [row for row in block if row]
                    if any(len(row) != len(header) for row in block):
                        raise _fault(self.path, header=header, values=self.values)
                if not block:
                    continue
                cells = list(zip(*block, strict=True))
                numbers = [column for each in places if (column := read(cells[each])) is not None]
                if len(numbers) < len(places):
                    raise _fault(self.path, header=header, values=self.values)
                users = self.ids.plain(cells[place])
                yield users, numbers[0] if len(numbers) == 1 else np.column_stack(numbers)

    def _header(self, rows: Iterator[list[str]]) -> list[str]:
        return _header(rows, self.path, wanted=[self.by, *self.values])


def _open(path: Path) -> IO[str]:
    if path.suffix.lower() == ".gz":
        return gzip.open(path, "rt", encoding="utf-8-sig", newline="")
    return path.open(encoding="utf-8-sig", newline="")


@contextmanager
def _raw(path: Path) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """The bytes of the text, and the file itself, whose position says how far it is read."""
    with path.open("rb") as file:
        if path.suffix.lower() == ".gz":
            with gzip.open(file, "rb") as unpacked:
                yield unpacked, file  # type: ignore[misc]  # a GzipFile reads like any file of bytes
        else:
            yield file, file


def _names(rows: Iterator[list[str]]) -> list[str]:
    return [name.strip() for name in next(filter(None, rows), [])]


def _header(rows: Iterator[list[str]], path: Path, *, wanted: list[str]) -> list[str]:
    header = _names(rows)
    if not header:
        raise InvalidInput(f"{path.name!r} is empty")
    if not set(wanted) <= set(header) and any(_number(name) is not None for name in header if name):
        raise InvalidInput(
            f"{path.name!r} has no column {' or '.join(repr(name) for name in wanted if name not in header)}; "
            "its first line holds numbers, so it may lack a line of names"
        )
    if len(header) == 1 and (";" in header[0] or "\t" in header[0]):
        raise InvalidInput(f"{path.name!r} must separate its cells by commas")
    check_columns(wanted=wanted, there=header, place=repr(path.name))
    return header


def _numbers(cells: Sequence[str]) -> NDArray[np.float64] | None:
    """All cells at once when each is a plain number, one by one when not; None when a cell is no number at all."""
    if "_" not in "".join(cells):  # float() would read 1_000
        try:
            return np.fromiter(map(float, cells), dtype=np.float64, count=len(cells))
        except ValueError:
            pass
    found = [number for number in map(_number, cells) if number is not None]
    return np.array(found) if len(found) == len(cells) else None


def _number(cell: str) -> float | None:
    text = cell.strip().lower()
    return _WORDS[text] if text in _WORDS else plain_number(text)


def _fault(path: Path, *, header: list[str], values: list[str]) -> InvalidInput:
    """Read again, slowly, to say which line is at fault: its number and column, never its contents."""
    with _open(path) as lines:
        rows = csv.reader(lines, skipinitialspace=True, strict=True)
        next(filter(None, rows))
        for row in filter(None, rows):
            where = f"line {rows.line_num} of {path.name!r}"
            if len(row) != len(header):
                return InvalidInput(f"{where} has {len(row)} cells, its first line has {len(header)}")
            for name in values:
                if _number(row[header.index(name)]) is None:
                    return InvalidInput(f"column {name!r}, {where}: the cell must hold a number, not text")
    return InvalidInput(f"{path.name!r} changed while it was read")
