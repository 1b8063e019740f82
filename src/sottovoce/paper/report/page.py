"""The page around the figures: how many claims hold, what was computed, and where to find each figure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from sottovoce.paper import frozen_numbers
from sottovoce.paper.figure import REDUCED, Claim, Figure, Judgement, Row, Rows, Run, Verdict, rows_with
from sottovoce.paper.plots import Drawn
from sottovoce.paper.report import explorer
from sottovoce.paper.report.style import STYLE
from sottovoce.repository_clone import laboratory
from sottovoce.theory import COMPLEXITY, RATE_TABLES, notation

SIGNS = {Verdict.AGREES: "✓", Verdict.DOES_NOT: "✗", Verdict.DEPENDS: "?"}
CLASSES = {Verdict.AGREES: "agrees", Verdict.DOES_NOT: "differs", Verdict.DEPENDS: "depends"}


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """A finished figure."""

    figure: Figure
    rows: Rows
    findings: tuple[tuple[Claim, Judgement], ...]
    moved: tuple[frozen_numbers.Deviation, ...] | None

    @property
    def flipped(self) -> tuple[tuple[Claim, Judgement], ...]:
        """Claims whose verdict is not the one that was frozen."""
        return tuple((claim, judged) for claim, judged in self.findings if judged.verdict != claim.expected)

    @property
    def sound(self) -> bool:
        """Nothing flipped, nothing moved."""
        return not self.flipped and not self.moved


def outcome(figure: Figure, rows: Rows, run: Run) -> Outcome:
    """Check every claim, and every frozen number."""
    moved = None if run.file else frozen_numbers.deviations(figure, rows, quick=run.quick)
    return Outcome(
        figure=figure,
        rows=rows,
        findings=tuple((claim, claim.check(rows)) for claim in figure.claims),
        moved=None if moved is None else tuple(moved),
    )


def counts(outcomes: Sequence[Outcome]) -> dict[Verdict, int]:
    """How many claims have each verdict; what the paper says of other data is not among them."""
    verdicts = [judged.verdict for done in outcomes for claim, judged in done.findings if not claim.borrowed]
    return {verdict: verdicts.count(verdict) for verdict in Verdict}


def other_data_note(outcomes: Sequence[Outcome]) -> str:
    """How many sentences were judged on other data than the paper's, in words; nothing if none were."""
    number = sum(claim.borrowed for done in outcomes for claim, _ in done.findings)
    return f"Not counted: {number} sentences on other data." if number else ""


def extent(run: Run) -> str:
    """How much was computed, in words."""
    if run.reduced:
        return REDUCED
    if run.quick:
        return (
            "A quick look: fewer repetitions than the paper's and fewer points on each axis, so bands are wider and "
            "some curves have corners. Without --quick all of them are computed."
        )
    return "All repetitions of the paper."


def rate_tables_html(rows: Rows) -> str:
    """Each with its caption, formulas set, and their values in brackets."""
    captions = {table.label: table.caption for table in (*RATE_TABLES, COMPLEXITY)}
    return "".join(
        _rate_table(label, captions.get(label, ""), rows_with(rows, table=label))
        for label in dict.fromkeys(row["table"] for row in rows)
    )


def _rate_table(label: str, caption: str, mine: Rows) -> str:
    names = list(dict.fromkeys(row["column"] for row in mine))
    head = "".join(f'<th scope="col">{notation.html(name)}</th>' for name in names)
    body = "".join(
        f'<tr><th scope="row">{notation.html(line)}</th>'
        + "".join(
            f'<td data-label="{escape(name)}">{_rate_cell(rows_with(mine, row=line, column=name)[0])}</td>'
            for name in names
        )
        + "</tr>"
        for line in dict.fromkeys(row["row"] for row in mine)
    )
    return (
        f'<table class="cards"><caption>{escape(label)} (L{mine[0]["line"]}): {notation.html(caption)}</caption>'
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _rate_cell(row: Row) -> str:
    formula = notation.html(row["formula"])
    return formula if row["value"] is None else f'{formula} <span class="note">[{row["value"]:.3g}]</span>'


AS_HTML: dict[str, Callable[[Outcome], str]] = {"tables": lambda done: rate_tables_html(done.rows)}
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
    rows = "".join(_claim_row(claim, judged) for claim, judged in done.findings)
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


def _claim_row(claim: Claim, judged: Judgement) -> str:
    choice = f"<br><b>The choice:</b> {notation.html(judged.choice)}." if judged.choice else ""
    allowed = f'<br><span class="note"><b>Tolerance:</b> {notation.html(claim.tolerance)}</span>'
    return (
        f'<tr><th scope="row">{notation.html(claim.text)} <span class="note">({escape(claim.where)})</span></th>'
        f'<td data-label="what we see">{notation.html(judged.seen)}{allowed}</td>'
        f'<td data-label="verdict" class="verdict {CLASSES[judged.verdict]}">'
        f'<span aria-hidden="true">{SIGNS[judged.verdict]}</span> {escape(judged.verdict.value)}</td>'
        f'<td data-label="why">{notation.html(judged.why)}{choice}</td></tr>'
    )


def _frozen_words(done: Outcome) -> str:
    if done.moved is None:
        if laboratory() is None:
            return "The frozen numbers are in a clone of the repository, and in no installed package."
        return "No numbers are frozen for these data."
    if not done.moved:
        return "All numbers are within their tolerance of the frozen ones."
    return f"{len(done.moved)} numbers moved away from the frozen ones."


def page(outcomes: Sequence[Outcome], sections: Sequence[str], run: Run) -> str:
    """The whole document; it asks for nothing from elsewhere."""
    total = sum(counts(outcomes).values())
    tally = "".join(
        f'<li class="{CLASSES[verdict]}"><b>{number}</b> <span aria-hidden="true">{SIGNS[verdict]}</span> '
        f"{escape(verdict.value)}</li>"
        for verdict, number in counts(outcomes).items()
    )
    about_the_run = f"{other_data_note(outcomes)} {extent(run)}".strip()
    index = "".join(_index_row(done) for done in outcomes)
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
        f'<p>{escape(about_the_run)} Two pages to print: <a href="report.pdf">report.pdf</a>, beside this page.</p>'
        '<nav aria-label="Figures"><table class="cards"><caption>The figures</caption><thead><tr>'
        '<th scope="col">figure</th><th scope="col">where</th><th scope="col">its claims</th></tr></thead>'
        f"<tbody>{index}</tbody></table></nav>{body}</main>{script}</body></html>\n"
    )


def _index_row(done: Outcome) -> str:
    claims = "".join(
        f'<li class="{CLASSES[judged.verdict]}"><span aria-hidden="true">{SIGNS[judged.verdict]}</span> '
        f'{notation.html(claim.name)}<span class="unseen">: {escape(judged.verdict.value)}</span></li>'
        for claim, judged in done.findings
    )
    return (
        f'<tr><th scope="row"><a href="#{escape(done.figure.name)}">{notation.html(done.figure.title)}</a></th>'
        f'<td data-label="where">{escape(done.figure.where)}</td>'
        f'<td data-label="its claims"><ul class="claims">{claims}</ul></td></tr>'
    )
