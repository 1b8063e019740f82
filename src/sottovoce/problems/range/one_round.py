"""Everybody at once says in which bin they are; a range is where bins hold more users than chance explains."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from sottovoce.answers import Note, NoteCode, two_sided
from sottovoce.design import subset
from sottovoce.messages import Average, Fact, Integers, Item, Question, Slots, Subset, exact
from sottovoce.methods import BinShares, Script, binomial_surprise, bins_question
from sottovoce.problems.method import Method
from sottovoce.problems.range.answer import RangeEstimate
from sottovoce.problems.range.settings import Range
from sottovoce.risk import Crowd, Poisoning, Prediction, subset_reach

# Chosen by hand, on simulated users of every shape that `world` knows: lower ones find fewer users, and make ranges
# too wide more often.
FALSE_ALARM = 1e-3
"""The chance that any bin without users counts as one with some, over all tests of a survey."""
RUNS = (1, 2, 4)
"""How many neighbouring bins are looked at together: users who are spread over several are hardly seen in one."""
SURE = 3.1
"""Standard errors from which on users without data are taken to be there."""
OUTWARD = 1.3
"""Standard errors above chance at which a bin next to the found ones, or that and the next, belong to them."""
MIRRORED = 1.3
"""Standard errors above chance at which bins of the other sign, mirrored, belong to the found ones."""
Hull = tuple[int, int]
"""From one bin to another, both included and counted from the lowest."""


class OneRound(Method[Range]):
    """One question, nothing assumed about the users."""

    name = "one-round"
    help = "asks everybody once, for the bin that they are in"
    guaranteed = True

    def question(self, settings: Range) -> Question:
        return bins_question(
            survey=settings.survey,
            number=0,
            role="range",
            slots=Slots(first=0, count=settings.users),
            edges=settings.edges,
            epsilon=settings.epsilon,
            statistic=Average() if settings.of == "averages" else Item(),
            empty="random",  # in the middle they would vote for zero
        )

    def script(self, settings: Range) -> Script[RangeEstimate]:
        question = self.question(settings)
        tally = yield question
        shares = BinShares.of(question, tally)
        hull = bins_above_chance(shares)
        why = _why_none(settings, shares, hull)
        low, high, away, error = None, None, 1.0, 0.0
        if hull is not None and why is None:
            first, last = max(0, hull[0] - 1), min(shares.bins - 1, hull[1] + 1)
            away, error = _outside(shares, first, last)
            ends = (2 * settings.edges[0], *settings.edges, 2 * settings.edges[-1])  # the outermost bins have none
            low, high = ends[first], ends[last + 1]
        most = max(0.0, away) + two_sided(max(0.0, 2 * settings.confidence - 1)) * error  # on one side
        return RangeEstimate(
            **self.survey_facts(settings, (shares.reports,)),
            low=low,
            high=high,
            of=settings.of,
            outside=min(1.0, max(0.0, away)),
            detection_limit=min(1.0, most),
            edges=settings.edges,
            shares=tuple(shares.share.tolist()),
            standard_error=math.sqrt(shares.empty_variance),
            interval_kind=Fact("bins-above-chance"),
            notes=() if why is None else (why,),
        )

    def predict(self, settings: Range, crowd: Crowd) -> Prediction:
        """The expected error of the share of a bin that holds half of the users."""
        total = float(_channel(settings).share_variance(np.array([0.5]))[0]) / settings.users
        sampling = 0.25 / settings.users
        return Prediction(sampling=sampling, privacy=total - sampling)

    def poisoning(self, settings: Range, crowd: Crowd) -> Poisoning:
        """Colluders who all send the same bin put an end there."""
        reach = subset_reach(_channel(settings))
        return Poisoning(reach=reach, capture=min(1.0, _least_share(settings) / reach))

    def words(self, settings: Range) -> Fact:
        return Fact("bins-by-doubling", bins=len(settings.edges) + 1, of=settings.of)


def _channel(settings: Range) -> Subset:
    return subset(exact(settings.epsilon), len(settings.edges) + 1)


def _least_share(settings: Range) -> float:
    """The share of the users in one bin that is above chance, on average."""
    variance = float(_channel(settings).share_variance(np.array([0.0]))[0])
    return _threshold(len(settings.edges) + 1) * math.sqrt(variance / settings.users)


def _why_none(settings: Range, shares: BinShares, hull: Hull | None) -> Note | None:
    """Why there is no range; None where there is one."""
    if hull is None:
        least, asked = _least_share(settings), {"users": settings.users, "epsilon": settings.epsilon}
        if least >= 1:
            return Note(NoteCode.NO_RANGE_FROM_SO_FEW, **asked, enough=math.ceil(settings.users * least**2))
        return Note(NoteCode.NO_RANGE_ABOVE_CHANCE, **asked, least=least)
    if hull[0] == 0 or hull[1] == shares.bins - 1:
        return Note(NoteCode.NO_RANGE_UP_TO_LARGEST, largest=settings.sizes[-1])
    if hull == _around_zero(shares):
        return Note(NoteCode.NO_RANGE_BUT_ZERO, smallest=settings.sizes[0])
    return None


def _around_zero(shares: BinShares) -> Hull:
    return shares.bins // 2, shares.bins // 2


@lru_cache(maxsize=8)
def bin_sets(bins: int) -> tuple[Integers, ...]:
    """The sets of bins that are tested, small ones first: neighbours, then the same of both signs together."""
    runs = [np.arange(first, first + length) for length in RUNS for first in range(bins - length + 1)]
    above = [run for run in runs if run[0] > bins // 2]
    return (*runs, *(np.concatenate((bins - 1 - run[::-1], run)) for run in above))


def _threshold(bins: int) -> float:
    """Normal deviations above chance at which a set of bins holds somebody."""
    return two_sided(1 - 2 * FALSE_ALARM / len(bin_sets(bins)))


def _without_data(shares: BinShares) -> float:
    """What users without data add to the share of every bin: they answer with one at random.

    The median bin hardly ever holds anybody else, so its share is theirs. Nothing where that may be chance, in all but
    one of a thousand surveys: the median of normal numbers has π/2 times the variance of their mean.
    """
    middle = float(np.median(shares.share))
    return middle if middle > SURE * math.sqrt(math.pi / 2 * shares.empty_variance / shares.bins) else 0.0


def bins_above_chance(shares: BinShares) -> Hull | None:
    """From the lowest to the highest bin that holds users, as far as these reports tell; None where they tell nothing.

    A bin without users is in a report with the chance `other`, or a little more where users without data answer with
    any bin, whoever the users are: its count is binomial. Counts of several bins of one report hinder each other, so
    their sum is at most as spread as if every one were independent.
    """
    nothing, sets = _without_data(shares), bin_sets(shares.bins)
    counts = np.array([shares.counts[places].sum() for places in sets], dtype=np.int64)
    lengths = np.array([len(places) for places in sets])
    chance = shares.other + (shares.own - shares.other) * nothing
    above = binomial_surprise(counts, lengths * shares.reports, chance) > _threshold(shares.bins)
    holds_users = np.zeros(shares.bins, dtype=bool)
    for places in (places for places, some in zip(sets, above, strict=True) if some):
        holds_users[places] |= not holds_users[
            places
        ].any()  # what is above chance because of a part of it says no more
    if not holds_users.any():
        return None
    first, last = (int(place) for place in np.flatnonzero(holds_users)[[0, -1]])
    if (first, last) == _around_zero(shares):
        return first, last

    def holds(places: Integers, errors: float) -> bool:
        more = float(shares.share[places].sum()) - len(places) * nothing
        return more > errors * math.sqrt(len(places) * shares.empty_variance)

    # With the other sign, where there are users as well: half of those who are spread around zero may go unseen.
    mirrored = np.arange(shares.bins - 1 - last, shares.bins - first)
    mirrored = mirrored[(mirrored < first) | (mirrored > last)]
    if len(mirrored) and holds(mirrored, MIRRORED):
        first, last = min(first, int(mirrored[0])), max(last, int(mirrored[-1]))
    # As far outward as the next bin, or that and the one after, is above chance.
    most = shares.bins - 1
    while first > 0 and any(holds(np.arange(max(0, first - step), first), OUTWARD) for step in (1, 2)):
        first -= 1
    while last < most and any(holds(np.arange(last + 1, min(most, last + step) + 1), OUTWARD) for step in (1, 2)):
        last += 1
    return first, last


def _outside(shares: BinShares, first: int, last: int) -> tuple[float, float]:
    """The share who are not in these bins, of the users who have data, and its standard error."""
    weights = np.ones(shares.bins)
    weights[first : last + 1] = 0.0
    nothing = _without_data(shares)
    there = max(1 / shares.reports, 1 - nothing * shares.bins)
    away, error = float(shares.share @ weights), float(np.sqrt(shares.variance(weights)))
    return (away - nothing * float(weights.sum())) / there, error / there
