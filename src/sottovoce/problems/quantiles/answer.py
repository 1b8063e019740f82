"""From what was seen to an answer, for quantiles and for the distribution function."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.answers import GUARDED, WHOLE_COLLECTION, Assumes, Chosen, ChosenBy, Privacy, two_sided
from sottovoce.problems.quantiles.cdf import CdfEstimate
from sottovoce.problems.quantiles.curve import Curve
from sottovoce.problems.quantiles.estimate import QuantilesEstimate
from sottovoce.problems.quantiles.seen import Fit, Seen, interval
from sottovoce.problems.quantiles.settings import Cdf, Distributed, Quantiles
from sottovoce.problems.reasons import says_little

Floats = NDArray[np.float64]
Interval = tuple[float, float]


def all_at_once(confidence: float, count: int) -> float:
    """Standard errors of a band that holds at `count` places at once (Bonferroni)."""
    return two_sided(1 - (1 - confidence) / max(1, count))


def curve(settings: Distributed, fit: Fit, low: Floats, high: Floats, errors: Floats) -> Curve:
    """A fitted function in its band, which is widened where the fit leaves it."""
    heights = np.array(fit.heights)
    low, high = np.minimum(low, heights), np.maximum(high, heights)
    return Curve(
        points=fit.places,
        below=fit.heights,
        band=tuple(zip(low.tolist(), high.tolist(), strict=True)),
        errors=tuple(errors.tolist()),
        low=settings.low,
        high=settings.high,
        step=settings.step,
    )


def fitted(settings: Distributed, seen: Seen) -> Fit:
    """The function through what was seen."""
    return Fit(axis=settings.axis, places=seen.places, heights=tuple(seen.fitted().tolist()))


def in_order(intervals: Sequence[Interval], values: Sequence[float]) -> tuple[Interval, ...]:
    """Intervals that hold their own values and whose ends never fall; none is made narrower."""
    low = [min(ends[0], value) for ends, value in zip(intervals, values, strict=True)]
    high = [max(ends[1], value) for ends, value in zip(intervals, values, strict=True)]
    starts = list(accumulate(reversed(low), min))[::-1]
    return tuple(zip(starts, accumulate(high, max), strict=True))


def answered(
    settings: Distributed,
    method: str,
    found: Curve,
    users: Sequence[int],
    *,
    value: Sequence[float] = (),
    intervals: Sequence[Interval] = (),
    model: Sequence[Interval] | None = None,
    model_assumes: Assumes | None = None,
    detection_limit: float | None = None,
) -> QuantilesEstimate | CdfEstimate:
    """The answer to either survey: of quantiles with values and intervals, or with `model` a band."""
    common: dict[str, Any] = {
        "confidence": settings.confidence,
        "interval_kind": GUARDED,
        "users_per_round": tuple(users),
        "privacy": Privacy(
            epsilon=settings.epsilon, protects=WHOLE_COLLECTION, users=settings.users, rounds=len(users)
        ),
        "method": method,
        "chosen": Chosen(by=ChosenBy.CALLER),
        "notes": says_little(settings.users, settings.epsilon),
        "curve": found,
        "assumes": Assumes.NOTHING,
        "model_assumes": model_assumes,
        "detection_limit": detection_limit,
    }
    if isinstance(settings, Cdf):
        return CdfEstimate(**common, model_band=None if model is None else tuple(model))
    assert isinstance(settings, Quantiles)
    rising = tuple(accumulate(value, max))  # each was read from places of its own, and chance may have crossed them
    return QuantilesEstimate(
        **common,
        q=settings.levels,
        value=rising,
        intervals=in_order(intervals, rising),
        model_intervals=None if model is None else in_order(model, rising),
    )


def alone(settings: Distributed, method: str, seen: Seen, users: Sequence[int]) -> QuantilesEstimate | CdfEstimate:
    """The answer from one look at everybody."""
    fit = fitted(settings, seen)
    low, high = seen.band(all_at_once(settings.confidence, len(seen.places)))
    levels = settings.levels if isinstance(settings, Quantiles) else ()
    return answered(
        settings,
        method,
        curve(settings, fit, low, high, np.sqrt(seen.variance)),
        users,
        value=[fit.quantile(q) for q in levels],
        intervals=[interval(settings.axis, seen.places, low, high, q) for q in levels],
    )
