"""Numbers in sentences."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """``1 user``, ``2 users``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
