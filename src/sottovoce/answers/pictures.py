"""What pictures share: a line of characters, aligned columns, and axes to draw on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sottovoce.messages import MissingExtra

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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

    def line(self, value: float, interval: tuple[float, float], *, truth: float | None = None) -> str:
        """``├──┤`` the interval, ``●`` the estimate, ``▲`` the truth where it is given."""
        line = ["·"] * self.width
        left, right = (self.column(end) for end in interval)
        line[left : right + 1] = "─" * (right - left + 1)
        line[left], line[right] = "├", "┤"
        line[self.column(value)] = "●"
        if truth is not None:
            line[self.column(truth)] = "▲"
        return "".join(line)


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


def new_axes(figsize: tuple[float, float]) -> Axes:
    """Axes in a figure of their own, or how to install what draws them."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise MissingExtra("plots need matplotlib", extra="plot") from error
    return plt.subplots(figsize=figsize, layout="constrained")[1]
