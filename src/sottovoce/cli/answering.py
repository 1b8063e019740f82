"""What one device would send to a question, made by the code that runs on devices."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sottovoce.device import Collections, Ledger, SystemEntropy, encode, respond
from sottovoce.messages import Batch, Channel, Item, Laplace, Position, Question, Report, Table, Unary


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A report as it would travel."""

    report: Report
    message: bytes

    @property
    def payload_bytes(self) -> int:
        return len(self.report.payload) // 2


def answer(question: Question, collection: Collections, *, cap: float | None = None) -> Answer:
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
    return Answer(report=Report.from_bytes(message), message=message)


def inputs(question: Question, collection: Collections) -> NDArray[np.int64] | None:
    """What the encoder hands to the channel, one for each use; None when the device itself draws lots for it."""
    if isinstance(question.encoder.statistic, Item):
        return None
    return encode(question, collection, np.array([question.slots.first]), SystemEntropy()).ravel()


def placed(question: Question, held: NDArray[np.int64]) -> list[float]:
    """The inputs in the units of the question: clamped numbers, or indices of bins that count from 0."""
    placement, channel = question.encoder.placement, question.channel
    if not isinstance(placement, Position):
        return [int(index) // channel.unit for index in held]
    low, high = placement.low[0], placement.high[0]
    return [low + (high - low) * int(position) / channel.span for position in held]


def relative_likelihood(question: Question, report: Report, held: NDArray[np.int64]) -> tuple[float, float] | None:
    """How likely this very report is from other collections, as a multiple of this one: the smallest and the largest.

    None for a channel whose inputs cannot be listed here.
    """
    symbols = Batch.of(question, [report]).symbols[0]
    least = most = 0.0
    for own, symbol in zip(held, symbols, strict=True):
        others = _log_likelihoods(question.channel, symbol, int(own))
        if others is None:
            return None
        least, most = least + float(others.min()), most + float(others.max())
    return math.exp(least), math.exp(most) if most < 700 else math.inf


def _log_likelihoods(channel: Channel, symbol: NDArray[np.int64], own: int) -> NDArray[np.float64] | None:
    """Log-likelihood of a symbol from inputs that include the extremes, less that from the own input."""
    match channel:
        case Table():
            chances = channel.probabilities[:, int(symbol[0])]
            at = np.arange(len(chances)) * channel.unit
            return np.asarray(np.log(chances / np.interp(own, at, chances)))
        case Unary():
            odds = math.log(channel.keep / (1 - channel.keep))
            agree = (channel.hot(np.arange(channel.items)) == symbol.astype(bool)).sum(axis=1)
            return np.asarray(odds * (agree - agree[own]))
        case Laplace():
            place = int(np.clip(symbol[0], 0, channel.steps))  # beyond the grid all distances grow alike
            away = np.abs(np.array([0, own, place, channel.steps]) - int(symbol[0]))
            return np.asarray(-channel.rate * (away - away[1]))
        case _:
            return None


def plain(question: Question) -> dict[str, object]:
    """The question as JSON data; its canonical form (RFC 8785) is what the digest is of."""
    document: dict[str, object] = json.loads(question.to_bytes())
    return document
