"""The bins of a vote: the paper's UserLevelMean (L413) and GeneralUserLevelMean (L1707).

Everything works in the units of a declared range; the paper's [−1, 1] is ``low … high`` and its Δ is `delta`
half-ranges.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sottovoce.design import unary
from sottovoce.messages import Fact, Grid, Question, Tally, Unary
from sottovoce.theory import bin_count

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Layout:
    """N = ⌈1/Δ⌉ bins of width 2Δ (in half-ranges) from `low` on; the last may stick out, as the paper's does.

    With `reach` 1 a user votes for three bins; `clip` cuts a widened bin to the range.
    """

    low: float
    high: float
    delta: float
    reach: int = 0
    clip: bool = False

    def __post_init__(self) -> None:
        if self.bins <= self.reach + 1:  # every bin would get every vote: such a question says nothing
            object.__setattr__(self, "reach", 0)

    @property
    def half(self) -> float:
        return (self.high - self.low) / 2

    @property
    def bins(self) -> int:
        return bin_count(self.delta)

    @property
    def margin(self) -> float:
        """How far the chosen bin is widened to each side: 2Δ for one-bin votes, 5Δ for three-bin votes."""
        return 2.0 if self.reach == 0 else 5.0

    def vote_channel(self, epsilon: Fraction) -> Unary:
        """Unary votes: ω_{α/2} for one bin, ω_{α/6} for three (ERRATA P2)."""
        return unary(epsilon, self.bins, reach=self.reach)

    def grid(self) -> Grid:
        return Grid(low=(self.low,), high=(self.low + 2 * self.bins * self.delta * self.half,), count=self.bins)

    @property
    def edges(self) -> Floats:
        """Where the bins of a vote begin and end."""
        grid = self.grid()
        return np.linspace(grid.low[0], grid.high[0], self.bins + 1)

    def centre(self, index: Integers) -> Floats:
        return np.asarray(self.low + (2 * np.asarray(index) + 1) * self.delta * self.half, dtype=np.float64)

    def widened(self, index: Integers) -> tuple[Floats, Floats]:
        """Ĩ of the chosen bins; intersected with the range when `clip` (ERRATA 7)."""
        reach = (1 + self.margin) * self.delta * self.half
        low, high = self.centre(index) - reach, self.centre(index) + reach
        return (np.maximum(low, self.low), np.minimum(high, self.high)) if self.clip else (low, high)

    def words(self) -> Fact:
        return Fact("bins-of-delta", bins=self.bins, delta=self.delta)


def winners(tally: Tally) -> Integers:
    """The bin with the most votes in each group, ties to the lower index (L428)."""
    return np.asarray(np.argmax(tally.counts(), axis=1))


def misplaced(layout: Layout, question: Question, tally: Tally) -> Floats:
    """Mean squared distance by which the localisation of each group may be off, judged from the votes themselves.

    A bin two or more places from the winner beats it in truth with about the normal tail of their gap; each such
    bin counts with that probability and its squared distance, in all at most the whole range.
    """
    best = winners(tally)
    found = rivals(layout, question, tally, groups=np.arange(len(best)), chosen=best)
    apart = np.abs(np.arange(found.chance.shape[1])[None, :] - best[:, None])
    far = np.where(apart > 1 + layout.reach, found.distance**2 * found.chance, 0.0)
    return np.asarray(np.minimum(far.sum(axis=1), (layout.high - layout.low) ** 2))


@dataclass(frozen=True, kw_only=True)
class Rivals:
    """What every bin was to each chosen one: arrays ``(chosen, bins)``."""

    distance: Floats
    """Up to the chosen bin's neighbour."""
    gap: Floats
    """By how many standard errors it lost."""
    chance: Floats
    """That it is the fuller one in truth: about the normal tail of the gap."""


def rivals(layout: Layout, question: Question, tally: Tally, *, groups: Integers, chosen: Integers) -> Rivals:
    """How sure each `chosen` bin is of its place, in the group that stands beside it in `groups`."""
    channel = question.channel
    assert isinstance(channel, Unary)
    votes = tally.counts().astype(np.float64)[groups]
    reports = np.array(tally.reports, dtype=np.float64)[groups]
    apart = np.abs(np.arange(votes.shape[1])[None, :] - chosen[:, None])
    deviation = np.sqrt(2 * reports * channel.keep * (1 - channel.keep))[:, None]
    gap = (votes[np.arange(len(chosen)), chosen][:, None] - votes) / deviation
    return Rivals(
        distance=2 * (apart - 1) * layout.delta * layout.half,
        gap=gap,
        chance=0.5 * np.vectorize(math.erfc, otypes=[float])(gap / math.sqrt(2)),
    )
