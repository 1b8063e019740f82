"""An answer as a page: plain words first, then a picture, numbers, and how it was asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from sottovoce.cli import page as paper
from sottovoce.cli.read import DATE
from sottovoce.messages import Fact
from sottovoce.pictures import STYLE as PICTURE
from sottovoce.pictures import figure

if TYPE_CHECKING:
    from sottovoce.answers import Answer, Line

STYLE = paper.STYLE + PICTURE
_PRIVACY = ("privacy", "meaning")


@dataclass(frozen=True, kw_only=True)
class Shown:
    """An answer, what it is of, and what a command says besides."""

    answer: Answer
    of: str
    title: Fact | str
    notes: Sequence[Line] = ()


def page(shown: Sequence[Shown]) -> str:
    """The whole document."""
    alone = len(shown) == 1
    return paper.document(
        shown[0].title if alone else Fact("page-of-several"),
        about=Fact("page-about-asked" if shown[0].answer.rehearsal is None else "page-about-rehearsed"),
        body="\n".join(body(one, number, depth=2 if alone else 3) for number, one in enumerate(shown)),
        style=STYLE,
    )


def body(shown: Shown, number: int = 0, *, depth: int = 2) -> str:
    """An answer without the page around it; under a heading of its own where its parts' are deeper than a page's."""
    from sottovoce.answers import key

    answer = shown.answer
    words, *rest = answer.said_first(of=shown.of)
    first = [words, *(note for note in shown.notes if key(note[0]) == DATE), *rest]
    head = "" if depth == 2 else f"<h2>{escape(str(shown.title))}</h2>"
    method = [*answer.method_lines(), *(note for note in shown.notes if key(note[0]) != DATE)]
    sections = [
        paper.Part(
            title="result-page-numbers", lines=[row for row in answer.headline() if key(row[0]) not in answer.pictured]
        ),
        paper.Part(title="result-page-relied", lines=answer.footing()),
        paper.Part(title="page-section-asked", lines=[row for row in method if key(row[0]) not in _PRIVACY]),
        paper.Part(title="result-page-privacy", lines=[row for row in method if key(row[0]) in _PRIVACY]),
    ]
    told = paper.parts(sections, mark=f"answer-{number}", depth=depth)
    return "\n".join([head, paper.first(first), figure(answer.drawing()), told])
