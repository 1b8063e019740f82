"""A finished figure: its claims judged, and its numbers held against the frozen ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sottovoce.paper import frozen
from sottovoce.paper.figure import REDUCED, Claim, Figure, Judgement, Rows, Run, Verdict

SIGNS = {Verdict.AGREES: "✓", Verdict.DOES_NOT: "✗", Verdict.DEPENDS: "?"}
CLASSES = {Verdict.AGREES: "agrees", Verdict.DOES_NOT: "differs", Verdict.DEPENDS: "depends"}


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """A finished figure."""

    figure: Figure
    rows: Rows
    findings: tuple[tuple[Claim, Judgement], ...]
    moved: tuple[frozen.Deviation, ...] | None

    @property
    def flipped(self) -> tuple[tuple[Claim, Judgement], ...]:
        """Claims whose verdict is not the one that was frozen."""
        return tuple((claim, found) for claim, found in self.findings if found.verdict != claim.expected)

    @property
    def sound(self) -> bool:
        """Nothing flipped, nothing moved."""
        return not self.flipped and not self.moved


def outcome(figure: Figure, rows: Rows, run: Run) -> Outcome:
    """Check every claim, and every frozen number."""
    moved = None if run.file else frozen.deviations(figure, rows, quick=run.quick)
    return Outcome(
        figure=figure,
        rows=rows,
        findings=tuple((claim, claim.check(rows)) for claim in figure.claims),
        moved=None if moved is None else tuple(moved),
    )


def counts(outcomes: Sequence[Outcome]) -> dict[Verdict, int]:
    """How many claims have each verdict; what the paper says of other data is not among them."""
    found = [judged.verdict for done in outcomes for claim, judged in done.findings if not claim.borrowed]
    return {verdict: found.count(verdict) for verdict in Verdict}


def apart(outcomes: Sequence[Outcome]) -> str:
    """How many sentences were judged on other data than the paper's, in words; nothing if none were."""
    number = sum(claim.borrowed for done in outcomes for claim, _ in done.findings)
    return f"Not counted: {number} sentences on other data." if number else ""


def extent(run: Run) -> str:
    """How much was computed, in words."""
    if run.reduced:
        return REDUCED
    if run.quick:
        return (
            "A quick look: fewer repetitions than the paper's and fewer points on each axis, so bands are wider and "
            "some curves have corners. Without --quick all of them are computed."
        )
    return "All repetitions of the paper."
