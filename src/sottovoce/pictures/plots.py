"""Pictures with matplotlib, which is loaded when the first one is drawn (extra ``plot``)."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from sottovoce.messages import MissingExtra
from sottovoce.pictures.characters import scale_of
from sottovoce.pictures.description import Drawing, Interval, Lines, Mark, Marks, Ribbon

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_BLUE, _PALE = "tab:blue", "0.85"
_TICKS, _FEW_TICKS = 40, 16
_POINTS = 513


def new_axes(figsize: Interval) -> Axes:
    """Axes in a figure of their own, or how to install what draws them."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise MissingExtra("plots need matplotlib", extra="plot") from error
    return plt.subplots(figsize=figsize, layout="constrained")[1]


def new_figure(figsize: Interval) -> Figure:
    """A figure that no window shows, or how to install what draws it."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("plots need matplotlib", extra="plot") from error
    return Figure(figsize=figsize, layout="constrained")


def on_axes(drawing: Drawing | Lines, axes: Axes | None = None) -> Axes:
    """A picture on given axes, or on new ones."""
    draw, height = _painter_and_height(drawing)
    axes = new_axes((7, height)) if axes is None else axes
    draw(drawing, axes)
    axes.set_title(str(drawing.title), loc="left")
    if drawing.across:
        axes.set_xlabel(str(drawing.across))
    if drawing.up:
        axes.set_ylabel(str(drawing.up))
    return axes


def _painter_and_height(drawing: Drawing | Lines) -> tuple[Callable[[Any, Axes], None], float]:
    """What draws it, and how high it wants to be."""
    if isinstance(drawing, Lines):
        return _lines, 4.5
    if isinstance(drawing, Ribbon):
        return _ribbon, 3 if drawing.top is None else 3.2
    if drawing.bars and drawing.per_row == 1:
        return _bars, 3 if drawing.marks[0].error is None else 2.6
    if drawing.upright:
        return _upright, 3
    if drawing.curve is not None:
        return _on_curve, 3.2
    if drawing.marks[0].name:
        return _rows, 1 + 0.3 * len(drawing.marks) / drawing.per_row
    return (_on_range, 1.6) if drawing.marks[0].place is None else (_stems, 2.6)


def _open(axes: Axes, *sides: str) -> None:
    for side in ("right", "top", *sides):
        axes.spines[side].set_visible(False)


def _ribbon(drawing: Ribbon, axes: Axes) -> None:
    places = np.linspace(drawing.low, drawing.high, _POINTS)
    look: dict[str, Any] = {"alpha": 0.25} if drawing.top is None else {"alpha": 0.2, "step": "post"}
    axes.fill_between(places, *drawing.band(places), color=_BLUE, linewidth=0, **look)
    if drawing.model is not None:
        axes.fill_between(places, *drawing.model(places), color=_BLUE, alpha=0.35, linewidth=0)
    axes.plot(places, drawing.value(places), color=_BLUE, drawstyle="steps-post" if drawing.stairs else "default")
    axes.set_xlim(drawing.low, drawing.high)
    if drawing.top is None:
        axes.axhline(0.0, color=_PALE, linewidth=1)
    else:
        axes.set_ylim(0, drawing.top)
    _open(axes)


def _across(drawing: Marks, axes: Axes, *, linewidth: float, alpha: float, **dot: Any) -> None:
    """Numbers with their intervals, at their heights."""
    heights = [mark.place or 0.0 for mark in drawing.marks]
    axes.hlines(heights, *_ends(drawing.marks, "interval"), _BLUE, linewidth=linewidth, alpha=alpha)
    axes.plot(_values_of(drawing.marks, "value"), heights, "o", color=_BLUE, **dot)


def _values_of(marks: Sequence[Mark], kind: str) -> list[Any]:
    """What marks have of one kind: values, places, errors."""
    return [getattr(mark, kind) for mark in marks]


def _names(marks: Sequence[Mark]) -> list[str]:
    return [str(mark.name) for mark in marks]


def _ends(marks: Sequence[Mark], kind: str) -> tuple[list[float], list[float]]:
    """The lower and the upper ends of the intervals of one kind."""
    ends = _values_of(marks, kind)
    return [one[0] for one in ends], [one[1] for one in ends]


def _on_range(drawing: Marks, axes: Axes) -> None:
    low, high = scale_of(drawing.marks)
    axes.hlines(0, low, high, color=_PALE, linewidth=2)
    _across(drawing, axes, linewidth=6, alpha=0.35)
    axes.set_xlim(low, high)
    axes.set_yticks([])
    _open(axes, "left")


def _stems(drawing: Marks, axes: Axes) -> None:
    axes.vlines(_values_of(drawing.marks, "value"), 0, _values_of(drawing.marks, "place"), color=_BLUE, linewidth=2)
    _across(drawing, axes, linewidth=6, alpha=0.35)
    axes.axhline(0, color=_PALE, linewidth=2)
    axes.set_xlim(*scale_of(drawing.marks))


def _on_curve(drawing: Marks, axes: Axes) -> None:
    assert drawing.curve is not None
    _ribbon(drawing.curve, axes)
    _across(drawing, axes, linewidth=4, alpha=0.45, markersize=5)


def _rows(drawing: Marks, axes: Axes) -> None:
    per, marks = drawing.per_row, drawing.marks
    places = [at // per + 0.6 * ((at % per + 0.5) / per - 0.5) for at in range(len(marks))]
    axes.hlines(places, *_ends(drawing.marks, "interval"), _BLUE, linewidth=3, alpha=0.4)
    axes.plot(_values_of(marks, "value"), places, "o", color=_BLUE, markersize=4)
    axes.set_yticks(range(len(marks) // per), _names(marks[::per]))
    axes.invert_yaxis()
    axes.set_xlim(*scale_of(marks))


def _upright_ends(marks: Sequence[Mark], places: list[float], axes: Axes, **looks: Interval) -> None:
    """Intervals of some kinds, where marks have them: how wide a line, and how strong."""
    for kind, (linewidth, alpha) in looks.items():
        if marks and getattr(marks[0], kind) is not None:
            axes.vlines(places, *_ends(marks, kind), _BLUE, linewidth=linewidth, alpha=alpha)


def _upright(drawing: Marks, axes: Axes) -> None:
    places = _values_of(drawing.marks, "place")
    _upright_ends(drawing.marks, places, axes, outer=(4, 0.2), interval=(4, 0.45), model=(4, 1.0))
    if drawing.others:
        axes.plot(range(len(drawing.others)), drawing.others, ".", color="0.7", markersize=2)
    axes.plot(places, _values_of(drawing.marks, "value"), "o", color=_BLUE, markersize=4)
    if len(places) <= (_FEW_TICKS if drawing.others else _TICKS):
        axes.set_xticks(places, _names(drawing.marks))
    _open(axes)


def _bars(drawing: Marks, axes: Axes) -> None:
    marks = drawing.marks if drawing.edges is not None or drawing.marks[0].error is not None else drawing.marks[:_TICKS]
    if drawing.edges is not None:
        places = [(left + right) / 2 for left, right in pairwise(drawing.edges)]
        widths = [right - left for left, right in pairwise(drawing.edges)]
    else:
        places, widths = [float(at) for at in range(len(marks))], [0.8] * len(marks)
        turned: dict[str, Any] = {} if drawing.across else {"rotation": 45, "ha": "right"}
        axes.set_xticks(places, _names(marks), **turned)
    values, errors = _values_of(marks, "value"), _values_of(marks, "error")
    if errors[0] is not None:
        axes.bar(places, values, widths, yerr=errors, color=_BLUE, alpha=0.6)
        return
    axes.bar(places, values, widths, color=_BLUE, alpha=0.5)
    _upright_ends(marks, places, axes, outer=(1, 1.0), interval=(3, 1.0))
    _open(axes)


def _lines(drawing: Lines, axes: Axes) -> None:
    for line in drawing.lines:
        look: dict[str, Any] = {"linewidth": 2 if line.strong else 1, "linestyle": "--" if line.dashed else "-"}
        if line.errors is None:
            axes.plot(line.x, line.y, label=str(line.name), **look)
        else:
            dots: dict[str, Any] = {"marker": "o", "markersize": 4, "capsize": 2}
            axes.errorbar(line.x, line.y, yerr=line.errors, label=str(line.name), **dots, **look)
    if drawing.point is not None:
        axes.plot(*([end] for end in drawing.point), "o", color="black")
    if drawing.target is not None:
        axes.axhline(drawing.target, color="0.7", linestyle="--", linewidth=1)
    axes.set_xscale("log")
    axes.set_yscale("log")
    beside: dict[str, Any] = {}
    if drawing.ticks:  # lines are everywhere inside
        axes.set_xticks(drawing.ticks, [f"{tick:g}" for tick in drawing.ticks])
        axes.minorticks_off()
        beside = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0)}
    axes.legend(frameon=False, **beside)
