"""Averages over a uniform shift: places within a bin, and the bins those places move to."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sottovoce.messages import InvalidInput

FLAT = 7.0
"""Standard deviations from an edge beyond which all users share one bin and nothing depends on the place any more."""

GOLDEN = (math.sqrt(5) - 1) / 2


@dataclass(frozen=True)
class Phase:
    """A shift, and by how many bins it is moved with which weight: the contest inside the block is the same for all."""

    shift: float
    moves: tuple[tuple[int, float], ...]


@dataclass(frozen=True, kw_only=True)
class Edges:
    """Where edges lie as seen from the mean, the width of a bin, and spread and lattice step of user means."""

    edge: float
    width: float
    spread: float
    step: float
    movable: bool


def placements(shift: float | tuple[float, float], bins: Edges, *, resolution: float) -> Iterator[Phase]:
    """Midpoint rule over the shift, with cells of `resolution` standard deviations (at least 16 a bin).

    Risk changes with the place only near an edge, where users split between two bins: farther than `FLAT` standard
    deviations from all edges one cell is enough. Each cell recurs in every bin that the shift reaches; of many bins
    three are visited, with the weights that integrate quadratics in the bin index exactly, because how far away a
    wrong bin lies enters the risk squared. Where users leave the bins (not `movable`) each visit is its own phase.
    """
    if not isinstance(shift, tuple):
        yield Phase(shift, ((0, 1.0),))
        return
    low, high = shift
    if not low < high:
        raise InvalidInput(rule="a shift interval has low < high", got=shift)
    for start, stop in _cells(bins, resolution):
        first = math.floor((low - bins.edge - stop) / bins.width)
        last = math.ceil((high - bins.edge - start) / bins.width)
        places = bins.edge + bins.width * np.arange(first, last + 1)
        left, right = np.maximum(places + start, low), np.minimum(places + stop, high)
        reached = right - left > 1e-12 * bins.width
        whole = reached & (right - left > (stop - start) * (1 - 1e-9))
        for k in np.flatnonzero(reached & ~whole):  # cut by an end of the shift's interval
            yield Phase(float(left[k] + right[k]) / 2, ((0, float(right[k] - left[k]) / (high - low)),))
        visited = np.flatnonzero(whole)
        if len(visited) == 0:
            continue
        place = float(places[visited[0]]) + (start + stop) / 2
        weight = (stop - start) / (high - low)
        moves = tuple((r, w * weight) for r, w in zip(*_three(len(visited)), strict=True))
        if bins.movable:
            yield Phase(place, moves)
        else:
            yield from (Phase(place + bins.width * r, ((0, w),)) for r, w in moves)


def _cells(bins: Edges, resolution: float) -> list[tuple[float, float]]:
    """Cells of one bin width around an edge: fine ones near it, one for the rest."""
    half = bins.width / 2
    near = min(half, FLAT * bins.spread)
    if near < 1e-9 * half:  # no spread: two halves, one on each side of the edge
        return [(-half, 0.0), (0.0, half)]
    count = _count(2 * near, 2 * max(8, math.ceil(near / (resolution * bins.spread))), bins.step)
    ends = np.linspace(-near, near, count + 1).tolist()
    cells = list(itertools.pairwise(ends))
    return cells if near == half else [*cells, (near, bins.width - near)]


def _count(span: float, least: int, step: float) -> int:
    """How many cells: as a mean on a lattice crosses an edge, shares jump, and cells must not keep step with it.

    Of the counts up to twice the least, the one whose cell is nearest to a golden fraction of the lattice step: its
    multiples then fill the step evenly.
    """
    if step == 0:
        return least

    def off(count: int) -> float:
        part = span / count / step % 1
        return min(abs(part - GOLDEN), abs(1 - part - GOLDEN))

    return min(range(least, 2 * least + 1), key=off)


def _three(count: int) -> tuple[list[int], list[float]]:
    """Nodes among 0 … count − 1 and weights that sum quadratics over all of them exactly."""
    if count <= 3:
        return list(range(count)), [1.0] * count
    nodes = np.round((count - 1) * np.array([0.1127, 0.5, 0.8873])).astype(int)
    r = np.arange(count, dtype=float)
    moments = np.array([count, r.sum(), (r**2).sum()])
    weights = np.linalg.solve(np.vander(nodes.astype(float), 3, increasing=True).T, moments)
    return [int(node) for node in nodes], [float(weight) for weight in weights]
