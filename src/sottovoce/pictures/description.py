"""What there is to draw, whatever draws it: marks on a scale, a curve in its band, lines that are compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from sottovoce.messages import Fact

Interval = tuple[float, float]
Ends = tuple[float | None, float | None]
Text: TypeAlias = Fact | str
"""What is said of a thing, or a name that somebody gave it."""


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A number by name; None where nobody can tell it.

    Around it lies its `interval`, in that a narrower one of a `model`, outside of it an `outer` one that holds for all
    marks at once. Where there is none of these, its standard `error` may be known; else it is exact. `ends` are those
    of the range in which it lies.
    """

    value: float | None
    name: Text = ""
    title: Text = ""
    """What a page calls it, where that is not its name."""
    interval: Interval | None = None
    model: Interval | None = None
    outer: Interval | None = None
    error: float | None = None
    truth: float | None = None
    ends: Ends = (0.0, 1.0)
    place: float | None = None
    """Where it stands on the other axis."""
    inside: bool | None = None
    """Whether it is one of those that were looked for; None where nothing was."""
    beside: Text = ""
    """What stands beside it in characters."""
    told: Text = ""
    """What stands beside it on a page, where that is not the number."""


@dataclass(frozen=True, kw_only=True)
class Ribbon:
    """A function from `low` to `high` in its `band`: heights, and pairs of heights, at any points.

    `top` is how high it can get, where that is known. `truth` has a height for each of `points`.
    """

    low: float
    high: float
    value: Callable[[Any], Any]
    band: Callable[[Any], Any]
    model: Callable[[Any], Any] | None = None
    projected: Callable[[], Ribbon] | None = None
    """The same without what lies below zero, where something may."""
    top: float | None = None
    stairs: bool = False
    points: tuple[float, ...] = ()
    truth: tuple[float, ...] = ()
    title: Text = ""
    across: Text = ""
    up: Text = ""


@dataclass(frozen=True, kw_only=True)
class Marks:
    """Numbers on one scale, a row each; or `bars` from zero; or `upright` beside each other.

    So many marks `per_row`, of which characters show the middle one. `edges` are those of bars that are bins, `curve`
    is what marks were read from, `others` are the numbers of all places, marked or not. `truths` stand below lines
    without names, and `true` is said of them.
    """

    marks: tuple[Mark, ...]
    bars: bool = False
    upright: bool = False
    per_row: int = 1
    edges: tuple[float, ...] | None = None
    curve: Ribbon | None = None
    others: tuple[float, ...] = ()
    truths: tuple[float, ...] = ()
    true: Text = ""
    title: Text = ""
    across: Text = ""
    up: Text = ""


@dataclass(frozen=True, kw_only=True)
class Line:
    """A line through points, with standard errors where there are some."""

    name: Text
    x: tuple[float, ...]
    y: tuple[float, ...]
    errors: tuple[float, ...] | None = None
    strong: bool = False
    dashed: bool = False


@dataclass(frozen=True, kw_only=True)
class Lines:
    """Lines on logarithmic scales: perhaps with a `point`, and with a height to reach, the `target`."""

    lines: tuple[Line, ...]
    point: Interval | None = None
    target: float | None = None
    ticks: tuple[float, ...] = ()
    title: Text = ""
    across: Text = ""
    up: Text = ""


Drawing = Marks | Ribbon
