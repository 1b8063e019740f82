"""What reports say about the distribution function F, the curve that fits them, and ends that hold for any users.

Everybody may be asked about the whole function without any assumption: in which of the bins between the places one own
item lies (subset selection), or one share a user through a table. Items are quieter together, but their errors add up
from bin to bin; shares have errors of their own, which a fit averages out. Below ε of about .7 shares win.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from sottovoce.answers import two_sided
from sottovoce.design import best_position_table, subset
from sottovoce.messages import Bins, Encoder, Floats, Interval, Item, Position, Question, Share, Subset, Tally, exact
from sottovoce.methods import BinShares, RoundMaker, decode_means, isotonic, normal_below, rising_band
from sottovoce.problems.quantiles.settings import Axis

Groups = tuple[tuple[float, ...], ...]
"""Places close to each quantile."""

# Chosen by hand, on simulations of smooth and of stepped distributions.
# What each number below is worth:
# python -m benchmarks.accuracy.tuning sottovoce.problems.quantiles.shares_below:NAME VALUE … --problem quantiles
SMOOTHED = 0.6
"""How much of their variance errors of their own keep after a fit that never falls."""
_TAIL = 0.002
"""No height is farther out on a bell: beyond it, noise would be read as many spreads."""
_LOOSE = 0.2
"""How far F may be from a straight line between two places, as a part of its rise there."""
_LEAST = 3
"""Places that a line or a bell is fitted to at least."""
_NEWTON_STEPS = 12
_STRAIGHT = 3.0
"""A line is believed up to this mean squared residual, in units of what is expected."""
_FIRST = 0.3
"""The part of the risk of being wrong that the first look may take, where others follow."""
_LAST = 0.7
"""The part of what is left that the last look may take."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SharesBelow:
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

    def at_places(self, places: Sequence[float], *, but: bool = False) -> SharesBelow:
        """Those at some of the places, or at all `but` those."""
        index = np.flatnonzero(np.isin(self.places, list(places), invert=but))
        return SharesBelow(
            places=tuple(self.places[number] for number in index),
            values=self.values[index],
            covariance=self.covariance[np.ix_(index, index)],
            bias=self.bias,
            reports=self.reports,
        )

    def band(self, errors: float) -> tuple[Floats, Floats]:
        """Ends at the places, so many standard errors away."""
        return rising_band(self.values, self.covariance + np.diag(self._further_variance(errors)), errors, self.bias)

    def ends(self, errors: float, *, biased: bool = True) -> tuple[Floats, Floats]:
        """Ends at each place on its own, so many standard errors away and not falling."""
        reach = errors * np.sqrt(self.variance + self._further_variance(errors)) + (self.bias if biased else 0.0)
        low, high = np.clip(self.values - reach, 0.0, 1.0), np.clip(self.values + reach, 0.0, 1.0)
        return np.maximum.accumulate(low), np.minimum.accumulate(high[::-1])[::-1]

    def _further_variance(self, errors: float) -> Floats:
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

    def fitted(self, axis: Axis) -> FittedCurve:
        """The nearest function that never falls, between 0 and 1."""
        heights = np.clip(isotonic(self.values, 1 / self.variance), 0.0, 1.0)
        return FittedCurve(axis=axis, places=self.places, heights=tuple(heights.tolist()))


@dataclass(frozen=True, kw_only=True)
class FittedCurve:
    """A distribution function that never falls, at places in order.

    Between them it goes on as a bell would: straight where heights are written as quantiles of one. In the tails, where
    places are far apart, that is much closer than a straight line, and nowhere is it worse than the places allow.
    """

    axis: Axis
    places: tuple[float, ...]
    heights: tuple[float, ...]

    def quantile(self, q: float) -> float:
        """Where it reaches q; on steps, the smallest at which it is at least q."""
        if len(self.places) == self.axis.steps:
            places, heights = self._knots
            return places[bisect_left(heights, q)]
        return self.axis.on_step(self.reaches(q))

    def reaches(self, q: float) -> float:
        """Where it reaches q, between the steps too."""
        places, heights = self._knots
        right = bisect_left(heights, q)
        if right == 0:
            return places[0]
        at, start, stop = places[right - 1], *map(bell_quantile, heights[right - 1 : right + 1])
        part = (bell_quantile(q) - start) / (stop - start) if stop > start else 1.0
        return at + (places[right] - at) * min(1.0, max(0.0, part))

    def height(self, place: float) -> float:
        """F at a place of the range."""
        places, heights = self._knots
        right = bisect_left(places, place)
        if places[right] == place:
            return heights[right]
        (left, before), after = (places[right - 1], heights[right - 1]), heights[right]
        start, stop = bell_quantile(before), bell_quantile(after)
        quantile = start + (place - left) / (places[right] - left) * (stop - start)
        return min(after, max(before, 0.5 * math.erfc(-quantile / math.sqrt(2))))

    def rise(self, place: float) -> float:
        """How much F rises between the known places around this one; zero where it is known."""
        places, heights = self._knots
        right = bisect_left(places, place)
        return 0.0 if places[right] == place else heights[right] - heights[right - 1]

    @property
    def _knots(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """From end to end: F is nothing before `low`, unless that is a place, and 1 at `high`."""
        low, high = self.axis.low, self.axis.high
        if self.places and self.places[0] <= low:
            return (*self.places, high), (*self.heights, 1.0)
        return (low, *self.places, high), (0.0, *self.heights, 1.0)


def bell_quantile(height: float) -> float:
    """A height as a quantile of a bell, none farther out than `_TAIL`."""
    return NormalDist().inv_cdf(min(1 - _TAIL, max(_TAIL, height)))


def item_variance(count: int, epsilon: float) -> float:
    """The variance of one report, on average over `count` places, if items are asked for."""
    own, other = subset(epsilon, count + 1).inclusion
    return (count + 1) / 6 * other * (1 - other) / (own - other) ** 2 + 0.17


def share_variance(count: int, epsilon: float) -> float:
    """The variance if every user answers for one place: its table's, and what users may differ by."""
    table = best_position_table(exact(epsilon))
    return count * (float(table.variance(np.linspace(0.0, 1.0, 65)).mean()) + 0.1)


def full_variance(count: int, epsilon: float, *, smoothed: float = 1.0) -> float:
    """The variance of one report about `count` places, asked the better way, if a fit leaves that much of shares'."""
    return min(item_variance(count, epsilon), smoothed * share_variance(count, epsilon))


def by_items(count: int, epsilon: float, *, smoothed: float = SMOOTHED) -> bool:
    """Whether items are the better way, if a fit leaves `smoothed` of the variance of shares."""
    return item_variance(count, epsilon) < smoothed * share_variance(count, epsilon)


def full_question(
    asking: RoundMaker, count: float, *, axis: Axis, places: Sequence[float], role: str, smoothed: float = SMOOTHED
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


def shares_below(places: Sequence[float], question: Question, tally: Tally) -> SharesBelow:
    """What a tally of `full_question` says."""
    if isinstance(question.channel, Subset):
        shares = BinShares.of(question, tally)
        adding = np.tri(len(places), shares.bins)
        values, covariance = adding @ shares.share, adding @ shares.covariance @ adding.T
        return SharesBelow(places=tuple(places), values=values, covariance=covariance, reports=float(shares.reports))
    means = decode_means(question, tally)
    covariance = np.diag(means.sampling + means.privacy)
    return SharesBelow(places=tuple(places), values=means.value, covariance=covariance, reports=min(tally.reports))


def pooled_shares(parts: Sequence[SharesBelow]) -> SharesBelow:
    """Independent looks as one: equal places by the inverse of their variances, others side by side."""
    places = np.concatenate([part.places for part in parts])
    values = np.concatenate([part.values for part in parts])
    weights = np.concatenate([1 / part.variance for part in parts])
    unique, index = np.unique(places, return_inverse=True)
    mass = np.bincount(index, weights)
    means = np.bincount(index, weights * values) / mass
    return SharesBelow(places=tuple(unique.tolist()), values=means, covariance=np.diag(1 / mass))


def corrected(axis: Axis, first: SharesBelow, later: Sequence[SharesBelow]) -> SharesBelow:
    """The first look after others: what they show of its errors holds for the places around too.

    Errors of shares of bins add up from bin to bin, so that a look that is far off at a place is far off beside it: the
    update of a Kalman filter whose state is F at the places of the first look.
    """
    places = np.array(first.places)
    values, covariance = first.values, first.covariance
    for look in later:
        there = np.array(look.places)
        line, constant = _interpolation_weights(axis, places, there)
        rise = np.abs(np.diff(np.clip(values, 0, 1), prepend=0.0, append=1.0))
        loose = np.maximum(_LOOSE * rise[np.searchsorted(places, there)], 1e-3) ** 2
        loose = np.where(np.isin(there, places), 0.0, loose)
        total = line @ covariance @ line.T + look.covariance + np.diag(loose)
        gain = np.linalg.solve(total, line @ covariance).T
        values = values + gain @ (look.values - (line @ values + constant))
        covariance = covariance - gain @ line @ covariance
    floor = 1e-6 * np.diag(first.covariance)
    covariance = covariance + np.diag(np.maximum(0.0, floor - np.diag(covariance)))
    return SharesBelow(places=first.places, values=values, covariance=covariance, bias=first.bias)


def _interpolation_weights(axis: Axis, places: Floats, there: Floats) -> tuple[Floats, Floats]:
    """How heights `there` follow from those at `places` by straight lines: weights, and what F = 1 at `high` adds."""
    start = 0 if places[0] <= axis.low else 1
    knots = np.concatenate(([axis.low] * start, places, [axis.high]))
    right = np.clip(np.searchsorted(knots, there, side="left"), 1, len(knots) - 1)
    part = (there - knots[right - 1]) / (knots[right] - knots[right - 1])
    weights, rows = np.zeros((len(there), len(knots))), np.arange(len(there))
    weights[rows, right - 1] = 1 - part
    weights[rows, right] = part
    return weights[:, start:-1], weights[:, -1]


def fit(axis: Axis, parts: Sequence[SharesBelow], groups: Groups) -> tuple[FittedCurve, SharesBelow]:
    """The curve through all parts; inside the span of a group the older places give way to it."""
    first = corrected(axis, parts[0], parts[1:])
    others = (part.at_places(first.places, but=True) for part in parts[1:])
    every = pooled_shares([first, *(part for part in others if part.places)])
    inner = {place for place in every.places if any(group[0] < place < group[-1] for group in groups)}
    counting = every.at_places(list(inner.difference(*groups)), but=True)
    return counting.fitted(axis), counting


def reached_locally(parts: Sequence[SharesBelow], span: tuple[float, ...], q: float) -> float | None:
    """Where what was seen in a span reaches q by the line or the bell that fits it better; None where neither does.

    A bell of any place and width bends in a tail as most laws do; a line does not.
    """
    every = pooled_shares(parts)
    seen = every.at_places([place for place in every.places if span[0] <= place <= span[-1]])
    if len(seen.places) < _LEAST:
        return None
    width = span[-1] - span[0]
    places, weights = (np.array(seen.places) - span[0]) / width, 1 / seen.variance
    off, part = min(fitted(places, seen.values, weights, q) for fitted in (_line, _bell))
    if off > _STRAIGHT * (len(places) - 2) or not 0 <= part <= 1:
        return None
    return span[0] + width * part


def _line(places: Floats, values: Floats, weights: Floats, q: float) -> tuple[float, float]:
    """How far a straight line is off, and where it reaches q."""
    middle, height = (float(weights @ row / weights.sum()) for row in (places, values))
    moved = places - middle
    slope = float(weights @ (moved * (values - height)) / (weights @ moved**2))
    off = float(weights @ (values - height - slope * moved) ** 2)
    return (off, middle + (q - height) / slope) if slope > 0 else (math.inf, 0.0)


def _bell(places: Floats, values: Floats, weights: Floats, q: float) -> tuple[float, float]:
    """How far a bell of any place and width is off, and where it reaches q: least squares, by Gauss and Newton."""
    quantiles = np.array([bell_quantile(height) for height in np.clip(isotonic(values, weights), 0.02, 0.98)])
    slope = max(float(quantiles[-1] - quantiles[0]), 0.1)
    bell = np.array([float((quantiles - slope * places).mean()), slope])
    design = np.stack((np.ones(len(places)), places), axis=1)
    for _ in range(_NEWTON_STEPS):
        z = design @ bell
        steep = np.maximum(np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi), 1e-3)
        pulled = design * (steep * weights)[:, None]
        normal = (design * steep[:, None]).T @ pulled
        step = np.linalg.solve(normal + 1e-9 * np.trace(normal) * np.eye(2), pulled.T @ (values - normal_below(z)))
        bell = bell + step * min(1.0, 1.0 / max(1e-300, float(np.abs(step).max())))
    off = float(weights @ (values - normal_below(design @ bell)) ** 2)
    return (off, (bell_quantile(q) - float(bell[0])) / float(bell[1])) if bell[1] > 0 else (math.inf, 0.0)


def quantile_interval(axis: Axis, places: Sequence[float], low: Floats, high: Floats, q: float) -> Interval:
    """Where the quantile lies if F lies between the ends: beyond every place below q, at most at the first above."""
    at = np.array(places)
    before, after = at[high < q], at[low >= q]
    stop = float(after.min()) if len(after) else axis.high
    if not len(before):
        return axis.low, stop
    start = float(before.max())
    return (start if axis.step is None else min(axis.high, start + axis.step)), stop


Look = tuple[SharesBelow, float]
"""What was seen in a round, and the risk of being wrong that its ends may take."""


def share_out_risk(first: SharesBelow, later: Sequence[SharesBelow], confidence: float) -> list[Look]:
    """Every look with its part of the risk; the last one has most of it."""
    risk = 1 - confidence
    if not later:
        return [(first, risk)]
    left = (1 - _FIRST) * risk
    between = [(seen, (1 - _LAST) * left / (len(later) - 1)) for seen in later[:-1]]
    return [(first, _FIRST * risk), *between, (later[-1], left * (_LAST if between else 1.0))]


def errors_of_band_at_once(confidence: float, count: int) -> float:
    """Standard errors of a band that holds at `count` places at once (Bonferroni)."""
    return two_sided(1 - (1 - confidence) / max(1, count))


def guarded_interval(axis: Axis, looks: Sequence[Look], q: float) -> Interval:
    """Where the quantile lies, whatever the users are: each look may exclude places on either side.

    A place below the quantile can be wrong on one side only, and so can one above: half of a look's risk is not lost.
    """
    low, high = axis.low, axis.high
    for number, (seen, risk) in enumerate(looks):
        count = len(seen.places)
        ends = (
            seen.ends(two_sided(1 - 2 * risk / count)) if number else seen.band(errors_of_band_at_once(1 - risk, count))
        )
        start, stop = quantile_interval(axis, seen.places, *ends, q)
        low, high = max(low, start), min(high, stop)
    return low, max(low, high)


def guarded_band(looks: Sequence[Look], places: Sequence[float]) -> tuple[Floats, Floats]:
    """Ends that hold at all places at once, whatever the users are."""
    at = np.array(places)
    low, high = np.zeros(len(at)), np.ones(len(at))
    for number, (seen, risk) in enumerate(looks):
        errors = errors_of_band_at_once(1 - risk, len(seen.places))
        starts, stops = seen.ends(errors) if number else seen.band(errors)
        low = np.maximum(low, np.concatenate(([0.0], starts))[np.searchsorted(seen.places, at, side="right")])
        high = np.minimum(high, np.concatenate((stops, [1.0]))[np.searchsorted(seen.places, at, side="left")])
    return low, np.maximum(low, high)


def model_interval(axis: Axis, seen: SharesBelow, q: float, confidence: float, guard: Interval) -> Interval:
    """From the last look alone, if nobody lies outside; where it sees no end, the guarded one."""
    ends = seen.ends(two_sided(1 - (1 - confidence) / 2), biased=False)
    start, stop = quantile_interval(axis, seen.places, *ends, q)
    return max(guard[0], start), max(guard[0], start, min(guard[1], stop))
