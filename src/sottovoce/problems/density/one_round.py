"""Everybody at once, every coefficient on its full range."""

from __future__ import annotations

from sottovoce.problems.density.answer import PEAK
from sottovoce.problems.density.by_coefficients import ByCoefficients, basis
from sottovoce.problems.density.settings import Density
from sottovoce.schemes import FullRange, everybody


class OneRound(ByCoefficients):
    """One question, one table, nothing assumed about the users."""

    name = "one-round"
    help = "asks everybody once on the full range"
    assumes = "no assumption on the users"

    def scheme(self, settings: Density) -> FullRange:
        return FullRange(
            survey=settings.survey,
            slots=everybody(settings.users),
            low=(-PEAK,),
            high=(PEAK,),
            epsilon=settings.epsilon,
            statistic=basis(settings),
            groups=settings.size - 1,
        )
