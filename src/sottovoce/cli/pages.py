"""Pages that commands write: answers, plans, trials, verdicts. One file each, nothing is loaded, no script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sottovoce.cli.terminal import DATE
from sottovoce.messages import Fact
from sottovoce.pictures import STYLE as PICTURE
from sottovoce.pictures import figure

if TYPE_CHECKING:
    from sottovoce.answers import Answer, Line
    from sottovoce.engines import Verdict
    from sottovoce.planning import Plan, SeveralPlan
    from sottovoce.trials import Comparison

THEME = resources.files("sottovoce").joinpath("web", "shared", "theme.css")
"""The look that all pages share."""
STYLE = """
main, header { max-width:52rem; margin:0 auto; padding-left:1.25rem; padding-right:1.25rem }
header { padding-top:2.5rem } main { padding-top:0 }
.plain { font-size:1.25rem; line-height:1.5; max-width:60ch; margin:1rem 0 }
.truth { border-left:.3rem solid var(--good); padding:.1rem 0 .1rem 1rem; margin:1rem 0; max-width:74ch }
.warning { border:1px solid var(--line); border-left:.5rem solid var(--bad); border-radius:10px;
  background:var(--card); padding:.7rem 1rem; margin:1rem 0 }
.warning b { color:var(--bad) }
dl.told { display:grid; grid-template-columns:7.5rem 1fr; gap:.35rem 1rem; margin:.8rem 0 }
dl.told dt { color:var(--soft) }
dl.told dd { margin:0; min-width:0; overflow-wrap:anywhere; white-space:pre-wrap; font-variant-numeric:tabular-nums }
dl.told dd.rows { white-space:pre; overflow-x:auto; font-family:ui-monospace,monospace; font-size:.9rem }
pre.drawn { overflow-x:auto; font-size:.85rem; line-height:1.2; white-space:pre }
.scroll { margin:.8rem 0 } .scroll table { overflow-wrap:normal } .scroll th, .scroll td { white-space:nowrap }
caption { text-align:left; color:var(--soft); padding-bottom:.4rem }
@media (max-width:30rem) { dl.told { grid-template-columns:4.8rem 1fr; gap:.35rem .6rem }
  dl.told dt { font-size:.86rem } dl.told dd { font-size:.93rem } dl.told dd.rows { grid-column:1 / -1 } }
"""
Lines = Sequence[tuple[Any, Any]]
"""Labels and facts, or texts; see `answers.Line`."""
_FRAMED = ("warning", "truth")


@dataclass(frozen=True, kw_only=True)
class Part:
    """What stands under one heading, which `title` is the code of: what is ready to stand there, names with texts."""

    title: str
    lines: Lines = ()
    inside: str = ""


def html_document(title: Fact | str, *, about: Fact | str, body: str, style: str = STYLE) -> str:
    """The whole page; `about` stands below its title."""
    head, look = escape(str(title)), THEME.read_text(encoding="utf-8") + style
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{head}</title>\n<style>{look}</style>\n</head>\n<body>\n"
        f'<header><h1>{head}</h1><p class="soft">{escape(str(about))}</p></header>\n'
        f"<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def first_lines(lines: Lines) -> str:
    """What nobody may miss: plain words in large letters, the truth and warnings framed."""
    from sottovoce.answers import key
    from sottovoce.messages import Fact

    shown = []
    for label, fact in lines:
        name, text = key(label), escape(str(fact))
        if name in _FRAMED:
            shown.append(f'<p class="{name}"><b>{escape(str(Fact("page-framed", label=label)))}</b> {text}</p>')
        else:
            shown.append(f'<p class="plain">{text}</p>')
    return "\n".join(shown)


def sections(shown: Sequence[Part], *, mark: str = "part", depth: int = 2) -> str:
    """Sections, each named by its heading for those who jump from one to the next; an empty one is left out."""
    from sottovoce.messages import Fact

    return "\n".join(
        f'<section aria-labelledby="{mark}-{place}"><h{depth} id="{mark}-{place}">'
        f"{escape(str(Fact(one.title)))}</h{depth}>{one.inside}{_definitions(one.lines)}</section>"
        for place, one in enumerate(shown)
        if one.lines or one.inside
    )


def html_table(header: Sequence[str], rows: Sequence[Sequence[str]], *, caption: str, notes: Sequence[str] = ()) -> str:
    """A table that moves inside of itself where it is too wide: names to the left, numbers to the right."""
    name, *numbers = map(escape, header)
    head = f'<th scope="col">{name}</th>' + "".join(f'<th scope="col" class="n">{cell}</th>' for cell in numbers)
    body = "".join(
        f'<tr><th scope="row">{escape(name)}</th>{"".join(f"<td class=n>{escape(cell)}</td>" for cell in cells)}</tr>'
        for name, *cells in rows
    )
    below = "".join(f'<p class="soft">{escape(note)}</p>' for note in notes)
    if not rows:
        return below
    return (
        f'<div class="scroll" role="region" aria-label="{escape(caption, quote=True)}" tabindex="0"><table>'
        f"<caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>{below}"
    )


def save_page(path: str, text: str) -> None:
    """Write a page."""
    Path(path).expanduser().write_text(text, encoding="utf-8")


def _definitions(lines: Lines) -> str:
    """Names and texts; several lines under one name are a table, whose columns stay below each other."""
    from sottovoce.answers import lines_in_words

    shown: list[tuple[str, list[str]]] = []
    for name, text in lines_in_words(lines):
        if name or not shown:
            shown.append((name, []))
        shown[-1][1].append(text)
    return f'<dl class="told">{"".join(_entry(name, texts) for name, texts in shown)}</dl>' if shown else ""


def _entry(name: str, texts: list[str]) -> str:
    several = ' class="rows" tabindex="0"' if len(texts) > 1 else ""
    return f"<dt>{escape(name)}</dt><dd{several}>{escape(chr(10).join(texts))}</dd>"


ANSWER_STYLE = STYLE + PICTURE
_PRIVACY_LABELS = ("privacy", "meaning")


@dataclass(frozen=True, kw_only=True)
class ShownAnswer:
    """An answer, what it is of, and what a command says besides."""

    answer: Answer
    of: str
    title: Fact | str
    notes: Sequence[Line] = ()


def answer_page(shown: Sequence[ShownAnswer]) -> str:
    """The whole document."""
    alone = len(shown) == 1
    return html_document(
        shown[0].title if alone else Fact("page-of-several"),
        about=Fact("page-about-asked" if shown[0].answer.rehearsal is None else "page-about-rehearsed"),
        body="\n".join(answer_body(one, number, depth=2 if alone else 3) for number, one in enumerate(shown)),
        style=ANSWER_STYLE,
    )


def answer_body(shown: ShownAnswer, number: int = 0, *, depth: int = 2) -> str:
    """An answer without the page around it; under a heading of its own where its parts' are deeper than a page's."""
    from sottovoce.answers import key

    answer = shown.answer
    words, *rest = answer.first_lines(of=shown.of)
    first = [words, *(note for note in shown.notes if key(note[0]) == DATE), *rest]
    head = "" if depth == 2 else f"<h2>{escape(str(shown.title))}</h2>"
    method = [*answer.method_lines(), *(note for note in shown.notes if key(note[0]) != DATE)]
    parts = [
        Part(
            title="result-page-numbers", lines=[row for row in answer.headline() if key(row[0]) not in answer.pictured]
        ),
        Part(title="result-page-relied", lines=answer.basis_lines()),
        Part(title="page-section-asked", lines=[row for row in method if key(row[0]) not in _PRIVACY_LABELS]),
        Part(title="result-page-privacy", lines=[row for row in method if key(row[0]) in _PRIVACY_LABELS]),
    ]
    told = sections(parts, mark=f"answer-{number}", depth=depth)
    return "\n".join([head, first_lines(first), figure(answer.drawing()), told])


_FIRST = ("answer", "warning")
_ABOUT = ("plan", "users", "survey", "truth", "method", "methods", "mse", "note", "")
_RELIED = ("assumed", "regime", "limit", "colluders")
_CHANGED = ("advice", "or")
_PRIVACY = ("protects",)
_WIDE = ANSWER_STYLE + "main, header { max-width:66rem }\n"
"""For tables of many columns."""


def plan_page(plan: Plan) -> str:
    """What was asked for, what it will be worth, what would change that."""
    picture = figure(plan.drawing(), caption=Fact("picture-caption-plan"))
    return _page(
        Fact("plan-page", problem=plan.problem.name),
        plan.lines(),
        about="plan-page-about",
        method="plan-page-how",
        changed=("plan-page-what-if", picture),
    )


def several_plan_page(plan: SeveralPlan) -> str:
    """Half-widths of all parts, with either split."""
    from sottovoce.answers import line

    shown = html_table(plan.header, plan.table(), caption=str(Fact("plan-page-parts")))
    return _page(Fact("plan-page-several"), [line("answer", plan.taken)], about="plan-page-about", inside=shown)


def trial_page(lines: Sequence[Line], *, title: Fact) -> str:
    """One method, many times over."""
    return _page(title, lines, about="trial-page-about")


def comparison_page(comparison: Comparison, *, title: Fact) -> str:
    """Methods side by side."""
    first = Fact("trial-at-epsilon", epsilon=comparison.epsilons[0])
    tables = [
        html_table(
            list(map(str, one.header)),
            one.cells(),
            caption=str(one.title or first),
            notes=list(map(str, one.notes)),
        )
        for one in comparison.tables()
    ]
    inside = "".join(tables)
    return _page(
        title, comparison.lines(), about="trial-page-about", inside=inside, explained=("coverage",), style=_WIDE
    )


def verdict_page(verdict: Verdict, answer: ShownAnswer | None) -> str:
    """The verdict, the answer where it follows, and what was gone through."""
    first = first_lines([("answer" if verdict.ok else "warning", verdict.words)])
    chain = Part(
        title="verdict-page-chain",
        inside=f"<ol>{''.join(f'<li>{escape(str(line))}</li>' for line in verdict.lines)}</ol>",
        lines=[("verdict", verdict.headline), ("survey", verdict.survey)],
    )
    shown = "" if answer is None else answer_body(answer, depth=3)
    text = "\n".join([first, shown, sections([chain])])
    return html_document(Fact("verdict-page"), about=Fact("verdict-page-about"), body=text, style=ANSWER_STYLE)


def _page(
    title: Fact,
    lines: Sequence[Line],
    *,
    about: str,
    method: str = "result-page-how",
    inside: str = "",
    changed: tuple[str, str] | None = None,
    explained: Sequence[str] = (),
    style: str = ANSWER_STYLE,
) -> str:
    """Plain words and warnings, numbers, what they rely on, how; lines that are `explained` say what columns are."""
    from sottovoce.answers import key

    how = (*_ABOUT, *explained)
    said = (*_FIRST, *how, *_RELIED, *_CHANGED, *_PRIVACY)

    def part(code: str, names: Sequence[str], inside: str = "") -> Part:
        return Part(title=code, inside=inside, lines=_lines_named(lines, names))

    rest = [key(label) for label, _ in lines if key(label) not in said]
    shown = [
        part("result-page-numbers", rest, inside),
        *([] if changed is None else [part(changed[0], _CHANGED, changed[1])]),
        part("result-page-relied", _RELIED),
        part(method, how),
        part("result-page-privacy", _PRIVACY),
    ]
    text = f"{first_lines(_lines_named(lines, _FIRST))}\n{sections(shown)}"
    return html_document(title, about=Fact(about), body=text, style=style)


def _lines_named(lines: Sequence[Line], names: Sequence[str]) -> list[Line]:
    from sottovoce.answers import key

    return [line for line in lines if key(line[0]) in names]
