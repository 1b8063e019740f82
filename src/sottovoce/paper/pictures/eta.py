"""The truncation η = √(Cs) of the hashed votes (L1083): the share of the support found. n = 500, T = 100."""

from __future__ import annotations

from typing import Any

from sottovoce.paper.constants import ALPHAS
from sottovoce.paper.drawing import GREY, MARKERS, PALETTE, Look, legend_beside, name_axes, panels, ribbon
from sottovoce.paper.experiments.eta import DIMENSIONS, RULES
from sottovoce.paper.figure import Rows, column, pick

_LOOKS = {rule: Look(colour=PALETTE[i], marker=MARKERS[i], line=("-", "--", ":")[i]) for i, rule in enumerate(RULES)}


def draw(rows: Rows, picture: Any) -> None:
    """A row a dimension, a column an α, a line a rule of selection."""
    axes = panels(picture, len(DIMENSIONS), len(ALPHAS), sharey=True)
    for across, d in zip(axes, DIMENSIONS, strict=True):
        for place, alpha in zip(across, ALPHAS, strict=True):
            place.set_xscale("log")
            place.set_title(f"d = {d}, α = {alpha:g}")
            for rule, look in _LOOKS.items():
                chosen = sorted(pick(rows, d=d, rule=rule, alpha=alpha), key=lambda row: row["C"])
                ribbon(place, column(chosen, "C"), column(chosen, "share"), column(chosen, "se"), look=look, label=rule)
            place.axvline(1, color=GREY, linestyle="-.", linewidth=1, label="C = 1")
    name_axes(picture, axes, x="C in η = √(Cs)", y="share of support found")
    legend_beside(picture, axes, columns=4)
