"""What was promised, held against the figures: passed or not, decided here and nowhere else."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.accuracy.cells import Cell
from benchmarks.accuracy.figures import Coverage, Figures, Summary, Where

SPECIAL = Cell("Rademacher", 5000, 1000, 1.0)
HOMOGENEOUS = 0
"""The item of what was promised of `homogeneous`; items from 1 on are the default's."""


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


def at_most(item: int, words: str, aim: float, found: Summary) -> Verdict:
    """A geometric mean over cells that is to be no larger than was promised."""
    return Verdict(
        item=item,
        words=words,
        aim=f"≤ {aim:g}",
        found=f"{found.mean:.3g} ± {found.se:.1g} ({found.cells} cells)",
        passed=found.mean <= aim if found.cells else None,
        close=abs(found.mean - aim) < 2 * found.se,
    )


def _covered(found: Coverage) -> Verdict:
    claim = found.claim
    return Verdict(
        item=HOMOGENEOUS,
        words=claim.words,
        aim=f"cover ≥ {claim.level:g}",
        found=f"{found.mean:.3f} on average, lowest {found.lowest:.3f}; rejected in {len(found.rejected)} of "
        f"{found.cells} cells, {len(found.looked_again)} looked at again",
        passed=found.passed,
    )


def verdicts(figures: Figures) -> list[Verdict]:
    """What was promised of `homogeneous`, where its model holds."""
    held = both(alike, strong)
    ratio = figures.ratio("paper", "homogeneous", held)
    special = figures.efficiency("homogeneous", lambda cell: cell == SPECIAL)
    return [
        at_least(HOMOGENEOUS, "paper / homogeneous, users alike, n·min(ε,ε²) ≥ 300, geometric mean", 60, ratio),
        Verdict(
            item=HOMOGENEOUS,
            words="the same in the worst cell",
            aim="≥ 4",
            found=f"{ratio.worst:.3g} at {place(ratio.worst_cell)}",
            passed=ratio.worst >= 4 if ratio.cells else None,
        ),
        at_least(
            HOMOGENEOUS,
            "efficiency of homogeneous against the limit, T ≥ 100, geometric mean (a point has no limit)",
            0.5,
            figures.efficiency("homogeneous", both(held, lambda cell: cell.observations >= 100)),
        ),
        at_least(HOMOGENEOUS, f"efficiency at {place(SPECIAL)}", 0.85, special),
        _covered(figures.coverage()),
    ]


def place(cell: Cell | None) -> str:
    """A cell in words."""
    if cell is None:
        return "no cell"
    return f"{cell.population}, n = {cell.users:,}, T = {cell.observations:,}, ε = {cell.epsilon:g}"
