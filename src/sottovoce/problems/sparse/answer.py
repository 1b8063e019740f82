"""The answer about a sparse mean: intervals for what was selected, a claim about the rest, warnings."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from sottovoce.answers import Privacy, SparseEstimate, StandardError, two_sided, within
from sottovoce.problems.sparse.settings import SparseMean
from sottovoce.schemes import Means

Interval = tuple[float, float]


def selected(
    settings: SparseMean,
    support: tuple[int, ...],
    means: Means | None,
    *,
    users: tuple[int, ...],
    lowest: float,
    noise: float,
    threshold: float,
    method: str,
    reason: str,
) -> SparseEstimate:
    """The selected coordinates as refined, the others zero.

    `lowest` is the smallest score of a selected one, `noise` the deviation of the score of a coordinate of zero.
    """
    reach = min(2 * threshold, settings.farthest)
    outside = [within((-reach, reach), settings.low, settings.high)] * settings.dimension
    warnings = []
    if lowest < noise * math.sqrt(2 * math.log(max(2, settings.dimension))):
        warnings.append(
            "some selected coordinates have no more votes than chance gives to one of zero: more users, more "
            "observations, a larger epsilon or a smaller sparsity would settle it"
        )
    if threshold >= settings.farthest:
        warnings.append("too few observations: no average can be far enough from zero to get a vote")
    return _answered(
        settings,
        support,
        means,
        range(len(support)),
        users,
        (outside, outside),
        f"not selected: zero, by the votes within {reach:.3g} of it (L2498, where votes are right)",
        method,
        reason,
        tuple(warnings),
    )


def thresholded(settings: SparseMean, means: Means, *, smallest: float, method: str, reason: str) -> SparseEstimate:
    """The `sparsity` largest coordinates that exceed `smallest` in size, the others zero (L631)."""
    size = np.abs(means.value)
    order = np.argsort(-size, kind="stable")[: settings.sparsity]
    support = tuple(int(index) for index in order if size[index] > smallest)
    outside, everywhere = (
        [  # what was measured before it was set to zero, and zero itself
            within((min(0.0, value - one), max(0.0, value + one)), settings.low, settings.high)
            for value, one in zip(means.value.tolist(), (two_sided(level) * means.deviation).tolist(), strict=True)
        ]
        for level in _levels(settings)
    )
    warnings: tuple[str, ...] = ()
    if smallest >= settings.farthest:
        warnings = ("too few users or observations: no coordinate can exceed the threshold",)
    return _answered(
        settings,
        support,
        means,
        support,
        means.answered,
        (outside, everywhere),
        f"not selected: zero; its own estimate was at most {smallest:.3g} in size, or among the smaller ones",
        method,
        reason,
        warnings,
    )


def _levels(settings: SparseMean) -> tuple[float, float]:
    """Of each interval, and by Bonferroni over all coordinates: the support was chosen from the same data."""
    return settings.confidence, 1 - (1 - settings.confidence) / settings.dimension


def _answered(
    settings: SparseMean,
    support: tuple[int, ...],
    means: Means | None,
    places: Sequence[int],
    users: tuple[int, ...],
    outside: tuple[list[Interval], list[Interval]],
    left_out: str,
    method: str,
    reason: str,
    warnings: tuple[str, ...],
) -> SparseEstimate:
    """`places` says where in `means` each coordinate of the support is."""
    value = [0.0] * settings.dimension
    intervals, everywhere = map(list, outside)
    errors = [StandardError(sampling=0.0, privacy=0.0)] * settings.dimension
    single, jointly = map(two_sided, _levels(settings))
    for index, place in zip(support, places, strict=True):
        assert means is not None
        parts = [float(part[place]) for part in (means.sampling, means.privacy, means.localisation)]
        value[index] = float(means.value[place])
        error = StandardError(
            sampling=math.sqrt(parts[0]), privacy=math.sqrt(parts[1]), localisation=math.sqrt(parts[2])
        )
        errors[index] = error
        for pairs, z in ((intervals, single), (everywhere, jointly)):
            ends = value[index] - z * error.total, value[index] + z * error.total
            pairs[index] = within(ends, settings.low, settings.high)
    return SparseEstimate(
        value=tuple(value),
        intervals=tuple(intervals),
        simultaneous=tuple(everywhere),
        standard_error=tuple(errors),
        low=(settings.low,) * settings.dimension,
        high=(settings.high,) * settings.dimension,
        names=settings.names or tuple(f"x{index + 1}" for index in range(settings.dimension)),
        support=support,
        left_out=left_out,
        confidence=settings.confidence,
        interval_kind="model: users alike, and the votes right",
        users_per_round=users,
        privacy=Privacy(
            epsilon=settings.epsilon,
            protects="its whole collection, every coordinate",
            users=settings.users,
            rounds=len(users),
        ),
        method=method,
        reason=reason,
        warnings=warnings,
    )
