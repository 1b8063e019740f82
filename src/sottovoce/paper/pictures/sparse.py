"""Sparse means against the dimension (L899–935): s = 4, n = T = ⌊√(10 d log d)⌋, 500 repetitions."""

from __future__ import annotations

from typing import Any

from sottovoce.paper.drawing import ALPHA_STYLE, legend_below, panels, ribbon
from sottovoce.paper.experiments.sparse import CHANCES, RULES, SPARSITY, line_of
from sottovoce.paper.figure import (
    Rows,
    column,
)


def draw(rows: Rows, picture: Any) -> None:
    """A row a p, a column a rule."""
    axes = panels(picture, 2, 4, sharex=True, sharey="row")
    order = ("item level", *RULES[:3])
    for across, p in zip(axes, CHANCES, strict=True):
        for place, rule in zip(across, order, strict=True):
            place.set_xscale("log")
            place.set_yscale("log")
            for alpha, (colour, marker) in ALPHA_STYLE.items():
                line = line_of(rows, rule, p, alpha)
                ribbon(place, column(line, "d"), column(line, "mse"), column(line, "se"), colour=colour,
                       marker=marker, label=f"α = {alpha:g}", times=1)  # fmt: skip
            place.axhline(SPARSITY * (2 * p - 1) ** 2, color="0.5", linewidth=0.8, linestyle=":")
        across[0].set_ylabel(f"p = {p:g}: error")
    for place, rule in zip(axes[0], order, strict=True):
        place.set_title(rule if rule == "item level" else f"user: {rule}")
    for place in axes[1]:
        place.set_xlabel("d")
    legend_below(picture, axes[0, 0], columns=4, title="dotted: the error of answering zero")
