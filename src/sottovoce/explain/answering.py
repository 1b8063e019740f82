"""What one device would send to a question, made by the code that runs on devices."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sottovoce.device import Collections, Ledger, SystemEntropy, encode, respond
from sottovoce.messages import Batch, Position, Question, Report


@dataclass(frozen=True, kw_only=True)
class Sent:
    """A report as it would travel."""

    report: Report
    message: bytes

    @property
    def payload_bytes(self) -> int:
        return len(self.report.payload) // 2


def send(question: Question, collection: Collections, *, cap: float | None = None) -> Sent:
    """Answer once, from a fresh ledger in memory; `cap` is its budget (default: what the question declares)."""
    with Ledger(":memory:", cap=question.epsilon if cap is None else cap) as ledger:
        message = respond(
            question.to_bytes(),
            collection,
            slot=question.slots.first,
            digest=question.digest,
            collector="rehearsal",
            source="this collection",
            ledger=ledger,
            entropy=SystemEntropy(),
        )
    return Sent(report=Report.from_bytes(message), message=message)


def inputs(question: Question, collection: Collections) -> NDArray[np.int64] | None:
    """What the encoder hands to the channel, one for each use; None when the device itself draws lots for it.

    Where lots decide only if there is nothing to speak of, they decide nothing for whoever has something.
    """
    encoder = question.encoder
    if encoder.statistic.draws or (encoder.within is not None and encoder.within.drawn):
        return None
    slot = np.array([question.slots.first])
    least, most = (encode(question, collection, slot, _Same(word)).ravel() for word in (0, 2**64 - 1))
    return least if np.array_equal(least, most) else None


@dataclass(frozen=True)
class _Same:
    """Lots that all fall alike."""

    word: int

    def words(self, count: int) -> NDArray[np.uint64]:
        return np.full(count, self.word, dtype=np.uint64)


def placed(question: Question, held: NDArray[np.int64]) -> list[float]:
    """The inputs in the units of the question: clamped numbers, or indices of bins that count from 0."""
    placement, channel = question.encoder.placement, question.channel
    if not isinstance(placement, Position):
        return [int(index) // channel.unit for index in held]
    groups = question.group_of(np.array([question.slots.first]))[0] % placement.parts  # one range for all, or each
    ranges = [(placement.low[group], placement.high[group]) for group in groups]
    return [
        low + (high - low) * int(position) / channel.span for (low, high), position in zip(ranges, held, strict=True)
    ]


def relative_likelihood(question: Question, report: Report, held: NDArray[np.int64]) -> tuple[float, float]:
    """How likely this very report is from other collections, as a multiple of this one: the smallest and the largest.

    Over all inputs of the channel, whether or not a collection leads to them.
    """
    least = most = 0.0
    for own, symbol in zip(held, Batch.of(question, [report]).symbols[0], strict=True):
        others = question.channel.log_likelihoods(symbol, int(own))
        least, most = least + float(others.min()), most + float(others.max())
    return math.exp(least), math.exp(most) if most < 700 else math.inf
