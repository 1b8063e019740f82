"""How many times larger one mean squared error is than another, when both methods met the same users."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from sottovoce.messages import Fact
from sottovoce.trials.repetitions import mean, standard_error


@dataclass(frozen=True, kw_only=True)
class Ratio:
    """A ratio of mean squared errors; below 1 the first is the more accurate. One repetition has no standard error."""

    value: float
    standard_error: float | None

    @property
    def inverse(self) -> Ratio:
        """The other way round; the relative standard error is the same, as everywhere in the delta method."""
        error = None if self.standard_error is None else self.standard_error / self.value**2
        return Ratio(value=1 / self.value, standard_error=error)

    @property
    def words(self) -> Fact:
        """``12.3 ± 0.8 × lower``."""
        if self.value == 1 and not self.standard_error:
            return Fact("trial-ratio-same")
        if self.value == 0:
            return Fact("trial-ratio-none")
        return self.inverse.fact("trial-ratio-lower") if self.value < 1 else self.fact("trial-ratio-higher")

    def fact(self, code: str = "trial-ratio") -> Fact:
        """Itself, with its standard error."""
        return Fact(code, value=self.value, error=self.standard_error)

    def __str__(self) -> str:
        return str(self.fact())


def paired_ratio(squares: Sequence[float], reference: Sequence[float]) -> Ratio | None:
    """Mean of `squares` over mean of `reference`, entry by entry from the same repetition; None over zero.

    The delta method: the ratio r errs as the average of (a − r·b) over the reference's mean, so that what hits both
    methods in one repetition (the users who were drawn) cancels.
    """
    below = mean(reference)
    if not 0 < below < math.inf:
        return None
    value = mean(squares) / below
    error = standard_error([(a - value * b) / below for a, b in zip(squares, reference, strict=True)])
    return Ratio(value=value, standard_error=error)
