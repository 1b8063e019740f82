"""Four schemes for one mean (L860–877): Unif[0, 1] + U, n = 500, T = 10² … 10⁴, 500 repetitions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sottovoce.paper.constants import ALPHAS
from sottovoce.paper.drawing import curve, legend_beside, line, name_axes, panels, with_ours
from sottovoce.paper.figure import Rows, along, column

_LINES = {"full item": "-.", "semi user": "--", "split user": ":", "user level": "-"}
SERIES = with_ours(_LINES)
EXACT = {"ratio": "exact_ratio", "mse": "exact"}
"""What a column is without simulation, where that is known."""


def draw(rows: Rows, picture: Any) -> None:
    """A column an α: the paper's ratio to full item above, the errors themselves below."""
    axes = panels(picture, 2, len(ALPHAS), sharey="row")
    for across, name in zip(axes, ("ratio", "mse"), strict=True):
        for place, alpha in zip(across, ALPHAS, strict=True):
            place.set_xscale("log")
            place.set_yscale("log")
            place.set_title(f"α = {alpha:g}, {'error / full item' if name == 'ratio' else 'error'}")
            for scheme, (label, look) in SERIES.items():
                chosen = along(rows, "T", alpha=alpha, scheme=scheme)
                chosen = [row for row in chosen if row.get(name) is not None]
                if not chosen or (name, scheme) == ("ratio", "full item"):
                    continue
                error = "ratio_se" if name == "ratio" else "se"
                curve(place, chosen, "T", name, error, look=look, label=label)
                exact = [row for row in chosen if row.get(EXACT[name]) is not None]
                if exact:
                    plain = replace(look, marker="v", hollow=True)
                    x, y = column(exact, "T"), column(exact, EXACT[name])
                    line(place, x, y, look=plain, label=f"{label}, exact risk")
    name_axes(picture, axes, x="T, observations per user", y="mean squared error")
    for place in axes[0]:
        if place.get_ylabel():
            place.set_ylabel("ratio of errors")
    legend_beside(picture, axes, columns=4)
