"""Who is asked next, where it is decided on the way how many rounds there are: slots in order, in whole waves."""

from __future__ import annotations

import math

from sottovoce.messages import Channel, Encoder, Question, Slots

WAVES = 100
"""Users are dealt into so many equal runs of slots; a question addresses a whole number of them."""


class Asking:
    """The rounds of one survey as they are asked. It belongs to one run of a script, and is made anew by each."""

    def __init__(self, *, survey: str, epsilon: float, users: int, seed: int = 0) -> None:
        self.survey = survey
        self.epsilon = epsilon
        self.users = users
        self.seed = seed
        self.rounds: list[int] = []
        """How many users each question asked so far."""

    @property
    def asked(self) -> int:
        return sum(self.rounds)

    @property
    def left(self) -> int:
        """Users who were not asked yet."""
        return self.users - self.asked

    def within(self, count: float) -> int:
        """How many users are asked when `count` are wanted: whole waves, somebody, at most all who are left."""
        if self.left < 1:
            raise AssertionError("everybody has been asked")  # a bug of the script that asks
        wanted = self.asked + max(1, math.ceil(count))
        wave = next(wave for wave in range(WAVES + 1) if wave * self.users // WAVES >= min(wanted, self.users))
        return wave * self.users // WAVES - self.asked

    def question(self, count: float, *, role: str, encoder: Encoder, channel: Channel, groups: int = 1) -> Question:
        """Ask about `count` users more; `math.inf` asks all who are left."""
        first, number = self.asked, len(self.rounds)
        own = self.left if math.isinf(count) else self.within(count)
        self.rounds.append(own)
        return Question(
            survey=self.survey,
            round=number,
            role=role,
            slots=Slots(first=first, count=own),
            encoder=encoder,
            channel=channel,
            epsilon=self.epsilon,
            groups=groups,
        )

    @property
    def next_seed(self) -> int:
        """A public seed for the next question: no two rounds turn alike."""
        return (self.seed + 1 + len(self.rounds) * 0x9E3779B97F4A7) % 2**53
