"""Find the users, then ask between ends that hold them; what may lie beyond is measured, and allowed for.

Three rounds: bins all over the range say where the users are, finer bins there and coarser ones outward say how they
spread and whether anybody is far away, and the rest report through a table on an interval that holds them. With two
rounds the second is left out. No assumption that users are alike.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from operator import attrgetter
from statistics import NormalDist

import numpy as np

from sottovoce.answers import StandardError, two_sided
from sottovoce.design import best_position_table, subset, usual_variance
from sottovoce.messages import Encoder, Position, Question, Slots, Table, Tally, exact
from sottovoce.methods.bins import BinShares, RoundsOfBins, claimed, on_lattice, separation
from sottovoce.methods.full_range import decode_position
from sottovoce.methods.interval_limits import guaranteed_interval
from sottovoce.methods.location_posterior import (
    THRESHOLDS,
    Caution,
    Core,
    EndCandidates,
    Ends,
    excess_beyond,
    find_core,
    graded_edges,
)
from sottovoce.risk import COLLUDING, Averages, Prediction, full_range_risk, reach_from

# What comes out when the users were found first.


@dataclass(frozen=True, kw_only=True)
class AdaptiveMean:
    """What came out, in units of the observations."""

    value: float
    sampling: float
    """A variance, as `privacy`."""
    privacy: float
    clipping: float
    """A deviation."""
    low: float
    high: float
    """Between which ends the last question was."""
    below: float
    above: float
    """How far the guarded interval reaches to each side of the value."""
    jointly: tuple[float, float]
    """The same for all means side by side at once."""
    answered: tuple[int, ...]
    hidden: float
    """The share of the users that would be found beyond the ends 95 times in 100; fewer may hide. Zero: nobody can."""
    pulls: tuple[tuple[float, float], ...]
    """How far colluders could have moved the value: pairs of a share of the users and a distance."""

    @property
    def standard_error(self) -> StandardError:
        return StandardError(sampling=math.sqrt(self.sampling), privacy=math.sqrt(self.privacy), clipping=self.clipping)


# What each number below is worth:
# python -m benchmarks.accuracy.tuning sottovoce.methods.adaptive:NAME VALUE … --problem mean
FIRST, FIRST_OF_TWO, SECOND = 0.12, 0.25, 0.25
"""The part of the users in each round of bins."""
MOST_FIRST = 0.3
ALARMS: dict[Caution, float] = {"high": 0.09, "medium": 0.02, "low": 0.01}
SPARE = 1.25
"""What chance adds to what colluders claim, on average: now and then it helps them over a threshold."""
CLIPPING = 1.25
"""How much more than the posterior says may be lost beyond the ends: bells are not quite like users."""
GUARD = 1.06
"""How much wider the guarded interval is than its errors say: the ends were chosen with the same reports."""
JUST_SHORT = 0.01
"""In widths of the last question: an end so near to the range's own leaves nothing out that is worth a doubt."""


_REPORTS, _PLAIN = attrgetter("reports"), attrgetter("plain")


@dataclass(frozen=True, kw_only=True)
class Adaptive(RoundsOfBins):
    """Rounds of bins, then a table between ends."""

    caution: Caution = "medium"
    beside: int = 1
    """So many means are estimated side by side; intervals that hold for all of them at once are told as well."""

    @cached_property
    def first(self) -> int:
        """Users of the first round."""
        share = FIRST if self.rounds > 2 else FIRST_OF_TWO
        settled = 6 * separation(self.epsilon) * math.log(10 * self.finest)
        return max(1, int(min(MOST_FIRST * self.users, max(settled, min(share * self.users, 2 * settled)))))

    @cached_property
    def second(self) -> int:
        """Users of the second round: as many as make what may hide beyond the ends about as uncertain at any ε."""
        return max(1, int(_second_share(self.epsilon) * self.users))

    def script(self, table: Table) -> Generator[Question, Tally, AdaptiveMean]:
        """Where, how spread, how much; the last question goes through `table`."""
        seen: list[BinShares] = []
        asked = self._bins(0, self.first, self.first_edges, 0)
        seen.append(self._unit(BinShares.of(asked, (yield asked))))
        choice = EndCandidates.around(self._core(seen), seen)
        ends, used = self._ends(choice, seen, table), self.first
        if self.rounds > 2 and not ends.whole:
            asked = self._bins(1, self.second, graded_edges(self._core(seen)), used)
            seen.append(self._unit(BinShares.of(asked, (yield asked))))
            used += self.second
            choice = EndCandidates.around(self._core(seen), seen)
            ends = self._ends(choice, seen, table)
        question = self._last(ends, table, len(seen), used)
        tally = yield question
        return self._decoded(question, tally, ends, seen, choice)

    def risk(self, averages: Averages, table: Table) -> Prediction:
        """The same decisions on reports without chance, then the error of the last question between those ends.

        Chance makes ends worse than that: now and then bins seem to show users far away, and the last question is
        asked on nearly the full range. `ALARMS` is how much of its error that adds, fitted to simulations.
        """
        ends, seen = _rehearsed(self, averages, table)
        used = sum(map(_REPORTS, seen))
        low, high = self.range_between(ends)
        inside = full_range_risk(
            Averages(points=np.clip(averages.points, low, high), weights=averages.weights),
            users=self.users - used,
            low=low,
            high=high,
            table=table,
        )
        lost = float(averages.weights @ np.clip(averages.points, low, high)) - averages.mean
        alarm = 0.0
        if not ends.whole:
            wide = full_range_risk(averages, users=self.users - used, low=self.low, high=self.high, table=table)
            alarm = ALARMS[self.caution] * wide.mse
        return Prediction(sampling=inside.sampling, privacy=inside.privacy, localisation=lost**2 + alarm)

    def guarded_halfwidth(self, averages: Averages, table: Table) -> float:
        """Half the width of the guarded interval, on reports without chance."""
        ends, seen = _rehearsed(self, averages, table)
        half, users = (self.high - self.low) / 2, self.users - sum(shares.reports for shares in seen)
        low, high = self.range_between(ends)
        held = Averages(points=np.clip(averages.points, low, high), weights=averages.weights)
        error = full_range_risk(held, users=users, low=low, high=high, table=table).rmse
        reach = two_sided(self.confidence) * error / half
        sides = (self._guard(seen, ends, reach, side=side, confidence=self.confidence) for side in (-1, 1))
        return min(half, half * sum(sides) / 2)

    def mean_above_midpoint(self, averages: Averages, table: Table) -> float:
        """How far the users' mean lies above the middle of the last question, on reports without chance."""
        ends, _ = _rehearsed(self, averages, table)
        return averages.mean - sum(self.range_between(ends)) / 2

    def range_between(self, ends: Ends) -> tuple[float, float]:
        """The ends in units of the observations."""
        low, high = self._out(np.array([ends.low, ends.high])).tolist()
        return low, high

    def _core(self, seen: list[BinShares]) -> Core:
        return find_core(tuple(map(_PLAIN, seen)), self.observations)

    def _ends(self, choice: EndCandidates, seen: list[BinShares], table: Table) -> Ends:
        """The ends to ask between, on the lattice that all machines agree on."""
        users = self.users - sum(map(_REPORTS, seen))
        best = choice.ends(seen, variance=usual_variance(table), users=max(1, users), caution=self.caution)
        low, high = on_lattice((best.low, best.high), -1.0, 1.0)
        return replace(best, low=low, high=high)

    def _last(self, ends: Ends, table: Table, number: int, used: int) -> Question:
        low, high = self.range_between(ends)
        return Question(
            survey=self.survey,
            round=number,
            role="mean",
            slots=Slots(first=used, count=self.users - used),
            encoder=Encoder(statistic=self.statistic, placement=Position(low=(low,), high=(high,))),
            channel=table,
            epsilon=self.epsilon,
        )

    def _decoded(
        self, asked: Question, tally: Tally, ends: Ends, seen: list[BinShares], choice: EndCandidates
    ) -> AdaptiveMean:
        table, placement, half = asked.channel, asked.encoder.placement, (self.high - self.low) / 2
        assert isinstance(table, Table) and isinstance(placement, Position)
        low, high = placement.low[0], placement.high[0]
        mean, total, noise = decode_position(table, tally.cells[0], tally.reports[0])
        inside = min(1.0, max(0.0, mean))
        scale = (high - low) / half

        def sides(confidence: float) -> tuple[float, float]:
            start, stop = guaranteed_interval(table, tally.cells[0], tally.reports[0], confidence)
            reach = scale * (inside - start), scale * (stop - inside)
            below = self._guard(seen, ends, reach[0], side=-1, confidence=confidence, cut=start <= 0)
            return half * below, half * self._guard(seen, ends, reach[1], side=1, confidence=confidence, cut=stop >= 1)

        below, above = sides(self.confidence)
        return AdaptiveMean(
            value=low + (high - low) * inside,
            sampling=(high - low) ** 2 * (total - noise),
            privacy=(high - low) ** 2 * noise,
            clipping=CLIPPING * half * ends.clipping,
            low=low,
            high=high,
            below=below,
            above=above,
            jointly=(below, above) if self.beside == 1 else sides(1 - (1 - self.confidence) / self.beside),
            answered=(*(shares.reports for shares in seen), tally.reports[0]),
            hidden=0.0 if ends.whole else self._largest_unseen_share(seen[-1]),
            pulls=tuple(
                (share, self._pull(choice, seen, table, low + (high - low) * inside, share)) for share in COLLUDING
            ),
        )

    def _pull(self, choice: EndCandidates, seen: list[BinShares], table: Table, value: float, share: float) -> float:
        """Colluders say in the rounds of bins that users are far away, so that the last one asks far and wide."""
        pulls = []
        for sides in ((1,), (-1,), (1, -1)):
            ends = self._ends(choice, [claimed(shares, share, sides) for shares in seen], table)
            low, high = self.range_between(ends)
            place = min(1.0, max(0.0, (value - low) / (high - low))) if low < high else 0.5
            pulls.append(share * reach_from(table, high - low, place))
        return SPARE * max(pulls)

    def _largest_unseen_share(self, seen: BinShares) -> float:
        """The largest share of users far away that the bins would not have shown."""
        deviations = THRESHOLDS[self.caution][1] + NormalDist().inv_cdf(0.95)
        return min(1.0, max(deviations * math.sqrt(seen.empty_variance), 1 / self.users))

    def _guard(
        self, seen: list[BinShares], ends: Ends, reach: float, *, side: int, confidence: float, cut: bool = False
    ) -> float:
        """To one side: the reach of the mean between the ends, and what may lie beyond the end.

        Two errors by chance add in squares. A reach `cut` at the end is no such error: everybody may lie there. Where
        the end is just short of the range's, all users may lie at that one: bins cannot tell a mean so finely.
        """
        end = ends.high if side > 0 else -ends.low
        if 1 - end <= JUST_SHORT * (ends.high - ends.low):
            return reach + max(0.0, 1 - end)
        excess, more = excess_beyond(seen, side * end, side=side, z=GUARD * two_sided(confidence))
        return max(reach, excess + (reach + more if cut else math.hypot(reach, more)))


@lru_cache(maxsize=64)
def _rehearsed(scheme: Adaptive, averages: Averages, table: Table) -> tuple[Ends, list[BinShares]]:
    """The rounds of bins without chance, and the ends they lead to.

    Cached: the error, the guarded interval and the middle of the last question all follow from it.
    """
    near = scheme._near(averages)
    edges, users, seen = scheme.first_edges, scheme.first, list[BinShares]()
    while True:
        seen.append(scheme._expected(averages, edges, users))
        bell = find_core(tuple(map(_PLAIN, seen)), scheme.observations, near)
        ends = scheme._ends(EndCandidates.around(bell, seen), seen, table)
        if ends.whole or scheme.rounds <= 2 or len(seen) == 2:
            return ends, seen
        edges, users = graded_edges(bell), scheme.second


@cache
def _second_share(epsilon: float) -> float:
    """Bins say much less than a table at small ε, and nearly as much at large ones."""
    own, other = subset(exact(epsilon), 12).inclusion
    noise = other * (1 - other) / (own - other) ** 2
    return min(SECOND, 0.33 * noise / usual_variance(best_position_table(exact(epsilon))))
