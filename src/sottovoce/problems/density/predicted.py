"""The error to expect of the cosine methods, and how wide their guarded bands will be."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

import numpy as np

from sottovoce.answers import Measured, sizes, two_sided
from sottovoce.problems.density.places import PEAK
from sottovoce.problems.density.rounds import ROOM, WORSE, table_variance, users_of_rounds
from sottovoce.problems.density.settings import Density
from sottovoce.problems.density.waves import waves_of_adaptive, waves_of_one_round
from sottovoce.risk import Crowd, Prediction, full_range_risk
from sottovoce.schemes import Floats, best_table, response, stretch

LONGER = 1.5
"""How much longer than users usually are the last radius is: a tail of lengths, and how little is known of it."""
_FAR = 64
_POINTS = 101


def typical(settings: Density, count: int) -> Floats:
    """Squares of coefficients as a prediction takes them to be: (radius/2)²·j^−2β."""
    waves = np.arange(1, count + 1, dtype=np.float64)
    return np.asarray(np.minimum((settings.radius / 2) ** 2 * waves ** (-2 * settings.trusted), PEAK**2))


def of_one_round(settings: Density, crowd: Crowd) -> Prediction:
    """Of the curve, in L2."""
    size = waves_of_one_round(settings)
    return _drawn(settings, size, _by_table(settings, crowd, settings.users / size))


def of_adaptive(settings: Density, crowd: Crowd) -> Prediction:
    """Of the curve, in L2: each round as it goes on average."""
    return _drawn(settings, waves_of_adaptive(settings), _rehearsed(settings, crowd)[0])


def width_of_one_round(settings: Density, crowd: Crowd) -> float:
    """Half the width of the band, on average over the range."""
    size = waves_of_one_round(settings)
    error = np.full(size, _by_table(settings, crowd, settings.users / size).rmse)
    return _halfwidth(settings, error, error, 0.0)


def width_of_adaptive(settings: Density, crowd: Crowd) -> float:
    """Half the width of the guarded band, on average over the range."""
    size = waves_of_adaptive(settings)
    each, near, share = _rehearsed(settings, crowd)
    error = np.full(size, each.rmse)
    return _halfwidth(settings, error, error * math.sqrt(stretch(settings.epsilon) if near else 1.0), share)


def _by_table(settings: Density, crowd: Crowd, users: float) -> Prediction:
    """Of one coefficient, from so many reports on the full range."""
    crowd.check_range(-PEAK, PEAK)
    stated = replace(crowd, within=min(1.0, 1.0 if crowd.within is None else crowd.within))
    centre = 0.0 if crowd.around is None else crowd.around
    law = stated.averages(centre=centre, observations=settings.observations, low=-PEAK, high=PEAK)
    return full_range_risk(law, users=users, low=-PEAK, high=PEAK, table=best_table(settings.epsilon))


@lru_cache(maxsize=1024)
def _rehearsed(settings: Density, crowd: Crowd) -> tuple[Prediction, bool, float]:
    """The error of one coefficient, whether users are near enough, and the share that the check cannot exclude."""
    size, m = waves_of_adaptive(settings), response(settings.epsilon)
    squares = typical(settings, size)
    first, second, _, checked, _, last = users_of_rounds(settings.users, size, settings.epsilon)
    by_table = _by_table(settings, crowd, first / size)
    spread = by_table.sampling * first / size
    reach = ROOM * (_left(squares, by_table.mse) + size / settings.observations)
    rough = _together(by_table.mse, reach / m**2 / second)
    length = _left(squares, rough) + size * spread
    radius = LONGER**2 * length
    if radius / m**2 > WORSE * (size * table_variance(settings.epsilon) + length):
        return _by_table(settings, crowd, (first + last + 2 * checked) / size), False, 0.0
    total = _together(by_table.mse, radius / m**2 / last)
    sampling = min(spread / last, 0.9 * total)
    keep = 1 / (math.exp(settings.epsilon) + 1)
    error = math.sqrt(keep * (1 - keep) / (2 * checked)) / (1 - 2 * keep)
    return Prediction(sampling=sampling, privacy=total - sampling), True, two_sided(settings.confidence) * error


def _together(*variances: float) -> float:
    return 1 / sum(1 / variance for variance in variances)


def _left(squares: Floats, variance: float) -> float:
    """What is not known of the coefficients after they were measured with such a variance."""
    return float((squares * variance / (squares + variance)).sum())


def _drawn(settings: Density, size: int, each: Prediction) -> Prediction:
    """Of all waves, drawn toward zero, and of those beyond them."""
    squares = typical(settings, _FAR * size)
    part = float((squares[:size] / (squares[:size] + each.mse)).sum())
    rest = Prediction(sampling=0.0, privacy=0.0, omission=float(squares[size:].sum()))
    return each.scaled(part) + rest


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
