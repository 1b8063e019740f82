"""Means of mixtures (L1101–1146): four equal components, and three of which two are rare. 1,000 repetitions."""

from __future__ import annotations

from typing import Any

from sottovoce.paper.drawing import GREY, MARKERS, PALETTE, Look, curve, is_narrow, legend_beside, name_axes, panels
from sottovoce.paper.experiments.mixture import LEVELS, line_of
from sottovoce.paper.figure import Rows, values_of

_LINES = ("-", "--", "-.", "-")
_NAMES = {"paper": "the paper", "default": "Sottovoce"}


def draw_of(setting: int) -> Any:
    """A panel an α, and n or T; a row the paper's method, and one ours where its rows are there."""

    def draw(rows: Rows, picture: Any) -> None:
        shown = [(v, a) for v in (("n", "T") if setting == 1 else ("n",)) for a in LEVELS]
        methods = [name for name in _NAMES if any(row.get("method", "paper") == name for row in rows)]
        if len(methods) > 1 and hasattr(picture, "narrow"):  # a picture of its own, not a part of a printed page
            picture.set_size_inches(picture.get_figwidth(), 1.7 * picture.get_figheight())
        axes = panels(picture, len(methods), len(shown), sharey=True)
        for down in axes.T:
            for place in down[1:]:
                place.sharex(down[0])
        for across, method in zip(axes, methods, strict=True):
            mine = [row for row in rows if row.get("method", "paper") == method]
            for place, (vary, alpha) in zip(across, shown, strict=True):
                fixed = "T = 1000" if setting == 1 and vary == "n" else "n = 1000" if vary == "T" else "T = 500"
                place.set_title(f"{_NAMES[method]}: α = {alpha:g}, {fixed}")
                for k in values_of(mine, "component"):
                    line = line_of(mine, vary, alpha, k, method)
                    if not line:
                        continue
                    look = Look(colour=PALETTE[k - 1], marker=MARKERS[k - 1], line=_LINES[k - 1])
                    curve(place, line, vary, "mean", "sd", look=look, label=f"component {k}", times=1)
                for truth in values_of(mine, "truth"):
                    place.axhline(truth, color=GREY, linestyle=":", linewidth=1, label="truth")
                place.set_ylim(-1.15, 1.15)
        name_axes(picture, axes, x="", y="mean of estimates ± sd")
        for across in axes if is_narrow(picture) else axes[-1:]:
            for place, (vary, _) in zip(across, shown, strict=True):
                place.set_xlabel(f"{vary}, {'users' if vary == 'n' else 'observations per user'}")
        legend_beside(picture, axes, columns=5)

    return draw
