"""The answer about a vector, with its intervals: what all methods publish it through."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from sottovoce.answers import Colluders, StandardError, VectorEstimate, two_sided, within
from sottovoce.messages import Fact, rotation_signs, walsh_hadamard
from sottovoce.methods import Floats
from sottovoce.problems.fields import column_names
from sottovoce.problems.method import Method
from sottovoce.problems.vector.settings import VectorMean
from sottovoce.risk import Poisoning

Intervals = tuple[tuple[float, float], ...]


def vector_answer(
    method: Method[VectorMean],
    settings: VectorMean,
    users: tuple[int, ...],
    intervals: tuple[Intervals, ...],
    poisoning: Poisoning | None = None,
    **facts: Any,
) -> VectorEstimate:
    """A vector with an interval for each coordinate and the simultaneous ones; `facts` are the other fields.

    `poisoning` is what colluders can do to a coordinate of this very answer.
    """
    return VectorEstimate(
        intervals=intervals[0],
        simultaneous=intervals[1],
        low=settings.ranges[0],
        high=settings.ranges[1],
        names=column_names(settings.names, settings.dimension),
        outside_set=Fact("vectors-outside", ball=settings.ball),
        colluders=None if poisoning is None else colluders(settings, intervals[0], poisoning),
        **method.survey_facts(settings, users),
        **facts,
    )


def colluders(settings: VectorMean, intervals: Intervals, poisoning: Poisoning) -> Colluders:
    """What they can do to a coordinate, which never leaves its range, not even when the votes are captured."""
    halfwidth = sum(high - low for low, high in intervals) / (2 * len(intervals))
    return poisoning.colluders(halfwidth, settings.widest)


def normal_answer(
    method: Method[VectorMean],
    settings: VectorMean,
    users: tuple[int, ...],
    value: Floats,
    variances: Sequence[Floats | float],
    **facts: Any,
) -> VectorEstimate:
    """Intervals by the normal law, from the variances by cause, of every coordinate or of each alike."""
    causes = zip(*(np.sqrt(np.broadcast_to(part, value.shape)).tolist() for part in variances), strict=True)
    errors = [StandardError(sampling=one, privacy=two, localisation=three) for one, two, three in causes]
    intervals = tuple(
        tuple(
            within((at - z * error.total, at + z * error.total), low, high)
            for at, error, low, high in zip(value.tolist(), errors, *settings.ranges, strict=True)
        )
        for z in map(two_sided, settings.confidences(settings.dimension))
    )
    facts |= {"value": tuple(value.tolist()), "standard_error": tuple(errors)}
    return vector_answer(method, settings, users, intervals, **facts)


def rotated_back(settings: VectorMean, rotated: Floats) -> Floats:
    """The vector of which these are the rotated coordinates: R⁻¹ = Rᵀ (ERRATA 2), the padding dropped.

    Entries of R are ±1/√D, so that every coordinate has the average variance of all groups.
    """
    signs = rotation_signs(settings.public_seed, settings.groups)
    turned = (signs * walsh_hadamard(rotated) / math.sqrt(settings.groups))[: settings.dimension]
    return np.asarray(np.array(settings.middle) + turned)
