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
from benchmarks.accuracy.cells import BESIDES, Cell, claims_on, fixed_cells, methods_of, runs_as
from benchmarks.accuracy.store import Store
from benchmarks.accuracy.trial import run

BLOCK = 50
FEW, BASE, MORE, FRESH = 30, 100, 400, 2000
SURE = 0.98
"""Coverage at 100 repetitions from which no more are needed."""
STAGES = ("100 repetitions", "400 where coverage needs it", "2,000 fresh ones where coverage fell short")


def _blocks(cell: Cell, method: str, stage: str, repetitions: int) -> Iterator[Block]:
    size = FEW if method in BESIDES else BLOCK
    return (Block(cell, method, stage, number, size) for number in range(repetitions // size))


def needed(cells: Sequence[Cell], store: Store, stage: int) -> list[Block]:
    """The blocks of a stage, those that are there included."""
    fixed = set(fixed_cells())
    found: list[Block] = []
    for cell in cells:
        for method in dict.fromkeys(runs_as(cell, name) for name in methods_of(cell)):
            if stage == 0:
                found += _blocks(cell, method, "base", FEW if method in BESIDES else BASE)
                continue
            claims = [claim for claim in claims_on(cell, method) if claim.rerun]
            runs = store.runs(cell, method)
            if stage == 1:
                first = [runs.first(BASE).coverage(claim.interval) for claim in claims]
                if claims and (cell in fixed or min(first) < SURE):
                    found += _blocks(cell, method, "base", MORE)
            elif any(runs.coverage(claim.interval) < claim.level for claim in claims):
                found += _blocks(cell, method, "fresh", FRESH)
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


def measure(cells: Sequence[Cell], store: Store, *, workers: int, without: str | None = None) -> None:
    """The mean: all three stages."""

    def wanted(stage: int) -> list[Block]:
        blocks = [block for block in needed(cells, store, stage) if block.method != without]
        return sorted(blocks, key=lambda block: (block.cell.population, block.cell.observations, block))

    carry_out(STAGES, wanted, run, store, workers=workers)
