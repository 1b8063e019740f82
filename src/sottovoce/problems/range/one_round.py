"""Everybody at once says in which bin they are."""

from __future__ import annotations

import math

import numpy as np

from sottovoce.answers import WHOLE_COLLECTION, Chosen, ChosenBy, Note, NoteCode, Privacy, two_sided
from sottovoce.design import subset
from sottovoce.messages import Average, Fact, Item, Question, Rules, Slots, Subset, exact
from sottovoce.methods import Script, Shares, bins_question
from sottovoce.problems.method import Method
from sottovoce.problems.range.estimate import RangeEstimate
from sottovoce.problems.range.found import Hull, above_chance, outside, threshold
from sottovoce.problems.range.settings import Range
from sottovoce.problems.ruling import only
from sottovoce.risk import Crowd, Poisoning, Prediction

KIND = Fact("bins-above-chance")
ROLE = "range"


class OneRound(Method[Range]):
    """One question, nothing assumed about the users."""

    name = "one-round"
    help = "asks everybody once, for the bin that they are in"
    guaranteed = True

    def question(self, settings: Range) -> Question:
        return bins_question(
            survey=settings.survey,
            number=0,
            role=ROLE,
            slots=Slots(first=0, count=settings.users),
            edges=settings.edges,
            epsilon=settings.epsilon,
            statistic=Average() if settings.of == "averages" else Item(),
            empty="random",  # in the middle they would vote for zero
        )

    def script(self, settings: Range) -> Script[RangeEstimate]:
        asked = self.question(settings)
        tally = yield asked
        shares = Shares.of(asked, tally)
        hull = above_chance(shares)
        why = _nowhere(settings, shares, hull)
        wide = None if hull is None or why is not None else _widened(hull, shares.bins)
        away, error = (1.0, 0.0) if wide is None else outside(shares, wide)
        ends = None if wide is None else _ends(settings, wide)
        most = max(0.0, away) + two_sided(max(0.0, 2 * settings.confidence - 1)) * error  # on one side
        return RangeEstimate(
            low=None if ends is None else ends[0],
            high=None if ends is None else ends[1],
            of=settings.of,
            outside=min(1.0, max(0.0, away)),
            detection_limit=min(1.0, most),
            edges=settings.edges,
            shares=tuple(shares.share.tolist()),
            standard_error=math.sqrt(shares.empty_variance),
            confidence=settings.confidence,
            interval_kind=KIND,
            users_per_round=(shares.reports,),
            privacy=Privacy(epsilon=settings.epsilon, protects=WHOLE_COLLECTION, users=settings.users, rounds=1),
            method=self.name,
            chosen=Chosen(by=ChosenBy.CALLER),
            notes=() if why is None else (why,),
        )

    def predict(self, settings: Range, crowd: Crowd) -> Prediction:
        """Of the share of a bin that holds half of the users."""
        total = float(_channel(settings).share_variance(np.array([0.5]))[0]) / settings.users
        sampling = 0.25 / settings.users
        return Prediction(sampling=sampling, privacy=total - sampling)

    def rules(self, settings: Range) -> Rules:
        return only(self.question(settings))

    def poisoning(self, settings: Range, crowd: Crowd) -> Poisoning:
        """Colluders who all send the same bin put an end there."""
        own, other = _channel(settings).inclusion
        reach = max(own, 1 - other) / (own - other)
        return Poisoning(reach=reach, capture=min(1.0, _shows(settings) / reach))

    def words(self, settings: Range) -> Fact:
        return Fact("bins-by-doubling", bins=len(settings.edges) + 1, of=settings.of)


def _channel(settings: Range) -> Subset:
    return subset(exact(settings.epsilon), len(settings.edges) + 1)


def _shows(settings: Range) -> float:
    """The share of the users in one bin that is above chance, on average."""
    variance = float(_channel(settings).share_variance(np.array([0.0]))[0])
    return threshold(len(settings.edges) + 1) * math.sqrt(variance / settings.users)


def _nowhere(settings: Range, shares: Shares, hull: Hull | None) -> Note | None:
    """Why there is no range; None where there is one."""
    if hull is None:
        least, asked = _shows(settings), {"users": settings.users, "epsilon": settings.epsilon}
        if least >= 1:
            return Note(NoteCode.NO_RANGE_FROM_SO_FEW, **asked, enough=math.ceil(settings.users * least**2))
        return Note(NoteCode.NO_RANGE_ABOVE_CHANCE, **asked, least=least)
    if hull.first == 0 or hull.last == shares.bins - 1:
        return Note(NoteCode.NO_RANGE_UP_TO_LARGEST, largest=settings.sizes[-1])
    if hull.nothing_but_zero(shares.bins):
        return Note(NoteCode.NO_RANGE_BUT_ZERO, smallest=settings.sizes[0])
    return None


def _widened(hull: Hull, bins: int) -> Hull:
    return Hull(first=max(0, hull.first - 1), last=min(bins - 1, hull.last + 1))


def _ends(settings: Range, hull: Hull) -> tuple[float, float]:
    """The outermost bins have no end of their own: twice the largest size."""
    low = settings.edges[hull.first - 1] if hull.first > 0 else 2 * settings.edges[0]
    high = settings.edges[hull.last] if hull.last < len(settings.edges) else 2 * settings.edges[-1]
    return low, high
