"""The result table of the problems: one row a cell and method, from finished blocks."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.accuracy.blocks import SEED
from benchmarks.accuracy.problems.cells import Cell, methods_of, runs_as
from benchmarks.accuracy.problems.outcomes import NOTHING, Covered, Outcomes
from benchmarks.accuracy.store import Store

RESULTS = Path(__file__).parent.parent / "results_problems.csv"


@dataclass(frozen=True, kw_only=True)
class Counts:
    """Coverage of one kind of interval, with the counts that an exact test needs."""

    each: float
    """Of an interval, over all of a repetition and all repetitions."""
    independent: int
    """How many independent intervals tell as much."""
    lowest: int
    """How often the interval that held least often did, of `repetitions`."""
    repetitions: int
    """Answers that had such intervals."""
    all: int
    """Repetitions in which all held at once, of `promised`."""
    promised: int


@dataclass(frozen=True, kw_only=True)
class Row:
    """A method in a cell. `ran`: the method whose runs these are. What does not exist is NaN, and empty in the file."""

    problem: str
    population: str
    size: int
    users: int
    observations: int
    epsilon: float
    method: str
    ran: str
    seed: int
    repetitions: int
    mse: float
    se: float
    median: float
    """Of the squared errors."""
    parts: str
    """Mean squared errors part by part, where there are few."""
    intervals: int
    """How many an answer has."""
    each: float
    independent: int
    lowest: int
    held: int
    all: int
    promised: int
    halfwidth: float
    model_each: float
    model_independent: int
    model_lowest: int
    model_held: int
    model_all: int
    model_promised: int
    model_halfwidth: float
    whole_each: float
    """Of bands for what is only shown smoothed."""
    whole_independent: int
    whole_lowest: int
    whole_held: int
    whole_all: int
    whole_promised: int
    whole_halfwidth: float
    fresh: int
    """Repetitions of the second look, where there was one; its figures follow."""
    fresh_each: float
    fresh_independent: int
    fresh_lowest: int
    fresh_all: int
    fresh_promised: int
    fresh_model_each: float
    fresh_model_independent: int
    fresh_model_lowest: int
    fresh_model_all: int
    fresh_model_promised: int
    fresh_whole_each: float
    fresh_whole_independent: int
    fresh_whole_lowest: int
    fresh_whole_all: int
    fresh_whole_promised: int
    seconds: float
    """CPU seconds of one survey."""

    @property
    def cell(self) -> Cell:
        return Cell(self.problem, self.population, self.size, self.users, self.observations, self.epsilon)

    def counts(self, interval: str) -> Counts:
        """Of the guarded, the model or the whole intervals."""
        prefix = "" if interval == "guarded" else f"{interval}_"
        return self._counts(prefix, getattr(self, f"{prefix}held"))

    def counts_afresh(self, interval: str) -> Counts:
        """The same of the second look."""
        prefix = "fresh_" if interval == "guarded" else f"fresh_{interval}_"
        return self._counts(prefix, self.fresh if self.counts(interval).repetitions else 0)

    def _counts(self, prefix: str, repetitions: int) -> Counts:
        names = ("each", "independent", "lowest", "all", "promised")
        return Counts(repetitions=repetitions, **{name: getattr(self, f"{prefix}{name}") for name in names})

    @property
    def part_errors(self) -> tuple[float, ...]:
        return tuple(float(part) for part in self.parts.split()) if self.parts else ()


def rows(cells: Iterable[Cell], store: Store) -> list[Row]:
    """Every method of every cell that has been run."""
    made = []
    for cell in cells:
        for method in methods_of(cell):
            ran = runs_as(cell, method)
            own, fresh = (Outcomes.of(store.lines(cell, ran, stage)) for stage in ("base", "fresh"))
            if own.repetitions:
                made.append(row_of(cell, method, ran, own, fresh))
    return made


def row_of(cell: Cell, method: str, ran: str, own: Outcomes, fresh: Outcomes | None = None) -> Row:
    """One row from what a method did."""
    again = Outcomes() if fresh is None else fresh
    return Row(
        problem=cell.problem,
        population=cell.population,
        size=cell.size,
        users=cell.users,
        observations=cell.observations,
        epsilon=cell.epsilon,
        method=method,
        ran=ran,
        seed=SEED,
        repetitions=own.repetitions,
        mse=float(own.errors.mean()),
        se=float(own.errors.std(ddof=1) / math.sqrt(len(own.errors))) if own.repetitions > 1 else NOTHING,
        median=float(np.median(own.errors)),
        parts=" ".join(f"{part:.4g}" for part in own.parts),
        intervals=len(own.guarded.by),
        **_covered("", own.guarded, halfwidth=True),
        **_covered("model_", own.model, halfwidth=True),
        **_covered("whole_", own.whole, halfwidth=True),
        fresh=again.repetitions,
        **_covered("fresh_", again.guarded),
        **_covered("fresh_model_", again.model),
        **_covered("fresh_whole_", again.whole),
        seconds=own.seconds / own.repetitions,
    )


def _covered(prefix: str, found: Covered, *, halfwidth: bool = False) -> dict[str, float | int]:
    figures: dict[str, float | int] = {
        "each": found.mean,
        "independent": found.independent,
        "lowest": found.lowest,
        "all": found.all.count("1"),
        "promised": len(found.all),
    }
    if halfwidth:
        figures |= {"held": len(found.each), "halfwidth": found.halfwidth}
    return {f"{prefix}{name}": value for name, value in figures.items()}
