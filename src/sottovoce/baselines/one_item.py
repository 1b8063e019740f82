"""One item, randomised response (L942): each user sends one random observation through one bit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sottovoce.messages import Encoder, Estimate, Item, Position, Privacy, Question, Slots, Tally, design
from sottovoce.messages.limits import check_epsilon, check_range
from sottovoce.protocols import one_round
from sottovoce.protocols.base import check_answered, check_confidence, check_users


@dataclass(frozen=True, kw_only=True)
class OneItem:
    """One random own observation, rounded to an end of the range at random, through randomised response.

    Privacy: ε for the whole collection, since nothing but this one item is looked at. Accuracy: no better with more
    observations.
    """

    name: ClassVar[str] = "one-item"

    epsilon: float
    low: float
    high: float
    users: int
    confidence: float = 0.95
    survey: str = "rehearsal"

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon)
        check_range(self.low, self.high)
        check_users(self.users)
        check_confidence(self.confidence)

    def decide(self, tallies: tuple[Tally, ...]) -> Question | Estimate:
        """Ask once; decode the share of ones."""
        asked = Question(
            survey=self.survey,
            round=0,
            role=self.name,
            slots=Slots(first=0, count=self.users),
            encoder=Encoder(statistic=Item(), placement=Position(low=(self.low,), high=(self.high,))),
            channel=design.one_bit(self.epsilon),
            epsilon=self.epsilon,
        )
        if not tallies:
            return asked
        check_answered(tallies[0], asked)
        value, interval, kind, error = one_round.decode(asked, tallies[0], self.confidence)
        return Estimate(
            value=value,
            interval=interval,
            confidence=self.confidence,
            interval_kind=kind,
            standard_error=error,
            users_per_round=tuple(tallies[0].reports),
            privacy=Privacy(epsilon=self.epsilon, protects="its whole collection", users=self.users, rounds=1),
            method=self.name,
            reason="baseline",
            low=self.low,
            high=self.high,
        )
