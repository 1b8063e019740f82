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
    Grid,
    Hashed,
    Inside,
    Joint,
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
        held = len(self.values)
        return Collections(np.tile(self.values, (count, 1)), np.arange(count + 1) * held)


def neighbours(question: Question, *, most: int = MANY) -> list[Neighbour]:
    """Collections that are far apart, odd ones and those on an edge among them, of at most `most` observations."""
    pool = _numbers(question)
    candidates = vectors(question)
    width = len(candidates[0])
    slots = np.full(len(candidates), question.slots.first)
    alone = Collections(np.array(candidates), np.arange(len(candidates) + 1))
    order = np.argsort(encode(question, alone, slots, SystemEntropy()).sum(axis=1), kind="stable")
    many, few = min(MANY, most), min(FEW, most)
    chosen = [("lowest", order[0], many), ("highest", order[-1], few), ("middle", order[len(order) // 2], many)]
    found = [Neighbour(name=name, values=np.tile(candidates[place], (size, 1))) for name, place, size in chosen]
    far = 1e3 * max(1.0, *map(abs, pool))
    edges = _edges(question)
    odd = [
        ("empty", np.empty((0, width))),
        ("uneven", np.full((few, width), _UNEVEN * min(pool) + (1 - _UNEVEN) * max(pool))),
        ("missing", np.full((1, width), math.nan)),
        ("far above", np.full((few, width), far)),
        ("far below", np.full((1, width), -far)),
        *((f"edge {place}", np.full((1, width), edge)) for place, edge in enumerate(edges)),
    ]
    return found + [Neighbour(name=name, values=values) for name, values in odd]


def crowd(question: Question, sizes: Sequence[int]) -> Collections:
    """A user for each size. Each holds other observations, not all of them alike, so that averages fall anywhere.

    Some hold observations that are missing beside others that are not, some infinite ones.
    """
    held = np.array(vectors(question))
    rng = np.random.default_rng(len(sizes))
    rows = []
    for user, size in enumerate(sizes):
        between = rng.random((2, 1))
        own = held[(user + np.arange(size) % 2 * rng.integers(1, len(held))) % len(held)]
        mine = own.copy() if user % 3 == 0 else own * between[0] + held[user % len(held)] * between[1]
        if question.encoder.within is not None:  # between two codes lies no group
            column = question.encoder.within.column
            mine[:, column] = own[:, column]
        if user % 4 == 1 and size > 1:
            mine[::2] = math.nan
        if user % 9 == 5:
            mine[:1] = math.inf if user % 2 else -math.inf
        rows.append(mine)
    return Collections(np.concatenate(rows), np.concatenate(([0], np.cumsum(sizes))))


def several_slots(question: Question, count: int) -> NDArray[np.int64]:
    """`count` slots: the first ones, one after another, then some inside and the last."""
    first, asked = question.slots.first, question.slots.count
    inside = first + np.linspace(0, asked - 1, 5).astype(np.int64)[1:]
    run = first + np.arange(max(0, count - len(inside))) % asked
    return np.concatenate((run, inside))[-count:]


def vectors(question: Question) -> list[Floats]:
    """Observations that a question's encoder puts in many different places."""
    width, within = question.encoder.dimension, question.encoder.within
    found = [np.full(width, value) for value in _numbers(question)] + _vectors(question, width)
    if within is None:
        return found
    some = range(0, within.count - 1, -(-within.count // 8))
    codes = (*map(float, some), within.count - 1.0, float(within.count), 0.5)  # in groups, and in none
    return [np.where(np.arange(width) == within.column, code, one) for one in found for code in codes]


def _numbers(question: Question) -> list[float]:
    """Numbers that occur in the question, and some between and beyond them."""
    statistic: Any = question.encoder.statistic
    placement: Any = question.encoder.placement
    vector = getattr(statistic, "vector", None)
    found = {0.0, 1.0, -1.0}
    for name in ("low", "high", "below", "threshold", "thresholds", "edges"):
        for holder in (placement, statistic, vector):
            value = getattr(holder, name, ())
            found.update(value if isinstance(value, tuple) else (value,))
    if isinstance(statistic, (Residual, Joint)):
        reach = statistic.reach if isinstance(statistic, Joint) else placement.high[0]
        shifts = reach * np.linspace(-1, 1, 5)
        found.update(centre + float(shift) for centre in statistic.centres for shift in shifts)
    if isinstance(vector, (Categories, Below)):
        found.update(_in_each(vector.places if isinstance(vector, Categories) else Bins(edges=vector.thresholds)))
    if isinstance(vector, Cosines):
        found.update(float(value) for value in np.linspace(vector.low, vector.high, 17))
    low, high = min(found), max(found)
    return sorted({*found, *(float(value) for value in np.linspace(low, high, 9)), low - 1, high + 1})


def _in_each(places: Grid | Bins) -> list[float]:
    """A number in each bin, of some where there are many."""
    if isinstance(places, Bins):
        edges = [places.edges[0] - 1, *places.edges, places.edges[-1] + 1] if places.edges else [0.0, 1.0]
    else:
        edges = [float(edge) for edge in np.linspace(places.low[0], places.high[0], places.count + 1)]
    middles = [(left + right) / 2 for left, right in pairwise(edges)]
    return middles[:: -(-len(middles) // 64)]


def _vectors(question: Question, width: int) -> list[Floats]:
    statistic = question.encoder.statistic
    vector = getattr(statistic, "vector", None)
    if isinstance(statistic, (Norm, Direction)) and isinstance(vector, (Averages, Inside)):  # all around, near and far
        around = np.random.default_rng(2).normal(size=(64, width))
        around *= np.geomspace(0.01, 100, 64)[:, None] / np.linalg.norm(around, axis=1, keepdims=True)
        middle, half = (0.0, 1.0) if isinstance(vector, Averages) else (np.array(vector.middle), np.array(vector.half))
        return list(middle + half * (np.asarray(statistic.centre) + around))
    if isinstance(vector, (Averages, Inside, Large)):  # another pattern of columns each
        patterns = np.random.default_rng(3).choice([-1.0, 0.0, 0.5, 1.0], size=(64, width))
        return list(patterns)
    if isinstance(statistic, Nearest):
        return [np.asarray(centre, dtype=np.float64) for centre in statistic.centres[:64]]
    if isinstance(statistic, Hashed):  # the columns with a public sign of one kind
        own = signs(statistic.seed, np.array([question.slots.first]), width)[0]
        return [np.where(own == kind, 2 * statistic.threshold + 1, 0.0) for kind in (-1, 1)]
    if isinstance(statistic, Rotated):
        patterns = np.random.default_rng(1).choice([-1.0, 1.0], size=(64, width))
        return [np.asarray(statistic.centre) + 2 * statistic.radius * pattern for pattern in patterns]
    return []


def _edges(question: Question) -> list[float]:
    """The first inner edge of a binned placement, or of categories or thresholds, and the last."""
    placement: Any = question.encoder.placement
    vector = getattr(question.encoder.statistic, "vector", None)
    if isinstance(vector, Below):
        return [vector.thresholds[0], vector.thresholds[-1]]
    if isinstance(vector, Categories):
        placement = vector.places
    if isinstance(placement, Bins):
        inner = list(placement.edges)
    elif placement.count is not None and placement.count > 1:
        inner = [float(edge) for edge in np.linspace(placement.low[0], placement.high[0], placement.count + 1)[1:-1]]
    else:
        return []
    return [inner[0]] if len(inner) == 1 else [inner[0], inner[-1]]
