"""Sensitivity, setting 2 (L1034): Rademacher + U, the constant in Δ against n (2a) and against T (2b)."""

from __future__ import annotations

from typing import Any

from sottovoce.paper.constants import ALPHAS
from sottovoce.paper.drawing import GREY, MARKERS, Look, curve, legend_beside, name_axes, panels
from sottovoce.paper.figure import Rows, along, values_of
from sottovoce.theory import experiment_constant


def draw_of(vary: str) -> Any:
    """A panel an α, a line a size: the larger, the lighter."""

    def draw(rows: Rows, picture: Any) -> None:
        import matplotlib

        axes = panels(picture, 1, len(ALPHAS))
        sizes = values_of(rows, vary)
        shades = matplotlib.colormaps["viridis"]
        for place, alpha in zip(axes[0], ALPHAS, strict=True):
            place.set_yscale("log")
            place.set_title(f"α = {alpha:g}")
            for i, size in enumerate(sizes):
                chosen = along(rows, "C", alpha=alpha, **{vary: size})
                colour = matplotlib.colors.to_hex(shades(0.1 + 0.72 * i / max(1, len(sizes) - 1)))
                look = Look(colour=colour, marker=MARKERS[i % len(MARKERS)])
                curve(place, chosen, "C", look=look, label=f"{vary} = {size}")
            place.axvline(
                experiment_constant(alpha), color=GREY, linestyle=":", linewidth=1.2, label="the paper's constant"
            )
        name_axes(picture, axes, x="C", y="mean squared error")
        legend_beside(picture, axes, columns=5)

    return draw
