"""What trials find: how one method does, ratios between methods, and a comparison with its tables and its picture."""

from __future__ import annotations

import csv
import io
import json
import math
import textwrap
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sottovoce.answers import WHOLE_COLLECTION, Chosen, ChosenBy, Line, Note, line, lines_in_words, to_plain
from sottovoce.messages import Fact
from sottovoce.pictures import Line as Curve
from sottovoce.pictures import Lines, aligned, on_axes
from sottovoce.problems import Problem, Score

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, kw_only=True)
class Performance:
    """What repetitions show. Every ``…_se`` is the standard error of the figure before it; None for one repetition.

    `figures` are averages of what a problem measures besides (bias, half-width …), each with its standard error.
    """

    mse: float
    mse_se: float | None
    rmse: float
    rmse_se: float | None
    coverage: float | None
    coverage_se: float | None
    figures: dict[str, float]
    figures_se: dict[str, float | None]

    @property
    def coverage_fact(self) -> Fact | None:
        """The share of intervals that hold the truth, or nothing where there are none."""
        return None if self.coverage is None else Fact("trial-held", share=self.coverage, error=self.coverage_se)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def performance(scores: Sequence[Score]) -> Performance:
    """Sum up repetitions of one method."""
    errors = [score.squared_error for score in scores]
    covered = [score.covered for score in scores if score.covered is not None]
    mse, mse_se = mean(errors), standard_error(errors)
    rmse = math.sqrt(mse)
    coverage_se = standard_error(covered) if covered else None
    if covered and not coverage_se:  # Agresti and Coull: all alike in few repetitions does not make a certainty
        likely = (sum(covered) + 2) / (len(covered) + 4)
        coverage_se = math.sqrt(likely * (1 - likely) / (len(covered) + 4))
    names = dict.fromkeys(name for score in scores for name in score.figures)
    columns = {name: [score.figures[name] for score in scores if name in score.figures] for name in names}
    return Performance(
        mse=mse,
        mse_se=mse_se,
        rmse=rmse,
        rmse_se=None if mse_se is None or rmse == 0 else mse_se / (2 * rmse),
        coverage=mean(covered) if covered else None,
        coverage_se=coverage_se,
        figures={name: mean(column) for name, column in columns.items()},
        figures_se={name: standard_error(column) for name, column in columns.items()},
    )


def mean(values: Sequence[float]) -> float:
    """The average."""
    return math.fsum(value / len(values) for value in values)


def standard_error(values: Sequence[float]) -> float | None:
    """The standard error of the average; None for a single value."""
    if len(values) < 2:
        return None
    centre = mean(values)
    return math.hypot(*(value - centre for value in values)) / math.sqrt(len(values) * (len(values) - 1))


@dataclass(frozen=True, kw_only=True)
class Ratio:
    """A ratio of mean squared errors; below 1 the first is the more accurate. One repetition has no standard error."""

    value: float
    standard_error: float | None

    @property
    def words(self) -> Fact:
        """``12.3 ± 0.8 × lower``: below 1 the other way round, where the relative standard error is the same."""
        if self.value == 1 and not self.standard_error:
            return Fact("trial-ratio-same")
        if self.value == 0:
            return Fact("trial-ratio-none")
        if self.value >= 1:
            return self.fact("trial-ratio-higher")
        error = None if self.standard_error is None else self.standard_error / self.value**2
        return Fact("trial-ratio-lower", value=1 / self.value, error=error)

    def fact(self, code: str = "trial-ratio") -> Fact:
        """Itself, with its standard error."""
        return Fact(code, value=self.value, error=self.standard_error)

    def __str__(self) -> str:
        return str(self.fact())


def paired_ratio(squares: Sequence[float], reference: Sequence[float]) -> Ratio | None:
    """Mean of `squares` over mean of `reference`, entry by entry from the same repetition; None over zero.

    The delta method: the ratio r errs as the average of (a − r·b) over the reference's mean, so that what hits both
    methods in one repetition (the users who were drawn) cancels.
    """
    below = mean(reference)
    if not 0 < below < math.inf:
        return None
    value = mean(squares) / below
    error = standard_error([(a - value * b) / below for a, b in zip(squares, reference, strict=True)])
    return Ratio(value=value, standard_error=error)


_SINGLE = ("single-observation", "single-observation-of-many")
"""What reports protect that protect no whole collection."""
_ELSEWHERE = ("bias",)
"""Figures that the error already holds; they stand in the CSV."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One method's performance at one budget, or why it cannot run."""

    method: str
    epsilon: float
    ran: str = ""
    chosen: Chosen = field(default_factory=lambda: Chosen(by=ChosenBy.CALLER))
    """Why that method."""
    protects: Fact = WHOLE_COLLECTION
    warnings: tuple[Note, ...] = ()
    """Of the last repetition."""
    collection_epsilon: float | None = None
    """What the whole collection is protected at; None where no report is sent."""
    performance: Performance | None = None
    impossible: str = ""
    squared_errors: tuple[float, ...] = field(default=(), repr=False)
    """Of every repetition, in their order."""

    @property
    def whole_collection(self) -> bool:
        """Whether ε is promised for all that a user holds, and not for single observations."""
        return self.protects.code not in _SINGLE

    @property
    def reason(self) -> Fact:
        """Why that method was taken, and how it asks."""
        return self.chosen.method_fact("")

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        if self.performance is None:
            return {"method": self.method, "epsilon": self.epsilon, "impossible": self.impossible}
        names = ("method", "epsilon", "ran", "reason", "protects", "warnings", "collection_epsilon")
        return {name: to_plain(getattr(self, name)) for name in names} | self.performance.to_dict()


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
        """Lines of text, the columns aligned."""
        body = aligned(list(map(str, self.header)), self.cells(), left=(0,)) if self.rows else []
        return [*([str(self.title)] if self.title else []), *body, *map(str, self.notes)]

    def html(self) -> str:
        """HTML for a notebook."""
        body = "".join(f"<tr>{_html_cells('td', row)}</tr>" for row in self.rows)
        title = _html_cells("p", ["" if self.title is None else self.title])
        return f"{title}<table><tr>{_html_cells('th', self.header)}</tr>{body}</table>{_html_cells('p', self.notes)}"


def _html_cells(tag: str, facts: Sequence[Fact | str]) -> str:
    return "".join(f"<{tag}>{escape(str(fact))}</{tag}>" for fact in facts)


@dataclass(frozen=True, kw_only=True, repr=False)
class Comparison:
    """Methods side by side, on the same users with the same seeds.

    `rows` go through `methods` at each of `epsilons`. Ratios are of mean squared errors: `against_reference` to the
    first method at the same budget, `cost` to the same method at the largest budget. ``print`` shows tables.
    """

    problem: Problem[Any]
    users: Fact
    truth: Any
    notes: tuple[Fact, ...]
    settings: dict[str, Any]
    epsilons: tuple[float, ...]
    methods: tuple[str, ...]
    repetitions: int
    seed: int
    rows: tuple[Row, ...]

    @property
    def reference(self) -> str:
        """The method that the others are held against."""
        return self.methods[0]

    @property
    def confidence(self) -> float:
        """What the intervals aim at."""
        return float(self.settings.get("confidence", 0.95))

    def row(self, method: str, epsilon: float) -> Row:
        """The row of a method at a budget."""
        return next(row for row in self.rows if (row.method, row.epsilon) == (method, epsilon))

    def against_reference(self, row: Row) -> Ratio | None:
        """The mean squared error over that of the reference at the same budget; None where one of them did not run."""
        return _ratio_of_rows(row, self.row(self.reference, row.epsilon))

    def cost(self, row: Row) -> Ratio | None:
        """The mean squared error over that of the same method at the largest budget."""
        return _ratio_of_rows(row, self.row(row.method, max(self.epsilons)))

    def to_dict(self) -> dict[str, Any]:
        """Plain data; what `to_json` writes."""
        plain: dict[str, Any] = to_plain(
            {"problem": self.problem.name, "users": self.users, "truth": self.truth, "notes": self.notes}
            | {"settings": self.settings, "epsilons": list(self.epsilons), "reference": self.reference}
            | {"repetitions": self.repetitions, "seed": self.seed}
            | {"rows": [row.to_dict() | self._ratios(row) for row in self.rows]}
        )
        return plain

    def to_json(self, *, indent: int | None = None) -> str:
        """Strictly JSON: a number that is not finite is written as a text, "Infinity" for instance."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False, allow_nan=False)

    def to_csv(self, path: str | Path | None = None) -> str:
        """A line for each row, with what it takes to run it again; written to a file where one is named."""
        flat = [self._flat(row) for row in self.rows]
        written = io.StringIO()
        writer = csv.DictWriter(written, list(dict.fromkeys(name for row in flat for name in row)), lineterminator="\n")
        writer.writeheader()
        writer.writerows(flat)
        if path is not None:
            Path(path).expanduser().write_text(written.getvalue(), encoding="utf-8")
        return written.getvalue()

    def lines(self) -> list[Line]:
        """What was compared: who was asked, how, and what the ratios mean."""
        asked = {"problem": self.problem.name, "epsilons": self.epsilons}
        survey = Fact("trial-survey", **asked, repetitions=self.repetitions, seed=self.seed)
        lines = [line("answer", self.answer), line("users", self.users), line("survey", survey)]
        if isinstance(self.truth, (int, float)):
            lines.append(line("truth", Fact("trial-truth", value=self.truth)))
        if len(self.methods) > 1:
            lines.append(line("mse", Fact("trial-mse", reference=self.reference)))
        if any(row.performance is not None and row.performance.coverage is not None for row in self.rows):
            lines.append(line("coverage", Fact("trial-coverage", confidence=self.confidence)))
        return [*lines, *(line("note", note) for note in self.notes)]

    @property
    def answer(self) -> Fact:
        """What came out, for somebody who knows no statistics."""
        ran = [row.performance for row in self.rows if row.performance is not None]
        if len(ran) == 1:
            held_percent = None if ran[0].coverage is None else 100 * ran[0].coverage
            aim = {"confidence": self.confidence, "repetitions": self.repetitions}
            return Fact("trial-answer", error=ran[0].rmse, held_percent=held_percent, **aim)
        least = tuple(fact for epsilon in self.epsilons if (fact := self._least(epsilon)) is not None)
        return Fact("trial-least", least=least) if least else Fact("trial-none-ran")

    def _least(self, epsilon: float) -> Fact | None:
        """``homogeneous at ε = 1, 0.012 off (auto 0.021)``."""
        errors = {
            row.method: row.performance.rmse
            for row in self.rows
            if row.performance and row.epsilon == epsilon and row.whole_collection
        }
        if not errors:
            return None
        method, reference = min(errors, key=lambda name: (errors[name], name)), self.reference
        beside = {"reference": reference, "reference_error": None if method == reference else errors.get(reference)}
        return Fact("trial-least-at", method=method, epsilon=epsilon, error=errors[method], **beside)

    def tables(self) -> list[Table]:
        """A table for each budget; with several budgets, one more of what a smaller one costs."""
        tables = [self._table(epsilon) for epsilon in self.epsilons]
        if len(tables) == 1:
            return tables
        costs = {method: [self.cost(self.row(method, epsilon)) for epsilon in self.epsilons] for method in self.methods}
        table = Table(
            title=Fact("trial-costs", epsilon=max(self.epsilons)),
            header=(Fact("label-method"), *(Fact("trial-at-epsilon", epsilon=epsilon) for epsilon in self.epsilons)),
            rows=tuple(
                (method, *("" if ratio is None else ratio.fact() for ratio in ratios))
                for method, ratios in costs.items()
                if any(ratio is not None for ratio in ratios)
            ),
        )
        return [*tables, table]

    def _table(self, epsilon: float) -> Table:
        rows = [self.row(method, epsilon) for method in self.methods]
        ran = [(row, row.performance) for row in rows if row.performance is not None]
        columns: list[tuple[str, list[Fact | str]]] = [
            ("label-method", [_method_fact(row) for row, _ in ran]),
            ("label-rmse", [Fact("figure-number", value=seen.rmse) for _, seen in ran]),
        ]
        if len(self.methods) > 1:
            columns.append(("label-mse", [self._against(row) for row, _ in ran]))
        columns += [
            (figure.label, [figure.shown(seen.figures[name]) if name in seen.figures else "" for _, seen in ran])
            for name, figure in self.problem.world.figures.items()
            if name not in _ELSEWHERE and any(name in seen.figures for _, seen in ran)
        ]
        if any(seen.coverage is not None for _, seen in ran):
            columns.append(("label-coverage", [seen.coverage_fact or "" for _, seen in ran]))
        return Table(
            title=Fact("trial-at-epsilon", epsilon=epsilon) if len(self.epsilons) > 1 else None,
            header=tuple(Fact(label) for label, _ in columns),
            rows=tuple(zip(*(column for _, column in columns), strict=True)),
            notes=tuple(_notes(rows)),
        )

    def _against(self, row: Row) -> Fact | str:
        if row.method == self.reference:
            return Fact("trial-reference")
        ratio = self.against_reference(row)
        return "" if ratio is None else ratio.words

    def curves(self) -> Lines:
        """RMSE against ε, both on logarithmic scales; a line for each method, with standard errors."""
        curves = []
        for method in self.methods:
            rows = [self.row(method, epsilon) for epsilon in sorted(self.epsilons)]
            ran = [(row.epsilon, row.performance) for row in rows if row.performance is not None]
            weaker = not all(row.whole_collection for row in rows)
            if ran:
                curve = Curve(
                    name=Fact("picture-one-item", method=method) if weaker else method,
                    x=tuple(epsilon for epsilon, _ in ran),
                    y=tuple(seen.rmse for _, seen in ran),
                    errors=tuple(seen.rmse_se or 0.0 for _, seen in ran),
                    strong=method == self.reference,
                    dashed=weaker,
                )
                curves.append(curve)
        return Lines(
            lines=tuple(curves),
            ticks=tuple(self.epsilons),
            across="ε",
            up=Fact("picture-axis-rmse", problem=self.problem.name),
            title=Fact("picture-title-comparison", repetitions=self.repetitions),
        )

    def plot(self, axes: Axes | None = None) -> Axes:
        """RMSE against ε, a line for each method, with standard errors (needs the extra ``plot``)."""
        return on_axes(self.curves(), axes)

    def __str__(self) -> str:
        lines = (
            textwrap.fill(text, 120, initial_indent=f"{name:<12}", subsequent_indent=" " * 12, break_on_hyphens=False)
            for name, text in lines_in_words(self.lines())
        )
        return "\n\n".join(["\n".join(lines), *("\n".join(table.lines()) for table in self.tables())])

    def __repr__(self) -> str:
        budgets = ", ".join(f"{epsilon:g}" for epsilon in self.epsilons)
        return f"<Comparison {self.problem.name}: {', '.join(self.methods)}; ε = {budgets}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{escape(name)}</th><td>{escape(text)}</td></tr>"
            for name, text in lines_in_words(self.lines())
        )
        return f"<table>{rows}</table>{''.join(table.html() for table in self.tables())}"

    def _ratios(self, row: Row) -> dict[str, float | None]:
        if row.performance is None:
            return {}
        plain: dict[str, float | None] = {}
        for name, ratio in (("mse_ratio", self.against_reference(row)), ("cost", self.cost(row))):
            plain[name] = None if ratio is None else ratio.value
            plain[f"{name}_se"] = None if ratio is None else ratio.standard_error
        return plain

    def _flat(self, row: Row) -> dict[str, Any]:
        plain = {"problem": self.problem.name} | row.to_dict() | self._ratios(row)
        if row.performance is not None:
            plain |= {"reason": str(row.reason), "protects": str(row.protects)}
        plain.pop("warnings", None)
        figures, errors = plain.pop("figures", {}), plain.pop("figures_se", {})
        for name, value in figures.items():
            plain |= {name: value, f"{name}_se": errors[name]}
        return plain | {"reference": self.reference, "repetitions": self.repetitions, "seed": self.seed}


def _ratio_of_rows(row: Row, other: Row) -> Ratio | None:
    if row.performance is None or other.performance is None:
        return None
    return paired_ratio(row.squared_errors, other.squared_errors)


def _method_fact(row: Row) -> Fact:
    ran = None if row.ran.startswith(row.method) else row.ran
    return Fact("trial-method", method=row.method, ran=ran, whole_collection=row.whole_collection)


def _notes(rows: list[Row]) -> list[Fact]:
    notes = []
    warned: dict[Fact, list[str]] = {}
    for row in rows:
        if row.performance is None:
            notes.append(Fact("trial-cannot-run", method=row.method, why=row.impossible))
        elif not row.whole_collection:
            notes.append(Fact("trial-single-observations", method=row.method, epsilon=row.collection_epsilon))
        for warning in row.warnings:
            warned.setdefault(warning, []).append(row.method)
    return [*notes, *(Fact("trial-warned", methods=methods, warning=one) for one, methods in warned.items())]
