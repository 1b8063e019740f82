"""What the symbols of one group say: a mean, shares or quantiles among the users who have something in it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sottovoce.answers import two_sided
from sottovoce.messages import Fact
from sottovoce.problems.groups.estimate import Group
from sottovoce.problems.groups.ratios import Ratio, Symbols
from sottovoce.problems.groups.settings import ByGroup
from sottovoce.problems.quantiles.estimate import level_name
from sottovoce.schemes import Floats, binomial_limits, isotonic, to_simplex

Interval = tuple[float, float]
Integers = NDArray[np.int64]


def groups_found(settings: ByGroup, each: Sequence[tuple[Symbols, Integers]]) -> list[Group]:
    """All groups: whose symbols each has, and at which places of them its own stand."""
    intervals = _share_intervals(each, two_sided(settings.confidence))
    rows = zip(settings.labels, each, intervals, strict=True)
    return [_group(settings, label, *own, share_interval=ends) for label, own, ends in rows]


def _group(settings: ByGroup, label: str, symbols: Symbols, places: Integers, *, share_interval: Interval) -> Group:
    own = np.zeros(len(symbols.counts))
    own[places] = 1.0
    has = Ratio.of(symbols, own, own)
    errors = two_sided(settings.confidence)
    share = min(1.0, max(0.0, has.below))
    share_interval = _held(share_interval, share)
    count = len(names(settings))
    if not has.sure(errors):
        whole = (declared(settings),) * count
        return Group(
            label=label,
            share=share,
            share_interval=share_interval,
            value=(),
            intervals=whole,
            standard_error=(),
            reports=symbols.reports,
        )
    find = {"mean": _mean, "histogram": _shares, "quantiles": _quantiles}[settings.of]
    value, intervals, error = find(settings, symbols, places, own, errors)
    return Group(
        label=label,
        share=share,
        share_interval=share_interval,
        value=value,
        intervals=tuple(_held(ends, one) for ends, one in zip(intervals, value, strict=True)),
        standard_error=error,
        reports=symbols.reports,
    )


def names(settings: ByGroup) -> tuple[str | Fact, ...]:
    """What the numbers of a group are called."""
    if settings.of == "mean":
        return (Fact("name-mean"),)
    if settings.of == "histogram":
        return tuple(settings.asked.labels)
    return tuple(map(level_name, settings.asked.levels))


def declared(settings: ByGroup) -> Interval:
    """Where the numbers of a group can lie."""
    if settings.of == "histogram":
        return 0.0, 1.0
    assert settings.low is not None and settings.high is not None
    return settings.low, settings.high


def nothing(symbols: Symbols, errors: float) -> tuple[float, Interval]:
    """The share of the users who sent the last symbol, for nothing, as far as the others tell, and its interval."""
    share = min(1.0, max(0.0, float(symbols.share[-1])))
    low, high = _last_limits([symbols], errors)[0]
    return share, _held((low, high), share)


def _share_intervals(each: Sequence[tuple[Symbols, Integers]], errors: float) -> list[Interval]:
    """Of the shares of the users with one of some symbols: exact for all but the last; else about normal."""
    if all(len(places) == len(symbols.counts) - 1 for symbols, places in each):
        return [(1 - high, 1 - low) for low, high in _last_limits([symbols for symbols, _ in each], errors)]
    found = []
    for symbols, places in each:
        weights = np.zeros(len(symbols.counts))
        weights[places] = 1.0
        middle, error = float(symbols.share @ weights), symbols.covariance(weights, weights) ** 0.5
        found.append((max(0.0, middle - errors * error), min(1.0, middle + errors * error)))
    return found


def _last_limits(each: Sequence[Symbols], errors: float) -> list[Interval]:
    """Of the shares of the users with the last symbol, exact for rare ones too; all at once, which is quicker."""
    own, other = each[0].channel.inclusion
    counts, reports = np.array([[one.counts[-1], one.reports] for one in each], dtype=np.int64).T
    limits = [np.clip((limit - other) / (own - other), 0.0, 1.0) for limit in binomial_limits(counts, reports, errors)]
    return list(zip(limits[0].tolist(), limits[1].tolist(), strict=True))


def _held(ends: Interval, value: float) -> Interval:
    return min(ends[0], value), max(ends[1], value)


def _clipped(ends: Interval | None, low: float, high: float) -> Interval:
    if ends is None:
        return low, high
    return min(high, max(low, ends[0])), max(low, min(high, ends[1]))


Found = tuple[tuple[float, ...], tuple[Interval, ...], tuple[float, ...]]


def _mean(settings: ByGroup, symbols: Symbols, places: Integers, own: Floats, errors: float) -> Found:
    """From −1 at one end of the range to 1 at the other, and back."""
    low, high = declared(settings)
    half, middle = (high - low) / 2, (high + low) / 2
    weights = np.zeros_like(own)
    weights[places] = np.linspace(-1.0, 1.0, len(places))
    ratio = Ratio.of(symbols, weights, own)
    ends = _clipped(ratio.interval(errors), -1.0, 1.0)
    value = min(1.0, max(-1.0, ratio.value))
    interval = (middle + half * ends[0], middle + half * ends[1])
    return (middle + half * value,), (interval,), (half * ratio.standard_error,)


def _shares(settings: ByGroup, symbols: Symbols, places: Integers, own: Floats, errors: float) -> Found:
    ratios = []
    for place in places:
        weights = np.zeros_like(own)
        weights[place] = 1.0
        ratios.append(Ratio.of(symbols, weights, own))
    value = to_simplex(np.array([ratio.value for ratio in ratios]))
    ends = tuple(_clipped(ratio.interval(errors), 0.0, 1.0) for ratio in ratios)
    return tuple(value.tolist()), ends, tuple(ratio.standard_error for ratio in ratios)


def _quantiles(settings: ByGroup, symbols: Symbols, places: Integers, own: Floats, errors: float) -> Found:
    """By the test of F = q at every threshold: a bin is left out where F is surely reached before it, or after it.

    The quantile lies in the first bin at whose end F is at least q. At the end of that bin the test that F is below q
    errs with half of what may go wrong, and so does at its beginning the test that F is at least q.
    """
    ratios = []
    for last in range(len(places) - 1):
        weights = np.zeros_like(own)
        weights[places[: last + 1]] = 1.0
        ratios.append(Ratio.of(symbols, weights, own))
    variance = np.array([max(ratio.standard_error**2, 1e-12) for ratio in ratios])
    below = np.clip(isotonic(np.array([ratio.value for ratio in ratios]), 1 / variance), 0.0, 1.0)
    value, intervals, error = [], [], []
    for q in settings.asked.levels:
        away = np.array([one.away(q) for one in ratios])  # above 0: F is above q
        reached, before = np.append(away, np.inf) >= -errors, np.concatenate(([-np.inf], away)) <= errors
        first, last = int(np.argmax(reached)), int(np.flatnonzero(before)[-1])
        first, last = min(first, last), max(first, last)
        found = _read(settings, below, q)
        value.append(found)
        intervals.append(_span(settings, first, last))
        near = ratios[min(len(ratios) - 1, int(np.searchsorted(below, q)))]
        error.append(near.standard_error)
    return tuple(value), tuple(intervals), tuple(error)


def _span(settings: ByGroup, first: int, last: int) -> Interval:
    """From the beginning of one bin to the end of another; with steps, from one value to the other."""
    axis, size = settings.asked.axis, settings.size
    if axis.step is not None:
        return axis.at(first), axis.at(last)
    return axis.low + axis.width * first / size, axis.low + axis.width * (last + 1) / size


def _read(settings: ByGroup, below: Floats, q: float) -> float:
    """Where a function that rises reaches q: the step, or a place inside a bin by a straight line."""
    axis, size = settings.asked.axis, settings.size
    if axis.step is not None:
        return float(axis.at(int(np.searchsorted(np.append(below, 1.0), q - 1e-12))))
    heights, at = np.concatenate(([0.0], below, [1.0])), np.linspace(axis.low, axis.high, size + 1)
    right = int(np.clip(np.searchsorted(heights, q), 1, size))
    rise = heights[right] - heights[right - 1]
    part = (q - heights[right - 1]) / rise if rise > 0 else 0.5
    return float(at[right - 1] + (at[right] - at[right - 1]) * min(1.0, max(0.0, part)))
