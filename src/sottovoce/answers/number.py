"""An answer that is one number with its interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sottovoce.answers.base import Answer, StandardError, decimals
from sottovoce.answers.pictures import Scale, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, kw_only=True, repr=False)
class Estimate(Answer):
    """A number with its interval."""

    kind: ClassVar[str] = "number"

    value: float
    interval: tuple[float, float]
    standard_error: StandardError
    low: float
    high: float

    @property
    def halfwidth(self) -> float:
        return (self.interval[1] - self.interval[0]) / 2

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.value:.4g}  [{low:.4g}, {high:.4g}] at {self.confidence:.0%}, {self.method}"

    def __repr__(self) -> str:
        return f"<Estimate {self}>"

    def headline(self) -> list[tuple[str, str]]:
        error = self.standard_error
        digits = decimals(self.halfwidth)
        ends = f"{self.interval[0]:.{digits}f} … {self.interval[1]:.{digits}f}"
        return [
            ("estimate", f"{self.value:.{digits}f}"),
            ("interval", f"{ends}  ({self.confidence:.0%}, {self.interval_kind})"),
            (
                "error",
                f"{error.total:.3g} = sampling {error.sampling:.3g} ⊕ privacy {error.privacy:.3g}"
                f" ⊕ localisation {error.localisation:.3g}",
            ),
        ]

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
        """The same picture in characters; ``▲`` the truth below."""
        scale = Scale(low=self.low, high=self.high, width=width)
        start, stop = f"{self.low:g}", f"{self.high:g}"
        rows = [f"{start} {scale.line(self.value, self.interval)} {stop}"]
        if truth is not None:
            rows.append(f"{' ' * len(start)} {' ' * scale.column(truth)}▲ truth {truth:.4f}")
        return "\n".join(rows)
