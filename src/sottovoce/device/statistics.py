"""What a device computes from a collection: one number for each use. Any collection has an answer, if only NaN."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.device.collections import Collections
from sottovoce.device.entropy import Entropy
from sottovoce.messages import MAX_WAVES, Question, public
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
            return _rotated(statistic, people, groups)
        case kinds.Basis():
            return _basis(statistic, people, groups)
        case kinds.Hashed():
            large = np.abs(_columns(_averages(people), statistic.columns)) >= statistic.threshold
            signed = large * public.signs(statistic.seed, slots, statistic.columns)
            return np.asarray(signed.sum(axis=1, keepdims=True), dtype=np.float64)
        case kinds.Residual():
            average = _column(_averages(people), np.arange(people.users), np.int64(statistic.column))
            centres = np.asarray(statistic.centres)
            nearest = np.argmin(np.abs(average[:, None] - centres[None, :]), axis=1)
            sign = public.signs(statistic.seed, slots, len(centres))[np.arange(people.users), nearest]
            return np.asarray((sign * (average - centres[nearest]))[:, None])
        case kinds.Nearest():
            centres = np.asarray(statistic.centres)
            apart = _columns(_averages(people), centres.shape[1])[:, None, :] - centres[None, :, :]
            far = np.abs(apart).max(axis=2) if statistic.metric == "linf" else (apart**2).sum(axis=2)
            return np.where(np.isnan(far).all(axis=1), np.nan, np.argmin(far, axis=1) + 0.5)[:, None]


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
    own = _column(people.values, np.arange(len(people.values)), np.int64(statistic.column))
    present, limits = ~np.isnan(own), np.asarray(statistic.below)[part(statistic.parts, groups)]
    shares = np.empty(groups.shape)
    for use in range(groups.shape[1]):
        shares[:, use] = _mean(own <= np.repeat(limits[:, use], people.sizes), present, people.offsets)
    return shares


def _picked(statistic: kinds.Item | kinds.Each, people: Collections, groups: Integers, entropy: Entropy) -> Floats:
    own = _column(people.values, np.arange(len(people.values)), np.int64(statistic.column))
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


def _rotated(statistic: kinds.Rotated, people: Collections, groups: Integers) -> Floats:
    centre = np.asarray(statistic.centre)
    averages = _averages(people)[:, : len(centre)]
    away = np.zeros((people.users, len(centre)))  # what is missing counts as the centre, as everywhere
    away[:, : averages.shape[1]] = np.nan_to_num(averages - centre[: averages.shape[1]], nan=0.0)
    away = np.clip(away, -1e150, 1e150)
    lengths = np.sqrt((away**2).sum(axis=1, keepdims=True))
    away = away * np.minimum(1.0, statistic.radius / np.maximum(lengths, statistic.radius))
    away = away * public.rotation_signs(statistic.seed, statistic.size)[: len(centre)]
    turned = np.empty(groups.shape)
    for use in range(groups.shape[1]):
        rows = public.hadamard_rows(groups[:, use], statistic.size)[:, : len(centre)]
        turned[:, use] = (rows * away).sum(axis=1) / math.sqrt(statistic.size)
    return turned


def _basis(statistic: kinds.Basis, people: Collections, groups: Integers) -> Floats:
    """One course of arithmetic for any observation: time does not tell where it lies, or that it is missing."""
    own = _column(people.values, np.arange(len(people.values)), np.int64(statistic.column))
    present, width = ~np.isnan(own), statistic.high - statistic.low
    away = np.fmin(np.fmax(own, statistic.low), statistic.high) - statistic.low  # a NaN goes along, as low
    place = (away + width - width) / width  # on [0, 1], in steps of 2^-53: numbers near zero would take longer
    functions = np.asarray(statistic.functions)[part(statistic.parts, groups)]
    averages = np.empty(groups.shape)
    for use in range(groups.shape[1]):
        function = np.repeat(functions[:, use], people.sizes)
        wave = math.sqrt(2) * _cosine((function // 2) * place - 0.25 * (function % 2))  # a sine lags by a quarter
        averages[:, use] = _mean(np.where(function == 1, 1.0, wave) * present, present, people.offsets)
    return averages


_SINE = [(-1) ** n * (2 * math.pi) ** (2 * n + 1) / math.factorial(2 * n + 1) for n in range(11)]


def _cosine(turns: Floats) -> Floats:
    """cos(2π·turns) to 1e-15, without the branches of a library's: −sin(2πz) with z in [−¼, ¼], by its series."""
    quarter = 0.25 - np.abs(turns - np.floor(turns) - 0.5)
    square, series = quarter * quarter, np.zeros_like(quarter)
    for coefficient in reversed(_SINE):
        series = series * square + coefficient
    return -quarter * series


def _column(values: NDArray[np.float64], rows: Integers, columns: Integers | np.int64) -> Floats:
    """Pick columns; one that a collection does not have is absent like a NaN."""
    if values.shape[1] == 0:
        return np.full(np.broadcast(rows, columns).shape, np.nan)
    inside = columns < values.shape[1]
    return np.where(inside, values[rows, np.where(inside, columns, 0)], np.nan).astype(np.float64)


def _columns(averages: Floats, wanted: int) -> Floats:
    """The first `wanted` columns; what was not observed, or is not there, is zero."""
    filled = np.nan_to_num(averages[:, :wanted], nan=0.0, posinf=np.inf, neginf=-np.inf)
    return filled if filled.shape[1] == wanted else np.pad(filled, ((0, 0), (0, wanted - filled.shape[1])))


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
    absent = np.isnan(values)
    return _mean(np.where(absent, 0.0, values), ~absent, people.offsets)


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
