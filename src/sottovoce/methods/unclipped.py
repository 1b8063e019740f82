"""Ways to ask about the mean of vectors that cut nobody off: where no radius is worth it, and where none was found."""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from sottovoce.design import subset, usual_variance
from sottovoce.messages import Encoder, Entry, Position, Question, Tally, Vector
from sottovoce.methods.asking import Asking
from sottovoce.methods.directions import Found, directed_mean, direction_question, response, symbols
from sottovoce.methods.full_range import ENOUGH_TO_MEASURE, best_table, decoded
from sottovoce.methods.zoomed import Domain
from sottovoce.risk import table_reach


class Unclipped(Protocol):
    """A way to ask everybody who is left."""

    @property
    def reach(self) -> float:
        """How far a report may lie from an honest one in an entry: colluders move it by their share of that."""
        ...

    def variance(self, typical: float) -> float:
        """Of an entry, times the reports, for users who lie about so far from their mean."""
        ...

    def script(self, asking: Asking) -> Generator[Question, Tally, Found]:
        """Ask, and decode."""
        ...


def sway(epsilon: float) -> float:
    """How far in an entry, or along any line, a direction report moves at most, on average over slots, for radius 1.

    A colluder sends the best of the symbols: E max|N(0, 1)| over the rows, divided by the response.
    """
    own, other = subset(epsilon, symbols(epsilon), size=1).inclusion
    return 1 / (own - other)


@dataclass(frozen=True, kw_only=True)
class FromMiddle:
    """Direction reports from the middle of the domain, with its own radius."""

    vector: Vector
    domain: Domain
    epsilon: float

    @property
    def reach(self) -> float:
        return self.domain.radius * sway(self.epsilon) + float(self.domain.farthest(self.domain.middle).max())

    def variance(self, typical: float) -> float:
        """Whatever the users are."""
        return (self.domain.radius / response(self.epsilon)) ** 2

    def script(self, asking: Asking) -> Generator[Question, Tally, Found]:
        """Ask everybody who is left."""
        asked = direction_question(
            asking,
            math.inf,
            role="direction",
            vector=self.vector,
            centre=self.domain.middle,
            radius=self.domain.radius,
        )
        return self._careful(directed_mean(asked, (yield asked)))

    def _careful(self, found: Found) -> Found:
        """With few reports their own variance says little: they may vary as the largest of all rows does."""
        if found.reports >= ENOUGH_TO_MEASURE:
            return found
        part, rows = 1 - found.reports / ENOUGH_TO_MEASURE, max(2, symbols(self.epsilon) // 2)
        least = self.variance(0.0) * (1 + part * max(0.0, 2 * math.log(rows) - 1)) / found.reports
        return replace(found, variance=np.maximum(found.variance, least))


@dataclass(frozen=True, kw_only=True)
class Entries:
    """One entry a user, through the best table; entries all lie on [low, high]."""

    vector: Vector
    low: float
    high: float
    epsilon: float

    @property
    def reach(self) -> float:
        return table_reach(best_table(self.epsilon), self.high - self.low)

    def variance(self, typical: float) -> float:
        """Each entry has its part of the users."""
        noise = usual_variance(best_table(self.epsilon)) * ((self.high - self.low) / 2) ** 2
        return self.vector.size * noise + typical**2

    def script(self, asking: Asking) -> Generator[Question, Tally, Found]:
        """Ask everybody who is left."""
        placement = Position(low=(self.low,), high=(self.high,))
        asked = asking.question(
            math.inf,
            role="entry",
            encoder=Encoder(statistic=Entry(vector=self.vector), placement=placement),
            channel=best_table(self.epsilon),
            groups=self.vector.size,
        )
        means = decoded(asked, (yield asked))
        return Found(value=means.value, variance=means.deviation**2, reports=means.answered[0])
