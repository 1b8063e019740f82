"""Users are alike, says the caller: find them, learn their spread, then ask the most informative question there is.

In order: the questions at the centre (`CentralBins`), the rounds of a survey under way (`Rounds`), the method, what it
promises beforehand. How many users a round has follows from how many are left and from the rounds to come; which rounds
come, reports decide. There are only a few courses, so that the rules go through all of them.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise
from statistics import NormalDist

import numpy as np

from sottovoce.answers import Assumes, Estimate, Note, NoteCode, StandardError, two_sided, within
from sottovoce.design import MOST_STEPS, central, subset
from sottovoce.messages import (
    Average,
    Encoder,
    Fact,
    Floats,
    Position,
    Question,
    Rules,
    Slots,
    Table,
    Tally,
    Wave,
    Way,
    nearest_sin,
)
from sottovoce.methods import (
    LATTICE,
    BinnedRound,
    BinShares,
    Posterior,
    Script,
    best_table,
    binomial_tail,
    bins_question,
    bins_way,
    decode_means,
    excess_beyond,
    inner_edges,
    leaning_doubt,
    normal_below,
    on_lattice,
    position_way,
    posterior_after,
    separation,
    widest_spread,
)
from sottovoce.problems.alternatives import stated_crowd
from sottovoce.problems.mean.one_round import MeanMethod
from sottovoce.problems.mean.one_round_1 import OneRoundEdition1
from sottovoce.problems.mean.settings import Mean
from sottovoce.problems.method import Method, StandIn
from sottovoce.risk import COLLUDING, Averages, Crowd, Poisoning, Prediction, capture_share, reach_from, worst

# These numbers were chosen on simulations of users alike and not. They trade a wrong place or spread, which costs much
# but rarely, against users who are then missing in the last rounds. What each is worth:
# python -m benchmarks.accuracy.tuning sottovoce.problems.mean.homogeneous:NAME X --method homogeneous --problem mean
ROUNDS = 5
SHARES = {1: 1.0, 2: 0.4, 3: 0.2}
"""Of the users left, by rounds left: each is centred anew on what the ones before it found."""
EARLY_SHARE = 0.15
"""The same where more rounds are left."""
TAIL_SHARE = 0.1
"""Of the users left: those who are asked about the tails, where no bell may fit."""
MOST_BINS = 256
CONTRADICTED = 1.2
"""Spread against that of observations at the two ends of the range, beyond which users cannot be alike."""
COVER_WORSE = 1.7
"""By so much the risk of a cover is too low where no bell fits: many sit at its ends, where a table is noisiest."""
ATTACKED = 1.15
"""By so much more than to first order colluders in all rounds move the mean: each round is asked where the last was."""
UNLIKE = 0.6
"""How far off a bell may be, in spreads, if users are not alike after all, and too few to say so."""
SPARE = 1.3
"""Colluders also make the spread seem wider, and a wider spread moves the mean by more."""
BELIEVED = 1.2
"""What rounds of bins say about the mean counts with so many times its deviation, where no bell fits the users."""
TAILS = np.array([0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99])
_FEW, _MANY, _FEW_BELOW = np.array([0.12, 0.37, 0.63, 0.88]), np.arange(1, 8) / 8, 1.5
"""Quantiles to cut at while users are sought, and the ε up to which few: noisy reports say more about few bins."""
_LEANING = np.array([0.3, 0.6, 0.85])
"""Quantiles to cut at where no bell fits: averages that lean upward say most about their mean in the upper tail."""


@dataclass(frozen=True, kw_only=True)
class CentralBins:
    """Bins at the centre, `width` spreads wide, and what they give.

    `cost` is n·variance/spread²; `exposure` says how much of the distance between mean and median passes for a shift;
    `influence` is how far a share of colluders can move the mean, in spreads for each of that share.
    """

    bins: int
    width: float
    cost: float
    exposure: float
    influence: float


@cache
def most_informative(epsilon: float) -> CentralBins:
    """k-ary response with equal central bins, as many and as wide as tell most about the middle of a bell."""
    sign = math.pi / 2 * separation(epsilon)
    best = CentralBins(bins=2, width=1.0, cost=sign, exposure=1.0, influence=math.sqrt(sign))
    grown = math.exp(epsilon)
    for bins in range(3, 12) if epsilon > 2.2 else ():  # up to there two bins are best
        other = 1 / (grown + bins - 1)
        gain = (grown - 1) * other
        if best.bins < bins - 2:  # neither of the last two was better, so more will not be
            break
        for width in np.linspace(0.2, 1.2, 21).tolist():
            cuts = width * (np.arange(1, bins) - bins / 2)
            shares = np.diff(normal_below(cuts), prepend=0.0, append=1.0)
            slopes = np.diff(np.exp(-(cuts**2) / 2) / math.sqrt(2 * math.pi), prepend=0.0, append=0.0)
            scores = gain * slopes / (other + gain * shares)
            cost = 1 / float((gain * slopes * scores).sum())
            if cost < best.cost:
                influence = cost * float(np.abs(scores).max())
                best = CentralBins(bins=bins, width=width, cost=cost, exposure=1.0, influence=influence)
    return best


@cache
def designs(epsilon: float) -> tuple[CentralBins, ...]:
    """The most informative one, and two cuts at some distance from the centre.

    A sign sees the median. The middle between cuts at one spread left and right is free of the third cumulant, at about
    twice the variance; cuts nearer to the centre lie in between.
    """
    other = 1 / (math.exp(epsilon) + 2)
    gain = (math.exp(epsilon) - 1) * other
    every = [most_informative(epsilon)]
    for reach in (0.5, 0.6, 0.7, 0.8, 0.9, 1.0):
        tails, density = math.erfc(reach / math.sqrt(2)), math.exp(-(reach**2) / 2) / math.sqrt(2 * math.pi)
        cost = (2 * other + gain * tails) / (2 * gain * density) ** 2
        influence = cost * gain * density / (other + gain * tails / 2)
        every.append(CentralBins(bins=3, width=2 * reach, cost=cost, exposure=1 - reach**2, influence=influence))
    return tuple(every)


@cache
def table_noise(epsilon: float) -> float:
    """The variance of the best table on [−1, 1], on average over places."""
    return 4 * float(best_table(epsilon).variance(np.linspace(0, 1, 65)).mean())


@cache
def first_places(bins: int) -> Floats:
    """Edges of bins that users alike fill about equally. Many are as near to one average as to the next."""
    return np.array([nearest_sin(math.pi * (place / bins - 0.5)) for place in range(1, bins)])


def misfit(settings: Mean, spread: float, lean: float) -> float:
    """How far the bell may be wrong about the mean: the more so the more users lean, and the coarser their lattice."""
    return spread * (0.025 * lean**2 + 0.01 / (settings.observations * spread) ** 2)


def misfit_of_posterior(settings: Mean, posterior: Posterior) -> float:
    """How far the law that was found may be wrong about the mean: by a tenth of the spread where it is not one law."""
    return max(
        misfit(settings, posterior.spread, posterior.lean), 0.1 * posterior.spread if users_differ(posterior) else 0.0
    )


def users_differ(posterior: Posterior) -> bool:
    """Whether users differ more than users who are alike can."""
    return posterior.chance_of_wider(CONTRADICTED) > 0.95


# A replay asks again, and a digest takes its time.
_bins_question = lru_cache(maxsize=64)(bins_question)
_question = lru_cache(maxsize=64)(Question)


@dataclass
class Rounds:
    """A survey under way: who is next, and what was seen. Places lie on [−1, 1], questions in the declared range."""

    settings: Mean
    asked: int = 0
    looks: tuple[BinnedRound, ...] = ()
    answered: tuple[int, ...] = ()

    @property
    def half(self) -> float:
        return self.settings.width / 2

    @property
    def users_left(self) -> int:
        """Users not asked yet."""
        return self.settings.users - self.asked

    @property
    def posterior(self) -> Posterior:
        """What the reports say so far."""
        return posterior_after(self.settings.observations, self.looks)

    def declared(self, place: float) -> float:
        """A place in units of the observations."""
        return self.settings.low + self.half * (1 + place)

    def bins(self, places: Floats, users: int, role: str) -> Generator[Question, Tally, None]:
        """In which bin? Edges are moved midway between averages that observations at the two ends of the range have."""
        settings, count = self.settings, self.settings.observations
        midway = (2 * np.rint((places + 1) * count / 2 - 0.5) + 1) / count - 1
        edges = inner_edges((self.declared(float(place)) for place in midway), settings.low, settings.high)
        yield from self._look(
            _bins_question(
                survey=settings.survey,
                number=len(self.looks),
                role=role,
                slots=self._next(users),
                edges=edges or on_lattice((self.declared(0.0),), settings.low, settings.high),
                epsilon=settings.epsilon,
            )
        )

    def central(self, design: CentralBins, users: int) -> Generator[Question, Tally, None]:
        """In which of a few bins around the middle of the users? Edges are as soft as a lattice may be coarse.

        The average of observations at the two ends is a multiple of 2/T: blurred by as much, or a multiple, no trace
        of the lattice is left.
        """
        settings, posterior, soft = self.settings, self.posterior, 2 / self.settings.observations
        step, steps, width = soft, 1, design.width * posterior.spread
        if design.bins > 2:
            step = soft * max(1, math.ceil(width / (soft * MOST_STEPS)))
            steps = max(1, round(width / step))
        unit = settings.width * LATTICE
        reach = unit * max(2, round(self.half * step / (2 * unit))) * ((design.bins - 2) * steps + 1)
        (centre,) = on_lattice((self.declared(posterior.median),), settings.low, settings.high)
        table = central(settings.epsilon, design.bins, steps)
        yield from self._look(self.position(centre - reach, centre + reach, table, users, "centre"))

    def position(self, low: float, high: float, table: Table, users: int, role: str) -> Question:
        """The question to the next users where they lie between two ends."""
        return _question(
            survey=self.settings.survey,
            round=len(self.looks),
            role=role,
            slots=self._next(users),
            encoder=Encoder(statistic=Average(), placement=Position(low=(low,), high=(high,))),
            channel=table,
            epsilon=self.settings.epsilon,
        )

    def _next(self, users: int) -> Slots:
        first, self.asked = self.asked, self.asked + users
        return Slots(first=first, count=users)

    def _look(self, question: Question) -> Generator[Question, Tally, None]:
        tally = yield question
        self.answered += (tally.reports[0],)
        self.looks += (BinnedRound.of(question, tally, self.settings.low, self.settings.high),)


class Homogeneous(MeanMethod):
    """A few users localise, about √n learn the spread, the rest answer at the centre, in rounds centred anew.

    Where no bell describes the users (they differ after all, or hold so few distinct averages that the shape between
    them matters) the rest answer through the table on an interval that covers them.
    """

    name = "homogeneous"
    help = "for users who are alike, as the caller asserts: finds them, then asks about a few bins at their centre"
    why_not_empty = Fact("empty-users-not-alike")

    def replacement(self, settings: Mean) -> Method[Mean] | None:
        enough = settings.users / separation(settings.epsilon) > 25
        if settings.rounds != 1 and settings.observations >= 4 and enough:
            return None
        few = () if settings.rounds == 1 else (Note(NoteCode.ASKED_AT_ONCE, why="place"),)
        return StandIn(self, OneRoundEdition1(), *few)

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
        asking, rounds, tails = Rounds(settings), settings.rounds or ROUNDS, False
        bins, first, look = self.sizes(settings)
        middle = _MANY if settings.epsilon > _FEW_BELOW else _FEW
        yield from asking.bins(first_places(bins), first, "place")
        while len(asking.looks) < _looks(rounds) and (len(asking.looks) < 2 or asking.posterior.settled < 0.8):
            yield from asking.bins(asking.posterior.quantiles(middle), look, "spread")
        while asking.users_left:
            more, posterior = rounds - len(asking.looks), asking.posterior
            users, tail_users = _next_users(asking.users_left, more)
            design = self.design(settings, posterior, asking.users_left, final=more == 1)
            if design is None and (more == 1 or tails):
                return (yield from self._cover(asking))
            if design is None:
                tails = True
                yield from asking.bins(posterior.quantiles(TAILS), tail_users, "tails")
            elif users_differ(posterior):
                leaning = _LEANING if posterior.lean >= 0 else 1 - _LEANING[::-1]
                yield from asking.bins(posterior.quantiles(leaning), users, "spread")
            elif posterior.settled > 0.4:
                yield from asking.central(design, users)
            else:
                yield from asking.bins(posterior.quantiles(middle), users, "spread")
        return self._by_grid(asking)

    def design(self, settings: Mean, posterior: Posterior, users: int, *, final: bool) -> CentralBins | None:
        """What to ask the rest; None where an interval that covers the users does better than any bins."""
        settled, worse = final or posterior.settled > 0.7, 1.0
        spread2 = posterior.spread**2 + posterior.deviation**2 + 1 / (3 * settings.observations**2)
        every, wrong = designs(settings.epsilon), misfit_of_posterior(settings, posterior)
        risks = [one.cost * spread2 / users + (one.exposure * posterior.doubt) ** 2 for one in every]
        best = int(np.argmin(risks))
        if users_differ(posterior):
            best, risks, wrong, worse = 0, [every[-1].cost * spread2 / users], wrong / math.sqrt(3), COVER_WORSE
        noise, risk = table_noise(settings.epsilon), (risks[best] + wrong**2) / worse
        cannot_win = (4 * noise + 1) * posterior.spread**2 / users > risk
        if settled and not cannot_win and posterior.covering(noise, users).risk < risk:
            return None
        return every[0] if posterior.deviation > 0.5 * posterior.spread else every[best]

    def _by_grid(self, asking: Rounds) -> Estimate:
        """The mean by the weights of the grid."""
        settings, posterior, half = asking.settings, asking.posterior, asking.half
        bias, differ = misfit_of_posterior(settings, posterior), users_differ(posterior)
        if not differ:
            few = min(1.0, 60 * separation(settings.epsilon) / settings.users)
            bias += few * UNLIKE * posterior.spread * posterior.chance_of_wider(CONTRADICTED)
        doubt = posterior.deviation * (BELIEVED if differ else 1)
        sampling = min(posterior.deviation, posterior.spread / math.sqrt(sum(asking.answered)))
        error = StandardError(sampling=half * sampling, privacy=half * math.sqrt(posterior.deviation**2 - sampling**2))
        return self._answer(
            asking,
            asking.declared(posterior.mean),
            half * (self._halfwidth_in_standard_errors(settings) * doubt + bias),
            error,
            asking.answered,
            self._colluders(settings, ATTACKED * half * posterior.pull(asking.looks)),
            Assumes.ONE_GROUP_OF_AVERAGES if differ else Assumes.ONE_DISTRIBUTION,
        )

    def _cover(self, asking: Rounds) -> Script[Estimate]:
        """The mean of the rest on an interval that covers the users, and a little of what the rounds before said."""
        settings, posterior, half = asking.settings, asking.posterior, asking.half
        cover = posterior.covering(table_noise(settings.epsilon), asking.users_left)
        low, high = on_lattice((asking.declared(cover.low), asking.declared(cover.high)), settings.low, settings.high)
        if not low < high:
            low, high = settings.low, settings.high
        table = settings.position_table()
        question = asking.position(low, high, table, asking.users_left, "cover")
        tally = yield question
        means, lost = decode_means(question, tally), half * cover.lost
        noise = means.sampling[0] + means.privacy[0]
        before = (half * BELIEVED * posterior.deviation) ** 2
        bias = half * misfit_of_posterior(settings, posterior)
        doubted = before + bias**2 / 3
        weight = doubted / (doubted + noise + lost**2) if users_differ(posterior) else 1.0  # no bell fits a lattice
        value = weight * means.value[0] + (1 - weight) * asking.declared(posterior.mean)
        value = float(np.clip(value, settings.low, settings.high))
        lost = weight * lost + (1 - weight) * bias
        error = StandardError(
            sampling=weight * math.sqrt(means.sampling[0]),
            privacy=math.sqrt(weight**2 * means.privacy[0] + (1 - weight) ** 2 * before),
            clipping=lost,
        )
        return self._answer(
            asking,
            value,
            self._halfwidth_in_standard_errors(settings) * math.hypot(error.sampling, error.privacy) + lost,
            error,
            (*asking.answered, tally.reports[0]),
            self._poisoning_of_cover(asking, table, value, weight),
            Assumes.COVERED_BY_LAST_ROUND,
        )

    def _answer(
        self,
        asking: Rounds,
        value: float,
        reach: float,
        error: StandardError,
        users: tuple[int, ...],
        poisoning: Poisoning,
        assumes: Assumes,
    ) -> Estimate:
        """With what bins of the first round far from the users hold, above chance at level .01 over all bins.

        `limit` is the share of the users in one place that would be found there 95 times in 100.
        """
        look, posterior, settings = asking.looks[0], asking.posterior, asking.settings
        shares = BinShares(
            edges=np.array(look.edges),
            counts=np.array(look.counts, dtype=np.float64),
            reports=look.reports,
            size=1,
            own=look.own,
            other=look.other,
        )
        margin = max(8 * posterior.spread, 4 * posterior.deviation, 3 / math.sqrt(settings.observations))
        low, high = posterior.mean - margin, posterior.mean + margin
        edges, z = np.concatenate(([-1.0], shares.edges, [1.0])), two_sided(settings.confidence)
        full = binomial_tail(shares.counts, shares.reports, shares.other) < 0.01 / shares.bins
        below, above = (
            asking.half * max(0.0, sum(excess_beyond([shares], end, side=side, z=z))) if full[far].any() else 0.0
            for far, end, side in ((edges[1:] <= low, low, -1), (edges[:-1] >= high, high, 1))
        )
        errors = NormalDist().inv_cdf(1 - 0.01 / shares.bins) + NormalDist().inv_cdf(0.95)
        limit = min(1.0, max(1 / settings.users, errors * math.sqrt(shares.empty_variance)))
        differ, covered = users_differ(posterior), assumes is Assumes.COVERED_BY_LAST_ROUND
        notes = []
        if not covered and posterior.settled < 0.5:
            notes.append(Note(NoteCode.UNSETTLED_PLACE))
        elif differ:
            notes.append(Note(NoteCode.USERS_DIFFER))
        if below > 0 or above > 0:
            notes.append(Note(NoteCode.USERS_ELSEWHERE))
        return self.answer(
            settings,
            value,
            within((value - reach - below, value + reach + above), settings.low, settings.high),
            users=users,
            poisoning=poisoning,
            notes=tuple(notes),
            interval_kind=Fact("model-covered" if covered else "model-one-group" if differ else "model-alike"),
            standard_error=error,
            assumes=assumes,
            detection_limit=limit,
            hidden_shift=limit * (asking.half * max(0.0, 1 - high, low + 1)),
        )

    def _halfwidth_in_standard_errors(self, settings: Mean) -> float:
        """Half-width in standard errors: the grid knows nothing of its own approximations, more so with few users."""
        few = 10 * separation(settings.epsilon) / settings.users
        return 1.1 * math.sqrt(1 + few) * two_sided(settings.confidence)

    def predict(self, settings: Mean, crowd: Crowd) -> Prediction:
        return worst(self._risk(settings, mean, math.sqrt(variance)) for mean, variance in _moments(settings, crowd))

    def assumed_users(self, settings: Mean, crowd: Crowd) -> tuple[Crowd, ...]:
        """Users alike, as asserted, unless the caller says how they differ."""
        return (stated_crowd(settings, crowd),)

    def worst_law(self, settings: Mean, crowd: Crowd) -> Averages:
        return max(settings.laws(crowd), key=lambda law: self._risk(settings, law.mean, math.sqrt(law.variance)).mse)

    def _risk(self, settings: Mean, mean: float, deviation: float) -> Prediction:
        """The error for users of this mean and spread: the best design, or a cover, and what early rounds leave."""
        half, count = settings.width / 2, settings.observations
        place, spread = (mean - settings.low) / half - 1, deviation / half
        bins, first, look = self.sizes(settings)
        rest = settings.users - first - (look if settings.rounds != 2 else 0)
        ratio = spread / math.sqrt(max(1 - place**2, 1 / count) / count)
        wide = math.sqrt(spread**2 + 1 / (3 * count**2))
        doubt, lean = leaning_doubt(count, place, ratio)
        least = max(spread, 0.3 / count)
        inside = min([one.cost * wide**2 / rest + (one.exposure * doubt) ** 2 for one in designs(settings.epsilon)])
        inside += misfit(settings, least, lean / least) ** 2
        reach = min(1.0, 2.7 * spread + 1.5 / count)
        cover = (table_noise(settings.epsilon) * reach**2 + spread**2) / (0.9 * rest)
        known = cover if ratio > CONTRADICTED else min(inside, cover)
        worth = separation(settings.epsilon)
        unsettled = 60 * (wide * worth / settings.users) ** 2 + 0.01 * bins * math.exp(-0.55 * first / worth)
        sampling = min(known, spread**2 / rest)
        return Prediction(sampling=sampling, privacy=known - sampling, localisation=unsettled).scaled(half**2)

    def users_per_round(self, settings: Mean) -> tuple[int, ...]:
        """How many users each round asks, where one look settles the spread."""
        rounds = settings.rounds or ROUNDS
        _, *users = self.sizes(settings)
        users = users if rounds > 2 else users[:1]
        while len(users) < rounds:
            users.append(int((settings.users - sum(users)) * SHARES[rounds - len(users)]))
        return tuple(users)

    def rules(self, settings: Mean) -> Rules:
        opening, low, high = next(self.script(settings)), settings.low, settings.high
        runs = _runs_of_slots(settings.users, settings.rounds or ROUNDS, opening.slots.count, self.sizes(settings)[2])
        cuts = sorted({0} | {end for _, end, _ in runs})
        waves = tuple(
            Wave(
                first=start,
                count=stop - start,
                epsilon=settings.epsilon,
                roles=tuple(sorted({role for begin, end, role in runs if begin <= start and stop <= end})),
            )
            for start, stop in pairwise(cuts)
        )
        looked = {role for _, _, role in runs} & {"spread", "tails"}
        far = max(_farthest_node(settings, design) for design in designs(settings.epsilon))
        tables = [
            central(settings.epsilon, bins, steps)
            for bins in sorted({design.bins for design in designs(settings.epsilon)})
            for steps in range(1, MOST_STEPS + 1 if bins > 2 else 2)
        ]
        return Rules(
            waves=waves,
            ways=(
                Way.of(opening, opening=True),
                *(bins_way(role, statistic=Average(), low=low, high=high) for role in sorted(looked)),
                position_way("centre", statistic=Average(), low=low - far, high=high + far),
                position_way("cover", statistic=Average(), low=low, high=high),
            ),
            tables=tuple(dict.fromkeys((settings.position_table(), *tables))),
        )

    def poisoning(self, settings: Mean, crowd: Crowd) -> Poisoning:
        spread = math.sqrt(max(variance for _, variance in _moments(settings, crowd)))
        least = settings.width / settings.observations
        return self._colluders(settings, SPARE * max(spread, least) * most_informative(settings.epsilon).influence)

    def _colluders(self, settings: Mean, reach: float) -> Poisoning:
        """All at one side of the centre; or all in one bin of the first round, so that they are found there."""
        own, other = subset(settings.epsilon, self.sizes(settings)[0]).inclusion
        return Poisoning(reach=reach, capture=capture_share(own, 0.7, base=other))

    def _poisoning_of_cover(self, asking: Rounds, table: Table, value: float, weight: float) -> Poisoning:
        """Colluders say in the rounds of bins that users are far away, so that the last one asks far and wide."""
        settings, known = asking.settings, []
        early = (1 - weight) * ATTACKED * asking.half * asking.posterior.pull(asking.looks)
        noise, users = table_noise(settings.epsilon), settings.users - sum(asking.answered)
        for share in COLLUDING:
            posterior = posterior_after(settings.observations, tuple(look.claimed(share) for look in asking.looks))
            cover = posterior.covering(noise, users)
            low, high = asking.declared(cover.low), asking.declared(cover.high)
            place = min(1.0, max(0.0, (value - low) / (high - low)))
            known.append((share, share * (weight * reach_from(table, high - low, place) + early)))
        return replace(self._colluders(settings, known[0][1] / known[0][0]), known=tuple(known))

    def words(self, settings: Mean) -> Fact:
        return Fact("rounds-and-bins", rounds=settings.rounds or ROUNDS, bins=self.sizes(settings)[0])


def _moments(settings: Mean, crowd: Crowd) -> list[tuple[float, float]]:
    """Mean and variance of the users' averages, at each place that the crowd leaves open."""
    return crowd.moments(settings.low, settings.high, observations=settings.observations)


def _looks(rounds: int) -> int:
    """How many rounds of bins there are at most before the users are asked at their centre."""
    return 1 + rounds - (2 if rounds < 4 else 3)


def _next_users(left: int, more: int) -> tuple[int, int]:
    """Users of the next round, where so many are left for so many rounds; and of one that looks at the tails."""
    return max(1, int(left * SHARES.get(more, EARLY_SHARE))), max(1, int(TAIL_SHARE * left))


def _runs_of_slots(users: int, rounds: int, first: int, look: int) -> set[tuple[int, int, str]]:
    """Slots that may be asked together, and the role: all courses at once."""
    runs: set[tuple[int, int, str]] = {(0, first, "place")}
    courses = [(first, 1, False)]  # users asked, rounds done, whether the tails were looked at
    while courses:
        asked, done, tails = courses.pop()
        more, left = rounds - done, users - asked
        if done < _looks(rounds) and not tails:
            runs.add((asked, asked + look, "spread"))
            courses.append((asked + look, done + 1, False))
            if done < 2:
                continue
        if not left:
            continue
        usual, tail = _next_users(left, more)
        runs |= {(asked, asked + usual, role) for role in ("spread", "centre")}
        courses.append((asked + usual, done + 1, tails))
        if more == 1 or tails:
            runs.add((asked, users, "cover"))
        else:
            runs.add((asked, asked + tail, "tails"))
            courses.append((asked + tail, done + 1, True))
    return runs


def _farthest_node(settings: Mean, design: CentralBins) -> float:
    """How far the outermost nodes of a question at the centre may lie from it, however wide users spread."""
    soft, width = 2 / settings.observations, design.width * widest_spread(settings.observations)
    step, between = width / MOST_STEPS + soft, design.bins - 2
    half, unit = settings.width / 2, settings.width * LATTICE
    return half * (between * max(step, width + step / 2) + step) / 2 + 2 * unit * (between * MOST_STEPS + 1)
