"""The phase transition (L1003): the least error over 300 Δ, by the paper's estimate and exactly."""

from __future__ import annotations

from typing import Any

from sottovoce.paper.drawing import ALPHA_STYLE, PALETTE, legend_below, panels, ribbon
from sottovoce.paper.experiments.phase_transition import line_of
from sottovoce.paper.figure import Rows, column, pick


def draw(rows: Rows, picture: Any) -> None:
    """N = 100, n = 200, and one setting at every Δ."""
    axes = panels(picture, 1, 3, width_ratios=[1, 1, 0.9])[0]
    for place, n in zip(axes[:2], (100, 200), strict=True):
        place.set_xscale("log")
        place.set_yscale("log")
        place.set_title(f"n = {n}: least error over Δ")
        place.set_xlabel("T, observations per user")
        for alpha, (colour, marker) in ALPHA_STYLE.items():
            line = line_of(rows, n, alpha)
            x = column(line, "T")
            ribbon(place, x, column(line, "mse"), column(line, "se"), colour=colour, line=":", marker=marker)
            place.plot(x, column(line, "exact"), color=colour)
    for alpha, (colour, marker) in ALPHA_STYLE.items():
        axes[0].plot([], [], color=colour, marker=marker, label=f"α = {alpha:g}")
    axes[0].plot([], [], color="0.3", linestyle=":", label="the paper's estimate (minimum of simulations)")
    axes[0].plot([], [], color="0.3", label="exact risk at its best Δ")
    axes[1].sharey(axes[0])
    spot = axes[2]
    chosen = sorted(pick(rows, kind="every Δ"), key=lambda row: row["delta"])
    spot.set_yscale("log")
    if chosen:
        x = column(chosen, "delta")
        ribbon(spot, x, column(chosen, "mse"), column(chosen, "se"), colour=PALETTE[3], line=":")
        spot.plot(x, column(chosen, "exact_of_delta"), color=PALETTE[3])
    spot.set_xlabel("Δ")
    spot.set_title("why: n = 100, T = 10⁴, α = 4")
    legend_below(picture, axes[0], columns=6)
