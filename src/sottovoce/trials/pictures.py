"""A comparison drawn with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sottovoce.answers import new_axes
from sottovoce.trials.rows import Found

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def curves(found: Found, axes: Axes | None = None) -> Axes:
    """RMSE against ε, both on logarithmic scales; a line for each method, with standard errors."""
    if axes is None:
        axes = new_axes((7, 4.5))
    for method in found.methods:
        rows = [found.row(method, epsilon) for epsilon in sorted(found.epsilons)]
        ran = [(row.epsilon, row.performance) for row in rows if row.performance is not None]
        if not ran:
            continue
        weaker = not all(row.whole_collection for row in rows)
        axes.errorbar(
            [epsilon for epsilon, _ in ran],
            [seen.rmse for _, seen in ran],
            yerr=[seen.rmse_se or 0.0 for _, seen in ran],
            marker="o",
            markersize=4,
            capsize=2,
            linestyle="--" if weaker else "-",
            linewidth=2 if method == found.reference else 1,
            label=f"{method} (one item)" if weaker else method,
        )
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks(found.epsilons, [f"{epsilon:g}" for epsilon in found.epsilons])
    axes.minorticks_off()
    axes.set_xlabel("ε")
    axes.set_ylabel(f"RMSE of the {found.problem.name}")
    axes.set_title(f"{found.repetitions:,} repetitions, ± standard error", loc="left")
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.01, 1.0))  # lines are everywhere inside
    return axes
