"""The sparse procedures with the constants of the paper's experiments."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from statistics import NormalDist
from typing import ClassVar

import numpy as np

from sottovoce.answers import Chosen, ChosenBy, upper_tail
from sottovoce.design import laplace
from sottovoce.messages import (
    Average,
    Encoder,
    Fact,
    Free,
    Hashed,
    InvalidInput,
    Laplace,
    Position,
    Question,
    Rules,
    Slots,
    Tally,
    Way,
)
from sottovoce.methods import (
    Floats,
    FullRange,
    GroupScheme,
    Script,
    Tuned,
    VoteThenRefine,
    by_experiments,
    by_proofs,
    ends_free,
    everybody,
    experiment_delta,
    merged,
    split,
)
from sottovoce.problems.emptied import VOTES
from sottovoce.problems.method import Method
from sottovoce.problems.ruling import in_turn, voted
from sottovoce.problems.sparse.answer import SparseEstimate, selected, thresholded
from sottovoce.problems.sparse.ranking import mean_votes, ranked
from sottovoce.problems.sparse.settings import Refine, SparseMean
from sottovoce.risk import Averages, Crowd, Poisoning, Prediction, average, laplace_reach, worst
from sottovoce.theory import log1, sparse_switch, t_star

# PrivateSparseSelection (L600): votes for coordinates, then a mean for each of those selected.


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


# PrivateSparseThreshold (L624): every coordinate is estimated, small ones are set to zero.


@dataclass(frozen=True, kw_only=True)
class Thresholding:
    """Folds over all coordinates; what is no larger than `smallest` is zero."""

    settings: SparseMean
    tuned: Tuned
    smallest: float

    @property
    def bound(self) -> float:
        return self.smallest

    @property
    def scheme(self) -> VoteThenRefine:
        """The two questions."""
        own, kept = self.settings, self.tuned.kept
        return VoteThenRefine(
            survey=own.survey,
            slots=everybody(own.users),
            statistic=Average(columns=tuple(range(own.dimension)), first=kept if kept < own.observations else None),
            budget=self.tuned.budget,
            layout=self.tuned.layout,
        )

    def script(self, method: str, chosen: Chosen) -> Script[SparseEstimate]:
        """Estimate all, then threshold."""
        means = yield from self.scheme.script()
        return thresholded(self.settings, means, smallest=self.smallest, method=f"{method}, threshold", chosen=chosen)

    @property
    def users_per_round(self) -> tuple[int, ...]:
        return self.scheme.users_per_round

    @property
    def rules(self) -> Rules:
        return voted(self.scheme)

    def risk(self, crowd: Crowd, signal: float) -> Prediction:
        """Of a coordinate of this size: one that falls below the threshold costs its own square."""
        each = self.scheme.risk(self._law(crowd, signal))
        beyond = (self.smallest - abs(signal)) / each.rmse, (self.smallest + abs(signal)) / each.rmse
        kept = sum(map(upper_tail, beyond))
        return each.scaled(kept) + Prediction(sampling=0.0, privacy=0.0, omission=(1 - kept) * signal**2)

    def _law(self, crowd: Crowd, place: float) -> Averages:
        low, high = self.settings.low, self.settings.high
        return crowd.averages(centre=place, observations=self.tuned.kept, low=low, high=high)

    def poisoning(self, crowd: Crowd, signal: float) -> Poisoning:
        return self.scheme.poisoning([self._law(crowd, signal)])

    def words(self) -> Fact:
        return self.scheme.words()


# What ``"paper"`` and ``"theory"`` share: two procedures, and the rule that chooses between them.

_SIGNALS = (0.5, 0.8, 1.0, 1.2, 1.5, 2.0, 3.0, 5.0)
"""Sizes of the coordinates that are not zero, in thresholds: the worst is taken where none is stated."""


class ByProcedure(Method[SparseMean]):
    """Selection or thresholding, with constants to be given."""

    not_empty = VOTES

    eta_constant: ClassVar[float]
    """η²/s, where the signed sum of votes is clamped at η (L603)."""
    as_printed: ClassVar[bool]
    """Whether the ½ cut and C = √2 are kept also when columns are ranked by votes."""

    def kept(self, settings: SparseMean) -> int:
        """T* of the selection (L603)."""
        raise NotImplementedError("each variant has its constants")

    def tuned(self, settings: SparseMean, delta: float | None, users: int, groups: int) -> Tuned:
        """Δ, T* and the budget of `groups` means from `users` users."""
        raise NotImplementedError("each variant has its constants")

    def wide(self, settings: SparseMean, tuned: Tuned) -> float:
        """Δ of thresholding, which counts all users (L628)."""
        raise NotImplementedError("each variant has its constants")

    def procedure(self, settings: SparseMean) -> tuple[str, Fact | None]:
        """The procedure that runs, and why: by the rule at L595, or None where it was asked for."""
        if settings.procedure != "auto":
            return settings.procedure, None
        users, dimension = settings.users, settings.dimension
        if users < 2 * dimension:
            return "selection", Fact("too-few-to-threshold", users=users, all=dimension)
        strength = users * (settings.epsilon * settings.epsilon)
        limit = sparse_switch(
            users=users,
            observations=self.kept(settings),
            epsilon=settings.epsilon,
            dimension=dimension,
            constant=settings.switch_constant,
        )
        above = strength > limit
        if above and (given := settings.of_selection):
            return "selection", Fact("settings-of-selection", settings=tuple(given))
        return "threshold" if above else "selection", Fact("sparse-rule", strength=strength, limit=limit, above=above)

    def rounds_of(self, settings: SparseMean) -> Selection | Thresholding:
        """The procedure that runs."""
        selects = self.procedure(settings)[0] == "selection"
        return self.selection(settings) if selects else self.thresholding(settings)

    def selection(self, settings: SparseMean) -> Selection:
        """PrivateSparseSelection with these constants."""
        printed, kept = settings.rank == "first" or self.as_printed, self.kept(settings)
        spread = self.eta_constant if settings.eta_constant is None else settings.eta_constant
        far = settings.threshold_constant
        constant = (math.sqrt(2) if printed else 1.0) if far is None else far
        size = log1(settings.dimension * settings.users * kept * (settings.epsilon * settings.epsilon))
        return Selection(
            settings=settings,
            eta=math.sqrt(spread * settings.at_most),
            threshold=constant * math.sqrt(size / kept) * settings.half,
            cuts=printed if settings.cut is None else settings.cut,
            tuned=partial(self.tuned, settings, settings.delta),
        )

    def thresholding(self, settings: SparseMean) -> Thresholding:
        """PrivateSparseThreshold with these constants."""
        users, dimension = settings.users, settings.dimension
        tuned = self.tuned(settings, settings.delta, users, dimension)
        if settings.delta is None:
            tuned = self.tuned(settings, self.wide(settings, tuned), users, dimension)
        size = log1(users * tuned.kept * (settings.epsilon * settings.epsilon))
        each = tuned.budget.each
        spent = users * tuned.budget.uses * (each * each)  # nα² up to α = 1, and what is spent above
        shrink = settings.shrink_constant * tuned.layout.delta * settings.half
        return Thresholding(settings=settings, tuned=tuned, smallest=3 * shrink * math.sqrt(dimension * size / spent))

    def unavailable(self, settings: SparseMean) -> Fact | None:
        if settings.sparsity is None:
            return Fact("sparsity-needed")
        name = self.procedure(settings)[0]
        if name == "threshold" and (given := settings.of_selection):
            return Fact("settings-not-of-threshold", settings=tuple(given))
        folds = 4 * settings.at_most if name == "selection" else 2 * settings.dimension
        if settings.users >= folds:
            return None
        return Fact("too-few-for-procedure", procedure=name, needed=folds, users=settings.users)

    def script(self, settings: SparseMean) -> Script[SparseEstimate]:
        why = self.procedure(settings)[1]
        chosen = Chosen(by=ChosenBy.CALLER) if why is None else Chosen(by=ChosenBy.METHOD, details=(why,))
        return self.rounds_of(settings).script(self.name, chosen)

    def predict(self, settings: SparseMean, crowd: Crowd) -> Prediction:
        """Of a coordinate that is not zero, on average: missed, it costs its own square; falsely found, as one refined.

        Without a stated place, the worst of several sizes: the hardest are those near the threshold.
        """
        crowd.check_range(settings.low, settings.high)
        if settings.rank == "first":
            raise InvalidInput('no formula predicts rank="first", which depends on where the support lies')
        running = self.rounds_of(settings)
        if crowd.around is not None:
            return running.risk(crowd, crowd.around)
        signals = sorted({min(0.9 * settings.farthest, part * running.bound) for part in _SIGNALS})
        return worst(running.risk(crowd, signal) for signal in signals)

    def users_per_round(self, settings: SparseMean) -> tuple[int, ...]:
        return self.rounds_of(settings).users_per_round

    def rules(self, settings: SparseMean) -> Rules:
        return self.rounds_of(settings).rules

    def poisoning(self, settings: SparseMean, crowd: Crowd) -> Poisoning:
        """Of one coordinate."""
        running = self.rounds_of(settings)
        signal = 3 * running.bound if crowd.around is None else crowd.around
        return running.poisoning(crowd, min(signal, 0.9 * settings.farthest))

    def words(self, settings: SparseMean) -> Fact:
        return Fact(
            "procedure-among",
            procedure=self.procedure(settings)[0],
            most=settings.at_most,
            all=settings.dimension,
            how=self.rounds_of(settings).words(),
        )


# The sparse procedures with the constants of their proofs.


class Theory(ByProcedure):
    """As in the proofs: η = √(30s), T*, several coordinates a user above ε = 1, K a parameter."""

    name = "theory"
    help = "selects or thresholds, with the constants of the paper's proofs"
    eta_constant = 30.0
    as_printed = True

    def kept(self, settings: SparseMean) -> int:
        return t_star(
            users=settings.users / settings.at_most,
            observations=settings.observations,
            epsilon=settings.epsilon,
            constant=settings.proof_constant,
        )

    def tuned(self, settings: SparseMean, delta: float | None, users: int, groups: int) -> Tuned:
        return by_proofs(
            users=users,
            observations=settings.observations,
            epsilon=settings.epsilon,
            low=settings.low,
            high=settings.high,
            groups=groups,
            delta=delta,
            constant=settings.proof_constant,
        )

    def wide(self, settings: SparseMean, tuned: Tuned) -> float:
        """√4 for √2 (ERRATA 14)."""
        return 2 * math.sqrt(log1(settings.users * tuned.kept * (settings.epsilon * settings.epsilon)) / tuned.kept)


class Paper(ByProcedure):
    """As in the experiments: η = √s (L1083), T for T* (L1005), C_α for √2 (L1077)."""

    name = "paper"
    help = "selects or thresholds, with the constants of the paper's experiments"
    eta_constant = 1.0
    as_printed = False

    def kept(self, settings: SparseMean) -> int:
        return settings.observations

    def tuned(self, settings: SparseMean, delta: float | None, users: int, groups: int) -> Tuned:
        return by_experiments(
            users=users,
            observations=settings.observations,
            epsilon=settings.epsilon,
            low=settings.low,
            high=settings.high,
            groups=groups,
            delta=delta,
        )

    def wide(self, settings: SparseMean, tuned: Tuned) -> float:
        return experiment_delta(settings.users, settings.observations, tuned.budget.each)

    def variants(self, settings: SparseMean, crowd: Crowd) -> tuple[SparseMean, ...]:
        """Both procedures, where users can fill them, and both ways to refine."""
        own = replace(settings, method=self.name)
        if settings.rank == "first" or settings.procedure == "threshold":  # no formula, or nothing to choose
            return (own,)
        found = []
        if settings.users >= 4 * settings.at_most:
            ways: tuple[Refine, ...] = ("localised", "one-round") if settings.refine == "localised" else ("one-round",)
            found += [replace(own, procedure="selection", refine=way) for way in ways]
        if settings.procedure == "auto" and not settings.of_selection and settings.users >= 8 * settings.dimension:
            found.append(replace(own, procedure="threshold"))
        return tuple(found) or (own,)
