"""How a file of text is laid out: what its owner says of it, and else what its beginning shows."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import IO, Any, TypeVar

from sottovoce.data.cells import CellReader, cell_reader
from sottovoce.data.input_bytes import TextOrigin
from sottovoce.data.reading_report import encoding_name, separator_name
from sottovoce.data.records import ReadingOptions
from sottovoce.messages import InvalidInput, counted

_T = TypeVar("_T")
HEAD = 1 << 18
"""Bytes that are looked at."""
_ROWS = 2000
"""Rows that are looked at, of those bytes."""
LONGEST = 1 << 24
"""Letters of a cell; what is longer is taken for a quote that is never closed."""
BROKEN = "is not a complete gzip file", "fetch or pack it again"
"""What is wrong with one that ends early, and what to do."""
_SEPARATORS = (",", ";", "\t", "|")
_OTHERS = ("^", "~", ":", "#", "!", "*", "/")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f]")
_BINARY = 0.05
"""The share of control characters from which on bytes are no text; chosen by hand: files of text have none."""
_ZEROS = 0.4
"""The share of zeros in every other byte from which on text is UTF-16; chosen by hand: letters of Europe are such."""
_SAYS = re.compile(r'"?sep=(.)"?', re.I)
"""What Excel writes before the names, for itself."""
_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",  # begins as the next does
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_UNUSED = frozenset(b"\x81\x8d\x8f\x90\x9d")
"""Bytes that Windows-1252 has no letter for."""
_CHUNK = 1 << 20
_Rows = list[tuple[int, list[str]]]
"""Rows that are not blank, and in which line each ends."""


@dataclass(frozen=True, kw_only=True)
class Layout:
    """A file of text and how to read it."""

    origin: TextOrigin
    stated: ReadingOptions
    encoding: str
    separator: str
    skipped: int
    """Lines before that of the names."""
    head: tuple[tuple[str, ...], ...]
    """The first rows, names included."""

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.origin.name

    @property
    def nameless(self) -> bool:
        """Whether no line holds names; columns are then called 1, 2, 3."""
        return self.stated.header == 0

    @property
    def written(self) -> dict[str, Any]:
        """How it is written, as far as that can be seen: a workbook has neither separator nor encoding."""
        return {} if self.origin.line == "row" else {"separator": self.separator, "encoding": self.encoding}

    @contextmanager
    def opened(self) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
        """The text in UTF-8 without what precedes the names; and what says how far it is read."""
        with _long_cells(), self.origin.opened() as (file, place):
            text: IO[bytes] = file
            if self.encoding != "utf-8":
                text = io.BufferedReader(Utf8Stream(file, self.encoding))
            for _ in range(self.skipped):
                text.readline()
            yield text, place

    def rows(self, lines: Iterator[str] | IO[str]) -> Any:
        """A reader of the standard library: the cells of each row, and in which line it ended."""
        return csv.reader(lines, delimiter=self.separator, skipinitialspace=True, strict=True)

    @contextmanager
    def text(self) -> Iterator[IO[str]]:
        """The letters of the file."""
        with self.opened() as (file, _):
            yield self.letters(file)

    def letters(self, file: IO[bytes]) -> IO[str]:
        """The letters of its bytes in UTF-8."""
        return io.TextIOWrapper(file, encoding="utf-8" if self.skipped else "utf-8-sig", newline="")

    def numbered(self) -> list[str]:
        """Names for columns that have none: 1, 2, 3."""
        return [str(place + 1) for place in range(len(self.head[0]) if self.head else 0)]

    def cells(self, column: int) -> list[str]:
        """Some cells of a column."""
        names, *rows = (self.numbered(), *self.head) if self.nameless else self.head or ((),)
        even = (fit_to_names(row, names) for row in rows)
        return [row[column] for row in even if len(row) == len(names)]

    def other_sign(self) -> str:
        """What would separate the first two lines where they have one cell each; empty where nothing would."""
        if len(self.head) < 2 or any(len(row) > 1 for row in self.head[:2]):
            return ""
        first, second = (row[0] for row in self.head[:2])
        return next((sign for sign in _OTHERS if 0 < first.count(sign) == second.count(sign)), "")

    def reader(self, column: int) -> CellReader:
        """How the cells of a column are read."""
        return cell_reader(self.cells(column), self.stated)


def layout_of(origin: TextOrigin, stated: ReadingOptions) -> Layout:
    """Look at the beginning of a file."""
    head = _head(origin)
    encoding = encoding_of(head) if stated.encoding is None else encoding_with_byte_order(stated.encoding, head)
    # what is wrong with letters is said when they are read
    text = codecs.getincrementaldecoder(encoding)(errors="replace").decode(head).removeprefix("\ufeff")
    separator = stated.separator
    if separator is None and len(_CONTROLS.findall(text)) > _BINARY * len(text):
        if stated.encoding is not None:
            raise InvalidInput(
                f"{origin.name!r} holds no text in that encoding", fix="leave --encoding (encoding=) out"
            )
        raise InvalidInput(
            f"{origin.name!r} holds no text, whatever its name says", fix="save the table as .csv or .xlsx"
        )
    lines = list(io.StringIO(text, newline=""))
    if len(head) >= HEAD and len(lines) > 1:
        lines.pop()  # cut
    skipped = max(0, (stated.header or 0) - 1)
    if skipped and skipped >= len(lines):
        raise InvalidInput(
            rule=f"{origin.name!r} has {counted(len(lines), origin.line)}, and header= (--header) names another"
        )
    if stated.header is None:
        first = next((place for place, line in enumerate(lines) if line.strip()), 0)
        says = _SAYS.fullmatch(lines[first].strip()) if lines else None
        if says is not None:
            skipped, separator = first + 1, separator or says[1]
        _check_comments(lines[skipped:], origin, separator)
    separator, rows = _split_rows(lines[skipped:], separator)
    if stated.header is None:
        _check_names(rows, origin, separator, skipped)
    return Layout(
        origin=origin,
        stated=stated,
        encoding=encoding,
        separator=separator,
        skipped=skipped,
        head=tuple(tuple(row) for _, row in rows),
    )


def encoding_of(head: bytes) -> str:
    """By a byte order mark; by zeros, of which UTF-16 has many; else UTF-8 where it is that, or Windows-1252."""
    for mark, name in _MARKS.items():
        if head.startswith(mark):
            return name
    some = head[: len(head) // 2 * 2]
    odd, even = some[1::2].count(0), some[0::2].count(0)
    if max(odd, even) > _ZEROS * len(some) / 2:
        return "utf-16-le" if odd > even else "utf-16-be"
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)  # the last letter may be cut
    except UnicodeDecodeError:
        return "latin-1" if _UNUSED & set(head) else "cp1252"
    return "utf-8"


def encoding_with_byte_order(encoding: str, head: bytes) -> str:
    """One name for each: what was said, as `encoding_of` would say it; a mark tells their two ways apart."""
    name = codecs.lookup(encoding).name
    if name in ("utf-16", "utf-32"):
        big = codecs.BOM_UTF16_BE if name == "utf-16" else codecs.BOM_UTF32_BE
        return f"{name}-be" if head.startswith(big) else f"{name}-le"
    return {"utf-8-sig": "utf-8", "iso8859-1": "latin-1"}.get(name, name)


def _head(origin: TextOrigin) -> bytes:
    try:
        with origin.opened() as (file, _):
            return file.read(HEAD)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        pass
    raise InvalidInput(f"{origin.name!r} {BROKEN[0]}", fix=BROKEN[1])


def _split_rows(lines: list[str], separator: str | None) -> tuple[str, _Rows]:
    """The first rows by a separator; where none is said, by the one by which most rows are as long as the names.

    Only separators by which names have more than one cell count, if there are any; of several the first.
    """
    if separator is not None:
        return separator, _rows(lines, separator)
    tried = {one: _rows(lines, one) for one in _SEPARATORS}
    named = [one for one, rows in tried.items() if rows and len(rows[0][1]) > 1] or list(tried)
    best = max(named, key=lambda one: _evenness(tried[one]))
    return best, tried[best]


def _evenness(rows: _Rows) -> float:
    """The share of rows that are as long as most are; half of it where names are not."""
    size, count = _usual_size(rows)
    return 0.0 if size == 1 else count / len(rows) / (1 if len(rows[0][1]) == size else 2)


def _usual_size(rows: _Rows) -> tuple[int, int]:
    """How many cells most rows have, and how many rows those are."""
    return next(iter(Counter(len(row) for _, row in rows).most_common(1)), (1, 0))


def _rows(lines: list[str], separator: str) -> _Rows:
    """The first rows that are not blank, and in which line each ends."""
    rows = csv.reader(lines, delimiter=separator, skipinitialspace=True, strict=True)
    first: _Rows = []
    with _long_cells(), suppress(csv.Error):  # said when it is read
        for row in rows:
            if row:
                first.append((rows.line_num, row))
            if len(first) == _ROWS:
                break
    return first


@contextmanager
def _long_cells() -> Iterator[None]:
    """The standard library's limit is one of the whole process, and not ours: as it was, when all is read."""
    before = csv.field_size_limit()
    csv.field_size_limit(max(LONGEST, before))
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _check_comments(lines: list[str], origin: TextOrigin, separator: str | None) -> None:
    """Refuse lines that begin with # before the names; names may begin so themselves."""
    first = next((place for place, line in enumerate(lines) if line.strip() and not line.startswith("#")), 0)
    if not first or not any(line.strip() for line in lines[:first]):
        return
    best, rows = _split_rows(lines[first:], separator)
    size = len(rows[0][1]) if rows else 1
    if size > 1 and [len(row) for _, row in _rows(lines[:first], best)][-1:] != [size]:
        raise InvalidInput(f"{origin.name!r} begins with a comment", fix=_names_are_in(first + 1, origin))


def _check_names(rows: _Rows, origin: TextOrigin, separator: str, skipped: int) -> None:
    """Refuse a title or a comment in place of names, and say where those seem to stand."""
    if len(rows) < 2 or (len(rows[0][1]) > 1 and not rows[0][1][0].startswith("#")):
        return
    size, count = _usual_size(rows[1:])
    if size < 2 or len(rows[0][1]) == size or (len(rows) > 4 and count < len(rows) / 2):
        return
    names = next(line for line, row in rows if len(row) == size) + skipped
    raise InvalidInput(
        f"{origin.line} {rows[0][0] + skipped} of {origin.name!r} is a title or a comment "
        f"({counted(len(rows[0][1]), 'cell')} by {separator_name(separator)}; the {origin.line}s after it have {size})",
        fix=_names_are_in(names, origin),
    )


def _names_are_in(line: int, origin: TextOrigin) -> str:
    return (
        f"the names of the columns seem to stand in {origin.line} {line}: say --header {line} (header={line}), or "
        "remove what precedes them"
    )


def fit_to_names(row: Sequence[str], names: Sequence[str]) -> Sequence[str]:
    """A row without the separators at its end, as many cells as there are names; nameless columns may be left out."""
    size, width = len(row), len(names)
    if size > width and not any(row[width:]):
        return row[:width]
    return row if size >= width or any(names[size:]) or not row else [*row, *[""] * (width - size)]


class Utf8Stream(io.RawIOBase):
    """Bytes in some encoding, read as bytes in UTF-8 without a mark."""

    def __init__(self, file: IO[bytes], encoding: str) -> None:
        self._file, self._held, self._begun, self._ended = file, b"", False, False
        self._decoder = codecs.getincrementaldecoder(encoding)()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._held and not self._ended:
            raw = self._file.read(_CHUNK)
            self._ended = not raw
            text = self._decoder.decode(raw, final=self._ended)
            if text and not self._begun:
                self._begun, text = True, text.removeprefix("\ufeff")
            self._held = text.encode()
        more, self._held = self._held[: len(buffer)], self._held[len(buffer) :]
        buffer[: len(more)] = more
        return len(more)


def explain_faults(layout: Layout, items: Iterator[_T]) -> Iterator[_T]:
    """Go through what is read of a file; a fault of the file is told in words that quote nothing of it."""
    try:
        yield from items
        return
    except UnicodeDecodeError:
        wrong, fix = _undecodable(layout)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        wrong, fix = BROKEN
    except csv.Error:
        wrong, fix = _open_quote(layout)
    raise InvalidInput(f"{layout.name!r} {wrong}", fix=fix)


def _open_quote(layout: Layout) -> tuple[str, str]:
    """In which line a quote begins that is never closed, and what to do."""
    with layout.text() as lines:
        if lines.read(100).lstrip().startswith(("[", "{")):
            return "seems to hold JSON, which is not read", "save it as .csv"
    last = layout.skipped
    with suppress(csv.Error), layout.text() as lines:
        rows = layout.rows(lines)
        for _ in rows:
            last = rows.line_num + layout.skipped
    return (
        f"has a quote that is never closed, or another fault of that kind, from line {last + 1} on; close or remove it "
        "(a quote inside of quotes is written twice)",
        "",
    )


def _undecodable(layout: Layout) -> tuple[str, str]:
    """Where bytes are no letters, and what to do."""
    decoder, line = codecs.getincrementaldecoder(layout.encoding)(), 1
    with layout.origin.opened() as (file, _):
        while raw := file.read(1 << 16):
            try:
                line += decoder.decode(raw).count("\n")
            except UnicodeDecodeError as error:
                line += error.object[: error.start].count(b"\n")
                break
    other = "cp1252" if layout.encoding == "utf-8" else "utf-8"
    return (
        f"is not {encoding_name(layout.encoding)} text: {layout.origin.line} {line} has bytes that are no letters",
        f"say which encoding it is, such as --encoding {other} (encoding={other!r})",
    )
