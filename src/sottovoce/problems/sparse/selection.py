"""PrivateSparseSelection (L600): votes for coordinates, then a mean for each of those selected."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np

from sottovoce.answers import Chosen
from sottovoce.design import laplace
from sottovoce.messages import (
    Average,
    Encoder,
    Fact,
    Free,
    Hashed,
    Laplace,
    Position,
    Question,
    Rules,
    Slots,
    Tally,
    Way,
)
from sottovoce.methods import Floats, FullRange, GroupScheme, Script, Tuned, VoteThenRefine, ends_free, merged, split
from sottovoce.problems.ruling import in_turn
from sottovoce.problems.sparse.answer import selected
from sottovoce.problems.sparse.estimate import SparseEstimate
from sottovoce.problems.sparse.ranks import mean_votes, ranked
from sottovoce.problems.sparse.settings import SparseMean
from sottovoce.risk import Averages, Crowd, Poisoning, Prediction, average, laplace_reach


@dataclass(frozen=True, kw_only=True)
class Selection:
    """Half of the users vote for coordinates, the others refine those with the most votes."""

    settings: SparseMean
    eta: float
    """The clamp of the signed sum of votes (L603)."""
    threshold: float
    """How far from zero an average must be to get a vote, in the units of the data (ε at L603)."""
    cuts: bool
    """Whether coordinates with less than half a vote are left out."""
    tuned: Callable[[int, int], Tuned]
    """Δ, T* and the budget of refining: for so many users, and so many coordinates."""

    @property
    def bound(self) -> float:
        return self.threshold

    @property
    def halves(self) -> tuple[Slots, Slots]:
        """Who votes, and who refines."""
        voters, refiners = split(self.settings.users, 2)
        assert voters is not None and refiners is not None
        return voters, refiners

    def script(self, method: str, chosen: Chosen) -> Script[SparseEstimate]:
        """Vote for coordinates, refine those selected, decode."""
        vote = self.vote()
        votes = yield vote
        scores, noise = self.scores(vote, votes)
        support, means = self.select(scores, noise), None
        if support:
            means = yield from self.refinement(support).script()
            chosen = replace(chosen, details=(*chosen.details, Fact("refined-as-asked")))
        return selected(
            self.settings,
            support,
            means,
            users=(votes.reports[0], *(() if means is None else means.answered)),
            lowest=min((scores[index] for index in support), default=0.0),
            noise=noise,
            threshold=self.threshold,
            method=f"{method}, selection",
            chosen=chosen,
        )

    def vote(self) -> Question:
        """A voter's signed sum of the coordinates that lie far enough from zero."""
        own = self.settings
        return Question(
            survey=own.survey,
            round=0,
            role="vote",
            slots=self.halves[0],
            encoder=Encoder(
                statistic=Hashed(seed=own.public_seed, columns=own.dimension, threshold=self.threshold),
                placement=Position(low=(-self.eta,), high=(self.eta,)),
            ),
            channel=laplace(own.epsilon),
            epsilon=own.epsilon,
        )

    def scores(self, asked: Question, tally: Tally) -> tuple[Floats, float]:
        """The mean signed vote for each coordinate (L608), and its standard deviation for a coordinate of zero."""
        assert isinstance(asked.channel, Laplace)
        unit, votes = self.eta / asked.channel.steps, tally.reports[0]
        cells = np.array(tally.cells[0], dtype=np.float64)
        return unit * cells[:-1] / votes, unit * math.sqrt(cells[-1]) / votes

    def select(self, scores: Floats, noise: float) -> tuple[int, ...]:
        """Those with the most votes, or the first, of those that pass the cuts."""
        candidates = np.flatnonzero(scores >= self.cut(noise))
        if self.settings.rank == "votes":
            candidates = candidates[np.argsort(-scores[candidates], kind="stable")]
        return tuple(int(index) for index in candidates[: self.settings.at_most])

    def cut(self, noise: float) -> float:
        """The least mean vote of a coordinate that is selected: ½ (L608), and what noise of this size hardly gives."""
        own, least = self.settings, 0.5 if self.cuts else -math.inf
        if own.false_alarm is None:
            return least
        return max(least, -noise * NormalDist().inv_cdf(own.false_alarm / own.dimension))

    @property
    def may_drop(self) -> bool:
        """Whether fewer coordinates than are asked for may be selected."""
        return self.cuts or self.settings.false_alarm is not None

    @property
    def rules(self) -> Rules:
        """How many coordinates are refined is decided on the way where votes are cut off: all numbers are looked at."""
        own, last, (voters, refiners) = self.settings, self.settings.dimension, self.halves
        sizes = range(1, own.at_most + 1) if self.may_drop else (own.at_most,)
        schemes = [self.refinement(tuple(range(last - size, last))) for size in sizes]
        ways, tables = [Way.of(self.vote(), opening=True)], []
        columns = Free(field="statistic.columns", low=0.0, high=float(last - 1), most=own.at_most)
        turns: list[tuple[int, tuple[str, ...]]] = [(voters.count, ("vote",))]
        if isinstance(schemes[0], FullRange):
            asked = schemes[0].question()
            ways.append(Way.of(asked, columns))
            tables.append(schemes[0].table)
            turns.append((refiners.count, (asked.role,)))
        else:
            localised = [scheme for scheme in schemes if isinstance(scheme, VoteThenRefine)]
            ways += merged(
                way for scheme in localised for way in scheme.ways(columns, *_settled(scheme), opening=False)
            )
            half = max(scheme.voters.count if scheme.voters else 0 for scheme in localised)
            early = {"vote" if scheme.voters else "refine" for scheme in localised}
            turns += [(half, tuple(sorted(early)))] if half else []
            turns.append((refiners.count - half, ("refine",)))
        return Rules(waves=in_turn(turns, epsilon=own.epsilon), ways=tuple(ways), tables=tuple(tables))

    def refinement(self, support: tuple[int, ...]) -> GroupScheme:
        """How the selected coordinates are estimated."""
        own, slots = self.settings, self.halves[1]
        if own.refine == "one-round":
            return FullRange(
                survey=own.survey,
                slots=slots,
                low=(own.low,),
                high=(own.high,),
                epsilon=own.epsilon,
                statistic=Average(columns=support),
                groups=len(support),
                round=1,
            )
        tuned = self.tuned(slots.count, len(support))
        return VoteThenRefine(
            survey=own.survey,
            slots=slots,
            statistic=Average(columns=support, first=tuned.kept if tuned.kept < own.observations else None),
            budget=tuned.budget,
            layout=tuned.layout,
            round=1,
        )

    @property
    def typical(self) -> GroupScheme:
        """The refinement when as many coordinates are selected as can be: what a prediction speaks of."""
        return self.refinement(tuple(range(self.settings.at_most)))

    @property
    def users_per_round(self) -> tuple[int, ...]:
        return self.halves[0].count, *self.typical.users_per_round

    def risk(self, crowd: Crowd, signal: float) -> Prediction:
        """Of a coordinate of this size."""
        found, score = self.chance(crowd, signal)
        # As many coordinates as are missed are refined in their place (unless a cut leaves them out): zero, but for
        # noise.
        wrong = (1 - found) if not self.may_drop else 0.0
        missed = Prediction(sampling=0.0, privacy=0.0, omission=(1 - found) * signal**2)
        return self._refined(crowd, signal).scaled(found + wrong * (score >= 0)) + missed

    def _refined(self, crowd: Crowd, signal: float) -> Prediction:
        scheme = self.typical
        places = (signal,) if crowd.around is not None or not scheme.step else (signal, signal + scheme.step / 2)
        return average([scheme.risk(self._law(crowd, place, self._counted)) for place in places])

    @property
    def _counted(self) -> int:
        """How many observations of a refiner count."""
        own = self.settings
        return own.observations if own.refine == "one-round" else self.tuned(self.halves[1].count, own.at_most).kept

    def _law(self, crowd: Crowd, place: float, observations: int) -> Averages:
        low, high = self.settings.low, self.settings.high
        return crowd.averages(centre=min(place, high), observations=observations, low=low, high=high)

    def chance(self, crowd: Crowd, signal: float) -> tuple[float, float]:
        """The chance that a coordinate of this size is among the `sparsity` with the most votes, and its mean vote."""
        own = self.settings
        hot, idle = (self._lit(self._law(crowd, place, own.observations)) for place in (signal, 0.0))
        true, false = mean_votes(
            hot,
            idle,
            dimension=own.dimension,
            sparsity=own.at_most,
            eta=self.eta,
            epsilon=own.epsilon,
            voters=self.halves[0].count,
        )
        return ranked(true, false, own.at_most, own.dimension, cut=self.cut(false[1])), true[0]

    def _lit(self, law: Averages) -> float:
        """The share of users whose average is far enough from zero."""
        return float(law.weights @ (np.abs(law.points) >= self.threshold))

    def poisoning(self, crowd: Crowd, signal: float) -> Poisoning:
        """Votes are captured when a wrong coordinate gets the mean true vote, or a wrong place the most.

        A colluder's report lies up to η(1 + 2·16/ε) from zero, times a sign that is public.
        """
        score = self.chance(crowd, signal)[1]
        lift = laplace_reach(2 * self.eta, self.settings.epsilon) - self.eta
        refined = self.typical.poisoning([self._law(crowd, signal, self._counted)])
        captured = score / (score + lift)
        return Poisoning(
            reach=refined.reach, capture=captured if refined.capture is None else min(captured, refined.capture)
        )

    def words(self) -> Fact:
        return Fact("refined", way=self.settings.refine)


def _settled(scheme: VoteThenRefine) -> tuple[Free, ...]:
    """What follows from how many coordinates are refined: a line holds it for all of these numbers."""
    assert isinstance(scheme.statistic, Average)
    grid, kept, uses = scheme.layout.grid(), scheme.statistic.first, scheme.budget.uses
    told = [Free(field="uses", low=float(uses), high=float(uses))]
    if kept is not None:
        told.append(Free(field="statistic.first", low=float(kept), high=float(kept)))
    if scheme.voters is not None:
        told += ends_free(grid.low[0], grid.high[0])
        told.append(Free(field="placement.count", low=float(grid.count), high=float(grid.count)))
    return tuple(told)
