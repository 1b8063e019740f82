"""One page over all figures, and two pages to print: claim, what we see, the verdict and why, with the pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sottovoce.paper import frozen_numbers, plots
from sottovoce.paper.figure import Run
from sottovoce.paper.report.page import AS_HTML, Outcome, outcome, page, section
from sottovoce.paper.report.pdf import write_pdf

__all__ = ["Outcome", "outcome", "write"]


def write(outcomes: Sequence[Outcome], folder: Path, run: Run) -> Path:
    """CSV, SVG and PNG of every figure, ``report.html``, which needs no other file, and ``report.pdf``: two pages."""
    folder.mkdir(parents=True, exist_ok=True)
    sections = []
    for done in outcomes:
        frozen_numbers.write_csv(folder / f"{done.figure.name}.csv", done.rows)
        drawn = plots.render(done.figure, done.rows, folder, both=done.figure.name not in AS_HTML)
        sections.append(section(done, drawn))
    path = folder / "report.html"
    path.write_text(page(outcomes, sections, run), encoding="utf-8")
    write_pdf(outcomes, folder / "report.pdf", run)
    return path
