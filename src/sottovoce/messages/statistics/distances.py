"""How far vectors lie from a public centre, and where observations lie in a range."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Indices = NDArray[np.int64]
_FAR = 1e150
_NEAR = 1e-130


def away(vectors: Numbers, centre: Sequence[float]) -> Numbers:
    """From the centre: ``(n, size)``. What is missing counts as the centre; what is infinite as very far."""
    return coarse(np.clip(filled(vectors - np.asarray(centre)), -_FAR, _FAR))


def filled(numbers: Numbers) -> Numbers:
    """Zero for what is missing, bit by bit: a branch takes longer where it goes now this way, now that."""
    there = np.isnan(numbers) - np.uint64(1)  # all bits, or none
    return np.asarray((numbers.view(np.uint64) & there).view(np.float64))


def coarse(numbers: Numbers) -> Numbers:
    """In steps of 2e-146: squares and sums of smaller numbers would take longer."""
    return np.asarray(numbers + _NEAR - _NEAR)


def lengths(vectors: Numbers) -> Numbers:
    """Euclidean lengths: ``(n, 1)``."""
    return np.asarray(np.sqrt((vectors**2).sum(axis=1, keepdims=True)))


def unit_places(numbers: Numbers, *, low: float, high: float) -> Numbers:
    """Where numbers lie on [low, high], clamped, as 0 to 1; a NaN lies at 0."""
    width = high - low
    away = np.fmin(np.fmax(numbers, low), high) - low  # a NaN goes along, as low
    return np.asarray((away + width - width) / width)  # in steps of 2^-53: numbers near zero would take longer
