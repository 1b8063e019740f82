"""Numbers in sentences."""

from __future__ import annotations

import math
import re

_POWER = re.compile(r"\d(?:\.\d+)?e\+(?:0\d|1[01])(?!\d)")


def counted(number: int, noun: str) -> str:
    """``1 user``, ``2 users``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def short_number(number: float, digits: int = 2) -> str:
    """With so many digits that say something: ``140``, ``2800``, ``0.035``; powers of ten only beyond a trillion."""
    return without_powers(f"{number:.{digits}g}")


def without_powers(text: str) -> str:
    """Words with numbers in them, without powers of ten below a trillion."""
    return _POWER.sub(lambda found: f"{float(found[0]):.12g}", text)


def decimals(halfwidth: float, *, digits: int = 2) -> int:
    """Decimals that make sense beside an interval of this half-width: two digits of it, or so many."""
    if not 0 < halfwidth < math.inf:
        return 4
    return max(0, min(12, digits - 1 - math.floor(math.log10(halfwidth))))


def decimals_needed(most: int, *numbers: float) -> int:
    """So many decimals at most, and fewer where the numbers are whole, or steps: none is told that says nothing."""
    fewer = (places for places in range(most) if all(_is_whole(number, places) for number in numbers))
    return next(fewer, most)


def _is_whole(number: float, places: int) -> bool:
    return not math.isfinite(number) or abs(round(number, places) - number) <= 1e-12 * abs(number)


def half_width(ends: tuple[float, float]) -> float:
    """Half the width of an interval."""
    return (ends[1] - ends[0]) / 2


def confidence_percent(confidence: float) -> str:
    """A confidence in per cent, with the digits that tell it from one: 95%, 99.9%."""
    digits = 1 if not 0 < confidence < 1 else max(1, math.ceil(-math.log10(1 - confidence)) - 1)
    return f"{100 * confidence:.{digits}f}".rstrip("0").rstrip(".") + "%"


def share_percent(share: float) -> str:
    """A share in per cent, by two digits: 1.2%, 100%."""
    return f"{float(f'{100 * share:.2g}'):g}%"
