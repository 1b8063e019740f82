"""All cells of a file or a frame as text, some rows at a time and as often as it takes: for those who look first."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

from sottovoce.data.cells import Cells, reader
from sottovoce.data.columns import unframed
from sottovoce.data.stated import Stated
from sottovoce.messages import Fact

if TYPE_CHECKING:
    from sottovoce.data.layout import Layout

Row = tuple[int, Sequence[str]]
"""The line in which a row ends, and its cells."""
MOST = 1_000_000
"""Rows that are looked at."""
_SAMPLE = 2000


@dataclass(frozen=True, kw_only=True)
class Table:
    """Columns by name, and rows of as many cells, or more, or fewer."""

    name: str
    line: str
    names: tuple[str, ...]
    rows: Callable[[], Iterator[Row]]
    reader: Callable[[int], Cells]
    """How the cells of a column are read."""
    separator: str | None = None
    encoding: str | None = None
    text: bool = False
    """Whether cells were text from the start."""
    note: Fact | None = None
    """What else is to be said of the file."""
    opaque: frozenset[int] = frozenset()
    """Columns of which no command can make anything, such as lists."""
    doubtful_names: bool = False
    """Whether names are numbers, so that they may be none."""


def table(data: Any, stated: Stated) -> Table:
    """A file by its path, or a frame."""
    if not isinstance(data, (str, PathLike)):
        return _frame(data, "the data frame", stated)
    from sottovoce.data.origin import found, is_parquet, origin

    if is_parquet(data):
        from sottovoce.data.frames import parquet_head

        path = found(data)
        return _frame(parquet_head(path, MOST), path.name, stated)
    from sottovoce.data.csvfile import csv_names, csv_rows, is_number
    from sottovoce.data.layout import layout
    from sottovoce.data.progress import shown

    laid = layout(origin(data, stated), stated)

    def rows() -> Iterator[Row]:
        with shown(laid.name, total=laid.origin.size, unit="B") as bar:
            walk = csv_rows(laid, bar)
            if not laid.nameless:
                next(walk, None)
            yield from walk

    names = tuple(csv_names(laid))
    return Table(
        name=laid.name,
        line=laid.origin.line,
        names=names,
        doubtful_names=stated.header is None and any(map(is_number, names)),
        rows=rows,
        text=True,
        note=_note(laid),
        reader=laid.reader,
        **laid.written,
    )


def _note(laid: Layout) -> Fact | None:
    sign = laid.other_sign()
    if sign:
        return Fact("look-separator", sign=sign, typed=shlex.quote(sign))
    sheets = laid.origin.sheets
    if len(sheets) < 2 or laid.stated.sheet is not None:
        return None
    return Fact("look-first-of-sheets", count=len(sheets), others=sheets[1:20])


def _frame(data: Any, name: str, stated: Stated) -> Table:
    names, columns, opaque = _texts(data, MOST)
    return Table(
        name=name,
        line="row",
        opaque=opaque,
        names=tuple(names),
        rows=lambda: enumerate(zip(*columns, strict=True), start=1),
        reader=lambda place: reader(columns[place][:_SAMPLE], stated),
    )


def _texts(data: Any, rows: int) -> tuple[list[str], list[list[str]], frozenset[int]]:
    """The names of all columns of a frame, and the first cells of each, as a file would write them.

    Named levels of the index of a pandas frame are columns too.
    """
    import narwhals as nw

    from sottovoce.data.frames import out_of_index

    levels = [name for name in getattr(getattr(data, "index", None), "names", ()) if isinstance(name, str)]
    trouble = ""
    try:
        frame = nw.from_native(out_of_index(data, *levels) if levels else data)
        some = frame.head(rows)
        held = some.collect() if isinstance(some, nw.LazyFrame) else some
    except Exception as error:  # of a lazy plan, which may quote data
        trouble = type(error).__name__
    if trouble:
        raise unframed(data, trouble)
    columns = [held.get_column(name) for name in held.columns]
    known = (nw.String, nw.Categorical, nw.Enum, nw.Boolean, nw.Date, nw.Datetime, nw.Object, nw.Unknown)
    opaque = frozenset(
        at for at, one in enumerate(columns) if not one.dtype.is_numeric() and not isinstance(one.dtype, known)
    )
    return list(held.columns), [[_text(cell) for cell in one.to_list()] for one in columns], opaque


def _text(cell: Any) -> str:
    if cell is None or cell != cell:
        return ""
    if isinstance(cell, bool) or type(cell).__name__ == "bool":
        return str(bool(cell)).lower()
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell.isoformat()) if hasattr(cell, "isoformat") else str(cell)
