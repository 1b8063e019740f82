"""A density as an answer: it evaluates, integrates, draws itself, and becomes a true density on request."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sottovoce.answers.base import Answer, StandardError, check_lengths
from sottovoce.answers.intervals import two_sided
from sottovoce.answers.pictures import new_axes
from sottovoce.messages import InvalidInput

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
Interval = tuple[float, float]
_GRID = 2**14
_POINTS = 101
_EIGHTHS = " ▁▂▃▄▅▆▇█"


def waves(unit: Floats, count: int) -> Floats:
    """φ₁ … φ_count of the trigonometric basis (L316) at points of the unit interval: ``(points, count)``."""
    number = np.arange(1, count + 1)
    turns = 2 * math.pi * np.asarray(unit, dtype=np.float64)[:, None] * (number // 2)
    basis = math.sqrt(2) * np.where(number % 2 == 0, np.cos(turns), np.sin(turns))
    basis[:, 0] = 1.0
    return np.asarray(basis)


@dataclass(frozen=True, kw_only=True, repr=False)
class DensityEstimate(Answer):
    """f̂ = Σ_j θ̂_j φ_j on [low, high], the first M trigonometric coefficients; call it with points.

    θ₁ = 1 is known, so f̂ integrates to one; where data are few it may dip below zero. `projected` gives the nearest
    density (in L2) that does not. `band` covers, at each point, the density that has only the first M coefficients;
    what the M coefficients cannot express (truncation) is not covered, and for a density whose ends differ it is
    large near them. `shift` is what a projection has taken off, or None.
    """

    kind: ClassVar[str] = "density"
    beside: ClassVar[tuple[str, ...]] = (*Answer.beside, "curve", "mean", "quartiles")
    pictured: ClassVar[tuple[str, ...]] = ("shape",)

    coefficients: tuple[float, ...]
    coefficient_intervals: tuple[Interval, ...]
    coefficient_errors: tuple[StandardError, ...]
    low: float
    high: float
    smoothness: float
    shift: float | None = None

    def __post_init__(self) -> None:
        parts = (self.coefficient_intervals, self.coefficient_errors)
        check_lengths("a density estimate", "coefficients", len(self.coefficients), *parts)

    def __call__(self, points: ArrayLike) -> Floats:
        """The density at `points`, of the same shape; zero outside [low, high]."""
        where = np.asarray(points, dtype=np.float64)
        unit = ((where - self.low) / self._width).ravel()
        height = waves(unit, len(self.coefficients)) @ np.array(self.coefficients) / self._width
        if self.shift is not None:
            height = np.maximum(height - self.shift, 0.0)
        return np.where((unit >= 0) & (unit <= 1), height, 0.0).reshape(where.shape)

    @property
    def _width(self) -> float:
        return self.high - self.low

    @cached_property
    def _points(self) -> Floats:
        return np.linspace(self.low, self.high, _GRID + 1)

    @property
    def integral(self) -> float:
        """Over [low, high]: one, exactly for the estimate itself, to 1e-6 for its projection."""
        return self.coefficients[0] if self.shift is None else self._average(self(self._points)) * self._width

    def _average(self, heights: Floats) -> float:
        """The mean over an even grid, by the trapezoid rule."""
        return float((heights.sum() - (heights[0] + heights[-1]) / 2) / _GRID)

    def projected(self) -> DensityEstimate:
        """The nearest function that is nowhere negative and integrates to one: max(f̂ − c, 0), c by bisection."""
        if self.shift is not None:
            return self
        heights = self(self._points)
        least, most = 0.0, float(heights.max())
        for _ in range(100):
            middle = (least + most) / 2
            if self._average(np.maximum(heights - middle, 0.0)) * self._width > 1:
                least = middle
            else:
                most = middle
        return replace(self, shift=least)

    def standard_error(self, points: ArrayLike) -> Floats:
        """The standard error of f̂ at each point: users, noise and votes, truncation apart."""
        where = np.asarray(points, dtype=np.float64)
        basis = waves(((where - self.low) / self._width).ravel(), len(self.coefficients))
        variance = np.array([error.total**2 for error in self.coefficient_errors])
        return np.asarray(np.sqrt(basis**2 @ variance) / self._width).reshape(where.shape)

    def band(self, points: ArrayLike) -> tuple[Floats, Floats]:
        """Pointwise ends at `confidence` for the density with only M coefficients; see the class on truncation."""
        heights = replace(self, shift=None)(points)
        reach = two_sided(self.confidence) * self.standard_error(points)
        low, high = heights - reach, heights + reach
        if self.shift is None:
            return low, high
        own = self(points)
        return np.minimum(np.maximum(low, 0.0), own), np.maximum(np.maximum(high, 0.0), own)

    @property
    def mean(self) -> float:
        """∫ x f̂(x) dx."""
        return self._average(self._points * self(self._points)) * self._width

    def quantiles(self, levels: Sequence[float]) -> tuple[float, ...]:
        """Where the projected density has so much of its mass below."""
        if not all(0 <= level <= 1 for level in levels):
            raise InvalidInput(f"levels must lie between 0 and 1; got {list(levels)}")
        heights = self.projected()(self._points)
        mass = np.concatenate(([0.0], np.cumsum((heights[1:] + heights[:-1]) / 2)))
        return tuple(float(np.interp(level * mass[-1], mass, self._points)) for level in levels)

    def details(self) -> dict[str, Any]:
        """The curve without negative parts, its mean and its quartiles."""
        true = self.projected()
        points = np.linspace(self.low, self.high, _POINTS)
        low, high = true.band(points)
        curve = {"points": points, "density": true(points), "band_low": low, "band_high": high}
        return {
            "curve": {name: values.tolist() for name, values in curve.items()},
            "mean": true.mean,
            "quartiles": list(true.quantiles((0.25, 0.5, 0.75))),
        }

    def __str__(self) -> str:
        end = "" if self.shift is None else ", projected"
        return f"{len(self.coefficients)} coefficients on [{self.low:g}, {self.high:g}], {self.method}{end}"

    def __repr__(self) -> str:
        return f"<DensityEstimate {self}>"

    def headline(self) -> list[tuple[str, str]]:
        error = math.sqrt(sum(one.total**2 for one in self.coefficient_errors))
        shown = ", ".join(f"{value:.3f}" for value in self.coefficients[:8])
        more = ", …" if len(self.coefficients) > 8 else ""
        return [
            ("density", f"{len(self.coefficients)} trigonometric coefficients on [{self.low:g}, {self.high:g}]"),
            ("shape", self.picture(rows=1)),
            ("θ", shown + more),
            ("intervals", f"{self.confidence:.0%}, {self.interval_kind}"),
            ("error", f"{error:.4f} in L2 on the unit interval, truncation apart"),
        ]

    def plot(self, axes: Axes | None = None) -> Axes:
        """Draw the density, with its pointwise band behind it (needs the extra ``plot``)."""
        if axes is None:
            axes = new_axes((7, 3))
        points = np.linspace(self.low, self.high, 513)
        low, high = self.band(points)
        axes.fill_between(points, low, high, color="tab:blue", alpha=0.25, linewidth=0)
        axes.plot(points, self(points), color="tab:blue")
        axes.axhline(0.0, color="0.85", linewidth=1)
        axes.set_xlim(self.low, self.high)
        for side in ("right", "top"):
            axes.spines[side].set_visible(False)
        axes.set_title(f"{len(self.coefficients)} coefficients, ε = {self.privacy.epsilon:g}", loc="left")
        return axes

    def picture(self, *, width: int = 60, rows: int = 8) -> str:
        """The same picture in eighths of a character; what lies below zero is not drawn."""
        heights = np.maximum(self(self.low + self._width / width * (np.arange(width) + 0.5)), 0.0)
        filled = np.rint(heights / max(float(heights.max()), 1e-300) * 8 * rows).astype(int)
        lines = ["".join(_EIGHTHS[min(8, max(0, top - 8 * row))] for top in filled) for row in reversed(range(rows))]
        if rows > 1:
            left, right = f"{self.low:g}", f"{self.high:g}"
            lines.append(f"{left}{right:>{max(1, width - len(left))}}")
        return "\n".join(lines)
