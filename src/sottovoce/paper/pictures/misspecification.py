"""A wrong sparsity (L1092–1099): d = 100, s = 4, n = 1000, T = 200, assumed s = 1 … 8."""

from __future__ import annotations

from typing import Any

from sottovoce.paper.constants import ALPHAS
from sottovoce.paper.drawing import GREY, INK, OURS, curve, legend_beside, looks, name_axes, panels, ribbon
from sottovoce.paper.experiments.misspecification import ASSUMED, CHANCES, RULES, TRUE, bias
from sottovoce.paper.figure import Rows, along, pick

_LOOKS = looks(dict(zip(RULES, ("-", "--"), strict=True)))


def draw(rows: Rows, picture: Any) -> None:
    """A row a p, a column an α, a line a rule; ours, which assumes no sparsity, is a level."""
    axes = panels(picture, len(CHANCES), len(ALPHAS), sharey="row")
    for across, p in zip(axes, CHANCES, strict=True):
        for place, alpha in zip(across, ALPHAS, strict=True):
            place.set_yscale("log")
            place.set_title(f"p = {p:g}, α = {alpha:g}")
            place.set_xticks(ASSUMED)
            for rule, look in _LOOKS.items():
                chosen = along(rows, "assumed", p=p, rule=rule, alpha=alpha)
                curve(place, chosen, "assumed", look=look, label=rule)
            for name, (label, look) in OURS.items():
                for row in pick(rows, p=p, rule=name, alpha=alpha):
                    wide = len(ASSUMED)
                    ribbon(place, ASSUMED, [row["mse"]] * wide, [row["se"]] * wide, look=look, label=label)
            missed = [assumed for assumed in ASSUMED if assumed < TRUE]
            place.plot(
                missed, [bias(p, assumed) for assumed in missed], color=INK, linestyle=":", label="missed (4 − s)·θ²"
            )
            place.axvline(TRUE, color=GREY, linewidth=1, linestyle="-.", label="true s = 4")
    name_axes(picture, axes, x="assumed sparsity s", y="mean squared error")
    legend_beside(picture, axes, columns=5)
