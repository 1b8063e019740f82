"""How often each cell is run, in three stages, and what that should cost.

100 times everywhere and 400 in cells of reference; more where coverage needs it; fresh ones where it fell short. Which
blocks a stage needs follows from what earlier stages found, so a run that was stopped goes on where it was. Large cells
are looked at again less often: their users or coordinates are many, and a run takes a third of a second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path

from benchmarks.accuracy import blocks, pools, schedule
from benchmarks.accuracy.blocks import Block
from benchmarks.accuracy.problems import cells as cells_module
from benchmarks.accuracy.problems import trial
from benchmarks.accuracy.problems.cells import Cell, benchmark, methods_of, runs_as
from benchmarks.accuracy.problems.claims import below, claims_on
from benchmarks.accuracy.problems.outcomes import Outcomes
from benchmarks.accuracy.problems.references import REFERENCES
from benchmarks.accuracy.problems.table import Row, row_of
from benchmarks.accuracy.store import ROOMS, Key, Store, digest

BLOCK = 50
BASE, MORE, FRESH = 100, 400, 2000
LARGE_MORE, LARGE_FRESH = 200, 400
DOUBT = 0.01
"""How far above what is promised coverage must lie, after 100 repetitions, so that no more are needed."""
STAGES = ("100 repetitions", "more where coverage needs it", "fresh ones where coverage fell short")
_GUESS = 1e-5
"""CPU seconds a user, where the committed table does not know better."""


def large(cell: Cell) -> bool:
    """Whether a run takes long."""
    return cell.users >= 20_000 or cell.size >= 256


def _blocks(cell: Cell, method: str, stage: str, repetitions: int) -> Iterator[Block]:
    return (Block(cell, method, stage, number, BLOCK) for number in range(repetitions // BLOCK))


def needed(cells: Sequence[Cell], store: Store, stage: int) -> list[Block]:
    """The blocks of a stage, those that are there included."""
    fixed = {reference.cell for reference in REFERENCES}
    found: list[Block] = []
    for cell in cells:
        for method in dict.fromkeys(runs_as(cell, name) for name in methods_of(cell)):
            if stage == 0:
                found += _blocks(cell, method, "base", MORE if cell in fixed else BASE)
                continue
            runs = Outcomes.of(store.lines(cell, method))
            claims = [claim for claim in claims_on(cell, method) if claim.rerun]
            if not claims or not runs.repetitions:
                continue
            if stage == 1:
                if any(min(runs.kind(claim.interval).first(BASE)) < claim.level + DOUBT for claim in claims):
                    found += _blocks(cell, method, "base", LARGE_MORE if large(cell) else MORE)
                continue
            row = row_of(cell, method, method, runs)
            if any(below(row.counts(claim.interval), claim.level, row.intervals) for claim in claims):
                found += _blocks(cell, method, "fresh", LARGE_FRESH if large(cell) else FRESH)
    return found


def cost_of(rows: Sequence[Row]) -> Callable[[Block], float]:
    """CPU seconds of a block, by what the same cell took when the table was made."""
    known = {(row.cell, row.ran): row.seconds for row in rows}

    def cost(block: Block) -> float:
        return block.repetitions * known.get((block.cell, block.method), _GUESS * block.cell.users)

    return cost


def measure(cells: Sequence[Cell], store: Store, *, workers: int, rows: Sequence[Row]) -> None:
    """All three stages."""

    def wanted(stage: int) -> list[Block]:
        found = needed(cells, store, stage)
        return sorted(found, key=lambda block: (block.cell, block.method, block.stage, block.number))

    schedule.carry_out(STAGES, wanted, trial.run, store, workers=workers, cost=cost_of(rows), chunk=2)


@cache
def _source(problem: str) -> str:
    room = benchmark(problem).room or problem
    modules = (blocks, pools, cells_module, trial, import_module(f"benchmarks.accuracy.problems.{room}"))
    files = [Path(module.__file__ or "") for module in modules]
    return digest(files, (*ROOMS, f"problems/{room}", "baselines"))


def source(key: Key) -> str:
    """Of the code that a block runs."""
    return _source(key[0])
