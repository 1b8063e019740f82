"""Pictures: one style for all figures, safe for colour-blind readers and for print."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sottovoce.messages import MissingExtra
from sottovoce.paper.figure import Figure, Rows

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999", "#7F3C8D")
"""Okabe and Ito's colours, told apart with all common kinds of colour blindness."""
MARKERS = "os^Dv<>Px"
ALPHA_STYLE = {
    0.5: (PALETTE[0], "o"),
    1.0: (PALETTE[1], "s"),
    2.0: (PALETTE[2], "^"),
    4.0: (PALETTE[3], "D"),
}

STYLE: dict[Any, Any] = {
    "font.size": 9,
    "axes.titlesize": 9.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "0.9",
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.4,
    "lines.markersize": 3.5,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "svg.fonttype": "path",
    "svg.hashsalt": "sottovoce",
}


def render(figure: Figure, rows: Rows, folder: Path) -> tuple[Path, Path]:
    """``name.svg`` and ``name.png`` in `folder`."""
    try:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot as plt
    except ImportError as error:
        raise MissingExtra('the figures need matplotlib: pip install "sottovoce[plot]"') from error
    svg, png = folder / f"{figure.name}.svg", folder / f"{figure.name}.png"
    with plt.rc_context(STYLE):
        picture = plt.figure(figsize=figure.size, layout="constrained")
        figure.draw(rows, picture)
        picture.savefig(svg, metadata={"Date": None})
        picture.savefig(png, dpi=160)
        plt.close(picture)
    return svg, png


def ribbon(
    axes: Any,
    x: Sequence[float] | np.ndarray,
    y: Sequence[float] | np.ndarray,
    error: Sequence[float] | np.ndarray,
    *,
    colour: Any,
    label: str | None = None,
    marker: str = "",
    line: str = "-",
    times: float = 2.0,
) -> None:
    """A line with a band of `times` standard errors (two unless told)."""
    x, y, error = np.asarray(x, float), np.asarray(y, float), np.asarray(error, float)
    axes.plot(x, y, color=colour, marker=marker, linestyle=line, label=label, markevery=max(1, len(x) // 12))
    low = np.maximum(y - times * error, y / 10) if axes.get_yscale() == "log" else y - times * error
    axes.fill_between(x, low, y + times * error, color=colour, alpha=0.2, linewidth=0)


def panels(picture: Any, rows: int, columns: int, **settings: Any) -> Any:
    """A grid of axes, always two-dimensional."""
    return picture.subplots(rows, columns, squeeze=False, **settings)


def legend_below(picture: Any, axes: Any, *, columns: int, title: str | None = None) -> None:
    """One legend for all panels, outside of them."""
    handles, labels = axes.get_legend_handles_labels()
    picture.legend(handles, labels, loc="outside lower center", ncols=columns, title=title)
