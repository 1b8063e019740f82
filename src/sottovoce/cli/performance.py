"""What repetitions of a survey show, on a terminal: one method line by line, or several side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sottovoce.cli import terminal

if TYPE_CHECKING:
    from sottovoce.answers import Line
    from sottovoce.messages import Fact
    from sottovoce.trials import Comparison, Performance


def one(found: Comparison) -> list[Line]:
    """The only method of a comparison, a line for each figure."""
    from sottovoce.answers import line
    from sottovoce.messages import Fact

    (row,) = found.rows
    result, world = row.performance, found.problem.world
    assert result is not None
    lines = [line("rmse", Fact("trial-rmse", figure=rmse(result), error=world.error))]
    if result.held is not None:
        held = Fact("trial-held-of-intervals", held=result.held, confidence=found.confidence)
        lines.append(line("coverage", held))
    for name, value in result.figures.items():
        figure = world.figures[name]
        lines.append((Fact(figure.label), figure.told(value, result.figures_se[name])))
    lines += [line("method", row.chosen.told(row.ran)), line("protects", row.protects)]
    return [*lines, *(line("warning", warning) for warning in row.warnings)]


def rmse(result: Performance) -> Fact:
    """The error that repetitions show, with its own standard error."""
    from sottovoce.messages import Fact
    from sottovoce.problems import with_error

    return with_error(Fact("figure-number", value=result.rmse), result.rmse_se)


def compared(found: Comparison) -> list[str]:
    """What was compared, and the tables."""
    from sottovoce.answers import told

    lines = terminal.told(told(found.lines()), indent=0)
    for table in found.tables():
        header = [str(label) for label in table.header]
        body = terminal.table(header, table.cells(), left=(0,), indent=0) if table.rows else []
        notes = [terminal.paragraph(str(note), indent=0) for note in table.notes]
        lines += ["", *([terminal.bold(str(table.title))] if table.title else []), *body, *notes]
    return lines
