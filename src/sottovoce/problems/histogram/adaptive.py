"""One item first, then directions from what was found, where users lie close to it; else everybody falls back.

`Stages` is what is decided on the way, arithmetic with public numbers: the script uses it with what reports say, and
`foresee` with what they are expected to say. Variances are of what one report says of a share, on average over
categories; `apart` and `start` are squared distances.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from sottovoce.answers import GUARDED, Answer, Assumes, Note, NoteCode, two_sided
from sottovoce.design import one_bit, subset
from sottovoce.messages import Fact, Floats, Rules, Way
from sottovoce.methods import (
    ENOUGH_TO_MEASURE,
    MOST_CATEGORIES,
    CheckedRadius,
    MeanVector,
    RoundMaker,
    Script,
    best_table,
    check_radius,
    coefficient_groups,
    coefficient_question,
    coefficient_reach,
    coefficient_variance,
    decode_coefficients,
    decode_directions,
    direction_question,
    direction_response,
    length_law,
    length_question,
    next_squared_radius,
    on_lattice,
    pool_mean_vectors,
    projected_variance,
    share_beyond,
    to_simplex,
    users_for_lengths,
    usual_quantile,
    zoom_ways,
)
from sottovoce.problems.alternatives import promise_of_other_method
from sottovoce.problems.histogram.answer import HistogramEstimate
from sottovoce.problems.histogram.one_round import (
    Ends,
    HistogramMethod,
    Items,
    OneRound,
    equal_shares,
    item_question,
    item_variance,
    predicted_share,
    sampling_variance,
    squared_distance,
    wider_for_empty,
)
from sottovoce.problems.histogram.outside_ball import (
    FIRST,
    LATER,
    OutsideBound,
    balanced,
    farthest,
    mixed,
    reaches,
)
from sottovoce.problems.histogram.settings import Histogram
from sottovoce.problems.method import Method, StandIn
from sottovoce.problems.rule_builders import rules_of_rounds
from sottovoce.risk import Crowd, Poisoning, Prediction, Widening, subset_reach
from sottovoce.theory import LOCALISABLE, strength

# Chosen by hand, on simulations of equal and unequal shares and of users alike and not; what each is worth:
# python -m benchmarks.accuracy.tuning sottovoce.problems.histogram.adaptive:NAME VALUE … --problem histogram
# More users early or in the check find users who differ more surely, and fewer are left at the end.
FIRST_PART, MOST_FIRST = 0.15, 0.35
"""Part of the users who are asked for an item first, and at most, where many categories need more."""
ZOOM = 0.2
"""Part of the users who are asked in a stage before the last."""
MOST_ZOOMS = 3
CHECKED, CHECKED_IF_MANY = 0.05, 0.08
"""Part of the users who are asked whether they lie outside, which a guarantee rests on: more for many categories."""
MANY = 64
LEFT = 0.35
"""Part of the users who must be left for the last stage."""
_WORTH = 0.5
"""Directions are tried where, for users alike, they would have at most this part of the variance of an item."""
_LIMIT = 0.7
"""A direction from a distance is taken up to this part of the variance of the fall-back."""
MOST_GUARDED = 2.6
"""What earlier stages may have missed is not to make guarded intervals so many times as wide as those of one round."""
MOST_SEEN = 2.2
"""Nor are users whom the check saw outside; where they would, nobody is cut off."""
LONGEST = 1.5
"""Radius of users' shares around a centre at most: no two users' shares are farther than √2 apart."""
LARGEST_ENTRY = 4.0
"""Of a direction: entries are about normal, and a colluder chooses among a few."""
RADIUS = 1.1
"""A radius is learned from few users, and is wider than what they say on average: measured."""


@dataclass(frozen=True)
class Stages:
    """The numbers of one survey."""

    epsilon: float
    users: int
    size: int
    observations: int

    @classmethod
    def of(cls, settings: Histogram) -> Stages:
        return cls(settings.epsilon, settings.users, settings.size, settings.observations)

    @cached_property
    def response_squared(self) -> float:
        """m²: a direction report at radius r has the variance r²/m²."""
        return direction_response(self.epsilon) ** 2

    @cached_property
    def by_item(self) -> float:
        """The variance of an item, for equal shares."""
        return item_variance(self.epsilon, equal_shares(self.size))

    @cached_property
    def unavailable(self) -> Fact | None:
        """Why nothing is gained by more than one round, whatever users are; None where something may be."""
        if strength(self.users, self.epsilon) < LOCALISABLE or self.users < 1.2 * self.size / self.response_squared:
            return Fact("too-few-users-to-find")
        if 1.5 * (1 - 1 / self.size) / self.observations / self.response_squared > _WORTH * self.by_item:
            return Fact("too-few-observations-each")
        return None

    @property
    def first(self) -> float:
        """How many are asked for an item first."""
        return min(MOST_FIRST * self.users, max(FIRST_PART * self.users, 6 * self.size * self.by_item))

    @property
    def checked(self) -> float:
        """The part of the users who are asked in a check."""
        return CHECKED if self.size < MANY else CHECKED_IF_MANY

    def distance_by_chance(self, centre: Floats) -> float:
        """The mean squared distance from the average of users who are all alike, by chance alone."""
        return max(1 - float(centre @ centre), 0.02) / self.observations

    @property
    def coefficients(self) -> bool:
        """Whether coefficients are asked for at all."""
        return self.size <= MOST_CATEGORIES and self.users >= 20 * coefficient_groups(self.size)

    def by_coefficient(self, median: float) -> float:
        """The variance of a coefficient, where users' distances have this median."""
        if not self.coefficients:
            return math.inf
        return coefficient_variance(self.epsilon, self.size, 1.3 * median**2)

    def squared_radius_after(self, radius: float, by_chance: float, start: float) -> float:
        """The squared radius that a stage at `radius` would lead to."""
        between = max(by_chance, 0.6 * radius**2 - start)
        return next_squared_radius(self.size, self.noise(radius), between)

    def noise(self, radius: float) -> float:
        """The variance of a share after a stage before the last."""
        return radius**2 / self.response_squared / (ZOOM * self.users)

    def zooms(self, done: int, left: int, radius: float, after: float) -> bool:
        """Whether to look again from nearer by."""
        return done < MOST_ZOOMS and left - ZOOM * self.users > LEFT * self.users and after < 0.5 * radius**2

    def too_far(self, radius: float, fall_back: float) -> bool:
        """Whether users lie too far apart for directions to say more than the fall-back, of this variance."""
        return radius**2 / self.response_squared > _LIMIT * fall_back

    def must_fall_back(self, radius: float, fall_back: float, after: float, *, zooms: bool) -> bool:
        """Whether to fall back now: users are too far apart, and no look from nearer by promises otherwise."""
        rescued = (
            zooms
            and after / self.response_squared < 0.5 * fall_back
            and radius**2 / self.response_squared < 3 * fall_back
        )
        return self.too_far(radius, fall_back) and not rescued

    def farthest_radius(self, fall_back: float) -> float:
        """Beyond it, falling back is better."""
        return math.sqrt(_LIMIT * fall_back * self.response_squared)

    def weight(self, radius: float, by_chance: float) -> float:
        """How much of what a stage found the centre moves by: what is uncertain of it, against the stage's noise."""
        uncertain = max(radius**2 - by_chance, 0.2 * radius**2) / self.size
        return uncertain / (uncertain + self.noise(radius))


class AdaptiveStages(HistogramMethod):
    """Items, lengths, directions."""

    name = "adaptive"
    help = "finds out how alike users are, and asks in which direction they lie from what it knows"

    def replacement(self, settings: Histogram) -> Method[Histogram] | None:
        why = Stages.of(settings).unavailable
        return None if why is None else StandIn(self, OneRound(), Note(NoteCode.ASKED_AT_ONCE, why=why))

    def script(self, settings: Histogram) -> Script[HistogramEstimate]:
        stages, vector, users, size = Stages.of(settings), settings.vector, settings.users, settings.size
        asking = settings.round_maker()
        question = item_question(asking, stages.first, vector=vector)
        items = Items.of(question, (yield question))
        first = items.mean_vector
        centre = _on_lattice(first.value)
        by_item = item_variance(settings.epsilon, np.array(centre))
        start = size * by_item / first.reports
        stages_before: list[tuple[MeanVector, tuple[float, ...], float, float]] = []
        while True:
            by_chance = stages.distance_by_chance(np.array(centre))
            count = users_for_lengths(users, settings.epsilon)
            question = length_question(
                asking, count, vector=vector, centre=centre, low=0.1 * math.sqrt(by_chance), high=LONGEST
            )
            tally = yield question
            law = length_law(question, tally)
            (radius,) = on_lattice((min(LONGEST, law.quantile(usual_quantile(users))),), 0.0, 2.0)
            by_coefficient = stages.by_coefficient(law.median)
            fall_back = min(by_item, by_coefficient)
            after = stages.squared_radius_after(radius, by_chance, start)
            zooms = stages.zooms(len(stages_before), asking.users_left, radius, after)
            coefficients_pay = by_coefficient < 0.9 * by_item
            if stages.must_fall_back(radius, fall_back, after, zooms=zooms):
                return (yield from self._fall_back(settings, asking, items, coefficients=coefficients_pay))
            if not zooms:
                break
            beyond = share_beyond(question, tally, radius)
            question = direction_question(
                asking, ZOOM * users, role="zoom", vector=vector, centre=centre, radius=radius
            )
            directions = balanced(decode_directions(question, (yield question)))
            stages_before.append((directions, centre, radius, beyond))
            moved = np.array(centre) + stages.weight(radius, by_chance) * (directions.value - np.array(centre))
            start, centre = size * stages.noise(radius), _on_lattice(moved)
        checked = yield from check_radius(
            asking,
            vector=vector,
            centre=centre,
            radius=radius,
            far=farthest(np.array(centre)),
            stop=stages.farthest_radius(fall_back),
            part=stages.checked,
            first=FIRST,
        )
        radius, outside = checked.radius, checked.outside
        one_round = two_sided(settings.confidence) * math.sqrt(by_item / users)
        ends = [reaches(centre, radius, radius)]
        if (
            checked.lost
            or outside is None
            or stages.too_far(radius, fall_back)
            or _widening(checked, ends[0], settings.confidence) > MOST_SEEN * one_round
        ):
            fallen = self._fall_back(settings, asking, items, coefficients=coefficients_pay, risk=LATER)
            return (yield from fallen)
        question = direction_question(asking, math.inf, role="direction", vector=vector, centre=centre, radius=radius)
        last = balanced(decode_directions(question, (yield question)))
        earlier = [] if checked.fired else stages_before
        missed = [0.0, 0.0]  # inside the last ball, and outside an earlier one
        missed += [share * max(0.0, radius + math.dist(centre, before) - reach) for _, before, reach, share in earlier]
        room = MOST_GUARDED * one_round - checked.errors(settings.confidence) * outside.error
        together, weights = mixed([first, last, *(stage[0] for stage in earlier)], missed, max(0.0, room))
        ends += [reaches(before, reach, radius) for _, before, reach, _ in earlier]
        up, down = (weights[1:] @ np.stack(side) for side in zip(*ends, strict=True))
        bound = OutsideBound(up=up, down=down, missed=float(weights @ np.array(missed)), checked=checked)
        measured = users >= ENOUGH_TO_MEASURE
        return self.answer(
            settings,
            together,
            ends=bound.ends(together, settings.confidence),
            model=_separate_and_simultaneous_ends(settings, together) if measured else None,
            sampling=np.full(size, law.median**2 / size / together.reports),
            users=asking.rounds,
            poisoning=Poisoning(reach=max(self._item_reach(settings), _direction_reach(settings.epsilon, radius))),
            interval_kind=GUARDED,
            model_assumes=Assumes.NO_HIDDEN_GROUP if measured else None,
            detection_limit=min(1.0, bound.limit(settings.confidence)),
            hidden_shift=min(1.0, bound.shift(settings.confidence)),
        )

    def _fall_back(
        self, settings: Histogram, asking: RoundMaker, items: Items, *, coefficients: bool, risk: float = 1.0
    ) -> Script[HistogramEstimate]:
        """Everybody who is left says an item or a coefficient, on its full range; nobody is clipped.

        `risk` is the part of what may go wrong that is left: a check that saw nobody may have been wrong.
        """
        reach = self._item_reach(settings)
        if coefficients:
            question = coefficient_question(asking, math.inf, vector=settings.vector)
            together, _ = pool_mean_vectors([items.mean_vector, decode_coefficients(question, (yield question))])
            reach = max(reach, coefficient_reach(settings.epsilon, settings.size))
            ends = _separate_and_simultaneous_ends(settings, together, risk)
        else:
            question = item_question(asking, math.inf, vector=settings.vector)
            items = items + Items.of(question, (yield question))
            together = items.mean_vector
            ends = [items.ends(errors) for errors in _errors(settings, risk)]
        return self.answer(
            settings,
            together,
            ends=ends,
            sampling=sampling_variance(together),
            users=asking.rounds,
            poisoning=Poisoning(reach=reach),
            interval_kind=GUARDED,
        )

    def _item_reach(self, settings: Histogram) -> float:
        return subset_reach(subset(settings.epsilon, settings.size))

    def predict(self, settings: Histogram, crowd: Crowd) -> Prediction:
        expected = foresee(settings, squared_distance(settings, crowd))
        return predicted_share(expected.variance, expected.sampling, settings.size)

    def guarded_halfwidth(self, settings: Histogram, crowd: Crowd) -> float:
        """Before the interval is cut to [0, 1]."""
        expected, confidence = foresee(settings, squared_distance(settings, crowd)), settings.confidence
        error = math.sqrt(expected.variance)
        outside = CheckedRadius(radius=1.0, fired=False, lost=False, outside=None, first=FIRST).errors(confidence)
        return max(two_sided(confidence) * error, outside * math.hypot(error, expected.reach) + 0.4 * expected.reach)

    def widenings_for_empty(self, settings: Histogram, crowd: Crowd) -> tuple[Widening, ...]:
        """They count for the middle category of an item, and as the centre of a direction, which is near the shares."""
        return wider_for_empty(settings, centred=True)

    def users_per_round(self, settings: Histogram) -> tuple[int, ...]:
        return foresee(settings, squared_distance(settings, self.assumed_users(settings, Crowd())[0])).users

    def rules(self, settings: Histogram) -> Rules:
        """No centre has a larger radius than 1.5, and none is checked beyond twice that."""
        vector, epsilon = settings.vector, settings.epsilon
        ways = [replace(way, opening=False) for way in OneRound().rules(settings).ways]
        ways += zoom_ways(vector=vector, epsilon=epsilon, longest=2 * LONGEST, inside=(0.0, 1.0))
        tables = [one_bit(epsilon)]
        if Stages.of(settings).coefficients:
            ways.append(Way.of(coefficient_question(settings.round_maker(), math.inf, vector=vector)))
            tables.append(best_table(epsilon))
        return rules_of_rounds(next(self.script(settings)), ways, tables, users=settings.users)

    def poisoning(self, settings: Histogram, crowd: Crowd) -> Poisoning:
        """The farthest of the ways to ask; colluders may decide which of them is taken."""
        stages = Stages.of(settings)
        reach = max(
            self._item_reach(settings),
            coefficient_reach(settings.epsilon, settings.size),
            _direction_reach(settings.epsilon, stages.farthest_radius(stages.by_item)),
        )
        return Poisoning(reach=reach)

    def words(self, settings: Histogram) -> Fact:
        return Fact("item-then-directions")


def _on_lattice(shares: Floats) -> tuple[float, ...]:
    return on_lattice(to_simplex(shares).tolist(), 0.0, 1.0)


def _direction_reach(epsilon: float, radius: float) -> float:
    return LARGEST_ENTRY * radius / direction_response(epsilon)


def _errors(settings: Histogram, risk: float = 1.0) -> list[float]:
    """Standard errors to either side, of each interval and of simultaneous ones, for a part of what may go wrong."""
    return [two_sided(1 - risk * (1 - level)) for level in settings.confidences(settings.size)]


def _separate_and_simultaneous_ends(settings: Histogram, shares: MeanVector, risk: float = 1.0) -> list[Ends]:
    reach = [errors * np.sqrt(shares.variance) for errors in _errors(settings, risk)]
    return [(shares.value - one, shares.value + one) for one in reach]


def _widening(checked: CheckedRadius, reach: Ends, confidence: float) -> float:
    """How much wider intervals are on average for users whom the check saw outside; 0 where it saw none."""
    outside = checked.outside
    if outside is None or outside.mean < 2 * outside.error:
        return 0.0
    limit = outside.mean + checked.errors(confidence) * outside.error
    return limit * float(sum(side.mean() for side in reach)) / 2


@dataclass(frozen=True, kw_only=True)
class Expected:
    """The variance of a share, how much of it is sampling, what may hide, and how many are asked in each round."""

    variance: float
    sampling: float
    reach: float
    """How far the check's standard error moves the ends of an interval, upward and downward together, halved."""
    users: tuple[int, ...]


@lru_cache(maxsize=1024)
def foresee(settings: Any, apart: float) -> Expected:
    """Adaptive before anyone is asked: the same decisions, with what reports are expected to say.

    For equal shares and users whose own lie `apart` (squared) from their average.
    """
    stages, users, size = Stages.of(settings), settings.users, settings.size
    centre = equal_shares(size)
    first, by_chance, by_item = round(stages.first), stages.distance_by_chance(centre), stages.by_item
    variances, rounds = [by_item / first], [first]
    error = size * projected_variance(by_item / first, size)
    start, done, reach = size * by_item / first, 0, 0.0
    while True:
        rounds.append(round(users_for_lengths(users, settings.epsilon)))
        middle = math.sqrt(apart + error)
        radius = min(LONGEST, RADIUS * middle * _length_quantile(size - 1, usual_quantile(users)))
        fall_back, after = (
            min(by_item, stages.by_coefficient(middle)),
            stages.squared_radius_after(radius, by_chance, start),
        )
        rest = users - sum(rounds)
        zooms = stages.zooms(done, rest, radius, after)
        if stops := stages.must_fall_back(radius, fall_back, after, zooms=zooms):
            variances = [variances[0], fall_back / rest]
        if stops or not zooms:
            break
        noise = stages.noise(radius)
        rounds.append(round(ZOOM * users))
        variances.append((1 - 1 / size) * noise)
        error = 1 / (1 / max(error, 1e-300) + 1 / (size * noise))
        start, done = size * noise, done + 1
    if not stops:
        rounds.append(math.ceil(stages.checked * users))
        rest = max(1, users - sum(rounds))
        variances.append((1 - 1 / size) * radius**2 / stages.response_squared / rest)
    total = 1 / sum(1 / variance for variance in variances)
    if not stops:
        up, down = reaches(centre.tolist(), radius, radius)
        check_error = math.sqrt(float(one_bit(settings.epsilon).variance(np.array([0.0]))[0]) / rounds[-1])
        reach = (1 - total / variances[0]) * check_error * (float(up[0]) + float(down[0])) / 2
    return Expected(variance=total, sampling=apart / size / users, reach=reach, users=(*rounds, rest))


def _length_quantile(freedom: int, share: float) -> float:
    """A quantile of a length over the root of its mean square, χ with so many degrees (Wilson and Hilferty)."""
    part = 2 / (9 * freedom)
    root = max(0.0, 1 - part + two_sided(max(0.0, 2 * share - 1)) * math.sqrt(part))
    return math.sqrt(root**3)


def with_other_promise(settings: Histogram, answer: Answer) -> Answer:
    """An answer with what the other choice would have promised."""
    if Stages.of(settings).unavailable is not None:
        return replace(answer, instead=None)
    if settings.method == OneRound.name:
        return replace(answer, instead=promise_of_other_method(settings, 1.0, "-shares"))
    halfwidth = OneRound().guarded_halfwidth(settings, Crowd())
    return replace(answer, instead=Fact("instead-one-round-shares", halfwidth=halfwidth))
