"""A page that a command writes: one file, nothing loaded from anywhere, no script; plain words first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sottovoce.messages import Fact

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


def document(title: Fact | str, *, about: Fact | str, body: str, style: str = STYLE) -> str:
    """The whole page; `about` stands below its title."""
    head, look = escape(str(title)), THEME.read_text(encoding="utf-8") + style
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{head}</title>\n<style>{look}</style>\n</head>\n<body>\n"
        f'<header><h1>{head}</h1><p class="soft">{escape(str(about))}</p></header>\n'
        f"<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def first(lines: Lines) -> str:
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


def parts(shown: Sequence[Part], *, mark: str = "part", depth: int = 2) -> str:
    """Sections, each named by its heading for those who jump from one to the next; an empty one is left out."""
    from sottovoce.messages import Fact

    return "\n".join(
        f'<section aria-labelledby="{mark}-{place}"><h{depth} id="{mark}-{place}">'
        f"{escape(str(Fact(one.title)))}</h{depth}>{one.inside}{_told(one.lines)}</section>"
        for place, one in enumerate(shown)
        if one.lines or one.inside
    )


def table(header: Sequence[str], rows: Sequence[Sequence[str]], *, caption: str, notes: Sequence[str] = ()) -> str:
    """A table that moves inside of itself where it is too wide: names to the left, numbers to the right."""
    head = "".join(f'<th scope="col"{_right(place)}>{escape(cell)}</th>' for place, cell in enumerate(header))
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


def save(path: str, text: str) -> None:
    """Write a page."""
    Path(path).expanduser().write_text(text, encoding="utf-8")


def _right(place: int) -> str:
    return ' class="n"' if place else ""


def _told(lines: Lines) -> str:
    """Names and texts; several lines under one name are a table, whose columns stay below each other."""
    from sottovoce.answers import told

    shown: list[tuple[str, list[str]]] = []
    for name, text in told(lines):
        if name or not shown:
            shown.append((name, []))
        shown[-1][1].append(text)
    return f'<dl class="told">{"".join(_entry(name, texts) for name, texts in shown)}</dl>' if shown else ""


def _entry(name: str, texts: list[str]) -> str:
    several = ' class="rows" tabindex="0"' if len(texts) > 1 else ""
    return f"<dt>{escape(name)}</dt><dd{several}>{escape(chr(10).join(texts))}</dd>"
