"""Vote for a place, then report there: what the paper's two variants share."""

from __future__ import annotations

import math

from sottovoce.answers import Estimate, StandardError, two_sided, within
from sottovoce.messages import Average
from sottovoce.problems.base import Method
from sottovoce.problems.mean.answer import answered
from sottovoce.problems.mean.assumed import stated
from sottovoce.problems.mean.settings import Mean
from sottovoce.risk import Averages, Crowd, Poisoning, Prediction, worst
from sottovoce.schemes import Script, Tuned, VoteThenRefine, everybody

KIND = "model: users alike, so that their averages lie near one another"
WRONG_PLACE = (
    "the votes may have chosen the wrong place: more users or a larger epsilon would settle it, "
    'method="one-round" does without'
)


class Localised(Method[Mean]):
    """Localise, then refine, with constants to be given."""

    def tuned(self, settings: Mean) -> Tuned:
        """Δ, T* and the budget."""
        raise NotImplementedError("each variant has its constants")

    def scheme(self, settings: Mean) -> VoteThenRefine:
        """The two questions."""
        tuned = self.tuned(settings)
        return VoteThenRefine(
            survey=settings.survey,
            slots=everybody(settings.users),
            statistic=Average(first=tuned.kept if tuned.kept < settings.observations else None),
            budget=tuned.budget,
            layout=tuned.layout,
        )

    def script(self, settings: Mean) -> Script[Estimate]:
        means = yield from self.scheme(settings).script()
        error = StandardError(
            sampling=math.sqrt(means.sampling[0]),
            privacy=math.sqrt(means.privacy[0]),
            localisation=math.sqrt(means.localisation[0]),
        )
        warnings: tuple[str, ...] = ()
        if len(means.answered) > 1:
            strength = settings.users * min(settings.epsilon, settings.epsilon**2)
            if strength < 100 or error.localisation > 0.02 * (settings.high - settings.low):
                warnings = (WRONG_PLACE,)
        value = float(means.value[0])
        reach = two_sided(settings.confidence) * error.total
        interval = within((value - reach, value + reach), settings.low, settings.high)
        return answered(settings, self.name, value, interval, KIND, error, means.answered, warnings)

    def predict(self, settings: Mean, crowd: Crowd) -> Prediction:
        scheme = self.scheme(settings)
        return worst(scheme.risk(law) for law in self.laws(settings, crowd))

    def assumed(self, settings: Mean, crowd: Crowd) -> tuple[Crowd, ...]:
        """Users alike, unless the caller says how they differ."""
        return (stated(settings, crowd),)

    def laws(self, settings: Mean, crowd: Crowd) -> list[Averages]:
        """The users' averages at each place that the crowd leaves open."""
        tuned = self.tuned(settings)
        step = tuned.layout.delta * (settings.high - settings.low)
        return crowd.laws(settings.low, settings.high, observations=tuned.kept, step=step)

    def users_per_round(self, settings: Mean) -> tuple[int, ...]:
        return self.scheme(settings).users_per_round

    def worst_law(self, settings: Mean, crowd: Crowd) -> Averages:
        """The users' averages for which `predict` speaks."""
        scheme = self.scheme(settings)
        return max(self.laws(settings, crowd), key=lambda law: scheme.risk(law).mse)

    def poisoning(self, settings: Mean, crowd: Crowd) -> Poisoning:
        return self.scheme(settings).poisoning(self.laws(settings, crowd))

    def words(self, settings: Mean) -> str:
        return self.scheme(settings).words()
