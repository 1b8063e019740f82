"""The truncation η = √(Cs) of the hashed votes (L1083): the share of the support found. n = 500, T = 100."""

from __future__ import annotations

from typing import Any

from sottovoce.paper.constants import ALPHAS
from sottovoce.paper.drawing import GREY, curve, legend_beside, looks, name_axes, panels
from sottovoce.paper.experiments.eta import DIMENSIONS, RULES
from sottovoce.paper.figure import Rows, along

_LOOKS = looks(dict(zip(RULES, ("-", "--", ":"), strict=True)))


def draw(rows: Rows, picture: Any) -> None:
    """A row a dimension, a column an α, a line a rule of selection."""
    axes = panels(picture, len(DIMENSIONS), len(ALPHAS), sharey=True)
    for across, d in zip(axes, DIMENSIONS, strict=True):
        for place, alpha in zip(across, ALPHAS, strict=True):
            place.set_xscale("log")
            place.set_title(f"d = {d}, α = {alpha:g}")
            for rule, look in _LOOKS.items():
                chosen = along(rows, "C", d=d, rule=rule, alpha=alpha)
                curve(place, chosen, "C", "share", look=look, label=rule)
            place.axvline(1, color=GREY, linestyle="-.", linewidth=1, label="C = 1")
    name_axes(picture, axes, x="C in η = √(Cs)", y="share of support found")
    legend_beside(picture, axes, columns=4)
