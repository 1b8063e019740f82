"""Quantiles as an answer, with the distribution function that they were read from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

from sottovoce.answers import (
    ENDS,
    Answer,
    Assumes,
    Falls,
    Line,
    Looks,
    Note,
    NoteCode,
    Stated,
    check_lengths,
    fixed,
    fixed_ends,
    line,
    table,
    touches,
)
from sottovoce.messages import Fact, InvalidInput, decimals, half, needed
from sottovoce.pictures import Mark, Marks
from sottovoce.problems.quantiles.curve import Curve, Interval

_SHOWN = 9
_TOLD = 3


def level_name(q: float) -> Fact:
    """``median``, ``90%``."""
    return Fact("level", q=q, median=q == 0.5)


@dataclass(frozen=True, kw_only=True, repr=False)
class QuantilesEstimate(Answer):
    """Where the distribution function reaches each of `q`.

    The distribution function is the average over users of the share of their own observations up to a place. Each of
    `intervals` holds its own quantile with probability `confidence`, whatever the users are; `model_intervals` hold
    under `model_assumes` only. `curve` is the distribution function itself, in a band that holds all of it at once.
    """

    kind: ClassVar[str] = "quantiles"

    q: tuple[float, ...]
    value: tuple[float, ...]
    intervals: tuple[Interval, ...]
    curve: Curve
    model_intervals: tuple[Interval, ...] | None = None

    def __post_init__(self) -> None:
        parts = [self.value, self.intervals, *([] if self.model_intervals is None else [self.model_intervals])]
        check_lengths("quantiles", "levels", len(self.q), *parts)

    def __len__(self) -> int:
        return len(self.q)

    def __getitem__(self, q: float) -> float:
        """The quantile at one of the levels that were asked for: ``answer[0.5]``."""
        if q not in self.q:
            levels = ", ".join(f"{level:g}" for level in self.q[:_SHOWN]) + (", …" if len(self) > _SHOWN else "")
            raise InvalidInput(
                rule=f"the answer has the levels {levels}",
                wrong=f"got {q!r}:",
                fix="ask for it with q=, or see answer.curve",
            )
        return self.value[self.q.index(q)]

    @property
    def median(self) -> float | None:
        """The median, where it was asked for."""
        return self[0.5] if 0.5 in self.q else None

    def _named(self) -> Fact:
        levels = zip(self.q[:_SHOWN], self.value, strict=False)
        shown = tuple(Fact("level-and-value", level=level_name(q), value=value) for q, value in levels)
        return Fact("quantiles", values=shown, more=len(self) > _SHOWN, method=self.method)

    def __str__(self) -> str:
        return str(self._named())

    def words(self, *, of: str = "") -> Fact:
        first = zip(self.q[:_TOLD], self.value, self.intervals, strict=False)
        parts = tuple(
            Fact("so-many-at-most", q=q, half=q == 0.5, value=value, interval=ends) for q, value, ends in first
        )
        return Fact(
            "quantiles-answer",
            of=of,
            parts=parts,
            more=max(0, len(self) - _TOLD),
            unless=self.unless(each=True),
            range_misses=self.range_misses,
        )

    def _of_truth(self) -> tuple[Fact, ...]:
        return (Fact("truth-of-clamped"),) if self.range_misses else ()

    def headline(self) -> list[Line]:
        kinds = [(Fact("column-kind", kind=self.interval_kind), self.intervals)]
        if self.model_intervals is not None:
            kinds.append((Fact("column-model"), self.model_intervals))
        truth = [] if self.truth is None else [self.truth]
        shown = [*self.value, *(end for _, own in kinds for ends in own for end in ends), *(self.truth or ())]
        digits = needed(decimals(max(map(half, kinds[-1][1]))), *shown)
        rows = [
            [
                level_name(q),
                fixed(value, digits),
                *(fixed_ends(of[place], digits) for _, of in kinds),
                *(fixed(true[place], digits) for true in truth),
            ]
            for place, (q, value) in enumerate(zip(self.q[:_SHOWN], self.value, strict=False))
        ]
        header = ["", Fact("column-value"), *(name for name, _ in kinds), *[Fact("column-truth")] * len(truth)]
        left = len(self) - _SHOWN
        return [
            table("quantiles", header, rows),
            *([("", Fact("and-more", count=left))] if left > 0 else []),
            line("intervals", Fact("intervals-each", confidence=self.confidence, kind=self.interval_kind)),
        ]

    def model(self) -> Fact | None:
        return None if self.model_intervals is None else self.assumed(self.model_assumes, "model_assumes")

    def per_percent_empty(self) -> Fact:
        return Fact("empty-moves-quantiles")

    def range_notes(self, declared: tuple[float, float], looks: Looks) -> list[Note]:
        notes = []
        for place, end in enumerate(ENDS if self.curve.step is None else ()):
            own = zip(self.q, self.intervals, strict=True)
            levels = tuple(level_name(q) for q, interval in own if touches(interval, declared, place))
            if levels:
                at = declared[place]
                notes.append(Note(NoteCode.QUANTILES_TOUCH_END, end=end, at=at, levels=levels, count=len(levels)))
        return notes

    def allowing_for_empty(self, falls: Falls, at_most: float) -> Self:
        levels = zip(self.q, self.intervals, strict=True)
        return replace(
            self,
            assumes=Assumes.FEW_WITHOUT_DATA,
            empty_at_most=at_most,
            curve=self.curve.allowing_for_empty(at_most),
            intervals=tuple(self.curve.quantile_with_empty(q, own, at_most) for q, own in levels),
            model_intervals=None,
        )

    def stated(self) -> tuple[Stated, ...]:
        names = [level_name(q) for q in self.q]
        ends = {"low": self.curve.low, "high": self.curve.high}
        kinds = ((self.intervals, False), (self.model_intervals, True))
        return (
            *(
                Stated(what="quantile", names=names, values=self.value, intervals=own, model=model, **ends)
                for own, model in kinds
                if own is not None
            ),
            self.curve.stated(),
        )

    def drawing(self, *, truth: tuple[float, ...] | None = None) -> Marks:
        models = self.model_intervals or (None,) * len(self)
        rows = zip(self.q, self.value, self.intervals, models, self._truths(truth, len(self), "levels"), strict=True)
        return Marks(
            marks=tuple(
                Mark(
                    name=level_name(q),
                    value=value,
                    interval=ends,
                    model=model,
                    truth=true,
                    ends=(self.curve.low, self.curve.high),
                    place=q,
                )
                for q, value, ends, model, true in rows
            ),
            curve=(curve := self.curve.drawing()),
            up=curve.up,
            title=self._title(self._named()),
        )
