"""A vector most of whose coordinates are zero: the few that were selected, and the rest."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from sottovoce.answers.stated import Stated
from sottovoce.answers.vector import VectorEstimate
from sottovoce.answers.words import decimals, half, listed
from sottovoce.messages import Fact, InvalidInput, counted
from sottovoce.pictures import Marks

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
    left_out: str
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
        shown = ", ".join(f"{self.names[index]}: {self.value[index]:.4g}" for index in self.support[:8])
        more = ", …" if len(self.support) > 8 else ""
        return f"{{{shown}{more}}}, {len(self.support)} of {len(self)} selected, {self.method}"

    def __repr__(self) -> str:
        return f"<SparseEstimate {self}>"

    def words(self, *, of: str = "") -> str:
        if not self.support:
            return f"None of {counted(len(self), 'coordinate')} stands out: zero is published for all of them."
        first = [f"{self.names[at]} {self._told(at)}" for at in self.support[:_TOLD]]
        if len(self.support) > _TOLD:
            first.append(f"{len(self.support) - _TOLD:,} more")
        were = "was" if len(self.support) == 1 else "were"
        chosen = f"{len(self.support):,} of {counted(len(self), 'coordinate')} {were} selected: {listed(first)}"
        return f"{chosen}. Zero is published for the others. Each interval holds {self._unless()}"

    def _judged(self) -> Sequence[int]:
        return self.support

    def headline(self) -> list[tuple[str, str]]:
        lines = [(self.names[index][:11], self._line(index)) for index in self.support[:_LISTED]]
        if len(self.support) > _LISTED:
            lines.append(("…", f"{len(self.support) - _LISTED} more selected"))
        chosen = ("selected", f"{len(self.support)} of {counted(len(self), 'coordinate')}")
        kind = [self._kind()] if self.support else []
        return [chosen, *lines, *kind, ("left out", self.left_out), *self._noted()]

    def model(self) -> str:
        return f"in brackets: {self.model_assumes}" if self.support and self.model_intervals else ""

    def _line(self, index: int) -> str:
        kinds = [self.intervals[index], *([self.model_intervals[index]] if self.model_intervals else [])]
        digits = decimals(min(map(half, kinds)))
        ends, *model = (f"{low:.{digits}f} … {high:.{digits}f}" for low, high in kinds)
        true = [] if self.truth is None else [f"(truth {self.truth[index]:.{digits}f})"]
        return "  ".join([f"{self.value[index]:.{digits}f}", ends, *(f"({one})" for one in model), *true])

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
