"""The figures of the report on the problems, computed from the rows of their result table."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.accuracy.figures import Summary
from benchmarks.accuracy.problems.cells import Cell
from benchmarks.accuracy.problems.claims import CLAIMS, Claim, below, rejected
from benchmarks.accuracy.problems.outcomes import NOTHING
from benchmarks.accuracy.problems.table import Row

Where = Callable[[Cell], bool]


@dataclass(frozen=True, kw_only=True)
class Ratio:
    """The error of another method over ours in a cell, with its standard error."""

    cell: Cell
    other: str
    value: float
    se: float

    def surely_below(self, aim: float) -> bool:
        """By more than two standard errors."""
        return self.value + 2 * self.se < aim


@dataclass(frozen=True, kw_only=True)
class Held:
    """A claim about coverage against the table."""

    claim: Claim
    rows: tuple[Row, ...]
    rejected: tuple[Row, ...]
    looked_again: tuple[Row, ...]

    @property
    def passed(self) -> bool | None:
        return None if not self.rows else not self.rejected

    def figures(self) -> tuple[float, float, float]:
        """Coverage of an interval on average over cells, in the lowest cell, and of all at once in the lowest."""
        found = [row.counts(self.claim.interval) for row in self.rows]
        together = [one.all / one.promised for one in found if one.promised]
        return (
            float(np.mean([one.each for one in found])),
            min(one.each for one in found),
            min(together, default=NOTHING),
        )


class Figures:
    """The table, by cell and method."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows = list(rows)
        self._at = {(row.cell, row.method): row for row in self.rows}

    def at(self, cell: Cell, method: str) -> Row | None:
        return self._at.get((cell, method))

    def of(self, problem: str, method: str, where: Where = lambda cell: True) -> list[Row]:
        """The rows of a method in cells like these."""
        return [row for row in self.rows if row.problem == problem and row.method == method and where(row.cell)]

    def ratios(
        self,
        problem: str,
        others: Sequence[str],
        method: str,
        where: Where = lambda cell: True,
        *,
        median: bool = False,
    ) -> list[Ratio]:
        """The best of the others over a method, cell by cell: above 1 where the method is better."""
        found = []
        for row in self.of(problem, method, where):
            theirs = [other for name in others if (other := self.at(row.cell, name)) is not None]
            if not theirs:
                continue
            best = min(theirs, key=lambda other: other.median if median else other.mse)
            value = _over(best.median, row.median) if median else _over(best.mse, row.mse)
            same = best.ran == row.ran
            apart = 0.0 if same else value * math.hypot(_relative(best), _relative(row))
            found.append(Ratio(cell=row.cell, other=best.method, value=1.0 if same else value, se=apart))
        return found

    def widths(self, problem: str, method: str, where: Where = lambda cell: True, *, model: bool = False) -> Summary:
        """Half-widths over one round's guarded ones; cells apart where either is one point, as on a lattice."""
        found = []
        for row in self.of(problem, method, where):
            theirs, own = self.at(row.cell, "one-round"), row.model_halfwidth if model else row.halfwidth
            if theirs is not None and theirs.halfwidth > 0 and own > 0:
                found.append((row.cell, own / theirs.halfwidth, 0.0))
        return Summary.of(found)

    def coverage(self, claim: Claim) -> Held:
        """Exact tests at the family level over the cells."""
        held = [
            row for row in self.of(claim.problem, claim.method, claim.applies) if row.counts(claim.interval).repetitions
        ]
        again = tuple(
            row
            for row in held
            if row.counts_afresh(claim.interval).repetitions
            and below(row.counts(claim.interval), claim.level, row.intervals)
        )
        out = tuple(
            row
            for row in held
            if rejected(row.counts(claim.interval), claim.level, row.intervals, len(held))
            or (row in again and rejected(row.counts_afresh(claim.interval), claim.level, row.intervals, len(held)))
        )
        return Held(claim=claim, rows=tuple(held), rejected=out, looked_again=again)

    def coverages(self) -> list[Held]:
        """All claims."""
        return [self.coverage(claim) for claim in CLAIMS]


def summary(found: Iterable[Ratio]) -> Summary:
    """Ratios over cells; where a method never erred, as on a lattice, there is none."""
    return Summary.of((one.cell, one.value, one.se / one.value) for one in found if one.value > 0)


def _over(theirs: float, ours: float) -> float:
    """A ratio of errors; none where both are zero to rounding, as on a lattice."""
    if ours < 1e-12 and theirs < 1e-12:
        return NOTHING
    return theirs / max(ours, 1e-12)


def _relative(row: Row) -> float:
    return row.se / row.mse if row.mse > 0 and not math.isnan(row.se) else 0.0
