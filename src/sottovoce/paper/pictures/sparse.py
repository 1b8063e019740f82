"""Sparse means against the dimension (L899–935): s = 4, n = T = ⌊√(10 d log d)⌋, 500 repetitions."""

from __future__ import annotations

from typing import Any

from sottovoce.paper.constants import ALPHAS
from sottovoce.paper.drawing import GREY, OURS, curve, legend_beside, looks, name_axes, panels
from sottovoce.paper.experiments.sparse import CHANCES, SPARSITY, line_of
from sottovoce.paper.figure import Rows

_LINES = {"as printed": "-", "as printed, support permuted": "--", "most votes": "-", "item level": "-."}
SERIES = {
    rule: (rule if rule == "item level" else f"user level, {rule}", look) for rule, look in looks(_LINES).items()
} | OURS


def draw(rows: Rows, picture: Any) -> None:
    """A row a p, a column an α, a line a rule."""
    axes = panels(picture, len(CHANCES), len(ALPHAS), sharey="row")
    for across, p in zip(axes, CHANCES, strict=True):
        for place, alpha in zip(across, ALPHAS, strict=True):
            place.set_xscale("log")
            place.set_yscale("log")
            place.set_title(f"p = {p:g}, α = {alpha:g}")
            for rule, (label, look) in SERIES.items():
                chosen = line_of(rows, rule, p, alpha)
                if chosen:
                    curve(place, chosen, "d", look=look, label=label, times=1)
            zero = SPARSITY * (2 * p - 1) ** 2
            place.axhline(zero, color=GREY, linewidth=1, linestyle=":", label="the error of answering zero")
    name_axes(picture, axes, x="d", y="mean squared error")
    legend_beside(picture, axes, columns=3)
