"""A comparison: ways to keep it and to look at it."""

from __future__ import annotations

import csv
import io
import json
import textwrap
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from sottovoce.answers import Line, to_plain, told
from sottovoce.pictures import on_axes
from sottovoce.trials.rows import Found, Row
from sottovoce.trials.tables import Table, headline, tables

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes


@dataclass(frozen=True, kw_only=True, repr=False)
class Comparison(Found):
    """Methods side by side, on the same users with the same seeds.

    `rows` go through `methods` at each of `epsilons`. Ratios are of mean squared errors: `against_reference` to the
    first method at the same budget, `cost` to the same method at the largest budget. ``print`` shows tables.
    """

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
            from pathlib import Path

            Path(path).expanduser().write_text(written.getvalue(), encoding="utf-8")
        return written.getvalue()

    def lines(self) -> list[Line]:
        """What was compared."""
        return headline(self)

    def tables(self) -> list[Table]:
        """A table for each budget; with several budgets, one more of what a smaller one costs."""
        return tables(self)

    def __str__(self) -> str:
        parts = ["\n".join(_wrapped(name, text) for name, text in told(self.lines()))]
        return "\n\n".join([*parts, *("\n".join(table.lines()) for table in self.tables())])

    def __repr__(self) -> str:
        budgets = ", ".join(f"{epsilon:g}" for epsilon in self.epsilons)
        return f"<Comparison {self.problem.name}: {', '.join(self.methods)}; ε = {budgets}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{escape(name)}</th><td>{escape(text)}</td></tr>"
            for name, text in told(self.lines())
        )
        return f"<table>{rows}</table>{''.join(table.html() for table in self.tables())}"

    def plot(self, axes: Axes | None = None) -> Axes:
        """RMSE against ε, a line for each method, with standard errors (needs the extra ``plot``)."""
        from sottovoce.trials.pictures import curves

        return on_axes(curves(self), axes)

    def _ratios(self, row: Row) -> dict[str, float | None]:
        if row.performance is None:
            return {}
        found: dict[str, float | None] = {}
        for name, ratio in (("mse_ratio", self.against_reference(row)), ("cost", self.cost(row))):
            found[name] = None if ratio is None else ratio.value
            found[f"{name}_se"] = None if ratio is None else ratio.standard_error
        return found

    def _flat(self, row: Row) -> dict[str, Any]:
        plain = {"problem": self.problem.name} | row.to_dict() | self._ratios(row)
        if row.performance is not None:
            plain |= {"reason": str(row.reason), "protects": str(row.protects)}
        plain.pop("warnings", None)
        figures, errors = plain.pop("figures", {}), plain.pop("figures_se", {})
        for name, value in figures.items():
            plain |= {name: value, f"{name}_se": errors[name]}
        return plain | {"reference": self.reference, "repetitions": self.repetitions, "seed": self.seed}


def _wrapped(name: str, text: str) -> str:
    return textwrap.fill(text, 120, initial_indent=f"{name:<12}", subsequent_indent=" " * 12, break_on_hyphens=False)
