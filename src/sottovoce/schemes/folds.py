"""How users are shared out over coordinates, and the paper's two rounds run on every coordinate at once.

A group is a coordinate of the vector (or of its rotation). Bins are laid out on [−1, 1] and every group has a range
of its own, so one layout serves all.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Encoder, Grid, InvalidInput, Question, Slots, Statistic, Tally
from sottovoce.messages.limits import MAX_ITEMS, MAX_WORK
from sottovoce.protocols import localise
from sottovoce.protocols.base import split

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Share:
    """Every user answers for `uses` of `groups` coordinates and spends `spent` in all, an equal part on each."""

    groups: int
    uses: int
    spent: float

    @property
    def each(self) -> float:
        return self.spent / self.uses


def one_each(groups: int, epsilon: float) -> Share:
    """One coordinate a user, for the whole budget: the least noise that can be had."""
    return Share(groups=groups, uses=1, spent=epsilon)


def several_each(groups: int, epsilon: float) -> Share:
    """The proofs' share (L1763): ⌊ε⌋ coordinates at 1 each, never one more (ERRATA P1); all of them at ε/d above d."""
    if epsilon <= 1:
        return one_each(groups, epsilon)
    if epsilon <= groups:
        uses = int(epsilon)
        return Share(groups=groups, uses=uses, spent=float(uses))
    return Share(groups=groups, uses=groups, spent=epsilon)


def finest(share: Share) -> float:
    """The smallest Δ whose bins a question can hold for all groups."""
    return 1 / min(MAX_ITEMS, MAX_WORK // share.groups, MAX_WORK // share.uses)


@dataclass(frozen=True, kw_only=True)
class Folds:
    """Votes and refinements for all groups: two questions, each asked of half of the users.

    `low` and `high` hold a range for each group. With one bin there is nothing to vote on and everybody refines on
    the full range (ERRATA 6).
    """

    survey: str
    users: int
    share: Share
    layout: localise.Layout
    statistic: Statistic
    low: tuple[float, ...]
    high: tuple[float, ...]

    @property
    def localising(self) -> bool:
        return self.layout.bins > 1

    def parts(self) -> tuple[Slots, ...]:
        """The slots of each round; every user is in one round, and every group has a user in every round."""
        halves = split(self.users, 2 if self.localising else 1)
        needed = self.share.groups - self.share.uses + 1
        if any(half is None or half.count < needed for half in halves):
            raise InvalidInput(
                f"{self.users} users cannot fill {len(halves)} × {self.share.groups} folds: at least "
                f"{len(halves) * needed} users are needed, or fewer coordinates"
            )
        return tuple(half for half in halves if half is not None)

    @property
    def centre(self) -> Floats:
        return np.asarray((np.array(self.low) + np.array(self.high)) / 2)

    @property
    def half(self) -> Floats:
        return np.asarray((np.array(self.high) - np.array(self.low)) / 2)

    def vote(self) -> Question:
        """The first half of the users vote for the bin of their statistic, each in its own groups."""
        asked = localise.vote(
            self.layout,
            survey=self.survey,
            round=0,
            slots=self.parts()[0],
            statistic=self.statistic,
            epsilon=self.share.spent,
            groups=self.share.groups,
            uses=self.share.uses,
        )
        unit = self.layout.grid()
        low, high = self._scaled(np.array(unit.low)), self._scaled(np.array(unit.high))
        if len(set(zip(self.low, self.high, strict=True))) == 1:  # one range for all keeps the question small
            low, high = low[:1], high[:1]
        grid = Grid(low=tuple(map(float, low)), high=tuple(map(float, high)), count=unit.count)
        return replace(asked, encoder=Encoder(statistic=self.statistic, placement=grid))

    def _scaled(self, unit: Floats) -> Floats:
        return np.asarray(self.centre + self.half * unit)

    def refine(self, votes: Tally | None) -> Question:
        """The others report within the winning bin of each group, widened."""
        if votes is None:
            low, high = np.array(self.low), np.array(self.high)
        else:
            unit = self.layout.widened(localise.winners(votes))
            low, high = self._scaled(unit[0]), self._scaled(unit[1])
        return localise.refine(
            low,
            high,
            survey=self.survey,
            round=0 if votes is None else 1,
            slots=self.parts()[-1],
            statistic=self.statistic,
            epsilon=self.share.spent,
            groups=self.share.groups,
            uses=self.share.uses,
        )

    def misplaced(self, votes: Tally) -> Floats:
        """For each group, how far off the localisation may be (root mean square)."""
        return np.asarray(self.half * np.sqrt(localise.misplaced(self.layout, self.vote(), votes)))

    def predicted_mse(self, *, spread: float) -> float:
        """Mean squared error of a group, on average: users alike, their averages `spread` half-ranges from the mean.

        A vote that goes wrong costs the mean squared distance of two places on the range, 2/3 half-ranges squared.
        """
        fold = self.users * self.share.uses / self.share.groups
        voters = int(fold / 2) if self.localising else 0
        wide = 2 * (1 + self.layout.margin) * self.layout.delta if self.localising else 2.0
        if self.layout.clip:
            wide = min(wide, 2.0)
        refined = (spread**2 + 2 * (wide / self.share.each) ** 2) / (fold - voters)
        chance = localise.success_chance(
            self.layout, voters=max(1, voters), observations=max(1, round(spread**-2)), epsilon=self.share.each
        )
        return float(np.mean(self.half**2)) * (refined + (1 - chance) * 2 / 3)
