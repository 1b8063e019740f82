"""Several kinds of users on [−1, 1]: a bell for the averages of each, and a few users anywhere.

Users of one kind hold averages of T observations around the kind's mean; their spread is r√((1 − μ²)/T), where r = 1 if
all observations are at the two ends, less otherwise, and more only if users of the kind differ. Rounds of answers are
evidence about them: shares of symbols, what they would be for given kinds, and how they vary.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Bins, Joint, Question, Subset
from sottovoce.methods import Floats, leaning, leaning_below

FINEST = 0.3
"""Spreads below this part of 1/T are not told apart."""
WIDEST = 0.3
"""A kind with a larger spread than this is no kind."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Kinds:
    """Shares, means and ratios r of the kinds; `elsewhere` is the share of the users who are of none of them."""

    shares: Floats
    means: Floats
    ratios: Floats
    elsewhere: float
    observations: int

    @property
    def count(self) -> int:
        return len(self.means)

    @cached_property
    def spreads(self) -> Floats:
        """Standard deviations of the averages of each kind."""
        return deviations_of_averages(self.means, self.ratios, self.observations)

    def in_order(self) -> Kinds:
        """The kinds by increasing means."""
        return self.only(np.argsort(self.means, kind="stable"))

    def without(self, kind: int) -> Kinds:
        """All kinds but one; shares stay as they are."""
        return self.only(np.delete(np.arange(self.count), kind))

    def only(self, chosen: NDArray[np.intp]) -> Kinds:
        """Some of the kinds, in this order; shares stay as they are."""
        return replace(self, shares=self.shares[chosen], means=self.means[chosen], ratios=self.ratios[chosen])


def deviations_of_averages(means: Floats, ratios: Floats, observations: int) -> Floats:
    """Standard deviations of averages."""
    room = np.maximum(1 - means**2, 1 / observations)
    return np.asarray(np.maximum(ratios * np.sqrt(room / observations), FINEST / observations))


def widest_ratio(observations: int) -> float:
    """The largest r that is looked at."""
    return max(4.0, WIDEST * math.sqrt(observations))


def narrowest_ratio(observations: int) -> float:
    """The smallest r that is looked at."""
    return max(0.02, FINEST / math.sqrt(observations))


def share_below(places: Floats, means: Floats, ratios: Floats, observations: int) -> Floats:
    """The part of each kind below each place: ``(kinds, places)``. Beyond the range lies nobody."""
    spread = deviations_of_averages(means, ratios, observations)
    lean = np.clip(leaning(observations, means, ratios, np.zeros(1)) / spread, -2.5, 2.5)
    inside = np.clip(places, -1.0, 1.0)
    below = leaning_below(inside, means[:, None], spread[:, None], lean[:, None])
    return np.asarray(np.where(places >= 1, 1.0, np.where(places < -1, 0.0, below)))


def share_below_of_users_anywhere(places: Floats) -> Floats:
    """The part of users who may be anywhere below each place: evenly in arcsin x."""
    return np.asarray(np.arcsin(np.clip(places, -1.0, 1.0)) / math.pi + 0.5)


def density_at(places: Floats, kinds: Kinds) -> Floats:
    """The density of all kinds together at each place, leaning left out."""
    score = (places - kinds.means[:, None]) / kinds.spreads[:, None]
    height = kinds.shares / kinds.spreads / math.sqrt(2 * math.pi)
    return np.asarray(height @ np.exp(-np.minimum(score**2, 1400) / 2))


_NODES = 5
_LATTICE = 0.58
"""Averages of whole numbers lie 2/T apart, and an edge may fall anywhere between two: an error uniform in ± 1/T."""


@dataclass(frozen=True, kw_only=True, eq=False)
class RoundEvidence:
    """One round: debiased shares of its symbols, which are `matrix` times the shares of the users below `places`.

    On sums of shares with weights that add up to zero, the covariance is diag(empty + crowding·share) − share·shareᵀ/n:
    what else two symbols of one report have in common cancels. `hard`: symbols are bins between the places, and where
    an edge falls on a lattice of averages is a matter of luck.
    """

    places: Floats
    matrix: Floats
    found: Floats
    empty: float
    crowding: float
    reports: int
    hard: bool

    def precision(self, expected: Floats, luck: Floats) -> Floats:
        """The inverse of the covariance of the shares, which add up to one, for users with the expected shares."""
        shares = np.maximum(expected, 0.0)
        shares = shares / shares.sum()
        diagonal = self.empty + self.crowding * shares + luck
        part = shares / diagonal
        inverse = np.diag(1 / diagonal) + np.outer(part, part) / max(self.reports - shares @ part, 1e-9 * self.reports)
        sums = inverse.sum(axis=0)
        return np.asarray(inverse - np.outer(sums, sums) / sums.sum())

    def luck(self, kinds: Kinds) -> Floats:
        """Variance of the shares because of a lattice."""
        variance = np.zeros(len(self.found))
        if self.hard:
            at = (_LATTICE / kinds.observations * density_at(self.places[:-1], kinds)) ** 2
            variance[:-1] += 2 * at  # twice, since what one bin has, the next lacks
            variance[1:] += 2 * at
        return variance


@dataclass(frozen=True, kw_only=True, eq=False)
class Evidence:
    """All rounds so far."""

    rounds: tuple[RoundEvidence, ...]
    observations: int

    @cached_property
    def _places(self) -> Floats:
        return np.concatenate([one.places for one in self.rounds])

    @cached_property
    def _matrix(self) -> Floats:
        """All rounds' matrices along a diagonal, transposed."""
        whole = np.zeros((len(self._places), len(self.found)))
        row = column = 0
        for one in self.rounds:
            symbols, places = one.matrix.shape
            whole[row : row + places, column : column + symbols] = one.matrix.T
            row, column = row + places, column + symbols
        return whole

    @cached_property
    def found(self) -> Floats:
        """Debiased shares of all symbols of all rounds."""
        return np.concatenate([one.found for one in self.rounds])

    @cached_property
    def anywhere(self) -> Floats:
        """Shares of all symbols if users were anywhere."""
        return np.asarray(share_below_of_users_anywhere(self._places) @ self._matrix)

    def laws(self, means: Floats, ratios: Floats) -> Floats:
        """Shares of all symbols within each kind: ``(kinds, symbols)``."""
        return np.asarray(share_below(self._places, means, ratios, self.observations) @ self._matrix)

    def expected(self, kinds: Kinds) -> Floats:
        """Shares of all symbols."""
        laws = self.laws(kinds.means, kinds.ratios)
        return np.asarray(kinds.shares @ laws + kinds.elsewhere * self.anywhere)

    def _parts(self) -> Iterator[tuple[RoundEvidence, slice]]:
        start = 0
        for one in self.rounds:
            yield one, slice(start, start + len(one.found))
            start += len(one.found)

    def precision(self, kinds: Kinds | None, expected: Floats | None = None) -> Floats:
        """The inverse of the covariance of all shares; without kinds, for users spread over all symbols."""
        whole = np.zeros((len(self.found), len(self.found)))
        if kinds is not None and expected is None:
            expected = self.expected(kinds)
        for one, part in self._parts():
            if kinds is None or expected is None:
                even = np.full(len(one.found), 1 / len(one.found))
                whole[part, part] = one.precision(even, np.zeros(len(even)))
            else:
                whole[part, part] = one.precision(expected[part], one.luck(kinds))
        return whole

    def with_round(self, one: RoundEvidence) -> Evidence:
        return Evidence(rounds=(*self.rounds, one), observations=self.observations)


def read_round(asked: Question, counts: Sequence[int], reports: int, low: float, high: float) -> RoundEvidence:
    """A round of bins or of joint symbols, read on [−1, 1]."""
    channel, statistic, placement = asked.channel, asked.encoder.statistic, asked.encoder.placement
    assert isinstance(channel, Subset)
    middle, half = (low + high) / 2, (high - low) / 2
    if isinstance(statistic, Joint):
        centres = [(centre - middle) / half for centre in statistic.centres]
        places, matrix = joint_matrix(centres, statistic.reach / half, statistic.levels)
    else:
        assert isinstance(placement, Bins)
        places, matrix = bins_matrix([(edge - middle) / half for edge in placement.edges])
    counted = np.array(counts, dtype=np.float64)
    return round_of_counts(places, matrix, channel, counted, reports, hard=not isinstance(statistic, Joint))


def round_of_counts(
    places: Floats, matrix: Floats, channel: Subset, counts: Floats, reports: int, *, hard: bool
) -> RoundEvidence:
    """A round from the counts of its symbols."""
    own, other = channel.inclusion
    apart = own - other
    size, others = channel.size, channel.items - 1
    mine = own * (size - 1) / others  # both of two symbols reported, by one who holds one of them
    theirs = (own * (size - 1) * (size - 2) + (1 - own) * size * (size - 1)) / (others * max(1, others - 1))
    return RoundEvidence(
        places=places,
        matrix=matrix,
        found=(counts / reports - other) / apart,
        empty=(other - theirs) / apart**2 / reports,
        crowding=(apart - 2 * (mine - theirs)) / apart**2 / reports,
        reports=reports,
        hard=hard,
    )


def bins_matrix(edges: Sequence[float]) -> tuple[Floats, Floats]:
    """Bins between inner edges: differences of the shares below."""
    places = np.array([*edges, np.inf])
    matrix = np.eye(len(places))
    matrix[1:] -= np.eye(len(places))[:-1]
    return places, matrix


def joint_matrix(centres: Sequence[float], reach: float, levels: int) -> tuple[Floats, Floats]:
    """Symbols of `Joint`: the part of each level is an integral of a straight line against the law of the averages.

    ∫ (x − a)/h dF from s to t is ((t − a)F(t) − (s − a)F(s) − ∫F)/h, the last integral by Gauss and Legendre.
    """
    places: list[float] = []
    entries: list[tuple[int, int, float]] = []

    def add(symbol: int, place: float, factor: float) -> None:
        entries.append((symbol, len(places), factor))
        places.append(place)

    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    middles = [-np.inf, *((left + right) / 2 for left, right in pairwise(centres)), np.inf]
    step = 2 * reach / (levels - 1)
    for kind, centre in enumerate(centres):
        first, last = kind * levels, kind * levels + levels - 1
        left, right = middles[kind], middles[kind + 1]
        if left < centre - reach:
            add(first, centre - reach, 1.0)
            add(first, left, -1.0)
        if right > centre + reach:
            add(last, right, 1.0)
            add(last, centre + reach, -1.0)
        for level in range(levels - 1):
            start = centre - reach + level * step
            low, high = max(start, left), min(start + step, right)
            if low >= high:
                continue
            lower, upper = first + level, first + level + 1
            add(upper, high, (high - start) / step)
            add(upper, low, -(low - start) / step)
            add(lower, high, 1 - (high - start) / step)
            add(lower, low, (low - start) / step - 1)
            for node, weight in zip(nodes.tolist(), weights.tolist(), strict=True):
                place, part = (low + high) / 2 + (high - low) / 2 * node, weight * (high - low) / 2 / step
                add(upper, place, -part)
                add(lower, place, part)
    distinct = sorted(set(places))
    index = {place: number for number, place in enumerate(distinct)}
    matrix = np.zeros((len(centres) * levels, len(distinct)))
    for symbol, entry, factor in entries:
        matrix[symbol, index[places[entry]]] += factor
    return np.array(distinct), matrix
