"""One item, randomised response (L942): each user sends one random observation through one bit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sottovoce.answers import WHOLE_COLLECTION, Chosen, ChosenBy, Estimate, Privacy
from sottovoce.design import one_bit
from sottovoce.messages import Encoder, Item, Position, Question, check_epsilon, check_range
from sottovoce.methods import Script, Scripted, check_confidence, check_users, decoded_with_interval, everybody


@dataclass(frozen=True, kw_only=True)
class OneItem(Scripted):
    """One random own observation, rounded to an end of the range at random, through randomised response.

    Privacy: ε for the whole collection, since nothing but this one item is looked at. Accuracy: no better with more
    observations. The value is unbiased, so it may leave the range; a warning says when it leaves its interval.
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

    def script(self) -> Script[Estimate]:
        """Ask once; decode the share of ones."""
        asked = Question(
            survey=self.survey,
            round=0,
            role=self.name,
            slots=everybody(self.users),
            encoder=Encoder(statistic=Item(), placement=Position(low=(self.low,), high=(self.high,))),
            channel=one_bit(self.epsilon),
            epsilon=self.epsilon,
        )
        tally = yield asked
        value, interval, kind, error = decoded_with_interval(asked, tally, self.confidence)
        return Estimate(
            value=value,
            interval=interval,
            confidence=self.confidence,
            interval_kind=kind,
            standard_error=error,
            users_per_round=tuple(tally.reports),
            privacy=Privacy(epsilon=self.epsilon, protects=WHOLE_COLLECTION, users=self.users, rounds=1),
            method=self.name,
            chosen=Chosen(by=ChosenBy.BASELINE),
            low=self.low,
            high=self.high,
        )
