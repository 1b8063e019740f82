"""What a figure of the paper is here: cells to compute, claims to check, a picture."""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

ALPHAS = (0.5, 1.0, 2.0, 4.0)


Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Row = dict[str, Any]
Rows = list[Row]
Cell = dict[str, Any]
"""The parameters of one unit of work, plain JSON: it has its own seed, so any process may do it, in any order."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """What was asked for: the full repetitions or a quick look, and a file for the figures that need one.

    `reduced`: a quick look without numba, with fewer repetitions still where numba would have made them.
    """

    quick: bool = False
    file: str | None = None
    reduced: bool = False


REDUCED = (
    "A quick look without numba: fewer repetitions and fewer points on each axis than the paper has, and fewer "
    "repetitions still of the phase transition and the sensitivity to Δ than a quick look with numba does."
)
"""What a reduced run says of itself."""


class Verdict(StrEnum):
    """What became of a claim of the paper."""

    AGREES = "agrees"
    DOES_NOT = "does not agree"
    DEPENDS = "depends on an unstated choice"


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """A verdict, the figures it rests on, why, and the choice it hangs on if there is one."""

    verdict: Verdict
    seen: str
    why: str = ""
    choice: str = ""


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A claim of the paper as a check on the rows of a figure.

    `expected` is the verdict that was found when the figure was frozen, `tolerance` what the check allows on either
    side, and why. `borrowed`: what the paper says of other data than these, so that it counts apart.
    """

    name: str
    text: str
    where: str
    expected: Verdict
    tolerance: str
    check: Callable[[Rows], Judgement]
    borrowed: bool = False


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One figure or table.

    `cells` lists the work for a full or a quick run, `compute` does one cell from its parameters and its own stream,
    `gather` puts the rows of all cells together where they are parts of a whole. `keys` name a row; `values` are
    pairs of columns (a number, its standard error or "") that are held against the frozen ones; `recorded` are columns
    that are frozen for the reader only.
    """

    name: str
    title: str
    where: str
    cells: Callable[[Run], list[Cell]]
    compute: Callable[[Cell, Generator], Rows]
    claims: tuple[Claim, ...]
    draw: Callable[[Rows, Any], None]
    keys: tuple[str, ...]
    values: tuple[tuple[str, str], ...] = (("mse", "se"),)
    gather: Callable[[Rows], Rows] = field(default=lambda rows: rows)
    recorded: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    cost: Callable[[Cell], float] = field(default=lambda cell: 1.0)
    size: tuple[float, float] = (7.0, 4.5)
    relative_tolerance: float = 0.0


def stream_for(name: str, cell: Cell, seed: int) -> Generator:
    """The stream of one cell: it depends on the figure, the cell and the seed, and on nothing else."""
    key = zlib.crc32(json.dumps([name, cell], sort_keys=True).encode())
    return Generator(np.random.PCG64(np.random.SeedSequence([seed, key])))


def error_sums(key: Row, errors: np.ndarray) -> Row:
    """Squared errors of some repetitions as sums, so that cells can share a figure's repetitions."""
    return key | {"count": len(errors), "sum": float(errors.sum()), "squares": float((errors**2).sum())}


def gather_parts(rows: Rows) -> Rows:
    """Parts of the same key added up: mean squared error and its standard error."""
    parts = ("count", "sum", "squares")
    totals: dict[str, tuple[Row, np.ndarray]] = {}
    for row in rows:
        key = {name: value for name, value in row.items() if name not in parts}
        label = json.dumps(key, sort_keys=True)
        _, before = totals.get(label, (key, np.zeros(3)))
        totals[label] = key, before + [row[part] for part in parts]
    gathered: Rows = []
    for key, (count, total, squares) in totals.values():
        mse = total / count
        error = math.sqrt(max(squares / count - mse**2, 0) / max(count - 1, 1))
        gathered.append(key | {"mse": float(mse), "se": error})
    return gathered


def rows_with(rows: Rows, **wanted: Any) -> Rows:
    """The rows with these entries."""
    return [row for row in rows if all(row.get(key) == value for key, value in wanted.items())]


def rows_along(rows: Rows, name: str, **wanted: Any) -> Rows:
    """The rows with these entries, in the order of a column."""
    return sorted(rows_with(rows, **wanted), key=lambda row: row[name])


def column(rows: Rows, name: str) -> np.ndarray:
    """One column as numbers."""
    return np.array([row[name] for row in rows], dtype=np.float64)


def values_of(rows: Rows, name: str) -> list[Any]:
    """The different entries of a column, in order."""
    return sorted({row[name] for row in rows if row.get(name) is not None})


def slope(x: Sequence[float] | np.ndarray, y: Sequence[float] | np.ndarray) -> float:
    """The slope of log y against log x by least squares."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


@dataclass(frozen=True)
class Estimate:
    """A number and its standard error; 0 where it is exact."""

    value: float
    error: float = 0.0

    @property
    def factor(self) -> float:
        """The ratio whose logarithm this is."""
        return math.exp(self.value)

    def __sub__(self, other: Estimate) -> Estimate:
        """The difference of two that are independent."""
        return Estimate(self.value - other.value, math.hypot(self.error, other.error))

    def __str__(self) -> str:
        return f"{self.value:+.2f}" + (f" ± {self.error:.2f}" if self.error else "")


def log_slope(rows: Rows, x: str, y: str = "mse", error: str = "se") -> Estimate:
    """The slope of log y against log x, and its standard error from those of the rows."""
    across = np.log(column(rows, x))
    weight = across - across.mean()
    weight /= (weight**2).sum()
    relative = column(rows, error) / column(rows, y)
    return Estimate(float(weight @ np.log(column(rows, y))), float(np.sqrt((weight**2 * relative**2).sum())))


def log_ratio(over: Row, under: Row, *, name: str = "mse", error: str = "se") -> Estimate:
    """The logarithm of a ratio of two rows, and its standard error, the rows being independent."""
    spread = math.hypot(*(float(row.get(error) or 0.0) / float(row[name]) for row in (over, under)))
    return Estimate(math.log(float(over[name]) / float(under[name])), spread)


STANDARD_ERRORS = 4.0
"""What a check allows beyond its stated ends: one normal figure crosses it by chance in 30,000 runs."""


def within(number: Estimate | float, low: float, high: float) -> bool:
    """Whether a number lies between both ends, or at most four of its standard errors outside."""
    estimate = number if isinstance(number, Estimate) else Estimate(number)
    allowed = STANDARD_ERRORS * estimate.error
    return low - allowed <= estimate.value <= high + allowed


def all_within(numbers: Iterable[Estimate | float], low: float, high: float) -> bool:
    """Whether every one of the numbers is `within` both ends."""
    return all(within(number, low, high) for number in numbers)


def above_one(logs: Sequence[Estimate], *, weighted: bool = False) -> bool:
    """Whether ratios are above one: none below it by four standard errors, and their geometric mean above by four.

    `weighted`: by their precision, where one of them may be far less certain than the others; none may be exact.
    """
    values, errors = np.array([log.value for log in logs]), np.array([log.error for log in logs])
    weights = 1 / errors**2 if weighted else np.ones(len(logs))
    weights /= weights.sum()
    none_below = bool((values > -STANDARD_ERRORS * errors).all())
    return none_below and bool(weights @ values > STANDARD_ERRORS * math.sqrt(weights**2 @ errors**2))


def joined(template: str, entries: Iterable[Any], between: str = ", ") -> str:
    """Entries one after the other, each set into a template of `str.format`; a tuple fills several places of it."""
    return between.join(template.format(*(entry if isinstance(entry, tuple) else (entry,))) for entry in entries)


def verdict_of(holds: bool) -> Verdict:
    """Agrees when it holds."""
    return Verdict.AGREES if holds else Verdict.DOES_NOT


def verdict_over_sides(*sides: bool) -> Verdict:
    """The verdict when a claim was computed on every side of an unstated choice: it depends where they differ."""
    if len(sides) < 2:
        raise ValueError("a choice has two sides at least")
    return verdict_of(sides[0]) if len(set(sides)) == 1 else Verdict.DEPENDS


def mean_of(estimates: Sequence[Estimate]) -> Estimate:
    """The mean of independent numbers."""
    values = [estimate.value for estimate in estimates]
    return Estimate(float(np.mean(values)), math.hypot(*(estimate.error for estimate in estimates)) / len(estimates))
