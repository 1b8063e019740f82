"""Localise, then refine: half of the users vote for a place, the others report there, in every group at once.

The paper's UserLevelMean (L413) and GeneralUserLevelMean (L1707): the bins of the vote, the users that its winner
leaves outside, the constants of the experiments and of the proofs, and the scheme that puts them together.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from sottovoce.design import laplace, unary
from sottovoce.messages import (
    Channel,
    Encoder,
    Fact,
    Flags,
    Floats,
    Free,
    Grid,
    Integers,
    Laplace,
    Placement,
    Position,
    Question,
    Slots,
    Statistic,
    Table,
    Tally,
    Unary,
    Way,
    exact,
)
from sottovoce.methods.full_range import decode_means
from sottovoce.methods.waves_and_folds import Budget, GroupMeans, budget_of_one_group, budget_of_proofs
from sottovoce.methods.ways import ends_free
from sottovoce.risk import (
    Averages,
    Poisoning,
    Prediction,
    capture_share,
    laplace_reach,
    localised_risk,
    reach_from,
    table_reach,
)
from sottovoce.theory import PROOF_CONSTANT, bin_count, experiment_constant, log1, t_star

# The bins of a vote: the paper's UserLevelMean (L413) and GeneralUserLevelMean (L1707).
#
# Everything works in the units of a declared range; the paper's [−1, 1] is ``low … high`` and its Δ is `delta` half-
# ranges.


@dataclass(frozen=True, kw_only=True)
class Layout:
    """N = ⌈1/Δ⌉ bins of width 2Δ (in half-ranges) from `low` on; the last may stick out, as the paper's does.

    With `reach` 1 a user votes for three bins; `clip` cuts a widened bin to the range.
    """

    low: float
    high: float
    delta: float
    reach: int = 0
    clip: bool = False

    def __post_init__(self) -> None:
        if self.bins <= self.reach + 1:  # every bin would get every vote: such a question says nothing
            object.__setattr__(self, "reach", 0)

    @cached_property
    def half(self) -> float:
        return (self.high - self.low) / 2

    @cached_property
    def bins(self) -> int:
        return bin_count(self.delta)

    @property
    def margin(self) -> float:
        """How far the chosen bin is widened to each side: 2Δ for one-bin votes, 5Δ for three-bin votes."""
        return 2.0 if self.reach == 0 else 5.0

    def vote_channel(self, epsilon: Fraction) -> Unary:
        """Unary votes: ω_{α/2} for one bin, ω_{α/6} for three (ERRATA P2)."""
        return unary(epsilon, self.bins, reach=self.reach)

    def grid(self) -> Grid:
        return Grid(low=(self.low,), high=(self.low + 2 * self.bins * self.delta * self.half,), count=self.bins)

    @property
    def edges(self) -> Floats:
        """Where the bins of a vote begin and end."""
        grid = self.grid()
        return np.linspace(grid.low[0], grid.high[0], self.bins + 1)

    def centre(self, index: Integers) -> Floats:
        return np.asarray(self.low + (2 * np.asarray(index) + 1) * self.delta * self.half, dtype=np.float64)

    def widened(self, index: Integers) -> tuple[Floats, Floats]:
        """Ĩ of the chosen bins; intersected with the range when `clip` (ERRATA 7)."""
        reach = (1 + self.margin) * self.delta * self.half
        low, high = self.centre(index) - reach, self.centre(index) + reach
        return (np.maximum(low, self.low), np.minimum(high, self.high)) if self.clip else (low, high)

    def words(self) -> Fact:
        return Fact("bins-of-delta", bins=self.bins, delta=self.delta)


def winning_bins(tally: Tally) -> Integers:
    """The bin with the most votes in each group, ties to the lower index (L428)."""
    return np.asarray(np.argmax(tally.counts(), axis=1))


def squared_localisation_error(layout: Layout, question: Question, tally: Tally) -> Floats:
    """Mean squared distance by which the localisation of each group may be off, judged from the votes themselves.

    A bin two or more places from the winner beats it in truth with about the normal tail of their gap; each such
    bin counts with that probability and its squared distance, in all at most the whole range.
    """
    best = winning_bins(tally)
    rivals_found = rivals(layout, question, tally, groups=np.arange(len(best)), chosen=best)
    apart = np.abs(np.arange(rivals_found.chance.shape[1])[None, :] - best[:, None])
    far = np.where(apart > 1 + layout.reach, rivals_found.distance**2 * rivals_found.chance, 0.0)
    return np.asarray(np.minimum(far.sum(axis=1), (layout.high - layout.low) ** 2))


@dataclass(frozen=True, kw_only=True)
class Rivals:
    """What every bin was to each chosen one: arrays ``(chosen, bins)``."""

    distance: Floats
    """Up to the chosen bin's neighbour."""
    gap: Floats
    """By how many standard errors it lost."""
    chance: Floats
    """That it is the fuller one in truth: about the normal tail of the gap."""


def rivals(layout: Layout, question: Question, tally: Tally, *, groups: Integers, chosen: Integers) -> Rivals:
    """How sure each `chosen` bin is of its place, in the group that stands beside it in `groups`."""
    channel = question.channel
    assert isinstance(channel, Unary)
    votes = tally.counts().astype(np.float64)[groups]
    reports = np.array(tally.reports, dtype=np.float64)[groups]
    apart = np.abs(np.arange(votes.shape[1])[None, :] - chosen[:, None])
    deviation = np.sqrt(2 * reports * channel.keep * (1 - channel.keep))[:, None]
    gap = (votes[np.arange(len(chosen)), chosen][:, None] - votes) / deviation
    return Rivals(
        distance=2 * (apart - 1) * layout.delta * layout.half,
        gap=gap,
        chance=0.5 * np.vectorize(math.erfc, otypes=[float])(gap / math.sqrt(2)),
    )


# Users outside of the interval that a vote chose: whether the votes show any, and how far they may pull the mean.
#
# Who sits beyond an end counts as if at the end. A bin in which nobody is gets votes by chance alone, and the law of
# that number is known, so a group of users far from the winner shows as votes that chance does not explain.

FALSE_ALARMS = 0.01
"""The chance that users who all sit near the winner raise an alarm, over all bins together."""


@dataclass(frozen=True, kw_only=True)
class UsersOutside:
    """What lies beyond the two ends: share of the users × distance, as the votes show it, and its deviation."""

    bins: int
    """Far from the winner, with more votes than chance explains; the rest speaks only when there are any."""
    share: float
    """About how many of the users sit in those."""
    limit: float
    """A share that is seen in 95 of 100 surveys if it sits in one place; a smaller one, or one spread out, may hide."""
    below: float
    above: float
    below_deviation: float
    above_deviation: float


def users_outside(layout: Layout, votes: Tally, *, keep: float) -> UsersOutside:
    """Look at every bin more than one place from the winner.

    Where a vote lights neighbours too, more than three: users two places away, whom the interval holds, light a third.
    """
    counts, reports = votes.counts()[0].astype(np.float64), votes.reports[0]
    lit = (counts / reports - (1 - keep)) / (2 * keep - 1)
    full = _far(votes, 1 + 2 * layout.reach) & (binomial_tail(counts, reports, 1 - keep) < FALSE_ALARMS / layout.bins)
    low, high = layout.widened(winning_bins(votes))
    edges = layout.edges
    noise = keep * (1 - keep) / (2 * keep - 1) ** 2  # of one vote, whether the bin is held or not
    below, below_variance = _beyond(np.maximum(low - edges[:-1], 0)[::-1], lit[::-1], full[::-1], layout.reach, noise)
    above, above_variance = _beyond(np.maximum(edges[1:] - high, 0), lit, full, layout.reach, noise)
    seen = lit[full]
    share = max(seen.max(), seen.sum() / (2 * layout.reach + 1)) if len(seen) else 0.0
    return UsersOutside(
        bins=len(seen),
        share=min(1.0, float(share)),
        limit=min(1.0, _least_seen(layout.bins) * math.sqrt(noise / reports)),
        below=below,
        above=above,
        below_deviation=math.sqrt(below_variance / reports),
        above_deviation=math.sqrt(above_variance / reports),
    )


def _beyond(distance: Floats, lit: Floats, full: Flags, reach: int, noise: float) -> tuple[float, float]:
    """Σ share × distance over bins that are ordered outward, never below 0, and the variance of one vote's part in it.

    `distance` is that of a bin's far edge. Where a user lights neighbours too, each of them counts with a part of it;
    the outermost makes up for the neighbour that it lacks.
    """
    weights = distance / (2 * reach + 1)
    if reach:
        weights[-1] = distance[-1] - weights[-1 - reach : -1].sum()
    pull = max(0.0, float(weights @ lit), float(weights[full] @ lit[full]))
    sampling = float((weights * distance) @ np.clip(lit, 0, 1)) - pull**2
    return pull, noise * float(weights @ weights) + max(0.0, sampling)


def winner_lead(layout: Layout, votes: Tally) -> float | None:
    """By how many votes a voter the winner is ahead of the strongest bin far from it; None where no bin is far."""
    counts, far = votes.counts()[0], _far(votes, 1 + layout.reach)
    return float(counts.max() - counts[far].max()) / votes.reports[0] if far.any() else None


def _far(votes: Tally, places: int) -> Flags:
    """Bins more than so many places from the winner."""
    return np.asarray(np.abs(np.arange(votes.counts().shape[1]) - winning_bins(votes)[0]) > places)


def _least_seen(bins: int) -> float:
    """Standard deviations above chance: those that raise an alarm, and those that luck may take away."""
    from statistics import NormalDist  # costs 15 ms at import; most callers never ask

    return NormalDist().inv_cdf(1 - FALSE_ALARMS / bins) + NormalDist().inv_cdf(0.95)


def binomial_tail(counts: Floats, reports: int, rate: float) -> Floats:
    """P(Bin(reports, rate) ≥ count)."""
    from scipy.special import betainc  # 100 ms at import; a normal tail is wrong where votes are rare

    return np.where(counts > 0, betainc(np.maximum(counts, 1), reports - np.maximum(counts, 1) + 1, rate), 1.0)


# The constants of localise-then-refine: those of the paper's experiments, and those of its proofs.
#
# Δ is half the width of a bin, in half-ranges. Folds count with their own size (ERRATA 1), logarithms are at least 1
# (ERRATA P6).


def experiment_delta(users: float, observations: float, epsilon: float, *, constant: float | None = None) -> float:
    """Δ of the experiments: C_α √(log(nTα²) / T), with T in place of T* (L1005)."""
    factor = experiment_constant(epsilon) if constant is None else constant
    return factor * math.sqrt(log1(users * observations * (epsilon * epsilon)) / observations)


def proof_delta(users: float, observations: int, epsilon: float) -> float:
    """Δ of the proofs: √(2 log(nT*α²) / T*) up to α = 1, √(4 log(nT*) / T*) above (L1740)."""
    if epsilon <= 1:
        return math.sqrt(2 * log1(users * observations * (epsilon * epsilon)) / observations)
    return math.sqrt(4 * log1(users * observations) / observations)


@dataclass(frozen=True, kw_only=True)
class VotePlan:
    """What is settled before anyone votes: how a budget is spent, how many observations count (T*), where bins lie."""

    budget: Budget
    observations_used: int
    layout: Layout

    def first_of(self, observations: int) -> int | None:
        """How many of so many observations count, from the first on; None where all do."""
        return self.observations_used if self.observations_used < observations else None


def plan_of_experiments(
    *,
    users: int,
    observations: int,
    epsilon: float,
    low: float,
    high: float,
    groups: int = 1,
    delta: float | None = None,
    three_bins: bool = False,
) -> VotePlan:
    """As in the paper's experiments: one group a user at the whole budget, all observations (L890, L1005).

    One group a user also above α = 1 is the reading that agrees with our reference measurements; the paper does not
    say. The widened interval sticks out of the range as printed (ERRATA 7).
    """
    budget = budget_of_one_group(groups, epsilon)
    chosen = experiment_delta(users / groups, observations, budget.each) if delta is None else delta
    layout = Layout(low=low, high=high, delta=max(chosen, budget.finest), reach=1 if three_bins else 0)
    return VotePlan(budget=budget, observations_used=observations, layout=layout)


def plan_of_proofs(
    *,
    users: int,
    observations: int,
    epsilon: float,
    low: float,
    high: float,
    groups: int = 1,
    delta: float | None = None,
    three_bins: bool | None = None,
    constant: float = PROOF_CONSTANT,
) -> VotePlan:
    """As in the proofs (L1740, L1765): above α = 1 several groups a user at 1 each and three-bin votes.

    T* has exp(n·min(α, α²)/(K·groups)) (ERRATA 4), K being `constant`; the widened interval is cut to the range
    (ERRATA 7).
    """
    budget, fold = budget_of_proofs(groups, epsilon), users / groups
    kept = t_star(users=fold, observations=observations, epsilon=epsilon, constant=constant)
    chosen = proof_delta(fold, kept, budget.each) if delta is None else delta
    three = budget.each > 1 if three_bins is None else three_bins
    layout = Layout(low=low, high=high, delta=max(chosen, budget.finest), reach=1 if three else 0, clip=True)
    return VotePlan(budget=budget, observations_used=kept, layout=layout)


ENOUGH_TO_MEASURE = 30
"""Refine reports from which the spread of the users is taken from the reports of their own group."""
Ranges = tuple[tuple[float, ...], tuple[float, ...]]


@dataclass(frozen=True, kw_only=True)
class VoteThenRefine:
    """Means of `budget.groups` groups from the users in `slots`, in two rounds, numbered from `round` on.

    Bins are laid out by `layout`. Where groups have ranges of their own, `ranges` holds their ends and the layout's
    [−1, 1] is stretched over each. With one bin, or too few users to fill both folds, there is nothing to vote on:
    everybody refines on the full range (ERRATA 6). The others report through Laplace noise, as printed, or through
    `table`, for the ε that a user spends on one group.
    """

    survey: str
    slots: Slots
    statistic: Statistic
    budget: Budget
    layout: Layout
    ranges: Ranges | None = None
    round: int = 0
    table: Table | None = None

    @property
    def voters(self) -> Slots | None:
        """Who votes first: half of the slots, or nobody."""
        half = self.slots.count // 2
        if self.layout.bins == 1 or half < self.budget.groups - self.budget.uses + 1:
            return None
        return Slots(first=self.slots.first, count=half)

    @property
    def refiners(self) -> Slots:
        """Who reports in the winning bins: the others."""
        voters = self.voters
        done = 0 if voters is None else voters.count
        return Slots(first=self.slots.first + done, count=self.slots.count - done)

    @property
    def users_per_round(self) -> tuple[int, ...]:
        voters = self.voters
        return (self.slots.count,) if voters is None else (voters.count, self.refiners.count)

    @property
    def step(self) -> float:
        return 0.0 if self.voters is None else self.layout.delta * (self.layout.high - self.layout.low)

    def script(self) -> Generator[Question, Tally, GroupMeans]:
        """Vote, refine in the winning bins, decode."""
        if self.voters is None:
            low, high = self.ranges or ((self.layout.low,), (self.layout.high,))
            asked = self._refine(np.array(low), np.array(high), self.round)
            return self._decoded(asked, (yield asked))
        vote = self.vote(self.voters)
        votes = yield vote
        low_ends, high_ends = self.layout.widened(winning_bins(votes))
        asked = self._refine(self._stretched(low_ends), self._stretched(high_ends), self.round + 1)
        means = self._decoded(asked, (yield asked))
        off = squared_localisation_error(self.layout, vote, votes)
        if self.ranges is not None:
            off = (self._half * np.sqrt(off)) ** 2
        answered = (sum(votes.reports) // self.budget.uses, *means.answered)
        return replace(means, localisation=off, answered=answered, votes=votes)

    def vote(self, voters: Slots) -> Question:
        """Everybody in `voters` votes for the bin of their statistic, each in its own groups."""
        grid = self.layout.grid()
        if self.ranges is not None:
            low, high = self._stretched(np.array(grid.low)), self._stretched(np.array(grid.high))
            if len(set(zip(*self.ranges, strict=True))) == 1:  # one range for all keeps the question small
                low, high = low[:1], high[:1]
            grid = Grid(low=tuple(map(float, low)), high=tuple(map(float, high)), count=grid.count)
        return self._question("vote", self.round, voters, grid, self.layout.vote_channel(self._each))

    def _refine(self, low: Floats, high: Floats, number: int) -> Question:
        """The others send their statistic, clamped to the group's interval."""
        placement = Position(low=tuple(map(float, low)), high=tuple(map(float, high)))
        return self._question("refine", number, self.refiners, placement, self.refine_channel)

    def ways(self, *free: Free, opening: bool = True) -> tuple[Way, ...]:
        """A vote, and reports from wherever it may be won; or reports from the full range alone.

        `free` is what others choose before, where this does not open the survey.
        """
        if self.voters is None:
            low, high = self.ranges or ((self.layout.low,), (self.layout.high,))
            return (Way.of(self._refine(np.array(low), np.array(high), self.round), *free, opening=opening),)
        outermost = self.layout.widened(np.array([0, self.layout.bins - 1]))
        parts = 1 if self.ranges is None else self.budget.groups
        ends = (np.full(parts, end) for end in (outermost[0].min(), outermost[1].max()))
        low_ends, high_ends = map(self._stretched, ends)
        refine = self._refine(low_ends, high_ends, self.round + 1)
        chosen = ends_free(float(low_ends.min()), float(high_ends.max()), most=self.budget.groups)
        rest = [one for one in free if not one.field.startswith("placement.")]
        return Way.of(self.vote(self.voters), *free, opening=opening), Way.of(refine, *rest, *chosen)

    @property
    def folds(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """How many answers each group gets in the vote, and how many in refining, when everybody reports."""
        refine = self._refine(np.array([self.layout.low]), np.array([self.layout.high]), self.round + 1)
        votes = [0] * self.budget.groups if self.voters is None else self.vote(self.voters).most_answers().tolist()
        return tuple(votes), tuple(refine.most_answers().tolist())

    @property
    def keep(self) -> float:
        """The chance that a bit of a vote is sent as it is."""
        return self.layout.vote_channel(self._each).keep

    @property
    def refine_channel(self) -> Table | Laplace:
        """How a report is made private in the winning bin."""
        return laplace(self._each) if self.table is None else self.table

    def _decoded(self, asked: Question, tally: Tally) -> GroupMeans:
        return decode_refined(asked, tally) if self.table is None else decode_means(asked, tally)

    @property
    def _each(self) -> Fraction:
        return exact(self.budget.spent) / self.budget.uses

    def _question(self, role: str, number: int, slots: Slots, placement: Placement, channel: Channel) -> Question:
        return Question(
            survey=self.survey,
            round=number,
            role=role,
            slots=slots,
            encoder=Encoder(statistic=self.statistic, placement=placement),
            channel=channel,
            epsilon=self.budget.spent,
            groups=self.budget.groups,
            uses=self.budget.uses,
        )

    @property
    def _half(self) -> Floats:
        assert self.ranges is not None
        return np.asarray((np.array(self.ranges[1]) - np.array(self.ranges[0])) / 2)

    def _stretched(self, ends: Floats) -> Floats:
        """Ends in the units of each group, from the layout's own."""
        if self.ranges is None:
            return ends
        return np.asarray((np.array(self.ranges[0]) + np.array(self.ranges[1])) / 2 + self._half * ends)

    def on_range(self, low: float, high: float) -> VoteThenRefine:
        """The scheme for one group in the units of its own range: what a prediction speaks of."""
        return replace(self, layout=replace(self.layout, low=low, high=high), ranges=None)

    def risk(self, averages: Averages, *, clamp: bool = False) -> Prediction:
        """The law of the winner, times what refining there gives; `clamp`: the estimate never leaves the range."""
        layout, voters = self.layout, self.voters
        chances = low = high = None
        if voters is not None:
            number = round(voters.count * self.budget.share_per_group)
            chances = averages.winner(layout.edges, voters=number, keep=self.keep, reach=layout.reach)
            likely = np.flatnonzero(chances > 1e-15)
            low, high = layout.widened(likely)
            chances = chances[likely]
        else:
            low, high, chances = np.array([layout.low]), np.array([layout.high]), np.ones(1)
        refiners = self.refiners.count * self.budget.share_per_group
        return localised_risk(
            averages,
            chances,
            low,
            high,
            refiners=refiners,
            epsilon=self.budget.each,
            table=self.table,
            clamp=(layout.low, layout.high) if clamp else None,
        )

    def poisoning(self, laws: Sequence[Averages]) -> Poisoning:
        """Votes are the easier to capture the more honest users spread; slots are dealt, nobody chooses a group."""
        layout = self.layout
        if self.voters is None:
            return Poisoning(reach=self._reach(layout.high - layout.low))
        low, high = layout.widened(np.array([layout.bins // 2]))
        lit = np.ones(2 * layout.reach + 1)  # with three-bin votes a bin is lit by its neighbours' users too
        fullest = min(float(np.convolve(law.shares(layout.edges), lit).max()) for law in laws)
        return Poisoning(reach=self._reach(float(high[0] - low[0])), capture=capture_share(self.keep, fullest))

    def _reach(self, width: float) -> float:
        return laplace_reach(width, self.budget.each) if self.table is None else table_reach(self.table, width)

    def interval(self, votes: Tally | None) -> tuple[float, float]:
        """The ends between which the first group reports, after these votes."""
        if votes is None:
            return self.layout.low, self.layout.high
        low, high = self.layout.widened(winning_bins(votes))
        return float(low[0]), float(high[0])

    def elsewhere(self, votes: Tally) -> UsersOutside:
        """What the votes for the first group say about users outside of that interval."""
        return users_outside(self.layout, votes, keep=self.keep)

    def poisoned(self, value: float, votes: Tally | None) -> Poisoning:
        """What colluders could have done to the first group, as it was found.

        A neighbour of the winner is captured by far fewer than a bin farther away, and shifts the interval by a bin.
        """
        low, high = self.interval(votes)
        reach = reach_from(self.refine_channel, high - low, (value - low) / (high - low))
        if votes is None:
            return Poisoning(reach=reach)
        keep, ahead = self.keep, winner_lead(self.layout, votes)
        capture = None if ahead is None else capture_share(keep, ahead / (2 * keep - 1))
        return Poisoning(reach=reach + self.step, capture=capture)

    def words(self) -> Fact:
        places = self.layout.words() if self.voters else None
        symbols = None if self.table is None else self.table.cells
        return Fact("vote-then-refine", places=places, folds=self.budget.groups, symbols=symbols)


def decode_refined(question: Question, tally: Tally) -> GroupMeans:
    """Decode reports through Laplace noise: unbiased but for the clamps."""
    channel, placement = question.channel, question.encoder.placement
    assert isinstance(channel, Laplace) and isinstance(placement, Position)
    low = np.broadcast_to(placement.low, question.groups)
    width = np.broadcast_to(placement.high, question.groups) - low
    reports = np.array(tally.reports, dtype=np.float64)
    pairs = list(zip(tally.cells, tally.reports, strict=True))
    first = np.array([Fraction(cells[0], count) / channel.steps for cells, count in pairs], dtype=np.float64)
    spread = np.array(
        [
            Fraction(cells[1] * count - cells[0] ** 2, max(1, count * (count - 1)) * channel.steps**2)
            for cells, count in pairs
        ],
        dtype=np.float64,
    )
    noise = channel.noise_variance
    extra = np.maximum(spread - noise, 0.0)
    few = reports < ENOUGH_TO_MEASURE
    if few.any():  # to measure a spread: pooled over groups, and at least what fits the interval in ±3 deviations
        pooled = float((spread * (reports - 1)).sum() / max(1.0, (reports - 1).sum())) - noise
        extra = np.where(few, np.maximum(max(pooled, 0.0), 1 / 36), extra)
    return GroupMeans(
        value=low + width * first,
        sampling=width**2 * extra / reports,
        privacy=width**2 * noise / reports,
        localisation=np.zeros(question.groups),
        answered=(sum(tally.reports) // question.uses,),
        uses=question.uses,
    )
