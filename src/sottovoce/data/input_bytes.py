"""Where the bytes of a file of text come from: a file, a packed one, standard input, a sheet of a workbook.

A sheet becomes lines of CSV, so that one reader reads both; row numbers stay those of the sheet.
"""

from __future__ import annotations

import datetime as dt
import gzip
import io
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from os import PathLike, fspath
from pathlib import Path
from typing import IO, Any

from sottovoce.data.records import ReadingOptions, existing_file
from sottovoce.messages import InvalidInput, MissingExtra

Bar = Callable[[int], object]
"""Told how many more bytes or rows were read."""
_GZIP, _ZIP, _PARQUET, _OLD = b"\x1f\x8b", b"PK\x03\x04", b"PAR1", b"\xd0\xcf\x11\xe0"
_BOOK = (b"[Content_Types].xml", b"_rels/", b"docProps/", b"xl/")
"""What the first part of a workbook is called, which is a zip archive as well."""
_piped: list[tuple[Any, bytes]] = []
_NOT_AVAILABLE = ("#N/A", "#N/A!")


def no_bar(more: int) -> None:
    """No bar."""


@contextmanager
def progress_bar(name: str, *, total: Callable[[], int], unit: str) -> Iterator[Bar]:
    """A bar on standard error, where that is a terminal; it goes away when the file is read."""
    if not sys.stderr.isatty():
        yield no_bar
        return
    from tqdm import tqdm

    whole = total() or None  # of a pipe nobody knows
    with tqdm(total=whole, desc=name, unit=unit, unit_scale=True, leave=False, file=sys.stderr, delay=1) as bar:
        yield bar.update


class TextOrigin:
    """The bytes of some text, from their beginning as often as it takes."""

    def __init__(
        self, name: str, *, path: Path | None = None, held: bytes = b"", line: str = "line", sheets: Sequence[str] = ()
    ) -> None:
        self.name, self.path, self._held, self.line = name, path, held, line
        self.sheets = tuple(sheets)
        """Of a workbook."""

    @property
    def packed(self) -> bool:
        return self.path is not None and self.path.suffix.lower() == ".gz"

    def size(self) -> int:
        """How many bytes there are to read, packed as they are."""
        return len(self._held) if self.path is None else self.path.stat().st_size

    @contextmanager
    def opened(self) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
        """The bytes of the text, and the file itself, whose position says how far it is read."""
        if self.path is None:
            memory = io.BytesIO(self._held)
            yield memory, memory
            return
        with self.path.open("rb") as file:
            if self.packed:
                with gzip.open(file, "rb") as unpacked:
                    yield unpacked, file  # type: ignore[misc]  # a GzipFile reads like any file of bytes
            else:
                yield file, file


def is_parquet(data: str | PathLike[str]) -> bool:
    """Whether the name says so."""
    return fspath(data).lower().endswith(".parquet")


def text_origin(data: str | PathLike[str], stated: ReadingOptions) -> TextOrigin:
    """The text that `data` names: any file but Parquet, or ``-``."""
    if fspath(data) == "-":
        origin = _standard_input(stated)
    else:
        path = existing_file(data)
        if path.suffix.lower() in (".xlsx", ".xlsm"):
            return _workbook(path, path.name, stated)
        origin = TextOrigin(path.name, path=path)
    if stated.sheet is not None and origin.line != "row":
        raise InvalidInput(
            "sheet= and --sheet are for Excel workbooks", fix=f"{origin.name!r} has no sheets: leave it out"
        )
    _check_kind(origin)
    return origin


def _standard_input(stated: ReadingOptions) -> TextOrigin:
    """All of it, held: it can be read once, and questions may need it again."""
    stream: Any = sys.stdin
    if stream is None or stream.isatty():
        raise InvalidInput(rule="nothing comes in: - reads standard input, such as sotto look - < ratings.csv")
    raw = getattr(stream, "buffer", None)
    if not _piped or _piped[0][0] is not stream:
        _piped[:] = [(stream, _read_all(raw) if raw is not None else stream.read().encode())]
    content = _piped[0][1]
    if content.startswith(_GZIP):
        content = gzip.decompress(content)
    if content.startswith(_ZIP):
        return _workbook(io.BytesIO(content), "standard input", stated)
    return TextOrigin("standard input", held=content)


def _read_all(raw: IO[bytes]) -> bytes:
    parts = []
    with progress_bar("standard input", total=lambda: 0, unit="B") as bar:
        while part := raw.read(1 << 20):
            parts.append(part)
            bar(len(part))
    return b"".join(parts)


def _check_kind(origin: TextOrigin) -> None:
    """Refuse what is no text, whatever its name says."""
    if origin.packed:
        return
    with origin.opened() as (file, _):
        first = file.read(64)
    if first.startswith(_ZIP) and not first[30:].startswith(_BOOK):
        raise InvalidInput(f"{origin.name!r} is a zip archive in spite of its name", fix="unpack it first")
    kinds = {_ZIP: ("an Excel workbook", ".xlsx"), _PARQUET: ("a Parquet file", ".parquet")}
    kinds |= {_OLD: ("an old Excel workbook", "")}
    for start, (what, ending) in kinds.items():
        if first.startswith(start):
            todo = f"give it a name that ends in {ending}" if ending and origin.path else "save it as .csv"
            raise InvalidInput(f"{origin.name!r} is {what} in spite of its name", fix=todo)
    if first.startswith(_GZIP):
        raise InvalidInput(f"{origin.name!r} is packed by gzip", fix="give it a name that ends in .gz")


def _workbook(file: Path | IO[bytes], name: str, stated: ReadingOptions) -> TextOrigin:
    """The cells of a sheet, the first unless one is named, as text.

    A cell is what Excel showed when it was last saved.
    """
    try:
        import openpyxl
    except ImportError:
        absent = True
    else:
        absent = False
    if absent:
        raise MissingExtra("Excel workbooks need openpyxl", extra="excel")
    trouble = ""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of styles and extensions that nobody asked for
            book = openpyxl.load_workbook(file, read_only=True, data_only=True)
            try:
                sheet = _sheet(book, name, stated.sheet)
                with progress_bar(name, total=lambda: sheet.max_row or 0, unit=" rows") as bar:
                    held = _sheet_as_csv(sheet, bar, stated.header)
                    return TextOrigin(name, held=held, line="row", sheets=book.sheetnames)
            finally:
                book.close()
    except (InvalidInput, PermissionError):
        raise
    except Exception as error:  # zip, XML and openpyxl have their own errors, which may quote cells
        trouble = type(error).__name__
    raise InvalidInput(
        f"{name!r} is no Excel workbook that can be read ({trouble})", fix="save it again as .xlsx or .csv"
    )


def _sheet(book: Any, name: str, wanted: str | None) -> Any:
    there = list(book.sheetnames)
    if wanted is None:
        return book[there[0]]
    if wanted in there:
        return book[wanted]
    listed = f"(its sheets are {', '.join(map(repr, there[:20]))})"
    wrong = f"{name!r} has no sheet {wanted!r}"
    if close := get_close_matches(wanted, there, n=1):
        raise InvalidInput(wrong, fix=f"did you mean {close[0]!r}? {listed}")
    raise InvalidInput(f"{wrong} {listed}")


def _sheet_as_csv(sheet: Any, bar: Bar, names: int | None) -> bytes:
    """As many cells a line as the names have, which stand in the first row that has more than one; a title has one."""
    import csv

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    width = 0
    for place, values in enumerate(sheet.iter_rows(values_only=True), start=1):
        bar(1)
        row = list(map(_cell_text, values))
        if not any(row):
            out.write("\n")
            continue
        filled = max(column for column, cell in enumerate(row) if cell) + 1
        if not width and (filled > 1 if names is None else place >= names):
            width = filled
        writer.writerow((row + [""] * width)[: max(width, filled)])
    return out.getvalue().encode()


def _cell_text(value: Any) -> str:
    if value is None or value in _NOT_AVAILABLE:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dt.datetime):
        return value.isoformat() if value.time() != dt.time() else value.date().isoformat()
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    if isinstance(value, (dt.date, dt.time)):
        return value.isoformat()
    return " ".join(str(value).split("\n")).replace("\r", " ")
