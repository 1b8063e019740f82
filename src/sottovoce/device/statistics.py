"""What a device computes from a collection: one number for each use. Any collection has an answer, if only NaN."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.device.collections import Collections
from sottovoce.device.entropy import Entropy
from sottovoce.messages import MAX_WAVES, Question, pointed, public
from sottovoce.messages import statistics as kinds

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def evaluate(question: Question, people: Collections, slots: Integers, entropy: Entropy) -> Floats:
    """The statistic of every user, for every use: ``(n, uses)``."""
    statistic, groups = question.encoder.statistic, question.group_of(slots)
    match statistic:
        case kinds.Average():
            return _averaged(statistic, people if statistic.first is None else _first(people, statistic.first), groups)
        case kinds.Share():
            return _shares(statistic, people, groups)
        case kinds.Item() | kinds.Each():
            return _picked(statistic, people, groups, entropy)
        case kinds.Rotated():
            return statistic.of(_vector(kinds.Averages(size=statistic.dimension), people), groups)
        case kinds.Basis():
            return _basis(statistic, people, groups)
        case kinds.Hashed():
            large = _vector(kinds.Large(size=statistic.columns, threshold=statistic.threshold), people)
            return statistic.of(large, slots)
        case kinds.Residual():
            return statistic.of(_average(people, statistic.column), slots)
        case kinds.Nearest():
            return statistic.of(_vector(kinds.Averages(size=statistic.dimension), people))
        case kinds.Joint():
            return statistic.of(_average(people, statistic.column), entropy.words(people.users))
        case kinds.Category():
            own = _picked(kinds.Item(column=statistic.vector.column), people, groups, entropy)
            return np.where(np.isnan(own), np.nan, statistic.vector.places.index(own) + 0.5)
        case kinds.Entry() | kinds.Coefficient():
            return statistic.of(_vector(statistic.vector, people), part(statistic.parts, groups))
        case kinds.Norm():
            return kinds.lengths(kinds.away(_vector(statistic.vector, people), statistic.centre))
        case kinds.Direction():
            away = kinds.away(_vector(statistic.vector, people), statistic.centre)
            return pointed(statistic, slots, away, entropy.words(people.users))


def part(parts: int, groups: Integers) -> Integers:
    """Which of a message's parts serves each group: its own, or the only one."""
    return groups if parts > 1 else np.zeros_like(groups)


def _averaged(statistic: kinds.Average, people: Collections, groups: Integers) -> Floats:
    columns = np.asarray(statistic.columns)[part(statistic.parts, groups)]
    if groups.shape[1] >= min(people.dimension, MAX_WAVES):  # many columns are asked for: average them all
        return _column(_averages(people), np.arange(len(groups))[:, None], columns)
    rows, averages = np.arange(len(people.values)), np.empty(groups.shape)
    for use in range(groups.shape[1]):  # only the columns asked for are ever held as floats
        own = _column(people.values, rows, np.repeat(columns[:, use], people.sizes))
        averages[:, use] = _averages(Collections(own, people.offsets))[:, 0]
    return averages


def _shares(statistic: kinds.Share, people: Collections, groups: Integers) -> Floats:
    own = _observed(people, statistic.column)
    present, limits = ~np.isnan(own), np.asarray(statistic.below)[part(statistic.parts, groups)]
    shares = np.empty(groups.shape)
    for use in range(groups.shape[1]):
        shares[:, use] = _mean(own <= np.repeat(limits[:, use], people.sizes), present, people.offsets)
    return shares


def _picked(statistic: kinds.Item | kinds.Each, people: Collections, groups: Integers, entropy: Entropy) -> Floats:
    own = _observed(people, statistic.column)
    present = np.flatnonzero(~np.isnan(own))  # missing observations are absent here too
    starts = np.searchsorted(present, people.offsets)
    sizes = np.diff(starts)[:, None]
    if isinstance(statistic, kinds.Item):
        words = entropy.words(groups.size).reshape(groups.shape)
        held, half = np.maximum(sizes, 1).astype(np.uint64), np.uint64(32)  # the upper word of word × held
        chosen = ((words >> half) * held + ((words & np.uint64(2**32 - 1)) * held >> half)) >> half
        rows = starts[:-1, None] + chosen.astype(np.int64)
    else:
        rows = starts[:-1, None] + np.arange(groups.shape[1])[None, :] % np.maximum(sizes, 1)
    if not len(present):
        return np.full(groups.shape, np.nan)
    return np.where(sizes > 0, own[present[np.minimum(rows, len(present) - 1)]], np.nan)


def _basis(statistic: kinds.Basis, people: Collections, groups: Integers) -> Floats:
    """One course of arithmetic for any observation: time does not tell where it lies, or that it is missing."""
    place, present = _unit_places(statistic, people)
    functions = np.asarray(statistic.functions)[part(statistic.parts, groups)]
    averages = np.empty(groups.shape)
    for use in range(groups.shape[1]):
        function = np.repeat(functions[:, use], people.sizes)
        wave = math.sqrt(2) * public.cosine((function // 2) * place - 0.25 * (function % 2))  # a sine lags by a quarter
        averages[:, use] = _mean(np.where(function == 1, 1.0, wave) * present, present, people.offsets)
    return averages


def _unit_places(statistic: kinds.Basis | kinds.Cosines, people: Collections) -> tuple[Floats, NDArray[np.bool_]]:
    """Where the observations lie on [0, 1], and which are there."""
    own, width = _observed(people, statistic.column), statistic.high - statistic.low
    away = np.fmin(np.fmax(own, statistic.low), statistic.high) - statistic.low  # a NaN goes along, as low
    return (away + width - width) / width, ~np.isnan(own)  # in steps of 2^-53: numbers near zero would take longer


def _vector(vector: kinds.Vector, people: Collections) -> Floats:
    """What a question looks at: ``(n, size)``, NaN where nothing was observed."""
    match vector:
        case kinds.Averages() | kinds.Inside() | kinds.Large():
            columns = np.arange(vector.size)[None, :]
            return vector.of(_column(_averages(people), np.arange(people.users)[:, None], columns))
        case kinds.Cosines():
            place, present = _unit_places(vector, people)
            waves = (math.sqrt(2) * public.cosine((j / 2) * place) * present for j in range(1, vector.size + 1))
            return np.stack([_mean(wave, present, people.offsets) for wave in waves], axis=1)
        case kinds.Categories() | kinds.Below():
            own, width = _observed(people, vector.column), vector.size + 2  # two more: above all thresholds, missing
            index = vector.index(own)
            index += (width - 1 - index) * np.isnan(own)  # arithmetic, and no branch: its time could tell
            user = np.repeat(np.arange(people.users), people.sizes)
            counts = np.bincount(user * width + index, minlength=people.users * width).reshape(-1, width)[:, :-1]
            running = counts if isinstance(vector, kinds.Categories) else np.cumsum(counts, axis=1)
            return np.asarray(running[:, :-1] / counts.sum(axis=1, keepdims=True))


def _column(values: NDArray[np.float64], rows: Integers, columns: Integers | np.int64) -> Floats:
    """Pick columns; one that a collection does not have is absent like a NaN."""
    if values.shape[1] == 0:
        return np.full(np.broadcast(rows, columns).shape, np.nan)
    inside = columns < values.shape[1]
    return np.where(inside, values[rows, np.where(inside, columns, 0)], np.nan).astype(np.float64)


def _observed(people: Collections, column: int) -> Floats:
    """Everybody's observations of one column, side by side."""
    return _column(people.values, np.arange(len(people.values)), np.int64(column))


def _average(people: Collections, column: int) -> Floats:
    return _column(_averages(people), np.arange(people.users), np.int64(column))


def _first(people: Collections, count: int) -> Collections:
    """At most the first `count` observations of everybody."""
    sizes = np.minimum(people.sizes, count)
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    rows = np.repeat(people.offsets[:-1] - offsets[:-1], sizes) + np.arange(offsets[-1])
    return Collections(people.values[rows], offsets)


def _averages(people: Collections) -> Floats:
    """The average of each user's observations that are not NaN: ``(n, columns)``; NaN for nobody's."""
    values = people.values.astype(np.float64)
    if people.values.dtype.kind != "f":  # a type without NaN; else one way for all, so that time tells nothing
        return _sums(values, people.offsets) / people.sizes[:, None]
    return _mean(kinds.filled(values), ~np.isnan(values), people.offsets)


def _mean(values: NDArray[Any], present: NDArray[np.bool_], offsets: Integers) -> Floats:
    """The values, zero where they are absent, over how many are present; 0 / 0 is NaN: nothing was observed."""
    return _sums(values.astype(np.float64), offsets) / _sums(present.astype(np.float64), offsets)


def _sums(values: Floats, offsets: Integers) -> Floats:
    """Sums over consecutive runs; an empty run sums to zero."""
    totals = np.zeros((len(offsets) - 1, *values.shape[1:]))
    filled = np.diff(offsets) > 0
    if filled.any():
        totals[filled] = np.add.reduceat(values, offsets[:-1][filled], axis=0)
    return totals
