"""From tallies to a vector with its intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Privacy, Question, StandardError, Tally, VectorEstimate
from sottovoce.protocols import localise, vector_one_round
from sottovoce.protocols import one_round as scalar
from sottovoce.protocols.base import two_sided, within
from sottovoce.protocols.folds import Folds

if TYPE_CHECKING:
    from sottovoce.protocols.vector import VectorMean

Floats = NDArray[np.float64]
Intervals = tuple[tuple[float, float], ...]

NOTES = {
    "linf": "devices clamp what lies outside the declared ranges; how many do is not known to anybody",
    "l2": "devices project what lies outside the declared ball onto it; how many do is not known to anybody",
}


def one_round(mean: VectorMean, asked: Question, tally: Tally, reason: str) -> VectorEstimate:
    """Decode the single question."""
    if mean.ball == "linf":
        each, joint = (
            [scalar.decode(asked, tally, level, group) for group in range(asked.groups)] for level in levels(mean)
        )
        return _answer(
            mean,
            value=[found[0] for found in each],
            errors=[found[3] for found in each],
            intervals=(tuple(found[1] for found in each), tuple(found[1] for found in joint)),
            kind=each[0][2],
            tallies=(tally,),
            method="one-round",
            reason=reason,
        )
    means, sampling, privacy = vector_one_round.positions(asked, tally)
    return _turned(
        mean,
        means,
        (sampling, privacy, 0.0),
        kind="normal approximation, no assumption on the users",
        tallies=(tally,),
        method="one-round",
        reason=reason,
    )


def localised(
    mean: VectorMean, folds: Folds, asked: Question, tallies: tuple[Tally, ...], method: str, reason: str
) -> VectorEstimate:
    """Decode the refinements, and judge the votes."""
    means = localise.refined(asked, tallies[-1])
    misplaced = folds.misplaced(tallies[0]) if folds.localising else np.zeros(asked.groups)
    warnings: tuple[str, ...] = ()
    strength = mean.users * folds.share.uses / asked.groups * min(folds.share.each, folds.share.each**2)
    if folds.localising and (strength < 100 or np.any(misplaced > 0.04 * folds.half)):
        warnings = (
            "the votes may have chosen the wrong place for some coordinates: more users, fewer coordinates or a larger "
            'epsilon would settle it, method="one-round" does without',
        )
    kind = "model: users alike, so that their averages lie near one another"
    if mean.ball == "l2":
        return _turned(
            mean,
            means.mean,
            # Answers of one user for several groups go together, and the rotation may undo itself: uses × at most.
            (
                folds.share.uses * float(means.sampling.mean()),
                float(means.privacy.mean()),
                float((misplaced**2).mean()),
            ),
            kind=kind,
            tallies=tallies,
            method=method,
            reason=reason,
            warnings=warnings,
        )
    errors = _errors(means.sampling, means.privacy, misplaced**2)
    return _answer(
        mean,
        value=means.mean.tolist(),
        errors=errors,
        intervals=_normal(mean, means.mean, errors),
        kind=kind,
        tallies=tallies,
        method=method,
        reason=reason,
        warnings=warnings,
    )


def _turned(
    mean: VectorMean,
    rotated: Floats,
    variances: tuple[float, float, float],
    *,
    kind: str,
    tallies: tuple[Tally, ...],
    method: str,
    reason: str,
    warnings: tuple[str, ...] = (),
) -> VectorEstimate:
    """Back from the rotation: entries of R are ±1/√D, so every coordinate has the average variance of all groups."""
    centre = np.zeros(mean.dimension) if mean.centre is None else np.array(mean.centre)
    value = centre + mean.turned_back(rotated)
    errors = _errors(*(np.full(mean.dimension, part) for part in variances))
    return _answer(
        mean,
        value=value.tolist(),
        errors=errors,
        intervals=_normal(mean, value, errors),
        kind=kind,
        tallies=tallies,
        method=method,
        reason=reason,
        warnings=warnings,
    )


def levels(mean: VectorMean) -> tuple[float, float]:
    """The confidence of each interval, and of each of the simultaneous ones (Bonferroni)."""
    return mean.confidence, 1 - (1 - mean.confidence) / mean.dimension


def _errors(sampling: Floats, privacy: Floats, localisation: Floats) -> list[StandardError]:
    parts = (np.sqrt(part).tolist() for part in (sampling, privacy, localisation))
    return [
        StandardError(sampling=one, privacy=two, localisation=three) for one, two, three in zip(*parts, strict=True)
    ]


def _normal(mean: VectorMean, value: Floats, errors: Sequence[StandardError]) -> tuple[Intervals, Intervals]:
    reaches = [[two_sided(level) * error.total for error in errors] for level in levels(mean)]
    ends = list(zip(value.tolist(), *mean.ranges, strict=True))
    each, joint = (
        tuple(within((at - reach, at + reach), low, high) for (at, low, high), reach in zip(ends, row, strict=True))
        for row in reaches
    )
    return each, joint


def _answer(
    mean: VectorMean,
    *,
    value: list[float],
    errors: list[StandardError],
    intervals: tuple[Intervals, Intervals],
    kind: str,
    tallies: tuple[Tally, ...],
    method: str,
    reason: str,
    warnings: tuple[str, ...] = (),
) -> VectorEstimate:
    share = mean.share(method)
    return VectorEstimate(
        value=tuple(value),
        intervals=intervals[0],
        simultaneous=intervals[1],
        standard_error=tuple(errors),
        confidence=mean.confidence,
        interval_kind=kind,
        users_per_round=tuple(sum(tally.reports) // share.uses for tally in tallies),
        privacy=Privacy(epsilon=share.spent, protects="its whole collection", users=mean.users, rounds=len(tallies)),
        method=method,
        reason=reason,
        low=mean.ranges[0],
        high=mean.ranges[1],
        names=mean.names or tuple(f"x{index + 1}" for index in range(mean.dimension)),
        note=NOTES[mean.ball],
        warnings=warnings,
    )
