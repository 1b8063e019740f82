"""A wrong sparsity (L1092–1099): d = 100, s = 4, n = 1000, T = 200, assumed s = 1 … 8."""

from __future__ import annotations

from typing import Any

from sottovoce.paper.constants import ALPHAS
from sottovoce.paper.drawing import GREY, INK, MARKERS, OURS, PALETTE, Look, legend_beside, name_axes, panels, ribbon
from sottovoce.paper.experiments.misspecification import ASSUMED, CHANCES, RULES, TRUE, bias
from sottovoce.paper.figure import Rows, column, pick

_LOOKS = {rule: Look(colour=PALETTE[i], marker=MARKERS[i], line=("-", "--")[i]) for i, rule in enumerate(RULES)}


def draw(rows: Rows, picture: Any) -> None:
    """A row a p, a column an α, a line a rule; ours, which assumes no sparsity, is a level."""
    axes = panels(picture, len(CHANCES), len(ALPHAS), sharey="row")
    for across, p in zip(axes, CHANCES, strict=True):
        for place, alpha in zip(across, ALPHAS, strict=True):
            place.set_yscale("log")
            place.set_title(f"p = {p:g}, α = {alpha:g}")
            place.set_xticks(ASSUMED)
            for rule, look in _LOOKS.items():
                chosen = sorted(pick(rows, p=p, rule=rule, alpha=alpha), key=lambda row: row["assumed"])
                ribbon(place, column(chosen, "assumed"), column(chosen, "mse"), column(chosen, "se"), look=look,
                       label=rule)  # fmt: skip
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
