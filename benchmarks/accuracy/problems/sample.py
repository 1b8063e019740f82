"""A few cells and repetitions of the problems in one process, for a look while a method is tuned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from benchmarks.accuracy.blocks import Block
from benchmarks.accuracy.problems.cells import Cell, methods_of, runs_as
from benchmarks.accuracy.problems.outcomes import NOTHING, Outcomes
from benchmarks.accuracy.problems.registry import BENCHMARKS
from benchmarks.accuracy.problems.table import Row, row_of
from benchmarks.accuracy.problems.trial import run


def cell_rows(cell: Cell, repetitions: int) -> list[Row]:
    """All methods of one cell."""
    names = methods_of(cell)
    ran = {name: Outcomes.of([run(Block(cell, name, "sample", 0, repetitions))]) for name in _once(cell, names)}
    return [row_of(cell, name, runs_as(cell, name), ran[runs_as(cell, name)]) for name in names]


def _once(cell: Cell, names: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(runs_as(cell, name) for name in names))


def sampled(names: Sequence[str], count: int, repetitions: int, populations: Sequence[str] | None) -> Iterator[str]:
    """Lines of a table, as they are found. Cells are drawn with a fixed seed; populations that are drawn stay out."""
    yield _HEAD
    for name in names:
        held = [cell for cell in BENCHMARKS[name].cells if not cell.of.held_out]
        held = [cell for cell in held if populations is None or cell.population in populations]
        for place in np.sort(np.random.default_rng(1).permutation(len(held))[:count]):
            for row in cell_rows(held[place], repetitions):
                yield _line(row)


_HEAD = (
    f"{'cell':64s} {'method':14s} {'ran':10s} {'mse':>9s} {'± %':>4s} {'each':>5s} {'least':>5s} {'all':>5s} "
    f"{'width':>8s} {'model':>5s} {'all':>5s} {'width':>8s} {'s':>6s}"
)


def _line(row: Row) -> str:
    guarded, model = (row.counts(interval) for interval in ("guarded", "model"))
    least = guarded.lowest / max(1, guarded.repetitions)
    both, model_both = (one.all / one.promised if one.promised else NOTHING for one in (guarded, model))
    apart = 100 * row.se / max(row.mse, 1e-300)
    return (
        f"{row.cell.words:64s} {row.method:14s} {row.ran:10s} {row.mse:9.3g} {apart:4.0f} {guarded.each:5.3f} "
        f"{least:5.2f} {both:5.2f} {row.halfwidth:8.3g} {model.each:5.3f} {model_both:5.2f} {row.model_halfwidth:8.3g} "
        f"{row.seconds:6.3f}"
    )
