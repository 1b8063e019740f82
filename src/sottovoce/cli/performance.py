"""What repetitions of a survey show, on a terminal: one method line by line, or several side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sottovoce.cli import terminal

if TYPE_CHECKING:
    from sottovoce.trials import Comparison


def one(found: Comparison) -> list[tuple[str, str]]:
    """The only method of a comparison, a line for each figure."""
    from sottovoce.answers import by_method
    from sottovoce.messages import few, plainly

    (row,) = found.rows
    result, world = row.performance, found.problem.world
    assert result is not None
    lines = [("RMSE", f"{few(result.rmse, 4)}{give_or_take(result.rmse_se, beside=result.rmse)}: {world.error}")]
    if result.coverage is not None:
        text = f"{result.coverage_words} of the intervals hold the truth; {100 * found.confidence:g}% is the aim"
        lines.append(("coverage", text))
    for name, figure in result.figures.items():
        label, text = world.figures[name]
        place, brace, rest = text.partition("}")
        place += brace
        error = give_or_take(result.figures_se[name], beside=figure, like=place)
        lines.append((label, f"{plainly(place.format(figure))}{error}{rest}"))
    lines += [("method", by_method(row.ran, row.reason)), ("protects", row.protects)]
    return [*lines, *(("warning", warning) for warning in row.warnings)]


def compared(found: Comparison) -> list[str]:
    """What was compared, and the tables."""
    lines = [terminal.labelled(label, text) for label, text in found.lines()]
    for table in found.tables():
        body = terminal.table(table.header, table.rows, left=(0,), indent=0) if table.rows else []
        notes = [terminal.paragraph(note, indent=0) for note in table.notes]
        lines += ["", *([terminal.bold(table.title)] if table.title else []), *body, *notes]
    return lines


def give_or_take(error: float | None, *, beside: float, like: str = "") -> str:
    """`` ± 0.02``, or nothing where there is no standard error, or none but that of rounding."""
    if error is None or not error > 1e-12 * abs(beside):
        return ""
    from sottovoce.messages import few

    return f" ± {error:.1%}" if "%" in like else f" ± {few(error)}"
