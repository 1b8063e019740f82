"""One report, several decodings: a table on knots, bent at two of them.

Let low < high be the two ends and x a user's number. With the core C = clip(x; low, high), the upper tail
R = (x − high)⁺ and the lower tail L = (low − x)⁺, x = C + R − L. Neither tail is below zero, so E(C + R) is an upper
bound on the mean and E(C − L) a lower one, *whatever the users are*; each needs one tail only, and a tail in which
nobody is has little variance. From the reports through one table all of these are decoded: the best unbiased decoding
of each, for users who are where earlier reports saw them.

An end of the interval is the smaller of two bounds: one from the tail on its own side alone, one from both. At which
levels is settled before the question is asked. The value is the core with both tails, each of them only as far as it
stands out from chance. Everything here is on [−1, 1].
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, cached_property
from statistics import NormalDist
from typing import Any

import numpy as np

from sottovoce.answers import upper_quantile
from sottovoce.design import bent
from sottovoce.messages import Floats, Integers, Table
from sottovoce.methods.interval_limits import NEAR, SAME, Moments
from sottovoce.methods.location_posterior import Caution

LEVELS: tuple[float, ...] = (0.93, 0.75, 0.5, 0.25)
"""How much of an end's chance of error goes to the bound from its own tail; the rest to the one from both tails."""
GARROTE: dict[Caution, float] = {"high": 0.75, "medium": 1.25, "low": 2.0}
"""In standard errors: a tail that stands out no further counts as chance in the value."""
NOBODY = 20.0
"""How much likelier it is that nobody is beyond an end than that a group is, where reports show neither.

With 16 the error that is told was .7 to 1.6 times the true one in 48 of 50 simulated populations, of 20 surveys each.
"""
CANCELLING = 1.4
"""How far biases of the two tails cancel: twice .7, since they are not alike."""
SPARE = 0.5
"""In standard errors: an estimate beyond an end of the range is farther from other means by so much at most."""
LEAST_TAIL = 0.96
"""In standard errors where nobody is: a tail's estimate below minus this much does not make an interval narrower."""
_TURNS = 30
DIGITS = 9
"""Decodings are right to so many."""
CORE, LOWER, UPPER, WHOLE, UPPER_TAIL, LOWER_TAIL = range(6)
"""Rows of decodings: what is bent above only lies nowhere above the number, what is bent below only nowhere below."""


def garrote(tail: Any, error: Any) -> Any:
    """A tail as far as it stands out: y − e²/y above e, else nothing."""
    return np.where(tail > error, tail - error**2 / np.where(tail > error, tail, 1.0), 0.0)


@cache
def _chance() -> Floats:
    """In standard errors, all alike likely."""
    return np.array([NormalDist().inv_cdf((place + 0.5) / 400) for place in range(400)])


@cache
def garrote_risk(z: float) -> tuple[Floats, Floats, Floats]:
    """Bias and squared error of a tail's garrote, in its errors, by how far the tail lies above zero."""
    tails = np.linspace(0.0, 12.0, 121)
    off = garrote(tails[:, None] + _chance(), np.array(z)) - tails[:, None]
    return tails, off.mean(axis=1), (off**2).mean(axis=1)


def kept_on_average(tails: Floats, errors: Floats, caution: Caution) -> Floats:
    """What a garrote leaves of tails, on average over chance; they may be below zero where somebody lied."""
    apart = tails / np.maximum(errors, 1e-300)
    kept = garrote(apart[..., None] + _chance(), np.array(GARROTE[caution]))
    return np.asarray(errors * kept.mean(axis=-1))


def sum_in_order(values: Floats, axis: int) -> Floats:
    """The sum along an axis, one after another: the same bits on every processor."""
    return np.asarray(np.add.accumulate(values, axis=axis).take(-1, axis=axis))


def solve_in_order(matrix: Floats, sides: Floats) -> Floats:
    """The solution of a small system ``(K, K) x = (K, sides)``: the same bits on every processor.

    By elimination in a fixed order, number by number; libraries add up in an order of their own.
    """
    rows, size = np.hstack((matrix, sides)), len(matrix)
    for place in range(size):
        pivot = place + int(np.argmax(np.abs(rows[place:, place])))
        rows[[place, pivot]] = rows[[pivot, place]]
        rows[place] /= rows[place, place]
        others = np.arange(size) != place
        rows[others] -= rows[others, place, None] * rows[place]
    return np.asarray(rows[:, size:])


ALIKE = np.linspace(0.0, 0.97, 33)
"""Correlations of two bounds."""
_NODES, _FAR = 48, 8.0


@cache
def _reach_of_second(share: float, error: float) -> tuple[float, Floats]:
    """How many standard errors two bounds reach of which one fails with this chance, the first with a share of it.

    The second by how alike their errors are (`ALIKE`).
    """
    first = upper_quantile(share * error)
    places, weights = np.polynomial.legendre.leggauss(_NODES)
    half = (first + _FAR) / 2  # over where the first holds
    at = half * (places + 1) - _FAR
    weights = half * weights * np.exp(-(at**2) / 2) / math.sqrt(2 * math.pi)
    apart = np.sqrt(np.maximum(1 - ALIKE**2, 1e-12))[:, None]
    low, high = np.zeros(len(ALIKE)), np.full(len(ALIKE), _FAR)
    for _ in range(_TURNS):
        second = (low + high) / 2
        fails = 1 - bell_below((second[:, None] - ALIKE[:, None] * at) / apart) @ weights
        low, high = np.where(fails > error, second, low), np.where(fails > error, high, second)
    return first, high


def reaches(level: float, error: float, alike: Any) -> tuple[Any, Any]:
    """How many standard errors the bound from the own tail and the one from both reach, by how alike their errors are.

    Either fails with chance `error` at most, since only what both have in common is counted once.
    """
    if not level:
        return math.inf, upper_quantile(error)
    own, both = _reach_of_second(level, error)
    return own, np.interp(alike, ALIKE, both)


def bell_below(scores: Any) -> Floats:
    """The part of a standard normal law below each score."""
    return np.asarray(_erfc(-np.asarray(scores) / math.sqrt(2)) / 2)


_erfc = np.vectorize(math.erfc, otypes=[np.float64])


def group_odds(apart: Floats) -> tuple[Floats, Floats, Floats]:
    """How likely a group is, against nobody, by how far a tail stands out; and then mean and square of its size.

    In standard errors of the tail. A group has any size with the same chance beforehand, so that what is known of it is
    the upper part of a bell; odds are one where nothing stands out.
    """
    apart = np.maximum(apart, -4.0)  # below, nothing is left that a float could tell
    density = np.exp(-(np.minimum(apart, 12.0) ** 2) / 2) / math.sqrt(2 * math.pi)
    above = bell_below(apart)
    mean = apart + density / above
    return above / density / math.sqrt(math.pi / 2), mean, 1 + apart * mean


@dataclass(frozen=True, kw_only=True, eq=False)
class BentTable:
    """A table on knots, bent at two of them, with the best decodings for users of a given law on the knots.

    Rows of `decode` are core, lower and upper: unbiased at every knot for the number clipped to [low, high], for the
    number bent above `high` only, and for the number bent below `low` only.
    """

    table: Table
    knots: Floats
    low: float
    high: float
    law: Floats

    @cached_property
    def decode(self) -> Floats:
        chances = self.table.probabilities
        weighted = chances / sum_in_order(self.law[:, None] * chances, 0)
        products = sum_in_order(weighted[:, None, :] * chances, 2)
        solved = solve_in_order(products, bent(self.knots, self.low, self.high).T)
        return sum_in_order(solved.T[:, :, None] * weighted, 1)

    @cached_property
    def reader(self) -> BentReader:
        """What reads its reports."""
        chances = self.table.probabilities
        return BentReader(chances=chances, decode=self.decode, low=self.low, high=self.high, law=self.law)


@dataclass(frozen=True, kw_only=True, eq=False)
class BentReader:
    """What reports through a bent table say, of many surveys at once; `law` is where users were expected."""

    chances: Floats
    decode: Floats
    low: float
    high: float
    law: Floats

    @cached_property
    def values(self) -> Floats:
        """What each symbol decodes to, a row for each decoding."""
        core, lower, upper = self.decode
        return np.stack((core, lower, upper, lower + upper - core, upper - core, core - lower))

    @cached_property
    def functions(self) -> Floats:
        """What each decoding is on average at each knot, and its second moment: two of ``(6, knots)``."""
        return np.stack((self.values @ self.chances.T, self.values**2 @ self.chances.T))

    @cached_property
    def moments(self) -> dict[int, Moments]:
        """Of lower, upper and whole."""
        means, seconds = self.functions
        means = np.round(means, DIGITS)  # an end of the range is that end
        return {row: Moments.of(means[row], seconds[row]) for row in (LOWER, UPPER, WHOLE)}

    def deviations(self, law: Floats) -> Floats:
        """The standard deviation of one report, in each decoding, from users of a law on the knots."""
        means, seconds = self.functions
        return np.asarray(np.sqrt(np.maximum(seconds @ law - (means @ law) ** 2, 0.0)))

    def noise(self, law: Floats) -> float:
        """The part of a report's variance in the core that is not the users' own."""
        means, seconds = self.functions
        return float((seconds[CORE] - means[CORE] ** 2) @ law)

    @cached_property
    def expected_deviations(self) -> Floats:
        """That from users where they are expected."""
        return self.deviations(self.law)

    def read(self, counts: Floats | Integers, reports: Floats | Integers) -> BentReading:
        """Counts ``(surveys, symbols)``, each with its number of reports."""
        shares, number = (counts / reports[:, None]).T, reports.astype(np.float64)
        return BentReading(
            reader=self, reports=number, shares=shares, means=self.values @ shares, squares=self.values**2 @ shares
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class BentReading:
    """Shares of symbols, and means of all decodings and of their squares: ``(…, surveys)``."""

    reader: BentReader
    reports: Floats
    shares: Floats
    means: Floats
    squares: Floats

    @cached_property
    def errors(self) -> Floats:
        """Standard errors, never below those of users where they are expected."""
        own = np.sqrt(np.maximum(self.squares - self.means**2, 0.0))
        return np.maximum(own, self.reader.expected_deviations[:, None]) / np.sqrt(self.reports)

    def end(self, error: float, level: float, *, upward: bool) -> Floats:
        """An end of the interval, which fails with this chance."""
        own, tail, other, side = (
            (UPPER, UPPER_TAIL, LOWER_TAIL, 1.0) if upward else (LOWER, LOWER_TAIL, UPPER_TAIL, -1.0)
        )
        ends = [
            self.reader.moments[row].limit(
                self.means[row], self.squares[row], self.reports, z, upward=upward, spare=SPARE, halvings=NEAR
            )
            for row, z in zip((own, WHOLE), reaches(level, error, self._alike(own, other)), strict=True)
            if level or row == WHOLE
        ]
        least = LEAST_TAIL * self.reader.expected_deviations[tail] / np.sqrt(self.reports)
        nearest = np.minimum.reduce(ends) if upward else np.maximum.reduce(ends)
        return np.asarray(nearest + side * np.maximum(0.0, -self.means[tail] - least))

    def _alike(self, own: int, other: int) -> Floats:
        """The correlation of the bound from its own tail with the one from both, which differ in the `other` tail."""
        first, second = (
            self.reader.moments[row].variance(self.means[row], self.squares[row], self.reports) for row in (own, WHOLE)
        )
        apart = self.reports * self.errors[other] ** 2
        known = np.isfinite(first) & np.isfinite(second)
        first, second = np.where(known, first, 1.0), np.where(known, second, 1.0)
        return np.where(
            known, np.clip((first + second - apart) / np.maximum(2 * np.sqrt(first * second), 1e-300), 0.0, 1.0), 0.0
        )

    def interval(self, confidence: float, below: float, above: float) -> tuple[Floats, Floats]:
        """Holds with this confidence whatever the users are."""
        error = (1 - confidence) / 2
        low, high = self.end(error, below, upward=False), self.end(error, above, upward=True)
        low, high = np.minimum(low, high), np.maximum(low, high)
        return np.where(low < SAME - 1, -1.0, low), np.where(high > 1 - SAME, 1.0, high)

    def tails(self, caution: Caution) -> Floats:
        """Upper and lower tail as far as they stand out: ``(2, surveys)``."""
        return np.asarray(garrote(self.means[UPPER_TAIL:], GARROTE[caution] * self.errors[UPPER_TAIL:]))

    def value(self, caution: Caution) -> Floats:
        """The core, and what stands out beyond it."""
        upper, lower = self.tails(caution)
        core = np.clip(self.means[CORE], self.reader.low, self.reader.high)
        return np.asarray(np.clip(core + upper - lower, -1.0, 1.0))

    def doubt(self, caution: Caution) -> Floats:
        """The mean square by which both tails may be wrong, given what they showed: ``(2, surveys)``."""
        errors, found = self.errors[UPPER_TAIL:], self.tails(caution)
        scale = np.maximum(errors, 1e-300)
        odds, mean, square = group_odds(self.means[UPPER_TAIL:] / scale)
        group, kept = odds / (odds + NOBODY), found / scale
        return np.asarray(
            errors**2 * (group * np.maximum(square - 2 * kept * mean + kept**2, 0) + (1 - group) * kept**2)
        )

    def error(self, caution: Caution) -> Floats:
        """The root mean squared error of the value: never less than that of what was kept, all of it together."""
        upper, lower = self.tails(caution) > 0
        kept = self.errors[
            np.where(upper, np.where(lower, WHOLE, UPPER), np.where(lower, LOWER, CORE)), range(len(upper))
        ]
        return np.asarray(np.sqrt(np.maximum(self.errors[CORE] ** 2 + self.doubt(caution).sum(axis=0), kept**2)))
