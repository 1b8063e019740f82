"""What there is to draw of an answer, whatever draws it: marks on a scale, bars, or a curve in its band."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

import numpy as np

from sottovoce.answers.cdf import CdfEstimate
from sottovoce.answers.cover import CoverEstimate
from sottovoce.answers.density import DensityEstimate
from sottovoce.answers.grouped import GroupedEstimate
from sottovoce.answers.histogram import HistogramEstimate
from sottovoce.answers.mixture import MixtureEstimate
from sottovoce.answers.number import Estimate
from sottovoce.answers.quantiles import QuantilesEstimate, level_name
from sottovoce.answers.range import RangeEstimate
from sottovoce.answers.sparse import SparseEstimate
from sottovoce.answers.vector import VectorEstimate
from sottovoce.messages import Fact

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


def drawn_number(mark: Mark) -> Fact:
    """``3.21, between 3.05 and 3.37``."""
    return Fact("drawn-number", value=mark.value, interval=mark.interval)


_MOST = 40
"""So many numbers are drawn below each other."""


@singledispatch
def drawing(answer: Any) -> Drawing | None:
    """What there is to draw; None for a kind that has only its picture in characters."""
    return None


@drawing.register
def _(answer: Estimate) -> Drawing:
    mark = Mark(name="", value=answer.value, interval=answer.interval, truth=answer.truth, model=answer.model_interval)
    return Marks(marks=(mark,), low=answer.low, high=answer.high)


@drawing.register
def _(answer: VectorEstimate) -> Drawing:
    return _coordinates(answer, range(len(answer)))


@drawing.register
def _(answer: SparseEstimate) -> Drawing | None:
    return _coordinates(answer, answer.support) if answer.support else None


def _coordinates(answer: VectorEstimate, places: Sequence[int]) -> Marks:
    shown = list(places)[:_MOST]
    return Marks(
        marks=_marks([answer.names[at] for at in shown], answer.value, answer, shown),
        low=min(answer.low[at] for at in shown),
        high=max(answer.high[at] for at in shown),
        left_out=len(places) - len(shown),
    )


@drawing.register
def _(answer: HistogramEstimate) -> Drawing:
    shown = list(range(len(answer)) if answer.edges is not None else answer.order)[:_MOST]
    marks = _marks([answer.labels[at] for at in shown], answer.value, answer, shown)
    high = max([mark.interval[1] for mark in marks] + [mark.truth or 0.0 for mark in marks])
    return Marks(marks=marks, low=0.0, high=high, bars=True, left_out=len(answer) - len(shown))


@drawing.register
def _(answer: QuantilesEstimate) -> Drawing:
    shown = list(range(len(answer)))[:_MOST]
    marks = _marks([str(level_name(answer.q[at])) for at in shown], answer.value, answer, shown)
    return Marks(marks=marks, low=answer.curve.low, high=answer.curve.high, left_out=len(answer) - len(shown))


def _marks(names: Sequence[str], value: Sequence[float], answer: Any, shown: Sequence[int]) -> tuple[Mark, ...]:
    models = answer.model_intervals
    return tuple(
        Mark(
            name=name,
            value=value[at],
            interval=answer.intervals[at],
            truth=None if answer.truth is None else answer.truth[at],
            model=models[at] if models else None,
        )
        for name, at in zip(names, shown, strict=True)
    )


@drawing.register
def _(answer: MixtureEstimate) -> Drawing:
    parts = zip(answer.means, answer.intervals, answer.shares, strict=True)
    marks = tuple(
        Mark(name=f"component {number}, {share:.0%} of the users", value=mean, interval=ends)
        for number, (mean, ends, share) in enumerate(parts, start=1)
    )
    return Marks(marks=marks, low=answer.low, high=answer.high)


@drawing.register
def _(answer: CoverEstimate) -> Drawing:
    marks = tuple(
        Mark(
            name=f"place {one.index}",
            value=one.share,
            interval=(one.share - 2 * one.standard_error, one.share + 2 * one.standard_error),
        )
        for one in answer.top
    )
    return Marks(marks=marks, low=0.0, high=max(mark.interval[1] for mark in marks), bars=True)


@drawing.register
def _(answer: RangeEstimate) -> Drawing:
    near = 2 * answer.standard_error
    marks = tuple(
        Mark(
            name=answer.bin_name(at),
            value=answer.shares[at],
            interval=(answer.shares[at] - near, answer.shares[at] + near),
        )
        for at in answer.bins_shown()
    )
    return Marks(marks=marks, low=0.0, high=max(mark.interval[1] for mark in marks), bars=True)


@drawing.register
def _(answer: GroupedEstimate) -> Drawing | None:
    alone = len(answer.names) == 1
    marks = [
        Mark(
            name=group.label if alone else f"{group.label}: {name}",
            value=group.value[place],
            interval=group.intervals[place],
            truth=_known(answer.truth_of(at)[place]) if answer.truth is not None else None,
        )
        for at, group in enumerate(answer.groups)
        if group.known
        for place, name in enumerate(answer.names)
    ]
    if not marks:
        return None
    shown, left_out = tuple(marks[:_MOST]), max(0, len(marks) - _MOST)
    if answer.of != "histogram":
        return Marks(marks=shown, low=answer.low, high=answer.high, left_out=left_out)
    high = max([mark.interval[1] for mark in shown] + [mark.truth or 0.0 for mark in shown])
    return Marks(marks=shown, low=0.0, high=high, bars=True, left_out=left_out)


def _known(truth: float) -> float | None:
    """Nothing where nobody is in the group."""
    return None if math.isnan(truth) else truth


@drawing.register
def _(answer: CdfEstimate) -> Drawing:
    places = np.linspace(answer.curve.low, answer.curve.high, 201)
    return _ribbon(places, answer.curve(places), answer.curve.band_at(places))


@drawing.register
def _(answer: DensityEstimate) -> Drawing:
    places, true = np.linspace(answer.low, answer.high, 201), answer.projected()
    return _ribbon(places, true(places), true.band(places))


def _ribbon(places: Any, value: Any, band: Any) -> Ribbon:
    ends = tuple(zip(band[0].tolist(), band[1].tolist(), strict=True))
    return Ribbon(points=tuple(places.tolist()), value=tuple(value.tolist()), band=ends)
