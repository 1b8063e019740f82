"""The answer about a sparse mean: intervals for what was selected, a claim about the rest, notes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from sottovoce.answers import (
    GUARDED,
    Assumes,
    Chosen,
    ChosenBy,
    Colluders,
    Note,
    NoteCode,
    Privacy,
    StandardError,
    two_sided,
    within,
)
from sottovoce.messages import Fact
from sottovoce.methods import COLLUDING, FoundMean, Means
from sottovoce.problems.sparse.estimate import SparseEstimate
from sottovoce.problems.sparse.settings import SparseMean
from sottovoce.risk import Poisoning

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
    chosen: Chosen,
) -> SparseEstimate:
    """The selected coordinates as refined, the others zero.

    `lowest` is the smallest score of a selected one, `noise` the deviation of the score of a coordinate of zero.
    """
    reach = min(2 * threshold, settings.farthest)
    outside = [within((-reach, reach), settings.low, settings.high)] * settings.dimension
    notes = []
    if lowest < noise * math.sqrt(2 * math.log(max(2, settings.dimension))):
        notes.append(Note(NoteCode.SELECTED_BY_CHANCE))
    if threshold >= settings.farthest:
        notes.append(Note(NoteCode.NOTHING_CAN_BE_FOUND, by="votes"))
    return _answered(
        settings,
        support,
        means,
        range(len(support)),
        users,
        (outside, outside),
        Fact("left-out-by-votes", within=reach),
        method,
        chosen,
        tuple(notes),
    )


def thresholded(settings: SparseMean, means: Means, *, smallest: float, method: str, chosen: Chosen) -> SparseEstimate:
    """The `sparsity` largest coordinates that exceed `smallest` in size, the others zero (L631)."""
    size = np.abs(means.value)
    order = np.argsort(-size, kind="stable")[: settings.at_most]
    support = tuple(int(index) for index in order if size[index] > smallest)
    outside, everywhere = (
        [  # what was measured before it was set to zero, and zero itself
            within((min(0.0, value - one), max(0.0, value + one)), settings.low, settings.high)
            for value, one in zip(means.value.tolist(), (two_sided(level) * means.deviation).tolist(), strict=True)
        ]
        for level in _levels(settings)
    )
    hopeless = smallest >= settings.farthest
    return _answered(
        settings,
        support,
        means,
        support,
        means.answered,
        (outside, everywhere),
        Fact("left-out-below-threshold", threshold=smallest),
        method,
        chosen,
        (Note(NoteCode.NOTHING_CAN_BE_FOUND, by="threshold"),) if hopeless else (),
    )


def refined(
    settings: SparseMean,
    support: tuple[int, ...],
    found: Sequence[FoundMean],
    *,
    users: tuple[int, ...],
    unseen: float | None,
    capture: float,
    notes: tuple[Note, ...],
    method: str,
) -> SparseEstimate:
    """The selected coordinates with guarded and model intervals; the others may lie anywhere.

    `unseen`: from which size a coordinate that was left out would have had more votes, if users are alike. That is more
    than a model interval assumes, so it is told apart. `capture` is the share of colluders who decide the
    votes.
    """
    whole = settings.low, settings.high
    value = [0.0] * settings.dimension
    errors = [StandardError(sampling=0.0, privacy=0.0)] * settings.dimension
    each, everywhere = ([whole] * settings.dimension for _ in range(2))
    model = [[whole] * settings.dimension for _ in range(2)]
    for index, one in zip(support, found, strict=True):
        value[index] = one.value
        errors[index] = StandardError(
            sampling=math.sqrt(one.sampling), privacy=math.sqrt(one.privacy), clipping=one.clipping
        )
        each[index], everywhere[index] = one.interval, one.jointly
        levels = settings.confidence, 1 - (1 - settings.confidence) / len(support)
        for ends, guarded, level in zip(model, (one.interval, one.jointly), levels, strict=True):
            reach = two_sided(level) * one.deviation
            low, high = within((one.value - reach, one.value + reach), *whole)
            ends[index] = max(low, guarded[0]), min(high, guarded[1])
    return SparseEstimate(
        value=tuple(value),
        intervals=tuple(each),
        simultaneous=tuple(everywhere),
        standard_error=tuple(errors),
        low=(settings.low,) * settings.dimension,
        high=(settings.high,) * settings.dimension,
        names=_names(settings),
        support=support,
        left_out=_left_out(settings, len(support), unseen),
        assumes=Assumes.NOTHING,
        model_intervals=tuple(model[0]),
        model_simultaneous=tuple(model[1]),
        model_assumes=Assumes.ONE_BELL_EACH,
        detection_limit=max((one.hidden for one in found), default=None),
        hidden_shift=max((one.shift for one in found), default=None),
        would_be_seen=unseen,
        colluders=_colluders(settings, found, capture) if found else None,
        confidence=settings.confidence,
        interval_kind=GUARDED,
        users_per_round=users,
        privacy=_privacy(settings, users),
        method=method,
        chosen=Chosen(by=ChosenBy.CALLER),
        notes=notes,
    )


def _colluders(settings: SparseMean, found: Sequence[FoundMean], capture: float) -> Colluders:
    """Of the coordinate that they move most; none leaves its range, not even when the votes are captured."""
    known = tuple((share, max(dict(one.pulls)[share] for one in found)) for share in COLLUDING)
    poisoning = Poisoning(reach=0.0, capture=capture, known=known)
    halfwidth = sum(one.interval[1] - one.interval[0] for one in found) / (2 * len(found))
    most = settings.high - settings.low
    return Colluders(
        share=poisoning.share_for(halfwidth),
        shifts=tuple((share, most if share >= capture else min(most, shift)) for share, shift in known),
    )


def _left_out(settings: SparseMean, selected: int, size: float | None) -> Fact:
    """What zero means where a coordinate was not selected."""
    if selected == settings.dimension:
        return Fact("left-out-nothing")
    return Fact("left-out-unseen", size=size, of_hundred=100 * settings.confidence)


def _names(settings: SparseMean) -> tuple[str, ...]:
    return settings.names or tuple(f"x{index + 1}" for index in range(settings.dimension))


def _privacy(settings: SparseMean, users: tuple[int, ...]) -> Privacy:
    return Privacy(
        epsilon=settings.epsilon,
        protects=Fact("whole-collection-every-coordinate"),
        users=settings.users,
        rounds=len(users),
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
    left_out: Fact,
    method: str,
    chosen: Chosen,
    notes: tuple[Note, ...],
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
        names=_names(settings),
        support=support,
        left_out=left_out,
        confidence=settings.confidence,
        interval_kind=Fact("model-votes-right"),
        users_per_round=users,
        privacy=_privacy(settings, users),
        method=method,
        chosen=chosen,
        notes=notes,
    )
