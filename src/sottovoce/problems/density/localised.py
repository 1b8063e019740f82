"""Vote for the place of every coefficient, then report there: what the paper's two variants share."""

from __future__ import annotations

from sottovoce.problems.density.by_coefficients import ByCoefficients, basis
from sottovoce.problems.density.settings import Density
from sottovoce.schemes import Tuned, VoteThenRefine, everybody


class Localised(ByCoefficients):
    """PrivateDensity (L795), with constants to be given."""

    assumes = "model: users alike"

    def tuned(self, settings: Density) -> Tuned:
        """Δ, T* and the budget."""
        raise NotImplementedError("each variant has its constants")

    def scheme(self, settings: Density) -> VoteThenRefine:
        tuned = self.tuned(settings)
        return VoteThenRefine(
            survey=settings.survey,
            slots=everybody(settings.users),
            statistic=basis(settings),
            budget=tuned.budget,
            layout=tuned.layout,
        )
