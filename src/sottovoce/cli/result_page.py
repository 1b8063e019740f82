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
    from sottovoce.answers import Line
    from sottovoce.engines import Verdict
    from sottovoce.planning import Plan, SeveralPlan
    from sottovoce.trials import Comparison

_FIRST = ("answer", "warning")
_ABOUT = ("plan", "users", "survey", "truth", "method", "methods", "mse", "note", "")
_RELIED = ("assumed", "regime", "limit", "colluders")
_CHANGED = ("advice", "or")
_PRIVACY = ("protects",)
_WIDE = STYLE + "main, header { max-width:66rem }\n"
"""For tables of many columns."""


def plan_page(found: Plan) -> str:
    """What was asked for, what it will be worth, what would change that."""
    picture = figure(found.drawing(), caption=Fact("picture-caption-plan"))
    return _page(
        Fact("plan-page", problem=found.problem.name),
        found.lines(),
        about="plan-page-about",
        method="plan-page-how",
        changed=("plan-page-what-if", picture),
    )


def several_plan_page(found: SeveralPlan) -> str:
    """Half-widths of all parts, with either split."""
    from sottovoce.answers import line

    shown = paper.table(found.header, found.table(), caption=str(Fact("plan-page-parts")))
    return _page(Fact("plan-page-several"), [line("answer", found.taken)], about="plan-page-about", inside=shown)


def repeated_page(lines: Sequence[Line], *, title: Fact) -> str:
    """One method, many times over."""
    return _page(title, lines, about="trial-page-about")


def compared_page(found: Comparison, *, title: Fact) -> str:
    """Methods side by side."""
    first = Fact("trial-at-epsilon", epsilon=found.epsilons[0])
    tables = [
        paper.table(
            list(map(str, one.header)),
            one.cells(),
            caption=str(one.title or first),
            notes=list(map(str, one.notes)),
        )
        for one in found.tables()
    ]
    inside = "".join(tables)
    return _page(title, found.lines(), about="trial-page-about", inside=inside, explained=("coverage",), style=_WIDE)


def verdict_page(verdict: Verdict, answer: Shown | None) -> str:
    """The verdict, the answer where it follows, and what was gone through."""
    first = paper.first([("answer" if verdict.ok else "warning", verdict.words)])
    chain = paper.Part(
        title="verdict-page-chain",
        inside=f"<ol>{''.join(f'<li>{escape(str(line))}</li>' for line in verdict.lines)}</ol>",
        lines=[("verdict", verdict.headline), ("survey", verdict.survey)],
    )
    shown = "" if answer is None else body(answer, depth=3)
    text = "\n".join([first, shown, paper.parts([chain])])
    return paper.document(Fact("verdict-page"), about=Fact("verdict-page-about"), body=text, style=STYLE)


def _page(
    title: Fact,
    lines: Sequence[Line],
    *,
    about: str,
    method: str = "result-page-how",
    inside: str = "",
    changed: tuple[str, str] | None = None,
    explained: Sequence[str] = (),
    style: str = STYLE,
) -> str:
    """Plain words and warnings, numbers, what they rely on, how; lines that are `explained` say what columns are."""
    from sottovoce.answers import key

    how = (*_ABOUT, *explained)
    said = (*_FIRST, *how, *_RELIED, *_CHANGED, *_PRIVACY)

    def part(code: str, names: Sequence[str], inside: str = "") -> paper.Part:
        return paper.Part(title=code, inside=inside, lines=_of(lines, names))

    rest = [key(label) for label, _ in lines if key(label) not in said]
    shown = [
        part("result-page-numbers", rest, inside),
        *([] if changed is None else [part(changed[0], _CHANGED, changed[1])]),
        part("result-page-relied", _RELIED),
        part(method, how),
        part("result-page-privacy", _PRIVACY),
    ]
    text = f"{paper.first(_of(lines, _FIRST))}\n{paper.parts(shown)}"
    return paper.document(title, about=Fact(about), body=text, style=style)


def _of(lines: Sequence[Line], names: Sequence[str]) -> list[Line]:
    from sottovoce.answers import key

    return [line for line in lines if key(line[0]) in names]
