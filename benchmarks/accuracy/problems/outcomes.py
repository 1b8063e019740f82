"""Blocks put together: errors, and coverage with the counts that an exact test needs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks.accuracy.pools import Floats
from benchmarks.accuracy.store import NUMBER

NOTHING = float("nan")
LEVEL = 0.94
"""The coverage at which independent intervals are counted."""


@dataclass
class Covered:
    """How often intervals of one kind held the truth: each its own number, and all of them at once."""

    each: Floats = field(default_factory=lambda: np.empty(0))
    """The share that did, in each repetition."""
    by: Floats = field(default_factory=lambda: np.empty(0))
    """How often each did."""
    all: str = ""
    halfwidth: float = NOTHING

    @classmethod
    def of(cls, parts: Sequence[dict[str, Any]]) -> Covered:
        """Blocks put together."""
        used = [part for part in parts if part["each"]]
        if not used:
            return cls()
        counts = [len(part["each"]) for part in used]
        return cls(
            each=np.concatenate([part["each"] for part in used]),
            by=np.sum([part["by"] for part in used], axis=0),
            all="".join(part["all"] for part in used),
            halfwidth=float(np.average([part["halfwidth"] for part in used], weights=counts)),
        )

    @property
    def mean(self) -> float:
        """Coverage of an interval, over all of them."""
        return float(self.each.mean()) if len(self.each) else NOTHING

    @property
    def independent(self) -> int:
        """How many independent intervals would tell as much as these, which depend on each other in a repetition.

        That is p(1 − p) over the variance of the mean that was seen, p being what is promised; from one to all of the
        intervals of a repetition.
        """
        if len(self.each) < 2:
            return len(self.each)
        apart = float(self.each.var(ddof=1))
        most = len(self.by)
        return round(len(self.each) * min(most, max(1.0, LEVEL * (1 - LEVEL) / apart if apart else most)))

    @property
    def lowest(self) -> int:
        """How often the interval that held least often did."""
        return int(self.by.min()) if len(self.by) else 0

    def first(self, count: int) -> list[float]:
        """Coverage after so many repetitions: of each, and of all at once where that is promised."""
        some = self.all[:count]
        each = [float(self.each[:count].mean())] if len(self.each) else [1.0]
        return each + ([some.count("1") / len(some)] if some else [])


@dataclass
class Outcomes:
    """All repetitions of one method in one cell, of one stage."""

    errors: Floats = field(default_factory=lambda: np.empty(0))
    parts: Floats = field(default_factory=lambda: np.empty(0))
    guarded: Covered = field(default_factory=Covered)
    model: Covered = field(default_factory=Covered)
    whole: Covered = field(default_factory=Covered)
    seconds: float = 0.0

    @classmethod
    def of(cls, lines: Iterable[dict[str, Any]]) -> Outcomes:
        """Blocks put together, in order."""
        found = sorted(lines, key=lambda line: line["block"][NUMBER])
        if not found:
            return cls()
        sizes = [len(line["errors"]) for line in found]
        return cls(
            errors=np.concatenate([line["errors"] for line in found]),
            parts=np.average([line["parts"] for line in found], axis=0, weights=sizes)
            if found[0]["parts"]
            else np.empty(0),
            guarded=Covered.of([line["guarded"] for line in found]),
            model=Covered.of([line["model"] for line in found]),
            whole=Covered.of([line["whole"] for line in found]),
            seconds=sum(line["seconds"] for line in found),
        )

    @property
    def repetitions(self) -> int:
        return len(self.errors)

    def kind(self, interval: str) -> Covered:
        """``"guarded"``, ``"model"`` or ``"whole"``."""
        found: Covered = getattr(self, interval)
        return found
