"""``docs/accuracy-problems.md`` from the committed result tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.accuracy.blocks import SEED
from benchmarks.accuracy.markdown import figure, markdown
from benchmarks.accuracy.problems.cells import DRAWN, EPSILONS, HELD_OUT_SEED
from benchmarks.accuracy.problems.figures import Figures
from benchmarks.accuracy.problems.large import CASES, Grown, exponents
from benchmarks.accuracy.problems.references import REFERENCES
from benchmarks.accuracy.problems.registry import BENCHMARKS
from benchmarks.accuracy.problems.schedule import DOUBT
from benchmarks.accuracy.problems.sections import cells, drawn, histogram, quantiles, vector
from benchmarks.accuracy.problems.table import Row
from benchmarks.accuracy.problems.verdicts import NAMED, over_reference, sizes, verdicts

PAGE = Path(__file__).parent.parent.parent.parent / "docs" / "accuracy-problems.md"
"""Where it is written."""


def page(rows: Sequence[Row], grown: Sequence[Grown]) -> str:
    """The whole page."""
    figures = Figures(rows)
    lines = [*_opening(figures), *_promises(figures, grown), *_references(figures), *histogram(figures)]
    lines += [*quantiles(figures), *vector(figures)]
    for name in (*NAMED, "cdf", "cover"):
        lines += cells(figures, BENCHMARKS[name])
    lines += [*drawn(figures), *_again(figures), *_size(grown)]
    return "\n".join([*lines, *_cost(figures)]).rstrip() + "\n"


def _opening(figures: Figures) -> list[str]:
    cells = {row.cell for row in figures.rows}
    return [
        "# How accurate histograms, quantiles and vectors are",
        "",
        "Made by `make bench-accuracy` from `benchmarks/accuracy/results_problems.csv` and `results_size.csv`, which",
        "hold every cell with its standard error. Not to be edited.",
        "",
        f"{len(cells)} cells of {len({cell.problem for cell in cells})} problems, ε "
        f"{', '.join(f'{e:g}' for e in EPSILONS)}. Seed {SEED}; {DRAWN} populations of every problem, on which nothing",
        f"was tuned, have all their parameters drawn by the seed {HELD_OUT_SEED}.",
        "",
        "Users are drawn from a pool with replacement, so that the truth is known exactly. 100 repetitions, 400 in",
        "cells of reference; up to 400 (200 with 20,000 users, 256 coordinates and more) where coverage after 100 is",
        f"less than {DOUBT:g} above what is promised, as the table's `repetitions` say. Cells that came out below are",
        "run again with 2,000 (400) fresh repetitions, if time is given; *looked at again* counts those that were.",
        "*Covers at least c* means: in no cell is it rejected at family level .05 over the cells by any of three exact",
        "one-sided binomial tests: of all intervals of an answer together, counted as so many independent ones; of the",
        "interval that held the truth least often; and of all at once, where that is promised.",
        "",
        "Ratios are the other method's mean squared error over ours: geometric mean (lowest – highest cell). Coverage:",
        "mean over cells / lowest cell, at 95 %; *all* is that of the simultaneous intervals, or of the band.",
        "Half-widths are over one round's.",
        "",
    ]


def _promises(figures: Figures, grown: Sequence[Grown]) -> list[str]:
    decided = [*verdicts(figures), *sizes(grown)]
    lines = [(str(one.item), one.words, one.aim, one.found, one.said) for one in decided]
    return ["## What was promised", "", *markdown(("item", "what", "aim", "found", ""), lines)]


def _references(figures: Figures) -> list[str]:
    lines = []
    for reference in REFERENCES:
        row = figures.at(reference.cell, BENCHMARKS[reference.cell.problem].ours)
        if row is not None:
            found = row.part_errors if len(reference.errors) > 1 else (row.mse,)
            over = ", ".join(f"{value:.2f} ± {se:.2f}" for value, se in over_reference(row, reference))
            lines.append(
                (
                    reference.cell.words,
                    ", ".join(f"{error:.3g}" for error in reference.errors),
                    ", ".join(f"{error:.3g}" for error in found),
                    over,
                    f"{reference.model:.3f} / {reference.guarded:.3f}",
                    f"{figure(row.model_each)} / {row.each:.3f}",
                )
            )
    head = ("cell", "error of reference", "ours", "ours over it", "coverage there, model / guarded", "ours")
    return ["## Cells of reference", "", *markdown(head, lines)] if lines else []


def _again(figures: Figures) -> list[str]:
    lines = []
    for found in figures.coverages():
        for row in dict.fromkeys((*found.looked_again, *found.rejected)):
            told = []
            for counts in (row.counts(found.claim.interval), row.counts_afresh(found.claim.interval)):
                joint = f", all {counts.all / counts.promised:.3f}" if counts.promised else ""
                lowest = f", least {counts.lowest / counts.repetitions:.3f}" if counts.repetitions else ""
                told.append(f"{counts.each:.3f}{lowest}{joint} of {counts.repetitions}" if counts.repetitions else "–")
            lines.append((found.claim.words, row.cell.words, *told, "rejected" if row in found.rejected else ""))
    head = ("claim", "cell", "at first", "fresh", "")
    return ["## Looked at again", "", *markdown(head, lines)] if lines else []


def _size(grown: Sequence[Grown]) -> list[str]:
    lines = [
        (
            *(one.case, one.method, f"{one.size:,}", f"{one.users:,}"),
            *(f"{one.wall:.1f}", f"{one.cpu:.1f}", f"{one.megabytes:.0f}", f"{one.error:.2g}"),
        )
        for one in grown
    ]
    slopes = [(case, what, f"{slope:.2f}") for case in CASES for what, slope in exponents(grown, case).items()]
    head = ("", "takes", "d or k", "n", "seconds", "CPU seconds", "MB beyond the data", "squared error")
    if not lines:
        return []
    return [
        "## Large ones, in process, users made in blocks, ε = 2",
        "",
        *markdown(head, lines),
        *markdown(("", "grows", "exponent"), slopes),
    ]


def _cost(figures: Figures) -> list[str]:
    """What the table took: CPU minutes by problem."""
    lines = []
    for name in BENCHMARKS:
        own = {(row.cell, row.ran): row for row in figures.rows if row.problem == name}
        spent = sum(row.seconds * (row.repetitions + row.fresh) for row in own.values()) / 60
        if own:
            runs = sum(row.repetitions + row.fresh for row in own.values())
            lines.append((name, str(len({cell for cell, _ in own})), f"{runs:,}", f"{spent:.1f}"))
    return ["## What it took", "", *markdown(("", "cells", "surveys", "CPU minutes"), lines)] if lines else []
