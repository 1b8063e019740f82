"""Pictures in characters: ``├──┤`` an interval, ``●`` an estimate, ``█`` a share, ``░`` a band, ``▲`` the truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sottovoce.messages import Fact
from sottovoce.pictures.description import Drawing, Interval, Mark, Marks, Ribbon

WIDTH, NARROW = 60, 40
_ROWS, _MOST_ROWS, _RIBBON_ROWS, _COLUMN_ROWS = 16, 40, 11, 8
_LETTERS, _FEW_LETTERS, _NUMBER = 24, 12, 6
_EIGHTHS = " ▁▂▃▄▅▆▇█"
_SIDES = {None: "", False: " ", True: "│"}
_NOTHING = 1e-12
Picture = tuple[list[str], bool]
"""Lines, and whether truths are marked in them that nothing explains."""


def in_characters(drawing: Drawing, *, width: int | None = None, rows: int | None = None, legend: bool = False) -> str:
    """A picture as lines; with a `legend` also what ``▲`` is, where it is drawn among others."""
    if isinstance(drawing, Marks):
        lines, marked = _marks(drawing, width, rows)
    elif drawing.top is None:
        heights = drawing.value(_middles(drawing, width or WIDTH))
        lines, marked = _columns(heights, (drawing.low, drawing.high), rows or _COLUMN_ROWS), False
    else:
        lines, marked = _grid(drawing, width or WIDTH, rows or _RIBBON_ROWS), bool(drawing.truth)
    return "\n".join([*lines, *([f"▲ {Fact('picture-truth')}"] if legend and marked else [])])


@dataclass(frozen=True, kw_only=True)
class Scale:
    """A range as a line of so many characters."""

    low: float
    high: float
    width: int

    def column(self, value: float) -> int:
        """Where a value stands; the nearer end for one outside."""
        share = (value - self.low) / (self.high - self.low)
        return round(min(1.0, max(0.0, share)) * (self.width - 1))

    def line(self, mark: Mark, *, truth: float | None = None) -> str:
        """``├──┤`` the interval, ``●`` the estimate, ``▲`` the truth where it is given."""
        line = ["·"] * self.width
        left, right = (self.column(end) for end in mark.interval or (mark.value or 0.0,) * 2)
        line[left : right + 1] = "─" * (right - left + 1)
        line[left], line[right] = "├", "┤"
        for value, sign in ((mark.value, "●"), (truth, "▲")):
            if value is not None:
                line[self.column(value)] = sign
        return "".join(line)

    def ruler(self) -> str:
        """Both ends of the range, above or below it."""
        return _ruler((self.low, self.high), self.width)


def scale_of(marks: Sequence[Mark]) -> Interval:
    """The range that holds those of all marks."""
    lows, highs = zip(*(mark.ends for mark in marks), strict=True)
    return min(lows), max(highs)


def _ruler(ends: Interval, width: int) -> str:
    start, stop = (f"{end:g}" for end in ends)
    return f"{start}{stop:>{max(1, width - len(start))}}"


def _marks(drawing: Marks, width: int | None, rows: int | None) -> Picture:
    marks = drawing.marks
    if not marks:
        return [str(Fact("picture-none-selected", count=len(drawing.others)))], False
    if drawing.edges is not None and len(marks) > (rows or _ROWS):
        return _columns(_binned(drawing, width or WIDTH), (drawing.edges[0], drawing.edges[-1]), _COLUMN_ROWS), False
    if not any(mark.name for mark in marks):
        return _on_lines(drawing, width or WIDTH), False
    if drawing.bars and drawing.per_row == 1:
        return _bars(drawing, width, rows)
    return _rows(drawing, width or WIDTH, rows)


def _on_lines(drawing: Marks, width: int) -> list[str]:
    """Marks without names: a line for each between its ends, and one for all truths."""
    low, high = scale_of(drawing.marks)
    scale, start = Scale(low=low, high=high, width=width), f"{low:g}"
    lines = [f"{start} {scale.line(mark)} {high:g}  {mark.beside}".rstrip() for mark in drawing.marks]
    if drawing.truths:
        columns = {scale.column(truth) for truth in drawing.truths}
        signs = "".join("▲" if at in columns else " " for at in range(max(columns) + 1))
        lines.append(f"{' ' * len(start)} {signs} {drawing.true}")
    return lines


def _rows(drawing: Marks, width: int, rows: int | None) -> Picture:
    """A line for each row, below a ruler: the middle one of its marks, or all of its shares as small bars."""
    low, high = scale_of(drawing.marks)
    scale, most = Scale(low=low, high=high, width=width), max([mark.value or 0.0 for mark in drawing.marks])
    per, letters = drawing.per_row, _FEW_LETTERS if drawing.upright else _LETTERS
    parts = [drawing.marks[at : at + per] for at in range(0, len(drawing.marks), per)]
    first, last = (
        first_and_last(len(parts), rows or _ROWS)
        if drawing.upright
        else (range(len(parts))[: rows or _MOST_ROWS], range(0))
    )
    shown = [parts[at] for at in (*first, *last)]
    label = max(len(str(part[0].name)[:letters]) for part in (shown if drawing.upright else parts))
    lines, marked = [] if drawing.bars else [f"{'':<{label}} {scale.ruler()}"], False
    for part in shown:
        mark = part[per // 2]
        if mark.value is None:
            line = str(Fact("picture-too-small"))
        elif drawing.bars:
            line = "".join(_EIGHTHS[round(8 * (one.value or 0.0) / most)] for one in part[:width])
        else:
            line, marked = scale.line(mark, truth=mark.truth), marked or mark.truth is not None
        lines.append(f"{str(mark.name)[:letters]:<{label}} {line}".rstrip())
    if drawing.upright and len(shown) < len(parts):
        lines.insert(1 + len(first), str(Fact("picture-more-coordinates", count=len(parts) - len(shown))))
    return lines, marked


def first_and_last(count: int, shown: int) -> tuple[range, range]:
    """Which of `count` coordinates to show when only so many fit: all, or the first ones and the last quarter."""
    if count <= shown:
        return range(count), range(0)
    return range(shown - shown // 4), range(count - shown // 4, count)


def _bars(drawing: Marks, width: int | None, rows: int | None) -> Picture:
    """A bar for each mark, with the upper end of its interval: ``█`` the share, ``─┤`` up to where it may lie."""
    counted = drawing.marks[0].error is not None  # numbers without intervals: all of them, names to the right
    shown = drawing.marks if counted else drawing.marks[: rows or _ROWS]
    wide = width or (NARROW if counted else WIDTH)
    most = max(_NOTHING, *(_upper(mark) for mark in shown))
    names = [str(mark.name) if counted else str(mark.name)[:_LETTERS] for mark in shown]
    label, side = (max(_NUMBER, *map(len, names)), ">") if counted else (max(map(len, names)), "<")
    lines = [
        f"{name:{side}{label}} {_SIDES[mark.inside]}{_bar(mark, most, wide):<{wide}} {mark.beside}".rstrip()
        for name, mark in zip(names, shown, strict=True)
    ]
    if len(drawing.marks) > len(shown):
        lines.append(str(Fact("picture-more", count=len(drawing.marks) - len(shown))))
    return lines, any(mark.truth is not None for mark in shown)


def _upper(mark: Mark) -> float:
    return mark.interval[1] if mark.interval else mark.value or 0.0


def _bar(mark: Mark, most: float, width: int) -> str:
    full, high, true = [
        min(width, round(width * max(0.0, value) / most))
        for value in (mark.value or 0.0, _upper(mark), mark.truth or 0.0)
    ]
    exact = mark.interval is None and mark.error is None
    bar = "█" * max(full, exact) + "─" * (high - full - 1) + "┤" * (high > full)
    if mark.truth is not None:
        bar = f"{bar[:true]:<{true}}▲{bar[true + 1 :]}"
    return bar


def _middles(drawing: Ribbon, width: int) -> Any:
    return drawing.low + (drawing.high - drawing.low) / width * (np.arange(width) + 0.5)


def _binned(drawing: Marks, width: int) -> Any:
    """Bins side by side, neighbours added up where they are more than fit."""
    edges, shares = np.array(drawing.edges), [0.0, *(mark.value or 0.0 for mark in drawing.marks)]
    places = np.linspace(edges[0], edges[-1], min(width, len(drawing.marks)) + 1)
    return np.diff(np.interp(places, edges, np.cumsum(shares)))


def _columns(heights: Any, ends: Interval, rows: int) -> list[str]:
    """Columns in eighths of a character; what lies below zero is not drawn."""
    filled = np.rint(np.maximum(heights, 0.0) / max(float(heights.max()), 1e-300) * 8 * rows).astype(int)
    lines = ["".join(_EIGHTHS[min(8, max(0, top - 8 * row))] for top in filled) for row in reversed(range(rows))]
    return [*lines, *([_ruler(ends, len(filled))] if rows > 1 else [])]


def _grid(drawing: Ribbon, width: int, rows: int) -> list[str]:
    """The curve and its band, the highest first; ``▲`` the truth at each point."""
    scale, half = Scale(low=drawing.low, high=drawing.high, width=width), 0.5 / (rows - 1)
    pairs = zip(drawing.points, drawing.truth, strict=True) if drawing.truth else ()
    marks = {(round(true * (rows - 1)), scale.column(point)) for point, true in pairs}
    places = _middles(drawing, width)
    middle, (lower, upper) = drawing.value(places), drawing.band(places)
    lines = []
    for row in reversed(range(rows)):
        height = row / (rows - 1)
        inside = (lower - half <= height) & (height <= upper + half)
        here = np.abs(middle - height) <= half + _NOTHING
        text = "".join(
            "▲" if (row, column) in marks else "●" if on else "░" if within else " "
            for column, (on, within) in enumerate(zip(here, inside, strict=True))
        )
        lines.append(f"{height:>4.0%} {text}".rstrip())
    return [*lines, f"     {scale.ruler()}"]


def aligned(header: Sequence[str], rows: Sequence[Sequence[str]], *, left: Sequence[int] = ()) -> list[str]:
    """A header and rows as lines: columns to the right, but for those in `left`."""
    widths = [max(map(len, cells)) for cells in zip(header, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        placed = [
            cell.ljust(width) if place in left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        return "  ".join(placed).rstrip()

    return [line(header), *map(line, rows)]
