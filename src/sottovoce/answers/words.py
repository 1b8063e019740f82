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


def needed(most: int, *numbers: float) -> int:
    """So many decimals at most, and fewer where the numbers are whole, or steps: none is told that says nothing."""
    fewer = (places for places in range(most) if all(_is_whole(number, places) for number in numbers))
    return next(fewer, most)


def _is_whole(number: float, places: int) -> bool:
    return not math.isfinite(number) or abs(round(number, places) - number) <= 1e-12 * abs(number)


def half(ends: Interval) -> float:
    """Half the width of an interval."""
    return (ends[1] - ends[0]) / 2


def between(ends: Interval, *, scale: float = 1.0, unit: str = "") -> str:
    """``between 2.82 and 3.53``; shares as percents by `scale` 100 and `unit` %. ``at 3`` where there is no width."""
    low, high = (rounded(end, ends, scale=scale, unit=unit) for end in ends)
    return f"between {low} and {high}" if ends[0] < ends[1] else f"at {low}"


def rounded(value: float, ends: Interval, *, scale: float = 1.0, unit: str = "") -> str:
    """A value with the digits that its interval warrants."""
    places = needed(decimals(scale * half(ends)), *(scale * number for number in (value, *ends)))
    shown = f"{scale * value:.{places}f}{unit}"
    return shown[1:] if shown[:1] == "-" and not shown.strip("-0.%") else shown


def with_ends(value: float, ends: Interval, *, then: str = "", scale: float = 1.0, unit: str = "") -> str:
    """``3.2 (between 2.8 and 3.5)``, with words before the bracket; ``exactly 3`` where there is no width."""
    shown = f"{rounded(value, ends, scale=scale, unit=unit)}{then}"
    return f"{shown} ({between(ends, scale=scale, unit=unit)})" if ends[0] < ends[1] else f"exactly {shown}"


def share(value: float, ends: Interval) -> str:
    """``50% (between 46% and 54%)``."""
    return with_ends(value, ends, scale=100, unit="%")


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


RANGE_WRONG = "the range may be wrong"
CLAMPED = "where they are clamped"
AT_ENDS = "and count as its ends"
FOUND_ENDS = "they count at its ends"
"""What a warning says where a range may miss users, or in a rehearsal does."""
ELSEWHERE = "What lies outside the declared range counts as its ends, so the truth may be elsewhere: see the warning."

ENDED = ", of what is counted so"
"""Of the truth about quantiles, which is one of observations that were moved into the range."""


def missed(warnings: Sequence[str]) -> bool:
    """Whether some warning says that the declared range may miss users: an interval then holds for what is left."""
    return any(said in warning for warning in warnings for said in (RANGE_WRONG, CLAMPED, AT_ENDS, FOUND_ENDS))


def by_method(method: str, reason: str) -> str:
    """How it was asked, and why; a reason that begins with the method is not told twice."""
    return reason if not method or reason.startswith(f"auto takes {method}") else f"{method}: {reason}"


def listed(parts: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    *most, last = parts
    return f"{', '.join(most)} and {last}" if most else last
