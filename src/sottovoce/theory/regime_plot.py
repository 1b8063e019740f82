"""Both panels of the regime diagram, drawn (extra ``plot``)."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from sottovoce.messages import MissingExtra
from sottovoce.theory import notation
from sottovoce.theory.regimes import Boundary, Panel, Region, boundaries, regime
from sottovoce.theory.user_means import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FILLS: dict[Region, tuple[str, str]] = {
    "both impossible": ("#f4a6a6", "\\\\"),
    "user-level easier": ("#a6e0a6", "xx"),
    "user-level harder": ("#a6b8f4", "++"),
    "equivalent": ("#d0d0d0", "//"),
}
LABELS: dict[Panel, dict[Region, tuple[float, float]]] = {
    "l2": {"both impossible": (1.75, 0.2), "user-level harder": (3.5, 1.2), "equivalent": (3.5, 3.7)},
    "sparse": {
        "both impossible": (1.38, 0.19),
        "user-level easier": (4.5, 0.42),
        "user-level harder": (3.5, 1.55),
        "equivalent": (3.5, 3.7),
    },
}
FORMULAS: dict[Panel, tuple[float, ...]] = {"l2": (3.2, 3.9), "sparse": (1.75, 2.4, 4.15, 3.9)}
"""The T at which the formula of each boundary stands, in the order of `boundaries`."""
TITLES: dict[Panel, str] = {"l2": "Estimation on the ℓ2 ball", "sparse": "Sparse mean estimation (s = 1)"}


def plot_regime(panel: Panel, axes: Axes, *, most: float = 6.0, top: float = 5.0) -> Axes:
    """One panel on given axes: T from 1 to `most`, y = nα²/d up to `top`."""
    from matplotlib import rcParams

    grid = np.linspace(1, most, 161)
    curves = boundaries(panel)

    def height(part: tuple[Boundary, ...]) -> Floats:
        return np.array([next(b.curve(T) for b in part if b.first <= T <= b.last) for T in grid.tolist()])

    inner = [curves[1:-1]] if len(curves) > 2 else []
    levels = [np.zeros_like(grid), *(height(part) for part in (curves[:1], *inner, curves[-1:])), np.full(161, top)]
    for low, high in itertools.pairwise(levels):
        inside = float(low[80] + high[80]) / 2
        colour, hatch = FILLS[regime(panel, observations=float(grid[80]), level=inside)]
        axes.fill_between(grid, low, high, facecolor="none", edgecolor=colour, hatch=hatch, linewidth=0.0)
    ink, plain = rcParams["text.color"], {"facecolor": rcParams["figure.facecolor"], "edgecolor": "none", "pad": 1.0}
    for boundary, T in zip(curves, FORMULAS[panel], strict=True):
        part = grid[(grid >= boundary.first) & (grid <= boundary.last)]
        axes.plot(part, [boundary.curve(float(x)) for x in part], color=ink, linewidth=1)
        rises = boundary.curve(T + 0.1) > boundary.curve(T)  # the words stand on the side that the curve leaves free
        axes.annotate(notation.plain(boundary.formula), (T, boundary.curve(T)), textcoords="offset points",
                      xytext=(-4 if rises else 3, 4), fontsize=max(6.0, 0.8 * rcParams["font.size"]),
                      ha="right" if rises else "left", bbox=plain)  # fmt: skip
    for region, (x, y) in LABELS[panel].items():
        text = (
            "nT-item level equivalent\nto user-level"
            if region == "equivalent"
            else region.replace("both ", "both\n" if panel == "sparse" else "both ")
        )
        axes.text(x, y, text, ha="center", va="center", fontsize=max(6.0, 0.85 * rcParams["font.size"]), bbox=plain)
    axes.set(xlim=(1, most), ylim=(0, top), xlabel="T", ylabel="nα²/d", title=TITLES[panel], xticks=[1], yticks=[1])
    return axes


def plot_regimes() -> Figure:
    """Both panels side by side, as in the paper's figure (L663–L746)."""
    try:
        from matplotlib.figure import Figure
    except ImportError as missing:
        raise MissingExtra("drawing needs matplotlib", extra="plot") from missing
    figure = Figure(figsize=(10, 4.8), layout="constrained")
    left, right = figure.subplots(1, 2)
    plot_regime("l2", left)
    plot_regime("sparse", right)
    return figure
