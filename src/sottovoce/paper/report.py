"""One page over all figures: claim, what we see, the verdict and why, with the pictures inside."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from sottovoce.paper import drawing, frozen
from sottovoce.paper.figure import Claim, Figure, Judgement, Rows, Run, Verdict


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """A finished figure."""

    figure: Figure
    rows: Rows
    findings: tuple[tuple[Claim, Judgement], ...]
    moved: tuple[frozen.Deviation, ...] | None

    @property
    def flipped(self) -> tuple[tuple[Claim, Judgement], ...]:
        """Claims whose verdict is not the one that was frozen."""
        return tuple((claim, found) for claim, found in self.findings if found.verdict != claim.expected)

    @property
    def sound(self) -> bool:
        """Nothing flipped, nothing moved."""
        return not self.flipped and not self.moved


def outcome(figure: Figure, rows: Rows, run: Run) -> Outcome:
    """Check every claim, and every frozen number."""
    moved = None if run.file else frozen.deviations(figure, rows, quick=run.quick)
    return Outcome(
        figure=figure,
        rows=rows,
        findings=tuple((claim, claim.check(rows)) for claim in figure.claims),
        moved=None if moved is None else tuple(moved),
    )


def write(outcomes: Sequence[Outcome], folder: Path, run: Run) -> Path:
    """CSV, SVG and PNG of every figure, and ``report.html`` over all of them, which needs no other file."""
    folder.mkdir(parents=True, exist_ok=True)
    sections = []
    for done in outcomes:
        frozen.write_csv(folder / f"{done.figure.name}.csv", done.rows)
        svg, _ = drawing.render(done.figure, done.rows, folder)
        sections.append(_section(done, svg.read_text()))
    page = folder / "report.html"
    page.write_text(_page(outcomes, sections, run), encoding="utf-8")
    return page


_COLOURS = {Verdict.AGREES: "#00705a", Verdict.DOES_NOT: "#b34700", Verdict.DEPENDS: "#0060a0"}
_SIGNS = {Verdict.AGREES: "✓", Verdict.DOES_NOT: "✗", Verdict.DEPENDS: "?"}

_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:76rem;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse;width:100%;margin:1rem 0;font-size:.9rem}
th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid #ddd}
th{border-bottom:2px solid #888}td.v{font-weight:600;white-space:nowrap}
svg{max-width:100%;height:auto}h2{margin-top:3rem;border-top:1px solid #ccc;padding-top:1rem}
.note{color:#555;font-size:.9rem}code{background:#f3f3f3;padding:0 .2em}
"""


def _page(outcomes: Sequence[Outcome], sections: Sequence[str], run: Run) -> str:
    count = {verdict: sum(f.verdict == verdict for o in outcomes for _, f in o.findings) for verdict in Verdict}
    total = ", ".join(f"{number} {verdict.value}" for verdict, number in count.items())
    index = "".join(
        f'<tr><td><a href="#{o.figure.name}">{escape(o.figure.title)}</a></td><td>{escape(o.figure.where)}</td><td>'
        + " ".join(
            f'<span style="color:{_COLOURS[f.verdict]}" title="{escape(c.name)}: {escape(f.verdict.value)}">'
            f"{_SIGNS[f.verdict]}</span>"
            for c, f in o.findings
        )
        + "</td></tr>"
        for o in outcomes
    )
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>The paper, checked</title>'
        f"<style>{_STYLE}</style><h1>The paper, checked</h1>"
        "<p>Figures and tables of <em>Rate Optimality and Phase Transition for User-Level Local Differential "
        "Privacy</em> (Kent, Berrett, Yu), computed again with the exact law of its algorithms. L… are lines of its "
        f"source. {escape(run.words)} Claims: {escape(total)}.</p>"
        f"<table><tr><th>figure</th><th>where</th><th>claims</th></tr>{index}</table>{''.join(sections)}</html>\n"
    )


def _section(done: Outcome, svg: str) -> str:
    figure = done.figure
    rows = "".join(_row(claim, found) for claim, found in done.findings)
    notes = "".join(f"<li>{escape(note)}</li>" for note in figure.notes)
    return (
        f'<h2 id="{figure.name}">{escape(figure.title)} <small class="note">{escape(figure.where)}</small></h2>'
        f"{_inline(svg, figure.name)}"
        "<table><tr><th>the paper</th><th>what we see</th><th>verdict</th><th>why</th></tr>"
        f"{rows}</table><ul class='note'>{notes}</ul>"
        f"<p class='note'>{escape(_frozen_words(done))} Numbers: <code>{figure.name}.csv</code>. "
        f"Again: <code>sotto paper {figure.name}</code></p>"
    )


def _row(claim: Claim, found: Judgement) -> str:
    choice = f"<br><b>The choice:</b> {escape(found.choice)}." if found.choice else ""
    return (
        f"<tr><td>{escape(claim.text)} <span class='note'>({escape(claim.where)})</span></td>"
        f"<td>{escape(found.seen)}</td>"
        f'<td class="v" style="color:{_COLOURS[found.verdict]}">{_SIGNS[found.verdict]} {escape(found.verdict.value)}'
        f"</td><td>{escape(found.why)}{choice}</td></tr>"
    )


def _frozen_words(done: Outcome) -> str:
    if done.moved is None:
        return "No numbers are frozen for these data."
    if not done.moved:
        return "All numbers are within their tolerance of the frozen ones."
    return f"{len(done.moved)} numbers moved away from the frozen ones."


def _inline(svg: str, name: str) -> str:
    """The drawing without its XML head, its ids made its own so that several can share a page."""
    body = svg[svg.index("<svg") :]
    body = re.sub(r'id="([^"]+)"', rf'id="{name}-\1"', body)
    return re.sub(r'(href="#|url\(#)', rf"\g<1>{name}-", body)
