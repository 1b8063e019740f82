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
from sottovoce.problems.quantiles.record import Groups, fit
from sottovoce.problems.quantiles.seen import Fit, Floats, Seen, full_question, full_seen, full_variance
from sottovoce.problems.quantiles.settings import Cdf, Distributed, Quantiles
from sottovoce.schemes import (
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

FIRST = 0.25
STAGE = 0.15
MOST_STAGES = 3
PER_LEVEL = 3
"""Places close to each quantile."""
_AWAY = 3.2
"""How far from it, in standard errors of the last look."""
_FROM_AFAR = 4.0
_T_AFAR = 2.5
_T_AWAY = 2.5
_SMOOTHED = 0.4
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
    m = response(asking.epsilon)
    own = full_variance(1, asking.epsilon)
    if 0.3 / (settings.observations * m**2) < 0.5 * own:
        done = yield from _by_directions(settings, asking, found)
        if done:
            return found
    yield from _one_each(settings, asking, found)
    return found


def _by_directions(settings: Distributed, asking: Asking, found: Stages) -> Generator[Question, Tally, bool]:
    """Directions, from nearer and nearer by; False where users turn out to differ too much for them."""
    m, users, axis = response(asking.epsilon), asking.users, settings.axis
    away = _FROM_AFAR * math.sqrt(found.first.variance.mean() / 2)
    asked_lengths = users_for_lengths(users, asking.epsilon)
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
        full = full_variance(size, asking.epsilon)
        count = STAGE * users
        uncertain = size * (away / (_AWAY if stage else _FROM_AFAR)) ** 2 + float(gaps @ gaps) / 6
        then = (1.3 * size * (radius / m) ** 2 / count + 1.5 * max(chance, 0.6 * radius**2 - uncertain)) / m**2
        room = stage < MOST_STAGES - 1 and asking.left - count - asked_lengths > _LEFT * users
        worse = (radius / m) ** 2 > _WORSE * full
        rescue = room and then < 0.5 * full and (radius / m) ** 2 < 3 * full
        if worse and not rescue:
            return False
        last = not worse and (not room or (stage > 0 and radius**2 < 5 * chance))
        if last:
            stop = m * math.sqrt(_WORSE * full)
            checked = yield from widen(asking, vector=vector, centre=point, radius=radius, far=far, stop=stop)
            radius, found.checked = checked.radius, checked.outside
            if checked.lost or (radius / m) ** 2 > _WORSE * full:
                return False
            if checked.fired:
                found.directed.clear()
        asked = direction_question(
            asking, math.inf if last else count, role="direction", vector=vector, centre=point, radius=radius
        )
        seen = directed_mean(asked, (yield asked))
        bias = checked.bias(far) if last else math.inf
        found.directed.append(Seen(places=places, values=seen.value, covariance=np.diag(seen.variance), bias=bias))
        found.before, found.groups = found.groups, groups
        away = _AWAY * radius / m / math.sqrt(seen.reports)
        if last:
            return True
    return False


def _one_each(settings: Distributed, asking: Asking, found: Stages) -> Generator[Question, Tally, None]:
    """Everybody who is left about places close to what is wanted, one item or share each, in two rounds."""
    found.directed.clear()
    found.groups, found.before, found.checked = (), (), None
    variance = found.first.variance
    away = _T_AFAR * math.sqrt(variance.mean() / 2)
    for count in (_SPLIT * asking.left, math.inf):
        places, groups, _, _ = _pick(settings, found, away)
        asked = full_question(asking, count, axis=settings.axis, places=places, role="places", smoothed=_SMOOTHED)
        seen = full_seen(places, asked, (yield asked))
        found.plain.append(seen)
        found.before, found.groups = found.groups, groups
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
    values = [curve.reaches(min(max(height, 0.3 * q), 1 - 0.3 * (1 - q))) for height in heights]
    if axis.steps is None:
        return axis.nearest(values)
    first, last = axis.step_of(values[0]), max(axis.step_of(values[-1], up=True), axis.step_of(values[1], up=True))
    steps = sorted({min(axis.steps - 1, step) for step in range(first, last + 1)})
    if len(steps) > PER_LEVEL + 1:
        steps = sorted({steps[round(part * (len(steps) - 1) / PER_LEVEL)] for part in range(PER_LEVEL + 1)})
    return tuple(axis.at(step) for step in steps)
