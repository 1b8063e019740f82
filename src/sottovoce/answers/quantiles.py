"""Quantiles as an answer, with the distribution function that they were read from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sottovoce.answers.base import Answer, check_lengths
from sottovoce.answers.curve import Curve, Interval
from sottovoce.answers.intervals import percent
from sottovoce.answers.pictures import Scale, aligned
from sottovoce.answers.stated import Stated
from sottovoce.answers.words import ELSEWHERE, ENDED, decimals, half, listed, missed, needed, unless, with_ends
from sottovoce.messages import InvalidInput

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SHOWN = 9
_TOLD = 3


def level_name(q: float) -> str:
    """``median``, ``90%``."""
    return "median" if q == 0.5 else f"{100 * q:g}%"


def _ends(ends: Interval, digits: int) -> str:
    return f"{ends[0]:.{digits}f} … {ends[1]:.{digits}f}"


@dataclass(frozen=True, kw_only=True, repr=False)
class QuantilesEstimate(Answer):
    """Where the distribution function reaches each of `q`.

    The distribution function is the average over users of the share of their own observations up to a place. Each of
    `intervals` holds its own quantile with probability `confidence`, whatever the users are; `model_intervals` hold
    under `model_assumes` only. `curve` is the distribution function itself, in a band that holds all of it at once. A
    group of users below the share `detection_limit` may hide from the reports: what is guarded allows for it.
    """

    kind: ClassVar[str] = "quantiles"

    q: tuple[float, ...]
    value: tuple[float, ...]
    intervals: tuple[Interval, ...]
    curve: Curve
    assumes: str = ""
    model_intervals: tuple[Interval, ...] | None = None
    model_assumes: str = ""
    detection_limit: float | None = None

    def __post_init__(self) -> None:
        parts = [self.value, self.intervals, *([] if self.model_intervals is None else [self.model_intervals])]
        check_lengths("quantiles", "levels", len(self.q), *parts)

    def __len__(self) -> int:
        return len(self.q)

    def __getitem__(self, q: float) -> float:
        """The quantile at one of the levels that were asked for: ``answer[0.5]``."""
        if q not in self.q:
            levels = ", ".join(f"{level:g}" for level in self.q[:_SHOWN]) + (", …" if len(self) > _SHOWN else "")
            raise InvalidInput(
                rule=f"the answer has the levels {levels}",
                wrong=f"got {q!r}:",
                fix="ask for it with q=, or see answer.curve",
            )
        return self.value[self.q.index(q)]

    @property
    def median(self) -> float | None:
        """The median, where it was asked for."""
        return self[0.5] if 0.5 in self.q else None

    def __str__(self) -> str:
        shown = ", ".join(
            f"{level_name(q)} {value:.4g}" for q, value in list(zip(self.q, self.value, strict=True))[:_SHOWN]
        )
        return f"{shown}{', …' if len(self) > _SHOWN else ''}, {self.method}"

    def __repr__(self) -> str:
        return f"<QuantilesEstimate {self}>"

    def words(self, *, of: str = "") -> str:
        first = list(zip(self.q, self.value, self.intervals, strict=True))[:_TOLD]
        parts = [
            f"{'half' if q == 0.5 else f'{100 * q:g}%'} are at most {with_ends(value, ends)}"
            for q, value, ends in first
        ]
        more = f" and {len(self) - _TOLD:,} more" if len(self) > _TOLD else ""
        what = f"observations of {of}" if of else "observations"
        told = f"Of a user's {what}, on average, {listed(parts)}{more}"
        more = f" {ELSEWHERE}" if missed(self.warnings) else ""
        return f"{told}. Each interval holds {unless(self.confidence, self.assumes, each=True)}{more}"

    def _of_truth(self) -> str:
        return ENDED if missed(self.warnings) else ""

    def headline(self) -> list[tuple[str, str]]:
        kinds = [(self.interval_kind.partition(" ")[0], self.intervals)]
        if self.model_intervals is not None:
            kinds.append(("model", self.model_intervals))
        shown = [*self.value, *(end for _, own in kinds for ends in own for end in ends), *(self.truth or ())]
        digits = needed(decimals(max(map(half, kinds[-1][1]))), *shown)
        rows = [
            [
                level_name(q),
                f"{value:.{digits}f}",
                *(_ends(of[place], digits) for _, of in kinds),
                *([] if self.truth is None else [f"{self.truth[place]:.{digits}f}"]),
            ]
            for place, (q, value) in enumerate(zip(self.q, self.value, strict=True))
        ]
        header = ["", "value", *(name for name, _ in kinds), *([] if self.truth is None else ["truth"])]
        lines = [("" if at else "quantiles", text) for at, text in enumerate(aligned(header, rows[:_SHOWN], left=(0,)))]
        lines += [("", f"… {len(self) - _SHOWN} more")] if len(self) > _SHOWN else []
        return [*lines, ("intervals", f"{percent(self.confidence)} each, {self.interval_kind}")]

    def model(self) -> str:
        return "" if self.model_intervals is None else self.model_assumes

    def per_percent_empty(self) -> str:
        return "each quantile by one percent of the levels at most"

    def stated(self) -> tuple[Stated, ...]:
        names = [level_name(q) for q in self.q]
        ends = {"low": self.curve.low, "high": self.curve.high}
        kinds = (("quantile", self.intervals), ("quantile (model)", self.model_intervals))
        return (
            *(
                Stated(what=what, names=names, values=self.value, intervals=own, **ends)
                for what, own in kinds
                if own is not None
            ),
            self.curve.stated(),
        )

    def plot(self, axes: Axes | None = None) -> Axes:
        """Draw the distribution function in its band, and the quantiles with their intervals on it."""
        axes = self.curve.plot(axes)
        lows, highs = [ends[0] for ends in self.intervals], [ends[1] for ends in self.intervals]
        axes.hlines(self.q, lows, highs, "tab:blue", linewidth=4, alpha=0.45)
        axes.plot(self.value, self.q, "o", color="tab:blue", markersize=5)
        axes.set_title(f"{self}, ε = {self.privacy.epsilon:g}", loc="left")
        return axes

    def picture(self, *, truth: tuple[float, ...] | None = None, width: int = 60) -> str:
        """A line for each quantile on the range: ``├──┤`` its interval, ``●`` the estimate, ``▲`` the truth."""
        truth = self.truth if truth is None else truth
        if truth is not None and len(truth) != len(self):
            raise InvalidInput(f"truth has {len(truth)} levels, the estimate {len(self)}")
        scale = Scale(low=self.curve.low, high=self.curve.high, width=width)
        names = [level_name(q) for q in self.q]
        label = max(map(len, names))
        start, stop = f"{self.curve.low:g}", f"{self.curve.high:g}"
        lines = [f"{'':<{label}} {start}{stop:>{max(1, width - len(start))}}"]
        for place, (name, value, ends) in enumerate(zip(names, self.value, self.intervals, strict=True)):
            line = scale.line(value, ends, truth=None if truth is None else truth[place])
            lines.append(f"{name:<{label}} {line}")
        return "\n".join(lines)
