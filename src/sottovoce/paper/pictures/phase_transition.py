"""The phase transition (L1003): the least error over 300 Δ, by the paper's estimate and exactly."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sottovoce.paper.drawing import ALPHA_LOOK, INK, curve, legend_beside, line, name_axes, panels
from sottovoce.paper.experiments.phase_transition import line_of
from sottovoce.paper.figure import Rows, along, column, pick


def draw(rows: Rows, picture: Any) -> None:
    """The least error at n = 100 and n = 200, and one setting at every Δ."""
    axes = panels(picture, 1, 3, width_ratios=[1, 1, 0.9])
    axes[0, 1].sharey(axes[0, 0])
    for place, n in zip(axes[0, :2], (100, 200), strict=True):
        place.set_xscale("log")
        place.set_yscale("log")
        place.set_title(f"n = {n}: least error over Δ")
        for alpha, look in ALPHA_LOOK.items():
            chosen = line_of(rows, n, alpha)
            curve(place, chosen, "T", look=replace(look, line=":"))
            line(place, column(chosen, "T"), column(chosen, "exact"), look=replace(look, hollow=True))
            finer = [row for row in chosen if (row.get("finer") or row["exact"]) < 0.97 * row["exact"]]
            if finer:
                label = "dashed: exact risk, Δ also below the grid"
                line(place, column(finer, "T"), column(finer, "finer"), look=replace(look, line="--", hollow=True))
                axes[0, 0].plot([], [], color=INK, linestyle="--", label=label)
            ours = along(rows, "T", kind="default", n=n, alpha=alpha)
            if ours:
                curve(place, ours, "T", look=replace(look, colour=INK, line="-."))
    name_axes(picture, axes, x="T, observations per user", y="mean squared error")
    for alpha, look in ALPHA_LOOK.items():
        axes[0, 0].plot([], [], color=look.colour, marker=look.marker, linestyle="none", label=f"α = {alpha:g}")
    axes[0, 0].plot([], [], color=INK, linestyle=":", label="dotted, filled: the paper's estimate, a minimum")
    axes[0, 0].plot([], [], color=INK, label="solid, hollow: exact risk at its best Δ")
    if pick(rows, kind="default"):
        axes[0, 0].plot([], [], color=INK, linestyle="-.", label="dash-dot: Sottovoce, default, marker of its α")
    spot, look = axes[0, 2], ALPHA_LOOK[4.0]
    chosen = along(rows, "delta", kind="every Δ")
    spot.set_yscale("log")
    if chosen:
        curve(spot, chosen, "delta", look=replace(look, line=":"), label="estimate at this Δ")
        x, y = column(chosen, "delta"), column(chosen, "exact_of_delta")
        line(spot, x, y, look=replace(look, hollow=True), label="exact risk at this Δ")
        spot.legend(loc="upper center")
    spot.locator_params(axis="x", nbins=5)
    spot.set_xlabel("Δ")
    spot.set_title("why: n = 100, T = 10⁴, α = 4")
    legend_beside(picture, axes[0, 0], columns=3)
