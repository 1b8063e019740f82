"""Everybody at once about the whole distribution function, nothing assumed."""

from __future__ import annotations

import math

from sottovoce.messages import Fact, Rules
from sottovoce.methods import Asking, Script
from sottovoce.problems.method import Method
from sottovoce.problems.quantiles.answer import alone
from sottovoce.problems.quantiles.cdf import CdfEstimate
from sottovoce.problems.quantiles.estimate import QuantilesEstimate
from sottovoce.problems.quantiles.predicted import assumed, full_risk, laws, moved, wider
from sottovoce.problems.quantiles.seen import by_items, full_question, full_seen, item_variance
from sottovoce.problems.quantiles.settings import Cdf, Distributed
from sottovoce.problems.ruling import only
from sottovoce.risk import Crowd, Poisoning, Prediction, Wider, average

FEWEST, MOST = 8, 32


def asked_places(settings: Distributed) -> tuple[float, ...]:
    """Where F is asked about: the points wanted, or as many places as the users can tell apart."""
    return settings.places if isinstance(settings, Cdf) else settings.axis.spanning(even_places(settings))


def even_places(settings: Distributed) -> int:
    """More places show a finer curve through more noise."""
    one = 6 * (item_variance(2, settings.epsilon) - 0.17) / 3
    wanted = 1.2 * (settings.users / max(one, 0.05)) ** (1 / 3)
    return int(min(MOST, max(FEWEST, round(wanted)), max(1, settings.users)))


class OneRound(Method[Distributed]):
    """One question, nothing assumed about the users."""

    name = "one-round"
    help = "asks everybody once about the whole range"
    guaranteed = True
    not_empty = None

    def unavailable(self, settings: Distributed) -> Fact | None:
        users, places = settings.users, len(asked_places(settings))
        return Fact("too-few-users-for-places", users=users, places=places) if users < places else None

    def script(self, settings: Distributed) -> Script[QuantilesEstimate | CdfEstimate]:
        asking = Asking(survey=settings.survey, epsilon=settings.epsilon, users=settings.users)
        places = asked_places(settings)
        asked = full_question(asking, math.inf, axis=settings.axis, places=places, role="whole")
        tally = yield asked
        return alone(settings, self.name, full_seen(places, asked, tally), [sum(tally.reports)])

    def predict(self, settings: Distributed, crowd: Crowd) -> Prediction:
        places = asked_places(settings)
        return average([full_risk(settings, places, settings.users, law) for law in laws(settings, crowd)])

    def wider(self, settings: Distributed, crowd: Crowd) -> tuple[Wider, ...]:
        return wider(settings, crowd)

    def assumed(self, settings: Distributed, crowd: Crowd) -> tuple[Crowd, ...]:
        return assumed(settings, crowd)

    def rules(self, settings: Distributed) -> Rules:
        return only(next(self.script(settings)))

    def poisoning(self, settings: Distributed, crowd: Crowd) -> Poisoning:
        return moved(settings, len(asked_places(settings)), laws(settings, crowd))

    def words(self, settings: Distributed) -> Fact:
        places = len(asked_places(settings))
        return Fact("places-at-once", places=places, items=by_items(places, settings.epsilon))
