"""Sensitivity, setting 1 (L1031): which distribution suffers from a small constant in Δ. 10,000 repetitions."""

from __future__ import annotations

from typing import Any

from sottovoce.paper.drawing import MARKERS, PALETTE, legend_below, panels, ribbon
from sottovoce.paper.experiments.sensitivity_1 import LEVELS, SHAPES
from sottovoce.paper.figure import Rows, column, pick


def draw(rows: Rows, picture: Any) -> None:
    """A panel an α."""
    axes = panels(picture, 1, 3)[0]
    for place, alpha in zip(axes, LEVELS, strict=True):
        place.set_yscale("log")
        place.set_title(f"α = {alpha:g}")
        place.set_xlabel("C in Δ = C√(log(nTα²)/T)")
        for i, p in enumerate(SHAPES):
            chosen = sorted(pick(rows, p=p, alpha=alpha), key=lambda row: row["C"])
            ribbon(place, column(chosen, "C"), column(chosen, "mse"), column(chosen, "se"),
                   colour=PALETTE[i], marker=MARKERS[i], label=f"p = {p:g}")  # fmt: skip
    axes[0].set_ylabel("mean squared error")
    legend_below(picture, axes[0], columns=5, title="2·Beta(p, p) − 1")
