"""In which bin is everybody's average? Subset selection over bins, and the shares that follow from its counts.

What is learned from shares goes into the next question: `on_lattice` puts such numbers on a lattice that all machines
agree on.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from sottovoce.design import subset
from sottovoce.messages import Average, Bins, Encoder, Floats, Question, Slots, Statistic, Subset, Tally, exact
from sottovoce.methods.script import NOTED, turn_ties
from sottovoce.risk import Averages

AVERAGE = Average()
END = math.pi / 2
"""The end of the range in φ = arcsin x, in which averages spread about alike wherever they lie."""
Round = tuple[tuple[float, ...], tuple[float, ...], int, int, float, float]
"""Shares as plain numbers: edges, counts, reports, size, own, other."""
LATTICE = 2.0**-20
"""Numbers that go from a tally into a question are multiples of this part of the range."""


def on_lattice(values: Iterable[float], low: float, high: float) -> tuple[float, ...]:
    """Values inside a range, on its lattice."""
    step = (high - low) * LATTICE
    given = np.array(list(values), dtype=np.float64)
    steps = (given - low) / step
    whole = np.rint(steps) + 0.0  # no negative zero
    if NOTED.get() is not None:
        turn_ties(whole, steps, given, low, high)
    return tuple(np.clip(low + step * whole, low, high).tolist())


def to_31_bits(size: float) -> float:
    """A size that was computed, to 31 binary digits: on a lattice that is made of it, all machines agree."""
    part, exponent = math.frexp(size)
    return math.ldexp(round(math.ldexp(part, 31)), exponent - 31)


def inner_edges(values: Iterable[float], low: float, high: float) -> tuple[float, ...]:
    """Values on the lattice that lie strictly inside the range and strictly increase."""
    return tuple(sorted({*on_lattice(values, low, high)} - {low, high}))


def bins_question(
    *,
    survey: str,
    number: int,
    role: str,
    slots: Slots,
    edges: tuple[float, ...],
    epsilon: float,
    statistic: Statistic = AVERAGE,
    empty: str = "middle",
) -> Question:
    """Everybody in `slots` says in which bin the statistic falls; `empty` is where it does without any observation."""
    return Question(
        survey=survey,
        round=number,
        role=role,
        slots=slots,
        encoder=Encoder(statistic=statistic, placement=Bins(edges=edges), empty=empty),
        channel=subset(exact(epsilon), len(edges) + 1),
        epsilon=epsilon,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class BinShares:
    """Counts of reports that hold each bin, and what they say about the users in it.

    `own` and `other` are the chances that a report holds a bin, from users inside and outside of it.
    """

    edges: Floats
    """Inner edges."""
    counts: Floats
    reports: int
    size: int
    own: float
    other: float

    @classmethod
    def of(cls, asked: Question, tally: Tally) -> BinShares:
        """Read a tally of `bins_question`."""
        channel, placement = asked.channel, asked.encoder.placement
        assert isinstance(channel, Subset) and isinstance(placement, Bins)
        own, other = channel.inclusion
        return cls(
            edges=np.array(placement.edges),
            counts=np.array(tally.cells[0], dtype=np.float64),
            reports=tally.reports[0],
            size=channel.size,
            own=own,
            other=other,
        )

    @cached_property
    def plain(self) -> Round:
        """The shares as plain numbers, which can be kept in a cache."""
        return tuple(self.edges), tuple(self.counts), self.reports, self.size, self.own, self.other

    @property
    def bins(self) -> int:
        return len(self.counts)

    @cached_property
    def share(self) -> Floats:
        """Unbiased shares of the users in each bin; they add up to one."""
        return np.asarray((self.counts / self.reports - self.other) / (self.own - self.other))

    @cached_property
    def held(self) -> Floats:
        """The shares as a law: none below zero, and together one."""
        inside = np.clip(self.share, 0, 1)
        return np.asarray(inside / inside.sum())

    @cached_property
    def empty_variance(self) -> float:
        """The variance of the share of a bin in which nobody is."""
        return self.other * (1 - self.other) / (self.own - self.other) ** 2 / self.reports

    @cached_property
    def crowding(self) -> float:
        """How much more than by sampling alone a share is uncertain because users are in its bin."""
        return (1 - 2 * self.other) / (self.own - self.other)

    def variance(self, weights: Floats) -> Floats:
        """The variance of weighted sums of the shares: ``(…, bins)`` weights, users at the observed shares."""
        held = self.held
        noise = self.empty_variance * ((weights**2).sum(-1) - weights.sum(-1) ** 2 / len(self.counts))
        sampling = np.maximum(self.crowding * ((weights**2) @ held) - (weights @ held) ** 2, 0) / self.reports
        return np.asarray(noise + sampling)

    @property
    def covariance(self) -> Floats:
        """The covariance of all shares, users at the observed ones: exactly what subset selection does to them."""
        held = self.held
        mine = self.own * (self.size - 1) / (self.bins - 1)  # another bin reported by one who is in this one
        pairs = (self.bins - 1) * max(1, self.bins - 2)  # two bins reported by one who is in neither
        theirs = (self.size - 1) * (self.own * (self.size - 2) + (1 - self.own) * self.size) / pairs
        both = theirs + (mine - theirs) * (held[:, None] + held[None, :])
        rate = self.other + (self.own - self.other) * held
        np.fill_diagonal(both, rate)
        return np.asarray((both - np.outer(rate, rate)) / (self.own - self.other) ** 2 / self.reports)


def worth_of_several(items: int) -> float:
    """What bits of reports that hold several of so many items are worth: as independent ones they would say too much.

    The items of one report exclude each other. Chosen by hand, on simulations: more finds users sooner where there are
    none, less finds them later.
    """
    return 0.85 * (1 - 1 / items)


def separation(epsilon: float) -> float:
    """coth²(ε/2): how many users say as much as one without noise; the unit in which rounds are sized."""
    return 1 / math.tanh(epsilon / 2) ** 2


def claimed(shares: BinShares, share: float, sides: tuple[int, ...]) -> BinShares:
    """The same round if a share of its users had named the outermost bins, of one side or of both."""
    each = math.ceil(shares.size / len(sides))
    named = np.zeros(shares.bins)
    for side in sides:
        named[-each:] += side > 0
        named[:each] += side < 0
    named *= shares.size / named.sum()
    return replace(shares, counts=(1 - share) * shares.counts + share * shares.reports * named)


@dataclass(frozen=True, kw_only=True)
class RoundsOfBins:
    """One mean on [low, high] from `users` users with about `observations` observations each, who are looked for first.

    How many users each round asks, `first` and `second`, and the last question are a method's own.
    """

    survey: str
    users: int
    observations: int
    low: float
    high: float
    epsilon: float
    rounds: int = 3
    confidence: float = 0.95
    statistic: Statistic = AVERAGE

    @cached_property
    def first(self) -> int:
        """Users of the first round."""
        raise NotImplementedError("a method says how many users are looked at first")

    @cached_property
    def second(self) -> int:
        """Users of the second round."""
        raise NotImplementedError("a method says how many users are looked at next")

    @cached_property
    def finest(self) -> int:
        """Bins about as wide as users alike spread."""
        return math.ceil(math.pi * math.sqrt(self.observations) / 3)

    @cached_property
    def bins(self) -> int:
        """The bins of the first round: no finer than its users can tell apart."""
        return int(max(6, min(self.finest, 2 ** min(8.0, 0.4 * self.first / separation(self.epsilon)))))

    @cached_property
    def first_edges(self) -> Floats:
        """The edges of bins that users alike fill about equally far, wherever they are."""
        return np.asarray(np.sin(np.linspace(-END, END, self.bins + 1)[1:-1]))

    @property
    def users_per_round(self) -> tuple[int, ...]:
        second = (self.second,) if self.rounds > 2 else ()
        return (self.first, *second, self.users - self.first - sum(second))

    def _bins(self, number: int, count: int, edges: Floats, used: int) -> Question:
        return bins_question(
            survey=self.survey,
            number=number,
            role="bins",
            slots=Slots(first=used, count=count),
            edges=inner_edges(self._out(edges), self.low, self.high),
            epsilon=self.epsilon,
            statistic=self.statistic,
        )

    def _out(self, places: Floats) -> Floats:
        """From [−1, 1] to units of the observations."""
        middle, half = (self.low + self.high) / 2, (self.high - self.low) / 2
        return np.clip(middle + half * np.asarray(places), self.low, self.high)

    def _unit(self, shares: BinShares) -> BinShares:
        """And back."""
        return replace(shares, edges=(2 * shares.edges - self.low - self.high) / (self.high - self.low))

    def _near(self, averages: Averages) -> float:
        """Where on [−π/2, π/2] the search begins, in predictions."""
        return math.asin(min(1.0, max(-1.0, (2 * averages.mean - self.low - self.high) / (self.high - self.low))))

    def _expected(self, averages: Averages, edges: Floats, users: int) -> BinShares:
        """What a round of bins would show without chance, on [−1, 1]."""
        inner = inner_edges(self._out(edges), self.low, self.high)
        channel = subset(exact(self.epsilon), len(inner) + 1)
        own, other = channel.inclusion
        shares = averages.shares(np.array([self.low, *inner, self.high]))
        return BinShares(
            edges=(2 * np.array(inner) - self.low - self.high) / (self.high - self.low),
            counts=users * (other + (own - other) * shares),
            reports=users,
            size=channel.size,
            own=own,
            other=other,
        )
