"""What users who collude could do: each of them controls one report, and nothing in it tells on them.

A colluder may send any report that the channel can send, so the bound is the largest one. Slots are dealt at random,
so a share of all users is the same share of every round.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from sottovoce.answers import Colluders
from sottovoce.design import LAPLACE_CLAMP_SCALES
from sottovoce.messages import Laplace, Subset, Table

COLLUDING = (0.01, 0.05)
"""Shares of the users of which it is said what they could have done."""


@dataclass(frozen=True, kw_only=True)
class Poisoning:
    """How far a share of colluding users can move the answer, in units of the observations.

    `reach`: all of them together move it by at most share × reach, as long as they do not decide the votes.
    `capture`: the share that decides the votes, and with them the place; None where nothing is voted on.
    `known`: shifts of certain shares, where they do not grow in proportion, as pairs.
    """

    reach: float
    capture: float | None = None
    known: tuple[tuple[float, float], ...] = ()

    def shift(self, share: float) -> float:
        """The largest shift; the whole of it is unbounded by this once the votes are captured."""
        if share in dict(self.known):
            return dict(self.known)[share]
        return math.inf if self.capture is not None and share >= self.capture else share * self.reach

    def share_for(self, shift: float) -> float:
        """The smallest share of users that can move the answer by so much."""
        needed = self._needed(shift)
        return min(1.0, needed, 1.0 if self.capture is None else self.capture)

    def colluders(self, halfwidth: float, most: float) -> Colluders:
        """What an answer of this half-width says of them; it cannot be moved by more than `most`."""
        shifts = tuple((share, min(most, self.shift(share))) for share in COLLUDING)
        return Colluders(share=self.share_for(halfwidth), shifts=shifts)

    def _needed(self, shift: float) -> float:
        """Straight between the shifts that are known, in proportion beyond them; else in proportion to the reach."""
        before = (0.0, 0.0)
        for share, known in self.known:
            if shift <= known and known > before[1]:
                return before[0] + (share - before[0]) * (shift - before[1]) / (known - before[1])
            before = share, max(before[1], known)
        if before[1] > 0:
            return before[0] * shift / before[1]
        return shift / self.reach if self.reach > 0 else 1.0


def table_reach(table: Table, width: float) -> float:
    """From an honest user at one end to the farthest symbol beyond the other."""
    return width * max(*table.whole, 1 - min(table.whole))


def subset_reach(channel: Subset) -> float:
    """How far one colluder pulls a share: from an honest report to the farthest, times the users."""
    included, other = channel.inclusion
    return max(included, 1 - other) / (included - other)


def laplace_reach(width: float, epsilon: float) -> float:
    """The report is clamped so many scales beyond the interval: (1 + C/ε) widths from the far end."""
    return width * (1 + LAPLACE_CLAMP_SCALES / epsilon)


def reach_from(channel: Table | Laplace, width: float, place: float) -> float:
    """From honest users who are at `place` of an interval (0 to 1) on average to the farthest report, either way."""
    if isinstance(channel, Table):
        lowest, highest = min(channel.whole), max(channel.whole)
    else:
        lowest, highest = -channel.bound / channel.steps, 1 + channel.bound / channel.steps
    return width * max(highest - place, place - lowest)


def capture_share(keep: float, concentration: float, *, base: float | None = None) -> float:
    """The share β that makes a wrong bin win when a share `concentration` of the honest users holds the right one.

    Colluders light the wrong bin alone: β + (1 − β)(1 − w) against (1 − β)((1 − w) + (2w − 1)p), so that
    β = (2w − 1)p / (1 + (2w − 1)p); at ε = .1, .5, 1 and p = 1 that is 2.4, 11 and 20 %.
    `base` is the chance that a bin is lit by one who does not hold it, left out 1 − w as in a vote by bits.
    """
    pull = (keep - (1 - keep if base is None else base)) * concentration
    return pull / (1 + pull)
