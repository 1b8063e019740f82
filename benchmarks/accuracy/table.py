"""The result table: one row a cell and method, from finished blocks; all figures of the report come from it."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.accuracy.blocks import SEED
from benchmarks.accuracy.cells import Cell, methods_of
from benchmarks.accuracy.populations import pool
from benchmarks.accuracy.reference import ONE_ROUND
from benchmarks.accuracy.store import Runs, Store

RESULTS = Path(__file__).parent / "results.csv"
NOTHING = float("nan")


@dataclass(frozen=True, kw_only=True)
class Row:
    """A method in a cell. What does not exist is NaN, and empty in the file."""

    population: str
    users: int
    observations: int
    epsilon: float
    method: str
    seed: int
    repetitions: int
    mse: float
    se: float
    median: float
    """Of the squared errors."""
    coverage: float
    """Of the interval that the answer prints first: the guaranteed one, except under paper and homogeneous."""
    halfwidth: float
    model_repetitions: int
    """Answers that had a model interval."""
    model_coverage: float
    model_halfwidth: float
    fresh: int
    """Repetitions of the second look, where there was one."""
    fresh_coverage: float
    fresh_model: int
    fresh_model_coverage: float
    truth: float
    user_sd: float
    """Standard deviation of the users' averages."""
    over_one_round: float
    """The error of one round over this one's: above 1 where this method is better."""
    over_paper: float

    @property
    def cell(self) -> Cell:
        return Cell(self.population, self.users, self.observations, self.epsilon)

    def covered(self, interval: str) -> tuple[float, int]:
        """Share of the intervals that held the truth, and of how many."""
        if interval == "headline":
            return self.coverage, self.repetitions
        return self.model_coverage, self.model_repetitions

    def covered_afresh(self, interval: str) -> tuple[float, int]:
        """The same of the second look."""
        return (
            (self.fresh_coverage, self.fresh)
            if interval == "headline"
            else (self.fresh_model_coverage, self.fresh_model)
        )


def rows(cells: Iterable[Cell], store: Store) -> list[Row]:
    """Every method of every cell that has been run."""
    made: list[Row] = []
    for cell in cells:
        own, fresh = (
            {method: store.runs(cell, method, stage) for method in methods_of(cell)} for stage in ("base", "fresh")
        )
        made += summarised(cell, {method: runs for method, runs in own.items() if runs.repetitions}, fresh)
    return made


def summarised(cell: Cell, own: Mapping[str, Runs], fresh: Mapping[str, Runs] | None = None) -> list[Row]:
    """The rows of one cell from what its methods did."""
    averages = pool(cell.population, cell.observations)
    error = {method: float(np.mean(runs.errors**2)) for method, runs in own.items()}
    return [
        _row(
            cell,
            method,
            runs,
            Runs() if fresh is None else fresh[method],
            truth=float(averages.mean()),
            user_sd=float(averages.std()),
            over_one_round=error.get(ONE_ROUND, NOTHING) / error[method],
            over_paper=error.get("paper", NOTHING) / error[method],
        )
        for method, runs in own.items()
    ]


def _row(cell: Cell, method: str, runs: Runs, fresh: Runs, **more: float) -> Row:
    squares = runs.errors**2
    return Row(
        population=cell.population,
        users=cell.users,
        observations=cell.observations,
        epsilon=cell.epsilon,
        method=method,
        seed=SEED,
        repetitions=runs.repetitions,
        mse=float(squares.mean()),
        se=float(squares.std(ddof=1) / math.sqrt(len(squares))) if len(squares) > 1 else NOTHING,
        median=float(np.median(squares)),
        coverage=runs.coverage("headline"),
        halfwidth=runs.halfwidth,
        model_repetitions=len(runs.model),
        model_coverage=runs.coverage("model"),
        model_halfwidth=runs.model_halfwidth if runs.model else NOTHING,
        fresh=fresh.repetitions,
        fresh_coverage=fresh.coverage("headline"),
        fresh_model=len(fresh.model),
        fresh_model_coverage=fresh.coverage("model"),
        **more,
    )


def write(found: Sequence[Any], path: Path = RESULTS) -> None:
    """Rows, all of one kind, as CSV, five digits."""
    names = [one.name for one in fields(found[0])]
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(names)
        table.writerows([_written(getattr(row, name)) for name in names] for row in found)


def _written(value: Any) -> str:
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.5g}"
    return str(value)


def read(path: Path = RESULTS, row: type[Any] = Row) -> list[Any]:
    """Back again."""
    kinds: dict[str, Callable[[str], Any]] = {
        "str": str,
        "int": int,
        "float": lambda text: float(text) if text else NOTHING,
    }
    with path.open(encoding="utf-8", newline="") as file:
        return [
            row(**{one.name: kinds[str(one.type)](line[one.name]) for one in fields(row)})
            for line in csv.DictReader(file)
        ]
