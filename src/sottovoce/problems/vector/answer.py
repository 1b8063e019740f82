"""The answer about a vector, with its intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sottovoce.answers import (
    WHOLE_COLLECTION,
    Assumes,
    Chosen,
    ChosenBy,
    Colluders,
    Note,
    Privacy,
    StandardError,
    VectorEstimate,
    two_sided,
    within,
)
from sottovoce.messages import Fact, rotation_signs, walsh_hadamard
from sottovoce.methods import COLLUDING, Floats
from sottovoce.problems.vector.settings import VectorMean
from sottovoce.risk import Poisoning

Intervals = tuple[tuple[float, float], ...]


def answered(
    settings: VectorMean,
    method: str,
    value: list[float],
    errors: list[StandardError],
    intervals: tuple[Intervals, Intervals],
    kind: Fact,
    users: tuple[int, ...],
    spent: float,
    notes: tuple[Note, ...] = (),
    *,
    assumes: Assumes | None = None,
    model: tuple[Intervals, ...] | None = None,
    model_assumes: Assumes | None = None,
    detection_limit: float | None = None,
    hidden_shift: float | None = None,
    poisoning: Poisoning | None = None,
) -> VectorEstimate:
    """A vector with an interval for each coordinate, and the simultaneous ones; `model` is a pair of the same.

    `poisoning` is what colluders can do to a coordinate of this very answer.
    """
    assert settings.ball is not None
    each, jointly = model or ((), ())
    return VectorEstimate(
        value=tuple(value),
        intervals=intervals[0],
        simultaneous=intervals[1],
        standard_error=tuple(errors),
        confidence=settings.confidence,
        interval_kind=kind,
        users_per_round=users,
        privacy=Privacy(epsilon=spent, protects=WHOLE_COLLECTION, users=settings.users, rounds=len(users)),
        method=method,
        chosen=Chosen(by=ChosenBy.CALLER),
        low=settings.ranges[0],
        high=settings.ranges[1],
        names=settings.names or tuple(f"x{index + 1}" for index in range(settings.dimension)),
        outside_set=Fact("vectors-outside", ball=settings.ball),
        notes=notes,
        assumes=assumes,
        model_intervals=each,
        model_simultaneous=jointly,
        model_assumes=model_assumes,
        detection_limit=detection_limit,
        hidden_shift=hidden_shift,
        colluders=None if poisoning is None else _colluders(settings, intervals[0], poisoning),
    )


def _colluders(settings: VectorMean, intervals: Intervals, poisoning: Poisoning) -> Colluders:
    """A coordinate never leaves its range, not even when the votes are captured."""
    halfwidth = sum(high - low for low, high in intervals) / (2 * len(intervals))
    return Colluders(
        share=poisoning.share_for(halfwidth),
        shifts=tuple((share, min(settings.widest, poisoning.shift(share))) for share in COLLUDING),
    )


def around(settings: VectorMean, centre: Floats, reach: Floats, value: Floats) -> Intervals:
    """Intervals of this reach around an unbiased centre, cut to the ranges and never without the value itself."""
    rows = zip(centre.tolist(), reach.tolist(), value.tolist(), *settings.ranges, strict=True)
    cut = ((within((at - far, at + far), low, high), own) for at, far, own, low, high in rows)
    return tuple((min(ends[0], own), max(ends[1], own)) for ends, own in cut)


def turned(
    settings: VectorMean,
    method: str,
    rotated: Floats,
    variances: tuple[float, float, float],
    kind: Fact,
    users: tuple[int, ...],
    spent: float,
    notes: tuple[Note, ...] = (),
) -> VectorEstimate:
    """Back from the rotation: entries of R are ±1/√D, so every coordinate has the average variance of all groups."""
    value = np.array(settings.middle) + turned_back(settings, rotated)
    parts = [np.full(settings.dimension, part) for part in variances]
    return normal(settings, method, value, parts, kind, users, spent, notes)


def turned_back(settings: VectorMean, rotated: Floats) -> Floats:
    """R⁻¹ = Rᵀ (ERRATA 2): W·H·rotated/√D, the padding dropped."""
    signs = rotation_signs(settings.public_seed, settings.groups)
    return np.asarray((signs * walsh_hadamard(rotated) / math.sqrt(settings.groups))[: settings.dimension])


def normal(
    settings: VectorMean,
    method: str,
    value: Floats,
    variances: Sequence[Floats],
    kind: Fact,
    users: tuple[int, ...],
    spent: float,
    notes: tuple[Note, ...] = (),
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
    return answered(settings, method, value.tolist(), errors, (each, joint), kind, users, spent, notes)


def levels(settings: VectorMean) -> tuple[float, float]:
    """The confidence of each interval, and of each of the simultaneous ones (Bonferroni)."""
    return settings.confidence, 1 - (1 - settings.confidence) / settings.dimension


def guaranteed(settings: VectorMean, found: VectorEstimate, poisoning: Poisoning) -> VectorEstimate:
    """An answer on a ball whose intervals rely on nothing; the value is the nearest one inside the ball.

    The intervals stay around the unbiased value. One that does not hold the published value is widened to it.
    """
    middle = np.array(settings.middle)
    away = np.array(found.value) - middle
    value = (middle + away / max(1.0, float(np.linalg.norm(away)) / settings.reach)).tolist()
    each, jointly = (
        tuple((min(low, at), max(high, at)) for (low, high), at in zip(ends, value, strict=True))
        for ends in (found.intervals, found.simultaneous)
    )
    return replace(
        found,
        value=tuple(value),
        intervals=each,
        simultaneous=jointly,
        assumes=Assumes.NOTHING,
        colluders=_colluders(settings, each, poisoning),
    )
