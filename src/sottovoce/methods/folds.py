"""How users are shared out over groups (coordinates, basis functions), and what each spends on one.

Slots are dealt to groups in turn, so that with one use folds differ by at most one user and every user is in exactly
one (ERRATA 16).
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import MAX_ITEMS, MAX_WORK, Fact, Question, Tally
from sottovoce.risk import Averages, Poisoning, Prediction

Floats = NDArray[np.float64]


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
    def fold(self) -> float:
        """The part of the users who answer for one group."""
        return self.uses / self.groups


def one_each(groups: int, epsilon: float) -> Budget:
    """One group a user, for the whole budget: the least noise that can be had."""
    return Budget(groups=groups, uses=1, spent=epsilon)


def several_each(groups: int, epsilon: float) -> Budget:
    """The proofs' share (L1763): ⌊ε⌋ groups at 1 each, never one more (ERRATA P1); all of them at ε/d above d."""
    if epsilon <= 1:
        return one_each(groups, epsilon)
    if epsilon <= groups:
        uses = int(epsilon)
        return Budget(groups=groups, uses=uses, spent=float(uses))
    return Budget(groups=groups, uses=groups, spent=epsilon)


@dataclass(frozen=True, kw_only=True)
class Means:
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

    def script(self) -> Generator[Question, Tally, Means]:
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
