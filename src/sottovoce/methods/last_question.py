"""Which last question to ask of users who were looked for: between which ends, through which table, at which levels.

Everybody who is left answers one question through a table that is bent at its two ends (`bent_table`). Ends near the
users make the core exact, ends far away the tails; either may be chosen boldly, since how far users lie beyond is asked
for, too: users who were looked for in the wrong place cost width, and no bias. The loss is log H + ¼ log MSE, H being
the half-width that holds whatever the users are, on average over what the bins leave open. Everything is on [−1, 1].
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sottovoce.design import WindowsTable, bent, on_nodes
from sottovoce.messages import Floats, Integers, Table
from sottovoce.methods.bent_table import (
    CANCELLING,
    CORE,
    GARROTE,
    LEVELS,
    LOWER,
    LOWER_TAIL,
    UPPER,
    UPPER_TAIL,
    WHOLE,
    BentTable,
    garrote,
    garrote_risk,
    group_odds,
    reaches,
)
from sottovoce.methods.bins import END, LATTICE, BinShares, on_lattice
from sottovoce.methods.location_posterior import Caution, Core, distinct

BELL_POINTS = 60
STANDS_OUT = 1.5
"""In standard errors: a bin that holds so much more than the bell explains has users of its own."""
LEAST_BELL = 0.05
"""The part of the users that is always taken for the bell, whatever bins show besides."""
NARROWEST = 2.0**-14
"""The least distance between ends: knots inside are then still apart on the lattice."""
STEPS, FIRST_STEP = 0.5, 0.5
"""Candidate ends lie so many times the core's width from its middle: 2 to the power of .5, and of .5 more each time."""
ODDS = 12.0
"""How much likelier it is that nobody but the bell is beyond an end than that a group is, where bins show neither."""
WIDE, DEAR = 1.05, 20.0
"""Above so many times the width of one round with everybody, a plan is punished so much."""
ABOUT_AS_GOOD = 0.04
"""Of the loss: by how much the reports of bins change it from survey to survey, about."""
GAP = 2.0**-10
"""An end that is the range's own lies so far inside of it: a knot stands on either side of it."""
FURTHEST = 4.0
"""Ends that lie more unevenly than so in the range (log of the ratio of what is beyond them) count as this uneven."""
LAW_FLOOR = 0.003
"""The part of the users who may be at any knot, for all that decodings are made for; chosen by hand."""
EVEN_ENDS = 13
"""At how many knots of the table for the full range an end may lie."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LastTables:
    """The tables of a last question: for users who were found somewhere, and one on even knots for the full range."""

    found: tuple[WindowsTable, ...]
    even: Table

    @property
    def all(self) -> tuple[Table, ...]:
        """Each once, by its integers."""
        return tuple(dict.fromkeys(Table(rows=one.rows) for one in (*(one.table for one in self.found), self.even)))


@dataclass(frozen=True, kw_only=True, eq=False)
class LastQuestion:
    """A last question as it was chosen, and what it is expected to give."""

    bent: BentTable
    below: float
    """A level of `bent_table.LEVELS`, as `above`."""
    above: float
    halfwidth: float
    error: float
    """A mean squared error."""
    usually: tuple[float, float]
    """So many times `halfwidth`, and `error`, over questions that are about as good: chance takes any of them."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Seen:
    """What rounds of bins say of the users."""

    core: Core
    rounds: Sequence[BinShares]

    def _own(self, shares: BinShares) -> Floats:
        """The share of each bin that the bell explains."""
        return np.diff(np.concatenate(([0.0], self.core.share_below(np.arcsin(shares.edges)), [1.0])))

    @cached_property
    def points(self) -> tuple[Floats, Floats]:
        """Where users are likely, with weights: the bell, and bins that hold more users than it explains."""
        shares = (np.arange(BELL_POINTS) + 0.5) / BELL_POINTS
        places, weights = [np.sin(self.core.quantiles(shares.tolist()))], [np.full(BELL_POINTS, 1 / BELL_POINTS)]
        reports = sum(one.reports for one in self.rounds)
        for one in self.rounds:
            edges = np.concatenate(([-1.0], one.edges, [1.0]))
            errors = np.sqrt(one.variance(np.eye(one.bins)))
            places.append((edges[1:] + edges[:-1]) / 2)
            weights.append(one.reports / reports * garrote(one.share - self._own(one), STANDS_OUT * errors))
        groups = np.concatenate(weights[1:])
        left = max(1 - float(groups.sum()), LEAST_BELL)
        weight = np.concatenate((left * weights[0], groups))
        return np.concatenate(places), weight / weight.sum()

    @cached_property
    def middle(self) -> float:
        """Of the bell."""
        return math.sin(float(self.core.quantiles([0.5])[0]))

    @cached_property
    def ends(self) -> Floats:
        """Candidates: at growing distances from the middle of the bell, and both ends of the range."""
        low, middle, high = self.core.quantiles([0.16, 0.5, 0.84])
        width = max((high - low) / 2, self.core.unit / 12)
        away = width * 2.0 ** np.arange(FIRST_STEP, 12, STEPS)
        away = away[away < math.pi]
        inside = math.asin(1 - GAP)
        phi = np.clip(np.concatenate(([-END], middle - away, middle + away, [END])), -inside, inside)
        return np.asarray(np.sin(distinct(phi)))

    def beyond(self, places: Floats, side: int) -> Beyond:
        """What may lie beyond each place, toward `side`."""
        phi = np.arcsin(places)
        grid = distinct(np.concatenate((phi, np.linspace(-END, END, 60), [-END, END])))
        left, right = self.core.clipped_beyond(grid)
        bell = self.core.weight @ (right if side > 0 else left)[:, np.searchsorted(grid, phi)]
        total = precision = np.zeros(len(places))
        for shares in self.rounds:
            edges = np.concatenate(([-1.0], shares.edges, [1.0]))
            far = edges[1:] if side > 0 else -edges[:-1]
            distance = np.maximum(far - side * places[:, None], 0)
            weight = 1 / np.maximum(shares.variance(distance), 1e-18)
            excess = shares.share - np.minimum(self._own(shares), np.maximum(shares.share, 0))
            total, precision = total + weight * (distance @ excess), precision + weight
        return Beyond.of(bell, total / precision, 1 / np.sqrt(precision))


@dataclass(frozen=True, kw_only=True, eq=False)
class Beyond:
    """What may lie beyond each candidate's end on one side: means of the tail in a few scenes, and their chances."""

    tails: Floats
    """``(scenes, candidates)``: nobody but the bell; a small group besides; a larger one."""
    chances: Floats

    @classmethod
    def of(cls, bell: Floats, more: Floats, error: Floats) -> Beyond:
        """From the bell's own tail, and what bins show besides with its standard error."""
        odds, mean, square = group_odds(more / np.maximum(error, 1e-12))
        spread = np.sqrt(np.maximum(square - mean**2, 0.0))
        group = odds / (odds + ODDS)
        tails = [bell, bell + error * np.maximum(mean - spread, 0.0), bell + error * (mean + spread)]
        return cls(tails=np.stack(tails), chances=np.stack((1 - group, group / 2, group / 2)))

    def take(self, rows: Integers) -> Beyond:
        """Of some candidates, in this order."""
        return Beyond(tails=self.tails[:, rows], chances=self.chances[:, rows])

    @property
    def mean(self) -> Floats:
        return np.asarray((self.chances * self.tails).sum(axis=0))


@dataclass(frozen=True, kw_only=True, eq=False)
class Candidates:
    """Last questions to choose from, one a row."""

    table: Integers
    low: Floats
    high: Floats
    variances: Floats
    """Of a report from users where they are likely: ``(6, candidates)``, a row for each decoding."""
    from_ends: Floats
    """How much larger its second moment is from users at the upper, and at the lower end of the range."""

    @classmethod
    def at(cls, number: int, chances: Floats, knots: Floats, low: Floats, high: Floats, law: Floats) -> Candidates:
        """Of one table on these knots ``(candidates, K)``, bent at these ends, for users of these laws on the knots."""
        core, lower, upper = bent(knots, low[:, None], high[:, None])
        functions = np.stack((core, lower, upper, knots, upper - core, core - lower), axis=1)
        expected = law @ chances
        weighted = chances / expected[:, None, :]
        solved = np.linalg.solve(weighted @ chances.T, functions.transpose(0, 2, 1))
        squares = (solved.transpose(0, 2, 1) @ weighted) ** 2
        second = (squares * expected[:, None, :]).sum(-1)
        means = (functions * law[:, None, :]).sum(-1)
        return cls(
            table=np.full(len(low), number),
            low=low,
            high=high,
            variances=np.maximum(second - means**2, 1e-18).T,
            from_ends=np.stack([(squares @ chances[node] - second).T for node in (-1, 0)]),
        )

    @classmethod
    def together(cls, parts: Sequence[Candidates]) -> Candidates:
        """All of them, in order."""
        return cls(
            table=np.concatenate([one.table for one in parts]),
            low=np.concatenate([one.low for one in parts]),
            high=np.concatenate([one.high for one in parts]),
            variances=np.concatenate([one.variances for one in parts], axis=-1),
            from_ends=np.concatenate([one.from_ends for one in parts], axis=-1),
        )


def law_on(knots: Floats, points: Floats, weights: Floats) -> Floats:
    """How many users are likely at each knot, none of which is left out."""
    return np.asarray((1 - LAW_FLOOR) * on_nodes(knots, points, weights) + LAW_FLOOR / knots.shape[-1])


def knots_between(low: Floats, high: Floats, count: int) -> Floats:
    """Both ends of the range, and between each pair of ends `count` knots, the two among them."""
    inside = low[:, None] + (high - low)[:, None] * np.linspace(0, 1, count)
    ends = np.ones((len(low), 1))
    return np.concatenate((-ends, inside, ends), axis=1)


def nearest_tables(tables: Sequence[WindowsTable], low: Floats, high: Floats) -> Integers:
    """Which table was designed for ends most like each pair of them."""

    def shape(low: Any, high: Any) -> tuple[Any, Any]:
        uneven = np.log(np.maximum(1 - high, LATTICE) / np.maximum(1 + low, LATTICE))
        return np.log(high - low), np.clip(uneven, -FURTHEST, FURTHEST)

    middles, halves = np.array([one.middle for one in tables]), np.array([one.width / 2 for one in tables])
    own, others = shape(low, high), shape(middles - halves, middles + halves)
    apart = sum((one[:, None] - other) ** 2 for one, other in zip(own, others, strict=True))
    return np.asarray(np.argmin(apart, axis=1))


def candidates(seen: Seen, tables: LastTables) -> Candidates:
    """Around the middle of the bell, and on the full range with ends at any two of its knots."""
    ends = seen.ends
    first, last = ends[0], ends[-1]
    pairs = [
        (low, high)
        for low in ends
        for high in ends
        if (low < seen.middle or low == first)
        and (high > seen.middle or high == last)
        and high - low > NARROWEST
        and not (low == first and high == last)
    ]
    parts = []
    if pairs:
        low, high = np.array(pairs).T
        which = nearest_tables(tables.found, low, high)
        for number in sorted(set(which.tolist())):
            rows = np.flatnonzero(which == number)
            chances = tables.found[number].table.probabilities
            knots = knots_between(low[rows], high[rows], len(chances) - 2)
            parts.append(Candidates.at(number, chances, knots, low[rows], high[rows], law_on(knots, *seen.points)))
    chances = tables.even.probabilities
    knots = np.linspace(-1, 1, len(chances))
    nodes = knots[sorted({round(place) for place in np.linspace(0, len(knots) - 1, EVEN_ENDS).tolist()})]
    low, high = np.array([(low, high) for low in nodes for high in nodes if low < high]).T
    law = law_on(knots, *seen.points)
    shape = (len(low), len(knots))
    parts.append(
        Candidates.at(len(tables.found), chances, np.broadcast_to(knots, shape), low, high, np.broadcast_to(law, shape))
    )
    return Candidates.together(parts)


def tail_risk(tails: Floats, errors: Floats, caution: Caution) -> float:
    """The mean square by which two tails of known size are missed, or seen where there is nothing."""
    grid, bias, squared = garrote_risk(GARROTE[caution])
    at = tails / np.maximum(errors, 1e-300)
    off, square = errors * np.interp(at, grid, bias), errors**2 * np.interp(at, grid, squared)
    return max(0.0, float(square.sum() - CANCELLING * off[0] * off[1]))


@dataclass(frozen=True, kw_only=True, eq=False)
class Outlook:
    """What each candidate is expected to give: half-width, squared error, and levels of its two ends."""

    halfwidth: Floats
    error: Floats
    below: Integers
    above: Integers


def outlook(deviations: Floats, upper: Beyond, lower: Beyond, *, confidence: float, caution: Caution) -> Outlook:
    """From the standard errors of all decodings ``(6, candidates)`` and what may lie beyond both ends."""
    error = (1 - confidence) / 2
    halves, kinds = [], []
    for row, other in ((LOWER, upper), (UPPER, lower)):  # the end on one side leaves the tail on the other out
        widths = []
        apart = deviations[LOWER_TAIL if row == UPPER else UPPER_TAIL]
        common = deviations[row] ** 2 + deviations[WHOLE] ** 2 - apart**2
        alike = np.clip(common / (2 * deviations[row] * deviations[WHOLE]), 0.0, 1.0)
        for level in LEVELS:
            own, both = reaches(level, error, alike)
            alone = other.tails + own * deviations[row]
            widths.append((other.chances * np.minimum(alone, both * deviations[WHOLE])).sum(axis=0))
        halves.append(np.min(widths, axis=0))
        kinds.append(np.argmin(widths, axis=0))
    grid, bias, squared = garrote_risk(GARROTE[caution])
    risks = []
    for row, tail in ((UPPER_TAIL, upper), (LOWER_TAIL, lower)):
        at = tail.tails / deviations[row]
        risks.append(
            list(
                zip(
                    tail.chances,
                    deviations[row] * np.interp(at, grid, bias),
                    deviations[row] ** 2 * np.interp(at, grid, squared),
                    strict=True,
                )
            )
        )
    tails = sum(
        chance * other * np.maximum(square + other_square - CANCELLING * off * other_off, 0)
        for chance, off, square in risks[0]
        for other, other_off, other_square in risks[1]
    )
    return Outlook(
        halfwidth=(halves[0] + halves[1]) / 2,
        error=np.asarray(deviations[CORE] ** 2 + tails),
        below=kinds[0],
        above=kinds[1],
    )


def choose_last(
    seen: Seen, tables: LastTables, *, left: int, users: int, confidence: float, caution: Caution, aim: str = "interval"
) -> LastQuestion:
    """The last question for those who are `left` of all users."""
    given = candidates(seen, tables)
    places = distinct(np.concatenate((given.low, given.high)))
    upper = seen.beyond(places, 1).take(np.searchsorted(places, given.high))
    lower = seen.beyond(places, -1).take(np.searchsorted(places, given.low))
    shares = upper.mean / np.maximum(1 - given.high, GAP), lower.mean / np.maximum(1 + given.low, GAP)
    grown = given.variances + shares[0] * given.from_ends[0] + shares[1] * given.from_ends[1]
    deviations = np.sqrt(np.maximum(grown, given.variances / 4) / left)
    expected = outlook(deviations, upper, lower, confidence=confidence, caution=caution)
    loss = np.log(expected.error)
    if aim == "interval":
        everybody = math.sqrt(left / users) * float(expected.halfwidth[_whole(given)])
        loss = loss / 4 + np.log(expected.halfwidth) + DEAR * np.maximum(expected.halfwidth / everybody - WIDE, 0)
    best = int(np.argmin(loss))
    weights = np.exp((loss[best] - loss) / ABOUT_AS_GOOD)
    weights /= weights.sum()
    low, high = on_lattice((given.low[best], given.high[best]), -1.0, 1.0)
    number = int(given.table[best])
    if number < len(tables.found):
        table = tables.found[number].table
        knots = knots_between(np.array([low]), np.array([high]), len(table.rows) - 2)[0]
    else:
        table = tables.even
        knots = np.linspace(-1, 1, len(table.rows))
    knots = np.array(on_lattice(knots, -1.0, 1.0))
    law = np.array(on_lattice(law_on(knots, *seen.points), 0.0, 1.0))
    return LastQuestion(
        bent=BentTable(table=table, knots=knots, low=low, high=high, law=law),
        below=LEVELS[int(expected.below[best])],
        above=LEVELS[int(expected.above[best])],
        halfwidth=float(expected.halfwidth[best]),
        error=float(expected.error[best]),
        usually=(
            math.exp(float(weights @ np.log(expected.halfwidth / expected.halfwidth[best]))),
            math.exp(float(weights @ np.log(expected.error / expected.error[best]))),
        ),
    )


def _whole(given: Candidates) -> int:
    """The candidate that is the full range, bent nowhere."""
    return int(np.argmax(given.high - given.low))
