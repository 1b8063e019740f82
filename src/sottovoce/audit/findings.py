"""What an audit says: one finding for each thing it looked at, and a verdict over all of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

LAYERS = ("exact", "tree", "sampler", "statistical", "timing", "processes", "entropy", "ledger")


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing that was looked at.

    `measured` is an upper bound on ε that was proven (exact), the ε of the enumerated law (tree), or a lower bound at
    the stated level (statistical); None where no ε was measured. `slack` is `declared` − `measured`, subtracted as
    exact fractions where both are.
    """

    subject: str
    layer: str
    check: str
    passed: bool
    detail: str
    declared: float | None = None
    measured: float | None = None
    slack: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain data, in which infinity is a word: JSON has none."""
        return {key: "infinite" if value in (math.inf, -math.inf) else value for key, value in asdict(self).items()}


@dataclass(frozen=True, kw_only=True)
class Series:
    """Two samples as shares of the same cells: what a picture shows."""

    title: str
    cells: tuple[str, ...]
    first: tuple[float, ...]
    second: tuple[float, ...]
    labels: tuple[str, str]


@dataclass(frozen=True, kw_only=True)
class Audit:
    """All findings of a run. `level` is the false-alarm rate of each statistical test, `tests` how many there were."""

    findings: tuple[Finding, ...]
    level: float
    tests: int
    seconds: float

    @property
    def certified(self) -> bool:
        return all(finding.passed for finding in self.findings)

    def to_dict(self) -> dict[str, Any]:
        """Plain data; what ``sotto audit --json`` prints."""
        return {
            "certified": self.certified,
            "level": self.level,
            "tests": self.tests,
            "false_alarms_at_most": self.level * self.tests,
            "seconds": self.seconds,
            "findings": [finding.to_dict() for finding in self.findings],
        }


def caught_by(findings: Sequence[Finding]) -> tuple[str, ...]:
    """The layers that raised an alarm, in order."""
    failed = {finding.layer for finding in findings if not finding.passed}
    return tuple(layer for layer in LAYERS if layer in failed)


def attempt(subject: str, layer: str, check: str, look: Callable[[], Iterable[Finding]]) -> list[Finding]:
    """What a look finds; when it ends in an exception, that is a finding too, and not a passed one.

    The exception's own words are left out: they could carry what a device was given.
    """
    findings: list[Finding] = []
    try:
        findings.extend(look())
    except Exception as error:  # whatever it is: the mechanism did what nobody expected of it
        problem = f"an exception that nobody expected: {type(error).__name__}"
        findings.append(verdict(subject, layer, check, problem, ""))
    return findings


def verdict(subject: str, layer: str, check: str, problem: str, done: str) -> Finding:
    """A finding without an ε: what is wrong, or what was `done` if nothing is."""
    return Finding(subject=subject, layer=layer, check=check, passed=not problem, detail=problem or done)


def examine(subject: str, layer: str, check: str, problem: Callable[[], str], done: str) -> list[Finding]:
    """One finding: what is wrong, as `problem` names it, or ends in an exception; what was `done` if nothing is."""
    return attempt(subject, layer, check, lambda: [verdict(subject, layer, check, problem(), done)])
