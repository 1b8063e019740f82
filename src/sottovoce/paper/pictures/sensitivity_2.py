"""Sensitivity, setting 2 (L1034): Rademacher + U, the constant in Δ against n (2a) and against T (2b)."""

from __future__ import annotations

from typing import Any

from sottovoce.paper.constants import ALPHAS
from sottovoce.paper.drawing import panels, ribbon
from sottovoce.paper.figure import Rows, column, pick, values_of
from sottovoce.theory import experiment_constant


def draw_of(vary: str) -> Any:
    """A panel an α, a line a size."""

    def draw(rows: Rows, picture: Any) -> None:
        import matplotlib

        axes = panels(picture, 1, 4, sharey=False)[0]
        sizes = values_of(rows, vary)
        shades = matplotlib.colormaps["cividis"]
        for place, alpha in zip(axes, ALPHAS, strict=True):
            place.set_yscale("log")
            place.set_title(f"α = {alpha:g}")
            place.set_xlabel("C")
            for i, size in enumerate(sizes):
                chosen = sorted(pick(rows, alpha=alpha, **{vary: size}), key=lambda row: row["C"])
                ribbon(place, column(chosen, "C"), column(chosen, "mse"), column(chosen, "se"),
                       colour=shades(0.95 * i / max(1, len(sizes) - 1)), label=f"{size}")  # fmt: skip
            place.axvline(experiment_constant(alpha), color="0.4", linestyle=":", linewidth=1)
        axes[0].set_ylabel("mean squared error")
        handles, labels = axes[0].get_legend_handles_labels()
        picture.legend(handles, labels, loc="outside lower center", ncols=9, title=f"{vary} (dotted: C_α)")

    return draw
