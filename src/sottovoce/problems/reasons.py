"""When no method can say much."""

from __future__ import annotations

from sottovoce.answers import Note, NoteCode
from sottovoce.theory import LOCALISABLE, strength


def says_little(users: int, epsilon: float, *, of: str = "reports") -> tuple[Note, ...]:
    """A note where reports, or the votes among them, say little, whatever is asked."""
    total = strength(users, epsilon)
    return (Note(NoteCode.FEW_REPORTS, strength=total, enough=LOCALISABLE, of=of),) if total < LOCALISABLE else ()
