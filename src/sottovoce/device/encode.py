"""From a collection to a channel's input: total, with exactly one answer for anything a float can hold.

Observations that are NaN are absent. A collection with nothing left has the statistic NaN, which has a place of
its own choosing: the middle. Sums may overflow to an infinity, which the clamp then takes care of. After the clamp
there are only integers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sottovoce.device.collections import Collections
from sottovoce.device.entropy import Entropy
from sottovoce.messages import Average, Bins, Each, Grid, Item, Question, Share

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def encode(question: Question, people: Collections, slots: Integers, entropy: Entropy) -> Integers:
    """The channel inputs of many users: ``(n, uses)``, each in ``0 … channel.span``."""
    groups = question.group_of(slots)
    with np.errstate(all="ignore"):  # infinities and NaN are data here, and the clamp answers for them
        numbers = _statistic(question, people, groups, entropy)
        return _place(question, numbers, groups)


def _statistic(question: Question, people: Collections, groups: Integers, entropy: Entropy) -> Floats:
    statistic = question.encoder.statistic
    if isinstance(statistic, Average):
        kept = people if statistic.first is None else _first(people, statistic.first)
        averages = _averages(kept.values, kept.offsets)
        columns = np.asarray(statistic.columns)[_part(statistic.parts, groups)]
        return _column(averages, np.arange(len(groups))[:, None], columns)
    if isinstance(statistic, Share):
        shares = np.empty(groups.shape)
        own = _column(people.values, np.arange(len(people.values)), np.int64(statistic.column))
        limits = np.asarray(statistic.below)[_part(statistic.parts, groups)]
        for use in range(groups.shape[1]):
            limit = np.repeat(limits[:, use], people.sizes)
            below = np.where(np.isnan(own), np.nan, own <= limit)
            shares[:, use] = _averages(below[:, None], people.offsets)[:, 0]
        return shares
    sizes = people.sizes[:, None]
    if isinstance(statistic, Item):
        words = entropy.words(groups.size).reshape(groups.shape)
        chosen = ((words >> np.uint64(32)) * np.maximum(sizes, 1).astype(np.uint64)) >> np.uint64(32)
        rows = people.offsets[:-1, None] + chosen.astype(np.int64)
    else:
        assert isinstance(statistic, Each)
        rows = people.offsets[:-1, None] + np.arange(groups.shape[1])[None, :] % np.maximum(sizes, 1)
    if not len(people.values):
        return np.full(groups.shape, np.nan)
    picked = _column(people.values, np.minimum(rows, len(people.values) - 1), np.int64(statistic.column))
    return np.where(sizes > 0, picked, np.nan)


def _place(question: Question, numbers: Floats, groups: Integers) -> Integers:
    placement, channel = question.encoder.placement, question.channel
    if isinstance(placement, Bins):
        index = np.searchsorted(np.asarray(placement.edges), numbers, side="right").astype(np.int64)
        return np.asarray(channel.unit * np.where(np.isnan(numbers), placement.count // 2, index))
    part = _part(placement.parts, groups)
    low, high = np.asarray(placement.low)[part], np.asarray(placement.high)[part]
    fraction = (np.clip(numbers, low, high) - low) / (high - low)
    fraction = np.where(np.isnan(fraction), 0.5, fraction)
    if isinstance(placement, Grid):
        index = np.minimum(np.floor(fraction * placement.count).astype(np.int64), placement.count - 1)
        return np.asarray(channel.unit * index)
    return np.floor(fraction * channel.span + 0.5).astype(np.int64)


def _part(parts: int, groups: Integers) -> Integers:
    """Which of a message's parts serves each group: its own, or the only one."""
    return groups if parts > 1 else np.zeros_like(groups)


def _column(values: Floats, rows: Integers, columns: Integers | np.int64) -> Floats:
    """Pick columns; one that a collection does not have is absent like a NaN."""
    inside = columns < values.shape[1]
    return np.where(inside, values[rows, np.where(inside, columns, 0)], np.nan)


def _first(people: Collections, count: int) -> Collections:
    """At most the first `count` observations of everybody."""
    sizes = np.minimum(people.sizes, count)
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    rows = np.repeat(people.offsets[:-1] - offsets[:-1], sizes) + np.arange(offsets[-1])
    return Collections(people.values[rows], offsets)


def _averages(values: Floats, offsets: Integers) -> Floats:
    """The average of each user's observations that are not NaN: ``(n, columns)``; NaN for nobody's."""
    absent = np.isnan(values)
    totals = _sums(np.where(absent, 0.0, values), offsets)
    present = np.diff(offsets)[:, None] - _sums(absent.astype(np.float64), offsets)
    return totals / present  # 0 / 0 is NaN: nothing was observed


def _sums(values: Floats, offsets: Integers) -> Floats:
    """Sums over consecutive runs; an empty run sums to zero."""
    totals = np.zeros((len(offsets) - 1, values.shape[1]))
    filled = np.diff(offsets) > 0
    if filled.any():
        totals[filled] = np.add.reduceat(values, offsets[:-1][filled], axis=0)
    return totals
