"""The page around the figures: how many claims hold, what was computed, and where to find each figure."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from sottovoce.paper.figure import Run
from sottovoce.paper.report import explorer
from sottovoce.paper.report.outcome import CLASSES, SIGNS, Outcome, apart, counts, extent
from sottovoce.paper.report.style import STYLE
from sottovoce.theory import notation


def page(outcomes: Sequence[Outcome], sections: Sequence[str], run: Run) -> str:
    """The whole document; it asks for nothing from elsewhere."""
    total = sum(counts(outcomes).values())
    tally = "".join(
        f'<li class="{CLASSES[verdict]}"><b>{number}</b> <span aria-hidden="true">{SIGNS[verdict]}</span> '
        f"{escape(verdict.value)}</li>"
        for verdict, number in counts(outcomes).items()
    )
    said = f"{apart(outcomes)} {extent(run)}".strip()
    index = "".join(_entry(done) for done in outcomes)
    body = "".join(sections)
    script = explorer.script() if 'class="try"' in body else ""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark"><title>The paper, checked</title>'
        f'<style>{STYLE}</style></head><body><main id="top"><h1>The paper, checked</h1>'
        "<p>Figures and tables of <em>Rate Optimality and Phase Transition for User-Level Local Differential "
        "Privacy</em> (Kent, Berrett, Yu), computed again with the exact law of its algorithms. L… are lines of its "
        "source. Lines in the colour of the words are our own methods at the same ε; the paper writes α for ε.</p>"
        f'<p><b>{total} claims:</b></p><ul class="tally">{tally}</ul>'
        f'<p>{escape(said)} Two pages to print: <a href="report.pdf">report.pdf</a>, beside this page.</p>'
        '<nav aria-label="Figures"><table class="cards"><caption>The figures</caption><thead><tr>'
        '<th scope="col">figure</th><th scope="col">where</th><th scope="col">its claims</th></tr></thead>'
        f"<tbody>{index}</tbody></table></nav>{body}</main>{script}</body></html>\n"
    )


def _entry(done: Outcome) -> str:
    claims = "".join(
        f'<li class="{CLASSES[found.verdict]}"><span aria-hidden="true">{SIGNS[found.verdict]}</span> '
        f'{notation.html(claim.name)}<span class="unseen">: {escape(found.verdict.value)}</span></li>'
        for claim, found in done.findings
    )
    return (
        f'<tr><th scope="row"><a href="#{escape(done.figure.name)}">{notation.html(done.figure.title)}</a></th>'
        f'<td data-label="where">{escape(done.figure.where)}</td>'
        f'<td data-label="its claims"><ul class="claims">{claims}</ul></td></tr>'
    )
