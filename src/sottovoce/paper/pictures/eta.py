"""The truncation η = √(Cs) of the hashed votes (L1083): the share of the support found. n = 500, T = 100."""

from __future__ import annotations

from typing import Any

from sottovoce.paper.drawing import ALPHA_STYLE, legend_below, panels, ribbon
from sottovoce.paper.experiments.eta import DIMENSIONS, RULES
from sottovoce.paper.figure import Rows, column, pick


def draw(rows: Rows, picture: Any) -> None:
    """A row a rule, a column a dimension."""
    axes = panels(picture, 1, 4, sharey=True)[0]
    shown = [(d, rule) for rule in RULES[:2] for d in DIMENSIONS]
    for place, (d, rule) in zip(axes, shown, strict=True):
        place.set_xscale("log")
        place.set_title(f"d = {d}, {rule}")
        place.set_xlabel("C in η = √(Cs)")
        for alpha, (colour, marker) in ALPHA_STYLE.items():
            line = sorted(pick(rows, d=d, rule=rule, alpha=alpha), key=lambda row: row["C"])
            ribbon(place, column(line, "C"), column(line, "share"), column(line, "se"), colour=colour, marker=marker,
                   label=f"α = {alpha:g}")  # fmt: skip
        place.axvline(1, color="0.4", linestyle=":", linewidth=1)
    axes[0].set_ylabel("share of the support found")
    legend_below(picture, axes[0], columns=4)
