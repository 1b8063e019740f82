"""What users who collude could have done to an answer."""

from __future__ import annotations

from dataclasses import dataclass

from sottovoce.messages import Fact


@dataclass(frozen=True, kw_only=True)
class Colluders:
    """Users who agree on what to send; nothing in a report tells on them.

    `share` of all users could have moved the answer by its half-width. `shifts` are pairs: a share of the users, and
    how far they could have moved it at most, in units of the observations.
    """

    share: float
    shifts: tuple[tuple[float, float], ...]

    @property
    def words(self) -> Fact:
        """The fact for people."""
        shifts = tuple(Fact("colluders-shift", share=share, shift=shift) for share, shift in self.shifts)
        return Fact("colluders", share=self.share, shifts=shifts)
