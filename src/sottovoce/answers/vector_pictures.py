"""Pictures of a vector estimate: in characters, or with matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sottovoce.answers.vector import first_and_last
from sottovoce.messages import InvalidInput, MissingExtra

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from sottovoce.answers.vector import VectorEstimate

_TICKS = 40


def text_intervals(
    estimate: VectorEstimate, *, truth: Sequence[float] | None = None, width: int = 60, rows: int = 16
) -> str:
    """A line for each coordinate on one common scale: ``├──┤`` the interval, ``●`` the estimate, ``▲`` the truth."""
    if truth is not None and len(truth) != len(estimate):
        raise InvalidInput(f"truth has {len(truth)} coordinates, the estimate {len(estimate)}")
    start, stop = min(estimate.low), max(estimate.high)

    def column(value: float) -> int:
        return min(width - 1, max(0, round((value - start) / (stop - start) * (width - 1))))

    first, last = first_and_last(len(estimate), rows)
    label = max(len(estimate.names[index][:12]) for index in (*first, *last))
    lines = [f"{'':<{label}} {start:<{width // 2}g}{stop:>{width - width // 2}g}"]
    for index in (*first, *last):
        line = ["·"] * width
        left, right = (column(end) for end in estimate.intervals[index])
        line[left : right + 1] = "─" * (right - left + 1)
        line[left], line[right] = "├", "┤"
        line[column(estimate.value[index])] = "●"
        if truth is not None:
            line[column(truth[index])] = "▲"
        lines.append(f"{estimate.names[index][:12]:<{label}} {''.join(line)}")
    if len(estimate) > rows:
        lines.insert(1 + len(first), f"… {len(estimate) - rows} more")
    return "\n".join(lines)


def plot_intervals(estimate: VectorEstimate, axes: Axes | None = None) -> Axes:
    """Every coordinate with its interval, the simultaneous one behind it."""
    if axes is None:
        try:
            import matplotlib.pyplot as plt
        except ImportError as error:
            raise MissingExtra('plots need matplotlib: pip install "sottovoce[plot]"') from error
        axes = plt.subplots(figsize=(7, 3), layout="constrained")[1]
    places = list(range(len(estimate)))
    for pairs, alpha in ((estimate.simultaneous, 0.2), (estimate.intervals, 0.45)):
        axes.vlines(places, [one[0] for one in pairs], [one[1] for one in pairs], "tab:blue", linewidth=4, alpha=alpha)
    axes.plot(places, estimate.value, "o", color="tab:blue", markersize=4)
    if len(estimate) <= _TICKS:
        axes.set_xticks(places, estimate.names)
    for side in ("right", "top"):
        axes.spines[side].set_visible(False)
    axes.set_title(f"{len(estimate)} coordinates, ε = {estimate.privacy.epsilon:g}", loc="left")
    return axes
