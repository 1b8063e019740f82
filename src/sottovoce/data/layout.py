"""How a file of text is laid out: what its owner says of it, and else what its beginning shows."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import IO, Any

from sottovoce.data.cells import Cells, reader
from sottovoce.data.columns import squared
from sottovoce.data.encodings import Recoded, canonical, encoding_of
from sottovoce.data.origin import Origin
from sottovoce.data.reading import separator_name
from sottovoce.data.stated import Stated
from sottovoce.messages import InvalidInput, counted

HEAD = 1 << 18
"""Bytes that are looked at."""
_ROWS = 2000
BROKEN = "is not a complete gzip file", "fetch or pack it again"
"""What is wrong with one that ends early, and what to do."""
_SEPARATORS = (",", ";", "\t", "|")
_OTHERS = ("^", "~", ":", "#", "!", "*", "/")
LONGEST = 1 << 24
"""Letters of a cell; what is longer is taken for a quote that is never closed."""
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f]")
_BINARY = 0.05
"""The share of control characters from which on bytes are no text."""
_SAYS = re.compile(r'"?sep=(.)"?', re.I)
"""What Excel writes before the names, for itself."""


@dataclass(frozen=True, kw_only=True)
class Layout:
    """A file of text and how to read it."""

    origin: Origin
    stated: Stated
    encoding: str
    separator: str
    skipped: int
    """Lines before that of the names."""
    head: tuple[tuple[str, ...], ...]
    """The first rows, names included."""

    @property
    def name(self) -> str:
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
                text = io.BufferedReader(Recoded(file, self.encoding))
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
        names = self.numbered() if self.nameless else self.head[0] if self.head else ()
        rows = (squared(row, names) for row in (self.head if self.nameless else self.head[1:]))
        return [row[column] for row in rows if len(row) == len(names)]

    def other_sign(self) -> str:
        """What would separate the first two lines where they have one cell each; empty where nothing would."""
        if len(self.head) < 2 or any(len(row) > 1 for row in self.head[:2]):
            return ""
        first, second = (row[0] for row in self.head[:2])
        return next((sign for sign in _OTHERS if 0 < first.count(sign) == second.count(sign)), "")

    def reader(self, column: int) -> Cells:
        """How the cells of a column are read."""
        return reader(self.cells(column), self.stated)


def layout(origin: Origin, stated: Stated) -> Layout:
    """Look at the beginning of a file."""
    head = _head(origin)
    whole = len(head) < HEAD
    encoding = encoding_of(head) if stated.encoding is None else canonical(stated.encoding, head)
    text, separator = _decoded(head, encoding).removeprefix("\ufeff"), stated.separator
    if separator is None and len(_CONTROLS.findall(text)) > _BINARY * len(text):
        if stated.encoding is not None:
            raise InvalidInput(
                f"{origin.name!r} holds no text in that encoding", fix="leave --encoding (encoding=) out"
            )
        raise InvalidInput(
            f"{origin.name!r} holds no text, whatever its name says", fix="save the table as .csv or .xlsx"
        )
    lines = list(io.StringIO(text, newline=""))
    if not whole and len(lines) > 1:
        lines.pop()
    skipped = max(0, (stated.header or 0) - 1)
    if stated.header is None:
        first = next((place for place, line in enumerate(lines) if line.strip()), 0)
        says = _SAYS.fullmatch(lines[first].strip()) if lines else None
        if says is not None:
            skipped, separator = first + 1, separator or says[1]
    elif skipped >= len(lines) and skipped:
        raise InvalidInput(
            rule=f"{origin.name!r} has {counted(len(lines), origin.line)}, and header= (--header) names another"
        )
    if stated.header is None:
        _check_comments(lines[skipped:], origin, separator)
    rest = lines[skipped:]
    found = {one: _rows(rest, one) for one in ((separator,) if separator else _SEPARATORS)}
    separator = separator or _best(found)
    made = Layout(
        origin=origin,
        stated=stated,
        encoding=encoding,
        separator=separator,
        skipped=skipped,
        head=tuple(tuple(row) for _, row in found[separator]),
    )
    if stated.header is None:
        _check_names(made, found[separator])
    return made


def _head(origin: Origin) -> bytes:
    try:
        with origin.opened() as (file, _):
            return file.read(HEAD)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        pass
    raise InvalidInput(f"{origin.name!r} {BROKEN[0]}", fix=BROKEN[1])


def _decoded(head: bytes, encoding: str) -> str:
    """What the first bytes say; what is wrong with them is said when they are read."""
    return codecs.getincrementaldecoder(encoding)(errors="replace").decode(head)


def _rows(lines: list[str], separator: str) -> list[tuple[int, list[str]]]:
    """The first rows that are not blank, and in which line each ends."""
    rows = csv.reader(lines, delimiter=separator, skipinitialspace=True, strict=True)
    found: list[tuple[int, list[str]]] = []
    with _long_cells(), suppress(csv.Error):  # said when it is read
        for row in rows:
            if row:
                found.append((rows.line_num, row))
            if len(found) == _ROWS:
                break
    return found


@contextmanager
def _long_cells() -> Iterator[None]:
    """The standard library's limit is one of the whole process, and not ours: as it was, when all is read."""
    before = csv.field_size_limit()
    csv.field_size_limit(max(LONGEST, before))
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _best(found: dict[str, list[tuple[int, list[str]]]]) -> str:
    """The separator by which names have more than one cell, and most rows as many; of several the first."""
    named = [one for one, rows in found.items() if rows and len(rows[0][1]) > 1] or list(found)
    return max(named, key=lambda one: _evenness(found[one]))


def _evenness(rows: list[tuple[int, list[str]]]) -> float:
    sizes = Counter(len(row) for _, row in rows)
    size, count = max(sizes.items(), key=lambda one: one[1], default=(1, 0))
    if size == 1:
        return 0.0
    return count / len(rows) / (1 if len(rows[0][1]) == size else 2)


def _check_comments(lines: list[str], origin: Origin, separator: str | None) -> None:
    """Refuse lines that begin with # before the names; names may begin so themselves."""
    first = next((place for place, line in enumerate(lines) if line.strip() and not line.startswith("#")), 0)
    if not first or not any(line.strip() for line in lines[:first]):
        return
    found = {one: _rows(lines[first:], one) for one in ((separator,) if separator else _SEPARATORS)}
    best = separator or _best(found)
    size = len(found[best][0][1]) if found[best] else 1
    last = [row for _, row in _rows(lines[:first], best)][-1:]
    if size > 1 and (not last or len(last[0]) != size):
        raise InvalidInput(
            f"{origin.name!r} begins with a comment",
            fix=f"the names of the columns seem to stand in {origin.line} {first + 1}: say --header {first + 1} "
            f"(header={first + 1}), or remove what precedes them",
        )


def _check_names(made: Layout, rows: list[tuple[int, list[str]]]) -> None:
    """Refuse a title or a comment in place of names, and say where those seem to stand."""
    if len(rows) < 2 or (len(rows[0][1]) > 1 and not rows[0][1][0].startswith("#")):
        return
    size, count = max(Counter(len(row) for _, row in rows[1:]).items(), key=lambda one: one[1])
    if size < 2 or len(rows[0][1]) == size or (len(rows) > 4 and count < len(rows) / 2):
        return
    first = rows[0][0] + made.skipped
    names = next(line for line, row in rows if len(row) == size) + made.skipped
    line = made.origin.line
    raise InvalidInput(
        f"{line} {first} of {made.name!r} is a title or a comment ({counted(len(rows[0][1]), 'cell')} by "
        f"{separator_name(made.separator)}; the {line}s after it have {size})",
        fix=f"the names of the columns seem to stand in {line} {names}: say --header {names} (header={names}), or "
        "remove what precedes them",
    )
