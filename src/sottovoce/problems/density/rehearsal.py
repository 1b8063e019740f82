"""The error of the curve that is published, where its waves were measured with a given variance.

How far a wave is drawn toward zero depends on what all of them look like, and noise can pass for signal: where it is
large no formula for one wave tells the error. So a prediction draws the curve from a few dozen measurements, spread
evenly over what noise and signs of coefficients can be, as the methods do.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache
from statistics import NormalDist

import numpy as np

from sottovoce.answers import cosines, rest_of_ends
from sottovoce.methods import Floats, to_simplex
from sottovoce.problems.density.decay import Prior

_DRAWS, _ROOT = 31, 3
"""A prime, and a number whose powers are all the others below it."""
_GRID = 128
FARTHEST = _GRID - 1
"""Waves that a grid tells apart."""


@lru_cache(maxsize=4096)
def curve_error(squares: tuple[float, ...], size: int, variance: float, betas: tuple[float, ...]) -> float:
    """The mean square of the curve's error when coefficients have these squares, `size` of them measured."""
    basis, rest = _basis(), _rest(size)
    sizes, prior, total = np.sqrt(squares), Prior.of(np.full(size, variance), betas), 0.0
    for noise, signs in zip(_normal(size), _signs(len(squares)), strict=True):
        true = _density(1 + basis[:, : len(squares)] @ (signs * sizes))
        known = prior.given(true @ basis[:, :size] / _GRID + math.sqrt(variance) * noise)
        shown = _density(1 + basis[:, :size] @ known.value + np.array(known.ends) @ rest)
        total += float(((shown - true) ** 2).mean()) / _DRAWS
    return total


def _density(heights: Floats) -> Floats:
    """The nearest heights of a density: none negative, one on average."""
    return to_simplex(heights / _GRID) * _GRID


@cache
def _basis() -> Floats:
    return cosines((np.arange(_GRID) + 0.5) / _GRID, _GRID)[:, 1:]


@cache
def _rest(size: int) -> Floats:
    return np.stack(rest_of_ends((np.arange(_GRID) + 0.5) / _GRID, size))


@cache
def _normal(size: int) -> Floats:
    """Standard normal numbers: the same in every column, in another order."""
    even = np.array([NormalDist().inv_cdf((place + 0.5) / _DRAWS) for place in range(_DRAWS)])
    even /= math.sqrt(float((even**2).mean()))
    order = np.array([pow(_ROOT, wave, _DRAWS) for wave in range(size)])
    return np.asarray(even[np.arange(1, _DRAWS + 1)[:, None] * order % _DRAWS])


@cache
def _signs(size: int) -> Floats:
    """Walsh functions: every wave has either sign about as often, whatever the others have."""
    return np.array(
        [[(-1.0) ** (draw & wave).bit_count() for wave in range(1, size + 1)] for draw in range(1, _DRAWS + 1)]
    )
