"""Faults of a whole file of text, in words that quote nothing of it."""

from __future__ import annotations

import codecs
import csv
import gzip
import zlib
from collections.abc import Callable
from typing import TypeVar

from sottovoce.data.layout import BROKEN, Layout
from sottovoce.data.reading import encoding_name
from sottovoce.messages import InvalidInput

_T = TypeVar("_T")


def guarded(layout: Layout, read: Callable[[], _T]) -> _T:
    """What `read` finds, or a fault of the file in words that quote nothing of it."""
    try:
        return read()
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
        json = lines.read(100).lstrip().startswith(("[", "{"))
    if json:
        return "seems to hold JSON, which is not read", "save it as .csv"
    last = layout.skipped
    try:
        with layout.text() as lines:
            rows = layout.rows(lines)
            for _ in rows:
                last = rows.line_num + layout.skipped
    except csv.Error:
        pass
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
