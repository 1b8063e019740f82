"""An answer with several coordinates: each with its interval, all together with wider ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

from sottovoce.answers.base import Answer, StandardError, causes, check_lengths
from sottovoce.answers.colluders import Colluders
from sottovoce.answers.intervals import percent
from sottovoce.answers.stated import Stated
from sottovoce.answers.words import ELSEWHERE, decimals, half, listed, missed, unless, with_ends
from sottovoce.messages import Fact, few
from sottovoce.pictures import Mark, Marks, first_and_last

_SHOWN = 8
_TOLD = 3

Interval = tuple[float, float]


def _halfwidth(intervals: Sequence[Interval]) -> float:
    return sum(high - low for low, high in intervals) / (2 * len(intervals))


@dataclass(frozen=True, kw_only=True, repr=False)
class VectorEstimate(Answer):
    """A vector with an interval for each coordinate.

    Each of `intervals` covers its own coordinate with probability `confidence`; the `simultaneous` ones cover all
    coordinates at once with that probability. `assumes` is the sentence of what both rely on: the guarded ones hold
    whatever the users are. `model_intervals` and `model_simultaneous` hold under `model_assumes` only. A group of users
    below the share `detection_limit` may hide from the reports and move the truth by up to `hidden_shift` in a
    coordinate: guarded intervals allow for it, model intervals do not. `instead` says what the other choice of method
    would have promised. `low` and `high` are the declared ranges, `names` the columns. `note` says what devices do with
    vectors outside the declared set: how many there were is nobody's to know.
    """

    kind: ClassVar[str] = "vector"

    value: tuple[float, ...]
    intervals: tuple[Interval, ...]
    simultaneous: tuple[Interval, ...]
    standard_error: tuple[StandardError, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    names: tuple[str, ...]
    note: str = ""
    assumes: str = ""
    model_intervals: tuple[Interval, ...] = ()
    model_simultaneous: tuple[Interval, ...] = ()
    model_assumes: str = ""
    detection_limit: float | None = None
    hidden_shift: float | None = None
    colluders: Colluders | None = None
    instead: str = ""

    def __post_init__(self) -> None:
        parts = [self.intervals, self.simultaneous, self.standard_error, self.low, self.high, self.names]
        parts += [ends for ends in (self.model_intervals, self.model_simultaneous) if ends]
        check_lengths("a vector estimate", "coordinates", len(self.value), *parts)

    def __len__(self) -> int:
        return len(self.value)

    @property
    def dimension(self) -> int:
        return len(self.value)

    @property
    def halfwidth(self) -> float:
        """Of an interval, on average over the coordinates."""
        return _halfwidth(self.intervals)

    @property
    def squared_error(self) -> float:
        """The expected squared Euclidean error: the squared standard errors, added up."""
        return sum(error.total**2 for error in self.standard_error)

    def __str__(self) -> str:
        shown = ", ".join(f"{value:.4g}" for value in self.value[:_SHOWN])
        more = f", … {len(self)} in all" if len(self) > _SHOWN else ""
        return f"[{shown}{more}] ± {self.squared_error**0.5:.3g} in length, {self.method}"

    def __repr__(self) -> str:
        return f"<VectorEstimate {self}>"

    def words(self, *, of: str = "") -> str:
        shown = range(min(len(self), _TOLD))
        parts = [f"{self.names[at]} is {self._told(at)}" for at in shown]
        if len(self) > _TOLD:
            parts.append(f"so on for {len(self) - _TOLD:,} more")
        more = f" {ELSEWHERE}" if missed(self.warnings) else ""
        return f"On average {listed(parts)}. Each truth lies in its interval, {self._unless()}{more}"

    def _told(self, index: int) -> str:
        return with_ends(self.value[index], self.intervals[index])

    def _unless(self) -> str:
        return unless(self.confidence, self.assumes, each=True)

    def headline(self) -> list[tuple[str, str]]:
        digits = decimals(min(half(ends) for ends in self.intervals))
        first, last = first_and_last(len(self), _SHOWN)
        written = [
            [f"{number:.{digits}f}" for number in (self.value[index], *self.intervals[index], *self._true(index))]
            for index in (*first, *last)
        ]
        widths = [max(map(len, column)) for column in zip(*written, strict=True)]
        form = "{:>{}}  {:>{}} … {:>{}}" + ("" if self.truth is None else "  (truth {:>{}})")
        lines = [
            (self.names[index][:11], form.format(*chain(*zip(texts, widths, strict=True))))
            for index, texts in zip((*first, *last), written, strict=True)
        ]
        if len(self) > _SHOWN:
            lines.insert(len(first), ("…", f"{len(self) - _SHOWN} more coordinates"))
        return [*lines, self._kind(), ("error", self._causes()), *self._noted()]

    def _true(self, index: int) -> tuple[float, ...]:
        """The truth of a coordinate, in a rehearsal that knows it."""
        return () if self.truth is None else (self.truth[index],)

    def _kind(self) -> tuple[str, str]:
        return "intervals", f"{percent(self.confidence)} each, {self.interval_kind}"

    def model(self) -> str:
        if not self.model_intervals:
            return ""
        reach = f"± {few(_halfwidth(self.model_intervals))} on average"
        return f"{reach}  ({percent(self.confidence)} each), {self.model_assumes}"

    def _causes(self) -> str:
        return f"typically {few(self.squared_error**0.5)} in length, over all coordinates{causes(self.standard_error)}"

    def _noted(self) -> list[tuple[str, str]]:
        return [("note", self.note)] if self.note else []

    def stated(self) -> tuple[Stated, ...]:
        own = Stated(
            what="coordinate",
            names=self.names,
            values=self.value,
            intervals=self.intervals,
            low=self.low,
            high=self.high,
        )
        if not self.model_intervals:
            return (own,)
        model = Stated(what="coordinate (model)", names=self.names, values=self.value, intervals=self.model_intervals)
        return own, model

    def drawing(self, *, truth: tuple[float, ...] | None = None) -> Marks:
        return Marks(
            marks=self._marks(range(len(self)), truth),
            upright=True,
            title=self._title(Fact("picture-title-coordinates", count=len(self))),
        )

    def _marks(self, coordinates: Sequence[int], truth: tuple[float, ...] | None) -> tuple[Mark, ...]:
        truths = self._truths(truth, len(self), "coordinates")
        return tuple(
            Mark(
                name=self.names[at],
                value=self.value[at],
                interval=self.intervals[at],
                outer=self.simultaneous[at],
                model=self.model_intervals[at] if self.model_intervals else None,
                truth=truths[at],
                ends=(self.low[at], self.high[at]),
                place=at,
            )
            for at in coordinates
        )
