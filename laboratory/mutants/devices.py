"""Mistakes of a device around its sampler: in what is encoded, lit, sent, or done for some people and not for others.

Each is a step for `alter`: it is handed the right step, and then what that takes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laboratory.mutants.mutant import Step, altered
from laboratory.mutants.sources import Changed, Generator, Kept
from sottovoce.audit.channel_derivations import Floats, Integers
from sottovoce.audit.device_paths import Path
from sottovoce.device import Collections, Entropy, privatise
from sottovoce.messages import Batch, Channel, Grid, Question, Table, Unary

Bits = NDArray[np.bool_]


def averages(people: Collections) -> Floats:
    """Each user's average; what is not there counts as zero."""
    values = np.clip(np.nan_to_num(people.values[:, 0]), -1e9, 1e9)
    runs = pairwise(people.offsets)
    return np.array([values[first:last].mean() if last > first else 0.0 for first, last in runs])


def unclamped(clip: Callable[[Integers, int], Integers] = lambda inputs, span: inputs) -> Path:
    """The clamp is missing: the noise is scaled to a range that the average may leave, as far as `clip` lets it."""

    def inputs(right: Step, question: Question, people: Collections, *_: Any) -> Integers:
        span = question.channel.span  # of a range from 0 to 1
        return clip(np.floor(averages(people) * span + 0.5).astype(np.int64)[:, None], span)

    def symbols(right: Step, channel: Channel, inputs: Integers, entropy: Entropy) -> Any:
        return inputs[:, None] + right(channel, np.zeros_like(inputs), entropy)

    return altered(inputs=inputs, symbols=symbols)


NOT_WIDENED = unclamped(lambda inputs, span: np.clip(inputs, -span, 2 * span))
"""Clamped to the widened interval, noise for the bin: three times too little (6Δ against 2Δ)."""


def lit(hot: Callable[[Floats, float], Bits]) -> Path:
    """Votes whose hot bits are chosen by hand, from the edges of the bins and an average."""

    def batch(right: Step, question: Question, people: Collections, slots: Integers, entropy: Entropy) -> Batch:
        channel, placement = question.channel, question.encoder.placement
        assert isinstance(channel, Unary) and isinstance(placement, Grid)
        edges = np.linspace(placement.low[0], placement.high[0], channel.items + 1)
        bits = np.array([hot(edges, average) for average in averages(people)])
        zeros, zero = np.zeros(len(bits), dtype=np.int64), replace(channel, reach=0)
        flips = privatise(zero, zeros, entropy) ^ zero.hot_bits(zeros)
        return Batch(question=question, slots=slots, symbols=(bits ^ flips.astype(bool)).astype(np.int64)[:, None, :])

    return altered(batch=batch)


def edge_twice(edges: Floats, average: float) -> Bits:
    """Closed bins: an average on an edge lies in two of them (ERRATA P7)."""
    inside = (edges[:-1] <= average) & (average <= edges[1:])
    nearest = 0 if average < edges[0] else len(inside) - 1
    return inside if inside.any() else np.arange(len(inside)) == nearest


def overlapping(edges: Floats, average: float) -> Bits:
    """Votes for every widened interval that holds the average; widened intervals overlap (ERRATA P3)."""
    width = edges[1] - edges[0]
    place = min(max(average, edges[0]), edges[-1] - width / 4)
    return np.asarray((edges[:-1] - 0.6 * width <= place) & (place < edges[1:] + 0.6 * width))


def three_lit(edges: Floats, average: float) -> Bits:
    """The question says one bin; the device lights its neighbours too."""
    bins = len(edges) - 1
    place = int(np.clip(np.floor(average * bins), 0, bins - 1))
    return np.asarray(np.abs(np.arange(bins) - place) <= 1)


def one_bit_true(right: Step, channel: Unary, inputs: Integers, entropy: Entropy) -> Integers:
    """The first bit is never randomised."""
    symbols: Integers = right(channel, inputs, entropy)
    symbols[:, 0] = channel.hot_bits(inputs)[:, 0]
    return symbols


def no_noise(right: Step, channel: Channel, inputs: Integers, entropy: Entropy) -> Integers:
    """The lower bound was given twice: sensitivity zero, scale zero, no noise (ERRATA P6)."""
    right(channel, inputs, entropy)
    return inputs[:, None] // channel.unit


def off_by_one(right: Step, channel: Table, inputs: Integers, entropy: Entropy) -> Integers:
    """A threshold compared with ≤ instead of <: one word in 2^64 goes astray."""
    limits = np.array([row[0] for row in channel.rows], dtype=np.uint64)
    return (entropy.words(len(inputs)) > limits[inputs // channel.unit]).astype(np.int64)[:, None]


def seeded_with_data(right: Step, channel: Channel, inputs: Integers, entropy: Entropy) -> Integers:
    """Noise from a generator seeded with the data: the same collection always says the same."""
    answers = {one: right(channel, np.array([one]), Generator(one))[0] for one in set(inputs.tolist())}
    return np.array([answers[one] for one in inputs.tolist()])


def slow_noise(right: Step, channel: Channel, inputs: Integers, entropy: Entropy) -> Integers:
    """Geometric noise drawn by counting: the time it takes is the noise."""
    symbols: Integers = right(channel, inputs, entropy)
    for _ in range(int(abs(symbols[0, 0] - inputs[0])) // 4):  # stands for the loop of coin tosses
        pass
    return symbols


def fast_outside(right: Step, question: Question, people: Collections, *more: Any) -> Any:
    """Observations outside of the window are not looked at: how long it takes tells how many lie inside."""
    window: Any = question.encoder.statistic
    values = people.values[:, 0]
    inside = values[(values >= window.low) & (values <= window.high)]
    return right(question, Collections(inside, np.array([0, len(inside)])), *more)


def talkative(right: Step, batch: Batch, people: Collections) -> list[bytes]:
    """The report is padded with what was observed: its size tells how much that was."""
    return [
        replace(report, payload=report.payload + "00" * int(size)).to_bytes()
        for report, size in zip(batch.reports(), people.sizes, strict=True)
    ]


def fails(error: type[Exception], when: Callable[[Collections], Any]) -> Step:
    """A step that ends in an exception for some collections: their silence speaks."""

    def step(right: Step, question: Question, people: Collections, *more: Any) -> Any:
        if when(people):
            raise error("of some collections")
        return right(question, people, *more)

    return step


def quiet(where: Callable[[Collections, Integers], Any]) -> Path:
    """No noise for some: the input is sent as it is. For tables of as many symbols as nodes."""

    def batch(right: Step, question: Question, people: Collections, slots: Integers, entropy: Entropy) -> Batch:
        noisy: Batch = right(question, people, slots, entropy)
        plain = (path.inputs(question, people, slots, entropy) // question.channel.unit)[:, :, None]
        symbols = np.where(where(people, slots)[:, None, None], plain, noisy.symbols)
        return Batch(question=question, slots=slots, symbols=symbols)

    path = altered(batch=batch)
    return path


def partly_missing(people: Collections, slots: Integers) -> Bits:
    """Where some observations are missing and others are not."""
    gaps = [np.isnan(people.values[first:last]) for first, last in pairwise(people.offsets)]
    return np.array([bool(gap.any() and not gap.all()) for gap in gaps])


def shared_by_users(right: Step, question: Question, people: Collections, slots: Integers, entropy: Entropy) -> Batch:
    """Answered in pairs, and the second of a pair uses the words of the first."""
    words, batches = Kept(entropy), []
    for user in range(len(slots)):
        words = words.again() if user % 2 else Kept(entropy)
        batches.append(right(question, people.take(np.array([user])), slots[user : user + 1], words))
    return Batch(question=question, slots=slots, symbols=np.concatenate([one.symbols for one in batches]))


def shared_by_uses(right: Step, channel: Channel, inputs: Integers, entropy: Entropy) -> Integers:
    """A user's second answer, of two, uses the words of the first: together they say more than twice as much."""
    words = Kept(entropy)
    symbols = [right(channel, inputs[use::2], words.again()) for use in range(2)]
    return np.stack(symbols, axis=1).reshape(len(inputs), -1)


def word_for_nothing(right: Step, question: Question, people: Collections, slots: Integers, entropy: Entropy) -> Any:
    """The word that places nothing is drawn only by who has nothing: how many are drawn tells."""
    plain = replace(question, encoder=replace(question.encoder, empty="middle"))
    users = [(people.take(np.array([user])), slots[user : user + 1]) for user in range(people.users)]
    asked = [question if np.isnan(one.values[:, 0]).all() else plain for one, _ in users]
    return np.concatenate([right(what, *user, entropy) for what, user in zip(asked, users, strict=True)])


def word_for_several(right: Step, question: Question, people: Collections, slots: Integers, entropy: Entropy) -> Any:
    """Who is in one group only draws no word for it: how many are drawn tells."""
    within = question.encoder.within
    assert within is not None
    groups = people.values[:, within.column]
    most = max((len(np.unique(groups[first:last])) for first, last in pairwise(people.offsets)), default=0)
    calls = iter(range(2**62))
    spared = Changed(lambda count: entropy.words(count) if next(calls) else np.zeros(count, dtype=np.uint64))
    return right(question, people, slots, entropy if most > 1 else spared)


def silent_outside_its_group(right: Step, question: Question, *more: Any) -> Integers:
    """Only who has something in the group that falls to them answers: silence tells the group."""
    inputs: Integers = right(question, *more)
    if (inputs == question.channel.span).any():  # the place of nothing
        raise ZeroDivisionError("an average of nothing")
    return inputs


def slot_by_group(right: Step, question: Question, one: Collections, slot: int, entropy: Entropy) -> Any:
    """A report in the name of a slot that is dealt one's own group: who answers for which group tells."""
    within = question.encoder.within
    assert within is not None
    groups = one.values[:, within.column]
    group = int(groups[0]) if len(groups) and groups[0] in range(within.count) else 0
    return right(question, one, question.slots.first + group, entropy)
