"""What users who collude could have done to an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sottovoce.answers.intervals import part
from sottovoce.messages import few


@dataclass(frozen=True, kw_only=True)
class Colluders:
    """Users who agree on what to send; nothing in a report tells on them.

    `share` of all users could have moved the answer by its half-width. `shifts` are pairs: a share of the users, and
    how far they could have moved it at most, in units of the observations.
    """

    derived: ClassVar[tuple[str, ...]] = ("statement",)

    share: float
    shifts: tuple[tuple[float, float], ...]

    @property
    def words(self) -> str:
        """The sentence for people, without a share such as 1e+02%."""
        return part(self.share) + self.statement.partition("%")[2]

    @property
    def statement(self) -> str:
        """One sentence; to the letter as published transcripts have it."""
        told = ", ".join(f"{share:.0%} by up to {few(shift, 3)}" for share, shift in self.shifts)
        return f"{100 * self.share:.2g}% of the users could move it by its half-width; {told}"
