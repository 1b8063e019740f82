"""Means of vectors, shares included, from one small report of each user, whatever the dimension.

Three reports: a direction of the vector within a radius, one entry on its full range, or one Hadamard coefficient of
shares. `decode_*` make a mean vector of the tally of each. The last part joins those that cut nobody off.

A direction report at (centre c, radius r) is unbiased for c + v where |v| ≤ r, v = vector − c; a longer v counts as if
it were cut to length r. Its variance is (r/m)² an entry, m the `direction_response`: 1/m² is 7.36, 2.08 and .53 at
ε = 1, 2, 4.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Protocol

import numpy as np

from sottovoce.design import subset, usual_variance
from sottovoce.messages import (
    FINE,
    Categories,
    Coefficient,
    Direction,
    Encoder,
    Entry,
    Floats,
    Grid,
    Position,
    Question,
    Table,
    Tally,
    Vector,
    walsh_hadamard,
)
from sottovoce.methods.bins import on_lattice
from sottovoce.methods.full_range import ENOUGH_TO_MEASURE, best_table, decode_means
from sottovoce.methods.interval_limits import ENOUGH_TO_SHOW
from sottovoce.methods.likelihood import normal_below
from sottovoce.methods.waves_and_folds import RoundMaker
from sottovoce.risk import table_reach

# Means of vectors from direction reports: one small symbol a user, whatever the dimension.

_PRIOR = 20.0
"""Reports that the law of one direction counts for, beside squares that came out smaller."""


@dataclass(frozen=True, kw_only=True, eq=False)
class MeanVector:
    """An unbiased estimate of a mean vector: its entries, the variance of each, from so many reports."""

    value: Floats
    variance: Floats
    reports: int

    @property
    def spread(self) -> float:
        """The mean variance of an entry."""
        return float(self.variance.mean())


def direction_symbols(epsilon: float) -> int:
    """How many symbols a direction report has: about e^ε of them pay."""
    return int(2 ** max(1, min(6, round(epsilon))))


@cache
def direction_response(epsilon: float) -> float:
    """m: what a direction report says of a unit vector, before it is divided by m."""
    count = direction_symbols(epsilon)
    own, other = subset(epsilon, count, size=1).inclusion
    ends = np.linspace(0.0, 7.0, 7001)
    below = (2 * normal_below(ends) - 1) ** (count // 2)
    return (own - other) * float(np.trapezoid(1 - below, ends))


@cache
def direction_stretch(epsilon: float) -> float:
    """How much larger the variance along one direction can be than an entry's usual one, (r/m)²: users decide which.

    Of a unit vector that points along it, the row that is reported has a second moment of more than one: it is the
    largest of several. Users who all lie in one direction give that direction this variance, and the others less.
    """
    count = direction_symbols(epsilon)
    own = subset(epsilon, count, size=1).inclusion[0]
    ends = np.linspace(0.0, 7.0, 7001)
    below = (2 * normal_below(ends) - 1) ** (count // 2)
    largest = float(np.trapezoid(2 * ends * (1 - below), ends))
    return own * largest + (1 - own) * (count - largest) / (count - 1)


def direction_question(
    asking: RoundMaker, count: float, *, role: str, vector: Vector, centre: Sequence[float], radius: float
) -> Question:
    """`count` users say in which direction they lie from the centre."""
    symbols = direction_symbols(asking.epsilon)
    statistic = Direction(vector=vector, centre=tuple(centre), radius=radius, seed=asking.next_seed, rows=symbols // 2)
    return asking.question(
        count,
        role=role,
        encoder=Encoder(statistic=statistic, placement=Grid(low=(0.0,), high=(float(symbols),), count=symbols)),
        channel=subset(asking.epsilon, symbols, size=1),
    )


def decode_directions(asked: Question, tally: Tally) -> MeanVector:
    """The mean vector from a tally of directions."""
    statistic = asked.encoder.statistic
    assert isinstance(statistic, Direction)
    reports, size = tally.reports[0], statistic.vector.size
    scale = statistic.radius / (
        direction_response(asked.epsilon) * (1 + 0.25 / statistic.rotated_size)
    )  # entries are not quite normal
    cells = np.array(tally.cells[0], dtype=np.float64)
    away = scale * cells[:size] / (reports * FINE)
    squares = cells[size:] / FINE**2
    second = scale**2 * np.maximum((squares + _PRIOR) / (reports + _PRIOR), squares / reports)
    variance = np.maximum(second - away**2, 0.1 * scale**2) / max(1, reports - 1)
    return MeanVector(value=np.asarray(statistic.centre) + away, variance=variance, reports=reports)


def pool_mean_vectors(parts: Sequence[MeanVector]) -> tuple[MeanVector, Floats]:
    """Independent estimates together, each by the inverse of its mean variance, and the weights."""
    weights = np.array([1 / part.spread for part in parts])
    weights = weights / weights.sum()
    value = weights @ np.stack([part.value for part in parts])
    variance = weights**2 @ np.stack([part.variance for part in parts])
    return MeanVector(value=value, variance=variance, reports=sum(part.reports for part in parts)), weights


# Means of vectors entry by entry: one entry a user, on its full range, through the best table. Nothing is assumed.

LEAST = 2.0**-50
"""Reports that all say the same have no variance, or by rounding one below zero; what is divided by it needs some."""


def entry_question(
    asking: RoundMaker, count: float, *, role: str, vector: Vector, low: tuple[float, ...], high: tuple[float, ...]
) -> Question:
    """`count` users say how large the entry is that falls to them; entries are dealt in turn."""
    return asking.question(
        count,
        role=role,
        encoder=Encoder(statistic=Entry(vector=vector), placement=Position(low=low, high=high)),
        channel=best_table(asking.epsilon),
        groups=vector.size,
    )


def decode_entries(asked: Question, tally: Tally) -> MeanVector:
    """The mean vector from a tally of entries, with variances that allow for whatever users are.

    Entries with many reports have the variance that these show, those with some of them a little more, and those with
    hardly any the largest that users can give them.
    """
    means, reports = decode_means(asked, tally), np.array(tally.reports, dtype=np.float64)
    shown = np.maximum(_spread(asked, tally) / np.maximum(1.0, reports - 1), means.privacy) * (1 + 2 / np.sqrt(reports))
    some = (reports >= ENOUGH_TO_SHOW) & (reports < ENOUGH_TO_MEASURE)
    variance = np.where(some, shown, means.sampling + means.privacy)
    return MeanVector(value=np.asarray(means.value), variance=variance, reports=sum(tally.reports))


def entry_variance(asked: Question, tally: Tally) -> float:
    """The variance of one report, on average over entries: for decisions, where groups are too small for each."""
    reports = np.array(tally.reports, dtype=np.float64)
    return float((_spread(asked, tally) * reports).sum() / max(1.0, (reports - 1).sum()))


def _spread(asked: Question, tally: Tally) -> Floats:
    """Mean squared distances of the reports about each entry from their mean."""
    channel, placement = asked.channel, asked.encoder.placement
    assert isinstance(channel, Table) and isinstance(placement, Position)
    cells, reports = np.array(tally.cells, dtype=np.float64), np.array(tally.reports, dtype=np.float64)
    values, width = np.asarray(channel.whole), np.asarray(placement.high) - np.asarray(placement.low)
    squares = cells @ values**2 / reports - (cells @ values / reports) ** 2
    return np.asarray(width**2 * np.maximum(squares, LEAST))


# One Hadamard coefficient of the shares from each user, on its full range: unbiased, nothing clipped.
#
# With K the next power of two, shares are (1 + Σ_g H_jg μ_g)/K over the K − 1 coefficients besides the first, which is
# known: a user's shares add up to one.

MOST_CATEGORIES = 32
"""Up to so many categories coefficients can say more than items: the noise of each is shared by all of them."""


def coefficient_groups(size: int) -> int:
    """K − 1."""
    return (1 << (size - 1).bit_length()) - 1


def coefficient_question(asking: RoundMaker, count: float, *, vector: Categories) -> Question:
    """`count` users say what a public half of their shares adds up to, less the other half."""
    return asking.question(
        count,
        role="coefficient",
        encoder=Encoder(statistic=Coefficient(vector=vector), placement=Position(low=(-1.0,), high=(1.0,))),
        channel=best_table(asking.epsilon),
        groups=coefficient_groups(vector.size),
    )


def decode_coefficients(asked: Question, tally: Tally) -> MeanVector:
    """The shares that a tally of coefficients says."""
    statistic, channel = asked.encoder.statistic, asked.channel
    assert isinstance(statistic, Coefficient) and isinstance(channel, Table)
    counts, reports = tally.counts(), np.array(tally.reports, dtype=np.float64)
    values = 2 * np.asarray(channel.whole) - 1
    means = counts @ values / reports
    inside = (np.clip(means, -1.0, 1.0) + 1) / 2
    variance = np.maximum(counts @ values**2 / reports - means**2, 4 * channel.variance(inside)) / reports
    whole, size = asked.groups + 1, statistic.vector.size
    shares = walsh_hadamard(np.concatenate(([1.0], means)))[:size] / whole
    known = (1 - 1 / size) / (
        1 - 1 / whole
    )  # what lies beyond the last category is nothing, and its error is taken off
    return MeanVector(
        value=shares - (float(shares.sum()) - 1) / size,
        variance=np.full(size, known * float(variance.sum()) / whole**2),
        reports=int(reports.sum()),
    )


def coefficient_variance(epsilon: float, size: int, apart: float) -> float:
    """The variance of a share in one report, for users whose shares lie so far apart (mean squared distance)."""
    whole, groups = coefficient_groups(size) + 1, coefficient_groups(size)
    noise = 4 * float(best_table(epsilon).variance(np.linspace(0.0, 1.0, 257)).mean())
    known = (1 - 1 / size) / (1 - 1 / whole)
    return known * (groups / whole) ** 2 * (noise + apart * whole / groups)


def coefficient_reach(epsilon: float, size: int) -> float:
    """How far one colluder can pull a share: one of K − 1 coefficients, by the most that a report can say."""
    return table_reach(best_table(epsilon), 2.0) * coefficient_groups(size) / (coefficient_groups(size) + 1)


# Ways to ask about the mean of vectors that cut nobody off: where no radius is worth it, and where none was found.


class Unclipped(Protocol):
    """A way to ask everybody who is left."""

    @property
    def reach(self) -> float:
        """How far a report may lie from an honest one in an entry: colluders move it by their share of that."""
        ...

    def variance(self, typical: float) -> float:
        """The variance of an entry, times the reports, for users who lie about so far from their mean."""
        ...

    def script(self, asking: RoundMaker) -> Generator[Question, Tally, MeanVector]:
        """Ask, and decode."""
        ...


def direction_sway(epsilon: float) -> float:
    """How far in an entry, or along any line, a direction report moves at most, on average over slots, for radius 1.

    A colluder sends the best of the symbols: E max|N(0, 1)| over the rows, divided by the response.
    """
    own, other = subset(epsilon, direction_symbols(epsilon), size=1).inclusion
    return 1 / (own - other)


@dataclass(frozen=True, kw_only=True)
class Domain:
    """Where vectors can lie: in a ball around `middle`, and in whatever `project` returns to."""

    middle: tuple[float, ...]
    radius: float
    low: tuple[float, ...]
    high: tuple[float, ...]
    project: Callable[[Floats], Floats]
    far: Callable[[Sequence[float]], float]
    """The largest distance that anybody can have from a point."""

    def on_lattice(self, centre: Floats) -> tuple[float, ...]:
        """A centre that goes into a question."""
        inside = self.project(centre)
        return tuple(
            on_lattice((float(value),), low, high)[0]
            for value, low, high in zip(inside, self.low, self.high, strict=True)
        )

    def farthest(self, centre: Sequence[float]) -> Floats:
        """The largest distance that anybody can have from a point in each entry."""
        at = np.asarray(centre)
        return np.asarray(np.maximum(np.asarray(self.high) - at, at - np.asarray(self.low)))


@dataclass(frozen=True, kw_only=True)
class FromMiddle:
    """Direction reports from the middle of the domain, with its own radius."""

    vector: Vector
    domain: Domain
    epsilon: float

    @property
    def reach(self) -> float:
        return self.domain.radius * direction_sway(self.epsilon) + float(self.domain.farthest(self.domain.middle).max())

    def variance(self, typical: float) -> float:
        """Whatever the users are."""
        return (self.domain.radius / direction_response(self.epsilon)) ** 2

    def script(self, asking: RoundMaker) -> Generator[Question, Tally, MeanVector]:
        """Ask everybody who is left."""
        asked = direction_question(
            asking,
            math.inf,
            role="direction",
            vector=self.vector,
            centre=self.domain.middle,
            radius=self.domain.radius,
        )
        return self._careful(decode_directions(asked, (yield asked)))

    def _careful(self, directions: MeanVector) -> MeanVector:
        """With few reports their own variance says little: they may vary as the largest of all rows does."""
        if directions.reports >= ENOUGH_TO_MEASURE:
            return directions
        part, rows = 1 - directions.reports / ENOUGH_TO_MEASURE, max(2, direction_symbols(self.epsilon) // 2)
        least = self.variance(0.0) * (1 + part * max(0.0, 2 * math.log(rows) - 1)) / directions.reports
        return replace(directions, variance=np.maximum(directions.variance, least))


@dataclass(frozen=True, kw_only=True)
class Entries:
    """One entry a user, through the best table; entries all lie on [low, high]."""

    vector: Vector
    low: float
    high: float
    epsilon: float

    @property
    def reach(self) -> float:
        return table_reach(best_table(self.epsilon), self.high - self.low)

    def variance(self, typical: float) -> float:
        """Each entry has its part of the users."""
        noise = usual_variance(best_table(self.epsilon)) * ((self.high - self.low) / 2) ** 2
        return self.vector.size * noise + typical**2

    def script(self, asking: RoundMaker) -> Generator[Question, Tally, MeanVector]:
        """Ask everybody who is left."""
        asked = entry_question(asking, math.inf, role="entry", vector=self.vector, low=(self.low,), high=(self.high,))
        means = decode_means(asked, (yield asked))
        return MeanVector(value=means.value, variance=means.deviation**2, reports=means.answered[0])
