"""A mean for each trigonometric basis function, a fold of users each: vote for its place, then report there.

What the paper's two variants share.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

from sottovoce.messages import Basis, Fact, Rules
from sottovoce.methods import Script, Tuned, VoteThenRefine, everybody
from sottovoce.problems.density.answer import answered
from sottovoce.problems.density.estimate import DensityEstimate
from sottovoce.problems.density.places import PEAK
from sottovoce.problems.density.settings import Density
from sottovoce.problems.method import Method
from sottovoce.problems.ruling import voted
from sottovoce.risk import Averages, Crowd, Poisoning, Prediction, average


class Localised(Method[Density]):
    """PrivateDensity (L795), with constants to be given: θ₂ … θ_M; θ₁ = 1 is known and not asked."""

    def tuned(self, settings: Density) -> Tuned:
        """Δ, T* and the budget."""
        raise NotImplementedError("each variant has its constants")

    def scheme(self, settings: Density) -> VoteThenRefine:
        """How coefficients are estimated: a fold of users for each but the first."""
        tuned = self.tuned(settings)
        return VoteThenRefine(
            survey=settings.survey,
            slots=everybody(settings.users),
            statistic=basis(settings),
            budget=tuned.budget,
            layout=tuned.layout,
        )

    def script(self, settings: Density) -> Script[DensityEstimate]:
        means = yield from self.scheme(settings).script()
        return answered(settings, self.name, means)

    def predict(self, settings: Density, crowd: Crowd) -> Prediction:
        """The errors of all coefficients, and the largest truncation error of a density of the declared smoothness."""
        return _predicted(self, settings, crowd)

    def laws(self, settings: Density, crowd: Crowd) -> list[Averages]:
        """Of the users' own coefficients, at places that differ in how they lie to the edges of bins.

        A cosine and its sine have a variance of 2 − θ² together at most, so a basis function deviates by 1 on
        average: the worst case, and `within` states less. `spread` is that of the users' own coefficients.
        """
        crowd.check_range(-PEAK, PEAK)
        stated = replace(crowd, within=min(1.0, 1.0 if crowd.within is None else crowd.within), around=None)
        step = self.scheme(settings).step
        centres = (0.0, 0.25 * step, 0.5 * step) if crowd.around is None else (crowd.around,)
        return [
            stated.averages(centre=centre, observations=settings.observations, low=-PEAK, high=PEAK)
            for centre in centres
        ]

    def users_per_round(self, settings: Density) -> tuple[int, ...]:
        return self.scheme(settings).users_per_round

    def rules(self, settings: Density) -> Rules:
        return voted(self.scheme(settings))

    def poisoning(self, settings: Density, crowd: Crowd) -> Poisoning:
        """Of one coefficient."""
        return self.scheme(settings).poisoning(self.laws(settings, crowd))

    def words(self, settings: Density) -> Fact:
        return Fact("coefficients-each", size=settings.size, how=self.scheme(settings).words())


@lru_cache(maxsize=4096)
def _predicted(method: Localised, settings: Density, crowd: Crowd) -> Prediction:
    """Kept: a plan looks at it several times."""
    scheme = method.scheme(settings)
    each = average([scheme.risk(law) for law in method.laws(settings, crowd)])
    rest = settings.radius**2 * math.exp(-2 * settings.trusted * math.log(settings.size + 1))
    return each.scaled(settings.size - 1) + Prediction(sampling=0.0, privacy=0.0, omission=rest)


def basis(settings: Density) -> Basis:
    """The averages that users hold of all basis functions but the first."""
    return Basis(low=settings.low, high=settings.high, functions=tuple(range(2, settings.size + 1)))
