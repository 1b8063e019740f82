"""What the symbols of one group say: a mean, shares or quantiles among the users who have something in it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sottovoce.answers import two_sided
from sottovoce.methods import Ratio, Symbols, binomial_limits
from sottovoce.problems.groups.estimate import Group
from sottovoce.problems.groups.settings import ByGroup

Interval = tuple[float, float]
Integers = NDArray[np.int64]


def groups_found(settings: ByGroup, each: Sequence[tuple[Symbols, Integers]]) -> list[Group]:
    """Every group. `each` has the counts of symbols for it, and at which places its own symbols stand."""
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
    if not has.sure(errors):
        whole = (settings.in_group.declared(settings),) * len(settings.in_group.names(settings))
        return Group(
            label=label,
            share=share,
            share_interval=share_interval,
            value=(),
            intervals=whole,
            standard_error=(),
            reports=symbols.reports,
        )
    value, intervals, error = settings.in_group.found(settings, symbols, places, own, errors)
    return Group(
        label=label,
        share=share,
        share_interval=share_interval,
        value=value,
        intervals=tuple(_held(ends, one) for ends, one in zip(intervals, value, strict=True)),
        standard_error=error,
        reports=symbols.reports,
    )


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
