"""Vote by directions, then find the users of each selected coordinate and ask there; users need not be alike."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from statistics import NormalDist

import numpy as np

from sottovoce.answers import GUARDED, Assumes, Colluders, Note, NoteCode, StandardError, two_sided, within
from sottovoce.messages import (
    Average,
    Averages,
    Encoder,
    Fact,
    Free,
    Grid,
    Large,
    Question,
    Rules,
    Tally,
    Vector,
    Way,
    nearest_log,
)
from sottovoce.methods import (
    EVEN,
    AdaptiveGroups,
    Floats,
    GroupMean,
    RoundMaker,
    Script,
    best_table,
    bins_way,
    decode_directions,
    direction_question,
    direction_response,
    direction_symbols,
    direction_way,
    ends_free,
    pool_mean_vectors,
    position_way,
)
from sottovoce.problems.method import Method
from sottovoce.problems.rule_builders import rules_of_rounds
from sottovoce.problems.sparse.answer import SparseEstimate, sparse_answer
from sottovoce.problems.sparse.settings import SparseMean
from sottovoce.problems.sparse.vote_chances import chance_of_rank
from sottovoce.risk import COLLUDING, Crowd, Poisoning, Prediction, Widening, table_reach, worst
from sottovoce.risk import Averages as LawOfAverages

# What each number below is worth:
# python -m benchmarks.accuracy.tuning sottovoce.problems.sparse.adaptive:NAME VALUE … --problem sparse
_SIGNALS = (0.5, 0.7, 1.0, 1.4, 2.0, 3.0)
"""Sizes of the coordinates that are not zero, in those that votes tell from chance: the worst is taken."""
_NEVER = 0.001
"""Chances below this are taken for none in a prediction: it saves a refinement, and moves no digit that is shown."""
_PAPERS = ("procedure", "refine", "rank", "cut", "false_alarm", "eta_constant", "threshold_constant", "delta")
"""Settings that only the paper's methods have."""
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

    @cached_property
    def standard_scores(self) -> Floats:
        """The scores in standard deviations."""
        return np.asarray(self.value / self.deviation)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The coordinates, the one that stands out most first."""
        return tuple(np.argsort(-self.standard_scores, kind="stable").tolist())

    def at(self, place: int) -> float:
        """How far the coordinate at this place of the order stands out; minus infinity beyond the last."""
        return float(self.standard_scores[self.order[place]]) if place < len(self.order) else -math.inf


@dataclass(frozen=True, kw_only=True)
class Votes:
    """Half of the users, where it is not known how many coordinates differ from zero.

    Where it is, a third, and some more unless as many coordinates as there should be stand clear of the others.

    A report is a direction of the averages themselves, or of 1 in each coordinate whose average is far from zero. The
    averages find coordinates however small, if reports are many; the other way none below its threshold, but with far
    fewer reports, since noise in the many coordinates of zero takes nothing from the few that count.
    """

    settings: SparseMean

    @property
    def known(self) -> bool:
        """Whether it is known how many coordinates differ from zero."""
        return self.settings.sparsity is not None

    def users(self, times: int) -> int:
        """How many vote, once or twice: in whole waves."""
        asking = self.settings.round_maker()
        for part in (FIRST, AGAIN)[:times] if self.known else (HALF,):
            asking.rounds.append(asking.in_whole_waves(math.floor(part * asking.users)))
        return asking.asked

    def information(self, voters: int) -> float:
        """How many reports without noise say as much: the voters times m²."""
        return voters * direction_response(self.settings.epsilon) ** 2

    @property
    def plain(self) -> bool:
        """Whether the averages themselves are voted with: where that finds smaller coordinates than a threshold."""
        size, sought = self.settings.dimension, self.settings.supposed_nonzero
        needed = 1.2 * size + 2 * sought * math.log(size)
        return self.information(self.settings.users // 2) >= needed or self.threshold > _MOST * self.settings.farthest

    @property
    def threshold(self) -> float:
        """Beyond which an average of T observations of mean zero lies in at most one of d coordinates (Hoeffding)."""
        settings = self.settings
        return settings.half * math.sqrt(2 * nearest_log(2 * settings.dimension) / settings.observations)

    @property
    def visible(self) -> float:
        """The size of a coordinate that votes just tell from chance, if it is the only one and users are alike."""
        settings = self.settings
        if not self.plain:
            return self.threshold
        length = settings.half * math.sqrt(settings.dimension / settings.observations)
        reports = self.information(settings.users // 2)
        return min(settings.farthest, length * math.sqrt(2 * math.log(2 * settings.dimension) / reports))

    def asked_about(self) -> tuple[Vector, float]:
        """The vector in whose direction users vote, and the radius from which on its length does not count."""
        size = self.settings.dimension
        if self.plain:
            return Averages(size=size), _TINY * self.settings.half
        return Large(size=size, threshold=self.threshold), 1.0

    def script(self, asking: RoundMaker) -> Generator[Question, Tally, Scores]:
        """Vote, and once more where that may help."""
        (vector, radius), centre, rounds = self.asked_about(), (0.0,) * self.settings.dimension, []
        while True:
            count = self.users(len(asking.rounds) + 1) - asking.asked
            asked = direction_question(asking, count, role="vote", vector=vector, centre=centre, radius=radius)
            rounds.append(decode_directions(asked, (yield asked)))
            directions = pool_mean_vectors(tuple(rounds))[0] if len(rounds) > 1 else rounds[0]
            # In either direction for the averages; above what is usual for the others, where that is more than zero.
            value = directions.value / radius
            value = np.abs(value) if self.plain else value - max(0.0, float(np.median(value)))
            scores = Scores(value=value, deviation=np.sqrt(directions.variance) / radius)
            if not self.known or self.stands_apart(scores) or len(rounds) > 1:
                return scores

    def stands_apart(self, scores: Scores) -> bool:
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
        """How many coordinates are selected at most, so that each has a few reports."""
        return max(1, min(self.settings.dimension, left // FEWEST))

    def needed(self, place: int) -> float:
        """The standard score that so many coordinates must have to be selected."""
        tails = 2 if self.plain else 1
        return NormalDist().inv_cdf(1 - FALSE * min(1.0, place / self.settings.dimension) / tails)

    def doubtful(self, scores: Scores, selected: int) -> bool:
        """Whether some of so many have no larger score than chance gives to a coordinate of zero."""
        return self.known and scores.at(selected - 1) < self.settings.by_chance

    def unseen(self, scores: Scores, selected: int, squares: float, confidence: float) -> float | None:
        """The size from which a coordinate would have had more votes than those left out, with this confidence.

        If users are alike, it is the only one, and the selected ones have these squares in all. None: no such size.
        """
        settings = self.settings
        usual = float(np.median(scores.deviation))
        aim = (max(0.0, scores.at(selected)) + NormalDist().inv_cdf(confidence)) * usual
        aim /= 1 - settings.empty_at_most  # users without data point nowhere
        if self.plain:
            if aim >= 1:
                return None
            others = squares + settings.dimension * settings.half**2 / settings.observations
            size = aim * math.sqrt(others / (1 - aim**2))
        else:
            lit = aim * math.sqrt(selected + 2)  # the selected ones, it, and one by chance
            if lit >= 1:
                return None
            size = self.threshold + max(0.0, NormalDist().inv_cdf(lit)) * settings.half / math.sqrt(
                settings.observations
            )
        return size if size < settings.farthest else None

    def rounds_of_votes(self, crowd: Crowd, signal: float) -> int:
        """How often users vote when `supposed_nonzero` coordinates have this size, without chance."""
        if not self.known:
            return 1
        mean, idle = self.means(crowd, signal)
        standing = (mean - idle) * math.sqrt(self.information(self.users(1)))
        return 1 if standing >= self.settings.by_chance + _APART + 1 else 2

    def chance(self, crowd: Crowd, signal: float) -> float:
        """That a coordinate of this size is selected when `supposed_nonzero` have it; votes as many as it takes."""
        settings, count = self.settings, self.settings.supposed_nonzero
        mean, idle = self.means(crowd, signal)
        deviation = 1 / math.sqrt(self.information(self.users(2)))
        if not self.known:
            return 1 - NormalDist().cdf(self.needed(count) - mean / deviation)
        others = settings.dimension - count
        rivals = count + (2 if self.plain else 1) * others  # a coordinate of zero may stand out either way
        return chance_of_rank((mean, deviation), (idle, deviation), count, rivals, cut=-math.inf)

    def means(self, crowd: Crowd, signal: float) -> tuple[float, float]:
        """Mean scores of coordinates of this size, when `supposed_nonzero` of them have it, and of those of zero."""
        settings, count = self.settings, self.settings.supposed_nonzero
        hot, cold = (
            crowd.averages(centre=place, observations=settings.observations, low=settings.low, high=settings.high)
            for place in (signal, 0.0)
        )
        others = settings.dimension - count
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
        symbols = direction_symbols(self.settings.epsilon)
        lift = (math.exp(self.settings.epsilon) + symbols - 1) / math.expm1(self.settings.epsilon)
        return max(0.0, score) / (max(0.0, score) + lift)


class AdaptiveSelection(Method[SparseMean]):
    """Half of the users vote for coordinates, the others refine those that stand out, one each."""

    name = "adaptive"
    help = "votes for columns by directions, then finds the users of each selected one and asks there"
    why_not_empty = None

    def why_unavailable(self, settings: SparseMean) -> Fact | None:
        defaults = {field.name: field.default for field in fields(SparseMean)}
        given = tuple(name for name in _PAPERS if getattr(settings, name) != defaults[name])
        if given:
            return Fact("for-paper-and-theory", settings=given)
        least = 4 * (settings.sparsity or 1)
        return Fact("too-few-to-select", needed=least, users=settings.users) if settings.users < least else None

    def refinement(self, settings: SparseMean, users: int, coordinates: int) -> AdaptiveGroups:
        """How so many coordinates are estimated by so many users."""
        return AdaptiveGroups(
            survey=settings.survey,
            users=max(1, users // coordinates),
            beside=coordinates,
            observations=settings.observations,
            low=settings.low,
            high=settings.high,
            epsilon=settings.epsilon,
            confidence=settings.confidence,
        )

    def script(self, settings: SparseMean) -> Script[SparseEstimate]:
        asking, votes = settings.round_maker(), Votes(settings=settings)
        scores = yield from votes.script(asking)
        support, left = votes.select(scores), asking.users_left
        means: list[GroupMean] = []
        if support:
            scheme = self.refinement(settings, left, len(support))
            means = yield from scheme.script_for_columns(asking, support, best_table(settings.epsilon))
        squares, many = sum(one.value**2 for one in means), len(support)
        notes = [Note(NoteCode.SELECTED_BY_CHANCE)] if votes.doubtful(scores, many) else []
        if not votes.known and many == votes.most(left) < settings.dimension:
            notes.append(Note(NoteCode.MORE_MAY_DIFFER, selected=many))
        unseen = votes.unseen(scores, many, squares, settings.confidence)
        rows, whole = [], (settings.low, settings.high)
        models = [[whole] * settings.dimension, [whole] * settings.dimension]
        for index, one in zip(support, means, strict=True):
            sampling, privacy = math.sqrt(one.sampling), math.sqrt(one.privacy)
            error = StandardError(sampling=sampling, privacy=privacy, clipping=one.clipping)
            rows.append((one.value, error, one.interval, one.jointly))
            kinds = (models, (one.interval, one.jointly), settings.confidences(many))
            for model, guarded, level in zip(*kinds, strict=True):
                reach = two_sided(level) * one.deviation
                low, high = within((one.value - reach, one.value + reach), *whole)
                model[index] = max(low, guarded[0]), min(high, guarded[1])
        colluders, left_out = None, Fact("left-out-nothing")
        if many < settings.dimension:
            left_out = Fact("left-out-unseen", size=unseen, of_hundred=100 * settings.confidence)
        if means:
            score = scores.at(many - 1) * float(np.median(scores.deviation))
            colluders = _colluders(settings, means, votes.capture(score))
        return sparse_answer(
            self,
            settings,
            tuple(asking.rounds),
            support,
            rows,
            outside=[[whole] * settings.dimension] * 2,  # the others may lie anywhere
            left_out=left_out,
            interval_kind=GUARDED,
            assumes=Assumes.NOTHING,
            model_intervals=tuple(models[0]),
            model_simultaneous=tuple(models[1]),
            model_assumes=Assumes.ONE_BELL_EACH,
            detection_limit=max((one.hidden for one in means), default=None),
            hidden_shift=max((one.shift for one in means), default=None),
            would_be_seen=unseen,
            colluders=colluders,
            notes=tuple(notes),
        )

    def _foreseen(self, settings: SparseMean, crowd: Crowd) -> Iterator[tuple[float, AdaptiveGroups]]:
        """Sizes of the coordinates that are not zero, as stated or several, and how each would be refined."""
        votes = Votes(settings=settings)
        sizes = {min(0.9 * settings.farthest, part * votes.visible) for part in _SIGNALS}
        sizes = sizes if crowd.around is None else {crowd.around}
        for signal in sorted(sizes):
            left = settings.users - votes.users(votes.rounds_of_votes(crowd, signal))
            yield signal, self.refinement(settings, left, settings.supposed_nonzero)

    def predict(self, settings: SparseMean, crowd: Crowd) -> Prediction:
        """The expected error of a coordinate that is not zero, on average: missed, it costs its own square.

        Without a stated place, the worst of several sizes: the hardest are those that chance can hide.
        """
        crowd.check_range(settings.low, settings.high)
        risks = []
        for signal, scheme in self._foreseen(settings, crowd):
            chance = Votes(settings=settings).chance(crowd, signal)
            risk = Prediction(sampling=0.0, privacy=0.0, omission=(1 - chance) * signal**2)
            if chance > _NEVER:
                risk += _expected(scheme, crowd, signal).scaled(chance)
            if settings.sparsity is not None and chance < 1 - _NEVER:  # in place of one that is missed, one of zero
                risk += _expected(scheme, crowd, 0.0).scaled(1 - chance)
            risks.append(risk)
        return worst(risks)

    def guarded_halfwidth(self, settings: SparseMean, crowd: Crowd) -> float:
        return max(
            scheme.guarded_halfwidth(_law(scheme, crowd, signal), best_table(settings.epsilon))
            if scheme.finds_users
            else _expected(scheme, crowd, signal).halfwidth(settings.confidence)
            for signal, scheme in self._foreseen(settings, crowd)
        )

    def widenings_for_empty(self, settings: SparseMean, crowd: Crowd) -> tuple[Widening, ...]:
        """In a selected coordinate they count as the middle of what the last question asks about."""
        away = max(
            abs(scheme.mean_above_midpoint(_law(scheme, crowd, signal), best_table(settings.epsilon)))
            if scheme.finds_users
            else abs(signal - (settings.low + settings.high) / 2)
            for signal, scheme in self._foreseen(settings, crowd)
        )
        return (Widening.by(settings.empty_at_most, away, -away),)

    def users_per_round(self, settings: SparseMean) -> tuple[int, ...]:
        """How many users each round asks, with one vote and as many coordinates as are supposed."""
        voters, many, asking = Votes(settings=settings).users(1), settings.supposed_nonzero, settings.round_maker()
        scheme = self.refinement(settings, settings.users - voters, many)
        for count in (voters, *((scheme.first * many, scheme.second * many) if scheme.finds_users else ())):
            asking.rounds.append(asking.in_whole_waves(count))
        return *asking.rounds, asking.users_left

    def rules(self, settings: SparseMean) -> Rules:
        epsilon, size, low, high = settings.epsilon, settings.dimension, settings.low, settings.high
        vector, radius = Votes(settings=settings).asked_about()
        columns = Free(field="statistic.columns", low=0.0, high=float(size - 1), most=size)
        grid = Encoder(statistic=Average(), placement=Grid(low=(low,), high=(high,), count=EVEN))
        ways = (
            direction_way("vote", vector=vector, epsilon=epsilon, centre=(0.0,) * size, radius=radius),
            bins_way("bins", columns, statistic=Average(), low=low, high=high),
            Way.by(grid, columns, *ends_free(low, high, most=size), role="bins", channel="subset"),
            position_way("mean", columns, statistic=Average(), low=low, high=high, most=size),
        )
        return rules_of_rounds(next(self.script(settings)), ways, (best_table(epsilon),), users=settings.users)

    def poisoning(self, settings: SparseMean, crowd: Crowd) -> Poisoning:
        """What colluders can do to one coordinate; votes are captured when a wrong one gets the mean true score."""
        votes = Votes(settings=settings)
        signal = min(3 * votes.visible, 0.9 * settings.farthest) if crowd.around is None else crowd.around
        reach = table_reach(best_table(settings.epsilon), settings.high - settings.low)
        return Poisoning(reach=reach, capture=votes.capture(votes.means(crowd, signal)[0]))

    def words(self, settings: SparseMean) -> Fact:
        votes = Votes(settings=settings)
        scheme = self.refinement(settings, settings.users - votes.users(1), settings.supposed_nonzero)
        threshold = None if votes.plain else votes.threshold
        known = {"threshold": threshold, "sought": settings.sparsity, "all": settings.dimension}
        return Fact("votes-by-directions", **known, bins=scheme.finds_users)


def _colluders(settings: SparseMean, means: list[GroupMean], capture: float) -> Colluders:
    """The coordinate that they move most; none leaves its range, not even when the votes are captured."""
    known = tuple((share, max(dict(one.pulls)[share] for one in means)) for share in COLLUDING)
    poisoning = Poisoning(reach=0.0, capture=capture, known=known)
    halfwidth = sum(one.interval[1] - one.interval[0] for one in means) / (2 * len(means))
    most = settings.high - settings.low
    shifts = tuple((share, most if share >= capture else min(most, shift)) for share, shift in known)
    return Colluders(share=poisoning.share_for(halfwidth), shifts=shifts)


def _law(scheme: AdaptiveGroups, crowd: Crowd, place: float) -> LawOfAverages:
    centre = min(scheme.high, max(scheme.low, place))
    return crowd.averages(centre=centre, observations=scheme.observations, low=scheme.low, high=scheme.high)


@lru_cache(maxsize=256)
def _expected(scheme: AdaptiveGroups, crowd: Crowd, place: float) -> Prediction:
    """The prediction of one coordinate of this size. Cached: several sizes share their coordinates of zero."""
    return scheme.prediction(_law(scheme, crowd, place), best_table(scheme.epsilon))
