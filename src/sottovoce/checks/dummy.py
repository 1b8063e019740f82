"""A survey that estimates nothing: it counts answers over any number of rounds, to test plumbing."""

from __future__ import annotations

from dataclasses import dataclass

from sottovoce.answers import WHOLE_COLLECTION, Chosen, ChosenBy, Estimate, Privacy, StandardError
from sottovoce.design import one_bit
from sottovoce.messages import Average, Encoder, Fact, Position, Question
from sottovoce.methods import Script, Scripted, check_users, split


@dataclass(frozen=True, kw_only=True)
class Dummy(Scripted):
    """Ask one bit from everybody, a fold a round; the value is how many answered."""

    users: int
    rounds: int = 1
    epsilon: float = 1.0
    survey: str = "dummy"

    def __post_init__(self) -> None:
        check_users(self.users, at_least=self.rounds)

    def script(self) -> Script[Estimate]:
        """Count, round by round."""
        answers: tuple[int, ...] = ()
        for number, slots in enumerate(split(self.users, self.rounds)):
            assert slots is not None
            tally = yield Question(
                survey=self.survey,
                round=number,
                role="count",
                slots=slots,
                encoder=Encoder(statistic=Average(), placement=Position(low=(0.0,), high=(1.0,))),
                channel=one_bit(self.epsilon),
                epsilon=self.epsilon,
            )
            answers += (sum(tally.reports),)
        return Estimate(
            value=float(sum(answers)),
            interval=(float(sum(answers)), float(sum(answers))),
            confidence=0.95,
            interval_kind=Fact("exact-count"),
            standard_error=StandardError(sampling=0.0, privacy=0.0),
            users_per_round=answers,
            privacy=Privacy(epsilon=self.epsilon, protects=WHOLE_COLLECTION, users=self.users, rounds=self.rounds),
            method="dummy",
            chosen=Chosen(by=ChosenBy.TEST),
            low=0.0,
            high=float(self.users),
        )
