"""Pictures: one style for all figures, safe for colour-blind readers and for print.

Every picture is drawn twice: its panels side by side, and one below the other for a phone. Text stays text. Ink, paper,
grid and grey are colours of their own, so that a page can turn them around in the dark.
"""

from __future__ import annotations

import io
import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from sottovoce.messages import MissingExtra
from sottovoce.paper.figure import Figure, Rows, column
from sottovoce.theory import notation

FONTS = "'DejaVu Sans', Verdana, 'Segoe UI', Arial, Helvetica, sans-serif"
"""DejaVu Sans is the widest of them: where it is missing, words get shorter and cross nothing."""
_DIGITS = re.compile(r"(\d\.\d\d)\d+")


def labelled_svg(svg: str, *, prefix: str, title: str, description: str) -> str:
    """With a title, a description and a role, and every id beginning with `prefix`, so that several share a page."""
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{prefix}-\1"', svg)
    svg = re.sub(r'(href="#|url\(#)', rf"\g<1>{prefix}-", svg)
    svg = re.sub(r"font-family: [^;\"]*", f"font-family: {FONTS}", svg)
    head = f'role="img" aria-labelledby="{prefix}-title {prefix}-words"'
    words = (
        f'<title id="{prefix}-title">{escape(title)}</title>\n <desc id="{prefix}-words">{escape(description)}</desc>'
    )
    return re.sub(r"<svg ([^>]*)>", lambda tag: f"<svg {head} {tag[1]}>\n {words}", svg, count=1)


def themed_svg(svg: str, colours: Mapping[str, str]) -> str:
    """For a page: its fonts and colours are the page's, and places are rounded to a hundredth of a point."""
    body = re.sub(r"<metadata>.*?</metadata>", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    body = re.sub(r'^(<svg [^>]*?) (?:width|height)="[^"]*"', r"\1", body)
    body = re.sub(r'^(<svg [^>]*?) (?:width|height)="[^"]*"', r"\1", body)
    body = re.sub(
        r'(?<= )(?:d|x|y|transform)="[^"]*"', lambda place: _DIGITS.sub(r"\1", " ".join(place[0].split())), body
    )
    body = re.sub(r" font-family: [^;\"]*;?", "", body)
    for colour, name in colours.items():
        body = body.replace(colour, name)
    return body


INK, PAPER, GRID, GREY = "#1d1d1f", "#ffffff", "#e4e4e7", "#6e6e73"
THEME = {INK: "var(--ink)", PAPER: "var(--paper)", GRID: "var(--grid)", GREY: "var(--grey)"}
"""What takes the colours of the page where a picture is set into one."""
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
"""Okabe and Ito's colours, told apart with all common kinds of colour blindness; their black is `INK`."""
MARKERS = "os^Dv<>pX"


@dataclass(frozen=True, kw_only=True)
class Look:
    """A line: no two series of a panel have the same marker and the same dashes."""

    colour: Any
    marker: str = ""
    line: str = "-"
    width: float = 1.4
    hollow: bool = False


ALPHA_LOOK = {alpha: Look(colour=PALETTE[i], marker=MARKERS[i]) for i, alpha in enumerate((0.5, 1.0, 2.0, 4.0))}
Series = dict[str, tuple[str, Look]]
OURS: Series = {
    "default": ("Sottovoce, default", Look(colour=INK, marker="*", width=2.2)),
    "homogeneous": ("Sottovoce, users alike (homogeneous)", Look(colour=INK, marker="P", line="--", width=1.8)),
    "limit": ("limit of ε-local privacy", Look(colour=GREY, line="-.", width=1.6)),
}
"""The series beside the paper's methods, by the name that their rows carry."""


def looks(dashes: Mapping[str, str]) -> dict[str, Look]:
    """By name: a colour and a marker of its own for each, and these dashes."""
    places = enumerate(dashes.items())
    return {name: Look(colour=PALETTE[i], marker=MARKERS[i], line=line) for i, (name, line) in places}


def with_ours(dashes: Mapping[str, str]) -> Series:
    """The paper's methods under their own names, and ours."""
    return {name: (name, look) for name, look in looks(dashes).items()} | OURS


def with_others(series: Series, rows: Rows) -> Series:
    """These series, and the schemes that rows have besides: the other side of a choice, in grey."""
    more = [name for name in dict.fromkeys(row["scheme"] for row in rows) if name not in series]
    looks = zip(more, itertools.product(("--", ":", "-."), "XPv"), strict=False)
    return series | {name: (notation.mathtext(name), Look(colour=GREY, marker=m, line=d)) for name, (d, m) in looks}


STYLE: dict[Any, Any] = {
    "font.size": 9,
    "axes.titlesize": 9.5,
    "axes.labelsize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "axes.facecolor": "none",
    "figure.facecolor": PAPER,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.4,
    "lines.markersize": 4,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "legend.handlelength": 3.2,
    "mathtext.default": "regular",
    "svg.fonttype": "none",
    "svg.hashsalt": "sottovoce",
    "pdf.fonttype": 42,
}
NARROW, PANEL = 4.3, 2.45
"""Inches: the width of a picture for a phone, and the height of each of its panels."""
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """The files of a picture, and its two drawings as text that a page can hold."""

    svg: Path
    png: Path
    wide: str
    narrow: str


def plotting() -> Any:
    """Matplotlib's pyplot without a screen, or what to install."""
    try:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot as plt
    except ImportError as error:
        raise MissingExtra("the figures need matplotlib", extra="plot") from error
    return plt


def draw(figure: Figure, rows: Rows, *, narrow: bool = False) -> Any:
    """The picture of a figure, panels side by side or one below the other; the caller closes it."""
    plt = plotting()
    with plt.rc_context(STYLE):
        picture = plt.figure(figsize=(NARROW, PANEL) if narrow else figure.size, layout="constrained")
        picture.narrow = narrow
        picture.get_layout_engine().set(h_pad=0.09 if narrow else 0.05)
        figure.draw(rows, picture)
        finish(picture)
    return picture


def render(figure: Figure, rows: Rows, folder: Path, *, both: bool) -> Drawn:
    """``name.svg`` and ``name.png`` in `folder`, and the drawings for a page, both or the wide one only."""
    plt = plotting()
    svg, png = folder / f"{figure.name}.svg", folder / f"{figure.name}.png"
    texts = {}
    for narrow in (False, True) if both else (False,):
        picture = draw(figure, rows, narrow=narrow)
        with plt.rc_context(STYLE):
            file = io.StringIO()
            picture.savefig(file, format="svg", metadata={"Date": None})
            texts[narrow] = labelled_svg(
                file.getvalue(),
                prefix=f"{figure.name}-narrow" if narrow else figure.name,
                title=figure.title,
                description=description_of(picture),
            )
            if not narrow:
                svg.write_text(texts[narrow], encoding="utf-8")
                picture.set_layout_engine("none")  # everything has its place
                picture.savefig(png, dpi=160)
        plt.close(picture)
    return Drawn(
        svg=svg,
        png=png,
        wide=themed_svg(texts[False], THEME),
        narrow=themed_svg(texts[True], THEME) if both else "",
    )


def description_of(picture: Any) -> str:
    """What a picture shows, in words: its panels, axes and series."""
    panels = picture.axes
    titles = [axes.get_title() or axes.get_title(loc="left") for axes in panels]
    legends = [*picture.legends, *(axes.get_legend() for axes in panels)]
    series = dict.fromkeys(text.get_text() for legend in legends if legend for text in legend.get_texts())
    across = next(filter(None, (axes.get_xlabel() for axes in panels)), "")
    up = next(filter(None, (axes.get_ylabel() for axes in panels)), "")
    words = f"{len(panels)} panel{'s' if len(panels) != 1 else ''}: {'; '.join(filter(None, titles))}."
    if up and across:
        words += f" {up} against {across}."
    if series:
        words += f" Series: {', '.join(series)}."
    return notation.spoken(" ".join(words.split()))


def finish(picture: Any) -> None:
    """Logarithmic axes: powers of ten as 10³, in plain text; 2 and 5 between them where there are few."""
    from matplotlib.ticker import FuncFormatter, LogFormatter, LogLocator, NullLocator

    for axes in picture.axes:
        for axis in (axes.xaxis, axes.yaxis):
            if axis.get_scale() == "log" and isinstance(axis.get_major_formatter(), LogFormatter):
                low, high = np.log10(axis.get_view_interval())
                few = np.floor(high) - np.ceil(low) < 1
                axis.set_major_locator(LogLocator(subs=(1, 2, 5) if few else (1,), numticks=9))
                axis.set_major_formatter(FuncFormatter(_number))
                axis.set_minor_locator(NullLocator())  # ticks without a number are most of the work of a picture


def _number(value: float, _: Any) -> str:
    exponent = int(np.floor(np.log10(value) + 1e-9)) if value > 0 else 0
    digit = round(value / 10.0**exponent)
    power = f"10{str(exponent).translate(_RAISED)}"
    return power if digit == 1 else f"{digit}·{power}"


def ribbon(
    axes: Any,
    x: Sequence[float] | np.ndarray,
    y: Sequence[float] | np.ndarray,
    error: Sequence[float] | np.ndarray,
    *,
    look: Look,
    label: str | None = None,
    times: float = 2.0,
) -> None:
    """A line with a band of `times` standard errors (two unless told); a single point has a bar instead."""
    x, y, error = np.asarray(x, float), np.asarray(y, float), np.asarray(error, float)
    line(axes, x, y, look=look, label=label)
    low = np.maximum(y - times * error, y / 10) if axes.get_yscale() == "log" else y - times * error
    if len(x) == 1:
        axes.errorbar(x, y, [y - low, times * error], color=look.colour, linestyle="none", capsize=3)
    else:
        axes.fill_between(x, low, y + times * error, color=look.colour, alpha=0.18, linewidth=0)


def curve(
    axes: Any,
    rows: Rows,
    x: str,
    y: str = "mse",
    error: str = "se",
    *,
    look: Look,
    label: str | None = None,
    times: float = 2.0,
) -> None:
    """A `ribbon` through columns of rows; nothing where there are none."""
    if rows:
        ribbon(axes, column(rows, x), column(rows, y), column(rows, error), look=look, label=label, times=times)


def curve_with_bars(axes: Any, rows: Rows, x: str, *, look: Look, label: str) -> None:
    """The errors of rows against a column: a line, and bars of two standard errors; nothing where there are none."""
    if rows:
        across, mse = column(rows, x), column(rows, "mse")
        line(axes, across, mse, look=look, label=label)
        axes.errorbar(across, mse, 2 * column(rows, "se"), color=look.colour, linestyle="none", capsize=3)


def line(axes: Any, x: Any, y: Any, *, look: Look, label: str | None = None) -> None:
    """A line with its marker at about a dozen points."""
    from matplotlib import rcParams

    larger = {"*": 1.75, "P": 1.25, "X": 1.25}.get(look.marker, 1.0)
    axes.plot(
        x, y, color=look.colour, marker=look.marker, linestyle=look.line, label=label,
        linewidth=look.width * rcParams["lines.linewidth"] / STYLE["lines.linewidth"],
        markevery=max(1, len(x) // 12), markerfacecolor=PAPER if look.hollow else look.colour,
        markersize=larger * rcParams["lines.markersize"],
    )  # fmt: skip


def is_narrow(picture: Any) -> bool:
    """Whether a picture is for a phone; a part of a printed page is not."""
    return getattr(picture, "narrow", False)


def panels(picture: Any, rows: int, columns: int, *, sharey: Any = False, **settings: Any) -> Any:
    """A grid of axes, always two-dimensional; in a narrow picture one below the other, in the same order."""
    if not is_narrow(picture):
        return picture.subplots(rows, columns, squeeze=False, sharey=sharey, **settings)
    picture.set_size_inches(NARROW, PANEL * rows * columns)
    grid = picture.subplots(rows * columns, 1, squeeze=False).reshape(rows, columns)
    for place in grid.flat[1:] if sharey is True else ():
        place.sharey(grid.flat[0])
    for across in grid if sharey == "row" else ():
        for place in across[1:]:
            place.sharey(across[0])
    return grid


def panel_grid(
    picture: Any, down: Sequence[Any], across: Sequence[Any], title: str, *, log: str, sharey: Any = False
) -> tuple[Any, list[tuple[Any, Any, Any]]]:
    """Panels with a row for each of `down` and a column for each of `across`; and each panel with its two.

    `title` is a template of `str.format` for the two, `log` names the logarithmic axes: "x", "y" or "xy".
    """
    axes = panels(picture, len(down), len(across), sharey=sharey)
    placed = list(zip(axes.flat, *zip(*itertools.product(down, across), strict=True), strict=True))
    for place, *both in placed:
        place.set_title(title.format(*both))
        for name in log:
            place.set(**{f"{name}scale": "log"})
    return axes, placed


def name_axes(picture: Any, axes: Any, *, x: str, y: str) -> None:
    """Names below the last row and left of the first column; in a narrow picture at every panel."""
    everywhere = is_narrow(picture)
    for place in axes.flat if everywhere else axes[-1]:
        place.set_xlabel(x)
    for place in axes.flat if everywhere else axes[:, 0]:
        place.set_ylabel(y)


def legend_beside(picture: Any, axes: Any, *, columns: int, title: str | None = None) -> None:
    """One legend for all panels, below them, or above where they are many below each other; every label once."""
    handles: dict[str, Any] = {}
    for panel in np.atleast_1d(axes).flat:
        for handle, label in zip(*panel.get_legend_handles_labels(), strict=True):
            handles.setdefault(label, handle)
    place = "outside lower center"
    if is_narrow(picture):
        place = "outside upper center"
        columns = 1 if max(map(len, handles)) > 24 else 2
        width, height = picture.get_size_inches()
        picture.set_size_inches(width, height + 0.17 * (-(-len(handles) // columns) + (title is not None)))
    columns = min(columns, len(handles))
    picture.legend(list(handles.values()), list(handles), loc=place, ncols=columns, title=title)
