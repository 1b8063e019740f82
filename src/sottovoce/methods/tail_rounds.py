"""Find the users, then ask where they are between two ends, and how far beyond the ends anybody is.

Three rounds: bins all over the range say where the users are, finer bins there and coarser ones outward how they spread
and whether anybody is far away; the rest answer through a table that is bent at both ends (`bent_table`). With two
rounds the second is left out. Ends are chosen with the bins (`last_question`); whatever these missed widens the
interval, and does not make it wrong. No assumption that users are alike.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import attrgetter

import numpy as np

from sottovoce.answers import StandardError, upper_quantile
from sottovoce.design import on_nodes
from sottovoce.messages import Decodings, Encoder, Floats, Knots, Question, Slots, Table, Tally
from sottovoce.methods.bent_table import CORE, GARROTE, UPPER_TAIL, BentReading, kept_on_average
from sottovoce.methods.bins import BinShares, RoundsOfBins, claimed, on_lattice, separation
from sottovoce.methods.last_question import GAP, LastQuestion, LastTables, Seen, choose_last, tail_risk
from sottovoce.methods.location_posterior import FINE, Caution, find_core, graded_edges
from sottovoce.risk import COLLUDING, Averages

FIRST, SETTLED = 0.15, 4.5
"""The part of the users in the first round, and how many are enough there: so many times log(10·bins)·coth²(ε/2)."""
SECOND, LEAST_SECOND, MOST_SECOND = 36.0, 0.02, 0.06
"""Users of the second round, in coth²(ε/2), and the least and the most of all users."""
WIDE_CORE = 0.8
"""Of a half-range: where 68 of 100 users are as far apart, the full range is asked for without finer bins."""
SPARE = 1.1
"""What chance adds to what colluders claim, on average: now and then it helps them over a threshold."""
SHOWS = 0.25
"""Tails with a standard error above this part of the value's own could hide what makes a model's interval miss."""

_REPORTS, _PLAIN = attrgetter("reports"), attrgetter("plain")


@dataclass(frozen=True, kw_only=True)
class TailMean:
    """What came out, in units of the observations."""

    value: float
    interval: tuple[float, float]
    standard_error: StandardError
    modelled: bool
    """Whether users beyond the ends, as far as they were not seen, hardly change the value."""
    hidden: float
    """The share of the users that would be found at an end of the range 95 times in 100; fewer may hide."""
    hidden_shift: float
    """How far those could move the value."""
    answered: tuple[int, ...]
    pulls: tuple[tuple[float, float], ...]
    """How far colluders could have moved the value: pairs of a share of the users and a distance."""


@dataclass(frozen=True, kw_only=True)
class Expected:
    """What to expect of users with given averages, in units of the observations."""

    halfwidth: float
    """Of the interval that holds whatever the users are."""
    sampling: float
    """A variance, as `privacy`."""
    privacy: float
    tails: float
    """The mean square of what is missed beyond the ends, or seen there where nobody is."""
    middle: float
    """Where users count who hold nothing."""


@dataclass(frozen=True, kw_only=True)
class TailRounds(RoundsOfBins):
    """Rounds of bins, then a question that is bent at two ends."""

    tables: LastTables
    caution: Caution = "medium"
    aim: str = "interval"

    @cached_property
    def first(self) -> int:
        """Users of the first round."""
        settled = SETTLED * separation(self.epsilon) * math.log(10 * max(self.finest, 6))
        return max(1, int(min(FIRST * self.users, settled)))

    @cached_property
    def second(self) -> int:
        """Users of the second round."""
        enough = max(LEAST_SECOND * self.users, SECOND * separation(self.epsilon))
        return max(1, int(min(MOST_SECOND * self.users, enough)))

    def script(self) -> Generator[Question, Tally, TailMean]:
        """Where, how spread, how much."""
        seen: list[BinShares] = []
        edges: Floats | None = self.first_edges
        used = 0
        for users in self.users_per_round[:-1]:
            if seen and (edges := self._finer(seen)) is None:
                break
            assert edges is not None
            asked = self._bins(len(seen), users, edges, used)
            seen.append(self._unit(BinShares.of(asked, (yield asked))))
            used += users
        chosen = self._last(seen)
        tally = yield self._question(chosen, len(seen), used)
        cells, reports = np.array([tally.cells[0]]), np.array([tally.reports[0]])
        return self._decoded(chosen, seen, chosen.bent.reader.read(cells, reports))

    def expected(self, averages: Averages) -> Expected:
        """The same decisions on reports without chance, then the error of the last question."""
        return _expected(self, averages)

    # Rounds of bins.

    def _seen(self, rounds: list[BinShares], near: float | None = None) -> Seen:
        return Seen(core=find_core(tuple(map(_PLAIN, rounds)), self.observations, near, FINE), rounds=tuple(rounds))

    def _finer(self, rounds: list[BinShares], near: float | None = None) -> Floats | None:
        """The edges of a second round; None where the last question is asked at once, all over the range."""
        seen = self._seen(rounds, near)
        low, high = np.sin(seen.core.quantiles([0.16, 0.84])).tolist()
        if high - low >= WIDE_CORE and self._last(rounds, near).bent.table is self.tables.even:
            return None
        return graded_edges(seen.core)

    # The last question.

    def _last(self, rounds: list[BinShares], near: float | None = None) -> LastQuestion:
        return choose_last(
            self._seen(rounds, near),
            self.tables,
            left=max(1, self.users - sum(map(_REPORTS, rounds))),
            users=self.users,
            confidence=self.confidence,
            caution=self.caution,
            aim=self.aim,
        )

    def _question(self, chosen: LastQuestion, number: int, used: int) -> Question:
        bent = chosen.bent
        inner = on_lattice(self._out(bent.knots[1:-1]), self.low, self.high)
        (nothing,) = on_lattice(self._out(np.array([(bent.low + bent.high) / 2])), self.low, self.high)
        core, lower, upper, whole = ((1 + bent.reader.values[:4]) / 2).tolist()
        decodings = Decodings(core=tuple(core), lower=tuple(lower), upper=tuple(upper), whole=tuple(whole))
        return Question(
            survey=self.survey,
            round=number,
            role="mean",
            slots=Slots(first=used, count=self.users - used),
            encoder=Encoder(
                statistic=self.statistic,
                placement=Knots(low=self.low, high=self.high, inner=inner, nothing=nothing),
            ),
            channel=Table(rows=bent.table.rows, decodings=decodings),
            epsilon=self.epsilon,
        )

    def _decoded(self, chosen: LastQuestion, seen: list[BinShares], reading: BentReading) -> TailMean:
        half, bent = (self.high - self.low) / 2, chosen.bent
        low, high = reading.interval(self.confidence, chosen.below, chosen.above)
        place = float(reading.value(self.caution)[0])
        errors, doubt = reading.errors[:, 0], float(reading.doubt(self.caution).sum())
        noise = min(chosen.bent.reader.noise(bent.law) / float(reading.reports[0]), float(errors[CORE]) ** 2)
        error = StandardError(
            sampling=half * math.sqrt(float(errors[CORE]) ** 2 - noise),
            privacy=half * math.sqrt(noise),
            clipping=half * math.sqrt(doubt),
        )
        found = float(reading.tails(self.caution).sum()) > 0
        tails = errors[UPPER_TAIL:] * (GARROTE[self.caution] + upper_quantile(0.05))
        return TailMean(
            value=float(self._out(np.array([place]))[0]),
            interval=(
                min(float(self._out(low)[0]), float(self._out(np.array([place]))[0])),
                max(float(self._out(high)[0]), float(self._out(np.array([place]))[0])),
            ),
            standard_error=error,
            modelled=not found and float(errors[UPPER_TAIL:].max()) <= SHOWS * float(errors[CORE]),
            hidden=min(1.0, max(tails[0] / max(1 - bent.high, GAP), tails[1] / max(1 + bent.low, GAP))),
            hidden_shift=half * float(tails.max()),
            answered=(*map(_REPORTS, seen), int(reading.reports[0])),
            pulls=tuple((share, half * self._pull(chosen, seen, reading, share)) for share in COLLUDING),
        )

    # Colluders.

    def _pull(self, chosen: LastQuestion, seen: list[BinShares], reading: BentReading, share: float) -> float:
        """How far a share of the users moves the value: in the last round, after claims in those of bins or without."""
        reports = float(reading.reports[0])
        pulls, points = [self._pull_last(chosen, reading.shares[:, 0], reports, share)], self._seen(seen).points
        for sides in ((1,), (-1,), (1, -1)):
            misled = self._last([claimed(shares, share, sides) for shares in seen])
            honest = on_nodes(misled.bent.knots, *points) @ misled.bent.table.probabilities
            pulls.append(self._pull_last(misled, honest, reports, share))
        return SPARE * max(pulls)

    def _pull_last(self, chosen: LastQuestion, shares: Floats, reports: float, share: float) -> float:
        """By whichever symbol moves the value farthest that a share of the users sends, on average over chance.

        A tail that is near the threshold by chance would be moved twice as far as it is on average.
        """
        sent = np.vstack((shares, (1 - share) * shares + share * np.eye(len(shares))))
        bent = chosen.bent
        reading = bent.reader.read(sent * reports, np.full(len(sent), reports))
        means, errors = reading.means[UPPER_TAIL:], reading.errors[UPPER_TAIL:, :1]
        tails = reading.tails(self.caution)[:, :1] + means - means[:, :1]
        upper, lower = kept_on_average(tails, np.broadcast_to(errors, tails.shape), self.caution)
        values = np.clip(np.clip(reading.means[CORE], bent.low, bent.high) + upper - lower, -1.0, 1.0)
        return float(np.abs(values[1:] - values[0]).max())


@lru_cache(maxsize=256)
def _expected(scheme: TailRounds, averages: Averages) -> Expected:
    """What `TailRounds.expected` gives. Cached: plans ask for half-width and error one after the other."""
    near = scheme._near(averages)
    rounds: list[BinShares] = []
    edges: Floats | None = scheme.first_edges
    for users in scheme.users_per_round[:-1]:
        if rounds and (edges := scheme._finer(rounds, near)) is None:
            break
        assert edges is not None
        rounds.append(scheme._expected(averages, edges, users))
    chosen = scheme._last(rounds, near)
    half, left, bent = (scheme.high - scheme.low) / 2, scheme.users - sum(map(_REPORTS, rounds)), chosen.bent
    points = (2 * averages.points - scheme.low - scheme.high) / (scheme.high - scheme.low)
    law = on_nodes(bent.knots, points, averages.weights)
    shares, reader = law @ bent.table.probabilities, bent.reader
    reading = reader.read(np.array([left * shares]), np.array([left]))
    low, high = reading.interval(scheme.confidence, chosen.below, chosen.above)
    errors = reader.deviations(law) / math.sqrt(left)
    noise = min(reader.noise(law) / left, errors[CORE] ** 2)
    tails = tail_risk(reading.means[UPPER_TAIL:, 0], errors[UPPER_TAIL:], scheme.caution)
    wider, worse = chosen.usually
    return Expected(
        halfwidth=min(half, wider * half * float(high[0] - low[0]) / 2),
        sampling=worse * half**2 * float(errors[CORE] ** 2 - noise),
        privacy=worse * half**2 * float(noise),
        tails=worse * half**2 * tails,
        middle=float(scheme._out(np.array([(bent.low + bent.high) / 2]))[0]),
    )
