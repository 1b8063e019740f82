"""The tables of the report, a problem each."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.accuracy.figures import Summary
from benchmarks.accuracy.markdown import figure, markdown
from benchmarks.accuracy.problems import histogram as histograms
from benchmarks.accuracy.problems.cells import EPSILONS, Benchmark, Cell
from benchmarks.accuracy.problems.figures import Figures, Where, summary
from benchmarks.accuracy.problems.references import RATIOS
from benchmarks.accuracy.problems.registry import BENCHMARKS
from benchmarks.accuracy.problems.table import Row
from benchmarks.accuracy.problems.verdicts import MEDIANS, NAMED, ONE_ITEM, compared_with


def spread(found: Summary, highest: float) -> str:
    """Geometric mean, lowest and highest cell."""
    if not found.cells:
        return "–"
    return f"{figure(found.mean)} ({figure(found.worst, 2)} – {figure(highest, 2)})"


def _ratio(figures: Figures, problem: str, others: Sequence[str], method: str, where: Where) -> str:
    found = figures.ratios(problem, others, method, where)
    return spread(summary(found), max((one.value for one in found if not math.isnan(one.value)), default=math.nan))


def _covers(rows: Sequence[Row], interval: str) -> tuple[str, str]:
    """Of each and of all, mean and lowest."""
    counts = [row.counts(interval) for row in rows]
    each = [one.each for one in counts if one.repetitions]
    together = [one.all / one.promised for one in counts if one.promised]
    return tuple(  # type: ignore[return-value]
        f"{np.mean(found):.3f} / {min(found):.3f}" if found else "–" for found in (each, together)
    )


def _table(figures: Figures, made: Benchmark, others: Sequence[Sequence[str]], groups: dict[str, Where]) -> list[str]:
    """Ours, a line for each group of cells."""
    lines = []
    for name, where in groups.items():
        held = figures.of(made.name, made.ours, where)
        if not held:
            continue
        ratios = [_ratio(figures, made.name, other, made.ours, where) for other in others]
        guarded, together = _covers(held, "guarded")
        model, _ = _covers(held, "model")
        widths = [figures.widths(made.name, made.ours, where, model=one).mean for one in (True, False)]
        lines.append((name, str(len(held)), *ratios, model, guarded, together, *(figure(width, 2) for width in widths)))
    heads = [f"{other[0] if len(other) == 1 else 'best one item'} / ours" for other in others]
    tail = ("model", "guarded", "guarded, all", "model width", "guarded width")
    return markdown(("", "cells", *heads, *tail), lines)


def _shown(test: Callable[[Cell], bool]) -> Where:
    return lambda cell: not cell.of.held_out and test(cell)


def histogram(figures: Figures) -> list[str]:
    made = BENCHMARKS["histogram"]
    names = [name for name, population in made.populations.items() if not population.held_out]
    groups: dict[str, Where] = {}
    for name in names:
        for size in histograms.SIZES:
            groups[f"{name}, k = {size}"] = _shown(lambda cell, n=name, k=size: (cell.population, cell.size) == (n, k))  # type: ignore[misc]
    for epsilon in EPSILONS:
        groups[f"**alike, T = 200, ε = {epsilon:g}**"] = _shown(
            lambda cell, e=epsilon: (cell.population, cell.observations, cell.epsilon) == ("alike", 200, e)  # type: ignore[misc]
        )
    return ["## Histogram: adaptive", "", *_table(figures, made, (ONE_ITEM, ("one-round",)), groups)]


def quantiles(figures: Figures) -> list[str]:
    made = BENCHMARKS["quantiles"]
    groups = {
        name: _shown(lambda cell, n=name: cell.population == n)  # type: ignore[misc]
        for name, population in made.populations.items()
        if not population.held_out
    }
    lines = [
        (
            name,
            *(
                " / ".join(f"{math.sqrt(part):.4f}" for part in row.part_errors) if row is not None else "–"
                for row in (figures.at(cell, method) for method in (made.ours, *made.others))
            ),
        )
        for name in groups
        for cell in [Cell(made.name, name, 0, 5000, 100, 2.0)]
        if figures.at(cell, made.ours) is not None
    ]
    head = ("RMSE at .1 / .5 / .9, n = 5,000, T = 100, ε = 2", made.ours, *made.others)
    return [
        "## Quantiles: adaptive",
        "",
        "Errors of the three quantiles are added up. On a lattice most answers are exact, so that a ratio says little.",
        "",
        *_table(figures, made, [(other,) for other in made.others], groups),
        *markdown(head, lines),
    ]


def vector(figures: Figures) -> list[str]:
    made = BENCHMARKS["vector"]
    lines = []
    for cell in made.cells:
        row = figures.at(cell, "auto")
        if row is None or cell.of.held_out:
            continue
        told = []
        for other in ("paper", "one-round"):
            found = figures.ratios(made.name, [other], "auto", lambda one, cell=cell: one == cell)  # type: ignore[misc]
            aim = RATIOS.get((cell, other))
            beside = "" if aim is None else f" ({aim:g})"
            told.append(f"{figure(found[0].value)} ± {found[0].se:.1g}{beside}" if found else "–")
        together = f"{row.all / row.promised:.3f}" if row.promised else "–"
        coverage = (figure(row.model_each), f"{row.each:.3f}", together)
        width = figures.widths(made.name, "auto", lambda one, cell=cell: one == cell).mean  # type: ignore[misc]
        lines.append((cell.place, row.ran, f"{row.mse:.3g} ± {row.se:.1g}", *told, *coverage, figure(width, 2)))
    head = ("", "takes", "error", "paper / ours", "one round / ours", "model", "guarded", "all", "width")
    return [
        "## Vector: the default",
        "",
        "In brackets: the ratio of the table of reference.",
        "",
        *markdown(head, lines),
    ]


def cells(figures: Figures, made: Benchmark) -> list[str]:
    """Every cell of a problem, the default beside what it is compared with."""
    named, median, whole = NAMED.get(made.name, ()), made.name in MEDIANS, made.name == "density"
    lines = []
    for cell in made.cells:
        row = figures.at(cell, "auto")
        if row is None or cell.of.held_out:
            continue
        ratios = [
            figures.ratios(made.name, [other], "auto", lambda one, cell=cell: one == cell, median=median)  # type: ignore[misc]
            for other in made.others
        ]
        told = [f"{figure(found[0].value)} ± {found[0].se:.1g}" if found else "–" for found in ratios]
        words = f"**{cell.place}**" if cell in named else cell.place
        together = f"{row.all / row.promised:.3f}" if row.promised else "–"
        itself = [f"{row.whole_all / row.whole_promised:.3f}" if row.whole_promised else "–"] if whole else []
        lines.append(
            (
                words,
                row.ran,
                f"{row.mse:.3g} ± {row.se:.1g}",
                f"{row.median:.3g}",
                *told,
                *(figure(row.model_each), f"{row.each:.3f}", together, *itself, figure(row.halfwidth, 2)),
            )
        )
    heads = [f"{other} / ours{', medians' if median else ''}" for other in made.others]
    beside = ("the density itself, all",) if whole else ()
    head = ("", "takes", "error", "median", *heads, "model", "headline", "all", *beside, "half-width")
    bold = ["In bold: the cells that were named beforehand.", ""] if named else []
    return [f"## {made.name.capitalize()}: the default", "", *bold, *markdown(head, lines)] if lines else []


def drawn(figures: Figures) -> list[str]:
    lines = []
    for made in BENCHMARKS.values():
        other = compared_with(made)
        for row in figures.of(made.name, "auto", lambda cell: cell.of.held_out):
            found = figures.ratios(made.name, [other] if other else [], "auto", lambda cell, own=row.cell: cell == own)  # type: ignore[misc]
            together = f"{row.all / row.promised:.3f}" if row.promised else "–"
            told = f"{figure(found[0].value)} ± {found[0].se:.1g}" if found else "–"
            lines.append((row.cell.words, row.cell.of.kind, row.ran, told, f"{row.each:.3f}", together))
    head = ("", "users", "takes", "one round (else paper) / ours", "headline", "all")
    return ["## Populations that nothing was tuned on: the default", "", *markdown(head, lines)] if lines else []
