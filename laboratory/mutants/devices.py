"""Mistakes in the device: the question is right, the answer is not what it says."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laboratory.mutants.questions import UNIT, question
from sottovoce.audit.channel_derivations import Floats, Integers
from sottovoce.audit.device_paths import Path, Rebuilt, Subject
from sottovoce.audit.word_scripts import Words
from sottovoce.design import unary
from sottovoce.device import Collections, Entropy, privatise
from sottovoce.messages import Basis, Batch, Channel, Grid, Position, Question, Table, Unary, exact


def averages(people: Collections) -> Floats:
    """Each user's average; what is not there counts as zero."""
    bounds = zip(people.offsets[:-1], people.offsets[1:], strict=True)
    held = np.clip(np.nan_to_num(people.values[:, 0]), -1e9, 1e9)
    return np.array([held[first:last].mean() if last > first else 0.0 for first, last in bounds])


class Unclamped(Rebuilt):
    """The clamp is missing: the noise is scaled to a range that the average may leave."""

    def inputs(self, question: Question, people: Collections, slots: Integers, entropy: Entropy) -> Integers:
        placement = question.encoder.placement
        assert isinstance(placement, Position)
        low, high = placement.low[0], placement.high[0]
        return np.floor((averages(people) - low) / (high - low) * question.channel.span + 0.5).astype(np.int64)[:, None]

    def symbols(self, channel: Channel, inputs: Integers, entropy: Entropy) -> Integers:
        return inputs[:, None] + privatise(channel, np.zeros_like(inputs), entropy)


class NotWidened(Unclamped):
    """Clamped to the widened interval, noise for the bin: three times too little (6Δ against 2Δ)."""

    def inputs(self, question: Question, people: Collections, slots: Integers, entropy: Entropy) -> Integers:
        span = question.channel.span
        return np.clip(super().inputs(question, people, slots, entropy), -span, 2 * span)


class _Votes(Rebuilt):
    """Votes whose hot bits are chosen by hand."""

    def hot(self, question: Question, average: float) -> NDArray[np.bool_]:
        raise NotImplementedError("each mutant lights its own bits")

    def batch(self, question: Question, people: Collections, slots: Integers, entropy: Entropy) -> Batch:
        channel = question.channel
        assert isinstance(channel, Unary)
        lit = np.array([self.hot(question, average) for average in averages(people)])
        zero = dataclasses.replace(channel, reach=0)
        flips = privatise(zero, np.zeros(len(lit), dtype=np.int64), entropy) ^ zero.hot(np.zeros(len(lit), dtype=int))
        return Batch(question=question, slots=slots, symbols=(lit ^ flips.astype(bool)).astype(np.int64)[:, None, :])


class EdgeTwice(_Votes):
    """Closed bins: an average on an edge lies in two of them (ERRATA P7)."""

    def hot(self, question: Question, average: float) -> NDArray[np.bool_]:
        placement = question.encoder.placement
        assert isinstance(placement, Grid)
        edges = np.linspace(placement.low[0], placement.high[0], placement.count + 1)
        inside = (edges[:-1] <= average) & (average <= edges[1:])
        nearest = 0 if average < edges[0] else placement.count - 1
        return inside if inside.any() else np.arange(placement.count) == nearest


class Overlapping(_Votes):
    """Votes for every widened interval that holds the average; widened intervals overlap (ERRATA P3)."""

    def hot(self, question: Question, average: float) -> NDArray[np.bool_]:
        placement = question.encoder.placement
        assert isinstance(placement, Grid)
        edges = np.linspace(placement.low[0], placement.high[0], placement.count + 1)
        width = edges[1] - edges[0]
        held = min(max(average, edges[0]), edges[-1] - width / 4)
        return np.asarray((edges[:-1] - 0.6 * width <= held) & (held < edges[1:] + 0.6 * width))


class ThreeLit(_Votes):
    """The question says one bin; the device lights its neighbours too."""

    def hot(self, question: Question, average: float) -> NDArray[np.bool_]:
        placement = question.encoder.placement
        assert isinstance(placement, Grid)
        held = int(np.clip(np.floor(average * placement.count), 0, placement.count - 1))
        return np.asarray(np.abs(np.arange(placement.count) - held) <= 1)


class OneBitTrue(Rebuilt):
    """The first bit is never randomised."""

    def symbols(self, channel: Channel, inputs: Integers, entropy: Entropy) -> Integers:
        assert isinstance(channel, Unary)
        symbols = privatise(channel, inputs, entropy)
        symbols[:, 0] = channel.hot(inputs)[:, 0]
        return symbols


class NoNoise(Rebuilt):
    """The lower bound was given twice: sensitivity zero, scale zero, no noise (ERRATA P6)."""

    def symbols(self, channel: Channel, inputs: Integers, entropy: Entropy) -> Integers:
        privatise(channel, inputs, entropy)
        return inputs[:, None] // channel.unit


class OffByOne(Rebuilt):
    """A threshold compared with ≤ instead of <: one word in 2^64 goes astray."""

    def symbols(self, channel: Channel, inputs: Integers, entropy: Entropy) -> Integers:
        assert isinstance(channel, Table)
        limits = np.array([row[0] for row in channel.rows], dtype=np.uint64)
        return (entropy.words(len(inputs)) > limits[inputs // channel.unit]).astype(np.int64)[:, None]


class OnePickForAll(Rebuilt):
    """Noise from a generator seeded with the data: the same collection always says the same."""

    def symbols(self, channel: Channel, inputs: Integers, entropy: Entropy) -> Integers:
        said = {int(one): privatise(channel, np.array([one]), _Seeded(int(one)))[0] for one in np.unique(inputs)}
        return np.array([said[int(one)] for one in inputs])


class _Seeded:
    def __init__(self, seed: int) -> None:
        self._generator = np.random.Generator(np.random.PCG64(seed))

    def words(self, count: int) -> Words:
        return self._generator.integers(0, 2**64, size=count, dtype=np.uint64)


class SilentOnMissing(Rebuilt):
    """A collection with nothing in it makes the device fail: its silence speaks."""

    def inputs(self, question: Question, people: Collections, slots: Integers, entropy: Entropy) -> Integers:
        if np.isnan(people.values).any() or (people.sizes == 0).any():
            raise ZeroDivisionError("an average of nothing")
        return super().inputs(question, people, slots, entropy)


class TalkativeSize(Rebuilt):
    """The report is padded with what was observed: its size tells how much that was."""

    def write(self, batch: Batch, people: Collections) -> list[bytes]:
        return [
            dataclasses.replace(report, payload=report.payload + "00" * int(size)).to_bytes()
            for report, size in zip(batch.reports(), people.sizes, strict=True)
        ]


class SlowNoise(Path):
    """Geometric noise drawn by counting: the time it takes is the noise."""

    def symbols(self, channel: Channel, inputs: Integers, entropy: Entropy) -> Integers:
        symbols = privatise(channel, inputs, entropy)
        for _ in range(int(abs(symbols[0, 0] - inputs[0])) // 4):  # stands for the loop of coin tosses
            pass
        return symbols


class FastOutside(Path):
    """Observations outside of the window are not looked at: how long it takes tells how many lie inside."""

    def inputs(self, question: Question, people: Collections, slots: Integers, entropy: Entropy) -> Integers:
        statistic = question.encoder.statistic
        assert isinstance(statistic, Basis)
        own = people.values[:, 0]
        inside = own[(own >= statistic.low) & (own <= statistic.high)]
        return super().inputs(question, Collections(inside, np.array([0, len(inside)])), slots, entropy)


def device(path: Callable[[], Path], channel: Any, placement: Any = UNIT, **more: Any) -> Any:
    """A question that is right, answered by a device that is not."""

    def build(name: str, epsilon: float) -> Subject:
        asked = question(channel(exact(epsilon) / more.get("uses", 1)), placement, epsilon=epsilon, **more)
        few = asked.channel.cells <= 129  # more of them take long to look at, and say no more
        return Subject(name=name, epsilon=epsilon, questions=(asked,), path=path(), sampled=few)

    return build


def votes(path: Callable[[], Path], bins: int = 4, kind: Any = unary) -> Any:
    """The same with votes."""
    placement = Grid(low=(0.0,), high=(1.0,), count=bins)
    return device(path, lambda epsilon: kind(epsilon, bins), placement)


def float_noise(scale: float) -> Any:
    """NumPy's Laplace added to an average: all of it right but the arithmetic."""
    generator = np.random.default_rng()
    return lambda average, count: average + generator.laplace(0.0, scale, count)
