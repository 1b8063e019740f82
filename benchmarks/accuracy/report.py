"""``docs/accuracy.md`` from the committed result table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.accuracy.blocks import SEED
from benchmarks.accuracy.cells import EPSILONS, OBSERVATIONS, USERS, compared
from benchmarks.accuracy.figures import BOUND, Figures, Summary, Where, bound_at
from benchmarks.accuracy.populations import GRID, HELD_OUT_SEED
from benchmarks.accuracy.table import Row
from benchmarks.accuracy.verdicts import alike, anywhere, both, differing, place, strong, verdicts

PAGE = Path(__file__).parent.parent.parent / "docs" / "accuracy.md"
CAUTIONS = {"high": "adaptive, high caution", "medium": "adaptive", "low": "adaptive, low caution"}


def page(rows: Sequence[Row]) -> str:
    """The whole page."""
    figures = Figures(rows)
    sections = (_opening, _promises, _homogeneous, _adaptive, _cautions, _groups, _default, _again)
    return "\n".join(line for section in sections for line in section(figures)).rstrip() + "\n"


def markdown(head: Sequence[str], lines: Iterable[Sequence[str]]) -> list[str]:
    """A table."""
    return [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *(f"| {' | '.join(line)} |" for line in lines), ""]


def figure(value: float, digits: int = 3) -> str:
    """A number in a table; a dash where there is none."""
    if math.isnan(value):
        return "–"
    return f"{value:.0f}" if value >= 10**digits else f"{value:.{digits}g}"


def spread(found: Summary) -> str:
    """Geometric mean, 5 % cell, worst."""
    if not found.cells:
        return "–"
    return f"{figure(found.mean)} ({figure(found.low, 2)}, {figure(found.worst, 2)})"


def covers(figures: Figures, method: str, interval: str, where: Where) -> str:
    """Mean and lowest coverage."""
    mean, lowest = figures.mean_and_lowest(method, interval, where)
    return "–" if math.isnan(mean) else f"{mean:.3f} / {lowest:.3f}"


def _in(name: str) -> Where:
    return lambda cell: cell.population == name


def _users(count: int) -> Where:
    return lambda cell: cell.users == count


def _observations(count: int) -> Where:
    return lambda cell: cell.observations == count


def _at_least(count: int) -> Where:
    return lambda cell: cell.observations >= count


def _everywhere() -> list[tuple[str, Where]]:
    """Names of groups of cells, and the cells: the rows of most tables."""
    return [
        *((population.name, _in(population.name)) for population in GRID),
        *((f"n = {count:,}", _users(count)) for count in USERS),
        *((f"T = {count:,}", _observations(count)) for count in OBSERVATIONS),
        ("**alike**", alike),
        ("**differing**", differing),
        ("**differing, no groups**", lambda cell: differing(cell) and not cell.of.grouped),
        ("**drawn after tuning**", lambda cell: cell.of.held_out),
    ]


def _opening(figures: Figures) -> list[str]:
    cells = {row.cell for row in figures.rows}
    return [
        "# How accurate the mean is",
        "",
        "Made by `make bench-accuracy` from `benchmarks/accuracy/results.csv`, which holds every cell with its",
        "standard error. Not to be edited.",
        "",
        f"{len(figures.populations)} populations on [−1, 1], n {', '.join(f'{n:,}' for n in USERS)}, "
        f"T {', '.join(f'{t:,}' for t in OBSERVATIONS)}, ε {', '.join(f'{e:g}' for e in EPSILONS)},",
        f"and InstEval at its own size: {len(cells)} cells. Seed {SEED}, of the drawn populations {HELD_OUT_SEED}.",
        "100 repetitions for the error (30 for high and low caution, T = 100), 400 where coverage at 100 is below .98",
        "and in 60 fixed cells (one of each population and number of users, T and ε in turn). *Covers at least c*",
        "means: in no cell is it rejected by an exact one-sided binomial test at family level .05 over the cells.",
        "Cells that came out below c were run again with 2,000 fresh repetitions; they are listed at the end and",
        "tested again at the same level.",
        "",
        "Ratios are the other method's mean squared error over ours: geometric mean (5 % cell, worst cell). Coverage:",
        "mean / lowest cell, at 95 %. Half-widths are over one round's. Efficiency is the share of what ε-local",
        "privacy allows when users are alike; a point has no limit and is left out of it.",
        "",
    ]


def _promises(figures: Figures) -> list[str]:
    lines = [(str(one.item), one.words, one.aim, one.found, one.said) for one in verdicts(figures)]
    return ["## What was promised", "", *markdown(("item", "what", "aim", "found", ""), lines)]


def _homogeneous(figures: Figures) -> list[str]:
    lines = []
    for name, cells in _everywhere():
        where = both(alike, strong, cells)
        if ratio := figures.of("homogeneous", where):
            lines.append(
                (
                    name,
                    str(len(ratio)),
                    spread(figures.ratio("paper", "homogeneous", where)),
                    spread(figures.ratio("one-round", "homogeneous", where)),
                    spread(figures.efficiency("homogeneous", both(where, _at_least(100)))),
                    spread(figures.efficiency("homogeneous", both(where, _observations(20)))),
                    covers(figures, "homogeneous", "model", where),
                )
            )
    head = ("", "cells", "paper / ours", "one round / ours", "efficiency, T ≥ 100", "efficiency, T = 20", "coverage")
    return ["## homogeneous: users alike, n·min(ε,ε²) ≥ 300", "", *markdown(head, lines)]


def _adaptive(figures: Figures) -> list[str]:
    made = []
    for words, held in (("all cells", anywhere), ("n·min(ε,ε²) ≥ 300", both(anywhere, strong))):
        lines = []
        for name, cells in _everywhere():
            where = both(held, cells)
            below, count = figures.below_half("adaptive", where)
            if count:
                lines.append(
                    (
                        name,
                        spread(figures.ratio("one-round", "adaptive", where)),
                        spread(figures.ratio("paper", "adaptive", where)),
                        f"{below} of {count}",
                        covers(figures, "adaptive", "model", where),
                        covers(figures, "adaptive", "headline", where),
                        figure(figures.widths("adaptive", where, model=True).mean),
                        figure(figures.widths("adaptive", where).mean),
                    )
                )
        head = (
            "",
            "one round / ours",
            "paper / ours",
            "below half",
            "model",
            "guarded",
            "model width",
            "guarded width",
        )
        made += [f"## adaptive, medium caution: {words}", "", *markdown(head, lines)]
    note = "*Below half*: cells with an error above twice the lower of paper's and one round's."
    return [*made, note, "", *_worst(figures)]


def _worst(figures: Figures, count: int = 12) -> list[str]:
    """Where adaptive does worst against the better of the other two."""
    held = figures.of("adaptive", both(anywhere, lambda cell: not cell.of.grouped))
    held = sorted(held, key=lambda row: min(row.over_one_round, row.over_paper))[:count]
    lines = [
        (
            place(row.cell),
            figure(row.over_one_round),
            figure(row.over_paper),
            f"{row.mse:.2e} ± {row.se:.0e}",
            f"{row.median:.1e}",
        )
        for row in held
    ]
    head = ("worst cells without clusters and far groups", "one round / ours", "paper / ours", "error", "median")
    return markdown(head, lines) if lines else []


def _cautions(figures: Figures) -> list[str]:
    lines = []
    for name, cells in _everywhere():
        where = both(anywhere, strong, cells, compared)
        if figures.of("adaptive", where):
            ratios = [spread(figures.ratio("one-round", method, where)) for method in CAUTIONS.values()]
            guarded = [covers(figures, method, "headline", where) for method in CAUTIONS.values()]
            lines.append((name, *ratios, *guarded))
    head = ("one round / ours", *CAUTIONS, *(f"{caution}: guarded" for caution in CAUTIONS))
    return ["## Three cautions side by side: T = 100, n·min(ε,ε²) ≥ 300", "", *markdown(head, lines)]


def _groups(figures: Figures) -> list[str]:
    """Clusters and far groups, next to what any method must pay."""
    lines = []
    grouped = [population.name for population in GRID if population.grouped]
    for name in grouped:
        for count in USERS:
            where = both(_in(name), _users(count), strong, compared)
            if figures.of("adaptive", where):
                ratios = [spread(figures.ratio("one-round", method, where)) for method in CAUTIONS.values()]
                lines.append((name, f"{count:,}", *ratios, covers(figures, "adaptive", "headline", where)))
    paid = []
    for caution, method in CAUTIONS.items():
        gain = figures.ratio("one-round", method, both(alike, strong, compared))
        if gain.cells:
            worst = figures.ratio("one-round", method, both(anywhere, strong, compared, lambda cell: cell.of.grouped))
            paid.append(
                (
                    caution,
                    figure(gain.mean),
                    figure(bound_at(gain.mean), 2),
                    figure(worst.mean),
                    figure(worst.worst, 2),
                    place(worst.worst_cell),
                )
            )
    return [
        "## Clusters and far groups, and what adapting must cost: T = 100",
        "",
        *markdown(("one round / ours", "n", *CAUTIONS, "medium: guarded"), lines),
        "What no method can escape: the more it gains over one round when users concentrate, the more it loses when a",
        "group sits at the detection limit.",
        "",
        *markdown(
            ("gain when concentrated, at most", *(f"{gain:g}" for gain in BOUND)),
            [("worst one round / ours, at most", *(f"{loss:g}" for loss in BOUND.values()))],
        ),
        *markdown(
            ("caution", "gain, users alike", "worst there, at best", "groups, mean", "groups, worst", "where"), paid
        ),
    ]


def _default(figures: Figures) -> list[str]:
    lines = []
    for name, cells in [*_everywhere(), ("InstEval", _in("InstEval"))]:
        held = figures.of("auto", cells)
        if held:
            chosen = {ran: sum(row.ran == ran for row in held) for ran in dict.fromkeys(row.ran for row in held)}
            lines.append(
                (
                    name,
                    ", ".join(f"{ran} {count}" for ran, count in sorted(chosen.items())),
                    spread(figures.ratio("one-round", "auto", cells)),
                    covers(figures, "auto", "headline", cells),
                    figure(figures.widths("auto", cells).mean),
                )
            )
    return ["## The default", "", *markdown(("", "takes", "one round / ours", "coverage", "width"), lines)]


def _again(figures: Figures) -> list[str]:
    lines = []
    for found in figures.coverages():
        claim = found.claim
        for row in found.looked_again:
            (first, count), (again, fresh) = row.covered(claim.interval), row.covered_afresh(claim.interval)
            outcome = "rejected" if row in found.rejected else ""
            lines.append((claim.words, place(row.cell), f"{first:.3f} of {count}", f"{again:.4f} of {fresh}", outcome))
    head = ("claim", "cell", "at first", "fresh", "")
    return ["## Looked at again", "", *markdown(head, lines)] if lines else []
