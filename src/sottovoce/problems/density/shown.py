"""The answer of the cosine methods: a curve from what was measured, its bands, and what each of them assumes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from sottovoce.answers import (
    WHOLE_COLLECTION,
    Assumes,
    Chosen,
    ChosenBy,
    Measured,
    Note,
    NoteCode,
    Privacy,
    StandardError,
    cosines,
    sizes,
)
from sottovoce.messages import Fact
from sottovoce.methods import Floats
from sottovoce.problems.density.decay import believed, decays
from sottovoce.problems.density.estimate import DensityEstimate
from sottovoce.problems.density.places import PEAK
from sottovoce.problems.density.settings import Density
from sottovoce.problems.reasons import says_little

_SURE = 1.645
_CLEAR, _LARGE, _ENOUGH = 3.0, 0.5, 5
"""A note wants late waves to be so many standard errors above noise, to hold so much of what early ones hold, and so
many of both."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Reported:
    """What came in: unbiased means of the waves, their variances, and what is known about users who were cut."""

    value: Floats
    variance: Floats
    sampling: Floats
    """The part of the variance that would remain without noise: less than all of it."""
    firm: Floats
    most: Floats
    """Means, and the largest variance that they can have, from rounds that hold whatever users are."""
    centre: tuple[float, ...]
    share: float = 0.0
    stretch: float = 1.0
    """How much larger the variance is in the direction in which users lie."""
    hidden: float | None = None
    answered: tuple[int, ...]
    notes: tuple[Note, ...] = ()


def published(settings: Density, method: str, found: Reported) -> DensityEstimate:
    """The curve, drawn toward zero as far as waves seem to be noise, cut and projected; the bands rest on neither."""
    known = believed(found.value, found.variance, decays(settings.smoothness))
    asked = len(found.value)
    shown = next(size for size in sizes(asked) if size >= known.kept)
    measured = Measured(
        value=_plain(found.value),
        error=_plain(np.sqrt(found.variance * _leaning(known.value, found.stretch))),
        firm=_plain(found.firm),
        most=_plain(np.sqrt(found.most)),
        centre=found.centre,
        share=found.share,
        rest=_last(found, shown) if settings.trusted > 1 else None,
        decay=settings.trusted,
    )
    ends = [measured.interval(wave, settings.confidence) for wave in range(1, shown + 1)]
    values = _plain(known.value[:shown])
    intervals = [
        (max(-PEAK, min(low, own)), min(PEAK, max(high, own))) for (low, high), own in zip(ends, values, strict=True)
    ]
    errors = [
        StandardError(sampling=math.sqrt(sampling), privacy=math.sqrt(variance - sampling))
        for sampling, variance in zip(found.sampling[:shown], found.variance[:shown], strict=True)
    ]
    narrow = (settings.high - settings.low) / asked
    discrete = (Note(NoteCode.MAY_BE_DISCRETE, narrow=narrow),) if looks_discrete(found) else ()
    by = "caller" if settings.coefficients else "smoothness" if settings.smoothness else None
    curve = DensityEstimate(
        coefficients=(1.0, *values),
        coefficient_intervals=((1.0, 1.0), *intervals),
        coefficient_errors=(StandardError(sampling=0.0, privacy=0.0), *errors),
        low=settings.low,
        high=settings.high,
        smoothness=settings.smoothness,
        basis="cosine",
        ends=known.ends,
        measured=measured,
        assumes=Assumes.NOTHING,
        model_assumes=Assumes.ONE_GROUP_AROUND_AVERAGE,
        whole_assumes=None if measured.rest is None else Assumes.WAVES_FALL_OFF,
        detection_limit=found.hidden,
        confidence=settings.confidence,
        interval_kind=Fact("guarded-everywhere", waves=shown),
        users_per_round=found.answered,
        privacy=Privacy(
            epsilon=settings.epsilon, protects=WHOLE_COLLECTION, users=settings.users, rounds=len(found.answered)
        ),
        method=method,
        chosen=Chosen(by=ChosenBy.CALLER, details=(Fact("waves-shown", shown=shown, n=asked, by=by),)),
        notes=(*found.notes, *discrete, *says_little(settings.users, settings.epsilon)),
    )
    return curve.projected()


def _plain(values: Floats) -> tuple[float, ...]:
    return tuple(float(value) for value in values)


def _leaning(value: Floats, stretch: float) -> float:
    """How much larger the variance is where the density is highest: users alike lie there more than elsewhere."""
    size = len(value)
    highest = 1 + float((cosines(np.linspace(0.0, 1.0, 16 * size + 1), size + 1)[:, 1:] @ value).max())
    return (size + (stretch - 1) * max(1.0, highest)) / (size + stretch - 1)


def _last(found: Reported, shown: int) -> float:
    """How large waves may be that are not shown, as far as noise tells: the root mean square of the last ones."""
    late = slice(min(shown, len(found.value) // 2), None)
    square = float((found.value**2 - found.variance)[late].mean())
    doubt = math.sqrt(float(_doubt(found.value, found.variance)[late].sum())) / len(found.value[late])
    return math.sqrt(max(0.0, square) + _SURE * doubt)


def _doubt(value: Floats, variance: Floats) -> Floats:
    """Variances of squares."""
    return np.asarray(2 * variance**2 + 4 * np.maximum(value**2 - variance, 0.0) * variance)


def looks_discrete(found: Reported) -> bool:
    """Late waves are clearly there, and hold much beside the early ones: atoms do that, smooth densities do not."""
    half = len(found.value) // 2
    if half < _ENOUGH:
        return False
    square = found.value**2 - found.variance
    late, early = float(square[half:].sum()), float(np.maximum(square[:half], 0.0).sum())
    error = math.sqrt(float(_doubt(found.value, found.variance)[half:].sum()))
    return late > _CLEAR * error and late > _LARGE * early
