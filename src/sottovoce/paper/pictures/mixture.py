"""Means of mixtures (L1101–1146): four equal components, and three of which two are rare. 1,000 repetitions."""

from __future__ import annotations

from typing import Any

from sottovoce.paper.drawing import PALETTE, panels
from sottovoce.paper.experiments.mixture import LEVELS, line_of
from sottovoce.paper.figure import Rows, column


def draw_of(setting: int) -> Any:
    """A panel an α, and n or T."""

    def draw(rows: Rows, picture: Any) -> None:
        shown = [(v, a) for v in (("n", "T") if setting == 1 else ("n",)) for a in LEVELS]
        axes = panels(picture, 1, len(shown), sharey=True)[0]
        for place, (vary, alpha) in zip(axes, shown, strict=True):
            fixed = "T = 1000" if setting == 1 and vary == "n" else "n = 1000" if vary == "T" else "T = 500"
            place.set_title(f"α = {alpha:g}, {fixed}")
            place.set_xlabel(vary)
            for k in sorted({row["component"] for row in rows}):
                line = line_of(rows, vary, alpha, k)
                x, mean, sd = column(line, vary), column(line, "mean"), column(line, "sd")
                place.plot(x, mean, color=PALETTE[k - 1], marker="os^D"[k - 1], markevery=max(1, len(x) // 8))
                place.fill_between(x, mean - sd, mean + sd, color=PALETTE[k - 1], alpha=0.2, linewidth=0)
                place.axhline(line[0]["truth"], color=PALETTE[k - 1], linestyle=":", linewidth=0.9)
            place.set_ylim(-1.15, 1.15)
        axes[0].set_ylabel("estimate ± one standard deviation\n(dotted: truth)")

    return draw
