"""CSV whose lines are plain (no quotes, as many cells as names) by polars, some megabytes at a time.

What is read here is what the standard library would read; anything else is left to it.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import IO, Any

import numpy as np

from sottovoce.data.categories import Coding
from sottovoce.data.cells import Cells
from sottovoce.data.columns import NOBODY
from sottovoce.data.grouping import Block, Floats, Integers
from sottovoce.data.ids import Ids
from sottovoce.data.progress import Bar

CHUNK = 1 << 23
_MARK = b"\xef\xbb\xbf"


class Rest(io.RawIOBase):
    """What of a file was not read yet: whole lines at a time, or to read from like a file."""

    def __init__(self, file: IO[bytes], place: IO[bytes], bar: Bar) -> None:
        self._file, self._place, self._bar = file, place, bar
        self._held = file.read(CHUNK).removeprefix(_MARK)
        self._told = self._given = 0
        self.passed = 0
        """Lines that were taken away as names."""

    def names(self) -> str | None:
        """The first line that is not blank, taken away; None where it is not plain."""
        line, end, held, passed = b"", b"\n", self._held, 0
        while end and not line:
            line, end, held = held.partition(b"\n")
            line, passed = line.removesuffix(b"\r"), passed + 1
        if not end or b"\r" in line or line.count(b'"') % 2:
            return None
        try:
            text = line.decode()
        except UnicodeDecodeError:
            return None
        self._held, self.passed = held, passed
        return text

    def lines(self) -> Iterator[bytes]:
        """Whole lines, some megabytes of them; the last may lack its end."""
        while True:
            more = self._file.read(CHUNK)
            self._bar(self._place.tell() - self._told)
            self._told = self._place.tell()
            whole, end, begun = self._held.rpartition(b"\n") if more else (self._held, b"", b"")
            self._held = begun + more
            if whole or end:
                yield whole + end
            if not more:
                return

    def after(self, lines: bytes) -> IO[str]:
        """The text from these lines on, to read from."""
        self._held = lines + self._held
        return io.TextIOWrapper(io.BufferedReader(self), encoding="utf-8", newline="")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._given == len(self._held):
            self._held, self._given = self._file.read(CHUNK), 0
        more = self._held[self._given : self._given + len(buffer)]
        buffer[: len(more)] = more
        self._given += len(more)
        return len(more)


class Plain:
    """The columns of a file that are wanted, and what becomes of their cells."""

    def __init__(
        self,
        header: list[str],
        *,
        separator: str,
        by: str,
        values: list[str],
        coding: Coding | None,
        ids: Ids,
        readers: Sequence[Cells],
        skip: bool,
    ) -> None:
        self._width, self._separator, self._ids, self._coding, self._skip = len(header), separator, ids, coding, skip
        self._by, self._values = _column(header, by), [_column(header, name) for name in values]
        self._readers = dict(zip(self._values, readers, strict=True))

    def read(self, lines: bytes) -> tuple[Block, list[Integers]] | None:
        """The rows of some lines, and of each column those whose cell is odd, which count as missing.

        None where lines are not plain, or a cell is odd and that matters. A row without a user has the number -1.
        """
        lines = lines.replace(b"\r\n", b"\n") if b"\r" in lines else lines
        if b'"' in lines or b"\r" in lines or b"\0" in lines or not _is_text(lines):
            return None
        frame = self._frame(lines, numbers=self._coding is None)
        if frame is None and self._coding is None:
            frame = self._frame(lines, numbers=False)  # cells that are words
        if frame is None:
            return None
        letters = np.frombuffer(lines, dtype=np.uint8)
        ended = int(np.count_nonzero(letters == ord("\n"))) + (not lines.endswith(b"\n"))
        signs = np.count_nonzero(letters == ord(self._separator))
        if ended != len(frame) or signs != len(frame) * (self._width - 1):
            return None
        found = [self._cells(frame.get_column(name), self._readers[name]) for name in self._values]
        columns, odd = [column for column, _ in found], [rows for _, rows in found]
        if not self._skip and any(len(rows) for rows in odd):
            return None
        ids = frame.get_column(self._by).str.strip_chars(" ") if b" " in lines else frame.get_column(self._by)
        return (self._users(ids), columns[0] if len(columns) == 1 else np.column_stack(columns)), odd

    def _frame(self, lines: bytes, *, numbers: bool) -> Any:
        import polars

        schema: dict[str, Any] = {f"column_{place + 1}": polars.String() for place in range(self._width)}
        if numbers:
            schema |= {name: polars.Float64() for name in self._values if self._readers[name].plain}
        wanted = [name for name in schema if name in (self._by, *self._values)]
        try:
            return polars.read_csv(
                lines, has_header=False, schema=schema, columns=wanted, quote_char=None, separator=self._separator
            )
        except Exception:  # whatever polars makes of it: the standard library says what is wrong
            return None

    def _users(self, ids: Any) -> Integers:
        nobody = ids.is_null() | ids.is_in(list(NOBODY))
        if not nobody.any():
            return self._ids.texts(ids)
        there = ~nobody
        users = np.full(len(ids), -1)
        users[there.to_numpy()] = self._ids.texts(ids.filter(there))
        return users

    def _cells(self, cells: Any, reader: Cells) -> tuple[Floats, Integers]:
        import polars

        nothing = np.zeros(0, dtype=np.int64)
        if cells.dtype == polars.Float64:
            return np.asarray(cells.fill_null(np.nan).to_numpy()), nothing
        texts = cells.fill_null("").str.strip_chars_start(" ")
        if self._coding is not None:
            from sottovoce.data.frames import coded

            found = coded(texts, self._coding)
            return self._coding.known(found) if self._skip else (found, nothing)
        numbers = _numbers(texts, reader)
        found = np.array(numbers.fill_null(np.nan).to_numpy())
        words = texts.filter(numbers.is_null())
        known = {word: reader.number(word) for word in words.unique().to_list()}
        odd = [word for word, number in known.items() if number is None]
        found[numbers.is_null().to_numpy()] = [
            np.nan if (one := known[word]) is None else one for word in words.to_list()
        ]
        return found, np.flatnonzero(texts.is_in(odd).to_numpy()) if odd else nothing


def _numbers(texts: Any, reader: Cells) -> Any:
    """The numbers of cells that are nothing but numbers; null for all others."""
    import polars

    if reader.kind != "number":
        return polars.Series([None], dtype=polars.Float64).new_from_index(0, len(texts))
    if reader.plain:
        return texts.cast(polars.Float64, strict=False)
    return (
        texts.set(texts.str.contains(".", literal=True), None)
        .str.replace(",", ".", literal=True)
        .cast(polars.Float64, strict=False)
    )


def _column(header: list[str], name: str) -> str:
    return f"column_{header.index(name) + 1}"  # as polars calls them


def _is_text(lines: bytes) -> bool:
    try:
        return lines.isascii() or bool(lines.decode())
    except UnicodeDecodeError:
        return False
