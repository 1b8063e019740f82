"""A vector most of whose coordinates are zero: the few that were selected, and the rest."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sottovoce.answers.lines import Line, fixed_ends, line
from sottovoce.answers.notes import Stated
from sottovoce.answers.pictures import new_axes
from sottovoce.answers.vector import VectorEstimate
from sottovoce.messages import Fact, InvalidInput, counted, decimals, half

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
        """Of an interval, on average over the selected coordinates; NaN where there are none."""
        widths = [self.intervals[index][1] - self.intervals[index][0] for index in self.support]
        return sum(widths) / (2 * len(widths)) if widths else math.nan

    def __str__(self) -> str:
        shown = tuple(Fact("name-and-value", **self._told(index)) for index in self.support[:8])
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
        first = [Fact("coordinate-with-ends", **self._told(at)) for at in self.support[:_TOLD]]
        if len(self.support) > _TOLD:
            first.append(Fact("so-many-more", count=len(self.support) - _TOLD))
        selected = {"selected": len(self.support), "all": len(self)}
        return Fact("sparse-answer", **selected, parts=tuple(first), unless=self.unless(each=True))

    def _judged(self) -> Sequence[int]:
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
        digits = decimals(min(map(half, kinds)))
        ends, *model = (fixed_ends(one, digits) for one in kinds)
        return Fact(
            "selected-line",
            value=self.value[index],
            digits=digits,
            ends=ends,
            model=model[0] if model else None,
            truth=None if self.truth is None else self.truth[index],
        )

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

    def plot(self, axes: Axes | None = None) -> Axes:
        """Draw every coordinate, those selected with their intervals (needs the extra ``plot``)."""
        if axes is None:
            axes = new_axes((7, 3))
        chosen = list(self.support)
        for ends, alpha in ((self.simultaneous, 0.2), (self.intervals, 0.45), (self.model_intervals, 1.0)):
            if ends and chosen:
                lows, highs = zip(*(ends[index] for index in chosen), strict=True)
                axes.vlines(chosen, lows, highs, "tab:blue", linewidth=4, alpha=alpha)
        axes.plot(range(len(self)), self.value, ".", color="0.7", markersize=2)
        axes.plot(chosen, [self.value[index] for index in chosen], "o", color="tab:blue", markersize=4)
        if len(chosen) <= _LISTED:
            axes.set_xticks(chosen, [self.names[index] for index in chosen])
        for side in ("right", "top"):
            axes.spines[side].set_visible(False)
        axes.set_title(f"{len(self.support)} of {len(self)} coordinates, ε = {self.privacy.epsilon:g}", loc="left")
        return axes

    def picture(self, *, truth: tuple[float, ...] | None = None, width: int = 60, rows: int = 16) -> str:
        """The selected coordinates in characters, the first `rows` of them."""
        if not self.support:
            return f"none of {counted(len(self), 'coordinate')} was selected: there is no interval to draw"
        return self._lines(self.support, truth=truth, width=width, rows=rows)
