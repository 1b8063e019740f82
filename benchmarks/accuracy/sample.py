"""A few cells and repetitions in one process, for a look while a method is tuned."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.accuracy.blocks import Block
from benchmarks.accuracy.cells import Cell, grid, methods_of, runs_as
from benchmarks.accuracy.figures import Figures, limit
from benchmarks.accuracy.store import Runs
from benchmarks.accuracy.table import Row, summarised
from benchmarks.accuracy.trial import run


def sampled(count: int, repetitions: int, *, methods: Sequence[str] | None, populations: Sequence[str] | None) -> str:
    """A table in text. Cells are drawn with a fixed seed; one round and paper always run, for the ratios."""
    held = [cell for cell in grid() if populations is None or cell.population in populations]
    places = np.sort(np.random.default_rng(1).permutation(len(held))[:count])
    rows = [row for place in places for row in cell_rows(held[place], repetitions, methods)]
    return "\n".join([_HEAD, *(_line(row) for row in rows), "", *_means(rows)])


def cell_rows(cell: Cell, repetitions: int, methods: Sequence[str] | None = None) -> list[Row]:
    """All methods of one cell, or some."""
    wanted = [name for name in methods_of(cell) if methods is None or name in (*methods, "one-round", "paper")]
    ran = dict.fromkeys(runs_as(cell, name) for name in wanted)
    runs = {name: Runs.of([run(Block(cell, name, "sample", 0, repetitions))]) for name in ran}
    return summarised(cell, {name: runs[runs_as(cell, name)] for name in wanted})


_HEAD = (
    f"{'population':18s} {'n':>6s} {'T':>5s} {'ε':>4s} {'method':22s} {'mse':>9s} {'± %':>4s} {'one/':>7s} "
    f"{'paper/':>7s} {'effic.':>6s} {'cover':>5s} {'model':>5s} {'width':>7s} {'model':>7s}"
)


def _line(row: Row) -> str:
    efficiency = limit(row.epsilon) * row.user_sd**2 / (row.users * row.mse)
    return (
        f"{row.population:18s} {row.users:6d} {row.observations:5d} {row.epsilon:4g} {row.method:22s} {row.mse:9.3g} "
        f"{100 * row.se / row.mse:4.0f} {row.over_one_round:7.3g} {row.over_paper:7.3g} {efficiency:6.2f} "
        f"{row.coverage:5.2f} {row.model_coverage:5.2f} {row.halfwidth:7.2g} {row.model_halfwidth:7.2g}"
    )


def _means(rows: Sequence[Row]) -> list[str]:
    figures = Figures(rows)
    made = []
    for method in figures.methods:
        for kind in ("alike", "differing"):
            held = [row.cell for row in figures.rows if row.method == method and row.cell.of.kind == kind]
            if not held:
                continue
            said = f"{method}, {kind}, {len(held)} cells:"
            for other in ("one-round", "paper"):
                found = figures.ratio(other, method, set(held).__contains__)
                said += f" {other} / ours {found.mean:.3g} ± {found.se:.1g} (worst {found.worst:.2g})"
            made.append(said)
    return made
