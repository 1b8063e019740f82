"""How the collecting went: who was asked, who answered, what was set aside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sottovoce.messages import InvalidInput, Question, SetAside, Tally


@dataclass(frozen=True, kw_only=True)
class Collection:
    """Users asked and answers counted in each round; reports set aside, with the reason and how many of each.

    Whoever ran the survey fills this in, after the protocol has decided: a protocol sees tallies only.
    """

    asked: tuple[int, ...]
    answered: tuple[int, ...]
    set_aside: tuple[tuple[str, int], ...] = ()

    def __post_init__(self) -> None:
        if len(self.asked) != len(self.answered):
            raise InvalidInput(f"asked has {len(self.asked)} rounds, answered {len(self.answered)}")
        if not all(0 <= some <= all_ for some, all_ in zip(self.answered, self.asked, strict=True)):
            raise InvalidInput("in every round between none and all of the users asked have answered")
        if any(count < 0 for _, count in self.set_aside):
            raise InvalidInput("reports set aside are counted from 0")

    @classmethod
    def of(cls, asked: Sequence[Question], tallies: Sequence[Tally], aside: SetAside | None = None) -> Collection:
        """What the questions and the tallies of a survey say of it."""
        pairs = list(zip(asked, tallies, strict=True))
        return cls(
            asked=tuple(question.slots.count for question, _ in pairs),
            answered=tuple(sum(tally.reports) // question.uses for question, tally in pairs),
            set_aside=() if aside is None else tuple(aside.counts.items()),
        )

    @property
    def complete(self) -> bool:
        """Everybody answered, and nothing was set aside."""
        return self.asked == self.answered and not any(count for _, count in self.set_aside)

    @property
    def statement(self) -> str:
        """One line for whoever reads the answer."""
        aside = ", ".join(f"{count:,} {reason}" for reason, count in self.set_aside if count)
        return f"answered {sum(self.answered):,} of {sum(self.asked):,}" + (f"; set aside: {aside}" if aside else "")
