"""Find the users, then ask between ends that hold them; what may lie beyond is measured, and allowed for.

Three rounds: bins all over the range say where the users are, finer bins there and coarser ones outward say how they
spread and whether anybody is far away, and the rest report through a table on an interval that holds them. With two
rounds the second is left out. No assumption that users are alike.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass, replace

import numpy as np

from sottovoce.answers import two_sided
from sottovoce.design import subset
from sottovoce.messages import Average, Encoder, Position, Question, Slots, Table, Tally, exact
from sottovoce.schemes.core import END, Core, Floats, core, plain
from sottovoce.schemes.ends import Caution, Ends, choose_ends, excess, graded_edges
from sottovoce.schemes.full_range import position
from sottovoce.schemes.histogram import Shares, bins_question, inner_edges, rounded, separation

FIRST, FIRST_OF_TWO, SECOND = 0.12, 0.25, 0.25
"""The part of the users in each round of bins."""
MOST_FIRST = 0.3
GUARD = 1.06
"""How much wider the guarded interval is than its errors say: the ends were chosen with the same reports."""


@dataclass(frozen=True, kw_only=True)
class Adapted:
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
    answered: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Adaptive:
    """One mean on [low, high] from `users` users with about `observations` observations each."""

    survey: str
    users: int
    observations: int
    low: float
    high: float
    epsilon: float
    table: Table
    caution: Caution = "medium"
    rounds: int = 3

    @property
    def bins(self) -> int:
        """Of the first round: as wide as users alike spread, as many as its users can tell apart."""
        finest = math.ceil(math.pi * math.sqrt(self.observations) / 3)
        return int(max(6, min(finest, 2 ** min(8.0, 0.4 * self.first / separation(self.epsilon)))))

    @property
    def first(self) -> int:
        """Users of the first round."""
        share = FIRST if self.rounds > 2 else FIRST_OF_TWO
        finest = math.ceil(math.pi * math.sqrt(self.observations) / 3)
        settled = 6 * separation(self.epsilon) * math.log(10 * finest)
        return max(1, int(min(MOST_FIRST * self.users, max(settled, min(share * self.users, 2 * settled)))))

    @property
    def second(self) -> int:
        """Users of the second round: as many as make what may hide beyond the ends about as uncertain at any ε."""
        channel = subset(exact(self.epsilon), 12)
        own, other = channel.inclusion
        noise = other * (1 - other) / (own - other) ** 2
        share = min(SECOND, 0.33 * noise / unit_variance(self.table))
        return int(share * self.users)

    @property
    def users_per_round(self) -> tuple[int, ...]:
        second = (self.second,) if self.rounds > 2 else ()
        return (self.first, *second, self.users - self.first - sum(second))

    def script(self) -> Generator[Question, Tally, Adapted]:
        """Where, how spread, how much."""
        seen: list[Shares] = []
        asked = self._bins(0, self.first, np.sin(np.linspace(-END, END, self.bins + 1)[1:-1]), 0)
        seen.append(self._unit(Shares.of(asked, (yield asked))))
        ends = self._ends(seen, self.first)
        used = self.first
        if self.rounds > 2 and not ends.whole:
            asked = self._bins(1, self.second, graded_edges(self._core(seen)), used)
            seen.append(self._unit(Shares.of(asked, (yield asked))))
            used += self.second
            ends = self._ends(seen, used)
        question = self._last(ends, len(seen), used)
        tally = yield question
        return self._decoded(question, tally, ends, seen)

    def _bins(self, number: int, count: int, edges: Floats, used: int) -> Question:
        return bins_question(
            survey=self.survey,
            number=number,
            role="bins",
            slots=Slots(first=used, count=count),
            edges=inner_edges(self._out(edges), self.low, self.high),
            epsilon=self.epsilon,
        )

    def _out(self, places: Floats) -> Floats:
        return (self.low + self.high) / 2 + (self.high - self.low) / 2 * np.asarray(places)

    def _unit(self, shares: Shares) -> Shares:
        return replace(shares, edges=(2 * shares.edges - self.low - self.high) / (self.high - self.low))

    def _core(self, seen: list[Shares]) -> Core:
        return core(tuple(plain(shares) for shares in seen), self.observations)

    def _ends(self, seen: list[Shares], used: int) -> Ends:
        """On the lattice that all machines agree on."""
        found = choose_ends(
            self._core(seen),
            seen,
            variance=unit_variance(self.table),
            users=self.users - used,
            caution=self.caution,
        )
        low, high = rounded((found.low, found.high), -1.0, 1.0)
        return replace(found, low=low, high=high)

    def _last(self, ends: Ends, number: int, used: int) -> Question:
        low, high = self._out(np.array([ends.low, ends.high]))
        return Question(
            survey=self.survey,
            round=number,
            role="mean",
            slots=Slots(first=used, count=self.users - used),
            encoder=Encoder(statistic=Average(), placement=Position(low=(float(low),), high=(float(high),))),
            channel=self.table,
            epsilon=self.epsilon,
        )

    def _decoded(self, asked: Question, tally: Tally, ends: Ends, seen: list[Shares]) -> Adapted:
        placement, half = asked.encoder.placement, (self.high - self.low) / 2
        assert isinstance(placement, Position)
        low, high = placement.low[0], placement.high[0]
        mean, total, noise = position(self.table, tally.cells[0], tally.reports[0])
        error = (high - low) / half * math.sqrt(total)
        up = self._guard(seen, ends.high, error, side=1)
        down = self._guard(seen, ends.low, error, side=-1)
        return Adapted(
            value=low + (high - low) * mean,
            sampling=(high - low) ** 2 * (total - noise),
            privacy=(high - low) ** 2 * noise,
            clipping=half * ends.clipping,
            low=low,
            high=high,
            below=half * down,
            above=half * up,
            answered=(*(shares.reports for shares in seen), tally.reports[0]),
        )

    def _guard(self, seen: list[Shares], end: float, error: float, *, side: int) -> float:
        """To one side: the error of the mean between the ends, and what may lie beyond the end."""
        z = two_sided(0.95)
        if side * end >= 1:
            return z * error
        beyond, deviation = excess(seen, end, side=side)
        return max(z * error, beyond + z * GUARD * math.hypot(error, deviation))


def unit_variance(table: Table) -> float:
    """Of one report on [−1, 1], averaged over where users may be."""
    places = np.linspace(0, 1, 65)
    likely = 0.7 * np.exp(-((2 * places - 1) ** 2) / 2 / 0.45**2)
    weights = 0.7 * likely / likely.sum() + 0.3 / len(places)
    return 4 * float(weights @ table.variance(places))
