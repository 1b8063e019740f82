"""What a comparison found: a row for each method and budget, and ratios between them."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

from sottovoce.answers import to_plain
from sottovoce.messages import Fact
from sottovoce.problems import Problem
from sottovoce.trials.ratios import Ratio, paired_ratio
from sottovoce.trials.repetitions import Performance


@dataclass(frozen=True, kw_only=True)
class Row:
    """One method's performance at one budget, or why it cannot run."""

    method: str
    epsilon: float
    ran: str = ""
    reason: Fact | str = ""
    protects: Fact | str = ""
    warnings: tuple[Fact | str, ...] = ()
    """Of the last repetition."""
    whole_collection: bool = True
    """Whether ε is promised for all that a user holds, and not for single observations."""
    collection_epsilon: float | None = None
    """What the whole collection is protected at; None where no report is sent."""
    performance: Performance | None = None
    impossible: str = ""
    squared_errors: tuple[float, ...] = field(default=(), repr=False)
    """Of every repetition, in their order."""

    def to_dict(self) -> dict[str, Any]:
        if self.performance is None:
            return {"method": self.method, "epsilon": self.epsilon, "impossible": self.impossible}
        plain = {one.name: getattr(self, one.name) for one in dataclasses.fields(self)}
        del plain["performance"], plain["impossible"], plain["squared_errors"], plain["whole_collection"]
        return {name: to_plain(value) for name, value in plain.items()} | self.performance.to_dict()


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
