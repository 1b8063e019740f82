"""Vote by directions, then find the users of each selected coordinate and ask there; users need not be alike."""

from __future__ import annotations

from functools import lru_cache

from sottovoce.answers import Note, NoteCode
from sottovoce.messages import Average, Encoder, Fact, Free, Grid, Rules, Way
from sottovoce.methods import (
    EVEN,
    Asking,
    InGroups,
    Script,
    best_table,
    bins_way,
    direction_way,
    ends_free,
    position_way,
)
from sottovoce.problems.method import Method
from sottovoce.problems.ruling import announced
from sottovoce.problems.sparse.answer import refined
from sottovoce.problems.sparse.estimate import SparseEstimate
from sottovoce.problems.sparse.settings import SparseMean
from sottovoce.problems.sparse.votes import Votes
from sottovoce.risk import Averages, Crowd, Poisoning, Prediction, Wider, table_reach, worst

_SIGNALS = (0.5, 0.7, 1.0, 1.4, 2.0, 3.0)
"""Sizes of the coordinates that are not zero, in those that votes tell from chance: the worst is taken."""
_NEVER = 0.001
_PAPERS = ("procedure", "refine", "rank", "cut", "false_alarm", "eta_constant", "threshold_constant", "delta")


class AdaptiveSelection(Method[SparseMean]):
    """Half of the users vote for coordinates, the others refine those that stand out, one each."""

    name = "adaptive"
    help = "votes for columns by directions, then finds the users of each selected one and asks there"
    not_empty = None

    def unavailable(self, settings: SparseMean) -> Fact | None:
        given = tuple(name for name in _PAPERS if getattr(settings, name) != _default(name))
        if given:
            return Fact("for-paper-and-theory", settings=given)
        least = 4 * (settings.sparsity or 1)
        if settings.users < least:
            return Fact("too-few-to-select", needed=least, users=settings.users)
        return None

    def refinement(self, settings: SparseMean, users: int, coordinates: int) -> InGroups:
        """How so many coordinates are estimated by so many users."""
        return InGroups(
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
        asking = Asking(
            survey=settings.survey, epsilon=settings.epsilon, users=settings.users, seed=settings.public_seed
        )
        votes = Votes(settings=settings)
        scores = yield from votes.script(asking)
        support, left, found = votes.select(scores), asking.left, []
        if support:
            scheme = self.refinement(settings, left, len(support))
            found = yield from scheme.each(asking, support, best_table(settings.epsilon))
        squares, many = sum(one.value**2 for one in found), len(support)
        notes = [Note(NoteCode.SELECTED_BY_CHANCE)] if votes.doubtful(scores, many) else []
        if not votes.known and many == votes.most(left) < settings.dimension:
            notes.append(Note(NoteCode.MORE_MAY_DIFFER, selected=many))
        return refined(
            settings,
            support,
            found,
            users=tuple(asking.rounds),
            unseen=votes.unseen(scores, many, squares, settings.confidence),
            capture=votes.capture(scores.at(many - 1) * scores.usual) if support else 0.0,
            notes=tuple(notes),
            method=self.name,
        )

    def predict(self, settings: SparseMean, crowd: Crowd) -> Prediction:
        """Of a coordinate that is not zero, on average: missed, it costs its own square.

        Without a stated place, the worst of several sizes: the hardest are those that chance can hide.
        """
        crowd.check_range(settings.low, settings.high)
        return worst(self._risk(settings, crowd, signal) for signal in self._places(settings, crowd))

    def _places(self, settings: SparseMean, crowd: Crowd) -> list[float]:
        """The sizes that are looked at: as stated, or several."""
        return self._signals(settings) if crowd.around is None else [crowd.around]

    def _signals(self, settings: SparseMean) -> list[float]:
        unit = Votes(settings=settings).told
        return sorted({min(0.9 * settings.farthest, part * unit) for part in _SIGNALS})

    def _risk(self, settings: SparseMean, crowd: Crowd, signal: float) -> Prediction:
        found, left = Votes(settings=settings).chance(crowd, signal), self._left(settings, crowd, signal)
        risk = Prediction(sampling=0.0, privacy=0.0, omission=(1 - found) * signal**2)
        if found > _NEVER:
            risk += _expected(self.refinement(settings, left, settings.supposed), crowd, signal).scaled(found)
        if settings.sparsity is not None and found < 1 - _NEVER:  # in place of one that is missed, one of zero
            risk += _expected(self.refinement(settings, left, settings.supposed), crowd, 0.0).scaled(1 - found)
        return risk

    def _left(self, settings: SparseMean, crowd: Crowd, signal: float) -> int:
        """Who refine, when as many coordinates as are supposed have this size."""
        votes = Votes(settings=settings)
        return settings.users - votes.users(votes.times(crowd, signal))

    def guarded(self, settings: SparseMean, crowd: Crowd) -> float:
        return max(self._guarded(settings, crowd, signal) for signal in self._places(settings, crowd))

    def wider(self, settings: SparseMean, crowd: Crowd) -> tuple[Wider, ...]:
        """In a selected coordinate they count as the middle of what the last question asks about."""
        away = max(self._aside(settings, crowd, signal) for signal in self._places(settings, crowd))
        return (Wider.by(settings.empty_at_most, away, -away),)

    def _aside(self, settings: SparseMean, crowd: Crowd, signal: float) -> float:
        scheme = self.refinement(settings, self._left(settings, crowd, signal), settings.supposed)
        if scheme.finds:
            return abs(scheme.aside(_law(scheme, crowd, signal), best_table(settings.epsilon)))
        return abs(signal - (settings.low + settings.high) / 2)

    def _guarded(self, settings: SparseMean, crowd: Crowd, signal: float) -> float:
        scheme = self.refinement(settings, self._left(settings, crowd, signal), settings.supposed)
        if scheme.finds:
            return scheme.guard(_law(scheme, crowd, signal), best_table(settings.epsilon))
        return _expected(scheme, crowd, signal).halfwidth(settings.confidence)

    def users_per_round(self, settings: SparseMean) -> tuple[int, ...]:
        """With one vote, and as many coordinates as are supposed."""
        voters, many = Votes(settings=settings).users(1), settings.supposed
        scheme = self.refinement(settings, settings.users - voters, many)
        asking = Asking(survey=settings.survey, epsilon=settings.epsilon, users=settings.users)
        for count in (voters, *((scheme.first * many, scheme.second * many) if scheme.finds else ())):
            asking.rounds.append(asking.within(count))
        return *asking.rounds, asking.left

    def rules(self, settings: SparseMean) -> Rules:
        epsilon, size = settings.epsilon, settings.dimension
        low, high, votes = settings.low, settings.high, Votes(settings=settings)
        columns = Free(field="statistic.columns", low=0.0, high=float(size - 1), most=size)
        grid = Encoder(statistic=Average(), placement=Grid(low=(low,), high=(high,), count=EVEN))
        ways = (
            direction_way("vote", vector=votes.vector, epsilon=epsilon, centre=(0.0,) * size, radius=votes.radius),
            bins_way("bins", columns, statistic=Average(), low=low, high=high),
            Way.by(grid, columns, *ends_free(low, high, most=size), role="bins", channel="subset"),
            position_way("mean", columns, statistic=Average(), low=low, high=high, most=size),
        )
        return announced(next(self.script(settings)), ways, (best_table(epsilon),), users=settings.users)

    def poisoning(self, settings: SparseMean, crowd: Crowd) -> Poisoning:
        """Of one coordinate; votes are captured when a wrong one gets the mean true score."""
        votes = Votes(settings=settings)
        signal = min(3 * votes.told, 0.9 * settings.farthest) if crowd.around is None else crowd.around
        reach = table_reach(best_table(settings.epsilon), settings.high - settings.low)
        return Poisoning(reach=reach, capture=votes.capture(votes.means(crowd, signal)[0]))

    def words(self, settings: SparseMean) -> Fact:
        votes = Votes(settings=settings)
        scheme = self.refinement(settings, settings.users - votes.users(1), settings.supposed)
        return Fact(
            "votes-by-directions",
            threshold=None if votes.plain else votes.threshold,
            sought=settings.sparsity,
            all=settings.dimension,
            bins=scheme.finds,
        )


def _law(scheme: InGroups, crowd: Crowd, place: float) -> Averages:
    centre = min(scheme.high, max(scheme.low, place))
    return crowd.averages(centre=centre, observations=scheme.observations, low=scheme.low, high=scheme.high)


@lru_cache(maxsize=256)
def _expected(scheme: InGroups, crowd: Crowd, place: float) -> Prediction:
    """Of one coordinate of this size. Cached: several sizes share their coordinates of zero."""
    return scheme.expected(_law(scheme, crowd, place), best_table(scheme.epsilon))


def _default(name: str) -> object:
    return SparseMean.__dataclass_fields__[name].default
