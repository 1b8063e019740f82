"""The error to expect of the cosine methods, and how wide their guarded bands will be."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from sottovoce.answers import Measured, sizes, two_sided
from sottovoce.design import one_bit
from sottovoce.methods import CHECKED, Asking, Floats, best_table, response, stretch, users_for_lengths
from sottovoce.problems.density.decay import decays
from sottovoce.problems.density.places import PEAK
from sottovoce.problems.density.rehearsal import FARTHEST, curve_error
from sottovoce.problems.density.rounds import LONGEST, ROOM, WORSE, first_count, second_count, table_variance
from sottovoce.problems.density.settings import Density
from sottovoce.problems.density.waves import (
    wanted_by_adaptive,
    wanted_by_one_round,
    waves_of_adaptive,
    waves_of_one_round,
)
from sottovoce.risk import Crowd, Prediction, full_range_risk

_POINTS = 101


def typical(settings: Density, count: int) -> Floats:
    """Squares of coefficients as a prediction takes them to be: (radius/3)²·j^−2β."""
    waves = np.arange(1, count + 1, dtype=np.float64)
    return np.asarray(np.minimum((settings.radius / 3) ** 2 * waves ** (-2 * settings.trusted), PEAK**2))


def of_one_round(settings: Density, crowd: Crowd) -> Prediction:
    """Of the curve, in L2."""
    return _between(_one_round, settings, crowd, wanted_by_one_round(settings))


def of_adaptive(settings: Density, crowd: Crowd) -> Prediction:
    """Of the curve, in L2: each round as it goes on average."""
    return _between(_adaptive, settings, crowd, wanted_by_adaptive(settings))


def _between(
    predict: Callable[[Density, Crowd, int], Prediction], settings: Density, crowd: Crowd, wanted: float
) -> Prediction:
    """Between whole numbers of waves: a plan that solves for users wants no jumps."""
    lower = max(1, math.floor(wanted))
    part = wanted - lower
    found = predict(settings, crowd, lower)
    return found if part <= 0 else found.scaled(1 - part) + predict(settings, crowd, lower + 1).scaled(part)


def _one_round(settings: Density, crowd: Crowd, size: int) -> Prediction:
    return _drawn(settings, size, _by_table(settings, crowd, settings.users / size))


def _adaptive(settings: Density, crowd: Crowd, size: int) -> Prediction:
    found = _rehearsed(settings, crowd, size)
    return _drawn(settings, found.waves, found.each)


def users_of_adaptive(settings: Density) -> tuple[int, ...]:
    """How many users each round asks, for users alike."""
    asking = Asking(survey="", epsilon=settings.epsilon, users=settings.users)
    for count in _rehearsed(settings, Crowd(), waves_of_adaptive(settings)).users:
        asking.rounds.append(asking.within(count))
    return (*asking.rounds, asking.left)


def width_of_one_round(settings: Density, crowd: Crowd) -> float:
    """Half the width of the band, on average over the range."""
    size = waves_of_one_round(settings)
    error = np.full(size, _by_table(settings, crowd, settings.users / size).rmse)
    return _halfwidth(settings, error, error, 0.0)


def width_of_adaptive(settings: Density, crowd: Crowd) -> float:
    """Half the width of the guarded band, on average over the range."""
    found = _rehearsed(settings, crowd, waves_of_adaptive(settings))
    error = np.full(found.waves, found.each.rmse)
    most = error * math.sqrt(stretch(settings.epsilon) if found.near else 1.0)
    return _halfwidth(settings, error, most, found.share)


def _by_table(settings: Density, crowd: Crowd, users: float) -> Prediction:
    """Of one coefficient, from so many reports on the full range."""
    crowd.check_range(-PEAK, PEAK)
    stated = replace(crowd, within=min(1.0, 1.0 if crowd.within is None else crowd.within))
    centre = 0.0 if crowd.around is None else crowd.around
    law = stated.averages(centre=centre, observations=settings.observations, low=-PEAK, high=PEAK)
    return full_range_risk(law, users=users, low=-PEAK, high=PEAK, table=best_table(settings.epsilon))


@dataclass(frozen=True, kw_only=True)
class _Rehearsed:
    """The error of one coefficient, of how many waves, whether users are near enough, and what hides."""

    each: Prediction
    waves: int
    near: bool
    share: float
    users: tuple[float, ...]
    """Of all rounds but the last."""


@lru_cache(maxsize=1024)
def _rehearsed(settings: Any, crowd: Crowd, size: int) -> _Rehearsed:
    """The rounds of `locate`, each as it goes on average."""
    m, users, epsilon = response(settings.epsilon), settings.users, settings.epsilon
    squares, own = typical(settings, size), size / settings.observations
    first = first_count(users, size, epsilon)
    by_table = _by_table(settings, crowd, first / size)
    spread, rough = by_table.sampling * first / size, by_table.mse
    uncertain = _left(squares, rough)
    second = second_count(users, size, epsilon, uncertain=uncertain, own=own)
    if second:
        rough = _together(rough, ROOM * (uncertain + own) / m**2 / second)
    length = _left(squares, rough) + size * spread
    radius = LONGEST**2 * length
    before = (first, *((second,) if second else ()), users_for_lengths(users, epsilon))
    if radius / m**2 > WORSE * (size * table_variance(epsilon) + length):
        fewer = min(size, waves_of_one_round(settings))
        each = _by_table(settings, crowd, first / size + (users - sum(before)) / fewer)
        return _Rehearsed(each=each, waves=fewer, near=False, share=0.0, users=before)
    checked = CHECKED * users
    last = users - sum(before) - 2 * checked
    total = _together(by_table.mse, radius / m**2 / last)
    sampling = min(spread / last, 0.9 * total)
    error = math.sqrt(float(one_bit(epsilon).variance(np.array([0.0]))[0]) / (2 * checked))
    return _Rehearsed(
        each=Prediction(sampling=sampling, privacy=total - sampling),
        waves=size,
        near=True,
        share=two_sided(settings.confidence) * error,
        users=(*before, checked, checked),
    )


def _together(*variances: float) -> float:
    return 1 / sum(1 / variance for variance in variances)


def _left(squares: Floats, variance: float) -> float:
    """What is not known of the coefficients after they were measured with such a variance."""
    return float((squares * variance / (squares + variance)).sum())


def _drawn(settings: Density, size: int, each: Prediction) -> Prediction:
    """Of the curve that is drawn from waves measured so well; the waves beyond them are left to their ends."""
    squares = typical(settings, FARTHEST)
    whole = curve_error(tuple(squares.tolist()), size, each.mse, decays(settings.smoothness))
    beyond = min(whole, float(squares[size:].sum()))
    rest = Prediction(sampling=0.0, privacy=0.0, omission=beyond)
    return each.scaled((whole - beyond) / each.mse) + rest


def _halfwidth(settings: Density, error: Floats, most: Floats, share: float) -> float:
    """Of a band around as many waves as stand out of the noise."""
    size = len(error)
    clear = int((typical(settings, size) > error**2).sum())
    measured = Measured(
        value=(0.0,) * size,
        error=tuple(error.tolist()),
        firm=(0.0,) * size,
        most=tuple(most.tolist()),
        centre=(0.0,) * size,
        share=share,
    )
    unit, shown = np.linspace(0.0, 1.0, _POINTS), next(one for one in sizes(size) if one >= max(1, clear))
    low, high = measured.band(unit, shown, settings.confidence, guarded=True)
    return float((high - low).mean() / 2)
