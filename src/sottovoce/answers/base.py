"""An answer: what was estimated, how sure it is, and what it cost whom."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from html import escape
from typing import Any


def decimals(halfwidth: float) -> int:
    """Decimals that make sense beside an interval of this half-width: three digits of it."""
    if not 0 < halfwidth < math.inf:
        return 4
    return max(0, min(12, 2 - math.floor(math.log10(halfwidth))))


@dataclass(frozen=True, kw_only=True)
class StandardError:
    """Where the error comes from. The parts add up in squares."""

    sampling: float
    """Users differ, and each holds finitely many observations."""
    privacy: float
    """The noise of the channel."""
    localisation: float = 0.0
    """The chance that an earlier round chose the wrong place, times the distance."""

    @property
    def total(self) -> float:
        return math.hypot(self.sampling, self.privacy, self.localisation)


@dataclass(frozen=True, kw_only=True)
class Privacy:
    """What is protected, and how strongly."""

    epsilon: float
    protects: str
    users: int
    rounds: int

    @property
    def statement(self) -> str:
        """One sentence for the participant."""
        who = f"Each of the {self.users:,} users" if self.users > 1 else "The only user"
        return f"{who} sent at most one report; it is {self.epsilon:g}-locally-private for {self.protects}."


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What every answer says, whatever was estimated.

    The interval covers with probability `confidence`; `interval_kind` says what, and under what assumption. `reason`
    says in words why the method was chosen.
    """

    confidence: float
    interval_kind: str
    users_per_round: tuple[int, ...]
    privacy: Privacy
    method: str
    reason: str
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain data; what `to_json` writes."""
        plain: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        plain["privacy"]["statement"] = self.privacy.statement
        return plain

    def to_json(self, *, indent: int | None = None) -> str:
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    def headline(self) -> list[tuple[str, str]]:
        """The lines of the summary that say what was estimated: a name and a text each."""
        raise NotImplementedError("every kind of answer says what was estimated")

    def summary(self) -> str:
        """A few lines for a terminal."""
        lines = [
            *self.headline(),
            ("method", f"{self.method}: {self.reason}"),
            ("users", " + ".join(f"{users:,}" for users in self.users_per_round)),
            ("privacy", self.privacy.statement),
            *(("warning", warning) for warning in self.warnings),
        ]
        return "\n".join(f"{name:<12}{text}" for name, text in lines)

    def _repr_html_(self) -> str:
        rows = (line.partition(" ") for line in self.summary().splitlines())
        cells = (
            f"<tr><th style='text-align:left'>{escape(name)}</th><td>{escape(rest.strip())}</td></tr>"
            for name, _, rest in rows
        )
        return f"<table>{''.join(cells)}</table>"
