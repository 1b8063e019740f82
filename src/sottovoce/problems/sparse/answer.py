"""The answer about a sparse mean: intervals for what was selected, a claim about the rest, notes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from sottovoce.answers import (
    GUARDED,
    Assumes,
    Chosen,
    ChosenBy,
    Colluders,
    Line,
    Note,
    NoteCode,
    Privacy,
    StandardError,
    Stated,
    VectorEstimate,
    fixed_ends,
    line,
    two_sided,
    within,
)
from sottovoce.messages import Fact, InvalidInput, decimals, half
from sottovoce.methods import COLLUDING, FoundMean, Means
from sottovoce.pictures import Marks
from sottovoce.problems.sparse.settings import SparseMean
from sottovoce.risk import Poisoning

# A vector most of whose coordinates are zero: the few that were selected, and the rest.

_LISTED = 16
_TOLD = 3


@dataclass(frozen=True, kw_only=True, repr=False)
class SparseEstimate(VectorEstimate):
    """A vector that is zero outside `support`, the selected coordinates, counted from 0 and best first.

    `left_out` says what is claimed of the coordinates that were not selected, whose value is zero.

    Where `assumes` is that nothing is assumed, such a coordinate has the whole range for its interval. One of size
    `would_be_seen` or more would have had more votes than any that was left out in 95 % of such surveys, if users are
    alike.
    """

    kind: ClassVar[str] = "sparse"

    support: tuple[int, ...]
    left_out: Fact
    would_be_seen: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if not all(0 <= index < len(self) for index in self.support):
            raise InvalidInput(f"selected coordinates are counted from 0 to {len(self) - 1}")

    @property
    def halfwidth(self) -> float:
        """Of an interval, on average over the selected coordinates; NaN where there are none."""
        widths = [self.intervals[index][1] - self.intervals[index][0] for index in self.support]
        return sum(widths) / (2 * len(widths)) if widths else math.nan

    def __str__(self) -> str:
        shown = tuple(Fact("name-and-value", **self._told(index)) for index in self.support[:8])
        return str(
            Fact(
                "sparse",
                values=shown,
                more=len(self.support) > 8,
                selected=len(self.support),
                all=len(self),
                method=self.method,
            )
        )

    def words(self, *, of: str = "") -> Fact:
        if not self.support:
            return Fact("sparse-nothing", all=len(self))
        first = [Fact("coordinate-with-ends", **self._told(at)) for at in self.support[:_TOLD]]
        if len(self.support) > _TOLD:
            first.append(Fact("so-many-more", count=len(self.support) - _TOLD))
        selected = {"selected": len(self.support), "all": len(self)}
        return Fact("sparse-answer", **selected, parts=tuple(first), unless=self.unless(each=True))

    def _judged(self) -> Sequence[int]:
        return self.support

    def headline(self) -> list[Line]:
        lines: list[Line] = [(self.names[index][:11], self._line(index)) for index in self.support[:_LISTED]]
        if len(self.support) > _LISTED:
            lines.append(("…", Fact("more-selected", count=len(self.support) - _LISTED)))
        chosen = line("selected", Fact("selected", selected=len(self.support), all=len(self)))
        kind = [self._kind()] if self.support else []
        return [chosen, *lines, *kind, line("left-out", self.left_out), *self._noted()]

    def model(self) -> Fact | None:
        if not self.support or not self.model_intervals:
            return None
        return Fact("sparse-model", assumes=self.assumed(self.model_assumes, "model_assumes"))

    def _line(self, index: int) -> Fact:
        kinds = [self.intervals[index], *([self.model_intervals[index]] if self.model_intervals else [])]
        digits = decimals(min(map(half, kinds)))
        ends, *model = (fixed_ends(one, digits) for one in kinds)
        return Fact(
            "selected-line",
            value=self.value[index],
            digits=digits,
            ends=ends,
            model=model[0] if model else None,
            truth=None if self.truth is None else self.truth[index],
        )

    def stated(self) -> tuple[Stated, ...]:
        """Of the selected coordinates: the others have no interval of their own."""
        chosen = np.array(self.support, dtype=int)
        own, *model = super().stated()
        names = [self.names[index] for index in self.support]
        return tuple(
            replace(
                one,
                names=names,
                values=np.asarray(one.values)[chosen],
                intervals=np.asarray(one.intervals)[chosen],
                low=np.asarray(self.low)[chosen],
                high=np.asarray(self.high)[chosen],
            )
            for one in (own, *model)
            if len(chosen)
        )

    def drawing(self, *, truth: tuple[float, ...] | None = None) -> Marks:
        title = Fact("picture-title-selected", count=len(self.support), all=len(self))
        marks = self._marks(self.support, truth)
        return Marks(marks=marks, upright=True, others=self.value, title=self._title(title))


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
