"""``sv.look``: what a file or a frame holds, before anything is asked of it."""

from __future__ import annotations

import datetime as dt
import math
import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from os import fspath
from typing import Any, Literal

import numpy as np

from sottovoce.data.arrays import frame_or_lists, is_frame
from sottovoce.data.cells import MISSING, CellReader, cell_reader, day_number, is_number_with_unit, is_unread_date
from sottovoce.data.look_report import ColumnLook, Look, UsersLook, with_commands
from sottovoce.data.reading_report import NO_USER, TOO_FEW, TOO_MANY, ReadingLog
from sottovoce.data.records import (
    NOBODY,
    ReadingOptions,
    Records,
    check_columns,
    is_file,
    no_frame_error,
    refusing_reading_options,
)
from sottovoce.messages import Fact, InvalidInput, counted

Row = tuple[int, Sequence[str]]
"""The line in which a row ends, and its cells."""
ColumnKind = Literal[
    "number", "whole number", "yes/no", "date", "category", "text", "id", "unclear", "empty", "user", "other"
]
MOST = 1_000_000
"""Rows that are looked at."""
LABELS = 12
"""Labels of a category that are shown and suggested."""
_SAMPLE = 2000
_PERSON = re.compile(
    r"users?|uid|students?|persons?|participants?|patients?|customers?|clients?|members?|devices?|phones?|cards?|"
    r"accounts?|subjects?|respondents?|employees?|drivers?|guests?|players?|voters?|who|u",
    re.I,
)
_FEW = 50  # labels of a category at most; chosen by hand: names of places are fewer, names of people more
_LONGEST = 200  # letters of a label; longer text is prose
_MANY = 20  # cells that all differ are ids from here on; with fewer that is chance


@refusing_reading_options
def look(data: Any, *, user: str | None = None) -> Look:
    """Look at data before a survey is rehearsed on them: columns, users, odd cells, and a command that works.

    Parameters
    ----------
    data
        a file, a data frame, a list of dicts, what `read` makes of one: whatever has columns
    user
        the column that says whose observation a row is; left out, it is guessed, and the result says so

    Privacy
    -------
    What is shown (ranges, labels, counts) is looked up in the data, and is not private. A survey would not see it.

    Examples
    --------
    >>> import pandas, sottovoce as sv
    >>> rides = pandas.DataFrame({"card": [1, 1, 2, 2, 3], "minutes": [5.0, 7.5, 12.0, None, 31.0]})
    >>> seen = sv.look(rides)
    >>> seen.users.column, seen.users.count, seen.column("minutes").missing
    ('card', 3, 1)
    """
    records = Records.of(data, user=user)
    data, options = records.data, records.options
    if is_file(data):
        return with_commands(_look_at(text_table(data, options), records.user), options, fspath(data))
    if isinstance(data, (list, tuple)) and data and isinstance(data[0], dict):
        names = list(dict.fromkeys(str(name) for row in data for name in row))
        data, _, _ = frame_or_lists(data, user=names[0], value=names[1:])
    if not is_frame(data):
        raise InvalidInput(
            f"look takes a file or a data frame, whose columns have names; a {type(data).__name__} can be given to "
            "sv.mean and its like as it is"
        )
    return with_commands(_look_at(_frame_table(data, "the data frame", options), records.user), options, None)


@dataclass(frozen=True, kw_only=True)
class TextTable:
    """All cells of a file or a frame as text, as often as it takes; rows may have more or fewer cells than names."""

    name: str
    line: str
    names: tuple[str, ...]
    rows: Callable[[], Iterator[Row]]
    reader: Callable[[int], CellReader]
    """How the cells of a column are read."""
    separator: str | None = None
    encoding: str | None = None
    text: bool = False
    """Whether cells were text from the start."""
    note: Fact | None = None
    """What else is to be said of the file."""
    opaque: frozenset[int] = frozenset()
    """Columns of which no command can make anything, such as lists."""


def text_table(data: Any, options: ReadingOptions) -> TextTable:
    """The cells of a file, by its path."""
    from sottovoce.data.input_bytes import is_parquet, progress_bar, text_origin
    from sottovoce.data.records import existing_file

    if is_parquet(data):
        from sottovoce.data.frames import parquet_head

        path = existing_file(data)
        return _frame_table(parquet_head(path, MOST), path.name, options)
    from sottovoce.data.csv_reader import csv_names, csv_rows, is_number
    from sottovoce.data.text_layout import layout_of

    layout = layout_of(text_origin(data, options), options)

    def rows() -> Iterator[Row]:
        with progress_bar(layout.name, total=layout.origin.size, unit="B") as bar:
            yield from islice(csv_rows(layout, bar), 0 if layout.nameless else 1, None)

    names, note, sheets = tuple(csv_names(layout)), None, layout.origin.sheets
    if options.header is None and any(map(is_number, names)):
        raise InvalidInput(
            rule=f"the first line of {layout.name!r} holds numbers, so it may lack a line of names: then say "
            "--header 0 (header=0), and the columns are called 1, 2, …; if they are names, say --header 1 "
            "(header=1)"
        )
    if sign := layout.other_sign():
        note = Fact("look-separator", sign=sign, typed=shlex.quote(sign))
    elif len(sheets) > 1 and options.sheet is None:
        note = Fact("look-first-of-sheets", count=len(sheets), others=sheets[1:20])
    line, how = layout.origin.line, layout.written
    return TextTable(
        name=layout.name, line=line, names=names, rows=rows, text=True, note=note, reader=layout.reader, **how
    )


def _frame_table(data: Any, name: str, options: ReadingOptions) -> TextTable:
    """The first cells of a frame, as a file would write them; named levels of the index of pandas are columns too."""
    import narwhals as nw

    from sottovoce.data.frames import index_as_columns

    levels = [level for level in getattr(getattr(data, "index", None), "names", ()) if isinstance(level, str)]
    trouble = ""
    try:
        frame = nw.from_native(index_as_columns(data, *levels) if levels else data)
        some = frame.head(MOST)
        head = some.collect() if isinstance(some, nw.LazyFrame) else some
    except Exception as error:  # of a lazy plan, which may quote data
        trouble = type(error).__name__
    if trouble:
        raise no_frame_error(data, trouble)
    columns = [head.get_column(column) for column in head.columns]
    known = (nw.String, nw.Categorical, nw.Enum, nw.Boolean, nw.Date, nw.Datetime, nw.Object, nw.Unknown)
    plain = [one.dtype.is_numeric() or isinstance(one.dtype, known) for one in columns]
    cells = [list(map(_cell_text, one.to_list())) for one in columns]
    return TextTable(
        name=name,
        line="row",
        names=tuple(head.columns),
        rows=lambda: enumerate(zip(*cells, strict=True), start=1),
        reader=lambda place: cell_reader(cells[place][:_SAMPLE], options),
        opaque=frozenset(place for place, one in enumerate(plain) if not one),
    )


def _cell_text(cell: Any) -> str:
    if cell is None or cell != cell:
        return ""
    if isinstance(cell, bool) or type(cell).__name__ == "bool":
        return str(bool(cell)).lower()
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell.isoformat()) if hasattr(cell, "isoformat") else str(cell)


def _look_at(table: TextTable, user: str | None) -> Look:
    """Walk through a table twice: what cells there are, then where the odd ones are and who holds what."""
    from sottovoce.data.csv_reader import disguise_hint

    if not table.names:
        raise InvalidInput(f"{table.name!r} is empty")
    if user is not None:
        check_columns(wanted=[user], there=table.names, place=repr(table.name))
    log = ReadingLog(table.name, table.line)
    columns = _count_cells(table, log)
    rows = columns[0].total()
    if not rows:
        raise InvalidInput(f"{table.name!r} has no rows" + _unreadable(table, log))
    cut = rows + log.faults >= MOST
    readers = [table.reader(place) for place in range(len(columns))]
    kinds, odd = zip(*map(column_kind, columns, readers), strict=True)
    counts = zip(kinds, map(len, columns), (cells.total() for cells in columns), strict=True)
    column = guess_user(dict(zip(table.names, counts, strict=True))) if user is None else user
    place = None if column is None else table.names.index(column)
    missing = frozenset(cell for cells in columns for cell in cells if _is_missing(cell))
    users, holders = _count_users(table, log, place, odd, missing)
    looks = []
    for at, (name, cells, reader) in enumerate(zip(table.names, columns, readers, strict=True)):
        present = users if at == place else Counter({cell: cells[cell] for cell in cells if cell not in missing})
        kind: ColumnKind = "user" if at == place else "other" if at in table.opaque else kinds[at]  # ids are not shown
        usual = [label.strip() for label, _ in cells.most_common(LABELS + 20) if label not in missing][:LABELS]
        hints = {reader.hint(cell) for cell in odd[at]} - {None}
        if kind == "text":
            hints = set(map(disguise_hint, present))
        looks.append(
            ColumnLook(
                name=name,
                kind=kind,
                missing=rows - present.total(),
                odd=log.odd.get(name),
                distinct=len(present),
                range=round_bounds(kind, cells, reader),
                labels=tuple(sorted(dict.fromkeys(usual))) if kind == "category" else (),
                decimal="," if reader.decimal == "," else ".",
                # None where some cells have none: text is a number only if all of it is in disguise
                hint=None if None in hints else min(filter(None, hints), key=lambda hint: hint.code, default=None),
                infinite=0
                if at == place
                else sum(count for cell, count in cells.items() if math.isinf(reader.number(cell) or 0.0)),
                empty=None if place is None or at == place else len(users) - holders[at],
            )
        )
    sizes = np.array(list(users.values()) or [0])
    return Look(
        name=table.name,
        rows=rows,
        cut=cut,
        columns=tuple(looks),
        users=None
        if column is None
        else UsersLook(
            column=column,
            guessed=user is None,
            count=len(users),
            fewest=int(sizes.min()),
            median=float(np.median(sizes)),
            most_have=int(np.quantile(sizes, 0.9, method="higher")),
            most=int(sizes.max()),
        ),
        left_out=tuple(log.left_out.values()),
        separator=table.separator,
        encoding=table.encoding,
        line=table.line,
        note=table.note,
        commands=(),
    )


def _count_cells(table: TextTable, log: ReadingLog) -> list[Counter[str]]:
    """How often each cell of each column is there; rows that are too long or too short are told to the log."""
    from sottovoce.data.text_layout import fit_to_names

    width = len(table.names)
    columns: list[Counter[str]] = [Counter() for _ in table.names]
    rows = islice(table.rows(), MOST)
    while block := [(line, fit_to_names(row, table.names)) for line, row in islice(rows, 1024)]:
        even = [row for _, row in block if len(row) == width]
        for line, row in block if len(even) < len(block) else ():
            if len(row) != width:
                log.add_rows(TOO_MANY if len(row) > width else TOO_FEW, [line])
        for counter, column in zip(columns, zip(*even, strict=True), strict=False):
            counter.update(column)
    return columns


def _unreadable(table: TextTable, log: ReadingLog) -> str:
    """Why nothing is left of a file that has rows."""
    if not log.left_out:
        return ""
    odd = next(iter(log.left_out.values()))
    where = Fact("odd-where", **odd.places(table.line))
    cells = counted(len(table.names), "cell")
    return f" that can be read: its first {table.line} has {cells}, all others {Fact(odd.what)} ({where})"


def _count_users(
    table: TextTable, log: ReadingLog, place: int | None, odd: Sequence[frozenset[str]], missing: frozenset[str]
) -> tuple[Counter[str], list[int]]:
    """How many rows each user of a column has, and how many users hold something in each column.

    Lines of odd cells and of rows without a user are told to the log.
    """
    from sottovoce.data.text_layout import fit_to_names

    users: Counter[str] = Counter()
    holders: list[set[str]] = [set() for _ in table.names]
    for line, cells in islice(table.rows(), MOST):
        row = fit_to_names(cells, table.names)
        if len(row) != len(table.names):
            continue
        user = None if place is None else row[place]
        if user is not None and table.text:  # what a frame holds is taken as it is
            user = "" if user.strip(" ") in NOBODY else user.strip(" ")
        if user == "":
            log.add_rows(NO_USER, [line])
        elif user is not None:
            users[user] += 1
        for at, cell in enumerate(row):
            if at != place and cell in odd[at]:
                log.add_cells(table.names[at], [line])
            elif user and cell not in missing:
                holders[at].add(user)
    return users, list(map(len, holders))


def _is_missing(cell: str) -> bool:
    return cell.strip().lower() in MISSING


def column_kind(cells: Counter[str], reader: CellReader) -> tuple[ColumnKind, frozenset[str]]:
    """The kind, and those of the cells that are odd for it."""
    there = {cell: count for cell, count in cells.items() if not _is_missing(cell)}
    total = sum(there.values())
    if not total:
        return "empty", frozenset()
    read = {cell: reader.number(cell) for cell in there}
    odd = frozenset(cell for cell, number in read.items() if number is None)
    if 2 * sum(there[cell] for cell in odd) > total:
        if all(reader.hint(cell) for cell in odd):
            return "unclear", odd
        if len(there) == total >= _MANY:
            return "id", frozenset()
        few = len(there) <= _FEW and (2 * len(there) <= total or len(there) <= 3)
        disguised = (is_number_with_unit(cell, units=False) or is_unread_date(cell.strip()) for cell in odd)
        few = few and not all(disguised)
        few = few and all(len(cell) <= _LONGEST and cell.isprintable() for cell in there)
        return "category" if few else "text", frozenset()
    if reader.kind != "number":
        return reader.kind, odd
    numbers = [number for number in read.values() if number is not None and math.isfinite(number)]
    if all(cell.strip().lower() in ("true", "false") for cell in there if cell not in odd):
        return "yes/no", odd
    if not all(number.is_integer() for number in numbers):
        return "number", odd
    if len(there) == total >= _MANY and numbers and max(numbers) - min(numbers) < 2 * len(numbers):
        return "id", odd  # numbers that all differ and nearly fill their range could count rows
    return "whole number", odd


def round_bounds(kind: ColumnKind, cells: Counter[str], reader: CellReader) -> tuple[float, float] | None:
    """Round bounds outside of all numbers that are read; dates: firsts of months, or of years."""
    numbers = [number for cell in cells if (number := reader.number(cell)) is not None and math.isfinite(number)]
    if kind == "yes/no":
        return 0.0, 1.0
    if not numbers or kind not in ("number", "whole number", "date"):
        return None
    low, high = min(numbers), max(numbers)
    if kind == "date":
        years = high - low > 1000  # days
        return _month_start(low, years=years, after=False), _month_start(high, years=years, after=True)
    step = float(f"1e{Decimal(high - low).adjusted()}") if high > low else 1.0
    if not math.isfinite(high / step) or step == 0:
        return low, high
    ends = math.floor(low / step), math.ceil(high / step)
    low, high = (float(f"{end * step:.12g}") for end in (ends[0], max(ends[1], ends[0] + 1)))
    return low, high


def _month_start(day: float, *, years: bool, after: bool) -> float:
    """The first of the month, or year, of a day; or of the next one."""
    try:
        date = dt.date(1970, 1, 1) + dt.timedelta(days=math.floor(day))
        month = 12 * date.year + (0 if years else date.month - 1)
        first = dt.date(month // 12, month % 12 + 1, 1)
        if after and day_number(first) < day:
            month += 12 if years else 1
            first = dt.date(month // 12, month % 12 + 1, 1)
    except (OverflowError, ValueError):
        return day
    return day_number(first)


def guess_user(counts: dict[str, tuple[ColumnKind, int, int]]) -> str | None:
    """The column that could say whose a row is, by its name and by how often its cells come again.

    `counts` has for each column its kind, how many cells differ, and how many there are.
    """
    best, column = (0, 0, 0), None
    for name, (kind, distinct, total) in counts.items():
        if kind not in ("whole number", "category", "text", "id") or distinct < 2:
            continue
        words = [word for word in re.split(r"[^A-Za-z]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", name)) if word]
        called = 2 * any(map(_PERSON.fullmatch, words)) or any(word.lower() in ("id", "name") for word in words)
        again = kind != "id" and total >= 1.2 * distinct
        score = (int(called), int(again), distinct)
        if (called or again) and score > best:
            best, column = score, name
    return column
