"""How the collecting went: who was asked, who answered, what was set aside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sottovoce.messages import Fact, InvalidInput, Question, Tally

# What a rehearsal sees and a survey never does: the truth, and what the data at hand look like.

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
        """How the rounds of a survey went, in order."""
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
