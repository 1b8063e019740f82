"""The rounds of the adaptive method: the whole range, then places close to what is wanted, from nearer and nearer by.

Where users turn out to be alike they answer with directions of their shares at all places at once; where they differ
they answer about the same places one item or one share each.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass, field

import numpy as np

from sottovoce.messages import Below, Question, Tally
from sottovoce.methods import (
    Asking,
    Outside,
    directed_mean,
    direction_question,
    length_question,
    lengths,
    response,
    rounded,
    users_for_lengths,
    usual_quantile,
    widen,
)
from sottovoce.problems.quantiles.predicted import PER_LEVEL, STAGE
from sottovoce.problems.quantiles.record import Groups, fit
from sottovoce.problems.quantiles.seen import (
    Fit,
    Floats,
    Seen,
    full_question,
    full_seen,
    full_variance,
    item_variance,
    share_variance,
)
from sottovoce.problems.quantiles.settings import Cdf, Distributed, Quantiles

FIRST = 0.25
MOST_STAGES = 3
_AWAY = 3.2
"""How far from it, in standard errors of the last look."""
_FROM_AFAR = 4.0
_T_AWAY = 2.5
_FITTED = 0.4
_OFF = 3.0
_CAP = 0.3
_LEFT = 0.4
_WORSE = 0.8
_SPLIT = 0.4


@dataclass(kw_only=True)
class Stages:
    """What the rounds found. `first` and `plain` are unbiased whatever the users are, `last` but for its bias."""

    first: Seen
    plain: list[Seen] = field(default_factory=list)
    """Further looks of the same kind, where users differ."""
    directed: list[Seen] = field(default_factory=list)
    """By directions: the last of them is the one whose radius was checked."""
    groups: Groups = ()
    before: Groups = ()
    checked: Outside | None = None

    @property
    def parts(self) -> list[Seen]:
        """All looks that count."""
        return [self.first, *self.plain, *self.directed]


def first_places(settings: Distributed) -> tuple[float, ...]:
    """Where the first quarter of the users is asked."""
    if isinstance(settings, Cdf):
        return settings.places
    table = full_variance(1, settings.epsilon)
    count = round(1.5 * (FIRST * settings.users / table) ** (1 / 3))
    return settings.axis.spanning(int(min(32, max(8, count))))


def run(settings: Distributed, asking: Asking) -> Generator[Question, Tally, Stages]:
    """Ask everybody."""
    axis, places = settings.axis, first_places(settings)
    asked = full_question(asking, FIRST * asking.users, axis=axis, places=places, role="whole")
    found = Stages(first=full_seen(places, asked, (yield asked)))
    smoothed = fitted_part(settings)
    if 0.3 / (settings.observations * response(asking.epsilon) ** 2) < 0.5 * plain_variance(1, asking.epsilon, 1.0):
        done = yield from _by_directions(settings, asking, found, smoothed)
        if done:
            return found
    yield from _one_each(settings, asking, found, smoothed)
    return found


def fitted_part(settings: Distributed) -> float:
    """What a line through the places of a group leaves of their variance; on steps, and at given points, all."""
    return _FITTED if isinstance(settings, Quantiles) and settings.step is None else 1.0


def plain_variance(count: int, epsilon: float, smoothed: float) -> float:
    """What one report about `count` places is worth, if nothing is assumed about the users."""
    return min(item_variance(count, epsilon), smoothed * share_variance(count, epsilon))


def _by_directions(
    settings: Distributed, asking: Asking, found: Stages, smoothed: float
) -> Generator[Question, Tally, bool]:
    """Directions, from nearer and nearer by; False where users turn out to differ too much for them."""
    m2, users, axis = response(asking.epsilon) ** 2, asking.users, settings.axis
    error = math.sqrt(found.first.variance.mean() / 2)
    away = _FROM_AFAR * error
    asked_lengths, count = users_for_lengths(users, asking.epsilon), STAGE * users
    sure = False
    for stage in range(MOST_STAGES):
        places, groups, centre, gaps = _pick(settings, found, away)
        size, vector = len(places), Below(thresholds=axis.thresholds(places))
        chance = max(float(centre @ (1 - centre)), 0.01 * size) / settings.observations
        point = rounded(centre.tolist(), 0.0, 1.0)
        low, high = 0.1 * math.sqrt(chance), math.sqrt(size)
        asked = length_question(asking, asked_lengths, vector=vector, centre=point, low=low, high=high)
        law = lengths(asked, (yield asked))
        far = farthest(point)
        (radius,) = rounded((min(far, law.quantile(usual_quantile(users))),), 0.0, 2 * high)
        plain = plain_variance(size, asking.epsilon, smoothed)
        off = size * error**2 + float(gaps @ gaps) / 6
        own = max(chance, law.median**2 - _OFF * off)
        here = min(radius**2 / m2, full_variance(size, asking.epsilon))
        then = smoothed * (1.3 * size * here / count + 1.5 * own) / m2
        room = stage < MOST_STAGES - 1 and asking.left - count - asked_lengths > _LEFT * users
        worse = smoothed * radius**2 / m2 > _WORSE * plain
        if worse and not (room and then < 0.5 * plain):
            return False
        if not worse and (not room or (sure and radius**2 < 5 * chance)):
            stop = math.sqrt(_WORSE * plain * m2 / smoothed)
            checked = yield from widen(asking, vector=vector, centre=point, radius=radius, far=far, stop=stop)
            if checked.lost or checked.radius > stop:
                return False
            if checked.fired:
                found.directed.clear()
            found.checked = checked.outside
            asked = direction_question(
                asking, math.inf, role="direction", vector=vector, centre=point, radius=checked.radius
            )
            _add(found, groups, _directed(places, asked, (yield asked), checked.bias(far)))
            return True
        if radius**2 / m2 < full_variance(size, asking.epsilon):
            asked = direction_question(asking, count, role="zoom", vector=vector, centre=point, radius=radius)
            seen = _directed(places, asked, (yield asked), math.inf)
        else:
            asked = full_question(asking, count, axis=axis, places=places, role="places", smoothed=smoothed)
            seen = full_seen(places, asked, (yield asked))
        _add(found, groups, seen)
        error = math.sqrt(seen.variance.mean())
        away = _AWAY * error
        sure = _bracketed(settings, groups, seen)
    return False


def _directed(places: tuple[float, ...], asked: Question, tally: Tally, bias: float) -> Seen:
    found = directed_mean(asked, tally)
    return Seen(places=places, values=found.value, covariance=np.diag(found.variance), bias=bias)


def _add(found: Stages, groups: Groups, seen: Seen) -> None:
    (found.plain if seen.bias == 0 else found.directed).append(seen)
    found.before, found.groups = found.groups, groups


def _bracketed(settings: Distributed, groups: Groups, seen: Seen) -> bool:
    """Whether every quantile lies between places of its group, as far as can be seen."""
    if not isinstance(settings, Quantiles):
        return True
    error = dict(zip(seen.places, zip(seen.values.tolist(), np.sqrt(seen.variance).tolist(), strict=True), strict=True))
    for q, group in zip(settings.levels, groups, strict=True):
        ends = [error[place] for place in group]
        before = group[0] <= settings.low or any(value + 2 * one < q for value, one in ends)
        after = group[-1] >= settings.high or any(value - 2 * one > q for value, one in ends)
        if not (before and after):
            return False
    return True


def _one_each(
    settings: Distributed, asking: Asking, found: Stages, smoothed: float
) -> Generator[Question, Tally, None]:
    """Everybody who is left about places close to what is wanted, one item or share each, in two rounds."""
    found.directed.clear()
    found.groups, found.before, found.checked = (), (), None
    last = found.plain[-1] if found.plain else found.first
    away = _T_AWAY * math.sqrt(last.variance.mean() / (1 if found.plain else 2))
    counts = [math.inf] if found.plain or isinstance(settings, Cdf) else [_SPLIT * asking.left, math.inf]
    for count in counts:
        places, groups, _, _ = _pick(settings, found, away)
        asked = full_question(asking, count, axis=settings.axis, places=places, role="places", smoothed=smoothed)
        seen = full_seen(places, asked, (yield asked))
        _add(found, groups, seen)
        away = _T_AWAY * math.sqrt(seen.variance.mean())


def farthest(centre: tuple[float, ...]) -> float:
    """How far anybody's shares can lie from a point: shares rise with the place, so a jump from 0 to 1 is farthest."""
    point = np.array(centre)
    before = np.concatenate(([0.0], np.cumsum(point**2)))
    after = np.concatenate((np.cumsum(((1 - point) ** 2)[::-1])[::-1], [0.0]))
    return math.sqrt(float((before + after).max()))


def _pick(settings: Distributed, found: Stages, away: float) -> tuple[tuple[float, ...], Groups, Floats, Floats]:
    """Places close to what is wanted, in groups; F there as far as it is known, and how much it may rise around."""
    curve, _ = fit(settings.axis, found.parts, found.groups)
    if isinstance(settings, Cdf):
        places = settings.places
        groups: Groups = ()
    else:
        assert isinstance(settings, Quantiles)
        groups = tuple(_close(settings, curve, q, away) for q in settings.levels)
        places = tuple(sorted({place for group in groups for place in group}))
    heights = np.array([curve.height(place) for place in places])
    return places, groups, heights, np.array([curve.rise(place) for place in places])


def _close(settings: Quantiles, curve: Fit, q: float, away: float) -> tuple[float, ...]:
    """Places where F is about q − away, q and q + away."""
    axis = settings.axis
    heights = [q + away * (2 * part / (PER_LEVEL - 1) - 1) for part in range(PER_LEVEL)]
    values = [curve.reaches(min(max(height, _CAP * q), 1 - _CAP * (1 - q))) for height in heights]
    if axis.steps is None:
        return axis.nearest(values)
    first, last = axis.step_of(values[0]), max(axis.step_of(values[-1], up=True), axis.step_of(values[1], up=True))
    steps = sorted({min(axis.steps - 1, step) for step in range(first, last + 1)})
    if len(steps) > PER_LEVEL + 1:
        steps = sorted({steps[round(part * (len(steps) - 1) / PER_LEVEL)] for part in range(PER_LEVEL + 1)})
    return tuple(axis.at(step) for step in steps)
