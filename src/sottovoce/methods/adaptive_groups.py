"""Several means, one of them a user: as `Adaptive` does it for one, in three rounds for all of them.

The first look is the same for every mean, the second has bins of one width around where its users seem to be: so each
round is one question with a group a mean. With too few users for that, everybody answers once on the full range.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sottovoce.answers import within
from sottovoce.design import subset
from sottovoce.messages import Average, Bins, Encoder, Floats, Grid, Position, Question, Subset, Table, Tally, exact
from sottovoce.methods.adaptive import Adaptive
from sottovoce.methods.bins import LATTICE, BinShares, inner_edges, on_lattice
from sottovoce.methods.full_range import decode_position
from sottovoce.methods.interval_limits import guaranteed_intervals
from sottovoce.methods.location_posterior import Core, EndCandidates, Ends
from sottovoce.methods.waves_and_folds import RoundMaker
from sottovoce.risk import COLLUDING, Averages, Prediction, full_range_risk, reach_from
from sottovoce.theory import LOCALISABLE, strength

EVEN = 12
"""Bins of the second look."""
_OUTER, _WIDER = 0.02, 3.0
"""The second look holds all but this part of the bell on either side, so many times over."""
_NARROWEST = 0.25
"""In spreads of users alike: how far it reaches at least. Its bins are wider than the lattice, whatever they are."""


@dataclass(frozen=True, kw_only=True)
class GroupMean:
    """One mean: its value, variances by cause, and how far intervals that hold for any users reach to each side."""

    value: float
    sampling: float
    privacy: float
    clipping: float
    """A deviation."""
    interval: tuple[float, float]
    jointly: tuple[float, float]
    """Holds together with those of all the other means."""
    hidden: float
    """The share of the users of this mean that may be elsewhere unseen."""
    shift: float
    """How far they would move it."""
    pulls: tuple[tuple[float, float], ...]
    """How far colluders could have moved the value: pairs of a share of the users and a distance."""

    @property
    def deviation(self) -> float:
        return math.sqrt(self.sampling + self.privacy + self.clipping**2)


@dataclass(frozen=True, kw_only=True)
class AdaptiveGroups(Adaptive):
    """The means of `beside` columns, all on [low, high]; `users` is how many there are for each of them."""

    @property
    def finds_users(self) -> bool:
        """Whether there are enough users to find out where they are."""
        return strength(self.users, self.epsilon) >= LOCALISABLE

    def script_for_columns(
        self, asking: RoundMaker, columns: Sequence[int], table: Table
    ) -> Generator[Question, Tally, list[GroupMean]]:
        """Ask everybody who is left about the means of `columns`; numbers are reported through `table`."""
        if not self.finds_users:
            asked = self._question_for_numbers(asking, columns, [(self.low, self.high)] * len(columns), table)
            return self._means_on_full_range(table, (yield asked))
        edges = inner_edges(self._out(self.first_edges), self.low, self.high)
        asked = self._question_about_bins(asking, self.first, columns, Bins(edges=edges))
        tally = yield asked
        seen = [[self._shares(asked, tally, group, np.array(edges))] for group in range(len(columns))]
        choices = [EndCandidates.around(self._core(one), one) for one in seen]
        ends = [self._ends(choice, one, table) for choice, one in zip(choices, seen, strict=True)]
        again = [group for group, found in enumerate(ends) if not found.whole]
        if again:
            low, high = zip(*(self._range_of_second_look(self._core(seen[group])) for group in again), strict=True)
            grid = Grid(low=low, high=high, count=EVEN)
            asked = self._question_about_bins(asking, self.second, [columns[group] for group in again], grid)
            tally = yield asked
            for place, group in enumerate(again):
                inner = np.linspace(low[place], high[place], EVEN + 1)[1:-1]
                seen[group].append(self._shares(asked, tally, place, inner))
                choices[group] = EndCandidates.around(self._core(seen[group]), seen[group])
                ends[group] = self._ends(choices[group], seen[group], table)
        asked = self._question_for_numbers(asking, columns, list(map(self.range_between, ends)), table)
        tally = yield asked
        return [
            self._mean_of_group(asked, tally, group, ends[group], seen[group], choices[group])
            for group in range(len(columns))
        ]

    def prediction(self, averages: Averages, table: Table) -> Prediction:
        """The error of one mean whose users' averages have this law."""
        if self.finds_users:
            return self.risk(averages, table)
        return full_range_risk(averages, users=self.users, low=self.low, high=self.high, table=table, clamp=True)

    def _question_about_bins(
        self, asking: RoundMaker, users: int, columns: Sequence[int], placement: Bins | Grid
    ) -> Question:
        return asking.question(
            users * len(columns),
            role="bins",
            encoder=Encoder(statistic=Average(columns=tuple(columns)), placement=placement),
            channel=subset(exact(self.epsilon), placement.count),
            groups=len(columns),
        )

    def _question_for_numbers(
        self, asking: RoundMaker, columns: Sequence[int], ranges: Sequence[tuple[float, float]], table: Table
    ) -> Question:
        low, high = zip(*ranges, strict=True)
        return asking.question(
            math.inf,
            role="mean",
            encoder=Encoder(statistic=Average(columns=tuple(columns)), placement=Position(low=low, high=high)),
            channel=table,
            groups=len(columns),
        )

    def _range_of_second_look(self, core: Core) -> tuple[float, float]:
        """The ends between which the second look lies."""
        start, stop = np.sin(core.quantiles([_OUTER, 1 - _OUTER]))
        reach = max(_WIDER * (stop - start) / 2, _NARROWEST * core.unit, 2 * EVEN * LATTICE)
        middle = (start + stop) / 2
        low, high = on_lattice((max(-1.0, middle - reach), min(1.0, middle + reach)), -1.0, 1.0)
        ends = self._out(np.array([low, high]))
        return float(ends[0]), float(ends[1])

    def _shares(self, asked: Question, tally: Tally, group: int, edges: Floats) -> BinShares:
        """What one group says in a round of bins, on [−1, 1]."""
        channel = asked.channel
        assert isinstance(channel, Subset)
        own, other = channel.inclusion
        counts = np.array(tally.cells[group], dtype=np.float64)
        reports = tally.reports[group]
        return self._unit(
            BinShares(edges=edges, counts=counts, reports=reports, size=channel.size, own=own, other=other)
        )

    def _mean_of_group(
        self, asked: Question, tally: Tally, group: int, ends: Ends, seen: list[BinShares], choice: EndCandidates
    ) -> GroupMean:
        placement = asked.encoder.placement
        assert isinstance(placement, Position)
        alone = replace(
            asked,
            encoder=Encoder(
                statistic=Average(), placement=Position(low=(placement.low[group],), high=(placement.high[group],))
            ),
            groups=1,
        )
        mean = self._decoded(alone, tally.of_group(alone, group), ends, seen, choice)
        return GroupMean(
            value=mean.value,
            sampling=mean.sampling,
            privacy=mean.privacy,
            clipping=mean.clipping,
            interval=self._interval_around(mean.value, mean.below, mean.above),
            jointly=self._interval_around(mean.value, *mean.jointly),
            hidden=mean.hidden,
            shift=mean.hidden * max(self.high - mean.high, mean.low - self.low),
            pulls=mean.pulls,
        )

    def _interval_around(self, value: float, below: float, above: float) -> tuple[float, float]:
        """The interval; an end of it that is an end of the range but for rounding is that end."""
        low, high, near = value - below, value + above, (self.high - self.low) * LATTICE**2
        return self.low if low < self.low + near else low, self.high if high > self.high - near else high

    def _means_on_full_range(self, table: Table, tally: Tally) -> list[GroupMean]:
        """All means from one round on the full range."""
        width, means = self.high - self.low, []
        each, all_ = (
            guaranteed_intervals(table, tally.counts(), np.array(tally.reports), confidence)
            for confidence in (self.confidence, 1 - (1 - self.confidence) / self.beside)
        )
        for group, (cells, reports) in enumerate(zip(tally.cells, tally.reports, strict=True)):
            mean, total, noise = decode_position(table, cells, reports)
            intervals = [
                (self.low + width * float(low[group]), self.low + width * float(high[group]))
                for low, high in (each, all_)
            ]
            inside = min(1.0, max(0.0, mean))
            means.append(
                GroupMean(
                    value=self.low + width * inside,
                    sampling=width**2 * (total - noise),
                    privacy=width**2 * noise,
                    clipping=0.0,
                    interval=within(intervals[0], self.low, self.high),
                    jointly=within(intervals[1], self.low, self.high),
                    hidden=0.0,
                    shift=0.0,
                    pulls=tuple((share, share * reach_from(table, width, inside)) for share in COLLUDING),
                )
            )
        return means
