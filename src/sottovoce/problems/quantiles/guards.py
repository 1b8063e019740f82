"""Ends that hold whatever the users are, from several looks: the risk of being wrong is shared out among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sottovoce.answers import two_sided
from sottovoce.problems.quantiles.answer import all_at_once
from sottovoce.problems.quantiles.axis import Axis
from sottovoce.problems.quantiles.seen import Seen, interval

Floats = NDArray[np.float64]
Interval = tuple[float, float]
_FIRST = 0.3
"""The part of the risk that the first look may take, where others follow."""
_LAST = 0.7
"""The part of what is left that the last look may take."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Look:
    """What was seen in a round, and the risk that its ends may take."""

    seen: Seen
    risk: float


def looks(first: Seen, later: Sequence[Seen], confidence: float) -> list[Look]:
    """Every look with its part of the risk; the last one has most of it."""
    risk = 1 - confidence
    if not later:
        return [Look(seen=first, risk=risk)]
    found, left = [Look(seen=first, risk=_FIRST * risk)], (1 - _FIRST) * risk
    for seen in later[:-1]:
        found.append(Look(seen=seen, risk=(1 - _LAST) * left / (len(later) - 1)))
    return [*found, Look(seen=later[-1], risk=left * (_LAST if len(later) > 1 else 1.0))]


def ends(seen: Seen, errors: float, *, biased: bool = True) -> tuple[Floats, Floats]:
    """Ends at each place on its own, so many standard errors away and not falling."""
    reach = errors * np.sqrt(seen.variance + seen.unseen(errors)) + (seen.bias if biased else 0.0)
    low, high = np.clip(seen.values - reach, 0.0, 1.0), np.clip(seen.values + reach, 0.0, 1.0)
    return np.maximum.accumulate(low), np.minimum.accumulate(high[::-1])[::-1]


def of(seen: Seen, places: Sequence[float]) -> Seen:
    """The part of a look that lies at some places."""
    return seen.at([number for number, place in enumerate(seen.places) if place in set(places)])


def guarded_interval(axis: Axis, found: Sequence[Look], q: float) -> Interval:
    """Where the quantile lies: each look may exclude places on either side.

    A place below the quantile can be wrong on one side only, and so can one above: half of a look's risk is not lost.
    """
    low, high = axis.low, axis.high
    for number, look in enumerate(found):
        count = len(look.seen.places)
        if number == 0:
            bounds = look.seen.band(all_at_once(1 - look.risk, count))
        else:
            bounds = ends(look.seen, two_sided(1 - 2 * look.risk / count))
        start, stop = interval(axis, look.seen.places, *bounds, q)
        low, high = max(low, start), min(high, stop)
    return low, max(low, high)


def guarded_band(found: Sequence[Look], places: Sequence[float]) -> tuple[Floats, Floats]:
    """Ends that hold at all places at once."""
    at = np.array(places)
    low, high = np.zeros(len(at)), np.ones(len(at))
    for number, look in enumerate(found):
        errors = all_at_once(1 - look.risk, len(look.seen.places))
        starts, stops = look.seen.band(errors) if number == 0 else ends(look.seen, errors)
        own = np.array(look.seen.places)
        low = np.maximum(low, np.concatenate(([0.0], starts))[np.searchsorted(own, at, side="right")])
        high = np.minimum(high, np.concatenate((stops, [1.0]))[np.searchsorted(own, at, side="left")])
    return low, np.maximum(low, high)


def model_interval(axis: Axis, seen: Seen, q: float, confidence: float, guard: Interval) -> Interval:
    """The same from the last look alone, if nobody lies outside; where it sees no end, the guarded one."""
    low, high = ends(seen, two_sided(1 - (1 - confidence) / 2), biased=False)
    start, stop = interval(axis, seen.places, low, high, q)
    return max(guard[0], start), max(guard[0], start, min(guard[1], stop))
