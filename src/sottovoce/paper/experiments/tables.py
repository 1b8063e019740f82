"""The paper's five tables of rates and its table of running times, made from the functions they stand for."""

from __future__ import annotations

from numpy.random import Generator

from sottovoce.paper.figure import Cell, Rows, Run

SIZES: dict[str, float] = {"n": 100, "T": 1000, "alpha": 0.5, "d": 10, "s": 3, "beta": 2, "m": 3, "M": 10}
ABOVE: dict[str, float] = SIZES | {"alpha": 4.0}
"""For what is stated for α > 1."""


def cells(run: Run) -> list[Cell]:
    """All at once."""
    return [{"tables": "all"}]


def compute(cell: Cell, stream: Generator) -> Rows:
    """A row an entry: its formula, and its value at `SIZES`, or at `ABOVE` where it is one for α > 1."""
    from sottovoce.theory import COMPLEXITY, RATE_TABLES

    rows: Rows = []
    for table in (*RATE_TABLES, COMPLEXITY):
        for line in table.rows:
            for name, entry in zip(table.columns[1:], line[1:], strict=True):
                value = entry.value(**ABOVE if entry.above_one else SIZES)
                rows.append(
                    {"table": table.label, "line": table.line, "row": line[0].text, "column": name}
                    | {"formula": entry.text, "value": None if value is None else float(value)}
                )
    return rows
