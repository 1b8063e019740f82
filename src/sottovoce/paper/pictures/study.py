"""What the two real-data figures share: a panel an α for one share, and a panel for four shares."""

from __future__ import annotations

from typing import Any

from sottovoce.paper.constants import ALPHAS
from sottovoce.paper.drawing import (
    curve_with_bars,
    is_narrow,
    legend_beside,
    name_axes,
    panels,
    ribbon,
    with_others,
    with_ours,
)
from sottovoce.paper.experiments.study import LINES
from sottovoce.paper.figure import Rows, along, column

SERIES = with_ours(LINES)


def draw(rows: Rows, picture: Any, *, one: str, four: str) -> None:
    """One share against T, scaled by α², a panel an α; four shares against α."""
    axes = panels(picture, 1, len(ALPHAS) + 1, width_ratios=[1] * len(ALPHAS) + [1.25])
    series = with_others(SERIES, [row["scheme"] for row in rows])
    name_axes(picture, axes, x="T, observations", y=f"{one}:\nerror × α²")
    for place, alpha in zip(axes[0], ALPHAS, strict=False):
        if place is not axes[0, 0]:
            place.sharey(axes[0, 0])
        place.set_yscale("log")
        place.set_title(f"α = {alpha:g}")
        for scheme, (label, look) in series.items():
            chosen = along(rows, "T", panel="one", alpha=alpha, scheme=scheme)
            if chosen:
                mse, error = alpha**2 * column(chosen, "mse"), alpha**2 * column(chosen, "se")
                ribbon(place, column(chosen, "T"), mse, error, look=look, label=label)
        if alpha != ALPHAS[0] and not is_narrow(picture):
            place.tick_params(labelleft=False)
    last = axes[0, -1]
    last.set_yscale("log")
    last.set_xscale("log", base=2)
    last.set_xticks(ALPHAS, [f"{alpha:g}" for alpha in ALPHAS])
    last.set(xlabel="α", ylabel="mean squared error", title=four)
    for scheme, (label, look) in series.items():
        chosen = along(rows, "alpha", panel="four", scheme=scheme)
        if chosen:
            curve_with_bars(last, chosen, "alpha", look=look, label=label)
    legend_beside(picture, axes, columns=4)
