"""An answer as every command shows it: on a terminal, as JSON, as a page; what stands beside it; plots in files."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from sottovoce.cli import terminal
from sottovoce.cli.terminal import DATE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from sottovoce.answers import Line
    from sottovoce.messages import Fact
    from sottovoce.rehearsal import Result

Lines = Sequence["Line"]


def show_result(
    options: argparse.Namespace, result: Result, *, title: Fact | str = "", of: str = "", more: Lines = ()
) -> None:
    """Print a result as the options want it, and write its page: the same facts in text, JSON and HTML.

    `title` heads the page, `of` is the column that an answer is of, `more` are lines that a command adds.
    """
    from sottovoce.answers import lines_in_words

    parts = [(name, one.answer, lines_beside(one)) for name, one in result.parts or ((of, result),)]
    more = [*more, *result.answer.shared_lines()] if result.parts else more
    if options.html is not None:
        from sottovoce.cli.pages import ShownAnswer, answer_page, save_page

        rest = [*more, *simulation_lines(result.seed)]
        shown = [ShownAnswer(title=title or name, answer=one, of=name, notes=[*own, *rest]) for name, one, own in parts]
        save_page(options.html, answer_page(shown))
    if options.json:
        terminal.show_json(result.to_dict())
    elif not result.parts:
        show_answer(result.answer, [*parts[0][2], *more], seed=result.seed, of=of)
    else:
        for name, one, own in parts:
            terminal.show([terminal.accent(name)])
            show_answer(one, own, seed=result.seed, of=name)
            terminal.show([""])
        terminal.show(terminal.labelled_lines(lines_in_words(more), indent=0))


def show_answer(estimate: Any, notes: Lines, *, seed: int | None, of: str = "") -> None:
    """The answer for people: plain words and warnings, its picture, numbers, method, notes; `of` names the column."""
    from sottovoce.answers import key, lines_in_words

    answer, *first = estimate.first_lines(of=of)
    dates, notes = (
        [note for note in notes if (key(note[0]) == DATE) == first_of_all] for first_of_all in (True, False)
    )
    head = lines_in_words([answer, *dates, *first])
    lines = [terminal.labelled(name, terminal.bold(" ".join(text.split()))) for name, text in head]
    lines += ["", *fitted_picture(estimate), ""]
    rest = [*estimate.headline(), *estimate.basis_lines(), *estimate.method_lines(), *notes, *simulation_lines(seed)]
    shown = lines_in_words(row for row in rest if key(row[0]) not in estimate.pictured)
    terminal.show([*lines, *terminal.labelled_lines(shown, indent=0)])


def simulation_lines(seed: int | None) -> list[Line]:
    """What a seed makes of a rehearsal."""
    from sottovoce.answers import line
    from sottovoce.messages import Fact

    return [] if seed is None else [line("simulated", Fact("reports-simulated", seed=seed))]


def fitted_picture(answer: Any) -> list[str]:
    """The picture, as wide as the terminal allows."""
    from sottovoce.pictures import in_characters

    room, drawing = terminal.columns(), answer.drawing()
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


_TOLD = 6
_OBSERVED = ("value", "number", "quantile", "mean")
"""Numbers of an answer that are in units of the observations; shares are not."""


def lines_beside(result: Result) -> list[Line]:
    """Lines; none where a plain file was read as it is, and all was declared."""
    from sottovoce.answers import Severity, line
    from sottovoce.messages import Fact

    reading, plan = result.reading, result.plan
    lines = date_lines(result.answer) if reading is not None and reading.units else []
    lines += [] if reading is None else [line("reading", one) for one in reading.findings()]
    lines += [line("rehearsal", note) for note in result.answer.noted(Severity.INFO)]
    if plan is not None:
        users, planned = result.survey.users, plan.protocol.users
        asked = None if users == planned else users
        lines.append(line("planned", Fact("planned-halfwidth", halfwidth=plan.halfwidth, users=planned, asked=asked)))
    return lines


def date_lines(answer: Any) -> list[Line]:
    """Days since 1970 as the dates that they are, with the ends of their intervals."""
    import numpy as np

    from sottovoce.answers import line
    from sottovoce.data import date_text
    from sottovoce.messages import Fact

    first = answer.stated_numbers()[0]
    if first.what not in _OBSERVED:
        return []
    values, ends = np.atleast_1d(first.values), np.reshape(first.intervals, (-1, 2))
    dates = []
    for place, numbers in enumerate(zip(values, ends[:, 0], ends[:, 1], strict=True)):
        date, low, high = (date_text(round(float(day))) for day in numbers)
        if date and low and high:
            name = first.names[place] if len(first.names) else ""
            dates.append(Fact("date-with-ends", name=name, date=date, low=low, high=high))
    more = max(0, len(dates) - _TOLD)
    return [line(DATE, Fact("dates", dates=tuple(dates[:_TOLD]), more=more))] if dates else []
