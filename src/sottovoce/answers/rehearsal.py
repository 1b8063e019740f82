"""What a rehearsal sees and a survey never does: the truth, and what the data at hand look like."""

from __future__ import annotations

from dataclasses import dataclass

from sottovoce.messages import Fact, InvalidInput

Truth = float | tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class Rehearsal:
    """Looked up in data that one analyst happens to hold, after the protocol has decided; a survey has none of it.

    `truth` is what the answer aims at, in the shape of its `value`: about the users who hold something. Where it is
    None, `no_truth` says why. `clamped` is the share, among these users, of those whose own average lies outside the
    declared range, `below` and `above` say on which side (of a vector: in some coordinate), and `outside` is the share
    of the observations that do; None where nothing is declared that one could lie outside of, or where another walk
    through a file would be needed. `empty` users hold no observation, `missing` cells hold none, `skipped` cells were
    none that could be read, and were passed over as asked for.
    """

    users: int
    empty: int = 0
    observations: int
    missing: int = 0
    skipped: int = 0
    clamped: float | None = None
    below: float | None = None
    above: float | None = None
    outside: float | None = None
    truth: Truth | None = None
    no_truth: Fact | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.empty <= self.users:
            raise InvalidInput("between none and all of the users hold nothing")
        if min(self.observations, self.missing, self.skipped) < 0:
            raise InvalidInput("cells are counted from 0")
        shares = (self.clamped, self.below, self.above, self.outside)
        if not all(share is None or 0 <= share <= 1 for share in shares):
            raise InvalidInput("a share lies between 0 and 1")
        if (self.truth is None) == (self.no_truth is None):
            raise InvalidInput("a rehearsal tells the truth, or why it cannot")

    @property
    def statement(self) -> Fact:
        """For whoever reads the answer."""
        return Fact(
            "rehearsal-data",
            users=self.users,
            observations=self.observations,
            empty=self.empty,
            missing=self.missing,
            skipped=self.skipped,
            outside=tuple(
                Fact(code, share=share)
                for share, code in ((self.clamped, "outside-averages"), (self.outside, "outside-observations"))
                if share
            ),
        )
