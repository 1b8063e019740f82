"""Quantiles and distribution functions as answers: a curve in its band, and where it reaches some levels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from sottovoce.answers import (
    ENDS,
    UNIT,
    Answer,
    Assumes,
    Falls,
    Line,
    Looks,
    Note,
    NoteCode,
    StatedNumbers,
    check_lengths,
    fixed,
    fixed_ends,
    interval_allowing_for_empty,
    line,
    table,
    touches,
)
from sottovoce.messages import Fact, Floats, Interval, InvalidInput, decimals, decimals_needed, half_width
from sottovoce.pictures import Mark, Marks, Ribbon

_LEVELS_SHOWN, _POINTS_SHOWN = 9, 12
"""Lines at most: the rest is counted."""
_TOLD = 3
"""Quantiles in a sentence at most."""


def level_name(q: float) -> Fact:
    """``median``, ``90%``."""
    return Fact("level", q=q, median=q == 0.5)


@dataclass(frozen=True, kw_only=True)
class Curve:
    """A distribution function at `points`: `below` is the average over users of their own shares up to each.

    `band` holds the whole function at once, whatever the users are, and never falls from left to right; between points
    it goes on as the nearest point allows (`band_at`). `errors` are the standard errors of `below`. With a `step`
    observations are `low`, `low` + step, and so on. Call it with any points.
    """

    points: tuple[float, ...]
    below: tuple[float, ...]
    band: tuple[Interval, ...]
    errors: tuple[float, ...]
    low: float
    high: float
    step: float | None = None

    def __post_init__(self) -> None:
        check_lengths("a distribution", "points", len(self.points), self.below, self.band, self.errors)
        if any(right <= left for left, right in pairwise(self.points)):
            raise InvalidInput("points of a distribution increase strictly")

    def __call__(self, points: ArrayLike) -> Floats:
        """The estimate at any points: straight between those of the answer, or steps where observations have some."""
        where = np.asarray(points, dtype=np.float64)
        if self.step is not None:
            heights = self._stairs(self.below, where)
        else:
            inner = [pair for pair in zip(self.points, self.below, strict=True) if pair[0] < self.high]
            start = [] if inner and inner[0][0] <= self.low else [(self.low, 0.0)]
            places, below = zip(*start, *inner, (self.high, 1.0), strict=True)
            heights = np.interp(where, places, below)
        return np.where(where < self.low, 0.0, np.where(where >= self.high, 1.0, heights))

    def band_at(self, points: ArrayLike) -> tuple[Floats, Floats]:
        """The band at any points: its lower end from the nearest point below, its upper end from the nearest above."""
        where = np.asarray(points, dtype=np.float64)
        bottoms, tops = zip(*self.band, strict=True)
        upper = np.array([*tops, 1.0])[np.searchsorted(self.points, where, side="left")]
        lower = np.where(where >= self.high, 1.0, self._stairs(bottoms, where))
        return lower, np.where(where < self.low, 0.0, upper)

    def _stairs(self, heights: tuple[float, ...], where: Floats) -> Floats:
        """The height at the last point that is not above; zero before the first."""
        return np.asarray(np.array([0.0, *heights])[np.searchsorted(self.points, where, side="right")])

    def stated_numbers(self) -> StatedNumbers:
        """The shares, with the band at each point."""
        names = [Fact("up-to-short", point=point) for point in self.points]
        return StatedNumbers(what="share", names=names, values=self.below, intervals=self.band, low=0.0, high=1.0)

    def allowing_for_empty(self, at_most: float) -> Curve:
        """The curve in a band that allows for users without data, who count as anything from 0 to 1.

        Of several looks each counts them as something else; the ends of all are at most (1 − w)·F + w, and at least
        (1 − w)·F, so those of the band are.
        """
        return replace(self, band=tuple(interval_allowing_for_empty(one, UNIT, at_most, UNIT) for one in self.band))

    def quantile_with_empty(self, q: float, own: Interval, at_most: float) -> Interval:
        """Where the band of everybody passes the lowest and the highest level that a quantile may stand at.

        F_all = (1 − w)·F + w·E with E in [0, 1]: where F reaches q, F_all lies in [(1 − w̄)·q, (1 − w̄)·q + w̄]. The
        upper end of the band holds from the point before it on.
        """
        least, places = (1 - at_most) * q, (self.low, *self.points)
        tops, bottoms = (*(top for _, top in self.band), 1.0), (0.0, *(bottom for bottom, _ in self.band))
        low = next(place for place, top in zip(places, tops, strict=True) if top >= least)
        high = (place for place, bottom in zip(places, bottoms, strict=True) if bottom >= least + at_most)
        return min(own[0], low), max(own[1], next(high, self.high))

    def drawing(self) -> Ribbon:
        """The function in its band."""
        return Ribbon(
            low=self.low,
            high=self.high,
            value=self,
            band=self.band_at,
            top=1.0,
            stairs=bool(self.step),
            points=self.points,
            up=Fact("picture-axis-share-of-observations"),
        )


@dataclass(frozen=True, kw_only=True, repr=False)
class QuantilesEstimate(Answer):
    """Where the distribution function reaches each of `q`.

    The distribution function is the average over users of the share of their own observations up to a place. Each of
    `intervals` holds its own quantile with probability `confidence`, whatever the users are; `model_intervals` hold
    under `model_assumes` only. `curve` is the distribution function itself, in a band that holds all of it at once.
    """

    kind: ClassVar[str] = "quantiles"

    q: tuple[float, ...]
    value: tuple[float, ...]
    intervals: tuple[Interval, ...]
    curve: Curve
    model_intervals: tuple[Interval, ...] | None = None

    def __post_init__(self) -> None:
        check_lengths("quantiles", "levels", len(self.q), self.value, *(ends for ends, _ in self._kinds()))

    def _kinds(self) -> list[tuple[tuple[Interval, ...], bool]]:
        """The intervals that there are, and whether they are those of a model."""
        return [(self.intervals, False), *([] if self.model_intervals is None else [(self.model_intervals, True)])]

    def __len__(self) -> int:
        return len(self.q)

    def __getitem__(self, q: float) -> float:
        """The quantile at one of the levels that were asked for: ``answer[0.5]``."""
        if q not in self.q:
            more = ", …" if len(self) > _LEVELS_SHOWN else ""
            raise InvalidInput(
                rule=f"the answer has the levels {', '.join(f'{level:g}' for level in self.q[:_LEVELS_SHOWN])}{more}",
                wrong=f"got {q!r}:",
                fix="ask for it with q=, or see answer.curve",
            )
        return self.value[self.q.index(q)]

    @property
    def median(self) -> float | None:
        """The median, where it was asked for."""
        return self[0.5] if 0.5 in self.q else None

    def _named(self) -> Fact:
        levels = zip(self.q[:_LEVELS_SHOWN], self.value, strict=False)
        shown = tuple(Fact("level-and-value", level=level_name(q), value=value) for q, value in levels)
        return Fact("quantiles", values=shown, more=len(self) > _LEVELS_SHOWN, method=self.method)

    def __str__(self) -> str:
        return str(self._named())

    def words(self, *, of: str = "") -> Fact:
        first = zip(self.q[:_TOLD], self.value, self.intervals, strict=False)
        return Fact(
            "quantiles-answer",
            of=of,
            parts=tuple(
                Fact("so-many-at-most", q=q, half=q == 0.5, value=value, interval=ends) for q, value, ends in first
            ),
            more=max(0, len(self) - _TOLD),
            unless=self.interval_condition(each=True),
            range_misses=self.range_misses,
        )

    def _truth_facts(self) -> tuple[Fact, ...]:
        return (Fact("truth-of-clamped"),) if self.range_misses else ()

    def headline(self) -> list[Line]:
        kinds, truth = self._kinds(), self.truth or ()
        shown = [*self.value, *(end for intervals, _ in kinds for ends in intervals for end in ends), *truth]
        digits = decimals_needed(decimals(max(map(half_width, kinds[-1][0]))), *shown)
        rows = [
            [
                level_name(q),
                fixed(self.value[place], digits),
                *(fixed_ends(intervals[place], digits) for intervals, _ in kinds),
                *(fixed(true, digits) for true in truth[place : place + 1]),
            ]
            for place, q in enumerate(self.q[:_LEVELS_SHOWN])
        ]
        header = ["", Fact("column-value"), Fact("column-kind", kind=self.interval_kind)]
        header += [Fact("column-model")] * (len(kinds) - 1) + [Fact("column-truth")] * bool(truth)
        left = len(self) - _LEVELS_SHOWN
        return [
            table("quantiles", header, rows),
            *([("", Fact("and-more", count=left))] if left > 0 else []),
            line("intervals", Fact("intervals-each", confidence=self.confidence, kind=self.interval_kind)),
        ]

    def model(self) -> Fact | None:
        return None if self.model_intervals is None else self.assumed(self.model_assumes, "model_assumes")

    def per_percent_empty(self) -> Fact:
        return Fact("empty-moves-quantiles")

    def range_notes(self, declared: Interval, looks: Looks) -> list[Note]:
        notes = []
        for place, end in enumerate(ENDS if self.curve.step is None else ()):
            pairs = zip(self.q, self.intervals, strict=True)
            levels = tuple(level_name(q) for q, interval in pairs if touches(interval, declared, place))
            if levels:
                at = declared[place]
                notes.append(Note(NoteCode.QUANTILES_TOUCH_END, end=end, at=at, levels=levels, count=len(levels)))
        return notes

    def allowing_for_empty(self, falls: Falls, at_most: float) -> Self:
        levels = zip(self.q, self.intervals, strict=True)
        return replace(
            self,
            assumes=Assumes.FEW_WITHOUT_DATA,
            empty_at_most=at_most,
            curve=self.curve.allowing_for_empty(at_most),
            intervals=tuple(self.curve.quantile_with_empty(q, ends, at_most) for q, ends in levels),
            model_intervals=None,
        )

    def stated_numbers(self) -> tuple[StatedNumbers, ...]:
        shared: dict[str, Any] = {"names": [level_name(q) for q in self.q], "values": self.value}
        shared |= {"what": "quantile", "low": self.curve.low, "high": self.curve.high}
        kinds = (StatedNumbers(**shared, intervals=intervals, model=model) for intervals, model in self._kinds())
        return *kinds, self.curve.stated_numbers()

    def drawing(self, *, truth: tuple[float, ...] | None = None) -> Marks:
        models = self.model_intervals or (None,) * len(self)
        rows = zip(self.q, self.value, self.intervals, models, self._truths(truth, len(self), "levels"), strict=True)
        ends = self.curve.low, self.curve.high
        return Marks(
            marks=tuple(
                Mark(name=level_name(q), value=value, interval=interval, model=model, truth=true, ends=ends, place=q)
                for q, value, interval, model, true in rows
            ),
            curve=(curve := self.curve.drawing()),
            up=curve.up,
            title=self._title(self._named()),
        )


@dataclass(frozen=True, kw_only=True, repr=False)
class CdfEstimate(Answer):
    """The average over users of the share of their own observations up to each point of `curve`.

    The band of the `curve` is guarded: with probability `confidence` it holds at all points at once, whatever the users
    are. `model_band` does so under `model_assumes` only.
    """

    kind: ClassVar[str] = "cdf"
    several: ClassVar[bool] = False

    curve: Curve
    model_band: tuple[Interval, ...] | None = None

    def __post_init__(self) -> None:
        if self.model_band is not None:
            check_lengths("a distribution", "points", len(self.curve.points), self.model_band)

    def __len__(self) -> int:
        return len(self.curve.points)

    @property
    def value(self) -> tuple[float, ...]:
        """The shares up to each point."""
        return self.curve.below

    def _named(self) -> Fact:
        return Fact("cdf", points=len(self), low=self.curve.low, high=self.curve.high, method=self.method)

    def __str__(self) -> str:
        return str(self._named())

    def words(self, *, of: str = "") -> Fact:
        curve, last = self.curve, len(self) - 1
        parts = tuple(
            Fact("share-at-most", share=curve.below[at], interval=curve.band[at], point=curve.points[at])
            for at in sorted({0, (last + 1) // 2, last})
        )
        return Fact("cdf-answer", of=of, parts=parts, unless=self.interval_condition())

    def headline(self) -> list[Line]:
        curve, digits = self.curve, decimals(max(map(half_width, self.curve.band)))
        rows: list[Line] = [
            (
                Fact("up-to", point=point),
                Fact(
                    "cdf-line",
                    share=curve.below[at],
                    digits=digits,
                    ends=fixed_ends(curve.band[at], digits),
                    truth=None if self.truth is None else self.truth[at],
                ),
            )
            for at, point in enumerate(curve.points[:_POINTS_SHOWN])
        ]
        if len(self) > _POINTS_SHOWN:
            rows.append(("…", Fact("more-points", count=len(self) - _POINTS_SHOWN)))
        return [*rows, line("band", Fact("band-at-once", confidence=self.confidence, kind=self.interval_kind))]

    def model(self) -> Fact | None:
        if self.model_band is None:
            return None
        widest = max(map(half_width, self.model_band))
        return Fact("cdf-model", halfwidth=widest, assumes=self.assumed(self.model_assumes, "model_assumes"))

    def per_percent_empty(self) -> Fact:
        return Fact("empty-moves-share")

    def allowing_for_empty(self, falls: Falls, at_most: float) -> Self:
        curve = self.curve.allowing_for_empty(at_most)
        return replace(self, assumes=Assumes.FEW_WITHOUT_DATA, empty_at_most=at_most, curve=curve, model_band=None)

    def stated_numbers(self) -> tuple[StatedNumbers, ...]:
        guarded = self.curve.stated_numbers()
        if self.model_band is None:
            return (guarded,)
        return guarded, replace(guarded, model=True, intervals=self.model_band)

    def drawing(self, *, truth: tuple[float, ...] | None = None) -> Ribbon:
        known = truth is not None or self.truth is not None
        truths = self._truths(truth, len(self), "points") if known else ()
        return replace(self.curve.drawing(), truth=truths, title=self._title(self._named()))
