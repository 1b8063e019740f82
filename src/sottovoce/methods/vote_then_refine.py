"""Localise, then refine: half of the users vote for a place, the others report there, in every group at once."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sottovoce.design import laplace
from sottovoce.messages import (
    Channel,
    Encoder,
    Fact,
    Free,
    Grid,
    Laplace,
    Placement,
    Position,
    Question,
    Slots,
    Statistic,
    Table,
    Tally,
    Way,
    exact,
)
from sottovoce.methods.elsewhere import Elsewhere, elsewhere, lead
from sottovoce.methods.folds import Budget, Floats, Means
from sottovoce.methods.full_range import decoded
from sottovoce.methods.layout import Layout, misplaced, winners
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

    def script(self) -> Generator[Question, Tally, Means]:
        """Vote, refine in the winning bins, decode."""
        if self.voters is None:
            low, high = self.ranges or ((self.layout.low,), (self.layout.high,))
            asked = self._refine(np.array(low), np.array(high), self.round)
            return self._decoded(asked, (yield asked))
        vote = self.vote(self.voters)
        votes = yield vote
        low_ends, high_ends = self.layout.widened(winners(votes))
        asked = self._refine(self._stretched(low_ends), self._stretched(high_ends), self.round + 1)
        means = self._decoded(asked, (yield asked))
        off = misplaced(self.layout, vote, votes)
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

    def _decoded(self, asked: Question, tally: Tally) -> Means:
        return refined(asked, tally) if self.table is None else decoded(asked, tally)

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

    def _stretched(self, ends: NDArray[np.float64]) -> Floats:
        """From the layout's own units to those of each group."""
        if self.ranges is None:
            return ends
        return np.asarray((np.array(self.ranges[0]) + np.array(self.ranges[1])) / 2 + self._half * ends)

    def on(self, low: float, high: float) -> VoteThenRefine:
        """The same for one group in the units of its own range: what a prediction speaks of."""
        return replace(self, layout=replace(self.layout, low=low, high=high), ranges=None)

    def risk(self, averages: Averages, *, clamp: bool = False) -> Prediction:
        """The law of the winner, times what refining there gives; `clamp`: the estimate never leaves the range."""
        layout, voters = self.layout, self.voters
        chances = low = high = None
        if voters is not None:
            number = round(voters.count * self.budget.fold)
            chances = averages.winner(layout.edges, voters=number, keep=self.keep, reach=layout.reach)
            likely = np.flatnonzero(chances > 1e-15)
            low, high = layout.widened(likely)
            chances = chances[likely]
        else:
            low, high, chances = np.array([layout.low]), np.array([layout.high]), np.ones(1)
        refiners = self.refiners.count * self.budget.fold
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
        """Where the first group reports, after these votes."""
        if votes is None:
            return self.layout.low, self.layout.high
        low, high = self.layout.widened(winners(votes))
        return float(low[0]), float(high[0])

    def elsewhere(self, votes: Tally) -> Elsewhere:
        """What the votes for the first group say about users outside of that interval."""
        return elsewhere(self.layout, votes, keep=self.keep)

    def poisoned(self, value: float, votes: Tally | None) -> Poisoning:
        """What colluders could have done to the first group, as it was found.

        A neighbour of the winner is captured by far fewer than a bin farther away, and shifts the interval by a bin.
        """
        low, high = self.interval(votes)
        reach = reach_from(self.refine_channel, high - low, (value - low) / (high - low))
        if votes is None:
            return Poisoning(reach=reach)
        keep, ahead = self.keep, lead(self.layout, votes)
        capture = None if ahead is None else capture_share(keep, ahead / (2 * keep - 1))
        return Poisoning(reach=reach + self.step, capture=capture)

    def words(self) -> Fact:
        places = self.layout.words() if self.voters else None
        symbols = None if self.table is None else self.table.cells
        return Fact("vote-then-refine", places=places, folds=self.budget.groups, symbols=symbols)


def refined(question: Question, tally: Tally) -> Means:
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
    return Means(
        value=low + width * first,
        sampling=width**2 * extra / reports,
        privacy=width**2 * noise / reports,
        localisation=np.zeros(question.groups),
        answered=(sum(tally.reports) // question.uses,),
        uses=question.uses,
    )
