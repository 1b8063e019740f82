"""The toy's own kind of answer: a share, with how many users it is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from sottovoce.answers import Answer, Line, StatedNumbers, line
from sottovoce.messages import Fact
from sottovoce.pictures import Mark, Marks


@dataclass(frozen=True, kw_only=True, repr=False)
class UpToEstimate(Answer):
    """The share of a user's observations up to `threshold`, averaged over users."""

    kind: ClassVar[str] = "up-to"
    several: ClassVar[bool] = False

    value: float
    interval: tuple[float, float]
    threshold: float

    @property
    def halfwidth(self) -> float:
        return (self.interval[1] - self.interval[0]) / 2

    def __str__(self) -> str:
        return str(self.words())

    def words(self, *, of: str = "") -> Fact:
        return Fact("up-to-answer", of=of, value=self.value, interval=self.interval, threshold=self.threshold)

    def headline(self) -> list[Line]:
        kind = {"confidence": self.confidence, "kind": self.interval_kind}
        return [line("share", Fact("up-to-share", value=self.value, interval=self.interval, **kind))]

    def stated_numbers(self) -> tuple[StatedNumbers, ...]:
        return (StatedNumbers(what="share", names=(), values=self.value, intervals=self.interval, low=0.0, high=1.0),)

    def drawing(self, *, truth: Any = None) -> Marks:
        mark = Mark(name="", value=self.value, interval=self.interval, truth=truth, ends=(0.0, 1.0))
        return Marks(marks=(mark,), title=self._title(self.words()))
