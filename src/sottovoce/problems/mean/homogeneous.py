"""Users are alike, says the caller: find them, learn their spread, then ask the most informative question there is."""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import replace

import numpy as np

from sottovoce.answers import Assumes, Estimate, Note, NoteCode, StandardError, two_sided, within
from sottovoce.design import subset
from sottovoce.messages import Fact, Question, Rules, Table, Tally
from sottovoce.methods import (
    COLLUDING,
    Concentrated,
    Script,
    decoded,
    leaning_doubt,
    learned,
    rounded,
    separation,
)
from sottovoce.problems.mean import courses
from sottovoce.problems.mean.answer import answered
from sottovoce.problems.mean.assumed import stated
from sottovoce.problems.mean.centring import (
    CONTRADICTED,
    Course,
    Design,
    contradicted,
    designs,
    first_places,
    leaning_cuts,
    middle,
    misfit,
    misfit_of,
    most_informative,
    table_noise,
)
from sottovoce.problems.mean.courses import ROUNDS
from sottovoce.problems.mean.one_round import OneRound
from sottovoce.problems.mean.settings import Mean
from sottovoce.problems.method import Method, StandIn
from sottovoce.risk import Averages, Crowd, Poisoning, Prediction, capture_share, reach_from, worst

ALIKE = Fact("model-alike")
ONE_GROUP = Fact("model-one-group")
COVERED = Fact("model-covered")
MOST_BINS = 256
COVER_WORSE = 1.7
"""By so much the risk of a cover is too low where no bell fits: many sit at its ends, where a table is noisiest."""
ATTACKED = 1.15
"""By so much more than to first order colluders in all rounds move the mean: each round is asked where the last was."""
UNLIKE = 0.6
"""How far off a bell may be, in spreads, if users are not alike after all, and too few to say so."""
TAILS = np.array([0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99])
SPARE = 1.3
"""Colluders also make the spread seem wider, and a wider spread moves the mean by more."""
BELIEVED = 1.2
"""What rounds of bins say about the mean counts with so many times its deviation, where no bell fits the users."""


class Homogeneous(Method[Mean]):
    """A few users localise, about √n learn the spread, the rest answer at the centre, in rounds centred anew.

    Where no bell describes the users (they differ after all, or hold so few distinct averages that the shape between
    them matters) the rest answer through the table on an interval that covers them.
    """

    name = "homogeneous"
    help = "for users who are alike, as the caller asserts: finds them, then asks about a few bins at their centre"
    not_empty = Fact("empty-users-not-alike")

    def localises(self, settings: Mean) -> bool:
        """Whether there are rounds, observations and users enough to look for a place."""
        enough = settings.users / separation(settings.epsilon) > 25
        return settings.rounds != 1 and settings.observations >= 4 and enough

    def replacement(self, settings: Mean) -> Method[Mean] | None:
        if self.localises(settings):
            return None
        few = () if settings.rounds == 1 else (Note(NoteCode.ASKED_AT_ONCE, why="place"),)
        return StandIn(self, OneRound(), *few)

    def sizes(self, settings: Mean) -> tuple[int, int, int]:
        """Bins and users of the first round, users of a look at the spread.

        A wrong place costs so much more than it saves that the first round grows with the logarithm of n·T alone.
        """
        users, worth = settings.users, separation(settings.epsilon)
        bins = math.ceil(math.pi * math.sqrt(settings.observations) / 3)
        first = 4.5 * worth * math.log(max(bins * users * settings.observations / 10, 10))
        first = min(0.3 * users, first) if settings.rounds != 2 else min(0.4 * users, first + 0.15 * users)
        bins = int(max(4, min(bins, MOST_BINS, 2 ** min(30, 0.4 * first / worth))))
        return bins, int(first), int(min(0.2 * users, 12 * worth + 1.6 * math.sqrt(worth * users)))

    def script(self, settings: Mean) -> Script[Estimate]:
        course, rounds = Course(settings), settings.rounds or ROUNDS
        bins, first, look = self.sizes(settings)
        yield from course.bins(first_places(bins), first, "place")
        while course.number < courses.looks(rounds) and (course.number < 2 or course.seen.settled < 0.8):
            yield from course.bins(course.seen.quantiles(middle(settings.epsilon)), look, "spread")
        return (yield from self._rest(course, rounds))

    def _rest(self, course: Course, rounds: int) -> Generator[Question, Tally, Estimate]:
        """All users left, in the rounds left."""
        tails, epsilon = False, course.settings.epsilon
        while course.left:
            more, seen = rounds - course.number, course.seen
            users = courses.next_users(course.left, more)
            design = self.design(course.settings, seen, course.left, final=more == 1)
            if design is None and (more == 1 or tails):
                return (yield from self._cover(course))
            if design is None:
                tails, users = True, courses.tail_users(course.left)
                yield from course.bins(seen.quantiles(TAILS), users, "tails")
            elif contradicted(seen):
                yield from course.bins(seen.quantiles(leaning_cuts(seen)), users, "spread")
            elif seen.settled > 0.4:
                yield from course.central(design, users)
            else:
                yield from course.bins(seen.quantiles(middle(epsilon)), users, "spread")
        return self._answer(course)

    def design(self, settings: Mean, seen: Concentrated, users: int, *, final: bool) -> Design | None:
        """What to ask the rest; None where an interval that covers the users does better than any bins."""
        settled, worse = final or seen.settled > 0.7, 1.0
        spread2 = seen.spread**2 + seen.deviation**2 + 1 / (3 * settings.observations**2)
        own, wrong = designs(settings.epsilon), misfit_of(settings, seen)
        risks = [one.cost * spread2 / users + (one.exposure * seen.doubt) ** 2 for one in own]
        best = int(np.argmin(risks))
        if contradicted(seen):
            best, risks, wrong, worse = 0, [own[-1].cost * spread2 / users], wrong / math.sqrt(3), COVER_WORSE
        noise, risk = table_noise(settings.epsilon), (risks[best] + wrong**2) / worse
        cannot_win = (4 * noise + 1) * seen.spread**2 / users > risk
        if settled and not cannot_win and seen.covering(noise, users).risk < risk:
            return None
        return own[0] if seen.deviation > 0.5 * seen.spread else own[best]

    def _answer(self, course: Course) -> Estimate:
        """The mean by the weights of the grid."""
        settings, seen = course.settings, course.seen
        bias, differ = misfit_of(settings, seen), contradicted(seen)
        if not differ:
            few = min(1.0, 60 * separation(settings.epsilon) / settings.users)
            bias += few * UNLIKE * seen.spread * seen.beyond(CONTRADICTED)
        doubt = seen.deviation * (BELIEVED if differ else 1)
        value, reach = course.declared(seen.mean), course.half * (self._reach(settings) * doubt + bias)
        sampling = min(seen.deviation, seen.spread / math.sqrt(sum(course.answered)))
        error = StandardError(
            sampling=course.half * sampling, privacy=course.half * math.sqrt(seen.deviation**2 - sampling**2)
        )
        apart = course.elsewhere()
        interval = within((value - reach - apart.below, value + reach + apart.above), settings.low, settings.high)
        first = NoteCode.UNSETTLED_PLACE if seen.settled < 0.5 else NoteCode.USERS_DIFFER if differ else None
        return answered(
            settings,
            self.name,
            value,
            interval,
            ONE_GROUP if differ else ALIKE,
            error,
            course.answered,
            _notes(first, elsewhere=apart.seen),
            assumes=Assumes.ONE_GROUP_OF_AVERAGES if differ else Assumes.ONE_DISTRIBUTION,
            detection_limit=apart.limit,
            hidden_shift=apart.limit * apart.farthest,
            poisoning=self._colluders(settings, ATTACKED * course.half * seen.pull(course.looks)),
        )

    def _cover(self, course: Course) -> Generator[Question, Tally, Estimate]:
        """The mean of the rest on an interval that covers the users, and a little of what the rounds before said."""
        settings, seen = course.settings, course.seen
        cover = seen.covering(table_noise(settings.epsilon), course.left)
        low, high = rounded((course.declared(cover.low), course.declared(cover.high)), settings.low, settings.high)
        if not low < high:
            low, high = settings.low, settings.high
        table = settings.position_table()
        asked = course.position((low, high), table, course.left, "cover")
        tally = yield asked
        means, lost = decoded(asked, tally), course.half * cover.lost
        noise = means.sampling[0] + means.privacy[0]
        before = (course.half * BELIEVED * seen.deviation) ** 2
        bias = course.half * misfit_of(settings, seen)
        doubted = before + bias**2 / 3
        weight = doubted / (doubted + noise + lost**2) if contradicted(seen) else 1.0  # no bell fits a lattice
        value = weight * means.value[0] + (1 - weight) * course.declared(seen.mean)
        value = float(np.clip(value, settings.low, settings.high))
        lost = weight * lost + (1 - weight) * bias
        error = StandardError(
            sampling=weight * math.sqrt(means.sampling[0]),
            privacy=math.sqrt(weight**2 * means.privacy[0] + (1 - weight) ** 2 * before),
            clipping=lost,
        )
        reach = self._reach(settings) * math.hypot(error.sampling, error.privacy) + lost
        apart = course.elsewhere()
        interval = within((value - reach - apart.below, value + reach + apart.above), settings.low, settings.high)
        users = (*course.answered, tally.reports[0])
        differ = NoteCode.USERS_DIFFER if contradicted(seen) else None
        pulls = self._pulls(course, table, value, weight)
        return answered(
            settings,
            self.name,
            value,
            interval,
            COVERED,
            error,
            users,
            _notes(differ, elsewhere=apart.seen),
            assumes=Assumes.COVERED_BY_LAST_ROUND,
            detection_limit=apart.limit,
            hidden_shift=apart.limit * apart.farthest,
            poisoning=pulls,
        )

    def _reach(self, settings: Mean) -> float:
        """Half-width in standard errors: the grid knows nothing of its own approximations, more so with few users."""
        few = 10 * separation(settings.epsilon) / settings.users
        return 1.1 * math.sqrt(1 + few) * two_sided(settings.confidence)

    def predict(self, settings: Mean, crowd: Crowd) -> Prediction:
        moments = crowd.moments(settings.low, settings.high, observations=settings.observations, step=0.0)
        return worst(self._risk(settings, mean, math.sqrt(variance)) for mean, variance in moments)

    def assumed(self, settings: Mean, crowd: Crowd) -> tuple[Crowd, ...]:
        """Users alike, as asserted, unless the caller says how they differ."""
        return (stated(settings, crowd),)

    def worst_law(self, settings: Mean, crowd: Crowd) -> Averages:
        """The users' averages for which `predict` speaks."""
        laws = crowd.laws(settings.low, settings.high, observations=settings.observations, step=0.0)
        return max(laws, key=lambda law: self._risk(settings, law.mean, math.sqrt(law.variance)).mse)

    def _risk(self, settings: Mean, mean: float, spread: float) -> Prediction:
        """Of users around a mean, with this spread: the best design, or a cover, and what the early rounds leave."""
        half, count = (settings.high - settings.low) / 2, settings.observations
        place, own = (mean - settings.low) / half - 1, spread / half
        bins, first, look = self.sizes(settings)
        rest = settings.users - first - (look if settings.rounds != 2 else 0)
        room = max(1 - place**2, 1 / count)
        ratio = own / math.sqrt(room / count)
        wide = math.sqrt(own**2 + 1 / (3 * count**2))
        doubt, lean = leaning_doubt(count, place, ratio)
        wrong = misfit(settings, max(own, 0.3 / count), lean / max(own, 0.3 / count))
        inside = min([one.cost * wide**2 / rest + (one.exposure * doubt) ** 2 for one in designs(settings.epsilon)])
        inside += wrong**2
        reach = min(1.0, 2.7 * own + 1.5 / count)
        cover = (table_noise(settings.epsilon) * reach**2 + own**2) / (0.9 * rest)
        known = cover if ratio > CONTRADICTED else min(inside, cover)
        worth = separation(settings.epsilon)
        unsettled = 60 * (wide * worth / settings.users) ** 2 + 0.01 * bins * math.exp(-0.55 * first / worth)
        sampling = min(known, own**2 / rest)
        return Prediction(sampling=sampling, privacy=known - sampling, localisation=unsettled).scaled(half**2)

    def users_per_round(self, settings: Mean) -> tuple[int, ...]:
        _, first, look = self.sizes(settings)
        return courses.usual(settings, first, look)

    def rules(self, settings: Mean) -> Rules:
        return courses.rules(settings, next(self.script(settings)), self.sizes(settings)[2])

    def poisoning(self, settings: Mean, crowd: Crowd) -> Poisoning:
        moments = crowd.moments(settings.low, settings.high, observations=settings.observations, step=0.0)
        spread = math.sqrt(max(variance for _, variance in moments))
        least = (settings.high - settings.low) / settings.observations
        return self._colluders(settings, SPARE * max(spread, least) * most_informative(settings.epsilon).influence)

    def _colluders(self, settings: Mean, reach: float) -> Poisoning:
        """All at one side of the centre; or all in one bin of the first round, so that they are found there."""
        own, other = subset(settings.epsilon, self.sizes(settings)[0]).inclusion
        return Poisoning(reach=reach, capture=capture_share(own, 0.7, base=other))

    def _pulls(self, course: Course, table: Table, value: float, weight: float) -> Poisoning:
        """Colluders say in the rounds of bins that users are far away, so that the last one asks far and wide."""
        settings, known = course.settings, []
        early = (1 - weight) * ATTACKED * course.half * course.seen.pull(course.looks)
        noise, users = table_noise(settings.epsilon), settings.users - sum(course.answered)
        for share in COLLUDING:
            seen = learned(settings.observations, tuple(look.claimed(share) for look in course.looks))
            cover = seen.covering(noise, users)
            low, high = course.declared(cover.low), course.declared(cover.high)
            place = min(1.0, max(0.0, (value - low) / (high - low)))
            known.append((share, share * (weight * reach_from(table, high - low, place) + early)))
        return replace(self._colluders(settings, known[0][1] / known[0][0]), known=tuple(known))

    def words(self, settings: Mean) -> Fact:
        bins, _, _ = self.sizes(settings)
        return Fact("rounds-and-bins", rounds=settings.rounds or ROUNDS, bins=bins)


def _notes(first: NoteCode | None, *, elsewhere: bool) -> tuple[Note, ...]:
    """What reports say against the users' being alike."""
    codes = (first, NoteCode.USERS_ELSEWHERE if elsewhere else None)
    return tuple(Note(code) for code in codes if code is not None)
