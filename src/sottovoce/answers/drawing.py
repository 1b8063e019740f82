"""What there is to draw of an answer, whatever draws it: marks on a scale, bars, or a curve in its band."""

from __future__ import annotations

from dataclasses import dataclass

Interval = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A number with its interval, by name; the truth where a rehearsal knows it, a narrower interval where one is."""

    name: str
    value: float
    interval: Interval
    truth: float | None = None
    model: Interval | None = None


@dataclass(frozen=True, kw_only=True)
class Marks:
    """Numbers on one scale from `low` to `high`; `bars` where they are shares, which begin at zero."""

    marks: tuple[Mark, ...]
    low: float
    high: float
    bars: bool = False
    left_out: int = 0


@dataclass(frozen=True, kw_only=True)
class Ribbon:
    """A curve over points, in a band."""

    points: tuple[float, ...]
    value: tuple[float, ...]
    band: tuple[Interval, ...]


Drawing = Marks | Ribbon
