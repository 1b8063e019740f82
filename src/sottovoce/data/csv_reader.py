"""Text with a separator, in blocks: only the named columns are kept. What is plain is read fast, the rest carefully."""

from __future__ import annotations

import io
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import islice
from typing import IO, Any

import numpy as np

from sottovoce.data.cells import CellReader, is_number_with_unit, is_unread_date
from sottovoce.data.input_bytes import Bar, no_bar
from sottovoce.data.reading_report import NO_USER, TOO_FEW, TOO_MANY, separator_name
from sottovoce.data.records import NOBODY, check_columns, no_column_error
from sottovoce.data.text_layout import Layout, explain_faults, fit_to_names
from sottovoce.data.user_rows import Block, Floats, Integers, WantedColumns, stack_columns
from sottovoce.messages import Fact, InvalidInput, counted

BLOCK = 1 << 10  # rows; larger blocks only give the garbage collector more to look at
CHUNK = 1 << 23  # bytes that polars is given at once; chosen by hand: memory against calls
COUNTED = 1 << 26
"""Bytes of a file that is read to its end to say how many cells are like the first odd one."""
_MARK = b"\xef\xbb\xbf"
_MERGED = "of merged cells only the first holds anything"
"""In a workbook."""
_WANTED = {"number": "a number, not text", "yes/no": "yes or no", "date": "a date"}
_SKIPPED = "--skip-bad (skip_bad=True) counts such cells as missing"
_LEFT_OUT = "--skip-bad (skip_bad=True) leaves such rows out"
_TEXT = "text is counted by a histogram with --categories (categories=), and sotto look shows what a file holds"
Row = tuple[int, Sequence[str]]
"""The line in which a row ends, and its cells."""
_Placed = tuple[Integers, Floats, Sequence[int]]
"""A block, and the lines of its rows."""


def csv_names(layout: Layout) -> list[str]:
    """What the columns are called."""

    def first() -> Iterator[list[str]]:
        with layout.text() as lines:
            yield _names(layout.rows(lines))

    return layout.numbered() if layout.nameless else next(explain_faults(layout, first()))


def csv_blocks(layout: Layout, wanted: WantedColumns, bar: Bar = no_bar) -> Iterator[Block]:
    """The rows in blocks: numbers of users, and observations. What is met on the way is told to the log.

    Plain lines are read by polars where it is installed; from the first that are not, all by the standard library.
    Both give the same, or say the same.
    """
    walk, rows = _CsvWalk(layout, wanted), 0
    for users, numbers, lines in explain_faults(layout, walk.blocks(bar)):
        rows += len(users)
        nobody = np.flatnonzero(users < 0)
        if len(nobody):
            wanted.log.add_rows(NO_USER, [lines[place] for place in nobody.tolist()])
            users, numbers = users[users >= 0], numbers[users >= 0]
        if len(users) and (walk.skip or not wanted.without_user):
            wanted.log.take(numbers)
            yield users, numbers
    wanted.check_rows(rows, repr(layout.name), _MERGED if layout.origin.line == "row" else "")
    if wanted.log.all_missing:
        raise walk.nothing_left()


def csv_rows(layout: Layout, bar: Bar = no_bar) -> Iterator[Row]:
    """Every row that is not blank, names included, and the line in which it ends."""

    def walk() -> Iterator[Row]:
        with layout.opened() as (file, place):
            rows, passed = layout.rows(layout.letters(file)), 0
            for row in rows:
                if rows.line_num % BLOCK == 0:
                    bar(place.tell() - passed)
                    passed = place.tell()
                if row:
                    yield rows.line_num + layout.skipped, row

    return explain_faults(layout, walk())


def disguise_hint(cell: str) -> Fact | None:
    """What to do to a file where a cell says a number or a date in a way that is not read; None where it is text."""
    if is_number_with_unit(cell):
        return Fact("disguised-numbers")
    return Fact("disguised-dates") if is_unread_date(cell.strip()) else None


def is_number(cell: str) -> bool:
    """Whether what stands in place of a name is a number."""
    return bool(cell) and CellReader().number(cell) is not None


def _names(rows: Iterator[list[str]]) -> list[str]:
    """What can be typed: of what cannot be printed, blanks are left."""
    first = next(filter(None, rows), [])
    return ["".join(letter if letter.isprintable() else " " for letter in name).strip() for name in first]


@dataclass(frozen=True, kw_only=True)
class _Fault:
    """A cell or a row that cannot be read, and what to do about it."""

    line: int
    what: str
    alike: str
    """The column, or the reason, by which others like it are counted."""
    fix: str
    hint: Fact | None = None
    """What to say beforehand so that it is none."""
    alone: str = ""
    """What else to do to the file, where nothing but such cells is there."""


class _CsvWalk:
    """One walk through a file: its blocks, or the first of what cannot be read."""

    def __init__(self, layout: Layout, wanted: WantedColumns) -> None:
        self.layout, self.wanted, self.log, self.skip = layout, wanted, wanted.log, wanted.options.skip_bad
        self.counting = layout.origin.size() <= COUNTED  # then the rest of the file is read, to count
        self.first: _Fault | None = None
        self.any_read = False

    def blocks(self, bar: Bar) -> Iterator[_Placed]:
        """Blocks; a row without a user has the number -1."""
        separator = self.layout.separator
        if find_spec("polars") is None or separator == " " or not separator.isascii():
            yield from self._careful(None)
            return
        with self.layout.opened() as (file, place):
            unread = UnreadLines(file, place, bar)
            names = [] if self.layout.nameless else unread.names()
            if names is None:
                yield from self._careful(None)
                return
            header = self._header(self.layout.rows(iter(names)))
            plain = PlainLines(header, separator, self.wanted, self._readers(header))
            passed = self.layout.skipped + unread.passed
            for lines in unread.lines():
                block = plain.read(lines)
                if block is None:
                    yield from self._careful(header, unread.after(lines), passed)
                    return
                (users, numbers), odd = block
                self._note_cells_read(numbers)
                for name, rows in zip(self.wanted.values, odd, strict=True):
                    self.log.add_cells(name, (rows + passed + 1).tolist())
                yield users, numbers, range(passed + 1, passed + 1 + len(users))
                passed += lines.count(b"\n")

    def _careful(self, header: list[str] | None, lines: IO[str] | None = None, passed: int = 0) -> Iterator[_Placed]:
        """Blocks by the standard library, from the beginning or from lines that are not plain."""
        with self.layout.text() if lines is None else lines as opened:
            rows = self.layout.rows(opened)
            passed = passed if lines is not None else self.layout.skipped
            header = self._header(rows) if header is None else header
            readers = self._readers(header)
            place, *places = map(header.index, self.wanted.names)
            while block := [(rows.line_num + passed, row) for row in islice(rows, BLOCK)]:
                if block := self._even(block, header):
                    cells = list(zip(*(row for _, row in block), strict=True))
                    where = [line for line, _ in block]
                    columns = zip(self.wanted.values, readers, places, strict=True)
                    numbers = [self._column(name, reader, cells[each], where) for name, reader, each in columns]
                    if self.skip or self.first is None:
                        yield self.wanted.users.plain(cells[place]), stack_columns(numbers), where
                if self.first is not None and not self.skip and not self.counting:
                    break
            if not self.skip:
                self._check()

    def _even(self, block: list[Row], names: Sequence[str]) -> list[Row]:
        """The rows that have as many cells as there are names; blank lines are none."""
        width = len(names)
        if all(len(row) == width for _, row in block):
            return block
        block = [(line, fit_to_names(row, names)) for line, row in block]
        for line, row in block:
            if row and len(row) != width:
                reason = TOO_MANY if len(row) > width else TOO_FEW
                self.log.add_rows(reason, [line])
                what = f"{self._where(line)} has {counted(len(row), 'cell')}, its first line has {width:,}"
                self._keep(_Fault(line=line, what=what, alike=reason, fix=_LEFT_OUT))
        return [(line, row) for line, row in block if len(row) == width]

    def _column(self, name: str, reader: CellReader, cells: Sequence[str], lines: Sequence[int]) -> Floats:
        if self.wanted.coding is not None:
            codes = self.wanted.coding.texts(cells)
            if self.skip:
                codes, odd = self.wanted.coding.known(codes)
                self.log.add_cells(name, [lines[place] for place in odd.tolist()])
            return codes
        numbers = reader.numbers(cells)
        odd_places = [place for place, number in enumerate(numbers) if number is None]
        if odd_places:
            first = cells[odd_places[0]]
            line = lines[odd_places[0]]
            self.log.add_cells(name, [lines[place] for place in odd_places])
            what = f"column {name!r}, {self._where(line)}: the cell must hold {_WANTED[reader.kind]}"
            alone, hint = str(disguise_hint(first) or _TEXT), reader.hint(first)
            self._keep(_Fault(line=line, what=what, alike=name, fix=_SKIPPED, hint=hint, alone=alone))
        read = np.array(numbers, dtype=np.float64)  # None is NaN
        self._note_cells_read(read)
        return read

    def _note_cells_read(self, numbers: Floats) -> None:
        """Note whether any cell was read, whoever holds it."""
        self.any_read = self.any_read or not bool(np.isnan(numbers).all())

    def _keep(self, fault: _Fault) -> None:
        """The one in the first line is told, whatever the order in which they are met."""
        if self.first is None or fault.line < self.first.line:
            self.first = fault

    def _check(self) -> None:
        """Raise what was met first."""
        if self.first is None:
            return
        what, fix = self.first.what, self.first.fix
        count = {**self.log.odd, **self.log.left_out}[self.first.alike].count
        if self.counting and count > 1:
            what += f" ({count:,} of them in all)"
        if self.counting and not self.any_read and self.log.missing == self.log.cells and fix == _SKIPPED:
            fix = self.first.alone
        if self.first.hint:
            fix = f"say {self.first.hint}" + (f"; {fix}" if fix == _SKIPPED else "")
        raise InvalidInput(what, fix=fix)

    def nothing_left(self) -> InvalidInput:
        """The error for a file none of whose cells could be read, though odd ones may be skipped."""
        odd = next(iter(self.log.odd.values()))
        place = csv_names(self.layout).index(odd.what)
        reader, coded = self.layout.reader(place), self.wanted.coding is not None
        cells = (cell for cell in self.layout.cells(place) if not coded and reader.number(cell) is None)
        cell = next(cells, "")
        hint = reader.hint(cell)
        where = Fact("odd-where", **odd.places(self.layout.origin.line))
        return InvalidInput(
            f"column {odd.what!r} of {self.layout.name!r} holds nothing that can be read: "
            f"{counted(odd.count, 'odd cell')} ({where}), all others missing",
            fix=f"say {hint}" if hint else str(disguise_hint(cell) or _TEXT),
        )

    def _where(self, line: int) -> str:
        return f"{self.layout.origin.line} {line} of {self.layout.name!r}"

    def _readers(self, header: list[str]) -> list[CellReader]:
        readers = [CellReader()] * len(self.wanted.values)
        if self.wanted.coding is None:
            readers = [self.layout.reader(header.index(name)) for name in self.wanted.values]
        named = zip(self.wanted.values, readers, strict=True)
        self.log.layout = {
            **self.layout.written,
            "decimal": "," if any(one.decimal == "," for one in readers) else ".",
            "units": tuple((name, one.unit) for name, one in named if one.unit),
        }
        return readers

    def _header(self, rows: Iterator[list[str]]) -> list[str]:
        """The names of the columns, which stand in the first row, or what to say so that they are found."""
        layout, wanted = self.layout, self.wanted.names
        header, place = layout.numbered() if layout.nameless else _names(rows), repr(layout.name)
        if not any(header):
            raise InvalidInput(f"{place} is empty")
        if set(wanted) <= set(header) or layout.nameless:
            check_columns(wanted=wanted, there=header, place=place)
            return header
        if any(map(is_number, header)):
            fix = (
                "its first line holds numbers, so it may lack a line of names: then say --header 0 (header=0), and the "
                "columns are called 1, 2, …"
            )
            raise no_column_error(place, [one for one in wanted if one not in header], fix=fix)
        nothing = f": {separator_name(layout.separator)} separate nothing in its first line"
        if len(header) == 1 and (signs := [sign for sign in (",", ";", "\t", "|", " ") if sign in header[0].strip()]):
            fix = "leave --separator out" if layout.stated.separator and signs[0] != " " else "say --separator space"
            raise no_column_error(place, wanted, f"{nothing}, {separator_name(signs[0])} would", fix=fix)
        if len(header) == 1 and (sign := layout.other_sign()):
            fix = f"if {sign!r} does, say --separator {shlex.quote(sign)} (separator={sign!r})"
            raise no_column_error(place, wanted, nothing, fix=fix)
        check_columns(wanted=wanted, there=header, place=place)
        return header


class UnreadLines(io.RawIOBase):
    """What of a file was not read yet: whole lines at a time, or to read from like a file."""

    def __init__(self, file: IO[bytes], place: IO[bytes], bar: Bar) -> None:
        self._file, self._place, self._bar = file, place, bar
        self._held = file.read(CHUNK).removeprefix(_MARK)
        self._told = self._given = 0
        self.passed = 0
        """Lines that were taken away as names."""

    def names(self) -> list[str] | None:
        """The first line that is not blank, taken away; None where it is not plain."""
        line, end, rest, passed = b"", b"\n", self._held, 0
        while end and not line:
            line, end, rest = rest.partition(b"\n")
            line, passed = line.removesuffix(b"\r"), passed + 1
        if not end or b"\r" in line or line.count(b'"') % 2 or not _is_text(line):
            return None
        self._held, self.passed = rest, passed
        return [line.decode()]

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
        """As `io` wants it."""
        return True

    def readinto(self, buffer: Any) -> int:
        """As `io` wants it."""
        if self._given == len(self._held):
            self._held, self._given = self._file.read(CHUNK), 0
        more = self._held[self._given : self._given + len(buffer)]
        buffer[: len(more)] = more
        self._given += len(more)
        return len(more)


class PlainLines:
    """Lines without quotes, and with as many cells as names, by polars: what the standard library would read of them.

    Anything else is left to it.
    """

    def __init__(self, header: list[str], separator: str, wanted: WantedColumns, readers: list[CellReader]) -> None:
        self._width, self._separator, self._wanted = len(header), separator, wanted
        self._user, *values = (f"column_{header.index(name) + 1}" for name in wanted.names)  # as polars calls them
        self._readers = dict(zip(values, readers, strict=True))

    def read(self, lines: bytes) -> tuple[Block, list[Integers]] | None:
        """The rows of some lines, and of each column those whose cell is odd, which count as missing.

        None where lines are not plain, or a cell is odd and that matters. A row without a user has the number -1.
        """
        lines = lines.replace(b"\r\n", b"\n") if b"\r" in lines else lines
        if b'"' in lines or b"\r" in lines or b"\0" in lines or not _is_text(lines):
            return None
        frame = None if self._wanted.coding else self._frame(lines, numbers=True)
        if frame is None:
            frame = self._frame(lines, numbers=False)  # cells that are words
        if frame is None:
            return None
        letters = np.frombuffer(lines, dtype=np.uint8)
        ended = int(np.count_nonzero(letters == ord("\n"))) + (not lines.endswith(b"\n"))
        signs = np.count_nonzero(letters == ord(self._separator))
        if ended != len(frame) or signs != len(frame) * (self._width - 1):
            return None
        cells = [self._cells(frame.get_column(name), reader) for name, reader in self._readers.items()]
        columns, odd = [column for column, _ in cells], [rows for _, rows in cells]
        if not self._wanted.options.skip_bad and any(map(len, odd)):
            return None
        ids = frame.get_column(self._user).str.strip_chars(" ") if b" " in lines else frame.get_column(self._user)
        return (self._users(ids), stack_columns(columns)), odd

    def _frame(self, lines: bytes, *, numbers: bool) -> Any:
        import polars

        schema: dict[str, Any] = {f"column_{place + 1}": polars.String() for place in range(self._width)}
        if numbers:
            schema |= {name: polars.Float64() for name, reader in self._readers.items() if reader.plain}
        names = [name for name in schema if name in (self._user, *self._readers)]
        try:
            return polars.read_csv(
                lines, has_header=False, schema=schema, columns=names, quote_char=None, separator=self._separator
            )
        except Exception:  # whatever polars makes of it: the standard library says what is wrong
            return None

    def _users(self, ids: Any) -> Integers:
        nobody = ids.is_null() | ids.is_in(list(NOBODY))
        if not nobody.any():
            return self._wanted.users.texts(ids)
        users = np.full(len(ids), -1)
        users[~nobody.to_numpy()] = self._wanted.users.texts(ids.filter(~nobody))
        return users

    def _cells(self, cells: Any, reader: CellReader) -> tuple[Floats, Integers]:
        import polars

        nothing = np.zeros(0, dtype=np.int64)
        if cells.dtype == polars.Float64:
            return np.asarray(cells.fill_null(np.nan).to_numpy()), nothing
        texts = cells.fill_null("").str.strip_chars_start(" ")
        if (coding := self._wanted.coding) is not None:
            from sottovoce.data.frames import category_codes

            codes = category_codes(texts, coding)
            return coding.known(codes) if self._wanted.options.skip_bad else (codes, nothing)
        if reader.kind != "number":
            numbers = polars.Series([None], dtype=polars.Float64).new_from_index(0, len(texts))
        else:  # null for cells that are not nothing but numbers
            points = texts
            if not reader.plain:
                points = texts.set(texts.str.contains(".", literal=True), None).str.replace(",", ".", literal=True)
            numbers = points.cast(polars.Float64, strict=False)
        values = np.array(numbers.fill_null(np.nan).to_numpy())
        words = texts.filter(numbers.is_null())
        known = {word: reader.number(word) for word in words.unique().to_list()}
        odd = [word for word, number in known.items() if number is None]
        values[numbers.is_null().to_numpy()] = np.array([known[word] for word in words.to_list()], dtype=np.float64)
        return values, np.flatnonzero(texts.is_in(odd).to_numpy()) if odd else nothing


def _is_text(lines: bytes) -> bool:
    try:
        return lines.isascii() or bool(lines.decode())
    except UnicodeDecodeError:
        return False
