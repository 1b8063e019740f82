"""A sheet of an Excel workbook as lines of CSV, so that one reader reads both; row numbers stay those of the sheet."""

from __future__ import annotations

import csv
import datetime as dt
import io
import warnings
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import IO, Any

from sottovoce.data.progress import shown
from sottovoce.data.stated import Stated
from sottovoce.messages import InvalidInput, MissingExtra

_MISSING = ("#N/A", "#N/A!")


def as_text(file: Path | IO[bytes], name: str, stated: Stated) -> tuple[bytes, tuple[str, ...]]:
    """The cells of a sheet, the first unless one is named, and what the sheets are called.

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
                with shown(name, total=lambda: sheet.max_row or 0, unit=" rows") as bar:
                    return _text(_rows(sheet, bar), stated.header), tuple(book.sheetnames)
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
    close = get_close_matches(wanted, there, n=1)
    listed = f"(its sheets are {', '.join(map(repr, there[:20]))})"
    wrong = f"{name!r} has no sheet {wanted!r}"
    if close:
        raise InvalidInput(wrong, fix=f"did you mean {close[0]!r}? {listed}")
    raise InvalidInput(f"{wrong} {listed}")


def _rows(sheet: Any, bar: Any) -> Iterator[list[str]]:
    for row in sheet.iter_rows(values_only=True):
        bar(1)
        yield [_cell(value) for value in row]


def _text(rows: Iterator[list[str]], names: int | None) -> bytes:
    """As many cells a line as the names have, which stand in the first row that has more than one; a title has one."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    width = 0
    for place, row in enumerate(rows, start=1):
        if not any(row):
            out.write("\n")
            continue
        held = max(column for column, cell in enumerate(row) if cell) + 1
        if not width and (held > 1 if names is None else place >= names):
            width = held
        writer.writerow((row + [""] * width)[: max(width, held)])
    return out.getvalue().encode()


def _cell(value: Any) -> str:
    if value is None or value in _MISSING:
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
