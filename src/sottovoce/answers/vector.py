"""An answer with several coordinates: each with its interval, all together with wider ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, ClassVar

from sottovoce.answers.base import Answer, StandardError, causes, check_lengths
from sottovoce.answers.colluders import Colluders
from sottovoce.answers.intervals import percent
from sottovoce.answers.pictures import Scale, new_axes
from sottovoce.answers.stated import Stated
from sottovoce.answers.words import ELSEWHERE, decimals, half, listed, missed, unless, with_ends
from sottovoce.messages import InvalidInput, few

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SHOWN = 8
_TOLD = 3
_TICKS = 40

Interval = tuple[float, float]


def first_and_last(count: int, shown: int) -> tuple[range, range]:
    """Which of `count` coordinates to show when only so many fit: all, or the first ones and the last quarter."""
    if count <= shown:
        return range(count), range(0)
    return range(shown - shown // 4), range(count - shown // 4, count)


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

    def plot(self, axes: Axes | None = None) -> Axes:
        """Draw every coordinate with its interval, the simultaneous one behind it (needs the extra ``plot``).

        A model interval, where there is one, stands in front of them, dark.
        """
        if axes is None:
            axes = new_axes((7, 3))
        places = list(range(len(self)))
        for ends, alpha in ((self.simultaneous, 0.2), (self.intervals, 0.45), (self.model_intervals, 1.0)):
            if not ends:
                continue
            lows, highs = [one[0] for one in ends], [one[1] for one in ends]
            axes.vlines(places, lows, highs, "tab:blue", linewidth=4, alpha=alpha)
        axes.plot(places, self.value, "o", color="tab:blue", markersize=4)
        if len(self) <= _TICKS:
            axes.set_xticks(places, self.names)
        for side in ("right", "top"):
            axes.spines[side].set_visible(False)
        axes.set_title(f"{len(self)} coordinates, ε = {self.privacy.epsilon:g}", loc="left")
        return axes

    def picture(self, *, truth: tuple[float, ...] | None = None, width: int = 60, rows: int = 16) -> str:
        """The same picture in characters, for at most `rows` coordinates: the first and the last."""
        return self._lines(range(len(self)), truth=truth, width=width, rows=rows)

    def _lines(
        self, coordinates: Sequence[int], *, truth: tuple[float, ...] | None = None, width: int = 60, rows: int = 16
    ) -> str:
        """A line for each of some coordinates, on one common scale; ``▲`` the truth, in a rehearsal by itself."""
        truth = self.truth if truth is None else truth
        if truth is not None and len(truth) != len(self):
            raise InvalidInput(f"truth has {len(truth)} coordinates, the estimate {len(self)}")
        low, high = min(self.low[index] for index in coordinates), max(self.high[index] for index in coordinates)
        scale = Scale(low=low, high=high, width=width)
        first, last = first_and_last(len(coordinates), rows)
        shown = [coordinates[place] for place in (*first, *last)]
        label = max(len(self.names[index][:12]) for index in shown)
        lines = [f"{'':<{label}} {low:<{width // 2}g}{high:>{width - width // 2}g}"]
        for index in shown:
            line = scale.line(self.value[index], self.intervals[index], truth=None if truth is None else truth[index])
            lines.append(f"{self.names[index][:12]:<{label}} {line}")
        if len(coordinates) > rows:
            lines.insert(1 + len(first), f"… {len(coordinates) - rows} more")
        return "\n".join(lines)
