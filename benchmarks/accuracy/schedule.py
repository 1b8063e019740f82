"""How often each cell is run, in three stages: 100 times, 400 where coverage needs it, 2,000 fresh where it fell short.

Which blocks a stage needs follows from what earlier stages found, so a run that was stopped goes on where it was.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from multiprocessing import get_context
from typing import Any

from benchmarks.accuracy.blocks import Block
from benchmarks.accuracy.cells import CLAIM, Cell, fixed_cells, methods_of
from benchmarks.accuracy.populations import GRID
from benchmarks.accuracy.store import Store
from benchmarks.accuracy.trial import run

BLOCK = 50
BASE, MORE, FRESH = 100, 400, 2000
SURE = 0.98
"""Coverage at 100 repetitions from which no more are needed."""
STAGES = ("100 repetitions", "400 where coverage needs it", "2,000 fresh ones where coverage fell short")


def repetitions(cell: Any, method: str, stage: str, count: int) -> Iterator[Block]:
    """The blocks of so many repetitions."""
    return (Block(cell, method, stage, number, BLOCK) for number in range(count // BLOCK))


def needed(cells: Sequence[Cell], store: Store, stage: int) -> list[Block]:
    """The blocks of a stage of the methods one by one, those that are there included."""
    fixed = set(fixed_cells([population for population in GRID if population.against_paper]))
    found: list[Block] = []
    for cell in cells:
        for method in methods_of(cell):
            if stage == 0:
                found += repetitions(cell, method, "base", BASE)
                continue
            if method != CLAIM.method or not CLAIM.applies(cell):
                continue
            runs = store.runs(cell, method)
            if stage == 1:
                if cell in fixed or runs.first(BASE).coverage(CLAIM.interval) < SURE:
                    found += repetitions(cell, method, "base", MORE)
            elif runs.coverage(CLAIM.interval) < CLAIM.level:
                found += repetitions(cell, method, "fresh", FRESH)
    return found


Needed = Callable[[int], Iterable[Block]]
"""The blocks of a stage, those that are there included."""


def carry_out(
    stages: Sequence[str],
    wanted: Needed,
    run: Callable[[Block], dict[str, Any]],
    store: Store,
    *,
    workers: int,
    cost: Callable[[Block], float] | None = None,
    chunk: int = 4,
) -> None:
    """All stages of a benchmark. Blocks are written as they finish; what they should cost is said beforehand."""
    start = time.monotonic()
    with get_context("spawn").Pool(workers) as pool:
        for stage, words in enumerate(stages):
            blocks = [block for block in wanted(stage) if block not in store]
            said = "" if cost is None else f", {sum(map(cost, blocks)) / 60 / workers:.0f} minutes"
            print(f"{words}: {len(blocks)} blocks to run{said}", file=sys.stderr, flush=True)
            for done, line in enumerate(pool.imap_unordered(run, blocks, chunksize=chunk), start=1):
                store.add(line)
                if done % 500 == 0 or done == len(blocks):
                    minutes = (time.monotonic() - start) / 60
                    print(f"  {done} of {len(blocks)}, {minutes:.1f} minutes", file=sys.stderr, flush=True)


def measure(cells: Sequence[Cell], store: Store, *, workers: int) -> None:
    """The methods of the mean one by one: all three stages."""

    def wanted(stage: int) -> list[Block]:
        return sorted(
            needed(cells, store, stage), key=lambda block: (block.cell.population, block.cell.observations, block)
        )

    carry_out(STAGES, wanted, run, store, workers=workers)
