"""Lattices of cubes, and how many of their centres fit in a question."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import MAX_ITEMS, MAX_QUESTION_BYTES, MAX_WORK
from sottovoce.theory import bin_count

Floats = NDArray[np.float64]
_BYTES_EACH = 24
"""A centre's coordinate takes at most so many bytes in a question: 17 digits, sign, point, exponent, comma."""
_BYTES_BESIDES = 8192
"""All else in a question: names, the channel, a survey's name."""


def cells_of(radius: float, half: float) -> int:
    """How many cells of half-side `half` or less the axis [−radius, radius] needs."""
    return bin_count(max(half / radius, 1e-300))


def power(base: int, exponent: int) -> float:
    """base^exponent, infinite where it is far too large."""
    return math.inf if exponent * math.log(max(base, 1)) > 300 else float(base) ** exponent


def middles(radius: float, cells: int) -> Floats:
    """The middles of so many cells of [−radius, radius]."""
    return np.asarray((2 * np.arange(cells) + 1 - cells) * (radius / cells), dtype=np.float64)


def rows(grid: Floats) -> tuple[tuple[float, ...], ...]:
    """An array as the tuples that settings hold."""
    return tuple(tuple(row) for row in grid.tolist())


def room_for(columns: int, zeros: int = 0) -> int:
    """The most centres that fit in a question, each with so many coordinates and so many zeros besides."""
    numbers, letters = MAX_WORK // (columns + zeros), MAX_QUESTION_BYTES - _BYTES_BESIDES
    return min(MAX_ITEMS, numbers, letters // (_BYTES_EACH * columns + 2 * zeros + 3))


def meeting(cells: list[int], halves: list[float], weights: Floats, radius: float) -> Floats | None:
    """Centres of the cubes that meet {x : Σ (weights·x)² ≤ radius²}, axis by axis; None when there are too many."""
    limit = room_for(len(cells))
    grid, nearest = np.zeros((1, 0)), np.zeros(1)
    for count, half, weight in zip(cells, halves, weights, strict=True):
        if count * len(nearest) > 2**24:
            return None
        axis = (2 * np.arange(count) + 1 - count) * half
        close = (weight * np.maximum(np.abs(axis) - half, 0.0)) ** 2
        reach = nearest[:, None] + close[None, :]
        found, columns = np.nonzero(reach <= radius**2 * (1 + 1e-9))
        if len(found) > limit:
            return None
        grid, nearest = np.column_stack((grid[found], axis[columns])), reach[found, columns]
    return grid
