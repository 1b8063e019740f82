"""What the default is measured against: one round as it was in edition 1, and one item by randomised response.

Edition 1 asks everybody once, through the table that is designed for the mean on the full range, and reads value,
guaranteed interval and error from the same reports. It is written out here, from parts that do not change with the
method, so that it stays the same measure whatever ``one-round`` becomes; its numbers are frozen in the quick version.
"""

from __future__ import annotations

from dataclasses import dataclass

from sottovoce.baselines import OneItem
from sottovoce.design import designed_table
from sottovoce.engines import Ask
from sottovoce.messages import exact
from sottovoce.methods import FullRange, Script, all_slots, decode_with_guarantee

ONE_ROUND = "one-round edition 1"


@dataclass(frozen=True, kw_only=True)
class Found:
    """What one survey printed."""

    value: float
    interval: tuple[float, float]
    error: float
    """The standard error."""
    model_interval: None = None

    @property
    def halfwidth(self) -> float:
        return (self.interval[1] - self.interval[0]) / 2


@dataclass(frozen=True, kw_only=True)
class OneRound:
    """Edition 1 of ``one-round``, for one survey."""

    epsilon: float
    users: int
    low: float = -1.0
    high: float = 1.0
    confidence: float = 0.95

    def script(self) -> Script[Found]:
        """Ask once; the value and the interval never leave the range."""
        question = FullRange(
            survey="rehearsal",
            slots=all_slots(self.users),
            low=(self.low,),
            high=(self.high,),
            epsilon=self.epsilon,
            channel=designed_table(exact(self.epsilon)),
        ).question()
        tally = yield question
        raw, interval, error = decode_with_guarantee(question, tally, self.confidence)
        value = min(self.high, max(self.low, raw))
        ends = max(self.low, min(interval[0], value)), min(self.high, max(interval[1], value))
        return Found(value=value, interval=ends, error=error.total)


def answered(survey: OneRound | OneItem, ask: Ask) -> Found:
    """Its only question, asked."""
    script = survey.script()
    try:
        script.send(ask(next(script)))
    except StopIteration as end:
        found = end.value
        if isinstance(found, Found):
            return found
        return Found(value=found.value, interval=found.interval, error=found.standard_error.total)
    raise AssertionError("one round has one question")
