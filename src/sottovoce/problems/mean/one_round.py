"""Everybody at once on the full range; and what every method of a mean does alike: assume users, make an answer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from sottovoce.answers import Assumes, Estimate, Note, NoteCode, StandardError
from sottovoce.design import even_table
from sottovoce.messages import Fact, Interval, exact
from sottovoce.methods import (
    EvenReading,
    FullRange,
    Script,
    all_slots,
    expected_reading,
    groups_of_one_round,
    shrink_to_middle,
)
from sottovoce.problems.alternatives import assumed_crowds
from sottovoce.problems.mean.settings import Mean
from sottovoce.problems.method import Method
from sottovoce.risk import (
    ASSUMED_SPREAD,
    Averages,
    Crowd,
    Poisoning,
    Prediction,
    Widening,
    clamped_normal_mse,
)
from sottovoce.theory import limit

_BELL = 1 / 8
"""User averages with at most this part of the range as standard deviation are about normal: four fit on either side."""
PULLED = 1e-3
"""A value that was shrunk by less than this part of its error needs no note. Chosen by hand."""


def widest_law(laws: Sequence[Averages]) -> Averages:
    """The law of the users' averages, of those left open, that varies most."""
    return max(laws, key=lambda law: law.variance)


def least_error(settings: Mean, crowd: Crowd) -> float | None:
    """The least mean squared error that ε allows for such users; None where their averages are far from normal."""
    variance = widest_law(settings.laws(crowd)).variance
    if not 0 < variance <= (_BELL * settings.width) ** 2:
        return None
    return limit(settings.epsilon) * variance / settings.users


SPREADS = (0.05, 0.1, 0.2)
"""Of the range: how much the means of users differ by whom ``auto`` chooses, beside users alike, camps, and few far."""
CAMPS = ((0.35, 0.7), (0.8, 0.3))
FEW_FAR = ((0.4, 0.99), (0.975, 0.01))
"""Where on the range users are, and which part of them: chosen by hand, at places where no bin begins."""


@lru_cache(maxsize=64)
def groups_of_users(settings: Mean, crowd: Crowd, groups: tuple[tuple[float, float], ...]) -> Crowd:
    """Users of several groups, those of one group alike."""
    low, high = settings.low, settings.high
    laws = [
        crowd.averages(centre=low + place * (high - low), observations=settings.observations, low=low, high=high)
        for place, _ in groups
    ]
    weights = [law.weights * share for law, (_, share) in zip(laws, groups, strict=True)]
    points = np.concatenate([law.points for law in laws])
    return Crowd(law=Averages(points=points, weights=np.concatenate(weights)))


class MeanMethod(Method[Mean]):
    """What the methods of a mean share: the users that they are judged by, and one kind of answer."""

    def loss(self, settings: Mean, crowd: Crowd) -> float:
        predictions = [self.predict(settings, users) for users in self.judging_users(settings, crowd).values()]
        if settings.aim == "error":
            return sum(math.log(one.mse) for one in predictions) / len(predictions)
        return sum(one.loss(settings.confidence) for one in predictions) / len(predictions)

    def judging_users(self, settings: Mean, crowd: Crowd) -> dict[Fact, Crowd]:
        """The users by whom ``auto`` chooses, by what they are; where nobody says how they differ, many kinds."""
        assumed, width = self.assumed_users(settings, crowd), settings.width
        if len(assumed) == 1:
            return {Fact("users-as-given"): assumed[0]}
        alike = replace(crowd, spread=0.0)
        return {
            Fact("users-alike"): alike,
            **{
                Fact("users-differ-by", spread=part * width, part=part): replace(crowd, spread=part * width)
                for part in SPREADS
            },
            Fact("users-in-two-camps"): groups_of_users(settings, alike, CAMPS),
            Fact("users-few-far-away", part=FEW_FAR[1][1]): groups_of_users(settings, alike, FEW_FAR),
        }

    def assumed_users(self, settings: Mean, crowd: Crowd) -> tuple[Crowd, ...]:
        return assumed_crowds(crowd, settings.spread, ASSUMED_SPREAD * settings.width)

    def worst_law(self, settings: Mean, crowd: Crowd) -> Averages:
        """The users' averages for which `predict` speaks."""
        return widest_law(settings.laws(crowd))

    def answer(
        self,
        settings: Mean,
        value: float,
        interval: Interval,
        *,
        users: Sequence[int],
        poisoning: Poisoning,
        notes: tuple[Note, ...] = (),
        shrunk: bool = False,
        **facts: Any,
    ) -> Estimate:
        """One number, moved into the range where noise took it out, with its interval; `facts` are further fields.

        `poisoning` is what colluders can do at this very answer, which never leaves its range, not even when votes are
        captured: the farther end is the most. `shrunk`: what the caller wanted is done, so that no note says otherwise.
        """
        low, high = settings.low, settings.high
        inside = min(high, max(low, value))
        most, halfwidth = max(high - inside, inside - low), (interval[1] - interval[0]) / 2
        return Estimate(
            **{"assumes": Assumes.NOTHING} | self.survey_facts(settings, tuple(users)) | facts,
            value=inside,
            interval=(float(interval[0]), float(interval[1])),
            low=low,
            high=high,
            notes=(*notes, Note(NoteCode.NOT_SHRUNK)) if settings.shrink and not shrunk else notes,
            colluders=poisoning.colluders(halfwidth, most),
        )


class OneRound(MeanMethod):
    """One question, one table, nothing assumed about the users: bent where a few of the reports say."""

    name = "one-round"
    help = "asks everybody once on the full range"
    edition = 2
    guaranteed = True
    why_not_empty = None

    def scheme(self, settings: Mean) -> FullRange:
        """The only question; its table is a closed form."""
        return FullRange(
            survey=settings.survey,
            slots=all_slots(settings.users),
            low=(settings.low,),
            high=(settings.high,),
            epsilon=settings.epsilon,
            groups=groups_of_one_round(settings.users, settings.epsilon),
            channel=even_table(exact(settings.epsilon)),
        )

    def script(self, settings: Mean) -> Script[Estimate]:
        scheme = self.scheme(settings)
        tally = yield scheme.question()
        reading = EvenReading(table=scheme.table, counts=tally.counts(), confidence=settings.confidence)
        middle, half = (settings.low + settings.high) / 2, settings.width / 2
        value, error = middle + half * reading.value, half * reading.error
        low, high = (middle + half * end for end in reading.interval)
        sampling = min(error, half * reading.spread / math.sqrt(sum(tally.reports)))
        notes: tuple[Note, ...] = ()
        if settings.shrink:
            width = settings.width
            pulled = settings.low + width * shrink_to_middle((reading.value + 1) / 2, (error / width) ** 2)
            if abs(pulled - value) > PULLED * error:
                value, notes = pulled, (Note(NoteCode.PULLED_TO_MIDDLE, value=value),)
        return self.answer(
            settings,
            value,
            (max(settings.low, min(low, value)), min(settings.high, max(high, value))),
            users=(sum(tally.reports),),
            poisoning=Poisoning(reach=half * reading.reach),
            notes=notes,
            shrunk=True,
            interval_kind=Fact("guarded-normal"),
            standard_error=StandardError(sampling=sampling, privacy=math.sqrt(error**2 - sampling**2)),
        )

    def expected(self, settings: Mean, crowd: Crowd) -> EvenReading:
        """What reports would say that came just as often as expected."""
        return _expected(settings, self.worst_law(settings, crowd))

    def predict(self, settings: Mean, crowd: Crowd) -> Prediction:
        half, reading = settings.width / 2, self.expected(settings, crowd)
        law, (low, high) = self.worst_law(settings, crowd), reading.interval
        ends = {"mean": law.mean, "low": settings.low, "high": settings.high}
        mse = clamped_normal_mse((half * reading.error) ** 2, **ends)
        sampling = min(mse, law.variance / settings.users)
        return Prediction(sampling=sampling, privacy=mse - sampling, guaranteed=half * (high - low) / 2)

    def widenings_for_empty(self, settings: Mean, crowd: Crowd) -> tuple[Widening, ...]:
        """They count as the middle of the range."""
        middle = (settings.low + settings.high) / 2
        return (widening_for_empty_users(settings, [(law.mean, law.mean - middle) for law in settings.laws(crowd)]),)

    def poisoning(self, settings: Mean, crowd: Crowd) -> Poisoning:
        return Poisoning(reach=settings.width / 2 * self.expected(settings, crowd).reach)

    def words(self, settings: Mean) -> Fact:
        return Fact("full-range", folds=1)


@lru_cache(maxsize=256)
def _expected(settings: Mean, law: Averages) -> EvenReading:
    middle, half = (settings.low + settings.high) / 2, settings.width / 2
    points = (law.points - middle) / half
    return expected_reading(OneRound().scheme(settings).question(), points, law.weights, settings.confidence)


def widening_for_empty_users(settings: Mean, places: list[tuple[float, float]]) -> Widening:
    """How much wider intervals are at the mean that lies farthest from what users without data count as.

    `places` are pairs: where a mean may lie, and how far above what they count as.
    """
    mean, away = max(places, key=lambda place: abs(place[1]))
    return Widening.by(settings.empty_at_most, away, -away, room=(mean - settings.low, settings.high - mean))
