"""The answer of the paper's methods."""

from __future__ import annotations

import math

from sottovoce.answers import DensityEstimate, Privacy, StandardError, two_sided, within
from sottovoce.problems.density.places import PEAK
from sottovoce.problems.density.settings import Density
from sottovoce.schemes import Means

WRONG_PLACE = (
    "the votes may have chosen the wrong place for some coefficients: more users, fewer coefficients or a "
    'larger epsilon would settle it, method="one-round" does without'
)


def answered(settings: Density, method: str, assumes: str, means: Means) -> DensityEstimate:
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
    return DensityEstimate(
        coefficients=(1.0, *values),
        coefficient_intervals=((1.0, 1.0), *intervals),
        coefficient_errors=(known, *errors),
        low=settings.low,
        high=settings.high,
        smoothness=settings.trusted,
        confidence=settings.confidence,
        interval_kind=f"pointwise, for the first {size} coefficients, truncation not covered; {assumes}",
        users_per_round=means.answered,
        privacy=Privacy(
            epsilon=settings.epsilon,
            protects="its whole collection",
            users=settings.users,
            rounds=len(means.answered),
        ),
        method=method,
        reason=f"asked for; M = {size} {'given' if settings.coefficients else 'by the rule at L797'}",
        warnings=(WRONG_PLACE,) if doubtful else (),
    )
