"""The figures of the report, computed from the rows of the result table."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from benchmarks.accuracy.cells import CLAIM, Cell, Claim
from benchmarks.accuracy.table import NOTHING, Row
from sottovoce.theory import limit

FAMILY_LEVEL = 0.05
Where = Callable[[Cell], bool]


@dataclass(frozen=True, kw_only=True)
class Summary:
    """Positive figures over cells: geometric mean with its standard error, the cell at 5 %, and the worst."""

    mean: float
    se: float
    low: float
    worst: float
    worst_cell: Cell | None
    cells: int

    @classmethod
    def of(cls, found: Iterable[tuple[Cell, float, float]]) -> Summary:
        """From cells, figures and the relative standard error of each."""
        held = [entry for entry in found if not math.isnan(entry[1])]
        if not held:
            return cls(mean=NOTHING, se=NOTHING, low=NOTHING, worst=NOTHING, worst_cell=None, cells=0)
        figures, errors = np.array([entry[1] for entry in held]), np.array([entry[2] for entry in held])
        mean = float(np.exp(np.log(figures).mean()))
        place = int(np.argmin(figures))
        return cls(
            mean=mean,
            se=mean * float(np.sqrt(np.nansum(errors**2))) / len(held),
            low=float(np.quantile(figures, 0.05)),
            worst=float(figures[place]),
            worst_cell=held[place][0],
            cells=len(held),
        )


@dataclass(frozen=True, kw_only=True)
class Coverage:
    """A claim about coverage against the table."""

    claim: Claim
    cells: int
    mean: float
    lowest: float
    rejected: tuple[Row, ...]
    """Cells where coverage as claimed is rejected at the family level, at first or in the second look."""
    looked_again: tuple[Row, ...]

    @property
    def passed(self) -> bool | None:
        return None if not self.cells else not self.rejected


class Figures:
    """The table, by cell and method."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows = list(rows)
        self._at = {(row.cell, row.method): row for row in self.rows}

    @property
    def methods(self) -> list[str]:
        return list(dict.fromkeys(row.method for row in self.rows))

    @property
    def populations(self) -> list[str]:
        return list(dict.fromkeys(row.population for row in self.rows))

    def of(self, method: str, where: Where) -> list[Row]:
        """The rows of a method in cells like these."""
        return [row for row in self.rows if row.method == method and where(row.cell)]

    def ratio(self, other: str, method: str, where: Where) -> Summary:
        """The error of another method over this one's: above 1 where this one is better."""
        pairs = [(self._at.get((row.cell, other)), row) for row in self.of(method, where)]
        return Summary.of(
            (row.cell, theirs.mse / row.mse, _apart(theirs, row)) for theirs, row in pairs if theirs is not None
        )

    def efficiency(self, method: str, where: Where) -> Summary:
        """The share of what ε-local privacy allows, where users have a spread at all."""
        return Summary.of(
            (row.cell, limit(row.epsilon) * row.user_sd**2 / (row.users * row.mse), row.se / row.mse)
            for row in self.of(method, where)
            if row.user_sd > 1e-9
        )

    def mean_and_lowest(self, method: str, interval: str, where: Where) -> tuple[float, float]:
        """Coverage over cells."""
        found = [share for row in self.of(method, where) if not math.isnan(share := row.covered(interval)[0])]
        return (float(np.mean(found)), min(found)) if found else (NOTHING, NOTHING)

    def coverage(self, claim: Claim = CLAIM) -> Coverage:
        """Exact one-sided binomial tests at the family level over the cells."""
        held = [row for row in self.of(claim.method, claim.applies) if row.covered(claim.interval)[1]]
        level = FAMILY_LEVEL / max(1, len(held))
        shares = [row.covered(claim.interval)[0] for row in held]
        looked_again = tuple(
            row
            for row in held
            if row.covered(claim.interval)[0] < claim.level and row.covered_afresh(claim.interval)[1]
        )
        rejected = tuple(
            row
            for row in held
            if chance(*row.covered(claim.interval), claim.level) < level
            or (row in looked_again and chance(*row.covered_afresh(claim.interval), claim.level) < level)
        )
        return Coverage(
            claim=claim,
            cells=len(held),
            mean=float(np.mean(shares)) if shares else NOTHING,
            lowest=min(shares, default=NOTHING),
            rejected=rejected,
            looked_again=looked_again,
        )


def _apart(theirs: Row, ours: Row) -> float:
    """The relative standard error of a ratio of errors."""
    return math.hypot(theirs.se / theirs.mse, ours.se / ours.mse)


def chance(share: float, count: int, level: float) -> float:
    """Of no more intervals that cover, if coverage were exactly as claimed."""
    from scipy.stats import binom

    return float(binom.cdf(round(share * count), count, level))
