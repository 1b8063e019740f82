"""One random item from everybody by subset selection: unbiased shares, nothing assumed, nothing clipped.

What adaptive does alike stands here too: items, the users that methods are judged by, and how an answer is made.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sottovoce.answers import Assumes, StandardError, two_sided
from sottovoce.design import subset
from sottovoce.messages import (
    Categories,
    Category,
    Encoder,
    Fact,
    Floats,
    Grid,
    Interval,
    InvalidInput,
    Question,
    Subset,
    Tally,
)
from sottovoce.methods import (
    MeanVector,
    RoundMaker,
    Script,
    SymbolCounts,
    binomial_limits,
    projected_variance,
    to_simplex,
)
from sottovoce.problems.alternatives import assumed_crowds, notes_on_few_reports
from sottovoce.problems.histogram.answer import HistogramEstimate
from sottovoce.problems.histogram.settings import Histogram
from sottovoce.problems.method import Method
from sottovoce.risk import Crowd, Poisoning, Prediction, Widening, subset_reach

DIFFERING = 0.2
"""How much users' own shares may differ when nobody says: the root mean squared distance from their average."""
Ends = tuple[Floats, Floats]


def item_question(asking: RoundMaker, count: float, *, vector: Categories) -> Question:
    """`count` users say in which category one of their observations lies."""
    size = vector.size
    return asking.question(
        count,
        role="item",
        encoder=Encoder(statistic=Category(vector=vector), placement=Grid(low=(0.0,), high=(float(size),), count=size)),
        channel=subset(asking.epsilon, size),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Items(SymbolCounts):
    """How many reports hold each category; those of several questions with the same channel add up."""

    @classmethod
    def of(cls, question: Question, tally: Tally) -> Items:
        assert isinstance(question.channel, Subset)
        return cls(channel=question.channel, counts=tally.counts()[0], reports=tally.reports[0])

    def __add__(self, other: Items) -> Items:
        return Items(channel=self.channel, counts=self.counts + other.counts, reports=self.reports + other.reports)

    @property
    def mean_vector(self) -> MeanVector:
        """The shares that they say."""
        variance = self.channel.share_variance(np.clip(self.share, 0.0, 1.0)) / self.reports
        return MeanVector(value=self.share, variance=variance, reports=self.reports)

    def ends(self, errors: float) -> Ends:
        """Ends of intervals for all shares, exact for rare categories too."""
        own, other = self.channel.inclusion
        low, high = binomial_limits(self.counts, self.reports, errors)
        return (low - other) / (own - other), (high - other) / (own - other)


def item_variance(epsilon: float, shares: Floats) -> float:
    """The variance of what one report says of a share, on average over categories."""
    return float(subset(epsilon, len(shares)).share_variance(shares).mean())


def equal_shares(size: int) -> Floats:
    """What predictions take the shares to be, when nobody says."""
    return np.full(size, 1 / size)


def sampling_variance(shares: MeanVector) -> Floats:
    """What items of users vary by, however private: binomial."""
    inside = np.clip(shares.value, 0.0, 1.0)
    return np.asarray(inside * (1 - inside) / shares.reports)


def predicted_share(variance: float, sampling: float, size: int) -> Prediction:
    """The error of a share, on average, after it was moved to the simplex."""
    sampling = min(sampling, variance)
    free = Prediction(sampling=sampling, privacy=variance - sampling)
    return free.scaled(projected_variance(variance, size) / variance)


def squared_distance(settings: Histogram, crowd: Crowd) -> float:
    """The mean squared distance of users' observed shares from their average, for equal shares: the most there is."""
    most, spread = 1 - 1 / settings.size, crowd.spread or 0.0
    if spread > 1:
        raise InvalidInput(rule="spread is a distance between shares, from 0 to 1", wrong=f"got {spread:g}")
    between = min(spread**2, most)
    return between + (most - between) / settings.observations


def crowd_fact(crowds: Sequence[Crowd]) -> Fact:
    """What a plan assumes."""
    return Fact(
        "crowd-of-shares", spreads=tuple(Fact("crowd-spread-of-shares", spread=one.spread or 0.0) for one in crowds)
    )


class HistogramMethod(Method[Histogram]):
    """What the methods of a histogram share: the users that they are judged by, and one kind of answer."""

    why_not_empty = None

    def assumed_users(self, settings: Histogram, crowd: Crowd) -> tuple[Crowd, ...]:
        return assumed_crowds(crowd, settings.spread, DIFFERING)

    def answer(
        self,
        settings: Histogram,
        shares: MeanVector,
        *,
        ends: Sequence[Ends],
        model: Sequence[Ends] | None = None,
        sampling: Floats,
        users: Sequence[int],
        poisoning: Poisoning,
        **facts: Any,
    ) -> HistogramEstimate:
        """Shares on the simplex, with the intervals of each and of all together around the raw ones.

        `ends` are those of each interval and of the simultaneous ones, `model` the same under a model, `sampling` a
        variance. `facts` are further fields.
        """
        value = to_simplex(shares.value)
        each, joint = (_inside(one, value) for one in ends)
        if model is not None:
            facts["model_intervals"], facts["model_simultaneous"] = (_inside(one, value) for one in model)
        sampling = np.minimum(sampling, shares.variance)
        causes = zip(*(np.sqrt(part).tolist() for part in (sampling, shares.variance - sampling)), strict=True)
        halfwidth = float(np.mean([high - low for low, high in each])) / 2
        return HistogramEstimate(
            **self.survey_facts(settings, tuple(users)) | facts,
            value=tuple(value.tolist()),
            raw=tuple(shares.value.tolist()),
            labels=settings.labels,
            edges=settings.bounds,
            intervals=each,
            simultaneous=joint,
            standard_error=tuple(StandardError(sampling=one, privacy=two) for one, two in causes),
            notes=notes_on_few_reports(settings.users, settings.epsilon),
            assumes=Assumes.NOTHING,
            colluders=poisoning.colluders(halfwidth, 1.0),
        )


def _inside(ends: Ends, value: Floats) -> tuple[Interval, ...]:
    """Cut to [0, 1], and widened to hold the value that is published."""
    low, high = (np.clip(end, 0.0, 1.0) for end in ends)
    return tuple(zip(np.minimum(low, value).tolist(), np.maximum(high, value).tolist(), strict=True))


class OneRound(HistogramMethod):
    """One question, nothing assumed about the users."""

    name = "one-round"
    help = "asks everybody once, for one random item of theirs"
    guaranteed = True

    def script(self, settings: Histogram) -> Script[HistogramEstimate]:
        question = item_question(settings.round_maker(), math.inf, vector=settings.vector)
        items = Items.of(question, (yield question))
        shares = items.mean_vector
        return self.answer(
            settings,
            shares,
            ends=[items.ends(two_sided(level)) for level in settings.confidences(settings.size)],
            sampling=sampling_variance(shares),
            users=(shares.reports,),
            poisoning=self.poisoning(settings, Crowd()),
            interval_kind=Fact("guarded-exact-binomial"),
        )

    def _variance(self, settings: Histogram) -> float:
        return item_variance(settings.epsilon, equal_shares(settings.size)) / settings.users

    def predict(self, settings: Histogram, crowd: Crowd) -> Prediction:
        """For equal shares, whatever the users are."""
        sampling = (1 - 1 / settings.size) / settings.size / settings.users
        return predicted_share(self._variance(settings), sampling, settings.size)

    def guarded_halfwidth(self, settings: Histogram, crowd: Crowd) -> float:
        return two_sided(settings.confidence) * math.sqrt(self._variance(settings))

    def widenings_for_empty(self, settings: Histogram, crowd: Crowd) -> tuple[Widening, ...]:
        """They count for the middle category, or for all alike; for equal shares."""
        return wider_for_empty(settings)

    def poisoning(self, settings: Histogram, crowd: Crowd) -> Poisoning:
        return Poisoning(reach=subset_reach(subset(settings.epsilon, settings.size)))

    def words(self, settings: Histogram) -> Fact:
        return Fact("one-item-each")


def wider_for_empty(settings: Histogram, *, centred: bool = False) -> tuple[Widening, ...]:
    """How much wider intervals are, of the middle category and of the others; `centred`: some count as the shares."""
    share, equal = settings.empty_at_most, 1 / settings.size
    if settings.empty == "random":
        return (Widening.by(share, 0.0, 0.0),)
    middle, others = equal - 1, equal  # how far below the share they count
    return (
        Widening.by(share, 0.0 if centred else middle, -middle),
        Widening.by(share, others, 0.0 if centred else -others, weight=settings.size - 1),
    )
