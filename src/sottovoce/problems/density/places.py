"""Where a user's vector of cosine averages can lie: in the hull of the curve γ(x) = (√2 cos(πjx))_j, x in [0, 1]."""

from __future__ import annotations

import math

import numpy as np

from sottovoce.answers import cosines
from sottovoce.methods import Floats, rounded

PEAK = math.sqrt(2)
"""The largest value of a basis function: coefficients lie in [−√2, √2] (ERRATA 15: the rescaling the paper omits)."""
_GRID = 512
_FINE = 16
"""Points a wave: between them a curve of so many waves rises by less than half a percent of its height."""
_BETWEEN = 1.005
_HALVINGS = 60


def curve(size: int) -> Floats:
    """Points of γ, close together."""
    return cosines(np.linspace(0.0, 1.0, _FINE * size + 1), size + 1)[:, 1:]


def far(centre: tuple[float, ...]) -> float:
    """The largest distance that anybody can have from a point: that of an end of the hull, which lies on the curve."""
    away = curve(len(centre)) - np.asarray(centre)
    return _BETWEEN * math.sqrt(float((away**2).sum(axis=1).max()))


def settled(value: Floats) -> tuple[float, ...]:
    """The coefficients of the density nearest to these, on the lattice: a centre that goes into a question."""
    basis = cosines((np.arange(_GRID) + 0.5) / _GRID, len(value) + 1)[:, 1:]
    heights = 1 + basis @ value
    least, most = min(0.0, float(heights.min())), float(heights.max())
    for _ in range(_HALVINGS):
        middle = (least + most) / 2
        if np.maximum(heights - middle, 0.0).mean() > 1:
            least = middle
        else:
            most = middle
    inside = np.maximum(heights - least, 0.0) @ basis / _GRID
    return rounded((float(one) for one in inside), -PEAK, PEAK)
