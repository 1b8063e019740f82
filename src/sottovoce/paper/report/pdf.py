"""``report.pdf``: two pages to print. Every claim with its verdict, then the pictures of the accuracy figures."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sottovoce.paper import plots
from sottovoce.paper.figure import Run, Verdict
from sottovoce.paper.report.page import SIGNS, Outcome, counts, extent, other_data_note
from sottovoce.theory import notation

A4 = (8.27, 11.69)
SHOWN = ("univariate", "multivariate", "sparse", "phase-transition")
"""The pictures of the second page, if they were computed; others take their place if not."""
UNFIT = ("tables",)
SMALLEST = 6.0
"""Points: nothing on a printed page is smaller."""
_COLOURS = {Verdict.AGREES: "#00664f", Verdict.DOES_NOT: "#a03c00", Verdict.DEPENDS: "#0058a3"}
_SMALL: dict[Any, Any] = {
    "font.size": 6.5,
    "axes.titlesize": 6.8,
    "axes.labelsize": 6.5,
    "xtick.labelsize": 6.2,
    "ytick.labelsize": 6.2,
    "legend.fontsize": 6.3,
    "lines.linewidth": 1.0,
    "lines.markersize": 2.8,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
}
_Line = tuple[str, str, bool]
"""Words, their colour, and whether they are bold."""


def write_pdf(outcomes: Sequence[Outcome], path: Path, run: Run) -> None:
    """Both pages; words can be selected, and the file is the same for the same rows."""
    plt = plots.plotting()
    from matplotlib.backends.backend_pdf import PdfPages

    about = {"Title": "The paper, checked", "CreationDate": None, "ModDate": None}
    with plt.rc_context(plots.STYLE | _SMALL), PdfPages(path, metadata=about) as pages:
        for sheet in (_verdicts(plt, outcomes, run), _pictures(plt, outcomes)):
            pages.savefig(sheet)
            plt.close(sheet)


def _verdicts(plt: Any, outcomes: Sequence[Outcome], run: Run) -> Any:
    sheet = plt.figure(figsize=A4)
    sheet.text(0.06, 0.955, "The paper, checked", fontsize=15, weight="bold")
    tally = ", ".join(f"{number} {SIGNS[verdict]} {verdict.value}" for verdict, number in counts(outcomes).items())
    head = (
        "Rate Optimality and Phase Transition for User-Level Local Differential Privacy (Kent, Berrett, Yu), computed "
        f"again with the exact law of its algorithms. {extent(run)} Claims: {tally}. "
        f"{other_data_note(outcomes)}".rstrip()
        + " What was measured is in report.html; L… are lines of the paper's source."
    )
    sheet.text(0.06, 0.942, textwrap.fill(head, 132), fontsize=7.5, va="top", linespacing=1.35)
    for size in (8.0, 7.5, 7.0, 6.5, SMALLEST):
        lines = _lines(outcomes, width=int(0.43 * A4[0] * 72 / (0.56 * size)))
        height = 1.32 * size / 72 / A4[1]
        room = int(0.845 / height)
        if len(lines) <= 2 * room:
            break
    if len(lines) > 2 * room:
        lines = [*lines[: 2 * room - 1], ("… the rest is in report.html", plots.INK, True)]
    half = min(room, max(-(-len(lines) // 2), 1))
    while half < min(room, len(lines)) and not lines[half][2]:  # a new column begins with a figure
        half += 1
    second = lines[half:] if half >= len(lines) or lines[half][0] else lines[half + 1 :]
    for column, part in enumerate((lines[:half], second[:room])):
        for i, (words, colour, bold) in enumerate(part):
            place = (0.06 + 0.455 * column, 0.885 - i * height)
            sheet.text(*place, words, fontsize=size, color=colour, weight="bold" if bold else "normal", va="top")
    return sheet


def _lines(outcomes: Sequence[Outcome], *, width: int) -> list[_Line]:
    lines: list[_Line] = []
    for done in outcomes:
        title = textwrap.wrap(f"{done.figure.title} ({done.figure.where})", int(0.9 * width))
        lines += [*([("", plots.INK, False)] if lines else []), *((line, plots.INK, True) for line in title)]
        for claim, judged in done.findings:
            words = f"{SIGNS[judged.verdict]} {judged.verdict.value}: {notation.plain(claim.text)}"
            wrapped = textwrap.wrap(words, width, subsequent_indent="    ")
            lines += [(line, _COLOURS[judged.verdict], False) for line in wrapped]
    return lines


def _pictures(plt: Any, outcomes: Sequence[Outcome]) -> Any:
    sheet = plt.figure(figsize=A4, layout="constrained")
    sheet.get_layout_engine().set(rect=(0.03, 0.025, 0.94, 0.95))
    fit = {done.figure.name: done for done in outcomes if done.figure.name not in UNFIT}
    names = [name for name in SHOWN if name in fit]
    names += [name for name in fit if name not in names][: max(0, 3 - len(names))]
    if not names:
        sheet.text(0.06, 0.95, "No pictures in this run.", fontsize=9)
        return sheet
    heights = [fit[name].figure.size[1] / fit[name].figure.size[0] for name in names]
    spare = max(0.0, 1.75 - sum(heights))
    rows = sheet.subfigures(
        len(names) + (spare > 0), 1, height_ratios=[*heights, *([spare] if spare else [])], squeeze=False
    )
    for place, name in zip(rows[:, 0], names, strict=False):
        figure = fit[name].figure
        figure.draw(fit[name].rows, place)
        place.suptitle(f"{figure.title} ({figure.where})", fontsize=7.5, weight="bold", x=0.01, ha="left")
    plots.finish(sheet)
    return sheet
