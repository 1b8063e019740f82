"""An answer that is one number with its interval."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from sottovoce.answers.base import Answer, Line, StandardError, causes, line
from sottovoce.answers.interval_statistics import Falls, interval_allowing_for_empty, upper_quantile
from sottovoce.answers.method_choice import Assumes
from sottovoce.answers.notes import ENDS, Looks, Note, NoteCode, StatedNumbers, touches
from sottovoce.messages import Fact, decimals, half_width
from sottovoce.pictures import Mark, Marks

_FINE = 0.02
"""Of the range: what lies no farther from an end is at it."""
_SUSPECT = 0.05
"""The share of the users at an end above which the range is suspected."""
_ALARMS = 0.01
"""The chance that it is suspected although no more than `_SUSPECT` of the users lie at its ends, over all rounds."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Estimate(Answer):
    """A number with its intervals.

    `interval` is the headline: the guarded one, whatever the users are, unless the caller asserted a model.
    `model_interval` holds under `model_assumes` only.
    """

    kind: ClassVar[str] = "number"
    several: ClassVar[bool] = False

    value: float
    interval: tuple[float, float]
    standard_error: StandardError
    low: float
    high: float
    model_interval: tuple[float, float] | None = None

    @property
    def halfwidth(self) -> float:
        return (self.interval[1] - self.interval[0]) / 2

    def __str__(self) -> str:
        return str(Fact("number", **self._numbers(), method=self.method))

    def _numbers(self) -> dict[str, Any]:
        return {"value": self.value, "interval": self.interval, "confidence": self.confidence}

    def words(self, *, of: str = "") -> Fact:
        whole = self.interval == (self.low, self.high)
        unless = None if whole else self.interval_condition()
        if self.range_misses:  # the average of what is left is told as what it is
            return Fact("number-answer-clamped", of=of, **self._numbers(), low=self.low, high=self.high, unless=unless)
        return Fact("number-answer", of=of, **self._numbers(), unless=unless)

    def headline(self) -> list[Line]:
        error = self.standard_error
        return [
            line("estimate", Fact("number-value", **self._numbers())),
            line("interval", Fact("number-interval", **self._numbers(), kind=self.interval_kind)),
            line("error", Fact("error-typically", error=error.total, causes=causes([error]))),
        ]

    def model(self) -> Fact | None:
        if self.model_interval is None:
            return None
        assumes = self.assumed(self.model_assumes, "model_assumes")
        return Fact("number-model", interval=self.model_interval, confidence=self.confidence, assumes=assumes)

    def per_percent_empty(self) -> Fact:
        return Fact("empty-moves-number", shift=abs(self.value - (self.low + self.high) / 2) / 99)

    def range_notes(self, declared: tuple[float, float], looks: Looks) -> list[Note]:
        rounds = looks(_FINE * (declared[1] - declared[0]))
        z = upper_quantile(_ALARMS / max(1, 2 * len(rounds)))
        notes = []
        for place, end in enumerate(ENDS):
            shares = [found for look in rounds if (found := look[place]) is not None]
            most = max(shares, key=lambda one: one.share - z * one.error, default=None)
            if most is not None and (least := most.share - z * most.error) > _SUSPECT:
                numbers = {"share": min(1.0, most.share), "least": max(0.0, least), "reach": most.reach}
                notes.append(Note(NoteCode.RANGE_MAY_MISS_USERS, end=end, at=declared[place], **numbers))
            elif touches(self.interval, declared, place):
                notes.append(Note(NoteCode.INTERVAL_TOUCHES_END, end=end, at=declared[place]))
        return notes

    def allowing_for_empty(self, falls: Falls, at_most: float) -> Self:
        ends = self.low, self.high
        (own,) = falls(1)
        model = self.model_interval
        return replace(
            self,
            assumes=Assumes.FEW_WITHOUT_DATA,
            empty_at_most=at_most,
            interval=interval_allowing_for_empty(self.interval, own or ends, at_most, ends),
            model_interval=None if model is None else interval_allowing_for_empty(model, own or ends, at_most, ends),
        )

    def stated_numbers(self) -> tuple[StatedNumbers, ...]:
        own = StatedNumbers(
            what="value", names=(), values=self.value, intervals=self.interval, low=self.low, high=self.high
        )
        if self.model_interval is None:
            return (own,)
        return own, StatedNumbers(what="value", names=(), values=self.value, intervals=self.model_interval, model=True)

    def drawing(self, *, truth: float | None = None) -> Marks:
        truth = self.truth if truth is None else truth
        low, high = self.interval
        mark = Mark(
            value=self.value,
            interval=self.interval,
            model=self.model_interval,
            truth=truth,
            ends=(self.low, self.high),
        )
        return Marks(
            marks=(mark,),
            truths=() if truth is None else (truth,),
            true=Fact("picture-truth-at", value=truth, digits=decimals(half_width(self.interval), digits=3)),
            title=self._title(Fact("picture-title-number", value=self.value, low=low, high=high)),
        )
