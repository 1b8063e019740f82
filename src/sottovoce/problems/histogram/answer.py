"""The answer about a histogram."""

from __future__ import annotations

import numpy as np

from sottovoce.answers import WHOLE_COLLECTION, Assumes, Chosen, ChosenBy, Colluders, Privacy, StandardError
from sottovoce.messages import Fact
from sottovoce.methods import COLLUDING, Floats, to_simplex
from sottovoce.problems.histogram.estimate import HistogramEstimate
from sottovoce.problems.histogram.settings import Histogram
from sottovoce.problems.reasons import says_little
from sottovoce.risk import Poisoning

Ends = tuple[Floats, Floats]
Intervals = tuple[tuple[float, float], ...]


def levels(settings: Histogram) -> tuple[float, float]:
    """The confidence of each interval, and of each of the simultaneous ones (Bonferroni)."""
    return settings.confidence, 1 - (1 - settings.confidence) / settings.size


def answered(
    settings: Histogram,
    method: str,
    raw: Floats,
    variances: tuple[Floats, Floats],
    guarded: tuple[Ends, Ends],
    kind: Fact,
    users: tuple[int, ...],
    *,
    poisoning: Poisoning,
    model: tuple[Ends, Ends] | None = None,
    model_assumes: Assumes | None = None,
    detection_limit: float | None = None,
    hidden_shift: float | None = None,
) -> HistogramEstimate:
    """Shares on the simplex, with the intervals of each and of all together around the raw ones.

    `variances` are those of sampling and of privacy; `guarded` and `model` the ends of each interval and of the
    simultaneous ones.
    """
    value = to_simplex(raw)
    each, joint = (_inside(ends, value) for ends in guarded)
    narrow = (None, None) if model is None else tuple(_inside(ends, value) for ends in model)
    halfwidth = float(np.mean([high - low for low, high in each])) / 2
    causes = zip(*(np.sqrt(part).tolist() for part in variances), strict=True)
    return HistogramEstimate(
        value=tuple(value.tolist()),
        raw=tuple(raw.tolist()),
        labels=settings.labels,
        edges=settings.bounds,
        intervals=each,
        simultaneous=joint,
        standard_error=tuple(StandardError(sampling=one, privacy=two) for one, two in causes),
        confidence=settings.confidence,
        interval_kind=kind,
        users_per_round=users,
        privacy=Privacy(epsilon=settings.epsilon, protects=WHOLE_COLLECTION, users=settings.users, rounds=len(users)),
        method=method,
        chosen=Chosen(by=ChosenBy.CALLER),
        notes=says_little(settings.users, settings.epsilon),
        assumes=Assumes.NOTHING,
        model_intervals=narrow[0],
        model_simultaneous=narrow[1],
        model_assumes=model_assumes if model is not None else None,
        detection_limit=detection_limit,
        hidden_shift=hidden_shift,
        colluders=Colluders(
            share=poisoning.share_for(halfwidth),
            shifts=tuple((share, min(1.0, poisoning.shift(share))) for share in COLLUDING),
        ),
    )


def _inside(ends: Ends, value: Floats) -> Intervals:
    """Cut to [0, 1], and widened to hold the value that is published."""
    low, high = (np.clip(end, 0.0, 1.0) for end in ends)
    return tuple(zip(np.minimum(low, value).tolist(), np.maximum(high, value).tolist(), strict=True))
