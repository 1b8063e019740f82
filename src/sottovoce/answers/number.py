"""An answer that is one number with its interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sottovoce.answers.base import Answer, StandardError
from sottovoce.answers.colluders import Colluders
from sottovoce.answers.intervals import percent
from sottovoce.answers.stated import Stated
from sottovoce.answers.words import between, decimals, half, missed, rounded, unless
from sottovoce.messages import Fact, few
from sottovoce.pictures import Mark, Marks


def _ends(interval: tuple[float, float]) -> str:
    return " … ".join(rounded(end, interval) for end in interval)


@dataclass(frozen=True, kw_only=True, repr=False)
class Estimate(Answer):
    """A number with its intervals.

    `interval` is the headline and `assumes` the sentence of what it relies on: the guarded one, whatever the users are,
    unless the caller asserted a model. `model_interval` holds under `model_assumes` only. A group of users below the
    share `detection_limit` may hide from the reports and move the truth by up to `hidden_shift`: the guarded interval
    allows for it, a model interval does not. `instead` says what the other choice of method would have promised.
    """

    kind: ClassVar[str] = "number"

    value: float
    interval: tuple[float, float]
    standard_error: StandardError
    low: float
    high: float
    assumes: str = ""
    model_interval: tuple[float, float] | None = None
    model_assumes: str = ""
    detection_limit: float | None = None
    hidden_shift: float | None = None
    colluders: Colluders | None = None
    instead: str = ""

    @property
    def halfwidth(self) -> float:
        return (self.interval[1] - self.interval[0]) / 2

    def __str__(self) -> str:
        low, high = self.interval
        return f"{few(self.value, 4)}  [{few(low, 4)}, {few(high, 4)}] at {percent(self.confidence)}, {self.method}"

    def __repr__(self) -> str:
        return f"<Estimate {self}>"

    def words(self, *, of: str = "") -> str:
        value = f"users' {of or 'value'} is {rounded(self.value, self.interval)}"
        if missed(self.warnings):
            return self._clamped(value)
        told = f"On average {value}"
        if self.interval == (self.low, self.high):
            return f"{told}, but the interval is the whole range: this survey cannot tell. Ask more users."
        ends = between(self.interval)
        return f"{told}; the truth lies {ends}, {unless(self.confidence, self.assumes)}"

    def _clamped(self, value: str) -> str:
        """Where the range may miss users, the average of what is left is told as what it is."""
        inside = f"Counting whatever lies outside {self.low:g} … {self.high:g} as its nearer end, {value} on average"
        if self.interval == (self.low, self.high):
            return f"{inside}, but the interval is the whole range: this survey cannot tell. Ask more users."
        holds = f"that lies {between(self.interval)}, {unless(self.confidence, self.assumes)}"
        return f"{inside}; {holds} Where values outside can occur, the true average may be elsewhere: see the warning."

    def headline(self) -> list[tuple[str, str]]:
        return [
            ("estimate", rounded(self.value, self.interval)),
            ("interval", f"{_ends(self.interval)}  ({percent(self.confidence)}, {self.interval_kind})"),
            ("error", self.standard_error.statement),
        ]

    def model(self) -> str:
        if self.model_interval is None:
            return ""
        return f"{_ends(self.model_interval)}  ({percent(self.confidence)}), {self.model_assumes}"

    def per_percent_empty(self) -> str:
        far = abs(self.value - (self.low + self.high) / 2) / 99
        return f"this by up to {few(far)} toward the middle"

    def stated(self) -> tuple[Stated, ...]:
        within = {"low": self.low, "high": self.high}
        own = Stated(what="value", names=(), values=self.value, intervals=self.interval, **within)
        if self.model_interval is None:
            return (own,)
        return own, Stated(what="value (model)", names=(), values=self.value, intervals=self.model_interval)

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
            true=Fact("picture-truth-at", value=truth, digits=decimals(half(self.interval), digits=3)),
            title=self._title(Fact("picture-title-number", value=self.value, low=low, high=high)),
        )
