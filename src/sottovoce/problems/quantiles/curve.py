"""A distribution function: the share of the observations up to each of some points, inside a band."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sottovoce.answers import UNIT, Stated, check_lengths, widened
from sottovoce.messages import Fact, InvalidInput
from sottovoce.pictures import Ribbon

Floats = NDArray[np.float64]
Interval = tuple[float, float]


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
            found = _stairs(self.points, self.below, where)
        else:
            places, heights = _with_ends(self)
            found = np.interp(where, places, heights)
        return np.where(where < self.low, 0.0, np.where(where >= self.high, 1.0, found))

    def band_at(self, points: ArrayLike) -> tuple[Floats, Floats]:
        """The band at any points: its lower end from the nearest point below, its upper end from the nearest above."""
        where = np.asarray(points, dtype=np.float64)
        lower = _stairs(self.points, [ends[0] for ends in self.band], where)
        upper = np.array([*(ends[1] for ends in self.band), 1.0])[np.searchsorted(self.points, where, side="left")]
        upper = np.where(where < self.low, 0.0, upper)
        return np.where(where >= self.high, 1.0, lower), upper

    def stated(self) -> Stated:
        """The shares, with the band at each point."""
        names = [Fact("up-to-short", point=point) for point in self.points]
        return Stated(what="share", names=names, values=self.below, intervals=self.band, low=0.0, high=1.0)

    def allowing_for_empty(self, at_most: float) -> Curve:
        """The same in a band that allows for users without data, who count as anything from 0 to 1.

        Of several looks each counts them as something else; the ends of all are at most (1 − w)·F + w, and at least
        (1 − w)·F, so those of the band are.
        """
        return replace(self, band=tuple(widened(one, UNIT, at_most, UNIT) for one in self.band))

    def quantile_with_empty(self, q: float, own: Interval, at_most: float) -> Interval:
        """Where the band of everybody passes the lowest and the highest level that a quantile may stand at.

        F_all = (1 − w)·F + w·E with E in [0, 1]: where F reaches q, F_all lies in [(1 − w̄)·q, (1 − w̄)·q + w̄].
        """
        least, most = (1 - at_most) * q, (1 - at_most) * q + at_most
        low = next((place for place, (_, top) in self._reached() if top >= least), self.high)
        high = next((place for place, (bottom, _) in self._reached() if bottom >= most), self.high)
        return min(own[0], low), max(own[1], high)

    def _reached(self) -> list[tuple[float, Interval]]:
        """Places from left to right, each with the band there: the upper end holds from the point before it on."""
        points, tops = (self.low, *self.points), (*(top for _, top in self.band), 1.0)
        bottoms = (0.0, *(bottom for bottom, _ in self.band))
        return [(place, (bottom, top)) for place, bottom, top in zip(points, bottoms, tops, strict=True)]

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


def _with_ends(curve: Curve) -> tuple[Floats, Floats]:
    """Points and heights from end to end."""
    inner = [(point, share) for point, share in zip(curve.points, curve.below, strict=True) if point < curve.high]
    start = [] if inner and inner[0][0] <= curve.low else [(curve.low, 0.0)]
    places, heights = zip(*start, *inner, (curve.high, 1.0), strict=True)
    return np.array(places), np.array(heights)


def _stairs(points: tuple[float, ...], heights: tuple[float, ...] | list[float], where: Floats) -> Floats:
    """The height at the last point that is not above; zero before the first."""
    return np.asarray(np.array([0.0, *heights])[np.searchsorted(points, where, side="right")])
