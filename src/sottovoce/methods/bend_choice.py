"""Where to bend the table of one round, and at which levels: chosen from a few of its own reports.

Everybody answers one question through one table on the full range, at which no end is known. A few of the reports
choose where its decodings are bent (`bent_table`) and at which levels; the interval is made of the others, so that it
holds whatever the users are. The value is made of all, bent where all of them say.

What users are is not estimated freely, which a few reports are too few for: it is weighed which of some thousand laws
explain the reports, bells of all widths and places and two narrow ones together. If none of them is true, a bend is
worse than it could be, and no end of an interval is wrong. Everything is on [−1, 1], at the nodes of a table.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, cached_property
from statistics import NormalDist

import numpy as np

from sottovoce.answers import upper_quantile
from sottovoce.design import on_nodes
from sottovoce.messages import Floats, Integers, Interval, Question, Table
from sottovoce.methods.bent_table import (
    CANCELLING,
    GARROTE,
    WHOLE,
    BentReading,
    BentTable,
    garrote_risk,
    reaches,
)
from sottovoce.methods.bins import on_lattice
from sottovoce.methods.location_posterior import Caution
from sottovoce.theory import strength

BELLS = (0.02, 0.06, 0.12, 0.25, 0.5, 1.5)
"""Their standard deviations; the widest is about uniform."""
NARROW = 0.06
CENTRES = 17
SMALLER = (0.03, 0.1, 0.3, 0.5)
"""The part of the users in the smaller of two groups."""
LIKELIEST = 60
"""So many laws are looked at; the others hardly explain anything."""
FLOOR = 0.01
"""The part of the users who may be at any node, for all that decodings are made for; chosen by hand."""
DEAR, FREE = 5.0, 0.03
"""What is worse than unbent counts so much more, from so much (of its log) on."""
LEAST = 0.25
"""Of the variance of the core: a squared error that is computed to be less is not believed."""
LEVELS = (0.5, 0.25)
"""As `bent_table.LEVELS`: a few reports know too little of the users to stake more on one bound."""
NO_BEND = (0.0, 0.0)


@cache
def assumed_laws(nodes: int) -> tuple[Floats, Floats]:
    """Laws of users at even nodes, one a row, and the log of how likely each is taken to be: one group or two."""
    places, centres = np.linspace(-1, 1, nodes), np.linspace(-1, 1, CENTRES)
    scores = np.array([NormalDist().inv_cdf((place + 0.5) / 40) for place in range(40)])
    weights = np.full(len(scores), 1 / len(scores))

    def bell(centre: float, deviation: float) -> Floats:
        return on_nodes(places, np.clip(centre + deviation * scores, -1, 1), weights)

    one = np.stack([bell(centre, deviation) for deviation in BELLS for centre in centres])
    narrow = np.stack([bell(centre, NARROW) for centre in centres])
    two = np.concatenate([(1 - part) * narrow[:, None] + part * narrow for part in SMALLER])
    two = two.reshape(-1, nodes)
    return np.concatenate((one, two)), np.log(np.repeat((0.5 / len(one), 0.5 / len(two)), (len(one), len(two))))


@dataclass(frozen=True, kw_only=True, eq=False)
class Belief:
    """What reports through a table say of where users are: laws on its nodes, with their chances."""

    table: Table
    laws: Floats
    chances: Floats

    @classmethod
    def of(cls, table: Table, counts: Floats | Integers) -> Belief:
        """From how often each symbol came; none says what is believed beforehand."""
        laws, before = assumed_laws(len(table.rows))
        weight = before + np.log(laws @ table.probabilities) @ counts
        likeliest = np.argsort(-weight, kind="stable")[: LIKELIEST if counts.any() else len(weight)]
        chances = np.exp(weight[likeliest] - weight[likeliest[0]])
        return cls(table=table, laws=laws[likeliest], chances=chances / chances.sum())

    @cached_property
    def law(self) -> Floats:
        """Where users are likely, none of the nodes left out; the same bits on every machine."""
        nodes = len(self.table.rows)
        return np.array(on_lattice((1 - FLOOR) * self.chances @ self.laws + FLOOR / nodes, 0.0, 1.0))

    @cached_property
    def nodes(self) -> Floats:
        return np.linspace(-1, 1, len(self.table.rows))

    @cached_property
    def pairs(self) -> tuple[Integers, Integers]:
        """The nodes at which core and tails may meet: the lower and the upper one of each pair."""
        return np.triu_indices(len(self.nodes), 1)

    def deviations(self, functions: Floats) -> Floats:
        """The standard deviation of a report that is decoded for each function, under each law."""
        chances = self.table.probabilities
        weighted = chances / (self.law @ chances)
        decoded = functions @ np.linalg.solve(weighted @ chances.T, weighted)
        return np.asarray(
            np.sqrt(np.maximum(self.laws @ (decoded**2 @ chances.T).T - (self.laws @ functions.T) ** 2, 0))
        )

    @cached_property
    def _tails(self) -> tuple[Floats, Floats]:
        """What lies below each node, and what above: ``(functions, nodes)``."""
        apart = self.nodes - self.nodes[:, None]
        return np.maximum(-apart, 0), np.maximum(apart, 0)

    def _cost(self, ratios: Floats) -> Floats:
        """Of logs of ratios ``(laws, bends)``, what is worse than unbent being dear."""
        return np.asarray(self.chances @ (ratios + DEAR * np.maximum(ratios - FREE, 0)))

    def _side(self, tails: Floats, side: Floats, error: float) -> tuple[Floats, Integers]:
        """How wide each bend makes a side, in logs of what it is unbent, at its best levels; and which these are.

        `tails` is what lies beyond on the other side, in units in which one report is one; `side` leaves it out.
        """
        whole, deviations = self.deviations(self.nodes[None]), np.maximum(self.deviations(side), 1e-12)
        least = upper_quantile(error) * whole
        common = deviations**2 + whole**2 - self.deviations(self.nodes - side) ** 2
        alike = np.clip(common / (2 * deviations * whole), 0.0, 1.0)
        widths = []
        for level in LEVELS:
            own, both = reaches(level, error, alike)
            alone = tails + own * deviations
            widths.append(np.log(np.minimum(alone, both * whole) / least))
        costs = np.stack([self._cost(ratio) for ratio in widths])
        return costs.min(axis=0), costs.argmin(axis=0)

    def sides(self, reports: float, confidence: float) -> tuple[Floats, Floats, Integers, Integers]:
        """Of so many reports: what each pair costs, below and above, and the levels of either side."""
        low, high = self.pairs
        below, above = self._tails
        error, root = (1 - confidence) / 2, math.sqrt(reports)
        left = self._side(root * self.laws @ above.T, self.nodes - above, error)
        right = self._side(root * self.laws @ below.T, self.nodes + below, error)
        return left[0][high], right[0][low], left[1][high], right[1][low]

    def squares(self, reports: float, caution: Caution) -> Floats:
        """The mean squared error of the value, in logs of what it is unbent, for each pair of nodes."""
        low, high = self.pairs
        grid, bias, squared = garrote_risk(GARROTE[caution])
        below, above = self._tails
        core, whole = np.clip(self.nodes, self.nodes[low, None], self.nodes[high, None]), self.nodes[None]
        functions = (core, whole, below, above, self.nodes + below, self.nodes - above)
        variances = [np.maximum(self.deviations(one) ** 2 / reports, 1e-24) for one in functions]
        of_core, of_whole, of_below, of_above = variances[0], variances[1], variances[2][:, low], variances[3][:, high]
        of_upper, of_lower = variances[4][:, low], variances[5][:, high]
        risks, kept = [], []
        for ends, variance, tails in ((low, of_below, below), (high, of_above, above)):
            apart = (self.laws @ tails.T)[:, ends] / np.sqrt(variance)
            risks.append((np.sqrt(variance) * np.interp(apart, grid, bias), variance * np.interp(apart, grid, squared)))
            kept.append(apart**2 / (1 + apart**2))
        (off_below, left), (off_above, right) = risks
        left_in, right_in = kept
        together = right_in * (of_upper - of_core - of_above) + left_in * (of_lower - of_core - of_below)
        together += left_in * right_in * (of_whole + of_core - of_upper - of_lower)  # tails that are kept vary together
        tails = np.maximum(left + right - CANCELLING * off_below * off_above, 0.0)
        squares = of_core + tails + together
        return self._cost(np.log(np.maximum(squares, LEAST * of_core) / of_whole))

    def bent_at(self, pair: int) -> BentTable:
        """The table, bent at a pair of nodes."""
        low, high = (float(self.nodes[ends[pair]]) for ends in self.pairs)
        return BentTable(table=self.table, knots=self.nodes, low=low, high=high, law=self.law)

    def for_interval(self, reports: float, confidence: float, caution: Caution) -> tuple[BentTable, float, float]:
        """Where to bend for an interval of so many other reports, and the levels of its ends."""
        left, right, below, above = self.sides(reports, confidence)
        best = int(np.argmin((left + right) / 2 + self.squares(reports, caution) / 4))
        return self.bent_at(best), LEVELS[int(below[best])], LEVELS[int(above[best])]

    def for_value(self, reports: float, caution: Caution) -> BentTable:
        """Where to bend for a value of these very reports."""
        return self.bent_at(int(np.argmin(self.squares(reports, caution))))

    def unbent(self) -> tuple[BentTable, float, float]:
        """For an interval of these very reports: nothing was looked at."""
        return self.bent_at(len(self.nodes) - 2), *NO_BEND


GROUPS = 20
"""Of the users of one round, all asked the same; the first chooses where to bend for the interval of the others.

More users choose better, and leave fewer to the interval: in widths .993 at 10 groups, .978 at 20, .98 at 30.
"""
ENOUGH_TO_CHOOSE = 500.0
"""In n·min(ε, ε²): with fewer reports nothing is chosen, everybody gives the interval, and no group is set apart."""
AS_CLEAR = 0.5
"""Of the reports that choose: so many of them, just as expected, choose as well as all of them, as they come."""
CAUTION: Caution = "high"
"""Tails are kept as soon as they stand out: medium has .8 of the squared error, and at worst 1.4 of edition 1's."""


def groups_of_one_round(users: int, epsilon: float) -> int:
    """Into how many groups the users of one round are dealt."""
    return GROUPS if users >= 2 * GROUPS and strength(users, epsilon) >= ENOUGH_TO_CHOOSE else 1


@dataclass(frozen=True, kw_only=True, eq=False)
class EvenReading:
    """What the reports of one round say, on [−1, 1], from the counts of every group ``(groups, symbols)``."""

    table: Table
    counts: Floats | Integers
    confidence: float

    @cached_property
    def everybody(self) -> Floats | Integers:
        return np.asarray(self.counts.sum(axis=0))

    @cached_property
    def interval(self) -> Interval:
        """Holds whatever the users are. Where the first group is silent, or all others are, nothing is bent."""
        first, others = self.counts[0], self.everybody - self.counts[0]
        if first.any() and others.any():
            chosen = Belief.of(self.table, first).for_interval(float(others.sum()), self.confidence, CAUTION)
        else:
            chosen, others = Belief.of(self.table, np.zeros(len(first))).unbent(), self.everybody
        bend, below, above = chosen
        low, high = bend.reader.read(others[None], others[None].sum(axis=1)).interval(self.confidence, below, above)
        return float(low[0]), float(high[0])

    @cached_property
    def belief(self) -> Belief:
        """What all reports say."""
        return Belief.of(self.table, self.everybody)

    @cached_property
    def _reading(self) -> BentReading:
        reports = self.everybody[None].sum(axis=1)
        return self.belief.for_value(float(reports[0]), CAUTION).reader.read(self.everybody[None], reports)

    @property
    def value(self) -> float:
        return float(self._reading.value(CAUTION)[0])

    @property
    def error(self) -> float:
        return float(self._reading.error(CAUTION)[0])

    @property
    def spread(self) -> float:
        """The standard deviation of the users, as far as reports show it."""
        law, nodes = self.belief.law, self.belief.nodes
        return math.sqrt(max(0.0, float(law @ nodes**2 - (law @ nodes) ** 2)))

    @property
    def reach(self) -> float:
        """From where the value lies to the farthest that one report can count as, in whichever decoding."""
        return float(np.abs(self._reading.reader.values[: WHOLE + 1] - self.value).max())


@dataclass(frozen=True, kw_only=True, eq=False)
class ExpectedReading(EvenReading):
    """What is read, on average over many surveys, where symbols come as often as expected of users of one law."""

    users: Floats
    """Their law on the nodes."""

    @property
    def error(self) -> float:
        """Without a step where one bend takes another's place: of what is expected of each, the least."""
        users = float(self.everybody.sum())
        belief = Belief(table=self.table, laws=self.users[None], chances=np.ones(1))
        whole = belief.deviations(belief.nodes[None])[:, 0] ** 2 / users
        return math.sqrt(float(belief.chances @ whole) * math.exp(belief.squares(users, CAUTION).min()))

    @cached_property
    def interval(self) -> Interval:
        """Its ends where the first group sees less than it would of reports that come just as expected."""
        counts = np.concatenate((AS_CLEAR * self.counts[:1], self.counts[1:])) if len(self.counts) > 1 else self.counts
        return EvenReading(table=self.table, counts=counts, confidence=self.confidence).interval


def expected_reading(question: Question, points: Floats, weights: Floats, confidence: float) -> EvenReading:
    """What is read of users at these points."""
    table = question.channel
    assert isinstance(table, Table)
    users = on_nodes(np.linspace(-1, 1, len(table.rows)), np.clip(points, -1, 1), weights)
    counts = np.tile(question.slots.count / question.groups * (users @ table.probabilities), (question.groups, 1))
    return ExpectedReading(table=table, counts=counts, confidence=confidence, users=users)
