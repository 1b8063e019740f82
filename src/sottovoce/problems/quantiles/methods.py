"""The two methods: everybody at once about the whole distribution function, or then close to what is wanted.

Adaptive asks a quarter of the users about the whole range, then the others about places close to what is wanted, from
nearer and nearer by. Where users turn out to be alike they answer with directions of their shares at all places at
once; where they differ they answer about the same places one item or one share each.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

import numpy as np

from sottovoce.answers import GUARDED, Assumes, Note, NoteCode
from sottovoce.design import best_position_table, one_bit, subset
from sottovoce.messages import (
    Below,
    Encoder,
    Fact,
    Floats,
    Free,
    Interval,
    Item,
    Position,
    Question,
    Rules,
    Share,
    Tally,
    Way,
    exact,
)
from sottovoce.methods import (
    CHECKED,
    ONE_IN_TWENTY,
    OutsideCheck,
    RoundMaker,
    Script,
    best_table,
    bins_way,
    check_radius,
    decode_directions,
    direction_question,
    direction_response,
    length_law,
    length_question,
    on_lattice,
    users_for_lengths,
    usual_quantile,
    zoom_ways,
)
from sottovoce.problems.alternatives import assumed_crowds, notes_on_few_reports
from sottovoce.problems.method import Method, StandIn
from sottovoce.problems.quantiles.answer import CdfEstimate, Curve, QuantilesEstimate
from sottovoce.problems.quantiles.prediction import (
    PER_LEVEL,
    STAGE,
    WORSE,
    adaptive_prediction,
    laws_of_users,
    one_round_prediction,
)
from sottovoce.problems.quantiles.settings import DistributionSettings
from sottovoce.problems.quantiles.shares_below import (
    FittedCurve,
    Groups,
    SharesBelow,
    by_items,
    corrected,
    errors_of_band_at_once,
    fit,
    full_question,
    full_variance,
    guarded_band,
    guarded_interval,
    item_variance,
    model_interval,
    quantile_interval,
    reached_locally,
    share_out_risk,
    shares_below,
)
from sottovoce.problems.rule_builders import rules_of_rounds
from sottovoce.risk import ASSUMED_SPREAD, Crowd, Poisoning, Prediction, Widening, average, table_reach
from sottovoce.theory import LOCALISABLE, strength

Estimated = QuantilesEstimate | CdfEstimate
# What each number below is worth:
# python -m benchmarks.accuracy.tuning sottovoce.problems.quantiles.methods:NAME VALUE … --problem quantiles
FEWEST_PLACES, MOST_PLACES = 8, 32
"""Of a look at the whole range: more show a finer curve through more noise."""

# Chosen by hand, on simulations of users alike and not: they trade looks that miss a quantile, which is rare and costs
# much, against users who are then missing in the last round.
FEWEST_USERS, USERS_PER_PLACE = 120, 6
"""Users for several rounds at least."""
FIRST = 0.25
"""The part of the users who are asked about the whole range."""
MOST_STAGES = 3
_AWAY, _FROM_AFAR, _AWAY_ONE_EACH = 3.2, 4.0, 2.5
"""How far from a quantile its outer places lie, in standard errors of the last look: by directions, at first, and where
everybody answers for one place."""
_FITTED = 0.4
"""What a line through the places of a group leaves of their variance."""
_OFF = 3.0
"""How much more than expected the centre may be off, when lengths are read as the users' own."""
_CAP = 0.3
"""No outer place lies where F is nearer to 0 or 1 than this part of what q is."""
_LEFT = 0.4
"""The part of the users who must be left for the last stage."""
_SPLIT = 0.4
"""The part of the users left who are asked in the first of two rounds, where users differ."""


class QuantilesMethod(Method[DistributionSettings]):
    """What both methods share: the users that they are judged by, and how an answer is made."""

    why_not_empty = None

    def widenings_for_empty(self, settings: DistributionSettings, crowd: Crowd) -> tuple[Widening, ...]:
        """Users without data may count for any distribution: see `empty_users`."""
        share, every = settings.empty_at_most, []
        for law in laws_of_users(settings, crowd):
            every += [Widening.by(share, below, 1 - below) for below in law.below(settings.places).tolist()]
            for q in settings.levels:
                levels = (1 - share) * q, q, (1 - share) * q + share
                low, at, high = (min(settings.high, max(settings.low, law.quantile(level))) for level in levels)
                every.append(Widening(stretch=1.0, down=at - low, up=high - at))
        return tuple(every)

    def assumed_users(self, settings: DistributionSettings, crowd: Crowd) -> tuple[Crowd, ...]:
        return assumed_crowds(crowd, settings.spread, ASSUMED_SPREAD * (settings.high - settings.low))

    def poisoning(self, settings: DistributionSettings, crowd: Crowd) -> Poisoning:
        """What is easiest to move: a report counts for F, and an error of F for one of a place by the density there."""
        epsilon, count = settings.epsilon, len(asked_places(settings))
        if by_items(count, epsilon):
            channel = subset(epsilon, count + 1)
            own, other = channel.inclusion
            reach = max(
                max(min(channel.size, bins) - bins * other, bins * other - max(0, channel.size - (count + 1 - bins)))
                for bins in range(1, count + 1)
            ) / (own - other)
            reach += 1
        else:
            reach = table_reach(best_position_table(exact(epsilon)), 1.0)
        return Poisoning(
            reach=reach * max(scale for law in laws_of_users(settings, crowd) for _, scale in law.wanted(settings))
        )

    def answer(
        self,
        settings: DistributionSettings,
        curve: Curve,
        users: Sequence[int],
        *,
        value: Sequence[float] = (),
        intervals: Sequence[Interval] = (),
        model: Sequence[Interval] | None = None,
        **facts: Any,
    ) -> Estimated:
        """The answer to either survey: of quantiles with values and intervals, or with `model` a band."""
        common: dict[str, Any] = self.survey_facts(settings, tuple(users)) | facts
        common |= {"interval_kind": GUARDED, "assumes": Assumes.NOTHING, "curve": curve}
        common["notes"] = notes_on_few_reports(settings.users, settings.epsilon)
        if not settings.levels:
            return CdfEstimate(**common, model_band=None if model is None else tuple(model))
        rising = tuple(accumulate(value, max))  # each was read from places of its own, and chance may have crossed them
        return QuantilesEstimate(
            **common,
            q=settings.levels,
            value=rising,
            intervals=_in_order(intervals, rising),
            model_intervals=None if model is None else _in_order(model, rising),
        )

    def answer_of_one_look(self, settings: DistributionSettings, seen: SharesBelow, users: Sequence[int]) -> Estimated:
        """The answer that follows from one look at everybody."""
        axis, fitted = settings.axis, seen.fitted(settings.axis)
        low, high = seen.band(errors_of_band_at_once(settings.confidence, len(seen.places)))
        return self.answer(
            settings,
            _curve(settings, fitted, low, high, seen),
            users,
            value=[fitted.quantile(q) for q in settings.levels],
            intervals=[quantile_interval(axis, seen.places, low, high, q) for q in settings.levels],
        )


def _curve(settings: DistributionSettings, fitted: FittedCurve, low: Floats, high: Floats, seen: SharesBelow) -> Curve:
    """A fitted function in its band, which is widened where the fit leaves it."""
    low, high = np.minimum(low, fitted.heights), np.maximum(high, fitted.heights)
    return Curve(
        points=fitted.places,
        below=fitted.heights,
        band=tuple(zip(low.tolist(), high.tolist(), strict=True)),
        errors=tuple(np.sqrt(seen.variance).tolist()),
        low=settings.low,
        high=settings.high,
        step=settings.step,
    )


def _in_order(intervals: Sequence[Interval], values: Sequence[float]) -> tuple[Interval, ...]:
    """Intervals that hold their own values and whose ends never fall; none is made narrower."""
    low = [min(ends[0], value) for ends, value in zip(intervals, values, strict=True)]
    high = [max(ends[1], value) for ends, value in zip(intervals, values, strict=True)]
    return tuple(zip([*accumulate(reversed(low), min)][::-1], accumulate(high, max), strict=True))


def asked_places(settings: DistributionSettings) -> tuple[float, ...]:
    """Where one round asks about F: the points wanted, or as many places as the users can tell apart."""
    if not settings.levels:
        return settings.places
    one = 6 * (item_variance(2, settings.epsilon) - 0.17) / 3
    wanted = round(1.2 * (settings.users / max(one, 0.05)) ** (1 / 3))
    return settings.axis.spanning(min(MOST_PLACES, max(FEWEST_PLACES, wanted), max(1, settings.users)))


def first_places(settings: DistributionSettings) -> tuple[float, ...]:
    """The places that the first quarter of the users of adaptive is asked about."""
    if not settings.levels:
        return settings.places
    count = round(1.5 * (FIRST * settings.users / full_variance(1, settings.epsilon)) ** (1 / 3))
    return settings.axis.spanning(min(MOST_PLACES, max(FEWEST_PLACES, count)))


class OneRound(QuantilesMethod):
    """One question, nothing assumed about the users."""

    name = "one-round"
    help = "asks everybody once about the whole range"
    guaranteed = True

    def why_unavailable(self, settings: DistributionSettings) -> Fact | None:
        users, places = settings.users, len(asked_places(settings))
        return Fact("too-few-users-for-places", users=users, places=places) if users < places else None

    def script(self, settings: DistributionSettings) -> Script[Estimated]:
        asking, places = settings.round_maker(), asked_places(settings)
        question = full_question(asking, math.inf, axis=settings.axis, places=places, role="whole")
        tally = yield question
        return self.answer_of_one_look(settings, shares_below(places, question, tally), [sum(tally.reports)])

    def predict(self, settings: DistributionSettings, crowd: Crowd) -> Prediction:
        places = asked_places(settings)
        return average(
            [one_round_prediction(settings, places, settings.users, law) for law in laws_of_users(settings, crowd)]
        )

    def words(self, settings: DistributionSettings) -> Fact:
        places = len(asked_places(settings))
        return Fact("places-at-once", places=places, items=by_items(places, settings.epsilon))


class Adaptive(QuantilesMethod):
    """Look at the whole range, then at places close to what is wanted."""

    name = "adaptive"
    help = "asks a quarter of the users about the whole range, then the others close to what is wanted"

    def has_users(self, settings: DistributionSettings) -> bool:
        """Whether there are users for several rounds."""
        places = len(settings.places) or (PER_LEVEL + 1) * len(settings.levels)
        enough = settings.users >= max(FEWEST_USERS, USERS_PER_PLACE * places)
        return strength(settings.users, settings.epsilon) >= LOCALISABLE and enough

    def why_unavailable(self, settings: DistributionSettings) -> Fact | None:
        return None if self.has_users(settings) else OneRound().why_unavailable(settings)

    def replacement(self, settings: DistributionSettings) -> Method[DistributionSettings] | None:
        note = Note(NoteCode.ASKED_AT_ONCE, why="look-twice")
        return None if self.has_users(settings) else StandIn(self, OneRound(), note)

    def variants(self, settings: DistributionSettings, crowd: Crowd) -> tuple[DistributionSettings, ...]:
        return super().variants(settings, crowd) if self.has_users(settings) else ()

    def script(self, settings: DistributionSettings) -> Script[Estimated]:
        asking = settings.round_maker()
        stages = Stages(settings, asking)
        yield from stages.ask()
        axis, first, later = settings.axis, stages.first, [*stages.plain, *stages.directed[-1:]]
        differing = settings.empty_at_most > 0  # each look counts users without data as something else
        if not (settings.levels or stages.directed or differing):  # all looks are alike, at the same places
            return self.answer_of_one_look(settings, corrected(axis, first, stages.plain), asking.rounds)
        curve, pooled = fit(axis, stages.parts, stages.groups)
        looks = share_out_risk(first, later, settings.confidence)
        outside, intervals = stages.outside, []
        if settings.levels:
            model = []
            for q, group in zip(settings.levels, stages.groups, strict=True):
                near = later[-1].at_places(group)
                intervals.append(guarded_interval(axis, [*looks[:-1], (near, looks[-1][1])], q))
                model.append(model_interval(axis, near, q, settings.confidence, intervals[-1]))
        else:
            low, high = pooled.ends(errors_of_band_at_once(settings.confidence, len(pooled.places)))
            ends = np.minimum(low, curve.heights), np.maximum(high, curve.heights)
            model = list(zip(*(end.tolist() for end in ends), strict=True))
        return self.answer(
            settings,
            _curve(settings, curve, *guarded_band(looks, curve.places), pooled),
            asking.rounds,
            value=[stages.quantile(curve, number) for number in range(len(settings.levels))],
            intervals=intervals,
            model=model,
            model_assumes=Assumes.NO_GROUP_OUTSIDE_RADIUS,
            detection_limit=None if outside is None else max(0.0, outside.mean) + ONE_IN_TWENTY * outside.error,
        )

    def predict(self, settings: DistributionSettings, crowd: Crowd) -> Prediction:
        places = first_places(settings)
        return average([adaptive_prediction(settings, places, FIRST, law) for law in laws_of_users(settings, crowd)])

    def users_per_round(self, settings: DistributionSettings) -> tuple[int, ...]:
        """If users are alike: the whole range, lengths, a stage, lengths, the check, and everybody else."""
        users = settings.users
        lengths = users_for_lengths(users, settings.epsilon)
        before = [round(part) for part in (FIRST * users, lengths, STAGE * users, lengths, CHECKED * users)]
        return (*before, users - sum(before))

    def rules(self, settings: DistributionSettings) -> Rules:
        """After the whole range directions, or items or shares, at places that reports choose or a cdf declares.

        Shares at k places lie in a cube, whose diagonal √k is the largest radius; none is checked beyond twice that.
        """
        places, epsilon, smoothed = first_places(settings), settings.epsilon, _fitted_part(settings)
        opening, ways, chosen = next(self.script(settings)), list[Way](), dict[str, Any]()
        if settings.levels:
            most = (PER_LEVEL + 1) * len(settings.levels)
            inside: dict[str, Any] = {"low": settings.low, "high": settings.high}
            items = [by_items(count, epsilon, smoothed=smoothed) for count in range(1, most + 1)]
            if any(items):
                ways.append(bins_way("places", statistic=Item(), **inside))
            if not all(items):
                share = Encoder(statistic=Share(below=(settings.low,)), placement=Position(low=(0.0,), high=(1.0,)))
                below = Free(field="statistic.below", **inside, most=most)
                ways.append(Way.by(share, below, role="places", channel="table"))
            thresholds = Free(field="statistic.vector.thresholds", **inside, most=most)
            chosen = {"most": most, "chosen": (thresholds,)}
        else:
            most = len(places)
            asking = settings.round_maker()
            given = full_question(asking, 1, axis=settings.axis, places=places, role="places", smoothed=smoothed)
            ways.append(Way.of(given))
        vector, longest = Below(thresholds=settings.axis.thresholds(places)), 2 * math.sqrt(most)
        ways += zoom_ways(vector=vector, epsilon=epsilon, longest=longest, inside=(0.0, 1.0), **chosen)
        return rules_of_rounds(opening, ways, [one_bit(epsilon), best_table(epsilon)], users=settings.users)

    def words(self, settings: DistributionSettings) -> Fact:
        return Fact("places-first", places=len(first_places(settings)))


def _fitted_part(settings: DistributionSettings) -> float:
    """What a line through the places of a group leaves of their variance; on steps, and at given points, all."""
    return _FITTED if settings.levels and settings.step is None else 1.0


@dataclass
class Stages:
    """The rounds of adaptive, and what they found.

    `first` and `plain` (further looks of the same kind, where users differ) are unbiased whatever the users are. Of
    those by directions, `directed`, the last is the one whose radius was checked.
    """

    settings: DistributionSettings
    asking: RoundMaker
    first: SharesBelow = field(init=False)
    plain: list[SharesBelow] = field(default_factory=list)
    directed: list[SharesBelow] = field(default_factory=list)
    groups: Groups = ()
    before: Groups = ()
    """The groups of the look before the last."""
    outside: OutsideCheck | None = None

    @property
    def parts(self) -> list[SharesBelow]:
        """All looks that count."""
        return [self.first, *self.plain, *self.directed]

    def ask(self) -> Generator[Question, Tally, None]:
        """Ask everybody."""
        settings, asking = self.settings, self.asking
        self.first = yield from self._full(FIRST * asking.users, first_places(settings), "whole")
        by_direction = 0.3 / (settings.observations * direction_response(asking.epsilon) ** 2)
        if by_direction < 0.5 * full_variance(1, asking.epsilon) and (yield from self._by_directions()):
            return
        yield from self._one_each()

    def _full(
        self, count: float, places: tuple[float, ...], role: str, **smoothed: float
    ) -> Generator[Question, Tally, SharesBelow]:
        """A look that is unbiased whatever the users are."""
        question = full_question(self.asking, count, axis=self.settings.axis, places=places, role=role, **smoothed)
        return shares_below(places, question, (yield question))

    def _by_directions(self) -> Generator[Question, Tally, bool]:
        """Directions, from nearer and nearer by; False where users turn out to differ too much for them."""
        settings, asking, smoothed = self.settings, self.asking, _fitted_part(self.settings)
        response_squared, users = direction_response(asking.epsilon) ** 2, asking.users
        error = math.sqrt(self.first.variance.mean() / 2)
        away = _FROM_AFAR * error
        asked_lengths, count = users_for_lengths(users, asking.epsilon), STAGE * users
        sure = False
        for stage in range(MOST_STAGES):
            places, groups, centre, gaps = self._pick_places(away)
            size, vector = len(places), Below(thresholds=settings.axis.thresholds(places))
            chance = max(float(centre @ (1 - centre)), 0.01 * size) / settings.observations
            point = on_lattice(centre.tolist(), 0.0, 1.0)
            around: dict[str, Any] = {"vector": vector, "centre": point}
            low, high = 0.1 * math.sqrt(chance), math.sqrt(size)
            question = length_question(asking, asked_lengths, **around, low=low, high=high)
            law = length_law(question, (yield question))
            far = farthest(point)
            (radius,) = on_lattice((min(far, law.quantile(usual_quantile(users))),), 0.0, 2 * high)
            full, plain = (full_variance(size, asking.epsilon, smoothed=part) for part in (1.0, smoothed))
            off = size * error**2 + float(gaps @ gaps) / 6
            own_square = max(chance, law.median**2 - _OFF * off)
            variance_after = (
                smoothed
                * (1.3 * size * min(radius**2 / response_squared, full) / count + 1.5 * own_square)
                / response_squared
            )
            room = stage < MOST_STAGES - 1 and asking.users_left - count - asked_lengths > _LEFT * users
            worse = smoothed * radius**2 / response_squared > WORSE * plain
            if worse and not (room and variance_after < 0.5 * plain):
                return False
            if not worse and (not room or (sure and radius**2 < 5 * chance)):
                stop = math.sqrt(WORSE * plain * response_squared / smoothed)
                checked = yield from check_radius(asking, **around, radius=radius, far=far, stop=stop)
                if checked.lost or checked.radius > stop:
                    return False
                if checked.fired:
                    self.directed.clear()
                self.outside = checked.outside
                question = direction_question(asking, math.inf, role="direction", **around, radius=checked.radius)
                self._add(groups, _directed(places, question, (yield question), checked.bias(far)))
                return True
            if radius**2 / response_squared < full:
                question = direction_question(asking, count, role="zoom", **around, radius=radius)
                seen = _directed(places, question, (yield question), math.inf)
            else:
                seen = yield from self._full(count, places, "places", smoothed=smoothed)
            self._add(groups, seen)
            error = math.sqrt(seen.variance.mean())
            away = _AWAY * error
            sure = self._brackets_all(seen)
        return False

    def _one_each(self) -> Generator[Question, Tally, None]:
        """Everybody who is left about places close to what is wanted, one item or share each, in two rounds."""
        self.directed.clear()
        self.groups, self.before, self.outside = (), (), None
        last = self.plain[-1] if self.plain else self.first
        away = _AWAY_ONE_EACH * math.sqrt(last.variance.mean() / (1 if self.plain else 2))
        one_round = self.plain or not self.settings.levels
        for count in [math.inf] if one_round else [_SPLIT * self.asking.users_left, math.inf]:
            places, groups, _, _ = self._pick_places(away)
            seen = yield from self._full(count, places, "places", smoothed=_fitted_part(self.settings))
            self._add(groups, seen)
            away = _AWAY_ONE_EACH * math.sqrt(seen.variance.mean())

    def _add(self, groups: Groups, seen: SharesBelow) -> None:
        (self.plain if seen.bias == 0 else self.directed).append(seen)
        self.before, self.groups = self.groups, groups

    def _brackets_all(self, seen: SharesBelow) -> bool:
        """Whether every quantile lies between places of its group, as far as can be seen."""
        settings = self.settings
        for q, group in zip(settings.levels, self.groups, strict=True):
            near = seen.at_places(group)
            reach = 2 * np.sqrt(near.variance)
            before = group[0] <= settings.low or bool((near.values + reach < q).any())
            after = group[-1] >= settings.high or bool((near.values - reach > q).any())
            if not (before and after):
                return False
        return True

    def _pick_places(self, away: float) -> tuple[tuple[float, ...], Groups, Floats, Floats]:
        """Places close to what is wanted, in groups; F there as far as it is known, and how much it may rise around."""
        settings = self.settings
        curve, _ = fit(settings.axis, self.parts, self.groups)
        groups = tuple(_places_near_quantile(curve, q, away) for q in settings.levels)
        places = tuple(sorted({place for group in groups for place in group})) or settings.places
        heights, rises = (np.array([*map(one, places)]) for one in (curve.height, curve.rise))
        return places, groups, heights, rises

    def quantile(self, curve: FittedCurve, number: int) -> float:
        """Where F reaches a level: on the line through the last places where there is one, else on the curve."""
        q = self.settings.levels[number]
        if curve.axis.steps is None:
            spans = [self.groups[number]]
            if self.before:
                spans.insert(0, tuple(sorted({*self.before[number], *spans[0]})))
            for span in spans:
                at = reached_locally(self.parts[1:], span, q)
                if at is not None:
                    return at
        return curve.quantile(q)


def _directed(places: tuple[float, ...], question: Question, tally: Tally, bias: float) -> SharesBelow:
    directions = decode_directions(question, tally)
    return SharesBelow(places=places, values=directions.value, covariance=np.diag(directions.variance), bias=bias)


def farthest(centre: tuple[float, ...]) -> float:
    """How far anybody's shares can lie from a point: shares rise with the place, so a jump from 0 to 1 is farthest."""
    point = np.array(centre)
    before = np.concatenate(([0.0], np.cumsum(point**2)))
    after = np.concatenate((np.cumsum(((1 - point) ** 2)[::-1])[::-1], [0.0]))
    return math.sqrt(float((before + after).max()))


def _places_near_quantile(curve: FittedCurve, q: float, away: float) -> tuple[float, ...]:
    """Places where F is about q − away, q and q + away."""
    axis = curve.axis
    heights = [q + away * (2 * part / (PER_LEVEL - 1) - 1) for part in range(PER_LEVEL)]
    values = [curve.reaches(min(max(height, _CAP * q), 1 - _CAP * (1 - q))) for height in heights]
    if axis.steps is None:
        return axis.nearest(values)
    above_low = [axis.steps_above_low(value) for value in values]
    first, last = math.floor(above_low[0] + 1e-6), math.ceil(max(above_low[1:]) - 1e-6)
    steps = sorted({min(axis.steps - 1, step) for step in range(first, last + 1)})
    if len(steps) > PER_LEVEL + 1:
        steps = sorted({steps[round(part * (len(steps) - 1) / PER_LEVEL)] for part in range(PER_LEVEL + 1)})
    return tuple(axis.value_at(step) for step in steps)
