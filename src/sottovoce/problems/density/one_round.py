"""Everybody at once: each user is asked about one wave, on its full range."""

from __future__ import annotations

import math

import numpy as np

from sottovoce.messages import Fact, Rules
from sottovoce.methods import Asking, Script, best_table, decoded, entry_means, entry_question, entry_variance
from sottovoce.problems.density.estimate import DensityEstimate
from sottovoce.problems.density.places import PEAK
from sottovoce.problems.density.predicted import of_one_round, width_of_one_round
from sottovoce.problems.density.settings import Density
from sottovoce.problems.density.shown import Reported, published
from sottovoce.problems.density.waves import too_many, vector, waves_of_one_round
from sottovoce.problems.method import Method
from sottovoce.problems.ruling import only
from sottovoce.risk import Crowd, Poisoning, Prediction, table_reach


class OneRound(Method[Density]):
    """One question, one table, nothing assumed about the users."""

    name = "one-round"
    help = "asks everybody once on the full range"
    guaranteed = True

    def unavailable(self, settings: Density) -> Fact | None:
        return too_many(settings)

    def script(self, settings: Density) -> Script[DensityEstimate]:
        asking = Asking(survey=settings.survey, epsilon=settings.epsilon, users=settings.users)
        waves = vector(settings, waves_of_one_round(settings))
        asked = entry_question(asking, math.inf, role="wave", vector=waves, low=(-PEAK,), high=(PEAK,))
        tally = yield asked
        found = entry_means(asked, tally)
        variance, noise = entry_variance(asked, tally) / np.array(tally.reports), decoded(asked, tally).privacy
        reported = Reported(
            value=found.value,
            variance=variance,
            sampling=np.maximum(variance - noise, 0.0),
            firm=found.value,
            most=found.variance,
            centre=(0.0,) * waves.size,
            answered=(found.reports,),
        )
        return published(settings, self.name, reported)

    def predict(self, settings: Density, crowd: Crowd) -> Prediction:
        return of_one_round(settings, crowd)

    def guarded(self, settings: Density, crowd: Crowd) -> float:
        return width_of_one_round(settings, crowd)

    def rules(self, settings: Density) -> Rules:
        return only(next(self.script(settings)))

    def poisoning(self, settings: Density, crowd: Crowd) -> Poisoning:
        """Of one coefficient."""
        return Poisoning(reach=table_reach(best_table(settings.epsilon), 2 * PEAK))

    def words(self, settings: Density) -> Fact:
        return Fact("waves-one-a-user", n=waves_of_one_round(settings))
