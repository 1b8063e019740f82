"""One entry of a vector a user, on its full range through the best table: nobody is cut off."""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass

from sottovoce.design import usual_variance
from sottovoce.messages import Encoder, Entry, Position, Question, Tally, Vector
from sottovoce.schemes.asking import Asking
from sottovoce.schemes.directions import Found
from sottovoce.schemes.full_range import best_table, decoded


@dataclass(frozen=True, kw_only=True)
class Entries:
    """Entries that all lie on [low, high]."""

    vector: Vector
    low: float
    high: float
    epsilon: float

    def variance(self, typical: float) -> float:
        """Of an entry, times the reports: each entry has its part of the users."""
        noise = usual_variance(best_table(self.epsilon)) * ((self.high - self.low) / 2) ** 2
        return self.vector.size * noise + typical**2

    def script(self, asking: Asking) -> Generator[Question, Tally, Found]:
        """Ask everybody who is left."""
        asked = asking.question(
            math.inf,
            role="entry",
            encoder=Encoder(
                statistic=Entry(vector=self.vector), placement=Position(low=(self.low,), high=(self.high,))
            ),
            channel=best_table(self.epsilon),
            groups=self.vector.size,
        )
        means = decoded(asked, (yield asked))
        return Found(value=means.value, variance=means.deviation**2, reports=means.answered[0])
