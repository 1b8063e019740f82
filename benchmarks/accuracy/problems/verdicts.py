"""What was promised of the problems, held against the figures: decided here and nowhere else."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from benchmarks.accuracy.problems import density, histogram, mixture, quantiles, sparse
from benchmarks.accuracy.problems.cells import Benchmark, Cell, Kind
from benchmarks.accuracy.problems.figures import Figures, Held, Ratio, Where, summary
from benchmarks.accuracy.problems.large import CASES, LIMIT, Grown, exponents, shapes
from benchmarks.accuracy.problems.references import ABOVE, BELOW, RATIOS, REFERENCES, SHARE, Reference
from benchmarks.accuracy.problems.registry import BENCHMARKS
from benchmarks.accuracy.problems.table import Row
from benchmarks.accuracy.verdicts import Verdict, at_least

ONE_ITEM = histogram.HISTOGRAM.others
"""One random item of everybody's: by subset selection, which is one round, and in other encodings."""
LEAST = {sparse.NAME: 2.0, density.NAME: 4.0, mixture.NAME: 5.0}
"""Errors of `paper` over ours, at least, in the cells that were named."""
NAMED = {sparse.NAME: sparse.NAMED, density.NAME: density.NAMED, mixture.NAME: mixture.NAMED}
MEDIANS = (mixture.NAME,)
WIDEST = 2.7
"""Guarded half-widths of a histogram over one round's, at most."""
WORST_DIFFERING, WORST_HELD_OUT = 0.7, 0.5


def verdicts(figures: Figures) -> list[Verdict]:
    """Items 1 to 5, in order."""
    made = [
        *_references(figures),
        *_histogram(figures),
        *_quantiles(figures),
        *_vector(figures),
        *(_named(figures, problem) for problem in LEAST),
        *_widths(figures),
        *(_covered(found) for found in figures.coverages()),
        *(_held_out(figures, made) for made in BENCHMARKS.values()),
    ]
    return sorted(made, key=lambda verdict: verdict.item)


def _of(*kinds: Kind) -> Where:
    """Cells of such populations, drawn ones apart."""
    return lambda cell: cell.of.kind in kinds and not cell.of.held_out


def over_reference(row: Row, reference: Reference) -> list[tuple[float, float]]:
    """Errors over those of reference, part by part, and their standard errors."""
    several = len(reference.errors) > 1
    parts = row.part_errors if several else (row.mse,)
    apart = math.sqrt(2 / row.repetitions) if several else row.se / row.mse  # a part is about a squared normal number
    return [(own / aim, own / aim * apart) for own, aim in zip(parts, reference.errors, strict=True)]


def _references(figures: Figures) -> Iterator[Verdict]:
    for reference in REFERENCES:
        row = figures.at(reference.cell, BENCHMARKS[reference.cell.problem].ours)
        words = f"error over that of reference: {reference.cell.words}"
        short = f"coverage against that of reference: {reference.cell.words}"
        aims = f"model ≥ {reference.model - BELOW:.3f}, guarded ≥ {reference.guarded - BELOW:.3f}"
        if row is None:
            yield Verdict(item=1, words=words, aim=f"≤ {ABOVE:g}", found="", passed=None)
            yield Verdict(item=1, words=short, aim=aims, found="", passed=None)
            continue
        found = over_reference(row, reference)
        yield Verdict(
            item=1,
            words=words,
            aim=f"≤ {ABOVE:g}",
            found=", ".join(f"{value:.3g} ± {se:.1g}" for value, se in found),
            passed=all(value <= ABOVE for value, _ in found),
            close=any(abs(value - ABOVE) < 2 * se for value, se in found),
        )
        yield Verdict(
            item=1,
            words=short,
            aim=aims,
            found=f"{row.model_each:.3f}, {row.each:.3f}",
            passed=row.model_each >= reference.model - BELOW and row.each >= reference.guarded - BELOW,
        )


def _histogram(figures: Figures) -> Iterator[Verdict]:
    made = histogram.HISTOGRAM
    for method in (made.ours, "auto"):
        for epsilon, aim in ((1.0, 4.0), (2.0, 6.0), (4.0, 6.0)):
            found = figures.ratios(made.name, ONE_ITEM, method, _many_alike(epsilon))
            words = f"histogram: best one-item baseline / {method}, users alike, T = 200, ε = {epsilon:g}"
            yield at_least(2, words, aim, summary(found))
        found = figures.ratios(made.name, ONE_ITEM, method, _of("differing", "camps"))
        yield _never(2, f"histogram: best one-item baseline / {method}, users who differ", WORST_DIFFERING, found)


def _many_alike(epsilon: float) -> Where:
    users = (histogram.FEW, histogram.MANY)
    return lambda cell: (
        cell.population == "alike" and cell.observations == 200 and cell.epsilon == epsilon and cell.users in users
    )


def _never(item: int, words: str, aim: float, found: Sequence[Ratio]) -> Verdict:
    """No cell falls below by more than two standard errors; the lowest are named."""
    low = [one for one in found if one.surely_below(aim)]
    lowest = min(found, key=lambda one: one.value, default=None)
    said = "" if lowest is None else f"lowest {lowest.value:.2g} ± {lowest.se:.1g} at {lowest.cell.words}"
    return Verdict(
        item=item,
        words=f"{words}, in every cell",
        aim=f"≥ {aim:g}, by no more than two standard errors",
        found=f"below in {len(low)} of {len(found)} cells; {said}",
        passed=not low if found else None,
    )


def _quantiles(figures: Figures) -> Iterator[Verdict]:
    made = quantiles.QUANTILES
    groups: tuple[tuple[str, float, Iterable[str]], ...] = (
        ("users alike", 4.0, ("Beta",)),
        ("with atoms", 3.0, quantiles.ATOMS),
        ("users who differ", 1.0, ("differ", "constant")),
    )
    for words, aim, names in groups:
        for method in (made.ours, "auto"):
            found = figures.ratios(
                made.name, quantiles.FLAT, method, lambda cell, names=names: cell.population in names
            )  # type: ignore[misc]
            yield at_least(2, f"quantiles: flat one-item / {method}, {words}", aim, summary(found))


def _vector(figures: Figures) -> Iterator[Verdict]:
    for other in ("paper", "one-round"):
        found = []
        for (cell, name), aim in RATIOS.items():
            if name == other:
                found += [(one, SHARE * aim) for one in figures.ratios("vector", [other], "auto", _is(cell))]
        low = [(one, aim) for one, aim in found if one.value < aim]
        worst = min(found, key=lambda pair: pair[0].value / pair[1], default=None)
        said = ""
        if worst is not None:
            one, aim = worst
            said = f"; lowest {one.value:.3g} ± {one.se:.1g} against {aim:.3g} at {one.cell.words}"
        yield Verdict(
            item=3,
            words=f"vector: {other} / the default, against the table of reference, ε = 2 and 4",
            aim=f"≥ {SHARE:g} of it in every cell",
            found=f"below in {len(low)} of {len(found)} cells{said}",
            passed=not low if found else None,
            close=any(abs(one.value - aim) < 2 * one.se for one, aim in found),
        )


def _is(cell: Cell) -> Where:
    return lambda other: other == cell


def _named(figures: Figures, problem: str) -> Verdict:
    """In every one of the cells that were named."""
    cells, aim, median = NAMED[problem], LEAST[problem], problem in MEDIANS
    found = figures.ratios(problem, ["paper"], "auto", lambda cell: cell in cells, median=median)
    told = ", ".join(f"{one.value:.3g} ± {one.se:.1g}" for one in found)
    return Verdict(
        item=3,
        words=f"{problem}: paper / the default{', medians' if median else ''}, in {len(cells)} named cells",
        aim=f"≥ {aim:g} in each",
        found=told,
        passed=all(one.value >= aim for one in found) if found else None,
        close=any(abs(one.value - aim) < 2 * one.se for one in found),
    )


def _widths(figures: Figures) -> Iterator[Verdict]:
    made = histogram.HISTOGRAM
    found = figures.widths(made.name, made.ours, lambda cell: not cell.of.held_out)
    rows = figures.of(made.name, made.ours, lambda cell: not cell.of.held_out)
    ratios = [
        (row.halfwidth / theirs.halfwidth, row.cell)
        for row in rows
        if (theirs := figures.at(row.cell, "one-round")) is not None and theirs.halfwidth > 0
    ]
    most = max(ratios, key=lambda pair: pair[0], default=None)
    yield Verdict(
        item=4,
        words="histogram: guarded half-width over one round's, geometric mean",
        aim=f"≤ {WIDEST:g}",
        found=f"{found.mean:.3g} ({found.cells} cells)",
        passed=found.mean <= WIDEST if found.cells else None,
    )
    yield Verdict(
        item=4,
        words="histogram: the same in the widest cell",
        aim=f"≤ {WIDEST:g}",
        found="" if most is None else f"{most[0]:.3g} at {most[1].words}",
        passed=None if most is None else most[0] <= WIDEST,
    )


def _covered(found: Held) -> Verdict:
    claim = found.claim
    said = ""
    if found.rows:
        mean, lowest, together = found.figures()
        joint = "" if math.isnan(together) else f"; all at once in the lowest {together:.3f}"
        said = (
            f"{mean:.3f} on average, lowest cell {lowest:.3f}{joint}; rejected in {len(found.rejected)} of "
            f"{len(found.rows)} cells, {len(found.looked_again)} looked at again"
        )
    return Verdict(item=claim.item, words=claim.words, aim=f"cover ≥ {claim.level:g}", found=said, passed=found.passed)


def compared_with(made: Benchmark) -> str | None:
    """What a default must not be much worse than: its own one round, else the paper's method."""
    return next((name for name in ("one-round", "paper") if name in made.others), None)


def _held_out(figures: Figures, made: Benchmark) -> Verdict:
    other = compared_with(made)
    found = (
        figures.ratios(made.name, [other], "auto", lambda cell: cell.of.held_out and not cell.of.grouped)
        if other is not None
        else []
    )
    low = [one for one in found if one.value < WORST_HELD_OUT]
    lowest = min(found, key=lambda one: one.value, default=None)
    said = "" if lowest is None else f"; lowest {lowest.value:.2g} ± {lowest.se:.1g} at {lowest.cell.words}"
    return Verdict(
        item=5,
        words=f"{made.name}: {other or 'no other'} / the default on populations it was not tuned on, no groups",
        aim=f"≥ {WORST_HELD_OUT:g} in every cell",
        found=f"below in {len(low)} of {len(found)} cells{said}",
        passed=not low if found else None,
        close=any(abs(one.value - WORST_HELD_OUT) < 2 * one.se for one in found),
    )


def sizes(grown: Sequence[Grown]) -> list[Verdict]:
    """Item 7: memory of the largest, with the exponents by which time and memory grow."""
    made = []
    for case in CASES:
        size, users = shapes(case)[0]
        own = next((one for one in grown if (one.case, one.size, one.users) == (case, size, users)), None)
        told = ", ".join(f"{what} {slope:.2f}" for what, slope in exponents(grown, case).items())
        made.append(
            Verdict(
                item=7,
                words=f"{case}: size {size:,}, {users:,} users",
                aim=f"under {LIMIT:,} MB beyond the data",
                found="" if own is None else f"{own.megabytes:.0f} MB, {own.wall:.0f} s; exponents: {told}",
                passed=None if own is None else own.megabytes < LIMIT,
            )
        )
    return made
