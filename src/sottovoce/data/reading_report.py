"""What was met on the way through a file: rows, missing and odd cells, rows left out. By line, never by value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
_ENCODINGS = {"utf-8": "UTF-8", "cp1252": "Windows-1252", "latin-1": "Latin-1"}


@dataclass(frozen=True, kw_only=True)
class Odd:
    """Cells of one column, or rows, that could not be read, and where the first few are."""

    what: str
    """The column; of rows, the reason by its code."""
    count: int = 0
    lines: tuple[int, ...] = ()

    def to_dict(self, *, what: str) -> dict[str, Any]:
        """Return plain data for JSON; `what` is what the first of it is called there."""
        return {what: self.what, "count": self.count, "lines": list(self.lines)}

    def places(self, line: str) -> dict[str, Any]:
        """Return how many there are, and where; `line` is what lines are called."""
        return {"count": self.count, "line": line, "lines": self.lines, "more": self.count > len(self.lines)}


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
        """How many cells count as missing because they could not be read."""
        return sum(one.count for one in self.odd)

    def fault_notes(self) -> tuple[Note, ...]:
        """What was not taken: how much, and in which lines."""
        odd = [Note(NoteCode.ODD_CELLS, column=one.what, **one.places(self.line)) for one in self.odd]
        code, file = NoteCode.ROWS_LEFT_OUT, self.name
        return (*odd, *(Note(code, file=file, reason=one.what, **one.places(self.line)) for one in self.left_out))

    def warnings(self) -> tuple[str, ...]:
        """The notes in words."""
        return tuple(map(str, self.fault_notes()))

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
        """How a file was read, as far as one column is concerned."""
        odd = tuple(one for one in self.odd if one.what == column)
        return replace(self, odd=odd, units=tuple(one for one in self.units if one[0] == column))

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
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


def combine_readings(readings: Iterable[Reading | None]) -> Reading | None:
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
    """``Windows-1252``, or the name as it is; UTF-16 and UTF-32 whichever byte comes first."""
    name = (encoding or "").removesuffix("-le").removesuffix("-be")
    return _ENCODINGS.get(name, name.upper() if name in ("utf-16", "utf-32") else encoding or "")


@dataclass
class ReadingLog:
    """A `Reading` in the making."""

    name: str
    line: str = "line"
    rows: int = 0
    cells: int = 0
    missing: int = 0
    odd: dict[str, Odd] = field(default_factory=dict)
    left_out: dict[str, Odd] = field(default_factory=dict)
    layout: dict[str, Any] = field(default_factory=dict)
    """What was found by looking, as fields of a `Reading`."""

    def add_cells(self, column: str, lines: Sequence[int]) -> None:
        """Count odd cells, in these lines."""
        _add_lines(self.odd, column, lines)

    def add_rows(self, reason: str, lines: Sequence[int]) -> None:
        """Count rows that are left out, by why."""
        _add_lines(self.left_out, reason, lines)

    def take(self, values: NDArray[np.float64]) -> None:
        """Count rows that are taken."""
        self.rows += len(values)
        self.cells += values.size
        self.missing += int(np.count_nonzero(np.isnan(values)))

    @property
    def faults(self) -> int:
        """How many cells and rows could not be read."""
        return sum(one.count for one in (*self.odd.values(), *self.left_out.values()))

    @property
    def all_missing(self) -> bool:
        """Whether cells were odd, and none of the others holds anything."""
        return bool(self.odd) and self.missing == self.cells

    def reading(self) -> Reading:
        """What was met so far."""
        fields = {name: getattr(self, name) for name in ("name", "line", "rows", "cells", "missing")}
        odd, left_out = tuple(self.odd.values()), tuple(self.left_out.values())
        return Reading(odd=odd, left_out=left_out, **fields, **self.layout)


def _add_lines(known: dict[str, Odd], what: str, lines: Sequence[int]) -> None:
    if lines:
        one = known.get(what, Odd(what=what))
        first = (*one.lines, *lines[: EXAMPLES - len(one.lines)])
        known[what] = Odd(what=what, count=one.count + len(lines), lines=first)


class ReadCollections(Collections):
    """Collections that remember how they were read."""

    __slots__ = ("reading",)

    def __init__(self, values: NDArray[Any], offsets: NDArray[np.int64], reading: Reading) -> None:
        super().__init__(values, offsets)
        self.reading = reading


def with_values(people: Collections, values: NDArray[Any]) -> Collections:
    """The same people with other values, which remember how they were read as the first did."""
    reading = reading_of(people)
    return Collections(values, people.offsets) if reading is None else ReadCollections(values, people.offsets, reading)


def reading_of(people: Any) -> Reading | None:
    """How the file or frame that these people come from was read; None for arrays and lists, and for some of them."""
    reading = getattr(people, "reading", None)
    return reading if isinstance(reading, Reading) else None
