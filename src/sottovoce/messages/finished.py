"""What becomes of averages: the second half of every statistic that needs no more of a collection."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import statistics as kinds
from sottovoce.messages.turns import pointed

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def finished(
    statistic: kinds.Statistic, means: Floats, *, groups: Integers, slots: Integers, words: NDArray[np.uint64]
) -> Floats:
    """The statistic of every user, for every use, ``(n, uses)``; `words` are uniform, for those that draw lots.

    `means` are of the collections' columns, or of what the statistic sums (see `needs`); NaN where nothing was seen.
    """
    match statistic:
        case kinds.Average():
            columns = np.asarray(statistic.columns)
            every = part(statistic.parts, groups if statistic.parts > 1 else groups[:1])  # one for all, where it is
            return columns_of(means, columns[every])
        case kinds.Rotated():
            return statistic.of(_vector(kinds.Averages(size=statistic.dimension), means), groups)
        case kinds.Hashed():
            large = _vector(kinds.Large(size=statistic.columns, threshold=statistic.threshold), means)
            return statistic.of(large, slots)
        case kinds.Residual():
            return statistic.of(columns_of(means, np.array([[statistic.column]]))[:, 0], slots)
        case kinds.Nearest():
            return statistic.of(_vector(kinds.Averages(size=statistic.dimension), means))
        case kinds.Joint():
            return statistic.of(columns_of(means, np.array([[statistic.column]]))[:, 0], words)
        case kinds.Entry() | kinds.Coefficient():
            return statistic.of(_vector(statistic.vector, means), part(statistic.parts, groups))
        case kinds.Norm():
            return kinds.lengths(kinds.away(_vector(statistic.vector, means), statistic.centre))
        case kinds.Direction():
            away = kinds.away(_vector(statistic.vector, means), statistic.centre)
            return pointed(statistic, slots, away, words)
        case _:  # a mean for each use
            return means


def part(parts: int, groups: Integers) -> Integers:
    """Which of a message's parts serves each group: its own, or the only one."""
    return groups if parts > 1 else np.zeros(groups.shape, dtype=np.int64)


def columns_of(means: Floats, columns: Integers) -> Floats:
    """Columns of everybody's averages, a row of them for each or one for all; one that is not there is NaN."""
    inside = columns < means.shape[1]
    if len(columns) == 1 and inside.all():
        return means[:, columns[0]]
    if means.shape[1] == 0:
        return np.full((len(means), columns.shape[1]), np.nan)
    there = np.where(inside, columns, 0)
    picked = means[:, there[0]] if len(there) == 1 else np.take_along_axis(means, there, axis=1)
    return np.where(inside, picked, np.nan)


def _vector(vector: kinds.Vector, means: Floats) -> Floats:
    """What a question looks at: ``(n, size)``."""
    if isinstance(vector, kinds.Averages | kinds.Inside | kinds.Large):
        return vector.of(columns_of(means, np.arange(vector.size)[None, :]))
    return means
