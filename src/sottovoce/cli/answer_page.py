"""An answer as a page: one file, nothing loaded from anywhere, no script; plain words first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib import resources
from typing import TYPE_CHECKING

from sottovoce.cli.answer_picture import STYLE as PICTURE
from sottovoce.cli.answer_picture import picture
from sottovoce.cli.read import DATE

if TYPE_CHECKING:
    from sottovoce.answers import Answer

THEME = resources.files("sottovoce").joinpath("web", "shared", "theme.css")
"""The look that all pages share."""
_STYLE = """
main, header { max-width:52rem; margin:0 auto; padding-left:1.25rem; padding-right:1.25rem }
header { padding-top:2.5rem } main { padding-top:0 }
.plain { font-size:1.25rem; line-height:1.5; max-width:60ch; margin:1rem 0 }
.truth { border-left:.3rem solid var(--good); padding:.1rem 0 .1rem 1rem; margin:1rem 0; max-width:74ch }
.warning { border:1px solid var(--line); border-left:.5rem solid var(--bad); border-radius:10px;
  background:var(--card); padding:.7rem 1rem; margin:1rem 0 }
.warning b { color:var(--bad) }
dl.told { display:grid; grid-template-columns:7.5rem 1fr; gap:.35rem 1rem; margin:.8rem 0 }
dl.told dt { color:var(--soft) } dl.told dd { margin:0; min-width:0; overflow-wrap:anywhere }
dl.told dd.rows { white-space:pre; overflow-x:auto; font-family:ui-monospace,monospace; font-size:.9rem }
pre.drawn { overflow-x:auto; font-size:.85rem; line-height:1.2 }
@media (max-width:30rem) { dl.told { grid-template-columns:1fr; gap:.1rem } dl.told dd { margin-bottom:.6rem } }
"""


_PRIVACY = ("privacy", "that is")


@dataclass(frozen=True, kw_only=True)
class Shown:
    """An answer, what it is of, and what a command says besides."""

    answer: Answer
    of: str
    title: str
    notes: Sequence[tuple[str, str]] = ()


def page(shown: Sequence[Shown]) -> str:
    """The whole document."""
    style = THEME.read_text(encoding="utf-8") + _STYLE + PICTURE
    body = "\n".join(_one(one, number, alone=len(shown) == 1) for number, one in enumerate(shown))
    title = escape(shown[0].title if len(shown) == 1 else "Several answers from one survey")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f'<header><h1>{title}</h1><p class="soft">Sottovoce: every user sent at most one report, randomised before '
        f"it left.</p></header>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _one(shown: Shown, number: int, *, alone: bool) -> str:
    answer, first = shown.answer, []
    words, *rest = answer.said_first(of=shown.of)
    for name, text in [words, *(note for note in shown.notes if note[0] == DATE), *rest]:
        if name == "warning":
            first.append(f'<p class="warning"><b>Warning:</b> {escape(text)}</p>')
        elif name == "truth":
            first.append(f'<p class="truth"><b>Truth:</b> {escape(text)}</p>')
        else:
            first.append(f'<p class="plain">{escape(text)}</p>')
    depth = 2 if alone else 3
    head = "" if alone else f"<h2>{escape(shown.title)}</h2>"
    rows = [row for row in answer.headline() if row[0] not in answer.pictured]
    method = [*answer.method_lines(), *(note for note in shown.notes if note[0] != DATE)]
    parts = [
        ("numbers", "Numbers", rows),
        ("relied", "What the numbers rely on", answer.footing()),
        ("method", "How it was asked", [row for row in method if row[0] not in _PRIVACY]),
        ("privacy", "Privacy", [row for row in method if row[0] in _PRIVACY]),
    ]
    sections = [
        f'<section aria-labelledby="{name}-{number}"><h{depth} id="{name}-{number}">{title}</h{depth}>{_told(lines)}'
        "</section>"
        for name, title, lines in parts
        if lines
    ]
    return "\n".join([head, *first, picture(answer), *sections])


def _told(lines: Sequence[tuple[str, str]]) -> str:
    """Names and texts; several lines under one name are a table, whose columns stay below each other."""
    told: list[tuple[str, list[str]]] = []
    for name, text in lines:
        if name or not told:
            told.append((name, []))
        told[-1][1].append(text)
    return f'<dl class="told">{"".join(_entry(name, texts) for name, texts in told)}</dl>'


def _entry(name: str, texts: list[str]) -> str:
    several = ' class="rows" tabindex="0"' if len(texts) > 1 else ""
    return f"<dt>{escape(name)}</dt><dd{several}>{escape(chr(10).join(texts))}</dd>"
