"""An answer that is one number with its interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sottovoce.answers.base import Answer, StandardError, decimals

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, kw_only=True, repr=False)
class Estimate(Answer):
    """A number with its interval."""

    value: float
    interval: tuple[float, float]
    standard_error: StandardError
    low: float
    high: float

    @property
    def halfwidth(self) -> float:
        return (self.interval[1] - self.interval[0]) / 2

    def to_dict(self) -> dict[str, Any]:
        """Plain data; what `to_json` writes."""
        plain = super().to_dict()
        plain["standard_error"]["total"] = self.standard_error.total
        return plain

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
        from sottovoce.answers.pictures import plot_interval

        return plot_interval(self, axes)

    def picture(self, *, truth: float | None = None, width: int = 60) -> str:
        """The same picture in characters."""
        from sottovoce.answers.pictures import text_interval

        return text_interval(self, truth=truth, width=width)
