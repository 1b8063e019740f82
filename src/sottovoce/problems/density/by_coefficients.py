"""A mean for each basis function, a fold of users each: what all methods share."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from typing import ClassVar

from sottovoce.answers import DensityEstimate
from sottovoce.messages import Basis
from sottovoce.problems.base import Method
from sottovoce.problems.density.answer import PEAK, answered
from sottovoce.problems.density.settings import Density
from sottovoce.risk import Averages, Crowd, Poisoning, Prediction, average
from sottovoce.schemes import GroupScheme, Script

LARGEST = 201
"""``"auto"`` looks no further: a curve of more coefficients takes hundreds of megabytes to draw."""
HOPELESS = 4.0
"""So many times the lowest squared error of a smaller M, and the variance has taken over: it only grows."""


class ByCoefficients(Method[Density]):
    """Estimate θ₂ … θ_M, in a way to be given; θ₁ = 1 is known and not asked."""

    assumes: ClassVar[str]
    """What the intervals take for granted about the users."""

    def scheme(self, settings: Density) -> GroupScheme:
        """How coefficients are estimated: a fold of users for each but the first."""
        raise NotImplementedError("each method has its way")

    def variants(self, settings: Density, crowd: Crowd) -> tuple[Density, ...]:
        """Numbers of coefficients: every third up to where the variance has taken over, all around the best of them."""
        own = replace(settings, method=self.name)
        if settings.coefficients is not None:
            return (own,)
        found = [replace(own, coefficients=size) for size in _sizes(min(settings.most, LARGEST))]
        risks: dict[int, float] = {}
        for place in range(0, len(found), 3):
            risks[place] = self.predict(found[place], crowd).mse
            if risks[place] > HOPELESS * min(risks.values()):
                break
        best = min(risks, key=risks.__getitem__)
        around = range(max(0, best - 2), min(len(found), best + 3))
        return own, *(found[place] for place in sorted({*risks, *around}))

    def script(self, settings: Density) -> Script[DensityEstimate]:
        means = yield from self.scheme(settings).script()
        return answered(settings, self.name, self.assumes, means)

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

    def poisoning(self, settings: Density, crowd: Crowd) -> Poisoning:
        """Of one coefficient."""
        return self.scheme(settings).poisoning(self.laws(settings, crowd))

    def words(self, settings: Density) -> str:
        return f"M = {settings.size} coefficients, {self.scheme(settings).words()}"


@lru_cache(maxsize=4096)
def _predicted(method: ByCoefficients, settings: Density, crowd: Crowd) -> Prediction:
    """Kept, because a choice looks at every M twice: how far to go, then which."""
    scheme = method.scheme(settings)
    each = average([scheme.risk(law) for law in method.laws(settings, crowd)])
    rest = settings.radius**2 * math.exp(-2 * settings.smoothness * math.log(settings.size + 1))
    return each.scaled(settings.size - 1) + Prediction(sampling=0.0, privacy=0.0, omission=rest)


def _sizes(most: int) -> list[int]:
    """Odd numbers, since a cosine and its sine come together, farther apart as they grow; 2 where no more fits."""
    found, last = [min(3, most)], most - (most + 1) % 2
    while found[-1] < last:
        found.append(min(last, found[-1] + 2 * max(1, found[-1] // 12)))
    return found


def basis(settings: Density) -> Basis:
    """The averages that users hold of all basis functions but the first."""
    return Basis(low=settings.low, high=settings.high, functions=tuple(range(2, settings.size + 1)))
