"""Vector means (L884–898): d = 8, 16, 32, two settings, four procedures; n = 4000, T = 400, 500 repetitions."""

from __future__ import annotations

from typing import Any

from sottovoce.paper.drawing import curve_with_bars, legend_beside, name_axes, panels, with_others, with_ours
from sottovoce.paper.experiments.multivariate import DIMENSIONS, LEVELS, SCHEMES
from sottovoce.paper.figure import Rows, along

SERIES = with_ours(dict(zip(SCHEMES, ("-.", "--", "-", ":"), strict=True)))


def draw(rows: Rows, picture: Any) -> None:
    """A panel a setting and α, a line a procedure, with two standard errors."""
    axes = panels(picture, 1, 4, sharey=True)
    series = with_others(SERIES, [row["scheme"] for row in rows])
    for place, (setting, alpha) in zip(axes[0], ((s, a) for s in (1, 2) for a in LEVELS), strict=True):
        place.set_yscale("log")
        place.set_title(f"setting {setting}, α = {alpha:g}")
        place.set_xscale("log", base=2)
        place.set_xticks(DIMENSIONS, [str(d) for d in DIMENSIONS])
        for scheme, (label, look) in series.items():
            chosen = along(rows, "d", setting=setting, alpha=alpha, scheme=scheme)
            if chosen:
                curve_with_bars(place, chosen, "d", look=look, label=label)
    name_axes(picture, axes, x="d", y="mean squared error (ℓ2)")
    legend_beside(picture, axes, columns=3)
