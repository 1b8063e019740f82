"""Sensitivity, setting 1 (L1031): which distribution suffers from a small constant in Δ. 10,000 repetitions."""

from __future__ import annotations

from typing import Any

from sottovoce.paper.drawing import INK, MARKERS, PALETTE, Look, curve, legend_beside, name_axes, panels
from sottovoce.paper.experiments.sensitivity_1 import LEVELS, SHAPES
from sottovoce.paper.figure import Rows, along

_COLOURS = (*PALETTE[:4], INK)


def draw(rows: Rows, picture: Any) -> None:
    """A panel an α."""
    axes = panels(picture, 1, len(LEVELS))
    for place, alpha in zip(axes[0], LEVELS, strict=True):
        place.set_yscale("log")
        place.set_title(f"α = {alpha:g}")
        for i, p in enumerate(SHAPES):
            chosen = along(rows, "C", p=p, alpha=alpha)
            look = Look(colour=_COLOURS[i], marker=MARKERS[i])
            curve(place, chosen, "C", look=look, label=f"p = {p:g}")
    name_axes(picture, axes, x="C in Δ = C√(log(nTα²)/T)", y="mean squared error")
    legend_beside(picture, axes, columns=5, title="2·Beta(p, p) − 1")
