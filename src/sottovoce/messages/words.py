"""Numbers in sentences."""

from __future__ import annotations

import re

_POWER = re.compile(r"\d(?:\.\d+)?e\+(?:0\d|1[01])(?!\d)")


def counted(number: int, noun: str) -> str:
    """``1 user``, ``2 users``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def few(number: float, digits: int = 2) -> str:
    """With so many digits that say something: ``140``, ``2800``, ``0.035``; powers of ten only beyond a trillion."""
    return plainly(f"{number:.{digits}g}")


def plainly(text: str) -> str:
    """Words with numbers in them, without powers of ten below a trillion."""
    return _POWER.sub(lambda found: f"{float(found[0]):.12g}", text)
