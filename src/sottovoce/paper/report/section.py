"""A figure on the page: its picture, wide and narrow, its claims, and where its numbers are."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from sottovoce.paper.drawing import Drawn
from sottovoce.paper.figure import Claim, Judgement
from sottovoce.paper.report import explorer, rate_tables
from sottovoce.paper.report.outcome import CLASSES, SIGNS, Outcome
from sottovoce.theory import notation

AS_HTML: dict[str, Callable[[Outcome], str]] = {"tables": lambda done: rate_tables.tables(done.rows)}
"""Figures that are tables of the page itself, not pictures."""
BESIDE: dict[str, Callable[[], str]] = {"regimes": explorer.regimes, "tables": explorer.approximate}
"""What one can try out, below a figure."""


def section(done: Outcome, drawn: Drawn) -> str:
    """The figure, its claims, notes, and the command that makes it again."""
    figure = done.figure
    name = escape(figure.name)
    picture = (
        AS_HTML[figure.name](done)
        if figure.name in AS_HTML
        else f'<figure><div class="wide">{drawn.wide}</div><div class="narrow">{drawn.narrow}</div></figure>'
    )
    notes = "".join(f"<li>{notation.html(note)}</li>" for note in figure.notes)
    rows = "".join(_row(claim, found) for claim, found in done.findings)
    return (
        f'<section id="{name}" aria-labelledby="{name}-heading">'
        f'<h2 id="{name}-heading">{notation.html(figure.title)} <small>{escape(figure.where)}</small></h2>'
        f"{picture}"
        f'<table class="cards"><caption>What the paper says of it, and what we see</caption><thead><tr>'
        '<th scope="col">the paper</th><th scope="col">what we see</th><th scope="col">verdict</th>'
        f'<th scope="col">why</th></tr></thead><tbody>{rows}</tbody></table>'
        + (f'<ul class="note">{notes}</ul>' if notes else "")
        + f'<p class="note">{escape(_frozen_words(done))} Numbers: <code>{name}.csv</code>. '
        f'Again: <code>sotto paper {name}</code>. <a href="#top">Back to the top</a></p>'
        f"{BESIDE[figure.name]() if figure.name in BESIDE else ''}</section>"
    )


def _row(claim: Claim, found: Judgement) -> str:
    choice = f"<br><b>The choice:</b> {notation.html(found.choice)}." if found.choice else ""
    allowed = f'<br><span class="note"><b>Tolerance:</b> {notation.html(claim.tolerance)}</span>'
    return (
        f'<tr><th scope="row">{notation.html(claim.text)} <span class="note">({escape(claim.where)})</span></th>'
        f'<td data-label="what we see">{notation.html(found.seen)}{allowed}</td>'
        f'<td data-label="verdict" class="verdict {CLASSES[found.verdict]}">'
        f'<span aria-hidden="true">{SIGNS[found.verdict]}</span> {escape(found.verdict.value)}</td>'
        f'<td data-label="why">{notation.html(found.why)}{choice}</td></tr>'
    )


def _frozen_words(done: Outcome) -> str:
    if done.moved is None:
        return "No numbers are frozen for these data."
    if not done.moved:
        return "All numbers are within their tolerance of the frozen ones."
    return f"{len(done.moved)} numbers moved away from the frozen ones."
