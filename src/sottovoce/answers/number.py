"""An answer that is one number with its interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sottovoce.answers.base import Answer, StandardError, decimals
from sottovoce.answers.colluders import Colluders
from sottovoce.answers.intervals import part, percent
from sottovoce.answers.pictures import Scale, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
        return f"{self.value:.4g}  [{low:.4g}, {high:.4g}] at {percent(self.confidence)}, {self.method}"

    def __repr__(self) -> str:
        return f"<Estimate {self}>"

    def headline(self) -> list[tuple[str, str]]:
        digits = decimals(self.halfwidth)
        said = [
            ("estimate", f"{self.value:.{digits}f}"),
            ("interval", f"{self._ends(self.interval)}  ({percent(self.confidence)}, {self.interval_kind})"),
        ]
        if self.truth is not None:
            held = self.interval[0] <= self.truth <= self.interval[1]
            where = "inside the interval" if held else "outside the interval"
            said.insert(1, ("truth", f"{self.truth:.{digits}f}, which a survey does not see; {where}"))
        if self.assumes:
            said.append(("assumes", self.assumes))
        if self.model_interval is not None:
            said.append(
                ("model", f"{self._ends(self.model_interval)}  ({percent(self.confidence)}), {self.model_assumes}")
            )
        if self.detection_limit is not None and self.hidden_shift:
            said.append(("hidden", self._hidden(self.detection_limit, self.hidden_shift)))
        if self.instead:
            said.append(("instead", self.instead))
        said.append(("error", self.standard_error.statement))
        if self.colluders is not None:
            said.append(("colluders", self.colluders.statement))
        return said

    def _ends(self, interval: tuple[float, float]) -> str:
        digits = decimals((interval[1] - interval[0]) / 2)
        return f"{interval[0]:.{digits}f} … {interval[1]:.{digits}f}"

    def _hidden(self, share: float, shift: float) -> str:
        return f"up to {part(share)} of the users could be elsewhere unseen and move the truth by {shift:.3g}"

    def plot(self, axes: Axes | None = None) -> Axes:
        """Draw the estimate and its interval on the declared range (needs the extra ``plot``)."""
        if axes is None:
            axes = new_axes((7, 1.6))
        low, high = self.interval
        axes.hlines(0, self.low, self.high, color="0.85", linewidth=2)
        axes.hlines(0, low, high, color="tab:blue", linewidth=6, alpha=0.35)
        axes.plot([self.value], [0], "o", color="tab:blue")
        axes.set_xlim(self.low, self.high)
        axes.set_yticks([])
        for side in ("left", "right", "top"):
            axes.spines[side].set_visible(False)
        axes.set_title(f"{self.value:.4g}  [{low:.4g}, {high:.4g}], ε = {self.privacy.epsilon:g}", loc="left")
        return axes

    def picture(self, *, truth: float | None = None, width: int = 60) -> str:
        """The same picture in characters; ``▲`` the truth below, in a rehearsal by itself."""
        truth = self.truth if truth is None else truth
        scale = Scale(low=self.low, high=self.high, width=width)
        start, stop = f"{self.low:g}", f"{self.high:g}"
        rows = [f"{start} {scale.line(self.value, self.interval)} {stop}"]
        if truth is not None:
            rows.append(f"{' ' * len(start)} {' ' * scale.column(truth)}▲ truth {truth:.4f}")
        return "\n".join(rows)
