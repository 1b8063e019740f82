"""Four schemes for one mean (L860–877): Unif[0, 1] + U, n = 500, T = 10² … 10⁴, 500 repetitions."""

from __future__ import annotations

from typing import Any

from sottovoce.paper.drawing import ALPHA_STYLE, legend_below, panels, ribbon
from sottovoce.paper.experiments.univariate import SCHEMES
from sottovoce.paper.figure import Rows, column, pick


def draw(rows: Rows, picture: Any) -> None:
    """The paper's ratio on the left, the errors themselves on the right."""
    (left, right) = panels(picture, 1, 2)[0]
    for axes in (left, right):
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("T, observations per user")
    lines = {"semi user": "--", "split user": ":", "user level": "-", "full item": "-."}
    for alpha, (colour, marker) in ALPHA_STYLE.items():
        for scheme in SCHEMES:
            chosen = pick(rows, alpha=alpha, scheme=scheme)
            x = column(chosen, "T")
            if scheme != "full item":
                ribbon(
                    left, x, column(chosen, "ratio"), column(chosen, "ratio_se"), colour=colour, line=lines[scheme],
                    marker=marker if scheme == "user level" else "",
                )  # fmt: skip
            ribbon(right, x, column(chosen, "mse"), column(chosen, "se"), colour=colour, line=lines[scheme],
                   marker=marker if scheme == "user level" else "")  # fmt: skip
    left.set_title("mean squared error / that of full item")
    right.set_title("mean squared error")
    for alpha, (colour, marker) in ALPHA_STYLE.items():
        left.plot([], [], color=colour, marker=marker, label=f"α = {alpha:g}")
    for scheme in SCHEMES:
        left.plot([], [], color="0.3", linestyle=lines[scheme], label=scheme)
    legend_below(picture, left, columns=4)
