"""The default answer beside today's one round: which cells are run how often, and the table of what was found.

The default is ``method="auto"``. One round as it is now is run in the same way in some cells. A row is the summary of a
stage: ``base`` in every cell, ``fresh`` for a second look.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import sottovoce.problems
from benchmarks.accuracy import blocks, pairs, pools, populations, reference, table
from benchmarks.accuracy.blocks import SEED, Block
from benchmarks.accuracy.cells import Cell, fixed_cells
from benchmarks.accuracy.pools import Floats
from benchmarks.accuracy.populations import GRID, pool
from benchmarks.accuracy.schedule import carry_out, repetitions
from benchmarks.accuracy.store import OWN, ROOMS, Store, digest
from benchmarks.accuracy.table import NOTHING

RESULTS = Path(__file__).with_name("results_default.csv")
DEFAULT, NOW = "auto", "one-round"
"""The default, and one round as it is now."""
BASE, CLOSER, FRESH = 100, 1000, 2000
"""Repetitions of every cell; fresh ones where an error is above its limit; and where coverage came out below."""
STAGES = ("100 repetitions", "fresh ones where coverage, error or printed error is beyond its limit")
FAR = 4.0
"""Standard errors of one round by which a value is far off."""
COVERS, MODEL_COVERS = 0.94, 0.93
MOST_ERROR = {"alike": 1.6, "differing": 1.6, "groups": 3.0}
LEAST_PRINTED, MOST_SILENT = 0.5, 0.02


@dataclass(frozen=True, kw_only=True)
class Row:
    """A cell. Ratios are over today's one round on the same users; ``_se`` is the error of the figure before."""

    population: str
    users: int
    observations: int
    epsilon: float
    method: str
    stage: str
    took: str
    """What ran, in most of the surveys."""
    seed: int
    repetitions: int
    width: float
    """Half-width of the guaranteed interval, as a ratio of averages."""
    width_se: float
    error: float
    """Mean squared error, as a ratio."""
    error_se: float
    coverage: float
    coverage_of_one_round: float
    halfwidth: float
    rmse: float
    rmse_se: float
    printed: float
    """The printed error on average, over the root mean squared error that was found."""
    printed_se: float
    model_repetitions: int
    """Answers that had a model interval."""
    model_coverage: float
    model_width: float
    """Half-width of the model interval over that of one round's interval."""
    silent: float
    """The share of surveys that are off by more than four standard errors of one round, without a warning."""
    truth: float
    user_sd: float

    @property
    def cell(self) -> Cell:
        return Cell(self.population, self.users, self.observations, self.epsilon)


def ratio_of_means(ours: Floats, theirs: Floats) -> tuple[float, float]:
    """With its standard error, for figures that were found in pairs (the delta method)."""
    if not theirs.mean():
        return (NOTHING, NOTHING) if ours.mean() else (1.0, 0.0)
    ratio = float(ours.mean() / theirs.mean())
    error = (ours - ratio * theirs).std(ddof=1) / theirs.mean() / math.sqrt(len(ours)) if len(ours) > 1 else NOTHING
    return ratio, float(error)


def summary(cell: Cell, method: str, stage: str, lines: Sequence[dict[str, Any]]) -> Row:
    """The row of some blocks."""

    def joined(part: str, name: str) -> Floats:
        return np.concatenate([line[part][name] for line in lines])

    ours, theirs = joined("found", "value"), joined("theirs", "value")
    width, width_se = ratio_of_means(joined("found", "width"), joined("theirs", "width"))
    error, error_se = ratio_of_means(ours**2, theirs**2)
    mse, count = float((ours**2).mean()), len(ours)
    mse_se = float((ours**2).std(ddof=1) / math.sqrt(count))
    rmse = math.sqrt(mse)
    printed = joined("found", "printed")
    said = float(printed.mean()) / rmse if rmse else NOTHING
    model = [one for line in lines for one in line["found"]["model"] if one is not None]
    far = np.abs(ours) > FAR * joined("theirs", "printed")
    averages = pool(cell.population, cell.observations)
    return Row(
        population=cell.population,
        users=cell.users,
        observations=cell.observations,
        epsilon=cell.epsilon,
        method=method,
        stage=stage,
        took=Counter(took for line in lines for took in line["found"]["took"]).most_common(1)[0][0],
        seed=SEED,
        repetitions=count,
        width=width,
        width_se=width_se,
        error=error,
        error_se=error_se,
        coverage=float(joined("held", "ours").mean()),
        coverage_of_one_round=float(joined("held", "theirs").mean()),
        halfwidth=float(joined("found", "width").mean()),
        rmse=rmse,
        rmse_se=mse_se / 2 / rmse if rmse else 0.0,
        printed=said,
        printed_se=said * math.hypot(mse_se / 2 / mse, printed.std() / printed.mean() / math.sqrt(count))
        if mse
        else NOTHING,
        model_repetitions=len(model),
        model_coverage=float(np.mean([holds for holds, _ in model])) if model else NOTHING,
        model_width=float(np.mean([half for _, half in model])) / float(joined("theirs", "width").mean())
        if model
        else NOTHING,
        silent=float((far & ~joined("found", "warned").astype(bool)).mean()),
        truth=float(averages.mean()),
        user_sd=float(averages.std()),
    )


def closer_look(row: Row) -> int:
    """How many fresh repetitions a cell needs."""
    if row.coverage < COVERS or (row.model_repetitions and row.model_coverage < MODEL_COVERS):
        return FRESH
    beyond = row.error > MOST_ERROR[row.cell.of.kind] or row.printed < LEAST_PRINTED or row.silent > MOST_SILENT
    return CLOSER if beyond else 0


def methods_of(cell: Cell) -> tuple[str, ...]:
    """The default everywhere, one round as it is now in the fixed cells."""
    return (DEFAULT, NOW) if cell in _fixed() else (DEFAULT,)


@cache
def _fixed() -> frozenset[Cell]:
    return frozenset(fixed_cells(GRID))


def needed(cells: Iterable[Cell], store: Store, stage: int) -> Iterator[Block]:
    """The blocks of a stage, those that are there included."""
    for cell in cells:
        for method in methods_of(cell):
            if stage == 0:
                yield from repetitions(cell, method, "base", BASE)
            elif lines := store.lines(cell, method):
                yield from repetitions(cell, method, "fresh", closer_look(summary(cell, method, "base", lines)))


@cache
def _source() -> str:
    files = [Path(module.__file__ or "") for module in (blocks, pairs, pools, populations, reference)]
    files += sorted(Path(sottovoce.problems.__file__).parent.glob("*.py"))  # the chooser, wherever it stands
    return digest(files, (*ROOMS, "problems/mean"), OWN)


def store(*, accept_older: bool = False) -> Store:
    """The blocks that were run by this code."""
    return Store(name="default.jsonl", source_of=lambda key: _source(), accept_older=accept_older)


def measure(cells: Sequence[Cell], store: Store, *, workers: int) -> None:
    """Both stages, those cells first that share a population."""

    def wanted(stage: int) -> list[Block]:
        found = needed(cells, store, stage)
        return sorted(found, key=lambda block: (block.cell.population, block.cell.observations, block))

    carry_out(STAGES, wanted, pairs.run, store, workers=workers, cost=seconds)


def seconds(block: Block) -> float:
    """What a block costs, about."""
    return float(block.repetitions * (0.025 + 0.4e-6 * block.cell.users))


def rows(cells: Iterable[Cell], store: Store) -> list[Row]:
    """Every cell that has been run, with its second look."""
    return [
        summary(cell, method, stage, lines)
        for cell in cells
        for method in methods_of(cell)
        for stage in ("base", "fresh")
        if (lines := store.lines(cell, method, stage))
    ]


def read() -> list[Any]:
    """The committed table; nothing where none was written."""
    return table.read(RESULTS, Row) if RESULTS.exists() else []
