"""The paper's two procedures, PrivateSparseSelection (L600) and PrivateSparseThreshold (L624).

Each with the constants of the paper's experiments (``"paper"``) or of its proofs (``"theory"``), and the rule that
chooses between the two.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any, ClassVar

import numpy as np

from sottovoce.answers import Chosen, ChosenBy, Note, NoteCode, StandardError, two_sided, upper_tail, within
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
    Way,
)
from sottovoce.methods import (
    Floats,
    FullRange,
    GroupMeans,
    GroupScheme,
    Script,
    VotePlan,
    VoteThenRefine,
    all_slots,
    ends_free,
    experiment_delta,
    merge_ways,
    plan_of_experiments,
    plan_of_proofs,
    split_into_folds,
)
from sottovoce.problems.empty_users import EMPTY_USERS_VOTE
from sottovoce.problems.method import Method
from sottovoce.problems.rule_builders import rules_of_votes, waves_in_turn
from sottovoce.problems.sparse.answer import Row, SparseEstimate, sparse_answer
from sottovoce.problems.sparse.settings import SparseMean
from sottovoce.problems.sparse.vote_chances import chance_of_rank, laws_of_votes
from sottovoce.risk import Averages, Crowd, Poisoning, Prediction, average, laplace_reach, worst
from sottovoce.theory import log1, sparse_switch, t_star

_SIGNALS = (0.5, 0.8, 1.0, 1.2, 1.5, 2.0, 3.0, 5.0)
"""Sizes of the coordinates that are not zero, in thresholds: the worst is taken where none is stated."""


class ByProcedure(Method[SparseMean]):
    """Selection or thresholding, with constants to be given."""

    why_not_empty = EMPTY_USERS_VOTE

    eta_constant: ClassVar[float]
    """η²/s, where the signed sum of votes is clamped at η (L603)."""
    as_printed: ClassVar[bool]
    """Whether the ½ cut and C = √2 are kept also when columns are ranked by votes."""

    def observations_used(self, settings: SparseMean) -> int:
        """T* of the selection (L603)."""
        raise NotImplementedError("each variant has its constants")

    def vote_plan(self, settings: SparseMean, delta: float | None, users: int, groups: int) -> VotePlan:
        """Δ, T* and the budget of `groups` means from `users` users."""
        raise NotImplementedError("each variant has its constants")

    def threshold_delta(self, settings: SparseMean, vote_plan: VotePlan) -> float:
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
            observations=self.observations_used(settings),
            epsilon=settings.epsilon,
            dimension=dimension,
            constant=settings.switch_constant,
        )
        above = strength > limit
        if above and (given := settings.cuts_given):
            return "selection", Fact("settings-of-selection", settings=given)
        return "threshold" if above else "selection", Fact("sparse-rule", strength=strength, limit=limit, above=above)

    def replacement(self, settings: SparseMean) -> Method[SparseMean]:
        """The procedure, which runs under the name of its constants."""
        selects = self.procedure(settings)[0] == "selection"
        return self.selection(settings) if selects else self.thresholding(settings)

    def selection(self, settings: SparseMean) -> Selection:
        """PrivateSparseSelection with these constants."""
        printed, kept = settings.rank == "first" or self.as_printed, self.observations_used(settings)
        spread = self.eta_constant if settings.eta_constant is None else settings.eta_constant
        constant = settings.threshold_constant
        if constant is None:
            constant = math.sqrt(2) if printed else 1.0
        size = log1(settings.dimension * settings.users * kept * (settings.epsilon * settings.epsilon))
        return Selection(
            settings=settings,
            constants=self,
            eta=math.sqrt(spread * settings.at_most),
            threshold=constant * math.sqrt(size / kept) * settings.half,
            cuts=printed if settings.cut is None else settings.cut,
        )

    def thresholding(self, settings: SparseMean) -> Thresholding:
        """PrivateSparseThreshold with these constants."""
        users, dimension = settings.users, settings.dimension
        vote_plan = self.vote_plan(settings, settings.delta, users, dimension)
        if settings.delta is None:
            vote_plan = self.vote_plan(settings, self.threshold_delta(settings, vote_plan), users, dimension)
        size = log1(users * vote_plan.observations_used * (settings.epsilon * settings.epsilon))
        each = vote_plan.budget.each
        spent = users * vote_plan.budget.uses * (each * each)  # nα² up to α = 1, and what is spent above
        shrink = settings.shrink_constant * vote_plan.layout.delta * settings.half
        threshold = 3 * shrink * math.sqrt(dimension * size / spent)
        return Thresholding(settings=settings, constants=self, vote_plan=vote_plan, threshold=threshold)

    def why_unavailable(self, settings: SparseMean) -> Fact | None:
        if settings.sparsity is None:
            return Fact("sparsity-needed")
        name = self.procedure(settings)[0]
        if name == "threshold" and (given := settings.cuts_given):
            return Fact("settings-not-of-threshold", settings=given)
        folds = 4 * settings.at_most if name == "selection" else 2 * settings.dimension
        if settings.users >= folds:
            return None
        return Fact("too-few-for-procedure", procedure=name, needed=folds, users=settings.users)


@dataclass(frozen=True, kw_only=True)
class Procedure(Method[SparseMean]):
    """What runs with given settings and constants, under the name of the constants."""

    procedure_name: ClassVar[str]
    settings: SparseMean
    constants: ByProcedure
    threshold: float
    """How far from zero a coordinate must be to count, in the units of the data."""

    def __post_init__(self) -> None:
        for name in ("name", "help"):
            object.__setattr__(self, name, getattr(self.constants, name))

    def answer(
        self, users: tuple[int, ...], support: tuple[int, ...], rows: Iterable[Row], *details: Fact, **facts: Any
    ) -> SparseEstimate:
        """The answer, with why this procedure, and how it came to ask so."""
        why = self.constants.procedure(self.settings)[1]
        every_detail = details if why is None else (why, *details)
        facts["chosen"] = Chosen(by=ChosenBy.CALLER if why is None else ChosenBy.METHOD, details=every_detail)
        facts |= {"method": f"{self.name}, {self.procedure_name}", "interval_kind": Fact("model-votes-right")}
        return sparse_answer(self, self.settings, users, support, rows, **facts)

    def law(self, crowd: Crowd, place: float, observations: int) -> Averages:
        """The averages that users hold of a coordinate of this size."""
        low, high = self.settings.low, self.settings.high
        return crowd.averages(centre=place, observations=observations, low=low, high=high)

    def risk(self, crowd: Crowd, signal: float) -> Prediction:
        """The error of a coordinate of this size."""
        raise NotImplementedError("each procedure has its own")

    def predict(self, settings: SparseMean, crowd: Crowd) -> Prediction:
        """The error of a coordinate that is not zero: missed, it costs its own square; falsely found, as one refined.

        Without a stated place, the worst of several sizes: the hardest are those near the threshold.
        """
        crowd.check_range(settings.low, settings.high)
        if settings.rank == "first":
            raise InvalidInput('no formula predicts rank="first", which depends on where the support lies')
        if crowd.around is not None:
            return self.risk(crowd, crowd.around)
        signals = sorted({min(0.9 * settings.farthest, part * self.threshold) for part in _SIGNALS})
        return worst(self.risk(crowd, signal) for signal in signals)

    def attacked_size(self, crowd: Crowd) -> float:
        """The size of the coordinate that colluders meet."""
        signal = 3 * self.threshold if crowd.around is None else crowd.around
        return min(signal, 0.9 * self.settings.farthest)

    def words_of_refinement(self) -> Fact:
        """How the coordinates are estimated that are looked at."""
        raise NotImplementedError("each procedure has its own")

    def words(self, settings: SparseMean) -> Fact:
        most, how = settings.at_most, self.words_of_refinement()
        return Fact("procedure-among", procedure=self.procedure_name, most=most, all=settings.dimension, how=how)


def rows_of(settings: SparseMean, means: GroupMeans, places: Iterable[int]) -> list[Row]:
    """The coordinates at these places, with intervals by the normal law."""
    # Over all coordinates: the support was chosen from the same data.
    zs = [two_sided(level) for level in settings.confidences(settings.dimension)]
    rows = []
    for place in places:
        value, *variances = (
            float(part[place]) for part in (means.value, means.sampling, means.privacy, means.localisation)
        )
        sampling, privacy, localisation = map(math.sqrt, variances)
        error = StandardError(sampling=sampling, privacy=privacy, localisation=localisation)
        reaches = (z * error.total for z in zs)
        each, jointly = (within((value - reach, value + reach), settings.low, settings.high) for reach in reaches)
        rows.append((value, error, each, jointly))
    return rows


@dataclass(frozen=True, kw_only=True)
class Selection(Procedure):
    """Half of the users vote for coordinates, the others refine those with the most votes (L600)."""

    procedure_name = "selection"
    eta: float
    """The clamp of the signed sum of votes (L603)."""
    cuts: bool
    """Whether coordinates with less than half a vote are left out."""

    @property
    def halves(self) -> tuple[Slots, Slots]:
        """Who votes, and who refines."""
        voters, refiners = split_into_folds(self.settings.users, 2)
        assert voters is not None and refiners is not None
        return voters, refiners

    def script(self, settings: SparseMean) -> Script[SparseEstimate]:
        """Vote for coordinates, refine those selected, decode."""
        asked = self.vote()
        votes = yield asked
        assert isinstance(asked.channel, Laplace)
        # The mean signed vote for each coordinate (L608), and its standard deviation for a coordinate of zero.
        unit, users = self.eta / asked.channel.steps, votes.reports[:1]
        cells = np.array(votes.cells[0], dtype=np.float64)
        scores, noise = unit * cells[:-1] / users[0], unit * math.sqrt(cells[-1]) / users[0]
        support = self.select(scores, noise)
        rows: list[Row] = []
        details: tuple[Fact, ...] = ()
        if support:
            means = yield from self.refinement(support).script()
            rows, details = rows_of(settings, means, range(len(support))), (Fact("refined-as-asked"),)
            users = (*users, *means.answered)
        reach, notes = min(2 * self.threshold, settings.farthest), []
        if min((scores[index] for index in support), default=0.0) < noise * settings.by_chance:
            notes.append(Note(NoteCode.SELECTED_BY_CHANCE))
        if self.threshold >= settings.farthest:
            notes.append(Note(NoteCode.NOTHING_CAN_BE_FOUND, by="votes"))
        outside = [within((-reach, reach), settings.low, settings.high)] * settings.dimension
        left_out = Fact("left-out-by-votes", within=reach)
        facts = {"outside": (outside, outside), "left_out": left_out, "notes": tuple(notes)}
        return self.answer(users, support, rows, *details, **facts)

    def vote(self) -> Question:
        """A voter's signed sum of the coordinates that lie far enough from zero."""
        settings = self.settings
        return Question(
            survey=settings.survey,
            round=0,
            role="vote",
            slots=self.halves[0],
            encoder=Encoder(
                statistic=Hashed(seed=settings.public_seed, columns=settings.dimension, threshold=self.threshold),
                placement=Position(low=(-self.eta,), high=(self.eta,)),
            ),
            channel=laplace(settings.epsilon),
            epsilon=settings.epsilon,
        )

    def select(self, scores: Floats, noise: float) -> tuple[int, ...]:
        """Those with the most votes, or the first, of those that pass the cuts."""
        candidates = np.flatnonzero(scores >= self.least_vote(noise))
        if self.settings.rank == "votes":
            candidates = candidates[np.argsort(-scores[candidates], kind="stable")]
        return tuple(candidates[: self.settings.at_most].tolist())

    def least_vote(self, noise: float) -> float:
        """The least mean vote of a coordinate that is selected: ½ (L608), and what noise of this size hardly gives."""
        false_alarm, least = self.settings.false_alarm, 0.5 if self.cuts else -math.inf
        if false_alarm is None:
            return least
        return max(least, -noise * NormalDist().inv_cdf(false_alarm / self.settings.dimension))

    @property
    def may_drop(self) -> bool:
        """Whether fewer coordinates than are asked for may be selected."""
        return self.cuts or self.settings.false_alarm is not None

    def rules(self, settings: SparseMean) -> Rules:
        """How many coordinates are refined is decided on the way where votes are cut off: all numbers are looked at."""
        most, last, (voters, refiners) = settings.at_most, settings.dimension, self.halves
        sizes = range(1, most + 1) if self.may_drop else (most,)
        schemes = [self.refinement(tuple(range(last - size, last))) for size in sizes]
        ways, tables = [Way.of(self.vote(), opening=True)], []
        columns = Free(field="statistic.columns", low=0.0, high=float(last - 1), most=most)
        turns: list[tuple[int, tuple[str, ...]]] = [(voters.count, ("vote",))]
        if isinstance(schemes[0], FullRange):
            asked = schemes[0].question()
            ways.append(Way.of(asked, columns))
            tables.append(schemes[0].table)
            turns.append((refiners.count, (asked.role,)))
        else:
            localised = [scheme for scheme in schemes if isinstance(scheme, VoteThenRefine)]
            ways += merge_ways(
                way for scheme in localised for way in scheme.ways(columns, *_free_by_size(scheme), opening=False)
            )
            half = max(scheme.voters.count if scheme.voters else 0 for scheme in localised)
            early = {"vote" if scheme.voters else "refine" for scheme in localised}
            turns += [(half, tuple(sorted(early)))] if half else []
            turns.append((refiners.count - half, ("refine",)))
        return Rules(waves=waves_in_turn(turns, epsilon=settings.epsilon), ways=tuple(ways), tables=tuple(tables))

    def refinement(self, support: tuple[int, ...]) -> GroupScheme:
        """How the selected coordinates are estimated."""
        settings, slots = self.settings, self.halves[1]
        if settings.refine == "one-round":
            return FullRange(
                survey=settings.survey,
                slots=slots,
                low=(settings.low,),
                high=(settings.high,),
                epsilon=settings.epsilon,
                statistic=Average(columns=support),
                groups=len(support),
                round=1,
            )
        vote_plan = self.constants.vote_plan(settings, settings.delta, slots.count, len(support))
        return VoteThenRefine(
            survey=settings.survey,
            slots=slots,
            statistic=Average(columns=support, first=vote_plan.first_of(settings.observations)),
            budget=vote_plan.budget,
            layout=vote_plan.layout,
            round=1,
        )

    @property
    def typical_refinement(self) -> GroupScheme:
        """The refinement when as many coordinates are selected as can be: what a prediction speaks of."""
        return self.refinement(tuple(range(self.settings.at_most)))

    def users_per_round(self, settings: SparseMean) -> tuple[int, ...]:
        return self.halves[0].count, *self.typical_refinement.users_per_round

    def risk(self, crowd: Crowd, signal: float) -> Prediction:
        chance, score = self.chance(crowd, signal)
        # As many coordinates as are missed are refined in their place (unless a cut leaves them out): zero, but for
        # noise.
        wrong = (1 - chance) if not self.may_drop else 0.0
        missed = Prediction(sampling=0.0, privacy=0.0, omission=(1 - chance) * signal**2)
        scheme = self.typical_refinement
        places = (signal,) if crowd.around is not None or not scheme.step else (signal, signal + scheme.step / 2)
        refined = average([scheme.risk(self._refined(crowd, place)) for place in places])
        return refined.scaled(chance + wrong * (score >= 0)) + missed

    def _refined(self, crowd: Crowd, place: float) -> Averages:
        """The averages of those observations of a refiner that count."""
        settings, counted = self.settings, self.settings.observations
        if settings.refine != "one-round":
            counted = self.constants.vote_plan(
                settings, settings.delta, self.halves[1].count, settings.at_most
            ).observations_used
        return self.law(crowd, min(place, settings.high), counted)

    def chance(self, crowd: Crowd, signal: float) -> tuple[float, float]:
        """The chance that a coordinate of this size is among the `sparsity` with the most votes, and its mean vote."""
        settings = self.settings
        laws = [self.law(crowd, min(place, settings.high), settings.observations) for place in (signal, 0.0)]
        true, false = laws_of_votes(
            *(float(law.weights @ (np.abs(law.points) >= self.threshold)) for law in laws),
            dimension=settings.dimension,
            sparsity=settings.at_most,
            eta=self.eta,
            epsilon=settings.epsilon,
            voters=self.halves[0].count,
        )
        return chance_of_rank(true, false, settings.at_most, settings.dimension, cut=self.least_vote(false[1])), true[0]

    def poisoning(self, settings: SparseMean, crowd: Crowd) -> Poisoning:
        """Votes are captured when a wrong coordinate gets the mean true vote, or a wrong place the most.

        A colluder's report lies up to η(1 + 2·16/ε) from zero, times a sign that is public.
        """
        signal = self.attacked_size(crowd)
        score = self.chance(crowd, signal)[1]
        refined = self.typical_refinement.poisoning([self._refined(crowd, signal)])
        captured = score / (score + (laplace_reach(2 * self.eta, settings.epsilon) - self.eta))
        shares = [share for share in (captured, refined.capture) if share is not None]
        return Poisoning(reach=refined.reach, capture=min(shares))

    def words_of_refinement(self) -> Fact:
        return Fact("refined", way=self.settings.refine)


def _free_by_size(scheme: VoteThenRefine) -> list[Free]:
    """What follows from how many coordinates are refined: a line holds it for all of these numbers."""
    assert isinstance(scheme.statistic, Average)
    grid, kept = scheme.layout.grid(), scheme.statistic.first
    numbers = {"uses": scheme.budget.uses, "statistic.first": kept, "placement.count": grid.count}
    free = [Free(field=name, low=float(one), high=float(one)) for name, one in numbers.items() if one is not None]
    return free[:-1] if scheme.voters is None else [*free[:-1], *ends_free(grid.low[0], grid.high[0]), free[-1]]


@dataclass(frozen=True, kw_only=True)
class Thresholding(Procedure):
    """Folds over all coordinates; what is no larger than the threshold is set to zero (L624)."""

    procedure_name = "threshold"
    vote_plan: VotePlan

    @property
    def scheme(self) -> VoteThenRefine:
        """The two questions."""
        settings, columns = self.settings, tuple(range(self.settings.dimension))
        return VoteThenRefine(
            survey=settings.survey,
            slots=all_slots(settings.users),
            statistic=Average(columns=columns, first=self.vote_plan.first_of(settings.observations)),
            budget=self.vote_plan.budget,
            layout=self.vote_plan.layout,
        )

    def script(self, settings: SparseMean) -> Script[SparseEstimate]:
        """Estimate all; then the `sparsity` largest coordinates that exceed the threshold in size (L631)."""
        means = yield from self.scheme.script()
        size = np.abs(means.value)
        order = np.argsort(-size, kind="stable")[: settings.at_most]
        support = tuple(order[size[order] > self.threshold].tolist())
        outside = [
            [  # what was measured before it was set to zero, and zero itself
                within((min(0.0, value - reach), max(0.0, value + reach)), settings.low, settings.high)
                for value, reach in zip(means.value.tolist(), (z * means.deviation).tolist(), strict=True)
            ]
            for z in map(two_sided, settings.confidences(settings.dimension))
        ]
        hopeless = self.threshold >= settings.farthest
        return self.answer(
            means.answered,
            support,
            rows_of(settings, means, support),
            outside=outside,
            left_out=Fact("left-out-below-threshold", threshold=self.threshold),
            notes=(Note(NoteCode.NOTHING_CAN_BE_FOUND, by="threshold"),) if hopeless else (),
        )

    def users_per_round(self, settings: SparseMean) -> tuple[int, ...]:
        return self.scheme.users_per_round

    def rules(self, settings: SparseMean) -> Rules:
        return rules_of_votes(self.scheme)

    def risk(self, crowd: Crowd, signal: float) -> Prediction:
        """One that falls below the threshold costs its own square."""
        each = self.scheme.risk(self.law(crowd, signal, self.vote_plan.observations_used))
        beyond = (self.threshold - abs(signal)) / each.rmse, (self.threshold + abs(signal)) / each.rmse
        chance = sum(map(upper_tail, beyond))
        return each.scaled(chance) + Prediction(sampling=0.0, privacy=0.0, omission=(1 - chance) * signal**2)

    def poisoning(self, settings: SparseMean, crowd: Crowd) -> Poisoning:
        return self.scheme.poisoning([self.law(crowd, self.attacked_size(crowd), self.vote_plan.observations_used)])

    def words_of_refinement(self) -> Fact:
        return self.scheme.words()


class Paper(ByProcedure):
    """As in the experiments: η = √s (L1083), T for T* (L1005), C_α for √2 (L1077)."""

    name = "paper"
    help = "selects or thresholds, with the constants of the paper's experiments"
    eta_constant = 1.0
    as_printed = False

    def observations_used(self, settings: SparseMean) -> int:
        return settings.observations

    def vote_plan(self, settings: SparseMean, delta: float | None, users: int, groups: int) -> VotePlan:
        return plan_of_experiments(**_asked(settings), delta=delta, users=users, groups=groups)

    def threshold_delta(self, settings: SparseMean, vote_plan: VotePlan) -> float:
        return experiment_delta(settings.users, settings.observations, vote_plan.budget.each)

    def variants(self, settings: SparseMean, crowd: Crowd) -> tuple[SparseMean, ...]:
        """Both procedures, where users can fill them, and both ways to refine."""
        by_paper = replace(settings, method=self.name)
        if settings.rank == "first" or settings.procedure == "threshold":  # no formula, or nothing to choose
            return (by_paper,)
        variants = []
        if settings.users >= 4 * settings.at_most:
            selecting = replace(by_paper, procedure="selection", refine="one-round")
            variants += [replace(selecting, refine="localised")] if settings.refine == "localised" else []
            variants.append(selecting)
        if settings.procedure == "auto" and not settings.cuts_given and settings.users >= 8 * settings.dimension:
            variants.append(replace(by_paper, procedure="threshold"))
        return tuple(variants) or (by_paper,)


class Theory(ByProcedure):
    """As in the proofs: η = √(30s), T*, several coordinates a user above ε = 1, K a parameter."""

    name = "theory"
    help = "selects or thresholds, with the constants of the paper's proofs"
    eta_constant = 30.0
    as_printed = True

    def observations_used(self, settings: SparseMean) -> int:
        return t_star(
            users=settings.users / settings.at_most,
            observations=settings.observations,
            epsilon=settings.epsilon,
            constant=settings.proof_constant,
        )

    def vote_plan(self, settings: SparseMean, delta: float | None, users: int, groups: int) -> VotePlan:
        constant = settings.proof_constant
        return plan_of_proofs(**_asked(settings), delta=delta, users=users, groups=groups, constant=constant)

    def threshold_delta(self, settings: SparseMean, vote_plan: VotePlan) -> float:
        """√4 for √2 (ERRATA 14)."""
        return 2 * math.sqrt(
            log1(settings.users * vote_plan.observations_used * (settings.epsilon * settings.epsilon))
            / vote_plan.observations_used
        )


def _asked(settings: SparseMean) -> dict[str, Any]:
    names = ("observations", "epsilon", "low", "high")
    return {name: getattr(settings, name) for name in names}
