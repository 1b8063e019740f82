"""What was promised, held against the figures: passed or not, decided here and nowhere else."""

from __future__ import annotations

import math
from dataclasses import dataclass

from benchmarks.accuracy.cells import Cell
from benchmarks.accuracy.figures import Coverage, Figures, Summary, Where

SPECIAL = Cell("Rademacher", 5000, 1000, 1.0)


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """One promise. `passed` is None where nothing was run that could tell."""

    item: int
    words: str
    aim: str
    found: str
    passed: bool | None
    close: bool = False
    """Whether two standard errors would turn it."""

    def __post_init__(self) -> None:
        if self.passed is None:
            object.__setattr__(self, "found", "–")

    @property
    def said(self) -> str:
        if self.passed is None:
            return "not run"
        return ("PASS" if self.passed else "FAIL") + (", within two standard errors" if self.close else "")


def alike(cell: Cell) -> bool:
    return cell.of.kind == "alike"


def differing(cell: Cell) -> bool:
    """The benchmark's own and the drawn ones; the real data are shown apart."""
    return cell.of.kind == "differing" and cell.population != "InstEval"


def anywhere(cell: Cell) -> bool:
    return alike(cell) or differing(cell)


def both(*where: Where) -> Where:
    """Cells like each of these."""
    return lambda cell: all(one(cell) for one in where)


def strong(cell: Cell) -> bool:
    return cell.strong


def at_least(item: int, words: str, aim: float, found: Summary) -> Verdict:
    """A geometric mean over cells against what was promised."""
    return Verdict(
        item=item,
        words=words,
        aim=f"≥ {aim:g}",
        found=f"{found.mean:.3g} ± {found.se:.1g} ({found.cells} cells)",
        passed=found.mean >= aim if found.cells else None,
        close=abs(found.mean - aim) < 2 * found.se,
    )


def _covered(found: Coverage) -> Verdict:
    claim = found.claim
    return Verdict(
        item=claim.item,
        words=claim.words,
        aim=f"cover ≥ {claim.level:g}",
        found=f"{found.mean:.3f} on average, lowest {found.lowest:.3f}; rejected in {len(found.rejected)} of "
        f"{found.cells} cells, {len(found.looked_again)} looked at again",
        passed=found.passed,
    )


def verdicts(figures: Figures) -> list[Verdict]:
    """Items 1 to 4, in order."""
    held = both(alike, strong)
    ratio = figures.ratio("paper", "homogeneous", held)
    special = figures.efficiency("homogeneous", lambda cell: cell == SPECIAL)
    made = [
        at_least(1, "paper / homogeneous, users alike, n·min(ε,ε²) ≥ 300, geometric mean", 60, ratio),
        Verdict(
            item=1,
            words="the same in the worst cell",
            aim="≥ 4",
            found=f"{ratio.worst:.3g} at {place(ratio.worst_cell)}",
            passed=ratio.worst >= 4 if ratio.cells else None,
        ),
        at_least(
            1,
            "efficiency of homogeneous against the limit, T ≥ 100, geometric mean (a point has no limit)",
            0.5,
            figures.efficiency("homogeneous", both(held, lambda cell: cell.observations >= 100)),
        ),
        at_least(1, f"efficiency at {place(SPECIAL)}", 0.85, special),
    ]
    for words, where in (("all cells", anywhere), ("n·min(ε,ε²) ≥ 300", both(anywhere, strong))):
        made += [
            at_least(2, f"one round / adaptive, users alike, {words}", 15, _ratio(figures, "one-round", alike, where)),
            at_least(
                2, f"one round / adaptive, differing, {words}", 1.5, _ratio(figures, "one-round", differing, where)
            ),
            at_least(2, f"paper / adaptive, {words}", 10, _ratio(figures, "paper", anywhere, where)),
        ]
    below, cells = figures.below_half("adaptive", both(anywhere, lambda cell: not cell.of.grouped))
    widths = figures.widths("adaptive", anywhere)
    made += [
        Verdict(
            item=2,
            words="adaptive below half of the better of paper and one round, without clusters and far groups",
            aim="≤ 2 % of the cells",
            found=f"{below} of {cells} cells",
            passed=below <= 0.02 * cells if cells else None,
        ),
        Verdict(
            item=3,
            words="guarded half-width of adaptive over one round's, all cells, geometric mean",
            aim="≤ 1.8",
            found=f"{widths.mean:.3g}",
            passed=None if math.isnan(widths.mean) else widths.mean <= 1.8,
        ),
    ]
    return sorted(made + [_covered(found) for found in figures.coverages()], key=lambda verdict: verdict.item)


def _ratio(figures: Figures, other: str, kind: Where, where: Where) -> Summary:
    return figures.ratio(other, "adaptive", both(kind, where))


def place(cell: Cell | None) -> str:
    """A cell in words."""
    if cell is None:
        return "no cell"
    return f"{cell.population}, n = {cell.users:,}, T = {cell.observations:,}, ε = {cell.epsilon:g}"
