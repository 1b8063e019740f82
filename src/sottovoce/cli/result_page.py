"""Plans, simulations, comparisons and verdicts as pages, from the lines that a terminal shows."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from sottovoce.cli import page as paper
from sottovoce.cli.answer_page import STYLE, Shown, body
from sottovoce.messages import Fact
from sottovoce.pictures import figure

if TYPE_CHECKING:
    from sottovoce.engines import Verdict
    from sottovoce.planning import Plan, SeveralPlan
    from sottovoce.trials import Comparison

PLANNED = "Sottovoce: what a survey would be worth, computed before anybody is asked."
REPEATED = "Sottovoce: surveys repeated by the exact simulator; nobody was asked."
VERIFIED = "Sottovoce: a survey's transcript, replayed from its announcement to its answer."
_FIRST = ("answer", "warning")
_ABOUT = ("plan", "users", "survey", "truth", "method", "methods", "MSE", "note", "")
_RELIED = ("assumed", "regime", "limit", "colluders")
_CHANGED = ("advice", "or")
_PRIVACY = ("protects",)
_WIDE = STYLE + "main, header { max-width:66rem }\n"
"""For tables of many columns."""


def plan_page(found: Plan) -> str:
    """What was asked for, what it will be worth, what would change that."""
    picture = figure(found.drawing(), caption=Fact("picture-caption-plan"))
    return _page(
        f"Plan of a survey: {found.problem.name}",
        found.lines(),
        about=PLANNED,
        method="How it would be asked",
        changed=paper.Part(title="What if", inside=picture, lines=_of(found.lines(), _CHANGED)),
    )


def several_plan_page(found: SeveralPlan) -> str:
    """Half-widths of all parts, with either split."""
    shown = paper.table(found.header, found.table(), caption="Half-width and method of each part")
    lines = [("answer", f"Take {found.split}: {found.reason}.")]
    return _page("Plan of a survey: several answers", lines, about=PLANNED, inside=shown)


def repeated_page(lines: Sequence[tuple[str, str]], *, title: str) -> str:
    """One method, many times over."""
    return _page(title, lines, about=REPEATED)


def compared_page(found: Comparison, *, title: str) -> str:
    """Methods side by side."""
    tables = [
        paper.table(one.header, one.rows, caption=one.title or f"ε = {found.epsilons[0]:g}", notes=one.notes)
        for one in found.tables()
    ]
    return _page(title, found.lines(), about=REPEATED, inside="".join(tables), explained=("coverage",), style=_WIDE)


def verdict_page(verdict: Verdict, answer: Shown | None) -> str:
    """The verdict, the answer where it follows, and what was gone through."""
    first = paper.first([("answer" if verdict.ok else "warning", verdict.words)])
    chain = paper.Part(
        title="What was gone through",
        inside=f"<ol>{''.join(f'<li>{escape(str(line))}</li>' for line in verdict.lines)}</ol>",
        lines=[("verdict", verdict.headline), ("survey", verdict.survey)],
    )
    shown = "" if answer is None else body(answer, depth=3)
    return paper.document(
        "Does the answer follow?", about=VERIFIED, body="\n".join([first, shown, paper.parts([chain])]), style=STYLE
    )


def _page(
    title: str,
    lines: Sequence[tuple[str, str]],
    *,
    about: str,
    method: str = "How it was done",
    inside: str = "",
    changed: paper.Part | None = None,
    explained: Sequence[str] = (),
    style: str = STYLE,
) -> str:
    """Plain words and warnings, numbers, what they rely on, how; lines that are `explained` say what columns are."""
    how = (*_ABOUT, *explained)
    said = (*_FIRST, *how, *_RELIED, *_CHANGED, *_PRIVACY)
    shown = [
        paper.Part(title="Numbers", inside=inside, lines=[line for line in lines if line[0] not in said]),
        *([] if changed is None else [changed]),
        paper.Part(title="What the numbers rely on", lines=_of(lines, _RELIED)),
        paper.Part(title=method, lines=_of(lines, how)),
        paper.Part(title="Privacy", lines=_of(lines, _PRIVACY)),
    ]
    text = f"{paper.first(_of(lines, _FIRST))}\n{paper.parts(shown)}"
    return paper.document(title, about=about, body=text, style=style)


def _of(lines: Sequence[tuple[str, str]], names: Sequence[str]) -> list[tuple[str, str]]:
    return [line for line in lines if line[0] in names]
