"""What a comparison found: a row for each method and budget, and ratios between them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sottovoce.answers import WHOLE_COLLECTION, Chosen, ChosenBy, Note, to_plain
from sottovoce.messages import Fact
from sottovoce.problems import Problem
from sottovoce.trials.ratios import Ratio, paired_ratio
from sottovoce.trials.repetitions import Performance

_SINGLE = ("single-observation", "single-observation-of-many")
"""What reports protect that protect no whole collection."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One method's performance at one budget, or why it cannot run."""

    method: str
    epsilon: float
    ran: str = ""
    chosen: Chosen = field(default_factory=lambda: Chosen(by=ChosenBy.CALLER))
    """Why that method."""
    protects: Fact = WHOLE_COLLECTION
    warnings: tuple[Note, ...] = ()
    """Of the last repetition."""
    collection_epsilon: float | None = None
    """What the whole collection is protected at; None where no report is sent."""
    performance: Performance | None = None
    impossible: str = ""
    squared_errors: tuple[float, ...] = field(default=(), repr=False)
    """Of every repetition, in their order."""

    @property
    def whole_collection(self) -> bool:
        """Whether ε is promised for all that a user holds, and not for single observations."""
        return self.protects.code not in _SINGLE

    @property
    def reason(self) -> Fact:
        """Why that method was taken, and how it asks."""
        return self.chosen.told("")

    def to_dict(self) -> dict[str, Any]:
        if self.performance is None:
            return {"method": self.method, "epsilon": self.epsilon, "impossible": self.impossible}
        names = ("method", "epsilon", "ran", "reason", "protects", "warnings", "collection_epsilon")
        return {name: to_plain(getattr(self, name)) for name in names} | self.performance.to_dict()


@dataclass(frozen=True, kw_only=True, repr=False)
class Found:
    """Rows, and what they were found with. Tables and pictures need no more."""

    problem: Problem[Any]
    users: Fact
    truth: Any
    notes: tuple[Fact, ...]
    settings: dict[str, Any]
    epsilons: tuple[float, ...]
    methods: tuple[str, ...]
    repetitions: int
    seed: int
    rows: tuple[Row, ...]

    @property
    def reference(self) -> str:
        """The method that the others are held against."""
        return self.methods[0]

    @property
    def confidence(self) -> float:
        """What the intervals aim at."""
        return float(self.settings.get("confidence", 0.95))

    def row(self, method: str, epsilon: float) -> Row:
        """The row of a method at a budget."""
        return next(row for row in self.rows if (row.method, row.epsilon) == (method, epsilon))

    def against_reference(self, row: Row) -> Ratio | None:
        """The mean squared error over that of the reference at the same budget; None where one of them did not run."""
        return _between(row, self.row(self.reference, row.epsilon))

    def cost(self, row: Row) -> Ratio | None:
        """The mean squared error over that of the same method at the largest budget."""
        return _between(row, self.row(row.method, max(self.epsilons)))


def _between(row: Row, other: Row) -> Ratio | None:
    if row.performance is None or other.performance is None:
        return None
    return paired_ratio(row.squared_errors, other.squared_errors)
