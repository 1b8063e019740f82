"""The answer about a vector, with its intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from sottovoce.answers import Privacy, StandardError, VectorEstimate, two_sided, within
from sottovoce.messages import rotation_signs, walsh_hadamard
from sottovoce.problems.vector.settings import VectorMean
from sottovoce.schemes import Floats

Intervals = tuple[tuple[float, float], ...]

NOTES = {
    "linf": "devices clamp what lies outside the declared ranges; how many do is not known to anybody",
    "l2": "devices project what lies outside the declared ball onto it; how many do is not known to anybody",
}


def answered(
    settings: VectorMean,
    method: str,
    value: list[float],
    errors: list[StandardError],
    intervals: tuple[Intervals, Intervals],
    kind: str,
    users: tuple[int, ...],
    spent: float,
    warnings: tuple[str, ...] = (),
) -> VectorEstimate:
    """A vector with an interval for each coordinate, and the simultaneous ones."""
    assert settings.ball is not None
    return VectorEstimate(
        value=tuple(value),
        intervals=intervals[0],
        simultaneous=intervals[1],
        standard_error=tuple(errors),
        confidence=settings.confidence,
        interval_kind=kind,
        users_per_round=users,
        privacy=Privacy(epsilon=spent, protects="its whole collection", users=settings.users, rounds=len(users)),
        method=method,
        reason="asked for",
        low=settings.ranges[0],
        high=settings.ranges[1],
        names=settings.names or tuple(f"x{index + 1}" for index in range(settings.dimension)),
        note=NOTES[settings.ball],
        warnings=warnings,
    )


def turned(
    settings: VectorMean,
    method: str,
    rotated: Floats,
    variances: tuple[float, float, float],
    kind: str,
    users: tuple[int, ...],
    spent: float,
    warnings: tuple[str, ...] = (),
) -> VectorEstimate:
    """Back from the rotation: entries of R are ±1/√D, so every coordinate has the average variance of all groups."""
    value = np.array(settings.middle) + turned_back(settings, rotated)
    parts = [np.full(settings.dimension, part) for part in variances]
    return normal(settings, method, value, parts, kind, users, spent, warnings)


def turned_back(settings: VectorMean, rotated: Floats) -> Floats:
    """R⁻¹ = Rᵀ (ERRATA 2): W·H·rotated/√D, the padding dropped."""
    signs = rotation_signs(settings.public_seed, settings.groups)
    return np.asarray((signs * walsh_hadamard(rotated) / math.sqrt(settings.groups))[: settings.dimension])


def normal(
    settings: VectorMean,
    method: str,
    value: Floats,
    variances: Sequence[Floats],
    kind: str,
    users: tuple[int, ...],
    spent: float,
    warnings: tuple[str, ...] = (),
) -> VectorEstimate:
    """Intervals by the normal law, from the variance of every coordinate by cause."""
    causes = zip(*(np.sqrt(part).tolist() for part in variances), strict=True)
    errors = [StandardError(sampling=one, privacy=two, localisation=three) for one, two, three in causes]
    ends = list(zip(value.tolist(), *settings.ranges, strict=True))
    each, joint = (
        tuple(
            within((at - reach, at + reach), low, high)
            for (at, low, high), reach in zip(ends, [two_sided(level) * error.total for error in errors], strict=True)
        )
        for level in levels(settings)
    )
    return answered(settings, method, value.tolist(), errors, (each, joint), kind, users, spent, warnings)


def levels(settings: VectorMean) -> tuple[float, float]:
    """The confidence of each interval, and of each of the simultaneous ones (Bonferroni)."""
    return settings.confidence, 1 - (1 - settings.confidence) / settings.dimension
