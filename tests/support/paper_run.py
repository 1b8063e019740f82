"""What is dear about the paper, made once for all tests of a run: ``sotto paper --quick --check``, and a report."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from sottovoce import paper
from sottovoce.cli import main
from sottovoce.paper import Run, report
from tests.support.once import once
from tests.support.paper_rows import rows_of

QUICK = Run(quick=True)


def quick_check(temporary: pytest.TempPathFactory) -> tuple[Path, int, str]:
    """Where everything was written, the exit code, and what was printed. Two minutes for whoever asks first."""
    folder, said = once(temporary, "paper", _checked)
    code, printed = json.loads(said)
    return folder, code, printed


def frozen_report(temporary: pytest.TempPathFactory, names: tuple[str, ...]) -> Path:
    """Where the real report of these figures is, with every claim, from frozen numbers: nothing is computed."""
    return once(temporary, f"frozen-paper-{len(names)}", lambda folder: str(written(names, folder)))[0]


def written(names: tuple[str, ...], folder: Path) -> Path:
    """The page of `report.write` and its drawings, without the files of numbers and the PDF."""
    folder.mkdir(parents=True, exist_ok=True)
    outcomes = [report.outcome(paper.figure_of(name), rows_of(name), QUICK) for name in names]
    sections = []
    for done in outcomes:
        drawn = report.plots.render(done.figure, done.rows, folder, both=done.figure.name not in report.AS_HTML)
        sections.append(report.section(done, drawn))
    path = folder / "report.html"
    path.write_text(report.page(outcomes, sections, QUICK), encoding="utf-8")
    return path


def _checked(folder: Path) -> str:
    with redirect_stdout(io.StringIO()) as printed:
        code = main(["paper", "--quick", "--check", "--workers", "1", "--out", str(folder), "--json"])
    return json.dumps([code, printed.getvalue()])
