"""Whole-collection neighbours: made-up collections that a question's encoder puts as far apart as it can.

Neighbours differ in everything: each observation, how many there are, whether there are any. Sizes are none, one, a
few and many, so that a device which treats large collections or late slots in another way is seen to do so.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.audit.channel_derivations import Floats
from sottovoce.device import Collections, SystemEntropy, encode
from sottovoce.messages import (
    Averages,
    Below,
    Bins,
    Categories,
    Cosines,
    Direction,
    Hashed,
    Inside,
    Joint,
    Knots,
    Large,
    Nearest,
    Norm,
    Question,
    Residual,
    Rotated,
    signs,
)

SIZES = (0, 1, 11, 1001)
"""How many observations a made-up collection holds: none, one, more than ten, more than a thousand."""
FEW, MANY = SIZES[2:]
_UNEVEN = 0.41421356237309505
"""Where in the range of the question's numbers: between two nodes, with all bits of the fraction in use."""


@dataclass(frozen=True, kw_only=True)
class Neighbour:
    """A made-up collection ``(T, d)`` and what it is for."""

    name: str
    values: Floats = dataclasses.field(repr=False)

    def copies(self, count: int) -> Collections:
        """The same collection in the hands of `count` users."""
        return Collections(np.tile(self.values, (count, 1)), np.arange(count + 1) * len(self.values))


def neighbours(question: Question, *, most: int = MANY) -> list[Neighbour]:
    """Collections that are far apart, odd ones and those on an edge among them, of at most `most` observations."""
    pool = _numbers_in_question(question)
    candidates = vectors(question)
    width = len(candidates[0])
    slots = np.full(len(candidates), question.slots.first)
    alone = Collections(np.array(candidates), np.arange(len(candidates) + 1))
    order = np.argsort(encode(question, alone, slots, SystemEntropy()).sum(axis=1), kind="stable")
    many, few = min(MANY, most), min(FEW, most)
    far = 1e3 * max(1.0, *map(abs, pool))
    rows: list[tuple[str, int, Floats | float]] = [
        ("lowest", many, candidates[order[0]]),
        ("highest", few, candidates[order[-1]]),
        ("middle", many, candidates[order[len(order) // 2]]),
        ("empty", 0, 0.0),
        ("uneven", few, _UNEVEN * min(pool) + (1 - _UNEVEN) * max(pool)),
        ("missing", 1, math.nan),
        ("far above", few, far),
        ("far below", 1, -far),
        *((f"edge {place}", 1, edge) for place, edge in enumerate(_outer_edges(question))),
    ]
    return [Neighbour(name=name, values=np.full((size, width), value)) for name, size, value in rows]


def crowd(question: Question, sizes: Sequence[int]) -> Collections:
    """A user for each size. Each holds other observations, not all of them alike, so that averages fall anywhere.

    Some hold observations that are missing beside others that are not, some infinite ones.
    """
    pool = np.array(vectors(question))
    rng = np.random.default_rng(len(sizes))
    rows = []
    for user, size in enumerate(sizes):
        between = rng.random((2, 1))
        chosen = pool[(user + np.arange(size) % 2 * rng.integers(1, len(pool))) % len(pool)]
        values = chosen.copy() if user % 3 == 0 else chosen * between[0] + pool[user % len(pool)] * between[1]
        if question.encoder.within is not None:  # between two codes lies no group
            column = question.encoder.within.column
            values[:, column] = chosen[:, column]
        if user % 4 == 1 and size > 1:
            values[::2] = math.nan
        if user % 9 == 5:
            values[:1] = math.inf if user % 2 else -math.inf
        rows.append(values)
    return Collections(np.concatenate(rows), np.concatenate(([0], np.cumsum(sizes))))


def several_slots(question: Question, count: int) -> NDArray[np.int64]:
    """`count` slots: the first ones, one after another, then some inside and the last."""
    inside = np.linspace(0, question.slots.count - 1, 5).astype(np.int64)[1:]
    run = np.arange(max(0, count - len(inside))) % question.slots.count
    return question.slots.first + np.concatenate((run, inside))[-count:]


def vectors(question: Question) -> list[Floats]:
    """Observations that a question's encoder puts in many different places."""
    width, within = question.encoder.dimension, question.encoder.within
    candidates = [np.full(width, value) for value in _numbers_in_question(question)] + _uneven_observations(
        question, width
    )
    if within is None:
        return candidates
    some = range(0, within.count - 1, -(-within.count // 8))
    codes = (*map(float, some), within.count - 1.0, float(within.count), 0.5)  # in groups, and in none
    return [np.where(np.arange(width) == within.column, code, one) for one in candidates for code in codes]


def _numbers_in_question(question: Question) -> list[float]:
    """Numbers that occur in the question, and some between and beyond them."""
    statistic: Any = question.encoder.statistic
    placement: Any = question.encoder.placement
    vector = getattr(statistic, "vector", None)
    numbers = {0.0, 1.0, -1.0}
    for name in ("low", "high", "below", "threshold", "thresholds", "edges", "inner"):
        for holder in (placement, statistic, vector):
            value = getattr(holder, name, ())
            numbers.update(value if isinstance(value, tuple) else (value,))
    if isinstance(statistic, (Residual, Joint)):
        reach = statistic.reach if isinstance(statistic, Joint) else placement.high[0]
        shifts = reach * np.linspace(-1, 1, 5)
        numbers.update(centre + float(shift) for centre in statistic.centres for shift in shifts)
    if isinstance(vector, (Categories, Below)):  # one in each bin, of some where there are many
        edges = _edges(vector.places if isinstance(vector, Categories) else Bins(edges=vector.thresholds))
        middles = [(left + right) / 2 for left, right in pairwise(edges)]
        numbers.update(middles[:: -(-len(middles) // 64)])
    if isinstance(vector, Cosines):
        numbers.update(np.linspace(vector.low, vector.high, 17).tolist())
    low, high = min(numbers), max(numbers)
    return sorted({*numbers, *np.linspace(low, high, 9).tolist(), low - 1, high + 1})


def _uneven_observations(question: Question, width: int) -> list[Floats]:
    """Observations whose columns differ, for statistics that look at several."""
    statistic = question.encoder.statistic
    vector = getattr(statistic, "vector", None)
    if isinstance(statistic, (Norm, Direction)) and isinstance(vector, (Averages, Inside)):  # all around, near and far
        around = np.random.default_rng(2).normal(size=(64, width))
        around *= np.geomspace(0.01, 100, 64)[:, None] / np.linalg.norm(around, axis=1, keepdims=True)
        middle, half = (0.0, 1.0) if isinstance(vector, Averages) else (np.array(vector.middle), np.array(vector.half))
        return list(middle + half * (np.asarray(statistic.centre) + around))
    if isinstance(vector, (Averages, Inside, Large)):  # another pattern of columns each
        return list(np.random.default_rng(3).choice([-1.0, 0.0, 0.5, 1.0], size=(64, width)))
    if isinstance(statistic, Nearest):
        return [np.asarray(centre, dtype=np.float64) for centre in statistic.centres[:64]]
    if isinstance(statistic, Hashed):  # the columns with a public sign of one kind
        columns = signs(statistic.seed, np.array([question.slots.first]), width)[0]
        return [np.where(columns == kind, 2 * statistic.threshold + 1, 0.0) for kind in (-1, 1)]
    if isinstance(statistic, Rotated):
        patterns = np.random.default_rng(1).choice([-1.0, 1.0], size=(64, width))
        return [np.asarray(statistic.centre) + 2 * statistic.radius * pattern for pattern in patterns]
    return []


def _edges(places: Any) -> list[float]:
    """The edges of bins, one beyond either end where they have none; nothing where there are no bins."""
    if isinstance(places, Bins):
        return [places.edges[0] - 1, *places.edges, places.edges[-1] + 1] if places.edges else [0.0, 1.0]
    if isinstance(places, Knots):
        return [*places.places]
    edges: list[float] = np.linspace(places.low[0], places.high[0], (places.count or 0) + 1).tolist()
    return edges


def _outer_edges(question: Question) -> list[float]:
    """The first inner edge of a binned placement, or of categories or thresholds, and the last."""
    vector = getattr(question.encoder.statistic, "vector", None)
    if isinstance(vector, Below):
        return [vector.thresholds[0], vector.thresholds[-1]]
    inner = _edges(vector.places if isinstance(vector, Categories) else question.encoder.placement)[1:-1]
    return inner[:1] + inner[1:][-1:]
