"""An answer on a terminal, and pictures in files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from sottovoce.cli import terminal
from sottovoce.cli.read import DATE

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def document(found: Any, survey: Any, *, seed: int | None) -> dict[str, Any]:
    """The answer for programs, and what it was asked with."""
    held = getattr(survey, "observations", None)
    declared = {} if held is None else {"observations": held}
    plain: dict[str, Any] = found.to_dict() | found.details() | declared | {"seed": seed}
    return plain


def show(found: Any, notes: Sequence[tuple[str, str]], *, seed: int | None, of: str = "") -> None:
    """The answer for people: plain words and warnings, its picture, numbers, method, notes; `of` names the column."""
    from sottovoce.answers import key, told

    answer, *first = found.said_first(of=of)
    dates, notes = [note for note in notes if note[0] == DATE], [note for note in notes if note[0] != DATE]
    head = told([answer, *dates, *first])
    lines = [terminal.labelled(name, terminal.bold(" ".join(text.split()))) for name, text in head]
    lines += ["", *fitted(found), ""]
    rest = [*found.headline(), *found.footing(), *found.method_lines(), *notes, *simulated(seed)]
    shown = told(row for row in rest if key(row[0]) not in found.pictured)
    terminal.show([*lines, *(terminal.labelled(name, text) for name, text in shown)])


def simulated(seed: int | None) -> list[tuple[str, str]]:
    """What a seed makes of a rehearsal."""
    told = f"reports simulated with seed {seed}: the same law, repeatable, not private"
    return [] if seed is None else [("simulated", told)]


def save_page(
    path: str | None, *shown: tuple[str, Any, str, Sequence[tuple[str, str]]], seed: int | None = None
) -> None:
    """Write answers as a page, where one is wanted: of each its title, itself, the column it is of, and its notes."""
    if path is None:
        return
    from sottovoce.cli.answer_page import Shown, page
    from sottovoce.cli.page import save

    more = simulated(seed)
    told = [Shown(title=title, answer=found, of=of, notes=[*notes, *more]) for title, found, of, notes in shown]
    save(path, page(told))


def fitted(found: Any) -> list[str]:
    """The picture, as wide as the terminal allows."""
    from sottovoce.pictures import in_characters

    room, drawing = terminal.columns(), found.drawing()
    width = min(72, max(12, room - 28))
    over = max(map(len, in_characters(drawing, width=width).splitlines())) - room
    text = in_characters(drawing, width=max(8, width - max(0, over)), legend=True)
    return [line for one in text.splitlines() for line in terminal.picture_lines(one[:room].rstrip())]


def save_plot(draw: Callable[[Axes], object], path: str) -> None:
    """Draw into a file of the kind that its name says."""
    from sottovoce.pictures import new_figure

    figure = new_figure((7, 4.5))
    draw(figure.subplots())
    figure.savefig(path, dpi=150)
