"""From a collection to a statistic, one number for each use, and to a channel's input.

Total: there is exactly one answer for anything a float can hold.

Observations that are NaN are absent. A collection with nothing left has the statistic NaN, which falls where the
question says: in the middle, at the last input, or at any, drawn after all other lots. Sums may overflow to an
infinity, which the clamp then takes care of. After the clamp there are only integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from sottovoce.device.entropy import Entropy
from sottovoce.device.user_collections import Collections, Means
from sottovoce.messages import (
    MAX_WAVES,
    Array,
    Average,
    Basis,
    Below,
    Categories,
    Category,
    Cosines,
    Each,
    Flags,
    Floats,
    Integers,
    Item,
    Knots,
    Position,
    Question,
    Share,
    Within,
    part_numbers,
    take_columns,
    uniform_below,
    zero_for_missing,
)

_AT_ONCE = 2**16


def evaluate(question: Question, people: Collections, slots: Integers, entropy: Entropy) -> Floats:
    """The statistic of every user, for every use: ``(n, uses)``."""
    statistic, groups = question.encoder.statistic, question.group_of(slots)
    if question.encoder.within is not None:
        return _inside(question, question.encoder.within, people, slots, entropy)
    match statistic:
        case Average() if not isinstance(people, Means):
            kept = people if statistic.first is None else people.take(np.arange(people.users), statistic.first)
            return _averaged(statistic, kept, groups)
        case Item() | Each():
            return _picked(statistic, people, groups, entropy)
        case Category():
            own = _picked(Item(column=statistic.vector.column), people, groups, entropy)
            return np.where(np.isnan(own), np.nan, statistic.vector.places.index(own) + 0.5)
    means = people.values if isinstance(people, Means) else np.divide(*totals(question, people, slots))
    words = entropy.words(people.users) if statistic.draws else np.empty(0, dtype=np.uint64)
    return statistic.of(means, groups=groups, slots=slots, words=words)


def _inside(question: Question, within: Within, people: Collections, slots: Integers, entropy: Entropy) -> Floats:
    """Use by use, as if only the observations in its group were there. A group is drawn before all other lots."""
    alone = replace(question, encoder=replace(question.encoder, within=None), groups=1, uses=1)
    looked = (within.column, question.encoder.statistic.dimension - 1)
    index, groups = within.index(*(_observed(people, column) for column in looked)), question.group_of(slots)
    if within.is_drawn:
        groups = within.draw(index, people.sizes, entropy.words(people.users))
    parts = (
        Collections(within.keep_only(people.values, index == each), people.offsets) for each in _each(groups, people)
    )
    return np.hstack([evaluate(alone, own, slots, entropy) for own in parts]) + within.stride * groups


def totals(question: Question, people: Collections, slots: Integers) -> tuple[Floats, Floats]:
    """Sums over each user's observations that are there, ``(n, k)``, and over how many: blocks of rows add up.

    Of the columns, or of public functions of an observation, as the statistic needs; 0 and 0 where there are none.
    """
    statistic = question.encoder.statistic
    match getattr(statistic, "vector", statistic):
        case Share() as share:
            own, limits = _observed(people, share.column), np.asarray(share.below)
            groups = part_numbers(share.parts, question.group_of(slots))
            return _summed((own <= each for each in _each(limits[groups], people)), ~np.isnan(own), people)
        case Basis() as basis:
            own, functions = _observed(people, basis.column), np.asarray(basis.functions)
            present, groups = ~np.isnan(own), part_numbers(basis.parts, question.group_of(slots))
            waves = (basis.function_values(own, each) * present for each in _each(functions[groups], people))
            return _summed(waves, present, people)
        case Cosines() as cosines:
            own = _observed(people, cosines.column)
            present = ~np.isnan(own)
            return _summed(
                (cosines.function_values(own, j) * present for j in range(1, cosines.size + 1)), present, people
            )
        case Categories() | Below() as shares:
            own, width = _observed(people, shares.column), shares.size + 2  # two more: above all thresholds, missing
            index = shares.index(own)
            index += (width - 1 - index) * np.isnan(own)  # arithmetic, and no branch: its time could tell
            user = np.repeat(np.arange(people.users), people.sizes)
            counts = np.bincount(user * width + index, minlength=people.users * width).reshape(-1, width)[:, :-1]
            running = counts if isinstance(shares, Categories) else np.cumsum(counts, axis=1)
            return np.asarray(running[:, :-1], dtype=np.float64), counts.sum(axis=1, keepdims=True).astype(np.float64)
    return _column_totals(people)


def averaged(people: Collections) -> Means:
    """The averages of everybody's columns, all that most questions need; a few users at a time."""
    size = max(1, _AT_ONCE * people.users // max(1, people.values.size))
    with np.errstate(all="ignore"):  # see `encode`
        return Means(np.concatenate([np.divide(*_column_totals(part)) for _, part in people.blocks(size)]))


def _averaged(statistic: Average, people: Collections, groups: Integers) -> Floats:
    columns = np.asarray(statistic.columns)[part_numbers(statistic.parts, groups)]
    if groups.shape[1] >= min(people.dimension, MAX_WAVES):  # many columns are asked for: average them all
        return take_columns(np.divide(*_column_totals(people)), columns)
    picked = (take_columns(people.values, each[:, None]) for each in _each(columns, people))
    asked = (Collections(each.astype(np.float64), people.offsets) for each in picked)  # floats: those asked for only
    return np.concatenate([np.divide(*_column_totals(own)) for own in asked], axis=1)


def _picked(statistic: Item | Each, people: Collections, groups: Integers, entropy: Entropy) -> Floats:
    own = _observed(people, statistic.column)
    present = np.flatnonzero(~np.isnan(own))  # missing observations are absent here too
    starts = np.searchsorted(present, people.offsets)
    sizes = (starts[1:] - starts[:-1])[:, None]
    if isinstance(statistic, Item):
        rows = starts[:-1, None] + uniform_below(entropy.words(groups.size).reshape(groups.shape), sizes)
    else:
        rows = starts[:-1, None] + np.arange(groups.shape[1])[None, :] % np.maximum(sizes, 1)
    if not len(present):
        return np.full(groups.shape, np.nan)
    return np.where(sizes > 0, own[present[np.minimum(rows, len(present) - 1)]], np.nan)


def _each(choices: Array, people: Collections) -> Iterator[Array]:
    """Use by use, what was chosen for a user, for each of the user's observations."""
    return (np.repeat(chosen, people.sizes) for chosen in choices.T)


def _observed(people: Collections, column: int) -> Floats:
    """Everybody's observations of one column, side by side."""
    if column >= people.dimension:
        return np.full(len(people.values), np.nan)
    return people.values[:, column].astype(np.float64)


def _column_totals(people: Collections) -> tuple[Floats, Floats]:
    values = people.values.astype(np.float64, copy=False)
    if people.values.dtype.kind != "f":  # a type without NaN; else one way for all, so that time tells nothing
        return _sums(values, people.offsets), people.sizes[:, None].astype(np.float64)
    return _sums(zero_for_missing(values), people.offsets), _sums(1.0 - np.isnan(values), people.offsets)


def _summed(functions: Iterable[Array], present: Flags, people: Collections) -> tuple[Floats, Floats]:
    """Sums of numbers, zero where they are absent, and of how many are present."""
    sums = [_sums(numbers.astype(np.float64), people.offsets) for numbers in functions]
    return np.stack(sums, axis=1), _sums(present.astype(np.float64), people.offsets)[:, None]


def _sums(values: Floats, offsets: Integers) -> Floats:
    """Sums over consecutive runs; an empty run sums to zero."""
    filled = offsets[1:] > offsets[:-1]
    if filled.all():
        return np.add.reduceat(values, offsets[:-1], axis=0)
    totals = np.zeros((len(filled), *values.shape[1:]))
    if filled.any():
        totals[filled] = np.add.reduceat(values, offsets[:-1][filled], axis=0)
    return totals


def encode(question: Question, people: Collections, slots: Integers, entropy: Entropy) -> Integers:
    """The channel inputs of many users: ``(n, uses)``, each in ``0 … channel.span``."""
    with np.errstate(all="ignore"):  # infinities and NaN are data here, and the clamp answers for them
        groups = question.group_of(slots)
        numbers = np.broadcast_to(evaluate(question, people, slots, entropy), groups.shape)  # one for all uses, or each
        inputs, unit, span = _place(question, numbers, groups), question.channel.unit, np.array(question.channel.span)
        if question.encoder.empty == "middle":
            return inputs
        if question.encoder.empty == "random":  # words are drawn whatever the data are
            span = unit * uniform_below(entropy.words(groups.size).reshape(groups.shape), span // unit + 1)
        return np.asarray(inputs + (span - inputs) * np.isnan(numbers))


def _place(question: Question, numbers: Floats, groups: Integers) -> Integers:
    placement, channel = question.encoder.placement, question.channel
    own = groups if placement.parts > 1 else 0  # the only range, once for all
    if isinstance(placement, Position):
        return (placement.fraction(numbers, own) * channel.span + 0.5).astype(np.int64)  # none is negative: rounded
    if isinstance(placement, Knots):
        return (placement.position(numbers) * channel.unit + 0.5).astype(np.int64)
    return np.asarray(channel.unit * placement.index(numbers, own))
