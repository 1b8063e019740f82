"""All that was seen so far, and the curve through it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sottovoce.problems.quantiles.axis import Axis
from sottovoce.problems.quantiles.seen import Fit, Seen
from sottovoce.schemes import isotonic

Floats = NDArray[np.float64]
Groups = tuple[tuple[float, ...], ...]
_BEYOND = 0.0
_STRAIGHT = 3.0
"""A line is believed up to this mean squared residual, in units of what is expected."""


def together(parts: Sequence[Seen]) -> Seen:
    """Independent looks as one: equal places by the inverse of their variances, others side by side."""
    places = np.concatenate([part.places for part in parts])
    values = np.concatenate([part.values for part in parts])
    weights = np.concatenate([1 / part.variance for part in parts])
    unique, index = np.unique(places, return_inverse=True)
    mass = np.bincount(index, weights)
    means = np.bincount(index, weights * values) / mass
    return Seen(places=tuple(unique.tolist()), values=means, covariance=np.diag(1 / mass))


def fit(axis: Axis, parts: Sequence[Seen], groups: Groups) -> tuple[Fit, Seen]:
    """The curve through all parts; inside the span of a group the older places give way to it."""
    seen = together(parts)
    asked = {place for group in groups for place in group}
    keep = [
        index
        for index, place in enumerate(seen.places)
        if place in asked or not any(group[0] < place < group[-1] for group in groups)
    ]
    values, variance = seen.values[keep], seen.variance[keep]
    kept = Seen(places=tuple(seen.places[index] for index in keep), values=values, covariance=np.diag(variance))
    heights = np.clip(isotonic(values, 1 / variance), 0.0, 1.0)
    return Fit(axis=axis, places=kept.places, heights=tuple(heights.tolist())), kept


def on_a_line(parts: Sequence[Seen], group: tuple[float, ...], q: float) -> float | None:
    """Where the straight line through what was seen in the span of a group reaches q; None where it bends."""
    seen = together(parts)
    inside = [index for index, place in enumerate(seen.places) if group[0] <= place <= group[-1]]
    if len(inside) < 3:
        return None
    places, values = np.array(seen.places)[inside], seen.values[inside]
    weights = 1 / seen.variance[inside]
    middle = float(weights @ places / weights.sum())
    height = float(weights @ values / weights.sum())
    moved = places - middle
    slope = float(weights @ (moved * (values - height)) / (weights @ moved**2))
    residuals = float(weights @ (values - height - slope * moved) ** 2) / (len(inside) - 2)
    if slope <= 0 or residuals > _STRAIGHT:
        return None
    found = middle + (q - height) / slope
    room = _BEYOND * (group[-1] - group[0])
    return found if group[0] - room <= found <= group[-1] + room else None
