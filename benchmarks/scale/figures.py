"""What was measured, one figure a line, with its limit and the verdict; kept as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from benchmarks.scale.limits import LIMITS

STORED = Path(__file__).with_name("figures.json")


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One number. `key` finds its limit; a value of None was not measured, which is a miss where there is a limit."""

    key: str
    what: str
    value: float | None
    unit: str = "×"
    low: float | None = None
    high: float | None = None
    ours: float | None = None  # seconds of CPU for one unit of work, a report or a draw
    theirs: float | None = None
    note: str = ""

    @property
    def limit(self) -> tuple[str, float] | None:
        """``("≥", 25.0)`` or ``("≤", 1.5)``; None where nothing was promised."""
        return LIMITS.get(self.key)

    @property
    def met(self) -> bool:
        if self.limit is None:
            return True
        sense, bound = self.limit
        if self.value is None:
            return False
        return self.value >= bound if sense == "≥" else self.value <= bound

    @property
    def part(self) -> str:
        return self.key.split("/", 1)[0]


@dataclass(frozen=True, kw_only=True)
class Run:
    """All figures of one run, what it ran under, and the rates that the projection takes."""

    versions: dict[str, str]
    figures: tuple[Figure, ...]
    rates: dict[str, float] = field(default_factory=dict)
    minutes: float = 0.0

    @property
    def missed(self) -> tuple[Figure, ...]:
        return tuple(figure for figure in self.figures if not figure.met)

    @property
    def absent(self) -> tuple[str, ...]:
        """Limits that no figure answers for."""
        return tuple(key for key in LIMITS if key not in {figure.key for figure in self.figures})

    def part(self, name: str) -> tuple[Figure, ...]:
        return tuple(figure for figure in self.figures if figure.part == name)

    def to_json(self) -> str:
        return json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Run:
        plain = json.loads(text)
        return cls(**plain | {"figures": tuple(Figure(**figure) for figure in plain["figures"])})


def text(figure: Figure) -> str:
    """The value with its unit and spread."""
    if figure.value is None:
        return "not measured"
    if figure.unit == "exponent":
        return f"{figure.value:.2f}"
    digits = f"{figure.value:,.0f}" if abs(figure.value) >= 100 else f"{figure.value:.3g}"
    said = f"{digits} {figure.unit}"
    if figure.low is not None and figure.high is not None:
        said += f" ({figure.low:.3g} – {figure.high:.3g})"
    return said


def verdict(figure: Figure) -> str:
    if figure.limit is None:
        return ""
    sense, bound = figure.limit
    return f"{sense} {bound:g} {'met' if figure.met else 'MISSED'}"


def lines(figures: Iterable[Figure]) -> list[str]:
    """For a terminal."""
    return [
        f"{figure.what:<78} {text(figure):>34}  {verdict(figure)}{'  ' + figure.note if figure.note else ''}"
        for figure in figures
    ]
