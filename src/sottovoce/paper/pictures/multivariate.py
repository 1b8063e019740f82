"""Vector means (L884–898): d = 8, 16, 32, two settings, four procedures; n = 4000, T = 400, 500 repetitions."""

from __future__ import annotations

from typing import Any

from sottovoce.paper.drawing import PALETTE, legend_below, panels
from sottovoce.paper.experiments.multivariate import DIMENSIONS, LEVELS, SCHEMES
from sottovoce.paper.figure import (
    Rows,
    pick,
)


def draw(rows: Rows, picture: Any) -> None:
    """Bars are points here: a panel a setting and α."""
    axes = panels(picture, 1, 4, sharey=True)[0]
    for place, (setting, alpha) in zip(axes, ((s, a) for s in (1, 2) for a in LEVELS), strict=True):
        place.set_yscale("log")
        place.set_title(f"setting {setting}, α = {alpha:g}")
        place.set_xscale("log", base=2)
        place.set_xticks(DIMENSIONS, [str(d) for d in DIMENSIONS])
        place.set_xlabel("d")
        for i, scheme in enumerate(SCHEMES):
            chosen = [pick(rows, setting=setting, alpha=alpha, scheme=scheme, d=d)[0] for d in DIMENSIONS]
            place.errorbar(
                DIMENSIONS, [row["mse"] for row in chosen], [2 * row["se"] for row in chosen], color=PALETTE[i],
                marker="os^D"[i], capsize=3, label=scheme,
            )  # fmt: skip
    axes[0].set_ylabel("mean squared error (ℓ2)")
    legend_below(picture, axes[0], columns=4)
