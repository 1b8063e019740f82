"""A histogram as an answer: shares that add up to one, each with its intervals, and an order of the largest."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from sottovoce.answers.base import Answer, StandardError, causes, check_lengths
from sottovoce.answers.colluders import Colluders
from sottovoce.answers.intervals import percent
from sottovoce.answers.pictures import aligned, new_axes
from sottovoce.answers.stated import Stated
from sottovoce.answers.words import decimals, listed, share, unless
from sottovoce.messages import InvalidInput

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Interval = tuple[float, float]
_SHOWN = 8
_TOLD = 3
_TICKS = 40
_LABEL = 24


@dataclass(frozen=True, kw_only=True)
class Ranked:
    """A category with its share, and the ranks that it may have: from `best` to `worst`, counted from 1.

    Ranks and interval hold for all categories at once, at the confidence of the answer. `apart`: whether its share is
    surely above that of every category listed after it.
    """

    label: str
    share: float
    interval: Interval
    best: int
    worst: int
    apart: bool

    @property
    def rank(self) -> str:
        """``2`` or ``2–5``."""
        return str(self.best) if self.best == self.worst else f"{self.best}–{self.worst}"


@dataclass(frozen=True, kw_only=True, repr=False)
class HistogramEstimate(Answer):
    """The average over users of their own shares, category by category.

    `value` adds up to one and is nowhere negative: it is `raw`, the unbiased estimate, moved to the nearest such point.
    Each of `intervals` holds its own share with probability `confidence`; the `simultaneous` ones hold all shares at
    once. They are the headline, and `assumes` says what they rely on; `model_intervals` and `model_simultaneous` hold
    under `model_assumes` only. A group of users below the share `detection_limit` may hide from the reports and move
    a share by up to `hidden_shift`: the headline allows for it, the model intervals do not. `edges` are those of bins,
    None for categories with labels. `instead` says what the other choice of method would have promised.
    """

    kind: ClassVar[str] = "histogram"
    beside: ClassVar[tuple[str, ...]] = (*Answer.beside, "top")

    value: tuple[float, ...]
    raw: tuple[float, ...]
    labels: tuple[str, ...]
    intervals: tuple[Interval, ...]
    simultaneous: tuple[Interval, ...]
    standard_error: tuple[StandardError, ...]
    edges: tuple[float, ...] | None = None
    assumes: str = ""
    model_intervals: tuple[Interval, ...] | None = None
    model_simultaneous: tuple[Interval, ...] | None = None
    model_assumes: str = ""
    detection_limit: float | None = None
    hidden_shift: float | None = None
    colluders: Colluders | None = None
    instead: str = ""

    def __post_init__(self) -> None:
        parts = [self.raw, self.labels, self.intervals, self.simultaneous, self.standard_error]
        parts += [part for part in (self.model_intervals, self.model_simultaneous) if part is not None]
        check_lengths("a histogram", "categories", len(self.value), *parts)
        if self.edges is not None and len(self.edges) != len(self.value) + 1:
            raise InvalidInput(
                rule=f"{len(self.value)} bins have {len(self.value) + 1} edges", wrong=f"got {len(self.edges)}"
            )

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, label: str) -> float:
        """The share of a category, by its label."""
        try:
            return self.value[self.labels.index(label)]
        except ValueError:
            raise KeyError(label) from None

    @property
    def order(self) -> tuple[int, ...]:
        """Categories by share, the largest first; equal ones as they were declared."""
        return tuple(sorted(range(len(self)), key=lambda place: (-self.value[place], -self.raw[place])))

    @property
    def halfwidth(self) -> float:
        """Of an interval, on average."""
        return float(np.mean([high - low for low, high in self.intervals])) / 2

    @property
    def squared_error(self) -> float:
        """The expected squared Euclidean error of the raw shares, if nobody is hidden."""
        return sum(error.total**2 for error in self.standard_error)

    def top(self, count: int = 10) -> tuple[Ranked, ...]:
        """The largest shares, and which of their places are certain, for all categories at once.

        A category is surely above another where their simultaneous intervals do not touch.
        """
        if count < 1:
            raise InvalidInput(rule="count must be at least 1", wrong=f"got {count}")
        ends = np.array(self.simultaneous)
        lows, highs = np.sort(ends[:, 0]), np.sort(ends[:, 1])
        order = list(self.order)
        later = np.maximum.accumulate(np.array([*ends[order, 1], -np.inf])[::-1])[::-1][1:]
        found = []
        for place, index in enumerate(order[:count]):
            low, high = self.simultaneous[index]
            above = len(self) - int(np.searchsorted(lows, high, side="right"))
            below = int(np.searchsorted(highs, low, side="left"))
            found.append(
                Ranked(
                    label=self.labels[index],
                    share=self.value[index],
                    interval=(low, high),
                    best=above + 1,
                    worst=len(self) - below,
                    apart=bool(low > later[place]),
                )
            )
        return tuple(found)

    def per_percent_empty(self) -> str:
        return "a share by up to 0.01"

    def stated(self) -> tuple[Stated, ...]:
        kinds = (("share", self.intervals), ("share (model)", self.model_intervals))
        return tuple(
            Stated(what=what, names=self.labels, values=self.value, intervals=ends, low=0.0, high=1.0)
            for what, ends in kinds
            if ends is not None
        )

    def details(self) -> dict[str, Any]:
        """The largest shares in order."""
        rows = self.top(min(10, len(self)))
        return {"top": [{"label": one.label, "share": one.share, "rank": [one.best, one.worst]} for one in rows]}

    def __str__(self) -> str:
        shown = ", ".join(f"{one.label}: {one.share:.3f}" for one in self.top(min(4, len(self))))
        return f"{shown}{', …' if len(self) > 4 else ''} (of {len(self)}), {self.method}"

    def __repr__(self) -> str:
        return f"<HistogramEstimate {self}>"

    def words(self, *, of: str = "") -> str:
        first, *rest = self.order[:_TOLD]
        most = f"The most frequent{f' {of}' if of else ''} is {self.labels[first]}: on average"
        told = f"{most} {share(self.value[first], self.intervals[first])} of a user's observations"
        then = [f"{self.labels[at]} {share(self.value[at], self.intervals[at])}" for at in rest]
        if len(self) > _TOLD:
            then.append(f"{len(self) - _TOLD:,} more")
        more = f"; then {listed(then)}" if then else ""
        return f"{told}{more}. Each interval holds {unless(self.confidence, self.assumes, each=True)}"

    def headline(self) -> list[tuple[str, str]]:
        digits = decimals(self.halfwidth)
        kinds = [self.intervals, *([] if self.model_intervals is None else [self.model_intervals])]
        rows = [
            [
                self.labels[index][:_LABEL],
                f"{self.value[index]:.{digits}f}",
                *(f"{ends[index][0]:.{digits}f} … {ends[index][1]:.{digits}f}" for ends in kinds),
                *([] if self.truth is None else [f"{self.truth[index]:.{digits}f}"]),
            ]
            for index in self._shown(_SHOWN)
        ]
        header = ["", "share", self.interval_kind.partition(" ")[0], *["model"] * (len(kinds) - 1)]
        header += [] if self.truth is None else ["truth"]
        lines = [("" if place else "shares", text) for place, text in enumerate(aligned(header, rows, left=(0,)))]
        if len(self) > _SHOWN:
            lines.append(("", f"… {len(self) - _SHOWN:,} more"))
        error = f"typically {self.squared_error**0.5:.2g} in length, over all shares{causes(self.standard_error)}"
        kind = f"{percent(self.confidence)} each, {self.interval_kind}"
        return [*lines, ("intervals", kind), ("error", error)]

    def model(self) -> str:
        return "" if self.model_intervals is None else self.model_assumes

    def _shown(self, count: int) -> list[int]:
        """Bins in their order as long as all fit; else the largest shares first."""
        if self.edges is not None and len(self) <= count:
            return list(range(len(self)))
        return list(self.order[:count])

    def picture(self, *, truth: tuple[float, ...] | None = None, width: int = 60, rows: int = 16) -> str:
        """Bars with the upper ends of their intervals: ``█`` the share, ``─┤`` up to where it may lie, ``▲`` the truth.

        At most `rows` of them: the largest, or for bins neighbours added up. A rehearsal shows the truth by itself.
        """
        truth = self.truth if truth is None else truth
        if truth is not None and len(truth) != len(self):
            raise InvalidInput(f"truth has {len(truth)} categories, the estimate {len(self)}")
        if self.edges is not None and len(self) > rows:
            return self._columns(width=width, rows=8)
        shown = self._shown(rows)
        names = [self.labels[index][:_LABEL] for index in shown]
        label, most = max(map(len, names)), max([self.intervals[index][1] for index in shown] + [1e-12])
        lines = []
        for name, index in zip(names, shown, strict=True):
            full, high = (
                min(width, round(width * end / most)) for end in (self.value[index], self.intervals[index][1])
            )
            bar = list("█" * full + "─" * max(0, high - full - 1) + ("┤" if high > full else ""))
            if truth is not None:
                place = min(width, round(width * truth[index] / most))
                bar += " " * (place + 1 - len(bar))
                bar[place] = "▲"
            lines.append(f"{name:<{label}} {''.join(bar):<{width}} {self.value[index]:.3f}".rstrip())
        if len(self) > len(shown):
            lines.append(f"… {len(self) - len(shown):,} more")
        return "\n".join(lines)

    def _columns(self, *, width: int, rows: int) -> str:
        """Many bins side by side, neighbours added up where they are more than fit."""
        assert self.edges is not None
        places = np.linspace(self.edges[0], self.edges[-1], min(width, len(self)) + 1)
        heights = np.diff(np.interp(places, self.edges, np.concatenate(([0.0], np.cumsum(self.value)))))
        filled = np.rint(heights / max(float(heights.max()), 1e-300) * 8 * rows).astype(int)
        eighths = " ▁▂▃▄▅▆▇█"
        lines = ["".join(eighths[min(8, max(0, top - 8 * row))] for top in filled) for row in reversed(range(rows))]
        left, right = f"{self.edges[0]:g}", f"{self.edges[-1]:g}"
        return "\n".join([*lines, f"{left}{right:>{max(1, len(filled) - len(left))}}"])

    def plot(self, axes: Axes | None = None) -> Axes:
        """Draw the shares with their intervals, the simultaneous ones thinner (needs the extra ``plot``)."""
        if axes is None:
            axes = new_axes((7, 3))
        if self.edges is not None:
            middles = [(left + right) / 2 for left, right in pairwise(self.edges)]
            widths = [right - left for left, right in pairwise(self.edges)]
            order = list(range(len(self)))
        else:
            order = list(self.order[:_TICKS])
            middles, widths = [float(place) for place in range(len(order))], [0.8] * len(order)
            axes.set_xticks(middles, [self.labels[index] for index in order], rotation=45, ha="right")
        axes.bar(middles, [self.value[index] for index in order], widths, color="tab:blue", alpha=0.5)
        for ends, line in ((self.simultaneous, 1), (self.intervals, 3)):
            lows, highs = zip(*(ends[index] for index in order), strict=True)
            axes.vlines(middles, lows, highs, "tab:blue", linewidth=line)
        for side in ("right", "top"):
            axes.spines[side].set_visible(False)
        axes.set_ylabel("share")
        axes.set_title(f"{len(self)} categories, ε = {self.privacy.epsilon:g}", loc="left")
        return axes
