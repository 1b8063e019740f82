"""A histogram as an answer: shares that add up to one, each with its intervals, and an order of the largest."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from sottovoce.answers import (
    ENDS,
    UNIT,
    Answer,
    Assumes,
    Falls,
    Line,
    Looks,
    Note,
    NoteCode,
    StandardError,
    StatedNumbers,
    VectorEstimate,
    causes,
    check_lengths,
    fixed,
    fixed_ends,
    intervals_allowing_for_empty,
    line,
    table,
)
from sottovoce.messages import Fact, Interval, InvalidInput, decimals
from sottovoce.methods import to_simplex
from sottovoce.pictures import Mark, Marks

_SHOWN = 8
_TOLD = 3
_NEARLY_ALL = 0.9
"""The share of the observations in a bin at an end from which the range is suspected."""
_LABEL = 24


@dataclass(frozen=True, kw_only=True)
class Ranked:
    """A category with its share, and the ranks that it may have: from `best` to `worst`, counted from 1.

    Ranks and interval hold for all categories at once, at the confidence of the answer. `apart`: whether its share is
    surely above that of every category listed after it.
    """

    label: str
    share: float
    interval: Interval
    best: int
    worst: int
    apart: bool

    @property
    def rank(self) -> str:
        """``2`` or ``2–5``."""
        return str(self.best) if self.best == self.worst else f"{self.best}–{self.worst}"


@dataclass(frozen=True, kw_only=True, repr=False)
class HistogramEstimate(Answer):
    """The average over users of their own shares, category by category.

    `value` adds up to one and is nowhere negative: it is `raw`, the unbiased estimate, moved to the nearest such point.
    Each of `intervals` holds its own share with probability `confidence`; the `simultaneous` ones hold all shares at
    once. They are the headline; `model_intervals` and `model_simultaneous` hold under `model_assumes` only. `edges` are
    those of bins, None for categories with labels.
    """

    kind: ClassVar[str] = "histogram"
    beside: ClassVar[tuple[str, ...]] = (*Answer.beside, "top")

    value: tuple[float, ...]
    raw: tuple[float, ...]
    labels: tuple[str, ...]
    intervals: tuple[Interval, ...]
    simultaneous: tuple[Interval, ...]
    standard_error: tuple[StandardError, ...]
    edges: tuple[float, ...] | None = None
    model_intervals: tuple[Interval, ...] | None = None
    model_simultaneous: tuple[Interval, ...] | None = None

    def __post_init__(self) -> None:
        parts = [self.raw, self.labels, self.intervals, self.simultaneous, self.standard_error]
        parts += [part for part in (self.model_intervals, self.model_simultaneous) if part is not None]
        check_lengths("a histogram", "categories", len(self.value), *parts)
        if self.edges is not None and len(self.edges) != len(self.value) + 1:
            raise InvalidInput(
                rule=f"{len(self.value)} bins have {len(self.value) + 1} edges", wrong=f"got {len(self.edges)}"
            )

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, label: str) -> float:
        """The share of a category, by its label."""
        try:
            return self.value[self.labels.index(label)]
        except ValueError:
            raise KeyError(label) from None

    @property
    def order(self) -> tuple[int, ...]:
        """Categories by share, the largest first; equal ones as they were declared."""
        return tuple(sorted(range(len(self)), key=lambda place: (-self.value[place], -self.raw[place])))

    @property
    def halfwidth(self) -> float:
        """Half the width of an interval, on average."""
        return float(np.mean([high - low for low, high in self.intervals])) / 2

    @property
    def squared_error(self) -> float:
        """The expected squared Euclidean error of the raw shares, if nobody is hidden."""
        return sum(error.total**2 for error in self.standard_error)

    def top(self, count: int = 10) -> tuple[Ranked, ...]:
        """The largest shares, and which of their places are certain, for all categories at once.

        A category is surely above another where their simultaneous intervals do not touch.
        """
        if count < 1:
            raise InvalidInput(rule="count must be at least 1", wrong=f"got {count}")
        ends = np.array(self.simultaneous)
        lows, highs = np.sort(ends[:, 0]), np.sort(ends[:, 1])
        order = list(self.order)
        later = np.maximum.accumulate(np.array([*ends[order, 1], -np.inf])[::-1])[::-1][1:]
        ranked = []
        for place, index in enumerate(order[:count]):
            low, high = self.simultaneous[index]
            above = len(self) - int(np.searchsorted(lows, high, side="right"))
            below = int(np.searchsorted(highs, low, side="left"))
            ranked.append(
                Ranked(
                    label=self.labels[index],
                    share=self.value[index],
                    interval=(low, high),
                    best=above + 1,
                    worst=len(self) - below,
                    apart=bool(low > later[place]),
                )
            )
        return tuple(ranked)

    def per_percent_empty(self) -> Fact:
        return Fact("empty-moves-share")

    def empty_counts_for(self, *, random: bool) -> Fact:
        labels = self.labels
        return Fact("count-for-all") if random else Fact("count-for-middle-one", label=labels[len(labels) // 2])

    def range_notes(self, declared: tuple[float, float], looks: Looks) -> list[Note]:
        if self.edges is None:
            return []
        return [
            Note(
                NoteCode.RANGE_MAY_MISS_OBSERVATIONS,
                end=end,
                bin=self.labels[place],
                share=self.value[place],
                least=self.intervals[place][0],
            )
            for place, end in zip((0, -1), ENDS, strict=True)
            if self.intervals[place][0] >= _NEARLY_ALL
        ]

    def allowing_for_empty(self, falls: Falls, at_most: float) -> Self:
        known = intervals_allowing_for_empty(self, falls, at_most, [UNIT] * len(self))
        return replace(self, assumes=Assumes.FEW_WITHOUT_DATA, empty_at_most=at_most, **known)

    def stated_numbers(self) -> tuple[StatedNumbers, ...]:
        kinds = ((self.intervals, False), (self.model_intervals, True))
        return tuple(
            StatedNumbers(
                what="share", names=self.labels, values=self.value, intervals=ends, low=0.0, high=1.0, model=model
            )
            for ends, model in kinds
            if ends is not None
        )

    def details(self) -> dict[str, Any]:
        """The largest shares in order."""
        rows = self.top(min(10, len(self)))
        return {"top": [{"label": one.label, "share": one.share, "rank": [one.best, one.worst]} for one in rows]}

    def __str__(self) -> str:
        shown = tuple(Fact("label-and-share", label=one.label, share=one.share) for one in self.top(min(4, len(self))))
        return str(Fact("histogram", shares=shown, more=len(self) > 4, all=len(self), method=self.method))

    def words(self, *, of: str = "") -> Fact:
        first, *rest = (
            Fact("share-with-ends", label=self.labels[at], share=self.value[at], interval=self.intervals[at])
            for at in self.order[:_TOLD]
        )
        more = (Fact("so-many-more", count=len(self) - _TOLD),) if len(self) > _TOLD else ()
        return Fact(
            "histogram-answer", of=of, **first.data, then=(*rest, *more), unless=self.interval_condition(each=True)
        )

    def headline(self) -> list[Line]:
        digits = decimals(self.halfwidth)
        kinds = [self.intervals, *([] if self.model_intervals is None else [self.model_intervals])]
        truth = [] if self.truth is None else [self.truth]
        rows = [
            [
                self.labels[index][:_LABEL],
                fixed(self.value[index], digits),
                *(fixed_ends(ends[index], digits) for ends in kinds),
                *(fixed(true[index], digits) for true in truth),
            ]
            for index in self._shown(_SHOWN)
        ]
        header = ["", Fact("column-share"), Fact("column-kind", kind=self.interval_kind)]
        header += [Fact("column-model")] * (len(kinds) - 1) + [Fact("column-truth")] * len(truth)
        left = len(self) - _SHOWN
        length = Fact("error-in-length", of="shares", error=self.squared_error**0.5, causes=causes(self.standard_error))
        return [
            table("shares", header, rows),
            *([("", Fact("and-more", count=left))] if left > 0 else []),
            line("intervals", Fact("intervals-each", confidence=self.confidence, kind=self.interval_kind)),
            line("error", length),
        ]

    def model(self) -> Fact | None:
        return None if self.model_intervals is None else self.assumed(self.model_assumes, "model_assumes")

    def _shown(self, count: int) -> list[int]:
        """Bins in their order as long as all fit; else the largest shares first."""
        if self.edges is not None and len(self) <= count:
            return list(range(len(self)))
        return list(self.order[:count])

    def drawing(self, *, truth: tuple[float, ...] | None = None) -> Marks:
        truths = self._truths(truth, len(self), "categories")
        marks = (
            Mark(
                name=self.labels[at],
                value=self.value[at],
                interval=self.intervals[at],
                outer=self.simultaneous[at],
                model=None if self.model_intervals is None else self.model_intervals[at],
                truth=truths[at],
                beside=f"{self.value[at]:.3f}",
            )
            for at in (self.order if self.edges is None else range(len(self)))
        )
        return Marks(
            marks=tuple(marks),
            bars=True,
            edges=self.edges,
            up=Fact("picture-axis-share"),
            title=self._title(Fact("picture-title-categories", count=len(self))),
        )


def of_shares(estimate: VectorEstimate, settings: Any) -> HistogramEstimate:
    """Unbiased shares as a histogram: moved to the nearest shares that add up to one, as every method does."""
    value = to_simplex(np.array(estimate.value)).tolist()
    each, joint = (
        tuple((min(low, at), max(high, at)) for (low, high), at in zip(ends, value, strict=True))
        for ends in (estimate.intervals, estimate.simultaneous)
    )
    return HistogramEstimate(
        value=tuple(value),
        raw=estimate.value,
        labels=estimate.names,
        edges=settings.bounds,
        intervals=each,
        simultaneous=joint,
        standard_error=estimate.standard_error,
        confidence=estimate.confidence,
        interval_kind=estimate.interval_kind,
        users_per_round=estimate.users_per_round,
        privacy=estimate.privacy,
        method=estimate.method,
        chosen=estimate.chosen,
        notes=estimate.notes,
    )
