"""One random item from everybody by subset selection."""

from __future__ import annotations

import math

import numpy as np

from sottovoce.answers import two_sided
from sottovoce.messages import Fact, Rules
from sottovoce.methods import Asking, Script, projected_variance
from sottovoce.problems.histogram.answer import answered, levels
from sottovoce.problems.histogram.assumed import assumed
from sottovoce.problems.histogram.estimate import HistogramEstimate
from sottovoce.problems.histogram.items import Items, item_question, item_reach, item_variance
from sottovoce.problems.histogram.settings import Histogram
from sottovoce.problems.method import Method
from sottovoce.problems.ruling import only
from sottovoce.risk import Crowd, Poisoning, Prediction, Wider

KIND = Fact("guarded-exact-binomial")


class OneRound(Method[Histogram]):
    """One question, nothing assumed about the users."""

    name = "one-round"
    help = "asks everybody once, for one random item of theirs"
    guaranteed = True
    not_empty = None

    def script(self, settings: Histogram) -> Script[HistogramEstimate]:
        asking = Asking(survey=settings.survey, epsilon=settings.epsilon, users=settings.users)
        asked = item_question(asking, math.inf, vector=settings.vector)
        items = Items.of(asked, (yield asked))
        found = items.found
        held = np.clip(found.value, 0.0, 1.0)
        sampling = np.minimum(held * (1 - held) / found.reports, found.variance)
        each, joint = (items.ends(two_sided(level)) for level in levels(settings))
        return answered(
            settings,
            self.name,
            found.value,
            (sampling, found.variance - sampling),
            (each, joint),
            KIND,
            (found.reports,),
            poisoning=self.poisoning(settings, Crowd()),
        )

    def predict(self, settings: Histogram, crowd: Crowd) -> Prediction:
        """Of a share, on average, after it was moved to the simplex; for equal shares, whatever the users are."""
        shares = np.full(settings.size, 1 / settings.size)
        raw = item_variance(settings.epsilon, shares) / settings.users
        sampling = min(raw, (1 - 1 / settings.size) / settings.size / settings.users)
        free = Prediction(sampling=sampling, privacy=raw - sampling)
        return free.scaled(projected_variance(raw, settings.size) / raw)

    def guarded(self, settings: Histogram, crowd: Crowd) -> float:
        shares = np.full(settings.size, 1 / settings.size)
        return two_sided(settings.confidence) * math.sqrt(item_variance(settings.epsilon, shares) / settings.users)

    def wider(self, settings: Histogram, crowd: Crowd) -> tuple[Wider, ...]:
        """They count for the middle category, or for all alike; for equal shares."""
        return fallen_wider(settings)

    def assumed(self, settings: Histogram, crowd: Crowd) -> tuple[Crowd, ...]:
        return assumed(settings, crowd)

    def rules(self, settings: Histogram) -> Rules:
        return only(next(self.script(settings)))

    def poisoning(self, settings: Histogram, crowd: Crowd) -> Poisoning:
        return Poisoning(reach=item_reach(settings.epsilon, settings.size))

    def words(self, settings: Histogram) -> Fact:
        return Fact("one-item-each")


def fallen_wider(settings: Histogram, *, centred: bool = False) -> tuple[Wider, ...]:
    """How much wider intervals are, of the middle category and of the others; `centred`: some count as the shares."""
    share, equal = settings.empty_at_most, 1 / settings.size
    if settings.empty == "random":
        return (Wider.by(share, 0.0, 0.0),)
    middle, others = equal - 1, equal  # how far below the share they count
    return (
        Wider.by(share, 0.0 if centred else middle, -middle),
        Wider.by(share, others, 0.0 if centred else -others, weight=settings.size - 1),
    )
