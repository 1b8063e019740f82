"""Pictures of an estimate: in characters, or with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sottovoce.messages import MissingExtra

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from sottovoce.answers.base import Estimate


def text_interval(estimate: Estimate, *, truth: float | None = None, width: int = 60) -> str:
    """The declared range as a line: ``├──┤`` the interval, ``●`` the estimate, ``▲`` the truth below."""
    span = estimate.high - estimate.low

    def column(value: float) -> int:
        return min(width - 1, max(0, round((value - estimate.low) / span * (width - 1))))

    line = ["·"] * width
    left, right = column(estimate.interval[0]), column(estimate.interval[1])
    line[left : right + 1] = "─" * (right - left + 1)
    line[left], line[right] = "├", "┤"
    line[column(estimate.value)] = "●"
    ends = f"{estimate.low:g}", f"{estimate.high:g}"
    margin = " " * (len(ends[0]) + 1)
    rows = [f"{ends[0]} {''.join(line)} {ends[1]}"]
    if truth is not None:
        rows.append(f"{margin}{' ' * column(truth)}▲ truth {truth:.4f}")
    return "\n".join(rows)


def plot_interval(estimate: Estimate, axes: Axes | None = None) -> Axes:
    """The estimate with its interval on the declared range."""
    if axes is None:
        try:
            import matplotlib.pyplot as plt
        except ImportError as error:
            raise MissingExtra('plots need matplotlib: pip install "sottovoce[plot]"') from error
        axes = plt.subplots(figsize=(7, 1.6), layout="constrained")[1]
    low, high = estimate.interval
    axes.hlines(0, estimate.low, estimate.high, color="0.85", linewidth=2)
    axes.hlines(0, low, high, color="tab:blue", linewidth=6, alpha=0.35)
    axes.plot([estimate.value], [0], "o", color="tab:blue")
    axes.set_xlim(estimate.low, estimate.high)
    axes.set_yticks([])
    for side in ("left", "right", "top"):
        axes.spines[side].set_visible(False)
    axes.set_title(f"{estimate.value:.4g}  [{low:.4g}, {high:.4g}], ε = {estimate.privacy.epsilon:g}", loc="left")
    return axes
