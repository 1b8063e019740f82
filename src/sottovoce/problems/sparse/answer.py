"""The answer about a sparse mean: intervals for what was selected, a claim about the rest, notes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from sottovoce.answers import (
    Line,
    StandardError,
    StatedNumbers,
    VectorEstimate,
    fixed_ends,
    line,
)
from sottovoce.messages import Fact, InvalidInput, decimals, half_width
from sottovoce.pictures import Marks
from sottovoce.problems.fields import column_names
from sottovoce.problems.method import Method
from sottovoce.problems.sparse.settings import SparseMean

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
        """Half the width of an interval, on average over the selected coordinates; NaN where there are none."""
        widths = [self.intervals[index][1] - self.intervals[index][0] for index in self.support]
        return sum(widths) / (2 * len(widths)) if widths else math.nan

    def __str__(self) -> str:
        shown = tuple(Fact("name-and-value", **self._row_facts(index)) for index in self.support[:8])
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
        first = [Fact("coordinate-with-ends", **self._row_facts(at)) for at in self.support[:_TOLD]]
        if len(self.support) > _TOLD:
            first.append(Fact("so-many-more", count=len(self.support) - _TOLD))
        selected = {"selected": len(self.support), "all": len(self)}
        return Fact("sparse-answer", **selected, parts=tuple(first), unless=self.interval_condition(each=True))

    def _places_with_interval(self) -> Sequence[int]:
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
        digits = decimals(min(map(half_width, kinds)))
        ends, *model = (fixed_ends(one, digits) for one in kinds)
        return Fact(
            "selected-line",
            value=self.value[index],
            digits=digits,
            ends=ends,
            model=model[0] if model else None,
            truth=None if self.truth is None else self.truth[index],
        )

    def stated_numbers(self) -> tuple[StatedNumbers, ...]:
        """The numbers of the selected coordinates: the others have no interval of their own."""
        chosen = np.array(self.support, dtype=int)
        guarded, *model = super().stated_numbers()
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
            for one in (guarded, *model)
            if len(chosen)
        )

    def drawing(self, *, truth: tuple[float, ...] | None = None) -> Marks:
        title = Fact("picture-title-selected", count=len(self.support), all=len(self))
        marks = self._marks(self.support, truth)
        return Marks(marks=marks, upright=True, others=self.value, title=self._title(title))


Row = tuple[float, StandardError, tuple[float, float], tuple[float, float]]
"""A selected coordinate: its value, standard error, interval, and the interval that holds for all of them at once."""


def sparse_answer(
    method: Method[SparseMean],
    settings: SparseMean,
    users: tuple[int, ...],
    support: tuple[int, ...],
    rows: Iterable[Row],
    /,
    *,
    outside: Sequence[Sequence[tuple[float, float]]],
    **facts: Any,
) -> SparseEstimate:
    """Zero but for the selected coordinates, of which there is a row each; `facts` are the other fields.

    `outside`: the intervals of coordinates that were not selected, and those that hold for all at once.
    """
    size = settings.dimension
    value, errors = [0.0] * size, [StandardError(sampling=0.0, privacy=0.0)] * size
    each, everywhere = map(list, outside)
    for index, row in zip(support, rows, strict=True):
        value[index], errors[index], each[index], everywhere[index] = row
    known = method.survey_facts(settings, users)
    known["privacy"] = replace(known["privacy"], protects=Fact("whole-collection-every-coordinate"))
    return SparseEstimate(
        value=tuple(value),
        intervals=tuple(each),
        simultaneous=tuple(everywhere),
        standard_error=tuple(errors),
        low=(settings.low,) * size,
        high=(settings.high,) * size,
        names=column_names(settings.names, size),
        support=support,
        **known | facts,
    )
