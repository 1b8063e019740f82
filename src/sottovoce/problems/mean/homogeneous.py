"""Users are alike, says the caller: find them, learn their spread, then ask the most informative question there is."""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from sottovoce.answers import Estimate, StandardError, two_sided, within
from sottovoce.design import central
from sottovoce.design.soft import FINEST
from sottovoce.messages import Average, Encoder, Position, Question, Slots, Table, Tally
from sottovoce.problems.base import Method
from sottovoce.problems.mean.answer import answered
from sottovoce.problems.mean.settings import Mean
from sottovoce.risk import Averages, Crowd, Poisoning, Prediction, capture_share, worst
from sottovoce.schemes.histogram import LATTICE
from sottovoce.schemes import (
    Concentrated,
    FullRange,
    Look,
    Script,
    best_table,
    bins_question,
    decoded,
    decoded_with_interval,
    everybody,
    inner_edges,
    learned,
    rounded,
    separation,
)

MODE = None  # TEMP



@cache
def central_bins(epsilon: float) -> tuple[int, float, float]:
    """Bins, their width in spreads, and n·variance/spread² of k-ary response with equal central bins: the best."""
    from sottovoce.schemes.bell import normal_below

    if epsilon <= 2.2:
        return 2, 1.0, math.pi / 2 * separation(epsilon)
    best = (2, 1.0, math.pi / 2 * separation(epsilon))
    grown = math.exp(epsilon)
    for symbols in range(3, 12):
        for width in np.linspace(0.15, 1.2, 43):
            cuts = width * (np.arange(1, symbols) - symbols / 2)
            shares = np.diff(np.concatenate(([0.0], normal_below(cuts), [1.0])))
            slopes = np.diff(np.concatenate(([0.0], np.exp(-(cuts**2) / 2) / math.sqrt(2 * math.pi), [0.0])))
            other = 1 / (grown + symbols - 1)
            gain = (grown - 1) * other
            cost = 1 / float(((gain * slopes) ** 2 / (other + gain * shares)).sum())
            if cost < best[2]:
                best = symbols, float(width), cost
    return best


LEANERR, SOFTERR = 0.025, 0.01
TAILS = np.array([0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99])
TAILSHARE = 0.1


@cache
def table_noise(epsilon: float) -> float:
    """Of the best table on [−1, 1], on average over places."""
    return 4 * float(best_table(epsilon).variance(np.linspace(0, 1, 65)).mean())


@cache
def designs(epsilon: float) -> tuple[tuple[int, float, float, float], ...]:
    """Ways to ask the last: bins, width, n·variance/spread², and how much of a lean of the users passes for a shift.

    The sign sees the median. The middle between two cuts at one spread left and right is free of the third cumulant,
    at about twice the variance; cuts nearer to the centre lie in between.
    """
    other = 1 / (math.exp(epsilon) + 2)
    gain = (math.exp(epsilon) - 1) * other
    found = [(*central_bins(epsilon), 1.0)]
    for reach in (0.5, 0.6, 0.7, 0.8, 0.9, 1.0):
        tails = math.erfc(reach / math.sqrt(2))
        density = math.exp(-(reach**2) / 2) / math.sqrt(2 * math.pi)
        cost = (2 * other + gain * tails) / (2 * gain * density) ** 2
        found.append((3, 2 * reach, cost, 1 - reach**2))
    return tuple(found)


_bins_asked = lru_cache(maxsize=64)(bins_question)


@lru_cache(maxsize=64)
def _placed_asked(survey, number, role, slots, ends, channel, epsilon):
    return Question(
        survey=survey,
        round=number,
        role=role,
        slots=slots,
        encoder=Encoder(statistic=Average(), placement=Position(low=ends[:1], high=ends[1:])),
        channel=channel,
        epsilon=epsilon,
    )


@dataclass
class Course:
    """A survey under way: who is next, and what was seen."""

    settings: Mean
    first: int = 0
    number: int = 0
    looks: tuple[Look, ...] = ()
    answered: tuple[int, ...] = ()

    @property
    def half(self) -> float:
        return (self.settings.high - self.settings.low) / 2

    def outside(self, place: float) -> float:
        return self.settings.low + self.half * (1 + place)

    @property
    def left(self) -> int:
        return self.settings.users - self.first

    @property
    def seen(self) -> Concentrated:
        return learned(self.settings.observations, self.looks)

    def slots(self, count: int) -> Slots:
        taken = Slots(first=self.first, count=count)
        self.first += count
        return taken

    def bins(self, places: np.ndarray, users: int, role: str) -> Generator[Question, Tally, None]:
        """Everybody says in which bin; edges lie midway between averages of observations at the two ends."""
        own = self.settings
        steps = own.observations
        snapped = (2 * np.rint((places + 1) * steps / 2 - 0.5) + 1) / steps - 1
        edges = inner_edges((self.outside(float(place)) for place in snapped), own.low, own.high)
        asked = _bins_asked(
            survey=own.survey,
            number=self.number,
            role=role,
            slots=self.slots(users),
            edges=edges,
            epsilon=own.epsilon,
        )
        yield from self._ask(asked)

    def central(self, symbols: int, width: float, users: int) -> Generator[Question, Tally, None]:
        """The same for a few bins around the middle of the users, `width` apart, with soft edges."""
        own, soft = self.settings, 2 / self.settings.observations
        steps = max(1, min(FINEST, round(width / soft))) if symbols > 2 else 1
        step = width / steps if symbols > 2 else soft
        unit = (own.high - own.low) * LATTICE
        reach = unit * max(2, round(self.half * step / (2 * unit))) * ((symbols - 2) * steps + 1)
        (centre,) = rounded((self.outside(self.seen.median),), own.low, own.high)
        yield from self._ask(
            self.placed((centre - reach, centre + reach), central(own.epsilon, symbols, steps), users, "centre")
        )

    def placed(self, ends: tuple[float, float], channel: Table, users: int, role: str) -> Question:
        """A question about the place between two ends."""
        return _placed_asked(self.settings.survey, self.number, role, self.slots(users), ends, channel, self.settings.epsilon)

    def _ask(self, asked: Question) -> Generator[Question, Tally, None]:
        tally = yield asked
        self.number += 1
        self.answered += (tally.reports[0],)
        self.looks += (Look.of(asked, tally, self.settings.low, self.settings.high),)


class Homogeneous(Method[Mean]):
    """Localise with few, learn the spread with about √n, and ask the rest at the centre, twice or more."""

    name = "homogeneous"
    help = "for users who are alike, as the caller asserts: finds them, then asks about a few bins at their centre"

    def sizes(self, settings: Mean) -> tuple[int, int, int]:
        """Bins and users of the first round, users of a zoom."""
        users, steps, worth = settings.users, settings.observations, separation(settings.epsilon)
        bins = math.ceil(math.pi * math.sqrt(steps) / 3)
        most = settings.rounds or 5
        if most > 2:
            first = min(0.3 * users, 5 * worth * math.log(max(bins * users * steps / 10, 10)))
        else:
            first = min(0.4 * users, 5 * worth * math.log(max(bins * users * steps / 10, 10)) + 0.15 * users)
        bins = int(max(4, min(bins, 2 ** min(30, 0.4 * first / worth))))
        return bins, max(1, int(first)), max(1, int(min(0.2 * users, 12 * worth + 1.2 * math.sqrt(worth * users))))

    def localises(self, settings: Mean) -> bool:
        return settings.rounds != 1 and settings.observations >= 4 and settings.users / separation(settings.epsilon) > 25

    def script(self, settings: Mean) -> Script[Estimate]:
        if not self.localises(settings):
            asked = FullRange(
                survey=settings.survey,
                slots=everybody(settings.users),
                low=(settings.low,),
                high=(settings.high,),
                epsilon=settings.epsilon,
            ).question()
            tally = yield asked
            value, interval, kind, error = decoded_with_interval(asked, tally, settings.confidence)
            inside = min(settings.high, max(settings.low, value))
            return answered(settings, self.name, inside, interval, kind, error, tuple(tally.reports))
        course, most = Course(settings), settings.rounds or 5
        bins, first, zoom = self.sizes(settings)
        yield from course.bins(np.sin(np.linspace(-math.pi / 2, math.pi / 2, bins + 1)[1:-1]), first, "place")
        zooms = most - 2 if most < 4 else most - 3
        while (
            course.number - 1 < zooms
            and (course.seen.settled < 0.8 or course.number < 2)
            and course.first + zoom < 0.65 * settings.users
        ):
            yield from course.bins(course.seen.quantiles(np.arange(1, 8) / 8), zoom, "spread")
        rest = course.left
        tails = False
        while course.left:
            more = most - course.number
            users = max(1, int(course.left * {1: 1.0, 2: 0.4, 3: 0.2}.get(more, 0.15)))
            symbols, width, mode = self.mode(settings, course.seen, course.left, more == 1)
            if mode == "C" and (more == 1 or tails):
                return (yield from self.cover(course))
            if mode == "C":
                tails = True
                yield from course.bins(course.seen.quantiles(TAILS), max(1, int(TAILSHARE * course.left)), "tails")
            elif course.seen.settled > 0.4:
                yield from course.central(symbols, width * course.seen.spread, users)
            else:
                mode = "B"
                yield from course.bins(course.seen.quantiles(np.arange(1, 8) / 8), users, "spread")
        seen, half = course.seen, course.half
        reach = two_sided(settings.confidence) * 1.1 * seen.deviation
        value = seen.mean
        interval = within((course.outside(value - reach), course.outside(value + reach)), settings.low, settings.high)
        sampling = min(seen.deviation, seen.spread / math.sqrt(rest))
        error = StandardError(
            sampling=half * sampling, privacy=half * math.sqrt(max(0, seen.deviation**2 - sampling**2))
        )
        return answered(settings, self.name, course.outside(value), interval, "model " + mode, error, course.answered)

    def mode(self, settings: Mean, seen: Concentrated, rest: int, last: bool) -> tuple[int, float, str]:
        spread2 = seen.spread**2 + seen.deviation**2
        sure = last or seen.settled > 0.7
        if MODE == "C" or sure and seen.beyond(1.2) > 0.95:
            return 0, 0.0, "C"
        ways = designs(settings.epsilon)
        def risk(way):
            return way[2] * spread2 / rest + (way[3] * seen.doubt) ** 2
        soft = 1 / settings.observations / seen.spread
        wrong = seen.spread * (LEANERR * seen.lean**2 + SOFTERR * soft**2)
        best = min(ways, key=risk)
        best = ways[0] if MODE=="M" else ways[-1] if MODE=="D" else best
        noise = table_noise(settings.epsilon)
        known = risk(best) + wrong**2
        if sure and (4 * noise + 1) * seen.spread**2 / rest < known and not MODE:
            if seen.covering(noise, rest).risk < known:
                return 0, 0.0, "C"
        if seen.deviation > 0.5 * seen.spread:
            best = ways[0]
        return *best[:2], "M" if best is ways[0] else "D"

    def cover(self, course: Course) -> Script[Estimate]:
        settings = course.settings
        cover = course.seen.covering(table_noise(settings.epsilon), course.left)
        table = best_table(settings.epsilon)
        ends = rounded((course.outside(cover.low), course.outside(cover.high)), settings.low, settings.high)
        if ends[1] - ends[0] < 2e-6 * course.half:
            ends = (settings.low, settings.high)
        asked = course.placed((ends[0], ends[1]), table, course.left, "cover")
        tally = yield asked
        means = decoded(asked, tally)
        value = float(np.clip(means.value[0], settings.low, settings.high))
        clipping = course.half * cover.lost
        error = StandardError(
            sampling=math.sqrt(means.sampling[0]), privacy=math.sqrt(means.privacy[0]), clipping=clipping
        )
        reach = 1.1 * two_sided(settings.confidence) * math.hypot(error.sampling, error.privacy) + clipping
        interval = within((value - reach, value + reach), settings.low, settings.high)
        return answered(
            settings, self.name, value, interval, "model C", error, (*course.answered, tally.reports[0])
        )
