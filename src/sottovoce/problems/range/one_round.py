"""Everybody at once says in which bin they are."""

from __future__ import annotations

import math

import numpy as np

from sottovoce.answers import Privacy, RangeEstimate, two_sided
from sottovoce.design import subset
from sottovoce.messages import Average, Item, Question, Rules, Slots, Subset, exact
from sottovoce.problems.method import Method
from sottovoce.problems.range.found import Hull, above_chance, outside, threshold
from sottovoce.problems.range.settings import Range
from sottovoce.problems.ruling import only
from sottovoce.risk import Crowd, Poisoning, Prediction
from sottovoce.schemes import Script, Shares, bins_question

KIND = "bins above chance, widened by one"
ROLE = "range"
NONE = (
    "no range found: with {users:,} users at ε = {epsilon:g} a bin shows once it holds about {least:.0%} of them, and "
    "none did; ask more users, or declare low and high"
)
TOO_FEW = (
    "no range found: {users:,} asked at ε = {epsilon:g} show nothing, not even where all of them are alike; ask at "
    "least {enough:,} users, or declare low and high"
)
ZERO = (
    "no range found: all that is above chance is smaller than {smallest:.3g} in size, around zero; declare low and "
    "high, or ask for the range alone, with a smaller size: sv.find_range(…, smallest=…), sotto estimate range "
    "--smallest"
)
BEYOND = (
    "no range found: users lie beyond ± {largest:.3g}; declare low and high, or ask for the range alone, with a larger "
    "size: sv.find_range(…, largest=…), sotto estimate range --largest"
)


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
        away, error = (1.0, 0.0) if hull is None or why else outside(shares, _widened(hull, shares.bins))
        ends = None if hull is None or why else _ends(settings, _widened(hull, shares.bins))
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
            privacy=Privacy(epsilon=settings.epsilon, protects="its whole collection", users=settings.users, rounds=1),
            method=self.name,
            reason="asked for",
            warnings=(why,) if why else (),
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

    def words(self, settings: Range) -> str:
        what = "the average" if settings.of == "averages" else "one observation"
        return f"{len(settings.edges) + 1} bins by sign and doubling, for {what} of each user"


def _channel(settings: Range) -> Subset:
    return subset(exact(settings.epsilon), len(settings.edges) + 1)


def _shows(settings: Range) -> float:
    """The share of the users in one bin that is above chance, on average."""
    variance = float(_channel(settings).share_variance(np.array([0.0]))[0])
    return threshold(len(settings.edges) + 1) * math.sqrt(variance / settings.users)


def _nowhere(settings: Range, shares: Shares, hull: Hull | None) -> str:
    """Why there is no range, in words; nothing where there is one."""
    if hull is None:
        least, told = _shows(settings), {"users": settings.users, "epsilon": settings.epsilon}
        if least >= 1:
            return TOO_FEW.format(**told, enough=math.ceil(settings.users * least**2))
        return NONE.format(**told, least=least)
    if hull.first == 0 or hull.last == shares.bins - 1:
        return BEYOND.format(largest=settings.sizes[-1])
    return ZERO.format(smallest=settings.sizes[0]) if hull.nothing_but_zero(shares.bins) else ""


def _widened(hull: Hull, bins: int) -> Hull:
    return Hull(first=max(0, hull.first - 1), last=min(bins - 1, hull.last + 1))


def _ends(settings: Range, hull: Hull) -> tuple[float, float]:
    """The outermost bins have no end of their own: twice the largest size."""
    low = settings.edges[hull.first - 1] if hull.first > 0 else 2 * settings.edges[0]
    high = settings.edges[hull.last] if hull.last < len(settings.edges) else 2 * settings.edges[-1]
    return low, high
