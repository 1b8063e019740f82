"""When no method can say much."""

from __future__ import annotations

from sottovoce.answers import Note, NoteCode
from sottovoce.theory import strength

ENOUGH = 100
"""n·min(ε, ε²) from which users can be found at all."""


def says_little(users: int, epsilon: float) -> tuple[Note, ...]:
    """A note where reports say little, whatever is asked."""
    total = strength(users, epsilon)
    return (Note(NoteCode.FEW_REPORTS, strength=total, enough=ENOUGH),) if total < ENOUGH else ()
