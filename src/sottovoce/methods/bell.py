"""Bells, upright and leaning: the laws of users' averages in a likelihood.

An average of many observations is nearly normal; with few observations, or mostly alike ones, it leans. The leaning
bell here is the gamma law by the cube-root approximation of Wilson and Hilferty (1931): one closed form for any lean.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_END, _STEPS = 7.0, 256


@cache
def _nodes() -> tuple[Floats, Floats]:
    """The normal law and its density at nodes 1/256 apart; scipy's would take longer to load than a plan to make."""
    places = np.arange(-_END * _STEPS, _END * _STEPS + 1) / _STEPS
    below = np.array([0.5 * math.erfc(-place / math.sqrt(2)) for place in places])
    return below, np.exp(-(places**2) / 2) / math.sqrt(2 * math.pi)


def normal_below(z: Floats) -> Floats:
    """P(N(0, 1) < z), to 1e-11: three terms of the Taylor series at the nearest node."""
    below, density = _nodes()
    scaled = np.clip(z, -_END, _END) * _STEPS
    nearest = np.rint(scaled)
    place = (nearest + _END * _STEPS).astype(np.intp)
    step = (scaled - nearest) / _STEPS
    node = nearest / _STEPS
    series = step * (1 - step * (node / 2 - step * (node * node - 1) / 6))
    return np.asarray(below[place] + density[place] * series)


def leaning_below(places: Floats, mean: Floats, spread: Floats, lean: Floats) -> Floats:
    """P(X < place) for laws with these means, standard deviations and skewnesses."""
    lean = np.where(np.abs(lean) < 1e-4, 1e-4, lean)
    root = np.cbrt(1 + (lean / (2 * spread)) * (places - mean))
    return normal_below((root - 1) * (6 / lean) + lean / 6)
