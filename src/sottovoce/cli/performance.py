"""What repetitions of a survey show, on a terminal: one method line by line, or several side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sottovoce.cli import terminal

if TYPE_CHECKING:
    from sottovoce.problems import Problem
    from sottovoce.trials import Performance, Row


def one(problem: Problem[Any], row: Row, confidence: float) -> list[str]:
    """One method, a line for each figure."""
    result = _of(row)
    lines = [("RMSE", f"{result.rmse:.4g}{give_or_take(result.rmse_se, beside=result.rmse)}: {problem.world.error}")]
    if result.coverage is not None:
        text = f"{_coverage(result)} of the intervals hold the truth; {100 * confidence:g}% is the aim"
        lines.append(("coverage", text))
    for name, figure in result.figures.items():
        label, text = problem.world.figures[name]
        place, rest = _split(text)
        lines.append(
            (label, place.format(figure) + give_or_take(result.figures_se[name], beside=figure, like=place) + rest)
        )
    lines += [("method", f"{row.ran}: {row.reason}"), ("protects", row.protects)]
    lines += [("warning", warning) for warning in row.warnings]
    return [terminal.labelled(label, text) for label, text in lines]


def side_by_side(problem: Problem[Any], rows: Sequence[Row]) -> list[str]:
    """A table of the methods that ran, then those that could not."""
    ran = [row for row in rows if row.performance is not None]
    names = [name for name in problem.world.figures if any(name in _of(row).figures for row in ran)]
    header = ["method", "RMSE", "", *(problem.world.figures[name][0] for name in names), "coverage", "protects"]
    cells = [_cells(problem, row, _of(row), names) for row in ran]
    if not any(row[-2] for row in cells):  # an answer of this problem has no interval for what is measured
        del header[-2]
        cells = [[*row[:-2], row[-1]] for row in cells]
    lines = terminal.table(header, cells, left=(0, 2, len(header) - 1), indent=0) if cells else []
    silent = [f"{row.method} cannot run: {row.impossible}" for row in rows if row.performance is None]
    return [*lines, *([""] if lines and silent else []), *(terminal.paragraph(text, indent=0) for text in silent)]


def give_or_take(error: float | None, *, beside: float, like: str = "") -> str:
    """`` ± 0.02``, or nothing where there is no standard error, or none but that of rounding."""
    if error is None or not error > 1e-12 * abs(beside):
        return ""
    return f" ± {error:.1%}" if "%" in like else f" ± {error:.2g}"


def _of(row: Row) -> Performance:
    assert row.performance is not None
    return row.performance


def _split(text: str) -> tuple[str, str]:
    """The place for a figure, and what follows it."""
    place, _, rest = text.partition("}")
    return place + "}", rest


def _cells(problem: Problem[Any], row: Row, result: Performance, names: Sequence[str]) -> list[str]:
    whole = "single observation" not in row.protects
    spent = "" if row.collection_epsilon is None else f" (all: ε = {row.collection_epsilon:g})"
    figures = (_split(problem.world.figures[name][1])[0] for name in names)
    return [
        row.method if row.ran.startswith(row.method) else f"{row.method} ({row.ran})",
        f"{result.rmse:.4g}",
        give_or_take(result.rmse_se, beside=result.rmse).strip(),
        *(
            place.format(result.figures[name]) if name in result.figures else ""
            for name, place in zip(names, figures, strict=True)
        ),
        "" if result.coverage is None else _coverage(result),
        "whole collection" if whole else f"one item{spent}",
    ]


def _coverage(result: Performance) -> str:
    return f"{result.coverage:.1%} ± {result.coverage_se:.1%}"
