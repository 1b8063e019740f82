"""How the collecting went: who was asked, who answered, what was set aside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sottovoce.messages import Fact, InvalidInput, Question, Tally


@dataclass(frozen=True, kw_only=True)
class Collection:
    """Users asked and answers counted in each round; reports set aside, with the reason and how many of each.

    `roles` says what each round asked for; it is empty in answers that were written before it was told.

    Whoever ran the survey fills this in, after the protocol has decided: a protocol sees tallies only.
    """

    asked: tuple[int, ...]
    answered: tuple[int, ...]
    set_aside: tuple[tuple[str, int], ...] = ()
    roles: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, questions: Sequence[Question], tallies: Sequence[Tally], set_aside: Sequence[tuple[str, int]] = ()
    ) -> Collection:
        """Of the rounds of a survey, in order."""
        pairs = list(zip(questions, tallies, strict=True))
        return cls(
            asked=tuple(question.slots.count for question, _ in pairs),
            answered=tuple(sum(tally.reports) // question.uses for question, tally in pairs),
            set_aside=tuple(set_aside),
            roles=tuple(question.role for question, _ in pairs),
        )

    def __post_init__(self) -> None:
        if len(self.asked) != len(self.answered):
            raise InvalidInput(f"asked has {len(self.asked)} rounds, answered {len(self.answered)}")
        if not all(0 <= some <= all_ for some, all_ in zip(self.answered, self.asked, strict=True)):
            raise InvalidInput("in every round between none and all of the users asked have answered")
        if self.roles and len(self.roles) != len(self.asked):
            raise InvalidInput(f"asked has {len(self.asked)} rounds, roles {len(self.roles)}")
        if any(count < 0 for _, count in self.set_aside):
            raise InvalidInput("reports set aside are counted from 0")

    @property
    def complete(self) -> bool:
        """Everybody answered, and nothing was set aside."""
        return self.asked == self.answered and not any(count for _, count in self.set_aside)

    @property
    def statement(self) -> Fact:
        """For whoever reads the answer: in each role, where there are several."""
        rounds = list(zip(self.roles, self.answered, self.asked, strict=bool(self.roles)))
        names = dict.fromkeys(self.roles)
        roles = tuple(
            Fact(
                "answered-in-role",
                role=role,
                answered=sum(some for own, some, _ in rounds if own == role),
                asked=sum(all_ for own, _, all_ in rounds if own == role),
            )
            for role in names
        )
        return Fact(
            "collection",
            answered=sum(self.answered),
            asked=sum(self.asked),
            roles=roles if len(names) > 1 else (),
            set_aside=tuple(Fact("set-aside", count=count, reason=reason) for reason, count in self.set_aside if count),
        )
