"""A wrong sparsity (L1092–1099): d = 100, s = 4, n = 1000, T = 200, assumed s = 1 … 8."""

from __future__ import annotations

from typing import Any

from sottovoce.paper.drawing import ALPHA_STYLE, legend_below, panels, ribbon
from sottovoce.paper.experiments.misspecification import CHANCES, RULES, TRUE, bias
from sottovoce.paper.figure import (
    Rows,
    column,
    pick,
)


def draw(rows: Rows, picture: Any) -> None:
    """A panel a p and a rule."""
    axes = panels(picture, 1, 4, sharey=True)[0]
    for place, (rule, p) in zip(axes, ((rule, p) for rule in RULES for p in CHANCES), strict=True):
        place.set_yscale("log")
        place.set_title(f"p = {p:g}, {rule}")
        place.set_xlabel("assumed sparsity (true: 4)")
        for alpha, (colour, marker) in ALPHA_STYLE.items():
            line = sorted(pick(rows, p=p, rule=rule, alpha=alpha), key=lambda row: row["assumed"])
            ribbon(place, column(line, "assumed"), column(line, "mse"), column(line, "se"), colour=colour,
                   marker=marker, label=f"α = {alpha:g}")  # fmt: skip
        place.plot((1, 2, 3), [bias(p, a) for a in (1, 2, 3)], color="0.3", linestyle=":", label="missed (4 − s)·θ²")
        place.axvline(TRUE, color="0.7", linewidth=0.8)
    axes[0].set_ylabel("mean squared error")
    legend_below(picture, axes[0], columns=5)
