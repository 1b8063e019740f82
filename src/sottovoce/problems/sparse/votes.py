"""Which coordinates differ from zero? Voters say in which direction they lie from zero; no coordinate is asked about.

A report is a direction of the averages themselves, or of 1 in each coordinate whose average is far from zero. The
averages find coordinates however small, if reports are many; the other way none below its threshold, but with far fewer
reports, since noise in the many coordinates of zero takes nothing from the few that count.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist

import numpy as np

from sottovoce.messages import Averages, Large, Question, Tally, Vector, nearest_log
from sottovoce.methods import Asking, Floats, Found, directed_mean, direction_question, pooled, response, symbols
from sottovoce.problems.sparse.ranks import ranked
from sottovoce.problems.sparse.settings import SparseMean
from sottovoce.risk import Crowd

FALSE = 0.05
"""Where nothing differs from zero, something is selected in this part of the surveys."""
FEWEST = 20
"""Reports that a selected coordinate gets at least, where the number of coordinates is not known."""
HALF, FIRST, AGAIN = 0.5, 0.35, 0.2
"""Parts of the users: who vote where it is not known how many coordinates to look for, and where it is."""
_APART = 1.5
"""In standard deviations: chance leaves such a gap above coordinates of zero in one survey of fifty."""
_MOST = 0.75
"""Of the largest mean: no threshold lies beyond."""
_TINY = 2.0**-30
"""Averages of any length but zero count as one direction: the radius, in half-ranges."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Scores:
    """How far each coordinate lies from zero by the votes, in lengths of one voter's vector, and its deviation."""

    value: Floats
    deviation: Floats

    @property
    def usual(self) -> float:
        return float(np.median(self.deviation))

    @cached_property
    def standing(self) -> Floats:
        """In standard deviations."""
        return np.asarray(self.value / self.deviation)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The coordinates, the one that stands out most first."""
        return tuple(int(index) for index in np.argsort(-self.standing, kind="stable"))

    def at(self, place: int) -> float:
        """How far the coordinate at this place of the order stands out; minus infinity beyond the last."""
        return float(self.standing[self.order[place]]) if place < len(self.order) else -math.inf


@dataclass(frozen=True, kw_only=True)
class Votes:
    """Half of the users, where it is not known how many coordinates differ from zero.

    Where it is, a third, and some more unless as many coordinates as there should be stand clear of the others.
    """

    settings: SparseMean

    @property
    def known(self) -> bool:
        return self.settings.sparsity is not None

    def users(self, times: int) -> int:
        """How many vote, once or twice: in whole waves."""
        own = self.settings
        asking = Asking(survey=own.survey, epsilon=own.epsilon, users=own.users)
        for part in (FIRST, AGAIN)[:times] if self.known else (HALF,):
            asking.rounds.append(asking.within(math.floor(part * own.users)))
        return asking.asked

    def information(self, voters: int) -> float:
        """How many reports without noise say as much: the voters times m²."""
        return voters * response(self.settings.epsilon) ** 2

    @property
    def plain(self) -> bool:
        """Whether the averages themselves are voted with: where that finds smaller coordinates than a threshold."""
        own = self.settings
        needed = 1.2 * own.dimension + 2 * own.supposed * math.log(own.dimension)
        return self.information(own.users // 2) >= needed or self.threshold > _MOST * own.farthest

    @property
    def threshold(self) -> float:
        """Beyond which an average of T observations of mean zero lies in at most one of d coordinates (Hoeffding)."""
        own = self.settings
        return own.half * math.sqrt(2 * nearest_log(2 * own.dimension) / own.observations)

    @property
    def told(self) -> float:
        """The size of a coordinate that votes just tell from chance, if it is the only one and users are alike."""
        own = self.settings
        if not self.plain:
            return self.threshold
        length = own.half * math.sqrt(own.dimension / own.observations)
        reports = self.information(own.users // 2)
        return min(own.farthest, length * math.sqrt(2 * math.log(2 * own.dimension) / reports))

    @property
    def vector(self) -> Vector:
        size = self.settings.dimension
        return Averages(size=size) if self.plain else Large(size=size, threshold=self.threshold)

    @property
    def radius(self) -> float:
        return _TINY * self.settings.half if self.plain else 1.0

    def script(self, asking: Asking) -> Generator[Question, Tally, Scores]:
        """Vote, and once more where that may help."""
        asked = self._question(asking)
        found = directed_mean(asked, (yield asked))
        scores = self._scores(found)
        if self.known and not self.clear(scores):
            asked = self._question(asking)
            found, _ = pooled((found, directed_mean(asked, (yield asked))))
            scores = self._scores(found)
        return scores

    def _question(self, asking: Asking) -> Question:
        count = self.users(len(asking.rounds) + 1) - asking.asked
        centre = (0.0,) * self.settings.dimension
        return direction_question(asking, count, role="vote", vector=self.vector, centre=centre, radius=self.radius)

    def _scores(self, found: Found) -> Scores:
        """In either direction for the averages; above what is usual for the others, where that is more than zero."""
        value, deviation = found.value / self.radius, np.sqrt(found.variance) / self.radius
        value = np.abs(value) if self.plain else value - max(0.0, float(np.median(value)))
        return Scores(value=value, deviation=deviation)

    def clear(self, scores: Scores) -> bool:
        """Whether the `sparsity` largest scores stand apart from the next one."""
        return scores.at(self.settings.at_most - 1) >= scores.at(self.settings.at_most) + _APART

    def select(self, scores: Scores) -> tuple[int, ...]:
        """The `sparsity` largest; where it is not known, those that stand out (Benjamini and Hochberg 1995)."""
        if self.known:
            return scores.order[: self.settings.at_most]
        places = range(1, self.most(self.settings.users - self.users(1)) + 1)
        count = max((place for place in places if scores.at(place - 1) >= self.needed(place)), default=0)
        return scores.order[:count]

    def most(self, left: int) -> int:
        """No more are selected, so that each has a few reports."""
        return max(1, min(self.settings.dimension, left // FEWEST))

    def needed(self, place: int) -> float:
        """The standard score that so many coordinates must have to be selected."""
        tails = 2 if self.plain else 1
        return NormalDist().inv_cdf(1 - FALSE * min(1.0, place / self.settings.dimension) / tails)

    def doubtful(self, scores: Scores, selected: int) -> bool:
        """Whether some of so many have no larger score than chance gives to a coordinate of zero."""
        return self.known and scores.at(selected - 1) < math.sqrt(2 * math.log(max(2, self.settings.dimension)))

    def unseen(self, scores: Scores, selected: int, squares: float, confidence: float) -> float | None:
        """The size from which a coordinate would have had more votes than those left out, with this confidence.

        If users are alike, it is the only one, and the selected ones have these squares in all. None: no such size.
        """
        own = self.settings
        aim = (max(0.0, scores.at(selected)) + NormalDist().inv_cdf(confidence)) * scores.usual
        aim /= 1 - own.empty_at_most  # users without data point nowhere
        if self.plain:
            if aim >= 1:
                return None
            others = squares + own.dimension * own.half**2 / own.observations
            size = aim * math.sqrt(others / (1 - aim**2))
        else:
            lit = aim * math.sqrt(selected + 2)  # the selected ones, it, and one by chance
            if lit >= 1:
                return None
            size = self.threshold + max(0.0, NormalDist().inv_cdf(lit)) * own.half / math.sqrt(own.observations)
        return size if size < own.farthest else None

    def times(self, crowd: Crowd, signal: float) -> int:
        """How often users vote when `supposed` coordinates have this size, without chance."""
        if not self.known:
            return 1
        mean, idle = self.means(crowd, signal)
        usual = math.sqrt(2 * math.log(max(2, self.settings.dimension)))
        return 1 if (mean - idle) * math.sqrt(self.information(self.users(1))) >= usual + _APART + 1 else 2

    def chance(self, crowd: Crowd, signal: float) -> float:
        """That a coordinate of this size is selected when `supposed` of them have it; votes as many as it takes."""
        own, count = self.settings, self.settings.supposed
        mean, idle = self.means(crowd, signal)
        deviation = 1 / math.sqrt(self.information(self.users(2)))
        if not self.known:
            return 1 - NormalDist().cdf(self.needed(count) - mean / deviation)
        others = own.dimension - count
        rivals = count + (2 if self.plain else 1) * others  # a coordinate of zero may stand out either way
        return ranked((mean, deviation), (idle, deviation), count, rivals, cut=-math.inf)

    def means(self, crowd: Crowd, signal: float) -> tuple[float, float]:
        """Mean scores of coordinates of this size, when `supposed` of them have it, and of those of zero."""
        own, count = self.settings, self.settings.supposed
        hot, cold = (
            crowd.averages(centre=place, observations=own.observations, low=own.low, high=own.high)
            for place in (signal, 0.0)
        )
        others = own.dimension - count
        if self.plain:
            squares = count * float(hot.weights @ hot.points**2) + others * float(cold.weights @ cold.points**2)
            return (abs(hot.mean) / math.sqrt(squares) if squares > 0 else 0.0), 0.0
        lit, idle = (float(law.weights @ (np.abs(law.points) >= self.threshold)) for law in (hot, cold))
        length = math.sqrt(max(1.0, 1 + (count - 1) * lit + others * idle))
        return lit / length, idle / length

    def capture(self, score: float) -> float:
        """The share of colluding voters who give a coordinate of zero as many votes as one of this score has.

        Each adds to it what several honest ones add who hold nothing else.
        """
        held = symbols(self.settings.epsilon)
        lift = (math.exp(self.settings.epsilon) + held - 1) / math.expm1(self.settings.epsilon)
        return max(0.0, score) / (max(0.0, score) + lift)
