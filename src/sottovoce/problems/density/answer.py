"""The answer of the paper's methods."""

from __future__ import annotations

import math

from sottovoce.answers import (
    WHOLE_COLLECTION,
    Chosen,
    ChosenBy,
    Note,
    NoteCode,
    Privacy,
    StandardError,
    two_sided,
    within,
)
from sottovoce.messages import Fact
from sottovoce.methods import Means
from sottovoce.problems.density.estimate import DensityEstimate
from sottovoce.problems.density.places import PEAK
from sottovoce.problems.density.settings import Density


def answered(settings: Density, method: str, means: Means) -> DensityEstimate:
    """From the means of all basis functions but the first, whose coefficient is known."""
    known = StandardError(sampling=0.0, privacy=0.0)
    errors = [
        StandardError(sampling=math.sqrt(one), privacy=math.sqrt(two), localisation=math.sqrt(three))
        for one, two, three in zip(means.sampling, means.privacy, means.localisation, strict=True)
    ]
    values, z = [float(value) for value in means.value], two_sided(settings.confidence)
    intervals = [
        within((value - z * error.total, value + z * error.total), -PEAK, PEAK)
        for value, error in zip(values, errors, strict=True)
    ]
    doubtful = max(error.localisation for error in errors) > 0.04 * PEAK
    size = len(values) + 1
    rule = Fact("coefficients-by", size=size, given=settings.coefficients is not None)
    return DensityEstimate(
        coefficients=(1.0, *values),
        coefficient_intervals=((1.0, 1.0), *intervals),
        coefficient_errors=(known, *errors),
        low=settings.low,
        high=settings.high,
        smoothness=settings.trusted,
        confidence=settings.confidence,
        interval_kind=Fact("pointwise", coefficients=size),
        users_per_round=means.answered,
        privacy=Privacy(
            epsilon=settings.epsilon, protects=WHOLE_COLLECTION, users=settings.users, rounds=len(means.answered)
        ),
        method=method,
        chosen=Chosen(by=ChosenBy.CALLER, details=(rule,)),
        notes=(Note(NoteCode.WRONG_PLACE, of="coefficients"),) if doubtful else (),
    )
