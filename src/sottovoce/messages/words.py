"""Numbers in sentences."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """``1 user``, ``2 users``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def few(number: float, digits: int = 2) -> str:
    """With so many digits that say something: ``140``, ``2800``, ``0.035``; powers of ten only beyond a million."""
    return f"{float(f'{number:.{digits}g}'):g}"
