"""What a comparison says: lines about it, and its tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from sottovoce.answers import Line, line
from sottovoce.messages import Fact
from sottovoce.pictures import aligned
from sottovoce.trials.rows import Found, Row

_ELSEWHERE = ("bias",)
"""Figures that the error already holds; they stand in the CSV."""


@dataclass(frozen=True, kw_only=True)
class Table:
    """Columns, the first to the left; notes below."""

    title: Fact | None
    header: tuple[Fact, ...]
    rows: tuple[tuple[Fact | str, ...], ...]
    notes: tuple[Fact, ...] = ()

    def cells(self) -> list[list[str]]:
        """The rows in words."""
        return [list(map(str, row)) for row in self.rows]

    def lines(self) -> list[str]:
        """Aligned."""
        body = aligned(list(map(str, self.header)), self.cells(), left=(0,)) if self.rows else []
        return [*([str(self.title)] if self.title else []), *body, *map(str, self.notes)]

    def html(self) -> str:
        """For a notebook."""
        head = _tagged("th", self.header)
        body = "".join(f"<tr>{_tagged('td', row)}</tr>" for row in self.rows)
        title = "" if self.title is None else self.title
        return f"<p>{escape(str(title))}</p><table><tr>{head}</tr>{body}</table>{_tagged('p', self.notes)}"


def _tagged(tag: str, facts: Sequence[Fact | str]) -> str:
    return "".join(f"<{tag}>{escape(str(fact))}</{tag}>" for fact in facts)


def headline(found: Found) -> list[Line]:
    """Who was asked, how, and what the ratios mean."""
    survey = {"problem": found.problem.name, "epsilons": found.epsilons}
    repeated = {"repetitions": found.repetitions, "seed": found.seed}
    said = [
        line("answer", answer(found)),
        line("users", found.users),
        line("survey", Fact("trial-survey", **survey, **repeated)),
    ]
    if isinstance(found.truth, (int, float)):
        said.append(line("truth", Fact("trial-truth", value=found.truth)))
    if len(found.methods) > 1:
        said.append(line("mse", Fact("trial-mse", reference=found.reference)))
    if any(row.performance is not None and row.performance.coverage is not None for row in found.rows):
        said.append(line("coverage", Fact("trial-coverage", confidence=found.confidence)))
    return [*said, *(line("note", note) for note in found.notes)]


def answer(found: Found) -> Fact:
    """What came out, for somebody who knows no statistics."""
    rows = [row for row in found.rows if row.performance is not None]
    if len(rows) == 1 and (seen := rows[0].performance) is not None:
        held = None if seen.coverage is None else 100 * seen.coverage
        aim = {"confidence": found.confidence, "repetitions": found.repetitions}
        return Fact("trial-answer", error=seen.rmse, held_percent=held, **aim)
    least = tuple(fact for epsilon in found.epsilons if (fact := _least(found, epsilon)) is not None)
    return Fact("trial-least", least=least) if least else Fact("trial-none-ran")


def _least(found: Found, epsilon: float) -> Fact | None:
    """``homogeneous at ε = 1, 0.012 off (auto 0.021)``."""
    ran = {
        row.method: row.performance.rmse
        for row in found.rows
        if row.performance and row.epsilon == epsilon and row.whole_collection
    }
    if not ran:
        return None
    method, reference = min(ran, key=lambda name: (ran[name], name)), found.reference
    beside = {"reference": reference, "reference_error": None if method == reference else ran.get(reference)}
    return Fact("trial-least-at", method=method, epsilon=epsilon, error=ran[method], **beside)


def tables(found: Found) -> list[Table]:
    """One for each budget; with several, what a smaller budget costs."""
    shown = [_at(found, epsilon) for epsilon in found.epsilons]
    return [*shown, _costs(found)] if len(found.epsilons) > 1 else shown


def _at(found: Found, epsilon: float) -> Table:
    rows = [found.row(method, epsilon) for method in found.methods]
    ran = [(row, row.performance) for row in rows if row.performance is not None]
    names = [
        (name, figure)
        for name, figure in found.problem.world.figures.items()
        if name not in _ELSEWHERE and any(name in seen.figures for _, seen in ran)
    ]
    columns: list[tuple[str, list[Fact | str]]] = [
        ("label-method", [_name(row) for row, _ in ran]),
        ("label-rmse", [Fact("figure-number", value=seen.rmse) for _, seen in ran]),
    ]
    if len(found.methods) > 1:
        columns.append(("label-mse", [_against(found, row) for row, _ in ran]))
    columns += [
        (figure.label, [figure.shown(seen.figures[name]) if name in seen.figures else "" for _, seen in ran])
        for name, figure in names
    ]
    if any(seen.coverage is not None for _, seen in ran):
        columns.append(("label-coverage", [seen.held or "" for _, seen in ran]))
    return Table(
        title=_epsilon(epsilon) if len(found.epsilons) > 1 else None,
        header=tuple(Fact(label) for label, _ in columns),
        rows=tuple(zip(*(column for _, column in columns), strict=True)),
        notes=tuple(_notes(rows)),
    )


def _epsilon(epsilon: float) -> Fact:
    return Fact("trial-at-epsilon", epsilon=epsilon)


def _costs(found: Found) -> Table:
    rows = [
        (method, [found.cost(found.row(method, epsilon)) for epsilon in found.epsilons]) for method in found.methods
    ]
    return Table(
        title=Fact("trial-costs", epsilon=max(found.epsilons)),
        header=(Fact("label-method"), *map(_epsilon, found.epsilons)),
        rows=tuple(
            (method, *("" if ratio is None else ratio.fact() for ratio in ratios))
            for method, ratios in rows
            if any(ratio is not None for ratio in ratios)
        ),
    )


def _name(row: Row) -> Fact:
    ran = None if row.ran.startswith(row.method) else row.ran
    return Fact("trial-method", method=row.method, ran=ran, whole_collection=row.whole_collection)


def _against(found: Found, row: Row) -> Fact | str:
    if row.method == found.reference:
        return Fact("trial-reference")
    ratio = found.against_reference(row)
    return "" if ratio is None else ratio.words


def _notes(rows: list[Row]) -> list[Fact]:
    said = []
    for row in rows:
        if row.performance is None:
            said.append(Fact("trial-cannot-run", method=row.method, why=row.impossible))
        elif not row.whole_collection:
            said.append(Fact("trial-single-observations", method=row.method, epsilon=row.collection_epsilon))
    warned: dict[Fact, list[str]] = {}
    for row in rows:
        for warning in row.warnings:
            warned.setdefault(warning, []).append(row.method)
    return [*said, *(Fact("trial-warned", methods=methods, warning=one) for one, methods in warned.items())]
