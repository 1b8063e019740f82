"""Questions about a few bins at the centre of users who are alike, and the course of a survey that asks them."""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass
from functools import cache, lru_cache
from statistics import NormalDist

import numpy as np

from sottovoce.answers import two_sided
from sottovoce.design import MOST_STEPS, central
from sottovoce.messages import Average, Encoder, Position, Question, Slots, Table, Tally, nearest_sin
from sottovoce.methods import (
    LATTICE,
    Concentrated,
    Floats,
    Look,
    Shares,
    best_table,
    beyond,
    bins_question,
    chance_of,
    inner_edges,
    learned,
    normal_below,
    rounded,
    separation,
)
from sottovoce.problems.mean.settings import Mean

CONTRADICTED = 1.2
"""Spread against that of observations at the two ends of the range, beyond which users cannot be alike."""
_FEW, _MANY, _FEW_BELOW = np.array([0.12, 0.37, 0.63, 0.88]), np.arange(1, 8) / 8, 1.5
_LEANING = np.array([0.3, 0.6, 0.85])
"""Quantiles to cut at where no bell fits: averages that lean upward say most about their mean in the upper tail."""


@dataclass(frozen=True, kw_only=True)
class Design:
    """Bins at the centre, `width` spreads wide, and what they give.

    `cost` is n·variance/spread²; `exposure` says how much of the distance between mean and median passes for a shift;
    `influence` is how far a share of colluders can move the mean, in spreads for each of that share.
    """

    bins: int
    width: float
    cost: float
    exposure: float
    influence: float


@cache
def most_informative(epsilon: float) -> Design:
    """k-ary response with equal central bins, as many and as wide as tell most about the middle of a bell."""
    sign = math.pi / 2 * separation(epsilon)
    best = Design(bins=2, width=1.0, cost=sign, exposure=1.0, influence=math.sqrt(sign))
    grown = math.exp(epsilon)
    for bins in range(3, 12) if epsilon > 2.2 else ():
        other = 1 / (grown + bins - 1)
        gain = (grown - 1) * other
        if best.bins < bins - 2:  # neither of the last two was better, so more will not be
            break
        for width in np.linspace(0.2, 1.2, 21).tolist():
            cuts = width * (np.arange(1, bins) - bins / 2)
            shares = np.diff(np.concatenate(([0.0], normal_below(cuts), [1.0])))
            slopes = np.diff(np.concatenate(([0.0], np.exp(-(cuts**2) / 2) / math.sqrt(2 * math.pi), [0.0])))
            scores = gain * slopes / (other + gain * shares)
            cost = 1 / float((gain * slopes * scores).sum())
            if cost < best.cost:
                influence = cost * float(np.abs(scores).max())
                best = Design(bins=bins, width=width, cost=cost, exposure=1.0, influence=influence)
    return best


@cache
def designs(epsilon: float) -> tuple[Design, ...]:
    """The most informative one, and two cuts at some distance from the centre.

    A sign sees the median. The middle between cuts at one spread left and right is free of the third cumulant, at about
    twice the variance; cuts nearer to the centre lie in between.
    """
    other = 1 / (math.exp(epsilon) + 2)
    gain = (math.exp(epsilon) - 1) * other
    found = [most_informative(epsilon)]
    for reach in (0.5, 0.6, 0.7, 0.8, 0.9, 1.0):
        tails, density = math.erfc(reach / math.sqrt(2)), math.exp(-(reach**2) / 2) / math.sqrt(2 * math.pi)
        cost = (2 * other + gain * tails) / (2 * gain * density) ** 2
        influence = cost * gain * density / (other + gain * tails / 2)
        found.append(Design(bins=3, width=2 * reach, cost=cost, exposure=1 - reach**2, influence=influence))
    return tuple(found)


@cache
def table_noise(epsilon: float) -> float:
    """Of the best table on [−1, 1], on average over places."""
    return 4 * float(best_table(epsilon).variance(np.linspace(0, 1, 65)).mean())


@cache
def first_places(bins: int) -> Floats:
    """Edges of bins that users alike fill about equally. Many are as near to one average as to the next."""
    return np.array([nearest_sin(math.pi * (place / bins - 0.5)) for place in range(1, bins)])


def middle(epsilon: float) -> Floats:
    """Quantiles to cut at while users are sought: reports with much noise say more about few bins."""
    return _MANY if epsilon > _FEW_BELOW else _FEW


def leaning_cuts(seen: Concentrated) -> Floats:
    """The quantiles that say most about users who lean as these do."""
    return _LEANING if seen.lean >= 0 else 1 - _LEANING[::-1]


def misfit(settings: Mean, spread: float, lean: float) -> float:
    """How far the bell may be wrong about the mean: the more so the more users lean, and the coarser their lattice."""
    return spread * (0.025 * lean**2 + 0.01 / (settings.observations * spread) ** 2)


_bins_question = lru_cache(maxsize=64)(bins_question)  # a replay asks again, and a digest takes its time


@lru_cache(maxsize=64)
def _position_question(
    survey: str, number: int, role: str, slots: Slots, ends: tuple[float, float], channel: Table, epsilon: float
) -> Question:
    return Question(
        survey=survey,
        round=number,
        role=role,
        slots=slots,
        encoder=Encoder(statistic=Average(), placement=Position(low=ends[:1], high=ends[1:])),
        channel=channel,
        epsilon=epsilon,
    )


def misfit_of(settings: Mean, seen: Concentrated) -> float:
    """How far the law that was found may be wrong about the mean: by a tenth of the spread where it is not one law."""
    return max(misfit(settings, seen.spread, seen.lean), 0.1 * seen.spread if contradicted(seen) else 0.0)


def contradicted(seen: Concentrated) -> bool:
    """Whether users differ more than users who are alike can."""
    return seen.beyond(CONTRADICTED) > 0.95


@dataclass(frozen=True, kw_only=True)
class Apart:
    """Users far from the rest, as the first round shows them: how far they may pull the mean to either side.

    `limit` is the share of the users in one place that would be found 95 times in 100, `farthest` how far away they
    could be. Both, and the pulls, in units of the observations.
    """

    below: float
    above: float
    limit: float
    farthest: float

    @property
    def seen(self) -> bool:
        return self.below > 0 or self.above > 0


@dataclass
class Course:
    """A survey under way: who is next, and what was seen. Places lie on [−1, 1], questions in the declared range."""

    settings: Mean
    asked: int = 0
    number: int = 0
    looks: tuple[Look, ...] = ()
    answered: tuple[int, ...] = ()

    @property
    def half(self) -> float:
        return (self.settings.high - self.settings.low) / 2

    @property
    def left(self) -> int:
        """Users not asked yet."""
        return self.settings.users - self.asked

    @property
    def seen(self) -> Concentrated:
        """What the reports say so far."""
        return learned(self.settings.observations, self.looks)

    def elsewhere(self) -> Apart:
        """Bins of the first round far from the users that hold more than chance would, at level .01 over all bins."""
        look, seen, own = self.looks[0], self.seen, self.settings
        shares = Shares(
            edges=np.array(look.edges),
            counts=np.array(look.counts, dtype=np.float64),
            reports=look.reports,
            size=1,
            own=look.own,
            other=look.other,
        )
        margin = max(8 * seen.spread, 4 * seen.deviation, 3 / math.sqrt(own.observations))
        low, high = seen.mean - margin, seen.mean + margin
        edges, one = np.concatenate(([-1.0], shares.edges, [1.0])), math.sqrt(shares.empty_variance)
        level, z = NormalDist().inv_cdf(1 - 0.01 / shares.bins), two_sided(own.confidence)
        full = chance_of(shares.counts, shares.reports, shares.other) < 0.01 / shares.bins
        pulls = [
            self.half * max(0.0, sum(beyond([shares], end, side=side, z=z))) if full[far].any() else 0.0
            for far, end, side in ((edges[1:] <= low, low, -1), (edges[:-1] >= high, high, 1))
        ]
        return Apart(
            below=pulls[0],
            above=pulls[1],
            limit=min(1.0, max(1 / own.users, (level + NormalDist().inv_cdf(0.95)) * one)),
            farthest=self.half * max(0.0, 1 - high, low + 1),
        )

    def declared(self, place: float) -> float:
        """A place in units of the observations."""
        return self.settings.low + self.half * (1 + place)

    def bins(self, places: Floats, users: int, role: str) -> Generator[Question, Tally, None]:
        """In which bin? Edges are moved midway between averages that observations at the two ends of the range have."""
        own, count = self.settings, self.settings.observations
        midway = (2 * np.rint((places + 1) * count / 2 - 0.5) + 1) / count - 1
        edges = inner_edges((self.declared(float(place)) for place in midway), own.low, own.high)
        asked = _bins_question(
            survey=own.survey,
            number=self.number,
            role=role,
            slots=self._next(users),
            edges=edges or rounded((self.declared(0.0),), own.low, own.high),
            epsilon=own.epsilon,
        )
        self._heard(asked, (yield asked))

    def central(self, design: Design, users: int) -> Generator[Question, Tally, None]:
        """In which of a few bins around the middle of the users? Edges are as soft as a lattice may be coarse.

        The average of observations at the two ends is a multiple of 2/T: blurred by as much, or a multiple, no trace
        of the lattice is left.
        """
        own, soft, width = self.settings, 2 / self.settings.observations, design.width * self.seen.spread
        step = soft * max(1, math.ceil(width / (soft * MOST_STEPS))) if design.bins > 2 else soft
        steps = max(1, round(width / step)) if design.bins > 2 else 1
        unit = (own.high - own.low) * LATTICE
        reach = unit * max(2, round(self.half * step / (2 * unit))) * ((design.bins - 2) * steps + 1)
        (centre,) = rounded((self.declared(self.seen.median),), own.low, own.high)
        channel = central(own.epsilon, design.bins, steps)
        asked = self.position((centre - reach, centre + reach), channel, users, "centre")
        self._heard(asked, (yield asked))

    def position(self, ends: tuple[float, float], channel: Table, users: int, role: str) -> Question:
        """Where between two ends? To the next users."""
        own = self.settings
        return _position_question(own.survey, self.number, role, self._next(users), ends, channel, own.epsilon)

    def _next(self, users: int) -> Slots:
        taken = Slots(first=self.asked, count=users)
        self.asked += users
        return taken

    def _heard(self, asked: Question, tally: Tally) -> None:
        self.number += 1
        self.answered += (tally.reports[0],)
        self.looks += (Look.of(asked, tally, self.settings.low, self.settings.high),)
