"""What was met on the way through a file: rows, missing and odd cells, rows left out. By line, never by value."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.answers import Note, NoteCode
from sottovoce.device import Collections
from sottovoce.messages import Fact

EXAMPLES = 5
"""Lines that are named at most."""
NO_USER, TOO_MANY, TOO_FEW = "no-user", "too-many-cells", "too-few-cells"
"""Why rows are left out, by code."""
_SIGNS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "blanks"}
_ENCODINGS = {
    "utf-8": "UTF-8",
    "cp1252": "Windows-1252",
    "latin-1": "Latin-1",
    "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16",
    "utf-32-le": "UTF-32",
    "utf-32-be": "UTF-32",
}


@dataclass(frozen=True, kw_only=True)
class Odd:
    """Cells of one column, or rows, that could not be read, and where the first few are."""

    what: str
    """The column; of rows, the reason by its code."""
    count: int
    lines: tuple[int, ...]

    def to_dict(self, *, what: str) -> dict[str, Any]:
        """For JSON; `what` is what the first of it is called there."""
        return {what: self.what, "count": self.count, "lines": list(self.lines)}

    def places(self, line: str) -> dict[str, Any]:
        """How many there are, and where; `line` is what lines are called."""
        return {"count": self.count, "line": line, "lines": self.lines, "more": self.count > len(self.lines)}

    def where(self, line: str) -> Fact:
        """``lines 3, 9, …``."""
        return Fact("odd-where", **self.places(line))


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How a file or a frame was read: how many rows were taken, which cells were not, what was found by looking.

    `cells` counts the observations of the rows that were taken; `missing` those of them that are missing, odd ones
    included. `odd` and `left_out` are empty unless `skip_bad` was said: without it the first of them is an error.
    `line` is what lines are called here (``row`` in a workbook or a frame). No field holds an observed value.
    """

    name: str
    rows: int
    cells: int
    missing: int
    odd: tuple[Odd, ...] = ()
    left_out: tuple[Odd, ...] = ()
    separator: str | None = None
    encoding: str | None = None
    decimal: str = "."
    units: tuple[tuple[str, str], ...] = ()
    """Columns whose numbers stand for something else, and what they count."""
    line: str = "line"

    @property
    def odd_cells(self) -> int:
        return sum(one.count for one in self.odd)

    def notes(self) -> tuple[Note, ...]:
        """What was not taken: how much, and in which lines."""
        odd = (Note(NoteCode.ODD_CELLS, column=one.what, **one.places(self.line)) for one in self.odd)
        rows = (
            Note(NoteCode.ROWS_LEFT_OUT, file=self.name, reason=one.what, **one.places(self.line))
            for one in self.left_out
        )
        return (*odd, *rows)

    def warnings(self) -> tuple[str, ...]:
        """The same in words."""
        return tuple(map(str, self.notes()))

    def findings(self) -> tuple[Fact, ...]:
        """What was found by looking; nothing where a file is plain CSV."""
        parts = []
        if self.separator not in (None, ","):
            parts.append(Fact("reading-separator", separator=separator_name(self.separator)))
        if self.encoding not in (None, "utf-8"):
            parts.append(Fact("reading-encoding", encoding=encoding_name(self.encoding)))
        if self.decimal == ",":
            parts.append(Fact("reading-decimal-commas"))
        units = (Fact("reading-units", column=column, unit=unit) for column, unit in self.units)
        return (*([Fact("reading-found", parts=parts)] if parts else ()), *units)

    def of(self, column: str) -> Reading:
        """The same as far as one column is concerned."""
        return replace(
            self,
            odd=tuple(one for one in self.odd if one.what == column),
            units=tuple(one for one in self.units if one[0] == column),
        )

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "name": self.name,
            "rows": self.rows,
            "cells": self.cells,
            "missing": self.missing,
            "odd": [one.to_dict(what="column") for one in self.odd],
            "left_out": [one.to_dict(what="reason") for one in self.left_out],
            "separator": self.separator,
            "encoding": self.encoding,
            "decimal": self.decimal,
            "units": dict(self.units),
        }


def together(readings: Iterable[Reading | None]) -> Reading | None:
    """One reading for several columns of a file, which were read one by one."""
    first, *rest = readings
    for one in rest:
        if first is None or one is None:
            return None
        first = replace(
            first,
            cells=first.cells + one.cells,
            missing=first.missing + one.missing,
            odd=tuple({odd.what: odd for odd in (*first.odd, *one.odd)}.values()),
            units=tuple(dict((*first.units, *one.units)).items()),
        )
    return first


def separator_name(separator: str | None) -> Fact | str:
    """``semicolons``, or the character itself."""
    if separator is None:
        return Fact("sign-none")
    return Fact(f"sign-{_SIGNS[separator]}") if separator in _SIGNS else repr(separator)


def encoding_name(encoding: str | None) -> str:
    """``Windows-1252``, or the name as it is."""
    return "" if encoding is None else _ENCODINGS.get(encoding, encoding)


@dataclass
class Seen:
    """A `Reading` in the making."""

    name: str
    line: str = "line"
    rows: int = 0
    cells: int = 0
    missing: int = 0
    _odd: dict[str, list[int]] = field(default_factory=dict)
    _rows: dict[str, list[int]] = field(default_factory=dict)
    _counts: dict[tuple[bool, str], int] = field(default_factory=dict)
    found: dict[str, Any] = field(default_factory=dict)

    def cell(self, column: str, lines: Iterable[int]) -> None:
        """Odd cells, in these lines."""
        self._add(self._odd, True, column, lines)

    def row(self, reason: str, lines: Iterable[int]) -> None:
        """Rows that are left out."""
        self._add(self._rows, False, reason, lines)

    def _add(self, held: dict[str, list[int]], cell: bool, what: str, lines: Iterable[int]) -> None:
        new = list(lines)
        if new:
            known = held.setdefault(what, [])
            known += new[: EXAMPLES - len(known)]
            self._counts[cell, what] = self._counts.get((cell, what), 0) + len(new)

    def taken(self, values: NDArray[np.float64]) -> None:
        """Rows that are taken."""
        self.rows += len(values)
        self.cells += values.size
        self.missing += int(np.count_nonzero(np.isnan(values)))

    @property
    def faults(self) -> int:
        return sum(self._counts.values())

    @property
    def odd(self) -> int:
        return sum(count for (cell, _), count in self._counts.items() if cell)

    def reading(self) -> Reading:
        """What was met so far."""
        odd, left_out = (
            tuple(Odd(what=what, count=self._counts[cell, what], lines=tuple(lines)) for what, lines in held.items())
            for cell, held in ((True, self._odd), (False, self._rows))
        )
        return Reading(
            name=self.name,
            rows=self.rows,
            cells=self.cells,
            missing=self.missing,
            odd=odd,
            left_out=left_out,
            line=self.line,
            **self.found,
        )


class Held(Collections):
    """Collections that remember how they were read."""

    __slots__ = ("reading",)

    def __init__(self, values: NDArray[Any], offsets: NDArray[np.int64], reading: Reading) -> None:
        super().__init__(values, offsets)
        self.reading = reading


def with_values(people: Collections, values: NDArray[Any]) -> Collections:
    """The same people with other values, which remember how they were read as the first did."""
    reading = reading_of(people)
    return Collections(values, people.offsets) if reading is None else Held(values, people.offsets, reading)


def reading_of(people: Any) -> Reading | None:
    """How the file or frame that these people come from was read; None for arrays and lists, and for some of them."""
    found = getattr(people, "reading", None)
    return found if isinstance(found, Reading) else None
