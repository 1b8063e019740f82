"""A few cells and repetitions in one process, for a look while a method is tuned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from benchmarks.accuracy import default, pairs
from benchmarks.accuracy.blocks import Block
from benchmarks.accuracy.cells import Cell, grid, methods_of
from benchmarks.accuracy.default import DEFAULT
from benchmarks.accuracy.figures import Figures
from benchmarks.accuracy.promises import KINDS
from benchmarks.accuracy.reference import ONE_ROUND
from benchmarks.accuracy.store import Runs
from benchmarks.accuracy.table import Row, summarised
from benchmarks.accuracy.trial import run
from benchmarks.accuracy.verdicts import place
from sottovoce.theory import limit


def spread_cells(count: int, populations: Sequence[str] | None) -> list[Cell]:
    """So many cells drawn with a fixed seed; those that nothing is tuned on only where they are named."""
    held = [cell for cell in grid() if (cell.population in populations if populations else not cell.of.held_out)]
    return [held[place] for place in np.sort(np.random.default_rng(1).permutation(len(held))[:count])]


def paired(cells: Sequence[Cell], repetitions: int) -> Iterator[str]:
    """The default beside today's one round on the same users, a line a cell; then geometric means by kind."""
    yield f"{'ratios to one round':50s} {'took':11s} {'width':>14s} {'error':>14s} covers (one) printed  model silent"
    rows = []
    for cell in cells:
        row = default.summary(cell, DEFAULT, "sample", [pairs.run(Block(cell, DEFAULT, "sample", 0, repetitions))])
        rows.append(row)
        yield (
            f"{place(cell):50s} {row.took:11s} {row.width:6.3f} ± {row.width_se:5.3f} {row.error:6.3g} ± "
            f"{row.error_se:5.2g} {row.coverage:6.3f} {row.coverage_of_one_round:5.3f} {row.printed:7.2f} "
            f"{row.model_coverage:6.3f} {row.silent:6.3f}"
        )
    for kind, words in KINDS.items():
        own = [row for row in rows if row.cell.of.kind == kind]
        if own:
            width, error = (
                float(np.exp(np.mean(np.log([getattr(row, of) for row in own])))) for of in ("width", "error")
            )
            yield f"{words}, {len(own)} cells: width {width:.3f}, error {error:.3f}"


def sampled(cells: Sequence[Cell], repetitions: int, methods: Sequence[str]) -> Iterator[str]:
    """Methods one by one; today's one round and paper always run, for the ratios."""
    rows = [row for cell in cells for row in cell_rows(cell, repetitions, methods)]
    yield from (_HEAD, *(_line(row) for row in rows), "", *_means(rows))


def cell_rows(cell: Cell, repetitions: int, methods: Sequence[str] | None = None) -> list[Row]:
    """The methods one by one in one cell: today's one round and paper, and the default or those that are named."""
    wanted = dict.fromkeys([ONE_ROUND, "paper", *([*methods_of(cell), "auto"] if methods is None else methods)])
    runs = {name: Runs.of([run(Block(cell, name, "sample", 0, repetitions))]) for name in wanted}
    return summarised(cell, runs)


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
        for kind in ("alike", "differing", "groups"):
            held = [row.cell for row in figures.rows if row.method == method and row.cell.of.kind == kind]
            if not held:
                continue
            said = f"{method}, {kind}, {len(held)} cells:"
            for other in (ONE_ROUND, "paper"):
                found = figures.ratio(other, method, set(held).__contains__)
                said += f" {other} / ours {found.mean:.3g} ± {found.se:.1g} (worst {found.worst:.2g})"
            made.append(said)
    return made
