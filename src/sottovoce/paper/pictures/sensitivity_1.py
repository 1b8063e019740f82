"""Sensitivity, setting 1 (L1031): which distribution suffers from a small constant in Δ. 10,000 repetitions."""

from __future__ import annotations

from typing import Any

from sottovoce.paper.drawing import INK, MARKERS, PALETTE, Look, legend_beside, name_axes, panels, ribbon
from sottovoce.paper.experiments.sensitivity_1 import LEVELS, SHAPES
from sottovoce.paper.figure import Rows, column, pick

_COLOURS = (*PALETTE[:4], INK)


def draw(rows: Rows, picture: Any) -> None:
    """A panel an α."""
    axes = panels(picture, 1, len(LEVELS))
    for place, alpha in zip(axes[0], LEVELS, strict=True):
        place.set_yscale("log")
        place.set_title(f"α = {alpha:g}")
        for i, p in enumerate(SHAPES):
            chosen = sorted(pick(rows, p=p, alpha=alpha), key=lambda row: row["C"])
            look = Look(colour=_COLOURS[i], marker=MARKERS[i])
            ribbon(place, column(chosen, "C"), column(chosen, "mse"), column(chosen, "se"), look=look,
                   label=f"p = {p:g}")  # fmt: skip
    name_axes(picture, axes, x="C in Δ = C√(log(nTα²)/T)", y="mean squared error")
    legend_beside(picture, axes, columns=5, title="2·Beta(p, p) − 1")
