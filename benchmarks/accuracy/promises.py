"""What was promised of the default's interval, value and printed error, held against the table of the default.

A figure that is noisy in one cell is looked at again: where a cell was run afresh, what is decided by is the fresh run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.accuracy.cells import MEASURED, Cell, Measured
from benchmarks.accuracy.default import (
    COVERS,
    DEFAULT,
    LEAST_PRINTED,
    MODEL_COVERS,
    MOST_ERROR,
    MOST_SILENT,
    NOW,
    Row,
)
from benchmarks.accuracy.figures import FAMILY_LEVEL, Summary, Where, chance
from benchmarks.accuracy.populations import GRID, Kind
from benchmarks.accuracy.verdicts import Verdict, at_most, place

KINDS: dict[Kind, str] = {"alike": "users alike", "differing": "users differing", "groups": "camps and far groups"}
WIDTHS: dict[Kind, float] = {"alike": 0.85, "differing": 0.97, "groups": 1.10}
"""Half-width over that of today's one round, at most on geometric average over strong cells."""
WIDE, WIDEST, WIDE_SHARE = 1.15, 1.3, 0.03
ERRORS: dict[Kind, float] = {"alike": 0.2, "differing": 0.55}
LARGEST_COVERAGE = 0.985
PRINTED, PRINTED_SHARE = (0.6, 1.6), 0.9


@dataclass(frozen=True, kw_only=True)
class Looks:
    """A cell: its first look, and the one that decides."""

    base: Row
    fresh: Row | None

    @property
    def decides(self) -> Row:
        return self.base if self.fresh is None else self.fresh


class Table:
    """The table of the default, by cell."""

    def __init__(self, rows: Iterable[Row], method: str = DEFAULT) -> None:
        own = [row for row in rows if row.method == method]
        fresh = {row.cell: row for row in own if row.stage == "fresh"}
        self.looks = [Looks(base=row, fresh=fresh.get(row.cell)) for row in own if row.stage == "base"]
        self._at = {one.base.cell: one for one in self.looks}

    def at(self, cell: Cell) -> Looks | None:
        """The looks at one cell."""
        return self._at.get(cell)

    def of(self, where: Where) -> list[Looks]:
        """Cells like these."""
        return [one for one in self.looks if where(one.base.cell)]

    def widths(self, where: Where) -> Summary:
        """Half-widths over one round's."""
        return summary_of(self.of(where), lambda row: (row.width, row.width_se))

    def errors(self, where: Where) -> Summary:
        """Mean squared errors over one round's."""
        return summary_of(self.of(where), lambda row: (row.error, row.error_se))


def summary_of(looks: Sequence[Looks], figure: Callable[[Row], tuple[float, float]]) -> Summary:
    """A ratio over cells, in the first look, in which every cell counts alike."""
    found = [(one.base.cell, *figure(one.base)) for one in looks]
    return Summary.of((cell, ratio, error / ratio) for cell, ratio, error in found if ratio > 0)


def of_kind(kind: str, *, strong: bool = False) -> Where:
    """Made-up users of a kind, in cells where something can be localised or in all."""
    return lambda cell: cell.of.kind == kind and regular(cell) and (cell.strong or not strong)


def regular(cell: Cell) -> bool:
    """Not real data, and no population that is run in one cell only: those are shown apart."""
    return not cell.of.alone


def verdicts(rows: Sequence[Row]) -> list[Verdict]:
    """Items 1 to 4, in order."""
    table = Table(rows)
    return [
        *_widths(table),
        *_measured(table),
        *_coverage(table, DEFAULT),
        *_coverage(Table(rows, NOW), NOW),
        *_errors(table),
        *_printed(table),
        _model(table),
    ]


def _worst(found: Sequence[Looks], figure: Callable[[Row], float]) -> Row:
    return max((one.decides for one in found), key=lambda row: (not math.isnan(figure(row)), figure(row)))


def _widths(table: Table) -> list[Verdict]:
    made = [
        at_most(
            1,
            f"half-width over that of one round, {words}, n·min(ε,ε²) ≥ 300, geometric mean",
            WIDTHS[kind],
            table.widths(of_kind(kind, strong=True)),
        )
        for kind, words in KINDS.items()
    ]
    held = table.looks
    if not held:
        return made
    wide = [one for one in held if one.decides.width > WIDE]
    widest = _worst(held, lambda row: row.width)
    return [
        *made,
        Verdict(
            item=1,
            words=f"the same above {WIDE:g}, all cells",
            aim=f"at most {WIDE_SHARE:.0%} of the cells",
            found=f"{len(wide)} of {len(held)} cells",
            passed=len(wide) <= WIDE_SHARE * len(held),
        ),
        Verdict(
            item=1,
            words="the same in the worst cell",
            aim=f"≤ {WIDEST:g}",
            found=f"{widest.width:.3g} ± {widest.width_se:.1g} at {place(widest.cell)}",
            passed=widest.width <= WIDEST,
            close=abs(widest.width - WIDEST) < 2 * widest.width_se,
        ),
    ]


def reached(one: Measured, row: Row) -> tuple[bool, bool]:
    """Width and error are those of one of two prototypes, or better, up to two standard errors of the difference."""
    prototypes = [found for found in (one.split, one.table) if found is not None]
    return (
        any(row.width - width <= 2 * math.hypot(row.width_se, se) for width, se, _, _ in prototypes),
        any(row.error - error <= 2 * math.hypot(row.error_se, se) for _, _, error, se in prototypes),
    )


def _measured(table: Table) -> list[Verdict]:
    found = [(one, look.base) for one in MEASURED if (look := table.at(one.cell)) is not None]
    missed = [f"{place(one.cell)} (width {row.width:.3g})" for one, row in found if not reached(one, row)[0]]
    worse = [f"{place(one.cell)} (error {row.error:.3g})" for one, row in found if not reached(one, row)[1]]
    return [
        Verdict(
            item=item,
            words=f"{words} of the prototype, its {len(MEASURED)} cells",
            aim="as good within two standard errors, or better",
            found=f"missed in {len(beyond)} of {len(found)}" + (": " if beyond else "") + "; ".join(_few(beyond)),
            passed=not beyond if found else None,
        )
        for item, words, beyond in ((1, "half-width", missed), (3, "squared error", worse))
    ]


def _few(words: Sequence[str], most: int = 3) -> list[str]:
    return [*words[:most], "…"] if len(words) > most else list(words)


@dataclass(frozen=True, kw_only=True)
class Tested:
    """Shares over cells that are to reach a level: exact one-sided binomial tests at one family level."""

    mean: float
    lowest: Row | None
    rejected: tuple[Row, ...]
    cells: int
    again: int

    def verdict(self, words: str, level: float, item: int, *, share: Callable[[Row], float]) -> Verdict:
        """Whether no cell rejects the level."""
        lowest = "" if self.lowest is None else f", lowest {share(self.lowest):.3f} at {place(self.lowest.cell)}"
        return Verdict(
            item=item,
            words=words,
            aim=f"≥ {level:g} in every cell",
            found=f"{self.mean:.4f} on average{lowest}; rejected in {len(self.rejected)} of {self.cells} cells, "
            f"{self.again} looked at again",
            passed=not self.rejected if self.cells else None,
        )


def tested(looks: Sequence[Looks], level: float, share: Callable[[Row], float], count: Callable[[Row], int]) -> Tested:
    """Both looks are tested: the second one where the first came out below."""
    held = [one for one in looks if count(one.base)]
    family = FAMILY_LEVEL / max(1, len(held))
    again = [one for one in held if share(one.base) < level and one.fresh is not None and count(one.fresh)]
    rejected = tuple(
        one.decides
        for one in held
        if chance(share(one.base), count(one.base), level) < family
        or (one in again and chance(share(one.decides), count(one.decides), level) < family)
    )
    return Tested(
        mean=float(np.mean([share(one.base) for one in held])) if held else math.nan,
        lowest=min((one.decides for one in held if count(one.decides)), key=share, default=None),
        rejected=rejected,
        cells=len(held),
        again=len(again),
    )


def coverage(table: Table) -> Tested:
    """Of the guaranteed interval."""
    return tested(table.looks, COVERS, lambda row: row.coverage, lambda row: row.repetitions)


def _coverage(table: Table, method: str) -> list[Verdict]:
    found = coverage(table)
    of = "the default" if method == DEFAULT else f"{method} as it is now"
    made = [found.verdict(f"coverage of the guaranteed interval of {of}", COVERS, 2, share=lambda row: row.coverage)]
    if method == DEFAULT:
        made.append(
            Verdict(
                item=2,
                words="the same on average over cells: no wider than need be",
                aim=f"≤ {LARGEST_COVERAGE:g}",
                found=f"{found.mean:.4f}",
                passed=found.mean <= LARGEST_COVERAGE if found.cells else None,
            )
        )
    return made


def _errors(table: Table) -> list[Verdict]:
    made = [
        at_most(
            3,
            f"squared error over that of one round, {KINDS[kind]}, n·min(ε,ε²) ≥ 300, geometric mean",
            most,
            table.errors(of_kind(kind, strong=True)),
        )
        for kind, most in ERRORS.items()
    ]
    for words, grouped in (("users without camps and far groups", False), ("camps and far groups", True)):
        held = [one for one in table.looks if (one.base.cell.of.kind == "groups") is grouped]
        most = MOST_ERROR["groups" if grouped else "alike"]
        if held:
            worst = _worst(held, lambda row: row.error)
            above = sum(one.decides.error > most for one in held)
            made.append(
                Verdict(
                    item=3,
                    words=f"the same in every cell, {words}",
                    aim=f"≤ {most:g}",
                    found=f"above in {above} of {len(held)}; worst {worst.error:.3g} ± {worst.error_se:.1g} at "
                    f"{place(worst.cell)}",
                    passed=not above,
                    close=abs(worst.error - most) < 2 * worst.error_se,
                )
            )
    shares = silent_shares(table)
    worst_name = max(shares, key=lambda name: shares[name], default="")
    return [
        *made,
        Verdict(
            item=3,
            words="surveys off by more than 4 standard errors of one round without a warning, by population",
            aim=f"at most {MOST_SILENT:.0%} in each",
            found=f"{shares[worst_name]:.2%} of {worst_name}" if shares else "",
            passed=shares[worst_name] <= MOST_SILENT if shares else None,
        ),
    ]


def silent_shares(table: Table) -> dict[str, float]:
    """By population, over its cells in the first look."""
    found = {}
    for population in [*GRID, *{one.base.cell.of for one in table.looks if one.base.cell.of.alone}]:
        own = [one.base.silent for one in table.looks if one.base.population == population.name]
        if own:
            found[population.name] = float(np.mean(own))
    return found


def _printed(table: Table) -> list[Verdict]:
    held = [one for one in table.looks if not math.isnan(one.decides.printed)]
    if not held:
        return []
    low, high = PRINTED
    right = sum(low <= one.decides.printed <= high for one in held)
    below = [one.decides for one in held if one.decides.printed < LEAST_PRINTED]
    least = min((one.decides for one in held), key=lambda row: row.printed)
    return [
        Verdict(
            item=4,
            words=f"printed error between {low:g} and {high:g} times the realised one",
            aim=f"≥ {PRINTED_SHARE:.0%} of the cells",
            found=f"{right} of {len(held)} cells ({right / len(held):.1%})",
            passed=right >= PRINTED_SHARE * len(held),
        ),
        Verdict(
            item=4,
            words=f"the same below {LEAST_PRINTED:g}",
            aim="no cell",
            found=f"{len(below)} cells; lowest {least.printed:.3g} ± {least.printed_se:.1g} at {place(least.cell)}",
            passed=not below,
            close=abs(least.printed - LEAST_PRINTED) < 2 * least.printed_se,
        ),
    ]


def _model(table: Table) -> Verdict:
    found = tested(table.looks, MODEL_COVERS, lambda row: row.model_coverage, lambda row: row.model_repetitions)
    words = "coverage of the model interval, where it is shown"
    return found.verdict(words, MODEL_COVERS, 4, share=lambda row: row.model_coverage)
