"""What reports say about the distribution function, and the curve that fits them.

Everybody may be asked about the whole function without any assumption: in which of the bins between the places one own
item lies (subset selection), or one share a user through a table. Items are quieter together, but their errors add up
from bin to bin; shares have errors of their own, which a fit averages out. Below ε of about .7 shares win.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sottovoce.design import best_position_table, subset
from sottovoce.messages import Bins, Encoder, Item, Position, Question, Share, Subset, Table, Tally, exact
from sottovoce.methods import Asking, Shares, decoded, isotonic, rising_band
from sottovoce.problems.quantiles.axis import Axis

Floats = NDArray[np.float64]
_TAIL = 0.002
SMOOTHED = 0.6
"""How much of their variance errors of their own keep after a fit that never falls."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Seen:
    """Unbiased values of F at places (but for `bias` at most), and how their errors go together.

    `reports`: how many users stand behind each value, where they may be any; their own variance is then that of F.
    """

    places: tuple[float, ...]
    values: Floats
    covariance: Floats
    bias: float = 0.0
    reports: float | None = None

    @property
    def variance(self) -> Floats:
        return np.diag(self.covariance)

    def at(self, index: Sequence[int]) -> Seen:
        """Some of the places."""
        return Seen(
            places=tuple(self.places[number] for number in index),
            values=self.values[list(index)],
            covariance=self.covariance[np.ix_(index, index)],
            bias=self.bias,
            reports=self.reports,
        )

    def band(self, errors: float) -> tuple[Floats, Floats]:
        """Ends at the places, so many standard errors away."""
        return rising_band(self.values, self.covariance + np.diag(self.unseen(errors)), errors, self.bias)

    def unseen(self, errors: float) -> Floats:
        """How much larger the variance may be than where the values are: near 0 and 1 few users tell little about it.

        At the share nearest to a half that the reports leave possible (Wilson 1927) instead of at the value itself.
        """
        if self.reports is None:
            return np.zeros(len(self.values))
        value, part = np.clip(self.values, 0.0, 1.0), errors**2 / self.reports
        noise = np.maximum(0.0, self.variance - value * (1 - value) / self.reports)
        middle = (value + part / 2) / (1 + part)
        reach = np.sqrt(np.maximum(0.0, middle**2 - (value**2 - errors**2 * noise) / (1 + part)))
        nearest = np.clip(0.5, middle - reach, middle + reach)
        return np.asarray(np.maximum(0.0, nearest * (1 - nearest) - value * (1 - value)) / self.reports)

    def fitted(self) -> Floats:
        """The nearest values that never fall, between 0 and 1."""
        return np.clip(isotonic(self.values, 1 / self.variance), 0.0, 1.0)


def item_variance(count: int, epsilon: float) -> float:
    """Of one report, on average over `count` places, if items are asked for."""
    own, other = subset(epsilon, count + 1).inclusion
    return (count + 1) / 6 * other * (1 - other) / (own - other) ** 2 + 0.17


def share_variance(count: int, epsilon: float) -> float:
    """The same if every user answers for one place: its table's, and what users may differ by."""
    table = best_position_table(exact(epsilon))
    return count * (float(table.variance(np.linspace(0.0, 1.0, 65)).mean()) + 0.1)


def full_variance(count: int, epsilon: float) -> float:
    """The variance of one report about `count` places, asked the better way."""
    return min(item_variance(count, epsilon), share_variance(count, epsilon))


def by_items(count: int, epsilon: float, *, smoothed: float = SMOOTHED) -> bool:
    """Whether items are the better way, if a fit leaves `smoothed` of the variance of shares."""
    return item_variance(count, epsilon) < smoothed * share_variance(count, epsilon)


def full_question(
    asking: Asking, count: float, *, axis: Axis, places: Sequence[float], role: str, smoothed: float = SMOOTHED
) -> Question:
    """`count` users say something about F at all places; nothing is assumed about them."""
    thresholds = axis.thresholds(places)
    if by_items(len(places), asking.epsilon, smoothed=smoothed):
        edges = tuple(float(np.nextafter(threshold, math.inf)) for threshold in thresholds)  # an edge belongs above
        return asking.question(
            count,
            role=role,
            encoder=Encoder(statistic=Item(), placement=Bins(edges=edges)),
            channel=subset(asking.epsilon, len(edges) + 1),
        )
    return asking.question(
        max(count, len(places)),
        role=role,
        encoder=Encoder(statistic=Share(below=thresholds), placement=Position(low=(0.0,), high=(1.0,))),
        channel=best_position_table(exact(asking.epsilon)),
        groups=len(thresholds),
    )


def full_seen(places: Sequence[float], asked: Question, tally: Tally) -> Seen:
    """What a tally of `full_question` says."""
    if isinstance(asked.channel, Subset):
        shares = Shares.of(asked, tally)
        adding = np.tri(len(places), shares.bins)
        covariance = adding @ shares.covariance @ adding.T
        return Seen(
            places=tuple(places), values=adding @ shares.share, covariance=covariance, reports=float(shares.reports)
        )
    assert isinstance(asked.channel, Table)
    means = decoded(asked, tally)
    return Seen(
        places=tuple(places),
        values=means.value,
        covariance=np.diag(means.sampling + means.privacy),
        reports=min(tally.reports),
    )


@dataclass(frozen=True, kw_only=True)
class Fit:
    """A distribution function that never falls, at places in order.

    Between them it goes on as a bell would: straight where heights are written as quantiles of one. In the tails, where
    places are far apart, that is much closer than a straight line, and nowhere is it worse than the places allow.
    """

    axis: Axis
    places: tuple[float, ...]
    heights: tuple[float, ...]

    def quantile(self, q: float) -> float:
        """Where it reaches q; on steps, the smallest at which it is at least q."""
        axis = self.axis
        if axis.steps is not None and len(self.places) == axis.steps:
            reached = [place for place, height in zip(self.places, self.heights, strict=True) if height >= q]
            return reached[0] if reached else axis.high
        return axis.on_step(self.reaches(q))

    def height(self, place: float) -> float:
        """F at a place."""
        rows = self._rows
        for (left, before), (right, after) in pairwise(rows):
            if left <= place <= right:
                part = (place - left) / (right - left)
                start, stop = (bell_quantile(height) for height in (before, after))
                return (
                    min(after, max(before, _below(start + part * (stop - start))))
                    if 0 < part < 1
                    else (before if part <= 0 else after)
                )
        return 1.0 if place >= self.axis.high else 0.0

    def rise(self, place: float) -> float:
        """How much F rises between the known places around this one; zero where it is known."""
        below = [height for at, height in self._rows if at <= place]
        above = [height for at, height in self._rows if at >= place]
        return min(above, default=1.0) - max(below, default=0.0)

    def reaches(self, q: float) -> float:
        """Where it reaches q."""
        (at, before), *rest = self._rows
        if before >= q:
            return at
        for place, height in rest:
            if height >= q:
                start, stop = bell_quantile(before), bell_quantile(height)
                part = (bell_quantile(q) - start) / (stop - start) if stop > start else 1.0
                return at + (place - at) * min(1.0, max(0.0, part))
            at, before = place, height
        return self.axis.high

    @property
    def _rows(self) -> list[tuple[float, float]]:
        """From end to end: F is nothing before `low`, unless that is a place, and 1 at `high`."""
        start = [] if self.places and self.places[0] <= self.axis.low else [(self.axis.low, 0.0)]
        return [*start, *zip(self.places, self.heights, strict=True), (self.axis.high, 1.0)]


def bell_quantile(height: float) -> float:
    """A height as a quantile of a bell, none farther out than `_TAIL`."""
    from statistics import NormalDist  # costs 15 ms at import; most callers never ask

    return NormalDist().inv_cdf(min(1 - _TAIL, max(_TAIL, height)))


def _below(quantile: float) -> float:
    return 0.5 * math.erfc(-quantile / math.sqrt(2))


def interval(axis: Axis, places: Sequence[float], low: Floats, high: Floats, q: float) -> tuple[float, float]:
    """Where the quantile lies if F lies between the ends: beyond every place below q, at most at the first above."""
    before = [place for place, end in zip(places, high.tolist(), strict=True) if end < q]
    after = [place for place, end in zip(places, low.tolist(), strict=True) if end >= q]
    return (axis.above(max(before)) if before else axis.low), (min(after) if after else axis.high)
