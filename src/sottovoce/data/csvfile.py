"""Text with a separator, in blocks: only the named columns are kept. What is plain is read fast, the rest carefully."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from itertools import islice
from typing import IO

import numpy as np

from sottovoce.data.categories import Coding
from sottovoce.data.cells import Cells
from sottovoce.data.columns import check_columns, no_column, no_user
from sottovoce.data.faults import Faults
from sottovoce.data.grouping import Block, Floats, Integers
from sottovoce.data.guarded import guarded
from sottovoce.data.ids import Ids
from sottovoce.data.layout import Layout
from sottovoce.data.plain import Plain, Rest
from sottovoce.data.progress import Bar, unseen
from sottovoce.data.reading import NO_USER, Seen, separator_name
from sottovoce.messages import InvalidInput

BLOCK = 1 << 10  # rows; larger blocks only give the garbage collector more to look at
_MERGED = "of merged cells only the first holds anything"
"""In a workbook."""
_Placed = tuple[Integers, Floats, Sequence[int]]
"""A block, and the lines of its rows."""


def csv_names(layout: Layout) -> list[str]:
    """What the columns are called."""

    def first() -> list[str]:
        if layout.nameless:
            return layout.numbered()
        with layout.text() as lines:
            return _names(layout.rows(lines))

    return guarded(layout, first)


def csv_blocks(
    layout: Layout, *, by: str, values: list[str], coding: Coding | None, ids: Ids, seen: Seen, bar: Bar = unseen
) -> Iterator[Block]:
    """The rows in blocks: numbers of users, and observations. What is met on the way is told to `seen`.

    Plain lines are read by polars where it is installed; from the first that are not, all by the standard library.
    Both give the same, or say the same.
    """
    walk, rows, missing = _Walk(layout, by=by, values=values, coding=coding, ids=ids, seen=seen), 0, 0
    blocks = walk.blocks(bar)
    while (found := guarded(layout, lambda: next(blocks, None))) is not None:
        users, numbers, lines = found
        rows, nobody = rows + len(users), np.flatnonzero(users < 0)
        if len(nobody):
            missing += len(nobody)
            seen.row(NO_USER, [lines[place] for place in nobody.tolist()])
            users, numbers = users[users >= 0], numbers[users >= 0]
        if len(users) and (layout.stated.skip_bad or not missing):
            seen.taken(numbers)
            yield users, numbers
    if missing and not layout.stated.skip_bad:
        note = _MERGED if layout.origin.line == "row" else ""
        raise no_user(rows=missing, user=by, first=seen.reading().left_out[-1].lines[0], line=seen.line, note=note)
    if not rows or rows == missing:
        raise InvalidInput(f"{layout.name!r} has no rows" + (" that can be read" if seen.faults else ""))
    if seen.odd and seen.missing == seen.cells:
        raise walk.nothing_left()


class _Walk:
    """One walk through a file."""

    def __init__(
        self, layout: Layout, *, by: str, values: list[str], coding: Coding | None, ids: Ids, seen: Seen
    ) -> None:
        self.layout, self.by, self.values, self.coding, self.ids, self.seen = layout, by, values, coding, ids, seen
        self.skip = layout.stated.skip_bad
        self.faults = Faults(layout, seen)

    def blocks(self, bar: Bar) -> Iterator[_Placed]:
        """Blocks; a row without a user has the number -1."""
        separator = self.layout.separator
        if find_spec("polars") is None or separator == " " or not separator.isascii():
            yield from self._careful(None)
            return
        with self.layout.opened() as (file, place):
            rest = Rest(file, place, bar)
            if self.layout.nameless:
                header = self._header(iter([self.layout.numbered()]))
            else:
                line = rest.names()
                if line is None:
                    yield from self._careful(None)
                    return
                header = self._header(self.layout.rows(iter([line])))
            plain = Plain(
                header,
                separator=separator,
                by=self.by,
                values=self.values,
                coding=self.coding,
                ids=self.ids,
                readers=self._readers(header),
                skip=self.skip,
            )
            passed = self.layout.skipped + rest.passed
            for lines in rest.lines():
                found = plain.read(lines)
                if found is None:
                    yield from self._careful(header, rest.after(lines), passed)
                    return
                (users, numbers), odd = found
                self.faults.fine(numbers)
                for name, rows in zip(self.values, odd, strict=True):
                    self.seen.cell(name, (rows + passed + 1).tolist())
                yield users, numbers, range(passed + 1, passed + 1 + len(users))
                passed += lines.count(b"\n")

    def _careful(self, header: list[str] | None, lines: IO[str] | None = None, passed: int = 0) -> Iterator[_Placed]:
        with self.layout.text() if lines is None else lines as opened:
            rows = self.layout.rows(opened)
            passed = passed if lines is not None else self.layout.skipped
            if header is None:
                header = self._header(iter([self.layout.numbered()]) if self.layout.nameless else rows)
            readers = self._readers(header)
            at = {name: place for place, name in enumerate(header)}
            place, *places = (at[name] for name in (self.by, *self.values))
            while block := [(rows.line_num + passed, row) for row in islice(rows, BLOCK)]:
                if any(len(row) != len(header) for _, row in block):
                    block = self.faults.even(block, header)
                if block:
                    cells = list(zip(*(row for _, row in block), strict=True))
                    where = [line for line, _ in block]
                    numbers = [
                        self._column(name, reader, cells[each], where)
                        for name, reader, each in zip(self.values, readers, places, strict=True)
                    ]
                    if self.skip or not self.faults.any:
                        users = self.ids.plain(cells[place])
                        yield users, numbers[0] if len(numbers) == 1 else np.column_stack(numbers), where
                if self.faults.any and not self.skip and not self.faults.counting:
                    break
            if not self.skip:
                self.faults.check()

    def _column(self, name: str, reader: Cells, cells: Sequence[str], lines: Sequence[int]) -> Floats:
        if self.coding is not None:
            found = self.coding.texts(cells)
            if self.skip:
                found, odd = self.coding.known(found)
                self.seen.cell(name, [lines[place] for place in odd.tolist()])
            return found
        numbers = _numbers(cells, reader)
        if numbers is None:
            return self.faults.cells(name, reader, cells, lines)
        self.faults.fine(numbers)
        return numbers

    def nothing_left(self) -> InvalidInput:
        """The error for a file none of whose cells could be read, though odd ones may be skipped."""
        odd = self.seen.reading().odd[0]
        place = csv_names(self.layout).index(odd.what)
        reader = self.layout.reader(place)
        cells = (cell for cell in self.layout.cells(place) if self.coding is None and reader.number(cell) is None)
        return self.faults.nothing_left(odd, reader, next(cells, ""))

    def _readers(self, header: list[str]) -> list[Cells]:
        found = [self.layout.reader(header.index(name)) for name in self.values]
        if self.coding is not None:
            found = [Cells() for _ in found]
        self.seen.found = {
            **self.layout.written,
            "decimal": "," if any(one.decimal == "," for one in found) else ".",
            "units": tuple((name, one.unit) for name, one in zip(self.values, found, strict=True) if one.unit),
        }
        return found

    def _header(self, rows: Iterator[list[str]]) -> list[str]:
        return _header(rows, self.layout, wanted=[self.by, *self.values])


def csv_rows(layout: Layout, bar: Bar = unseen) -> Iterator[tuple[int, list[str]]]:
    """Every row that is not blank, names included, and the line in which it ends."""

    def walk() -> Iterator[tuple[int, list[str]]]:
        with layout.opened() as (file, place):
            rows, told = layout.rows(layout.letters(file)), 0
            for row in rows:
                if rows.line_num % BLOCK == 0:
                    bar(place.tell() - told)
                    told = place.tell()
                if row:
                    yield rows.line_num + layout.skipped, row

    found = walk()
    while (one := guarded(layout, lambda: next(found, None))) is not None:
        yield one


def _names(rows: Iterator[list[str]]) -> list[str]:
    """What can be typed: of what cannot be printed, blanks are left."""
    first = next(filter(None, rows), [])
    return ["".join(letter if letter.isprintable() else " " for letter in name).strip() for name in first]


def _header(rows: Iterator[list[str]], layout: Layout, *, wanted: list[str]) -> list[str]:
    header, name = _names(rows), layout.name
    if not any(header):
        raise InvalidInput(f"{name!r} is empty")
    if set(wanted) <= set(header) or layout.nameless:
        check_columns(wanted=wanted, there=header, place=repr(name))
        return header
    if any(map(is_number, header)):
        fix = (
            "its first line holds numbers, so it may lack a line of names: then say --header 0 (header=0), and the "
            "columns are called 1, 2, …"
        )
        raise no_column(repr(name), [one for one in wanted if one not in header], fix=fix)
    if len(header) == 1 and (signs := [sign for sign in (",", ";", "\t", "|", " ") if sign in header[0].strip()]):
        mark, better = separator_name(layout.separator), separator_name(signs[0])
        found = f": {mark} separate nothing in its first line, {better} would"
        fix = "leave --separator out" if layout.stated.separator and signs[0] != " " else "say --separator space"
        raise no_column(repr(name), wanted, found, fix=fix)
    if len(header) == 1 and (sign := layout.other_sign()):
        found = f": {separator_name(layout.separator)} separate nothing in its first line"
        fix = f"if {sign!r} does, say --separator {shlex.quote(sign)} (separator={sign!r})"
        raise no_column(repr(name), wanted, found, fix=fix)
    check_columns(wanted=wanted, there=header, place=repr(name))
    return header


def is_number(cell: str) -> bool:
    """Whether what stands in place of a name is a number."""
    return bool(cell) and Cells().number(cell) is not None


def _numbers(cells: Sequence[str], reader: Cells) -> Floats | None:
    """All cells at once when each is a plain number, one by one when not; None when a cell is no number at all."""
    if reader.plain and "_" not in "".join(cells):  # float() would read 1_000
        try:
            return np.fromiter(map(float, cells), dtype=np.float64, count=len(cells))
        except ValueError:
            pass
    found = [number for number in map(reader.number, cells) if number is not None]
    return np.array(found) if len(found) == len(cells) else None
