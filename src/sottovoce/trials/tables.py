"""A comparison as aligned text."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from sottovoce.messages import counted, few, plainly
from sottovoce.pictures import aligned
from sottovoce.trials.repetitions import Performance
from sottovoce.trials.rows import Found, Row

_ELSEWHERE = ("bias",)
"""Figures that the error already holds; they stand in the CSV."""


@dataclass(frozen=True, kw_only=True)
class Table:
    """Columns of text, the first to the left; notes below."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """Aligned."""
        body = aligned(self.header, self.rows, left=(0,)) if self.rows else []
        return [*([self.title] if self.title else []), *body, *self.notes]

    def html(self) -> str:
        """For a notebook."""
        head = "".join(f"<th>{escape(cell)}</th>" for cell in self.header)
        body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in self.rows)
        notes = "".join(f"<p>{escape(note)}</p>" for note in self.notes)
        return f"<p>{escape(self.title)}</p><table><tr>{head}</tr>{body}</table>{notes}"


def headline(found: Found) -> list[tuple[str, str]]:
    """Who was asked, how, and what the ratios mean."""
    budgets = ", ".join(f"{epsilon:g}" for epsilon in found.epsilons)
    repeated = f"{counted(found.repetitions, 'repetition')}, seed {found.seed}"
    said = [
        ("answer", sentence(found)),
        ("users", found.users),
        ("survey", f"{found.problem.name}, ε = {budgets}; {repeated}"),
    ]
    if isinstance(found.truth, (int, float)):
        said.append(("truth", f"{found.truth:.6g}"))
    if len(found.methods) > 1:
        said.append(("MSE", f"times that of {found.reference}, on the same users and seeds, ± standard error"))
    if any(row.performance is not None and row.performance.coverage is not None for row in found.rows):
        said.append(("coverage", f"share of the intervals that hold the truth; {100 * found.confidence:g}% is the aim"))
    return [*said, *(("note", note) for note in found.notes)]


def sentence(found: Found) -> str:
    """What came out, in plain words."""
    rows = [row for row in found.rows if row.performance is not None]
    if len(rows) == 1 and (seen := rows[0].performance) is not None:
        told = f"Over {counted(found.repetitions, 'repetition')} the estimate was typically {few(seen.rmse)} off"
        if seen.coverage is None:
            return f"{told}."
        aim = f"{100 * found.confidence:g}% is the aim"
        return f"{told}, and {100 * seen.coverage:.3g}% of the intervals held the truth; {aim}."
    least = [text for epsilon in found.epsilons if (text := _least(found, epsilon))]
    if not least:
        return "No method that protects whole collections could run."
    return f"Least error, whole collections being protected: {'; '.join(least)}."


def _least(found: Found, epsilon: float) -> str:
    """``homogeneous at ε = 1, 0.012 off (auto 0.021)``."""
    ran = [
        (row.performance.rmse, row.method)
        for row in found.rows
        if row.performance and row.epsilon == epsilon and row.whole_collection
    ]
    if not ran:
        return ""
    error, method = min(ran)
    beside = [f" ({name} {few(other)})" for other, name in ran if name == found.reference != method]
    return f"{method} at ε = {epsilon:g}, {few(error)} off{''.join(beside)}"


def tables(found: Found) -> list[Table]:
    """One for each budget; with several, what a smaller budget costs."""
    shown = [_at(found, epsilon) for epsilon in found.epsilons]
    return [*shown, _costs(found)] if len(found.epsilons) > 1 else shown


def _at(found: Found, epsilon: float) -> Table:
    rows = [found.row(method, epsilon) for method in found.methods]
    ran = [(row, row.performance) for row in rows if row.performance is not None]
    world = found.problem.world.figures
    names = [name for name in world if name not in _ELSEWHERE and any(name in seen.figures for _, seen in ran)]
    columns = [("method", [_name(row) for row, _ in ran]), ("RMSE", [few(seen.rmse, 4) for _, seen in ran])]
    if len(found.methods) > 1:
        columns.append(("MSE", [_against(found, row) for row, _ in ran]))
    columns += [(world[name][0], [_figure(world[name][1], seen, name) for _, seen in ran]) for name in names]
    if any(seen.coverage is not None for _, seen in ran):
        columns.append(("coverage", [seen.coverage_words for _, seen in ran]))
    cells = [column for _, column in columns]
    return Table(
        title=f"ε = {epsilon:g}" if len(found.epsilons) > 1 else "",
        header=tuple(name for name, _ in columns),
        rows=tuple(zip(*cells, strict=True)),
        notes=tuple(_notes(rows)),
    )


def _costs(found: Found) -> Table:
    largest = max(found.epsilons)
    rows = [
        (method, [found.cost(found.row(method, epsilon)) for epsilon in found.epsilons]) for method in found.methods
    ]
    return Table(
        title=f"What a smaller budget costs: MSE, times that of the same method at ε = {largest:g}",
        header=("method", *(f"ε = {epsilon:g}" for epsilon in found.epsilons)),
        rows=tuple(
            (method, *("" if ratio is None else str(ratio) for ratio in ratios))
            for method, ratios in rows
            if any(ratio is not None for ratio in ratios)
        ),
    )


def _name(row: Row) -> str:
    name = row.method if row.ran.startswith(row.method) else f"{row.method} ({row.ran})"
    return name if row.whole_collection else f"{name} *"


def _against(found: Found, row: Row) -> str:
    if row.method == found.reference:
        return "reference"
    ratio = found.against_reference(row)
    return "" if ratio is None else ratio.words


def _figure(text: str, seen: Performance, name: str) -> str:
    place, brace, _ = text.partition("}")
    return plainly((place + brace).format(seen.figures[name])) if name in seen.figures else ""


def _notes(rows: list[Row]) -> list[str]:
    said = []
    for row in rows:
        if row.performance is None:
            said.append(f"{row.method} cannot run: {row.impossible}")
        elif not row.whole_collection:
            spent = row.collection_epsilon
            whole = "" if spent is None else f", the whole collection at ε = {spent:g}"
            said.append(f"* {row.method} protects single observations only{whole}")
    warned: dict[str, list[str]] = {}
    for row in rows:
        for warning in row.warnings:
            warned.setdefault(warning, []).append(row.method)
    return [*said, *(f"{', '.join(methods)}, in the last repetition: {warning}" for warning, methods in warned.items())]
