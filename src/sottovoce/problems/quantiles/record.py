"""All that was seen so far, and the curve through it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sottovoce.methods import isotonic, normal_below
from sottovoce.problems.quantiles.axis import Axis
from sottovoce.problems.quantiles.seen import Fit, Seen, bell_quantile

Floats = NDArray[np.float64]
Groups = tuple[tuple[float, ...], ...]
_LOOSE = 0.2
_LEAST = 3
_ROUNDS = 12
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


def apart(seen: Seen, places: Sequence[float]) -> Seen:
    """The part of a look that lies elsewhere than at these places."""
    index = [number for number, place in enumerate(seen.places) if place not in places]
    return seen.at(index)


def corrected(axis: Axis, first: Seen, later: Sequence[Seen]) -> Seen:
    """The first look after others: what they show of its errors holds for the places around too.

    Errors of shares of bins add up from bin to bin, so that a look that is far off at a place is far off beside it.
    """
    own = np.array(first.places)
    values, covariance = first.values, first.covariance
    for look in later:
        there = np.array(look.places)
        line = _between(axis, own, there)
        at = line[:, : len(own)] @ values + line[:, -1]
        rise = np.abs(np.diff(np.concatenate(([0.0], np.clip(values, 0, 1), [1.0]))))
        loose = np.maximum(_LOOSE * rise[np.searchsorted(own, there)], 1e-3) ** 2
        loose = np.where(np.isin(there, own), 0.0, loose)
        weight = line[:, : len(own)]
        total = weight @ covariance @ weight.T + look.covariance + np.diag(loose)
        gain = np.linalg.solve(total, weight @ covariance).T
        values = values + gain @ (look.values - at)
        covariance = covariance - gain @ weight @ covariance
    floor = 1e-6 * np.diag(first.covariance)
    covariance = covariance + np.diag(np.maximum(0.0, floor - np.diag(covariance)))
    return Seen(places=first.places, values=values, covariance=covariance, bias=first.bias)


def _between(axis: Axis, own: Floats, there: Floats) -> Floats:
    """How heights at `there` follow from those at `own` by straight lines; the last column is what `high` adds."""
    knots = np.concatenate((own, [axis.high])) if own[0] <= axis.low else np.concatenate(([axis.low], own, [axis.high]))
    right = np.clip(np.searchsorted(knots, there, side="left"), 1, len(knots) - 1)
    part = (there - knots[right - 1]) / (knots[right] - knots[right - 1])
    found = np.zeros((len(there), len(knots)))
    rows = np.arange(len(there))
    found[rows, right - 1] += 1 - part
    found[rows, right] += part
    return found if own[0] <= axis.low else found[:, 1:]


def fit(axis: Axis, parts: Sequence[Seen], groups: Groups) -> tuple[Fit, Seen]:
    """The curve through all parts; inside the span of a group the older places give way to it."""
    first = corrected(axis, parts[0], parts[1:])
    seen = together([first, *(look for part in parts[1:] if (look := apart(part, first.places)).places)])
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


def locally(parts: Sequence[Seen], span: tuple[float, ...], q: float) -> float | None:
    """Where what was seen in a span reaches q by the line or the bell that fits it better; None where neither does.

    A bell of any place and width bends in a tail as most laws do; a line does not.
    """
    seen = together(parts)
    inside = [index for index, place in enumerate(seen.places) if span[0] <= place <= span[-1]]
    if len(inside) < _LEAST:
        return None
    width = span[-1] - span[0]
    places = (np.array(seen.places)[inside] - span[0]) / width
    values, weights = seen.values[inside], 1 / seen.variance[inside]
    off, found = min(fitted(places, values, weights, q) for fitted in (_line, _bell))
    if off > _STRAIGHT * (len(inside) - 2) or not 0 <= found <= 1:
        return None
    return span[0] + width * found


def _line(places: Floats, values: Floats, weights: Floats, q: float) -> tuple[float, float]:
    """How far a straight line is off, and where it reaches q."""
    middle, height = (float(weights @ row / weights.sum()) for row in (places, values))
    moved = places - middle
    slope = float(weights @ (moved * (values - height)) / (weights @ moved**2))
    off = float(weights @ (values - height - slope * moved) ** 2)
    return (off, middle + (q - height) / slope) if slope > 0 else (math.inf, 0.0)


def _bell(places: Floats, values: Floats, weights: Floats, q: float) -> tuple[float, float]:
    """The same for a bell of any place and width: weighted least squares, by Gauss and Newton."""
    quantiles = np.array([bell_quantile(height) for height in np.clip(isotonic(values, weights), 0.02, 0.98)])
    slope = max(float(quantiles[-1] - quantiles[0]), 0.1)
    bell = np.array([float((quantiles - slope * places).mean()), slope])
    design = np.stack((np.ones(len(places)), places), axis=1)
    for _ in range(_ROUNDS):
        z = design @ bell
        steep = np.maximum(np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi), 1e-3)
        pulled = design * (steep * weights)[:, None]
        normal = (design * steep[:, None]).T @ pulled
        step = np.linalg.solve(normal + 1e-9 * np.trace(normal) * np.eye(2), pulled.T @ (values - normal_below(z)))
        bell = bell + step * min(1.0, 1.0 / max(1e-300, float(np.abs(step).max())))
    off = float(weights @ (values - normal_below(design @ bell)) ** 2)
    return (off, (bell_quantile(q) - float(bell[0])) / float(bell[1])) if bell[1] > 0 else (math.inf, 0.0)
