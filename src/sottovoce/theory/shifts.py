"""Averages over a uniform shift: places within a bin, and the bins those places move to."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sottovoce.messages import InvalidInput


@dataclass(frozen=True)
class Phase:
    """A shift, and by how many bins it is moved with which weight: the contest inside the block is the same for all."""

    shift: float
    moves: tuple[tuple[int, float], ...]


def placements(shift: float | tuple[float, float], *, delta: float, phases: int, movable: bool) -> Iterator[Phase]:
    """Midpoint rule over the shift in steps of (bin width) / `phases`, sorted by place within a bin.

    Each phase visits every bin, or three of them with the weights that integrate quadratics in the bin index
    exactly: how far away a wrong bin lies enters the risk squared. Where users leave the bins (not `movable`) each
    visit is a phase of its own.
    """
    if not isinstance(shift, tuple):
        yield Phase(shift, ((0, 1.0),))
        return
    low, high = shift
    if not low < high:
        raise InvalidInput(f"a shift interval has low < high; got {shift!r}")
    period = 2 * delta
    span = high - low
    step = min(period, span) / phases
    whole = math.floor(span / step + 1e-9)
    rest = span - whole * step
    for q in range(min(phases, whole)):
        visits = len(range(q, whole, phases))
        moves = tuple((r, w * step / span) for r, w in zip(*_three(visits), strict=True))
        place = low + (q + 0.5) * step
        if movable:
            yield Phase(place, moves)
        else:
            yield from (Phase(place + period * r, ((0, w),)) for r, w in moves)
    if rest > 1e-9 * span:
        yield Phase(high - rest / 2, ((0, rest / span),))


def _three(count: int) -> tuple[list[int], list[float]]:
    """Nodes among 0 … count − 1 and weights that sum quadratics over all of them exactly."""
    if count <= 3:
        return list(range(count)), [1.0] * count
    nodes = np.round((count - 1) * np.array([0.1127, 0.5, 0.8873])).astype(int)
    r = np.arange(count, dtype=float)
    moments = np.array([count, r.sum(), (r**2).sum()])
    weights = np.linalg.solve(np.vander(nodes.astype(float), 3, increasing=True).T, moments)
    return [int(node) for node in nodes], [float(weight) for weight in weights]
