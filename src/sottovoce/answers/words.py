"""How answers speak: digits that make sense, and how sure one may be, in words that need no statistics."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sottovoce.answers.intervals import percent

Interval = tuple[float, float]


def decimals(halfwidth: float, *, digits: int = 2) -> int:
    """Decimals that make sense beside an interval of this half-width: two digits of it, or so many."""
    if not 0 < halfwidth < math.inf:
        return 4
    return max(0, min(12, digits - 1 - math.floor(math.log10(halfwidth))))


def half(ends: Interval) -> float:
    """Half the width of an interval."""
    return (ends[1] - ends[0]) / 2


def between(ends: Interval, *, scale: float = 1.0, unit: str = "") -> str:
    """``between 2.82 and 3.53``; shares as percents by `scale` 100 and `unit` %."""
    places = decimals(scale * half(ends))
    return f"between {scale * ends[0]:.{places}f}{unit} and {scale * ends[1]:.{places}f}{unit}"


def rounded(value: float, ends: Interval, *, scale: float = 1.0, unit: str = "") -> str:
    """A value with the digits that its interval warrants."""
    shown = f"{scale * value:.{decimals(scale * half(ends))}f}{unit}"
    return shown[1:] if shown[:1] == "-" and not shown.strip("-0.%") else shown


def share(value: float, ends: Interval) -> str:
    """``50% (between 46% and 54%)``."""
    return f"{rounded(value, ends, scale=100, unit='%')} ({between(ends, scale=100, unit='%')})"


def unlucky(confidence: float) -> str:
    """How often an interval fails, as odds: ``1 in 20``."""
    if not 0 < confidence < 1:
        return percent(1 - confidence)
    odds = 1 / (1 - confidence)
    return f"1 in {round(odds):,}" if abs(odds - round(odds)) < 0.01 * odds else f"{percent(1 - confidence)} of them"


def unless(confidence: float, assumes: str, *, each: bool = False) -> str:
    """When an interval holds: not in the unlucky cases, and under what assumption."""
    which = "it is one of the unlucky ones" if each else "this survey is one of the unlucky ones"
    told = f"unless {which} ({unlucky(confidence)})"
    if assumes.startswith("nothing"):
        return f"{told}, whatever the users are."
    return f"{told}, provided {assumes}." if assumes.startswith("that ") else f"{told}."


def listed(parts: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    *most, last = parts
    return f"{', '.join(most)} and {last}" if most else last
