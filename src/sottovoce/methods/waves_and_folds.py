"""Who is asked what: slots in order, in whole waves, and users shared out over groups."""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from sottovoce.messages import MAX_ITEMS, MAX_WORK, Channel, Encoder, Fact, Floats, Question, Slots, Tally
from sottovoce.risk import Averages, Poisoning, Prediction

# Who is asked next, where it is decided on the way how many rounds there are: slots in order, in whole waves.

WAVES = 100
"""Users are dealt into so many equal runs of slots; a question addresses a whole number of them."""


class RoundMaker:
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
    def users_left(self) -> int:
        """Users who were not asked yet."""
        return self.users - self.asked

    def in_whole_waves(self, count: float) -> int:
        """How many users are asked when `count` are wanted: whole waves, somebody, at most all who are left."""
        if self.users_left < 1:
            raise AssertionError("everybody has been asked")  # a bug of the script that asks
        wanted = self.asked + max(1, math.ceil(count))
        wave = next(wave for wave in range(WAVES + 1) if wave * self.users // WAVES >= min(wanted, self.users))
        return wave * self.users // WAVES - self.asked

    def question(self, count: float, *, role: str, encoder: Encoder, channel: Channel, groups: int = 1) -> Question:
        """Ask about `count` users more; `math.inf` asks all who are left."""
        first, number = self.asked, len(self.rounds)
        users = self.users_left if math.isinf(count) else self.in_whole_waves(count)
        self.rounds.append(users)
        return Question(
            survey=self.survey,
            round=number,
            role=role,
            slots=Slots(first=first, count=users),
            encoder=encoder,
            channel=channel,
            epsilon=self.epsilon,
            groups=groups,
        )

    @property
    def next_seed(self) -> int:
        """A public seed for the next question: no two rounds turn alike."""
        return (self.seed + 1 + len(self.rounds) * 0x9E3779B97F4A7) % 2**53


# How users are shared out over groups (coordinates, basis functions), and what each spends on one.
#
# Slots are dealt to groups in turn, so that with one use folds differ by at most one user and every user is in exactly
# one (ERRATA 16).


@dataclass(frozen=True, kw_only=True)
class Budget:
    """Every user answers for `uses` of `groups` groups and spends `spent` in all, an equal part on each."""

    groups: int
    uses: int
    spent: float

    @property
    def each(self) -> float:
        return self.spent / self.uses

    @property
    def finest(self) -> float:
        """The smallest Δ whose bins a question can hold for all groups."""
        return 1 / min(MAX_ITEMS, MAX_WORK // self.groups, MAX_WORK // self.uses)

    @property
    def share_per_group(self) -> float:
        """The part of the users who answer for one group."""
        return self.uses / self.groups


def budget_of_one_group(groups: int, epsilon: float) -> Budget:
    """One group a user, for the whole budget: the least noise that can be had."""
    return Budget(groups=groups, uses=1, spent=epsilon)


def budget_of_proofs(groups: int, epsilon: float) -> Budget:
    """The proofs' share (L1763): ⌊ε⌋ groups at 1 each, never one more (ERRATA P1); all of them at ε/d above d."""
    if epsilon <= 1:
        return budget_of_one_group(groups, epsilon)
    if epsilon <= groups:
        uses = int(epsilon)
        return Budget(groups=groups, uses=uses, spent=float(uses))
    return Budget(groups=groups, uses=groups, spent=epsilon)


@dataclass(frozen=True, kw_only=True)
class GroupMeans:
    """A mean for each group, and its variance by cause."""

    value: Floats
    sampling: Floats
    privacy: Floats
    localisation: Floats
    answered: tuple[int, ...]
    """Users who answered, round by round."""
    uses: int = 1
    """For how many groups each user answered."""
    votes: Tally | None = None
    """Of the round that chose where to look; None where nothing was voted on."""

    @property
    def deviation(self) -> Floats:
        return np.asarray(np.sqrt(self.sampling + self.privacy + self.localisation))


class GroupScheme(Protocol):
    """A way to estimate a mean for each group; what is built on groups takes any of them."""

    @property
    def users_per_round(self) -> tuple[int, ...]: ...

    @property
    def step(self) -> float:
        """The width of a bin of the vote; zero where nothing is voted on."""
        ...

    def script(self) -> Generator[Question, Tally, GroupMeans]:
        """The rounds."""
        ...

    def risk(self, averages: Averages) -> Prediction:
        """The error of one group whose users' averages have this law."""
        ...

    def poisoning(self, laws: list[Averages]) -> Poisoning:
        """What colluders can do to one group, for the least helpful of these laws."""
        ...

    def words(self) -> Fact:
        """Folds and bins."""
        ...
