"""Cells and rows that cannot be read: an error about the first of them, or with `skip_bad` a count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sottovoce.data import dates
from sottovoce.data.cells import Cells, dressed
from sottovoce.data.columns import squared
from sottovoce.data.layout import Layout
from sottovoce.data.reading import TOO_FEW, TOO_MANY, Odd, Seen
from sottovoce.messages import Fact, InvalidInput, counted

COUNTED = 1 << 26
"""Bytes of a file that is read to its end to say how many cells are like the first odd one."""
_WANTED = {"number": "a number, not text", "yes/no": "yes or no", "date": "a date"}
_SKIPPED = "--skip-bad (skip_bad=True) counts such cells as missing"
_LEFT_OUT = "--skip-bad (skip_bad=True) leaves such rows out"
_TEXT = "text is counted by a histogram with --categories (categories=), and sotto look shows what a file holds"


Row = tuple[int, Sequence[str]]
"""The line in which a row ends, and its cells."""


@dataclass(frozen=True, kw_only=True)
class _Fault:
    line: int
    what: str
    alike: str
    """The column, or the reason, by which others like it are counted."""
    hint: Fact | None
    """What to say beforehand so that it is none."""
    skip: str
    text: str = ""
    """What else to do to the file, where nothing but such cells is there."""


def disguise(cell: str) -> Fact | None:
    """What to do to a file where a cell says a number or a date in a way that is not read; None where it is text."""
    if dressed(cell):
        return Fact("disguised-numbers")
    return Fact("disguised-dates") if dates.worded(cell.strip()) else None


class Faults:
    """What is wrong with a file."""

    def __init__(self, layout: Layout, seen: Seen) -> None:
        self._layout, self._seen, self._good = layout, seen, False
        self._first: _Fault | None = None

    @property
    def any(self) -> bool:
        return self._first is not None

    @property
    def counting(self) -> bool:
        """Whether the rest of the file is read, to count."""
        return self._layout.origin.size() <= COUNTED

    def even(self, block: Sequence[Row], names: Sequence[str]) -> list[Row]:
        """The rows that have as many cells as there are names; blank lines are none."""
        width = len(names)
        block = [(line, squared(row, names)) for line, row in block]
        for line, row in block:
            if row and len(row) != width:
                reason = TOO_MANY if len(row) > width else TOO_FEW
                self._seen.row(reason, [line])
                what = f"{self._where(line)} has {counted(len(row), 'cell')}, its first line has {width:,}"
                self._met(_Fault(line=line, what=what, alike=reason, hint=None, skip=_LEFT_OUT))
        return [(line, row) for line, row in block if len(row) == width]

    def cells(self, name: str, reader: Cells, cells: Sequence[str], lines: Sequence[int]) -> NDArray[np.float64]:
        """Numbers, odd ones missing."""
        found = [reader.number(cell) for cell in cells]
        odd = [place for place, number in enumerate(found) if number is None]
        if odd:
            self._seen.cell(name, [lines[place] for place in odd])
            line, hint = lines[odd[0]], reader.hint(cells[odd[0]])
            what = f"column {name!r}, {self._where(line)}: the cell must hold {_WANTED[reader.kind]}"
            text = str(disguise(cells[odd[0]]) or _TEXT)
            self._met(_Fault(line=line, what=what, alike=name, hint=hint, skip=_SKIPPED, text=text))
        numbers = np.array([np.nan if number is None else number for number in found])
        self.fine(numbers)
        return numbers

    def fine(self, numbers: NDArray[np.float64]) -> None:
        """Cells that were read, whoever holds them."""
        self._good = self._good or not bool(np.isnan(numbers).all())

    def check(self) -> None:
        """Raise what was met first."""
        if self._first is None:
            return
        what, fix = self._first.what, self._first.skip
        reading = self._seen.reading()
        count = next(one.count for one in (*reading.odd, *reading.left_out) if one.what == self._first.alike)
        if self.counting and count > 1:
            what += f" ({count:,} of them in all)"
        if self.counting and not self._good and self._seen.missing == self._seen.cells and fix == _SKIPPED:
            fix = self._first.text  # with nothing but odd cells
        if self._first.hint:
            fix = f"say {self._first.hint}" + (f"; {fix}" if fix == _SKIPPED else "")
        raise InvalidInput(what, fix=fix)

    def nothing_left(self, odd: Odd, reader: Cells, cell: str) -> InvalidInput:
        """The error for a file none of whose cells could be read, though odd ones may be skipped; `cell` is one."""
        hint = reader.hint(cell)
        fix = f"say {hint}" if hint else str(disguise(cell) or _TEXT)
        where = f" ({odd.where(self._layout.origin.line)})" if odd.lines else ""
        return InvalidInput(
            f"column {odd.what!r} of {self._layout.name!r} holds nothing that can be read: "
            f"{counted(odd.count, 'odd cell')}{where}, all others missing",
            fix=fix,
        )

    def _where(self, line: int) -> str:
        return f"{self._layout.origin.line} {line} of {self._layout.name!r}"

    def _met(self, fault: _Fault) -> None:
        """The one in the first line is told, whatever the order in which they are found."""
        if self._first is None or fault.line < self._first.line:
            self._first = fault
