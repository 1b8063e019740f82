"""Pictures of a density: in characters, or with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sottovoce.messages import MissingExtra

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from sottovoce.answers.density import DensityEstimate

_EIGHTHS = " ▁▂▃▄▅▆▇█"


def text_density(estimate: DensityEstimate, *, width: int = 60, rows: int = 8) -> str:
    """Columns of eighths of a character; with more than one row, the range below."""
    step = (estimate.high - estimate.low) / width
    heights = np.maximum(estimate(estimate.low + step * (np.arange(width) + 0.5)), 0.0)
    filled = np.rint(heights / max(float(heights.max()), 1e-300) * 8 * rows).astype(int)
    lines = ["".join(_EIGHTHS[min(8, max(0, level - 8 * row))] for level in filled) for row in reversed(range(rows))]
    if rows > 1:
        left, right = f"{estimate.low:g}", f"{estimate.high:g}"
        lines.append(f"{left}{right:>{max(1, width - len(left))}}")
    return "\n".join(lines)


def plot_density(estimate: DensityEstimate, axes: Axes | None = None) -> Axes:
    """The density, with its pointwise band behind it."""
    if axes is None:
        try:
            import matplotlib.pyplot as plt
        except ImportError as error:
            raise MissingExtra('plots need matplotlib: pip install "sottovoce[plot]"') from error
        axes = plt.subplots(figsize=(7, 3), layout="constrained")[1]
    points = np.linspace(estimate.low, estimate.high, 513)
    low, high = estimate.band(points)
    axes.fill_between(points, low, high, color="tab:blue", alpha=0.25, linewidth=0)
    axes.plot(points, estimate(points), color="tab:blue")
    axes.axhline(0.0, color="0.85", linewidth=1)
    axes.set_xlim(estimate.low, estimate.high)
    for side in ("right", "top"):
        axes.spines[side].set_visible(False)
    axes.set_title(f"{len(estimate.coefficients)} coefficients, ε = {estimate.privacy.epsilon:g}", loc="left")
    return axes
