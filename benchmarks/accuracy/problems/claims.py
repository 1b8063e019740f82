"""What is promised about intervals, and the exact test that it is held to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from benchmarks.accuracy.figures import FAMILY_LEVEL, chance
from benchmarks.accuracy.problems.cells import Benchmark, Cell, methods_of, runs_as
from benchmarks.accuracy.problems.registry import BENCHMARKS
from benchmarks.accuracy.problems.table import Counts

GUARDED, MODEL = 0.94, 0.93
ASSERTED = ("mixture", "cover")
"""What they estimate does not exist without their model: the headline interval is a model's, and says so."""


@dataclass(frozen=True, kw_only=True)
class Claim:
    """Intervals of a method hold at least so often, in every cell where it applies: each, and all at once."""

    item: int
    problem: str
    method: str
    interval: str
    """``"guarded"`` (the headline), ``"model"``, or ``"whole"`` for what is only shown smoothed."""
    level: float
    words: str
    applies: Callable[[Cell], bool]
    rerun: bool = True


def _ours(made: Benchmark) -> Iterator[Claim]:
    name, asserted = made.name, made.name in ASSERTED
    yield Claim(
        item=4,
        problem=name,
        method=made.ours,
        interval="guarded",
        level=MODEL if asserted else GUARDED,
        words=f"{name}: {'model' if asserted else 'guarded'} intervals of {made.ours}"
        + (", where their sentence says" if asserted else ", all populations"),
        applies=lambda cell: not cell.of.held_out and (not asserted or made.modelled(cell)),
    )
    if "one-round" in made.others:
        yield Claim(
            item=4,
            problem=name,
            method="one-round",
            interval="guarded",
            level=GUARDED,
            words=f"{name}: guarded intervals of one-round, all populations",
            applies=lambda cell: not cell.of.held_out,
            rerun=False,
        )
    if not asserted:
        yield Claim(
            item=4,
            problem=name,
            method=made.ours,
            interval="model",
            level=MODEL,
            words=f"{name}: model intervals of {made.ours}, where their sentence says",
            applies=lambda cell: not cell.of.held_out and made.modelled(cell),
        )
    if name == "density":
        yield Claim(
            item=4,
            problem=name,
            method=made.ours,
            interval="whole",
            level=MODEL,
            words=f"{name}: bands of {made.ours} for the density itself, all populations (all of them are smooth)",
            applies=lambda cell: not cell.of.held_out,
        )
    yield Claim(
        item=5,
        problem=name,
        method="auto",
        interval="guarded",
        level=GUARDED,
        words=f"{name}: the default answer on populations it was not tuned on",
        applies=lambda cell: cell.of.held_out,
    )


CLAIMS = tuple(claim for made in BENCHMARKS.values() for claim in _ours(made))


def claims_on(cell: Cell, method: str) -> Iterator[Claim]:
    """The claims that runs of this method in this cell speak to, `auto`'s included where they run as this."""
    known = methods_of(cell)
    for claim in CLAIMS:
        concerned = claim.problem == cell.problem and claim.method in known and claim.applies(cell)
        if concerned and runs_as(cell, claim.method) == method:
            yield claim


def below(found: Counts, level: float, intervals: int) -> bool:
    """Whether coverage came out below: of an interval, of all at once, or clearly of a single one."""
    if not found.repetitions:
        return False
    alone = chance(found.lowest / found.repetitions, found.repetitions, level) * intervals < FAMILY_LEVEL
    return found.each < level or (found.promised > 0 and found.all < level * found.promised) or alone


def rejected(found: Counts, level: float, intervals: int, cells: int) -> bool:
    """Whether coverage as claimed is rejected at the family level, by any of three exact one-sided binomial tests.

    Of an interval on average (counted as so many independent ones), of the one that held least often (there are
    `intervals` to choose from), and of all at once.
    """
    if not found.repetitions:
        return False
    chances = [
        chance(found.each, found.independent, level),
        intervals * chance(found.lowest / found.repetitions, found.repetitions, level),
    ]
    if found.promised:
        chances.append(chance(found.all / found.promised, found.promised, level))
    return min(chances) * len(chances) * cells < FAMILY_LEVEL
