"""``docs/accuracy.md`` from the committed tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.accuracy import default, promises, round_trip, smooth
from benchmarks.accuracy.blocks import SEED
from benchmarks.accuracy.cells import EPSILONS, MEASURED, OBSERVATIONS, USERS
from benchmarks.accuracy.figures import Figures, Summary, Where
from benchmarks.accuracy.markdown import figure, markdown, paragraph, promised
from benchmarks.accuracy.populations import DRAWN_SEED, GRID, HELD_OUT_SEED
from benchmarks.accuracy.reference import ONE_ROUND
from benchmarks.accuracy.table import Row
from benchmarks.accuracy.verdicts import Verdict, alike, both, place, strong, verdicts

PAGE = Path(__file__).parent.parent.parent / "docs" / "accuracy.md"


def page(
    rows: Sequence[default.Row],
    one_by_one: Sequence[Row],
    rises: Sequence[smooth.Rise] = (),
    trips: Sequence[round_trip.Trip] = (),
) -> str:
    """The whole page."""
    table, figures = promises.Table(rows), Figures(one_by_one)
    said = [*promises.verdicts(rows), *smooth.verdicts(rises), *round_trip.verdicts(trips)]
    lines = [
        *_opening(table),
        *_promises(said),
        *_default(table),
        *_worst(table),
        *_prototype(table),
        *_again(table),
        *smooth.section(rises),
        *round_trip.section(trips),
        *_homogeneous(figures),
    ]
    return "\n".join(lines).rstrip() + "\n"


def spread(found: Summary) -> str:
    """Geometric mean, 5 % cell, worst; of figures that are the better the larger they are."""
    if not found.cells:
        return "–"
    return f"{figure(found.mean)} ({figure(found.low, 2)}, {figure(found.worst, 2)})"


def _ratio(found: Sequence[float]) -> str:
    """Geometric mean, 95 % cell, largest."""
    held = [one for one in found if one > 0]
    if not held:
        return "–"
    mean, most = float(np.exp(np.log(held).mean())), float(np.quantile(held, 0.95))
    return f"{figure(mean)} ({figure(most)}, {figure(max(held))})"


def _in(name: str) -> Where:
    return lambda cell: cell.population == name


def _users(count: int) -> Where:
    return lambda cell: cell.users == count


def _observations(count: int) -> Where:
    return lambda cell: cell.observations == count


def _at_least(count: int) -> Where:
    return lambda cell: cell.observations >= count


def _epsilon(value: float) -> Where:
    return lambda cell: cell.epsilon == value


def _opening(table: promises.Table) -> list[str]:
    again = sum(one.fresh is not None for one in table.looks)
    return [
        "# How accurate the mean is",
        "",
        *paragraph(
            """
            Made by `make bench-accuracy` from the committed tables of `benchmarks/accuracy/`:
            `results_default.csv` (every cell with its standard errors), `results_smooth.csv`,
            `results_round_trip.csv` and `results.csv`. Not to be edited. On real data: [How accurate a mean of
            real data is](accuracy-real.md).
            """
        ),
        *paragraph(
            """
            The default, `method="auto"`, is held against *one round*: everybody is asked once, on the whole
            range, as the first edition of `one-round` does. In every repetition both ask the same users.
            *Width* is the half-width of the guaranteed interval over that of one round, *error* the mean
            squared error over that of one round: below 1, the default is better. The interval is the one that
            an answer prints first, at 95 %.
            """
        ),
        *paragraph(
            f"""
            {len(GRID)} populations on [−1, 1], n {", ".join(f"{n:,}" for n in USERS)}, T {
                ", ".join(f"{t:,}" for t in OBSERVATIONS)
            }, ε {", ".join(f"{e:g}" for e in EPSILONS)}; some of them with 1, 5 and
            10,000 observations, and InstEval at its own size: {len(table.looks)} cells were run. A point is
            users who all hold one value. Seed {SEED}; of the drawn populations {DRAWN_SEED}, of those that no
            constant is tuned on (*held out*) {HELD_OUT_SEED}. {default.BASE} repetitions a cell. {again} cells
            in which an interval covered less often than promised, or an error or a printed error was beyond its
            limit, were run again with {default.CLOSER} or {default.FRESH:,} fresh repetitions; there the fresh
            run decides. *Covers at least c* means: in no cell is it rejected by an exact one-sided binomial
            test at family level .05 over the cells, neither at first nor afresh.
            """
        ),
    ]


def _promises(said: Sequence[Verdict]) -> list[str]:
    return ["## What was promised", "", *promised(said)]


def _groups_of_cells() -> list[tuple[str, Where]]:
    """Names of groups of cells, and the cells: the rows of the table."""
    everywhere = promises.regular
    return [
        *((f"{one.name}{' *' if one.kind == 'groups' else ''}", _in(one.name)) for one in GRID),
        *((f"n = {count:,}", both(everywhere, _users(count))) for count in USERS),
        *((f"T = {count:,}", both(everywhere, _observations(count))) for count in (1, 5, *OBSERVATIONS, 10_000)),
        *((f"ε = {value:g}", both(everywhere, _epsilon(value))) for value in EPSILONS),
        *((f"**{words}**", promises.of_kind(kind)) for kind, words in promises.KINDS.items()),
        ("**held out**", lambda cell: cell.of.held_out),
        ("InstEval", _in("InstEval")),
    ]


def _default(table: promises.Table) -> list[str]:
    lines = []
    for name, where in _groups_of_cells():
        held = [one.decides for one in table.of(where)]
        if not held:
            continue
        said = [row.printed for row in held if not math.isnan(row.printed)]
        model = [row for row in held if row.model_repetitions]
        lines.append(
            (
                name,
                str(len(held)),
                f"{np.mean([row.took != 'one-round' for row in held]):.0%}",
                _ratio([row.width for row in held]),
                _ratio([row.error for row in held]),
                f"{np.mean([row.coverage for row in held]):.3f} / {min(row.coverage for row in held):.3f}",
                f"{np.mean([row.coverage_of_one_round for row in held]):.3f}",
                f"{figure(min(said), 2)}–{figure(max(said), 2)}" if said else "–",
                f"{np.mean([row.model_coverage for row in model]):.3f} / {min(row.model_coverage for row in model):.3f}"
                if model
                else "–",
                f"{np.mean([row.silent for row in held]):.2%}",
            )
        )
    head = (
        "",
        "cells",
        "not one round",
        "width",
        "error",
        "covers",
        "one round covers",
        "printed / realised error",
        "model covers",
        "far off, no warning",
    )
    return [
        "## The default beside one round",
        "",
        *paragraph(
            """
            Ratios: geometric mean (95 % cell, largest). Coverage: mean / lowest cell. *Not one round*: cells in
            which another method was taken. *Far off*: the share of surveys whose value is off by more than four
            standard errors of one round while no note of the answer warns of it. Populations with a star are
            camps, or have a far group.
            """
        ),
        *markdown(head, lines),
    ]


def _worst(table: promises.Table, count: int = 12) -> list[str]:
    """Where the default does worst."""
    made = []
    for words, key in (("widest", "width"), ("least accurate", "error")):
        held = sorted((one.decides for one in table.looks), key=lambda row: -getattr(row, key))[:count]
        lines = [
            (
                place(row.cell),
                row.took,
                f"{figure(row.width)} ± {row.width_se:.1g}",
                f"{figure(row.error)} ± {row.error_se:.1g}",
                f"{row.coverage:.3f}",
                figure(row.printed, 2),
            )
            for row in held
        ]
        made += markdown((f"{words} cells", "took", "width", "error", "covers", "printed / realised"), lines)
    return made if table.looks else []


def _prototype(table: promises.Table) -> list[str]:
    lines = []
    for one in MEASURED:
        look = table.at(one.cell)
        if look is None:
            continue
        row, cells = look.base, []
        for width, width_se, error, error_se in (found for found in (one.split, one.table) if found is not None):
            cells.append(f"{width:g} ± {width_se:g}; {error:g} ± {error_se:g}")
        ours = f"{row.width:.3f} ± {row.width_se:.3f}; {row.error:.3f} ± {row.error_se:.3f}"
        missed = ", ".join(
            what for what, is_so in zip(("wider", "worse"), promises.reached(one, row), strict=True) if not is_so
        )
        lines.append((place(one.cell), ours, cells[0], cells[1] if len(cells) > 1 else "–", missed))
    head = ("width; error", "here", "prototype, users split", "prototype, one table", "")
    return (
        [
            "## Cells of the prototype",
            "",
            *paragraph(
                """
                What the research prototype reached (200 repetitions), in two designs of the last round. They
                were corrected afterwards, which makes intervals wider where users are in camps. Marked where
                this is wider or worse than both, by more than two standard errors.
                """
            ),
            *markdown(head, lines),
        ]
        if lines
        else []
    )


def _again(table: promises.Table) -> list[str]:
    lines = [
        (
            place(one.base.cell),
            f"{one.base.coverage:.3f}; {figure(one.base.error)}; {figure(one.base.printed, 2)}",
            f"{one.fresh.coverage:.4f}; {figure(one.fresh.error)}; {figure(one.fresh.printed, 2)}",
            f"{one.fresh.repetitions:,}",
        )
        for one in table.looks
        if one.fresh is not None and one.base.coverage < default.COVERS
    ]
    head = ("coverage; error; printed / realised", "at first", "fresh", "repetitions")
    return ["## Intervals that were looked at again", "", *markdown(head, lines)] if lines else []


def covers(figures: Figures, where: Where) -> str:
    """Mean and lowest coverage of `homogeneous`."""
    mean, lowest = figures.mean_and_lowest("homogeneous", "model", where)
    return "–" if math.isnan(mean) else f"{mean:.3f} / {lowest:.3f}"


def _alike_cells() -> list[tuple[str, Where]]:
    return [
        *((population.name, _in(population.name)) for population in GRID),
        *((f"n = {count:,}", _users(count)) for count in USERS),
        *((f"T = {count:,}", _observations(count)) for count in OBSERVATIONS),
        ("**all**", alike),
    ]


def _homogeneous(figures: Figures) -> list[str]:
    lines = []
    for name, cells in _alike_cells():
        where = both(alike, strong, cells)
        if ratio := figures.of("homogeneous", where):
            lines.append(
                (
                    name,
                    str(len(ratio)),
                    spread(figures.ratio("paper", "homogeneous", where)),
                    spread(figures.ratio(ONE_ROUND, "homogeneous", where)),
                    spread(figures.efficiency("homogeneous", both(where, _at_least(100)))),
                    spread(figures.efficiency("homogeneous", both(where, _observations(20)))),
                    covers(figures, where),
                )
            )
    head = ("", "cells", "paper / ours", "one round / ours", "efficiency, T ≥ 100", "efficiency, T = 20", "coverage")
    return [
        "## homogeneous: users alike, n·min(ε,ε²) ≥ 300",
        "",
        *paragraph(
            """
            `homogeneous` and `paper` assert that every user draws from one distribution. Their rows are run
            apart, by `.venv/bin/python -m benchmarks.accuracy --problem homogeneous`, since the methods do not
            change. Ratios are the other method's mean squared error over that of `homogeneous`: geometric mean
            (5 % cell, worst cell). Efficiency is the share of what ε-local privacy allows when users are alike.
            """
        ),
        *markdown(head, lines),
        *promised(verdicts(figures)),
    ]
