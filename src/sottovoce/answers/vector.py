"""An answer with several coordinates: each with its interval, all together with wider ones."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any, ClassVar, Self

from sottovoce.answers.base import Answer, Line, StandardError, causes, check_lengths, line, lines_in_words
from sottovoce.answers.interval_statistics import Falls, intervals_allowing_for_empty
from sottovoce.answers.method_choice import Assumes
from sottovoce.answers.notes import StatedNumbers
from sottovoce.answers.plain import to_plain
from sottovoce.messages import Fact, Interval, InvalidInput, decimals, half_width
from sottovoce.pictures import Mark, Marks, first_and_last

# Several answers from one survey, by name.


@dataclass(frozen=True, kw_only=True, repr=False)
class Answers(Mapping[str, Answer]):
    """What one survey says about several things: ``answers["delay"]`` is an answer like any other.

    Each interval holds with its own probability; that all of them hold at once is less likely. `split` says what the
    parts share: the users, or the budget of each.
    """

    kind: ClassVar[str] = "several"
    version: ClassVar[int] = 2
    beside: ClassVar[tuple[str, ...]] = Answer.beside

    names: tuple[str, ...]
    answers: tuple[Answer, ...]
    split: str
    chosen: Fact

    def __post_init__(self) -> None:
        if len(self.names) != len(self.answers):
            raise InvalidInput(f"{len(self.answers)} answers have {len(self.names)} names")

    def __getitem__(self, name: str) -> Answer:
        return dict(zip(self.names, self.answers, strict=True))[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __str__(self) -> str:
        parts = tuple(Fact("name-and-answer", name=name, answer=str(answer)) for name, answer in self.items())
        return str(Fact("several", answers=parts, split=self.split))

    def __repr__(self) -> str:
        return f"<Answers {self}>"

    @property
    def reason(self) -> str:
        """Why it was split so, in words."""
        return str(self.chosen)

    def to_dict(self) -> dict[str, Any]:
        """Plain data; what `to_json` writes."""
        own = {name: answer.to_dict() for name, answer in self.items()}
        head = {"kind": self.kind, "version": self.version}
        return head | {"split": self.split, "chosen": to_plain(self.chosen), "answers": own}

    def to_json(self, *, indent: int | None = None) -> str:
        """Strictly JSON, as each answer writes itself."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False, allow_nan=False)

    def summary(self) -> str:
        """A few lines for a terminal, one answer after another."""
        parts = [f"{name}\n{answer.summary(of=name)}" for name, answer in self.items()]
        return "\n\n".join([*parts, *(f"{name:<12}{text}" for name, text in lines_in_words(self.shared_lines()))])

    def shared_lines(self) -> list[Line]:
        """What is to be said of all of them together."""
        return [line("split", self._split())]

    def _split(self) -> Fact:
        return Fact("several-split", split=self.split, why=self.chosen)

    def _repr_html_(self) -> str:
        parts = (f"<h4>{escape(name)}</h4>{answer._repr_html_()}" for name, answer in self.items())
        return f"{''.join(parts)}<p>{escape(str(self._split()))}</p>"


_SHOWN = 8
_TOLD = 3


def _halfwidth(intervals: Sequence[Interval]) -> float:
    return sum(high - low for low, high in intervals) / (2 * len(intervals))


def _padded(numbers: Sequence[float], digits: int, widths: Sequence[int]) -> dict[str, Fact | None]:
    """The numbers of a line, each as wide as its column; the truth is not always there."""
    cells = [Fact("padded", value=one, digits=digits, width=width) for one, width in zip(numbers, widths, strict=True)]
    return dict(zip(("value", "low", "high", "truth"), [*cells, None], strict=False))


@dataclass(frozen=True, kw_only=True, repr=False)
class VectorEstimate(Answer):
    """A vector with an interval for each coordinate.

    Each of `intervals` covers its own coordinate with probability `confidence`; the `simultaneous` ones cover all
    coordinates at once with that probability. `model_intervals` and `model_simultaneous` hold under `model_assumes`
    only. `low` and `high` are the declared ranges, `names` the columns. `outside_set` says what devices do with vectors
    outside the declared set, where there is one: how many there were is nobody's to know.
    """

    kind: ClassVar[str] = "vector"
    several: ClassVar[bool] = False  # what it assumes is told of each

    value: tuple[float, ...]
    intervals: tuple[Interval, ...]
    simultaneous: tuple[Interval, ...]
    standard_error: tuple[StandardError, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    names: tuple[str, ...]
    outside_set: Fact | None = None
    model_intervals: tuple[Interval, ...] = ()
    model_simultaneous: tuple[Interval, ...] = ()

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
        """Half the width of an interval, on average over the coordinates."""
        return _halfwidth(self.intervals)

    @property
    def squared_error(self) -> float:
        """The expected squared Euclidean error: the squared standard errors, added up."""
        return sum(error.total**2 for error in self.standard_error)

    def __str__(self) -> str:
        return str(
            Fact(
                "vector",
                values=tuple(Fact("number-short", value=value) for value in self.value[:_SHOWN]),
                all=len(self) if len(self) > _SHOWN else None,
                error=self.squared_error**0.5,
                method=self.method,
            )
        )

    def words(self, *, of: str = "") -> Fact:
        parts = [Fact("coordinate-is", **self._row_facts(at)) for at in range(min(len(self), _TOLD))]
        if len(self) > _TOLD:
            parts.append(Fact("coordinates-more", count=len(self) - _TOLD))
        return Fact(
            "vector-answer",
            parts=tuple(parts),
            unless=self.interval_condition(each=True),
            range_misses=self.range_misses,
        )

    def _row_facts(self, index: int) -> dict[str, Any]:
        return {"name": self.names[index], "value": self.value[index], "interval": self.intervals[index]}

    def headline(self) -> list[Line]:
        digits = decimals(min(half_width(ends) for ends in self.intervals))
        first, last = first_and_last(len(self), _SHOWN)
        rows = [(self.value[index], *self.intervals[index], *self._true(index)) for index in (*first, *last)]
        widths = [max(len(f"{number:.{digits}f}") for number in column) for column in zip(*rows, strict=True)]
        lines: list[Line] = [
            (self.names[index][:11], Fact("coordinate-line", **_padded(numbers, digits, widths)))
            for index, numbers in zip((*first, *last), rows, strict=True)
        ]
        if len(self) > _SHOWN:
            lines.insert(len(first), ("…", Fact("more-coordinates", count=len(self) - _SHOWN)))
        error = self.squared_error**0.5
        length = Fact("error-in-length", of="coordinates", error=error, causes=causes(self.standard_error))
        return [*lines, self._kind(), line("error", length), *self._noted()]

    def _true(self, index: int) -> tuple[float, ...]:
        """The truth of a coordinate, in a rehearsal that knows it."""
        return () if self.truth is None else (self.truth[index],)

    def _kind(self) -> Line:
        return line("intervals", Fact("intervals-each", confidence=self.confidence, kind=self.interval_kind))

    def model(self) -> Fact | None:
        if not self.model_intervals:
            return None
        assumes = self.assumed(self.model_assumes, "model_assumes")
        reach = _halfwidth(self.model_intervals)
        return Fact("vector-model", halfwidth=reach, confidence=self.confidence, assumes=assumes)

    def _noted(self) -> list[Line]:
        note = self.outside_set or self._format_1_sentence("note")
        return [line("note", note)] if note else []

    def allowing_for_empty(self, falls: Falls, at_most: float) -> Self:
        known = intervals_allowing_for_empty(self, falls, at_most, tuple(zip(self.low, self.high, strict=True)))
        return replace(self, assumes=Assumes.FEW_WITHOUT_DATA, empty_at_most=at_most, **known)

    def stated_numbers(self) -> tuple[StatedNumbers, ...]:
        own = StatedNumbers(
            what="coordinate",
            names=self.names,
            values=self.value,
            intervals=self.intervals,
            low=self.low,
            high=self.high,
        )
        if not self.model_intervals:
            return (own,)
        return own, StatedNumbers(
            what="coordinate", names=self.names, values=self.value, intervals=self.model_intervals, model=True
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

    def drawing(self, *, truth: tuple[float, ...] | None = None) -> Marks:
        return Marks(
            marks=self._marks(range(len(self)), truth),
            upright=True,
            title=self._title(Fact("picture-title-coordinates", count=len(self))),
        )
