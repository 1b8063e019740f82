"""The contract that every channel, encoder, protocol and engine keeps. Run it on your own too.

Each check raises `ContractError` with what was broken, or returns the figures it saw. Statistical checks state
their false-alarm rate; everything else is exact.
"""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.audit.law import largest_ratio, law
from sottovoce.device import Collections, Entropy, SystemEntropy, encode, privatise, respond_many
from sottovoce.engines import Ask, run, simulate
from sottovoce.messages import Batch, Bins, Channel, Grid, Laplace, Position, Question, Subset, Table, Tally, Unary
from sottovoce.messages.canonical import digest
from sottovoce.messages.codec import from_plain, to_plain
from sottovoce.messages.exact import exact


class ContractError(AssertionError):
    """A promise of the contract is not kept."""


def _require(condition: bool, promise: str) -> None:
    if not condition:
        raise ContractError(promise)


@dataclass(frozen=True, kw_only=True)
class ChannelFigures:
    """What `check_channel` saw."""

    certified: Fraction
    slack: float
    smallest_p: float


def enumerated_ratio(channel: Channel, inputs: Sequence[int]) -> Fraction:
    """The largest likelihood ratio between any two of the inputs, over every symbol: exact, by enumeration."""
    laws = [dict(law(channel, value)) for value in inputs]
    _require(all(sum(one.values()) == 1 for one in laws), "the law sums to one at every input")
    worst = largest_ratio(laws)
    if worst is None:
        raise ContractError("every symbol is possible from every input")
    return worst


def check_channel(
    channel: Channel,
    *,
    epsilon: float | Fraction,
    slack: float,
    samples: int = 20_000,
    entropy: Entropy | None = None,
    false_alarm: float = 1e-6,
) -> ChannelFigures:
    """Certified ε within the declared, wire form stable, sampler true to the law (χ² on marginals, `false_alarm`)."""
    certified = channel.epsilon_bound()
    _require(certified <= exact(epsilon), "certified ε is at most the declared ε")
    room = float(exact(epsilon) - certified)
    _require(room <= slack, f"slack {room:.3g} is at most {slack:g}")
    _require(from_plain(type(channel), to_plain(channel)) == channel, "a channel survives the wire")
    source = SystemEntropy() if entropy is None else entropy
    ends = [0, channel.span // channel.unit // 2 * channel.unit, channel.span]
    lowest = 1.0
    for value in ends:
        symbols = privatise(channel, np.full(samples, value, dtype=np.int64), source)
        _require(channel.valid(symbols), "every symbol is one the channel may send")
        _require(bool((channel.unpack(channel.pack(symbols)) == symbols).all()), "symbols survive the wire")
        lowest = min(lowest, sampler_p_value(channel, value, symbols))
    _require(lowest >= false_alarm / len(ends), f"the sampler follows the law (p = {lowest:.3g})")
    return ChannelFigures(certified=certified, slack=room, smallest_p=lowest)


def sampler_p_value(channel: Channel, value: int, symbols: NDArray[np.int64]) -> float:
    """χ² of sampled symbols against the exact law (of each bit or item where there are too many symbols)."""
    from scipy.special import chdtrc

    observed, expected = _marginals(channel, value, symbols)
    if isinstance(channel, (Unary, Subset)):  # two cells an item, one degree of freedom
        return float(chdtrc(channel.items, float(((observed - expected) ** 2 / expected).sum())))
    keep = expected > 5
    statistic = float(((observed[keep] - expected[keep]) ** 2 / expected[keep]).sum())
    rest = expected[~keep].sum()
    if rest > 5:
        statistic += float((observed[~keep].sum() - rest) ** 2 / rest)
    cells = int(keep.sum()) + (1 if rest > 5 else 0)
    return float(chdtrc(max(1, cells - 1), statistic))


def _marginals(
    channel: Channel, value: int, symbols: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    count = len(symbols)
    match channel:
        case Table():
            chances = np.array([float(chance) for _, chance in law(channel, value)])
            return np.bincount(symbols[:, 0], minlength=channel.cells).astype(float), count * chances
        case Laplace():
            ratio = math.exp(-channel.rate)
            steps = np.unique(np.ceil(np.linspace(-8, 8, 65)[1:-1] / channel.rate))
            observed = np.bincount(
                np.searchsorted(steps, symbols[:, 0] - value, side="right"), minlength=len(steps) + 1
            )
            below = np.where(steps <= 0, ratio ** np.maximum(1 - steps, 0), 1 + ratio - ratio ** np.maximum(steps, 0))
            below = below / (1 + ratio)  # P(noise < k) for whole k
            return observed.astype(float), count * np.diff(np.concatenate(([0.0], below, [1.0])))
        case Unary():
            hot = channel.hot(np.array([value]))[0]
            rate = np.where(hot, channel.keep, 1 - channel.keep)
        case Subset():
            rate = np.full(channel.items, channel.inclusion[1])
            rate[value] = channel.inclusion[0]
    ones = np.array(channel.accumulate(symbols), dtype=float)
    # Each item is its own binomial, both outcomes as cells. The items of a subset sum to a constant, which only
    # takes away a degree of freedom.
    return np.concatenate((ones, count - ones)), count * np.concatenate((rate, 1 - rate))


HOSTILE = (math.nan, math.inf, -math.inf, -0.0, 0.0, 5e-324, -5e-324, 1e308, -1e308, 1.0, -1.0)


def check_encoder(question: Question, *, dimension: int = 1) -> int:
    """Total and single-valued on hostile collections, alone or side by side; returns how many were tried."""
    values = [*sorted({*HOSTILE[1:], *_edges(question)}), math.nan]
    alone: list[list[float]] = [[], *([value] for value in values), list(values)]
    alone += [[left, right] for left, right in pairwise(values)]
    people = [np.repeat(np.array(one, dtype=float)[:, None], dimension, axis=1) for one in alone]
    offsets = np.concatenate(([0], np.cumsum([len(one) for one in people])))
    together = Collections(np.concatenate(people), offsets)
    slots = question.slots.first + np.arange(len(people)) % question.slots.count

    class _Constant:
        def words(self, count: int) -> NDArray[np.uint64]:
            return np.full(count, 2**63, dtype=np.uint64)

    inputs = encode(question, together, slots, _Constant())
    _require(inputs.shape == (len(people), question.uses), "one input for each use")
    _require(bool(((inputs >= 0) & (inputs <= question.channel.span)).all()), "every input lies in 0 … span")
    for index, one in enumerate(people):
        single = Collections(one, np.array([0, len(one)]))
        answer = encode(question, single, slots[index : index + 1], _Constant())
        _require(bool((answer == inputs[index]).all()), "a user's input does not depend on the others")
    return len(people)


def _edges(question: Question) -> list[float]:
    placement = question.encoder.placement
    if isinstance(placement, Bins):
        inner: list[float] = list(placement.edges)
    elif isinstance(placement, Grid):
        inner = [float(edge) for edge in np.linspace(placement.low[0], placement.high[0], placement.count + 1)]
    else:
        assert isinstance(placement, Position)
        inner = [placement.low[0], (placement.low[0] + placement.high[0]) / 2, placement.high[0]]
    return [near for edge in inner for near in (edge, math.nextafter(edge, math.inf), math.nextafter(edge, -math.inf))]


def check_protocol(protocol: Any, people: Collections, *, epsilon: float, seed: int = 1) -> int:
    """Pure, picklable, every slot asked at most once, every question within ε, survives the wire; returns rounds."""
    copied = pickle.loads(pickle.dumps(protocol))  # noqa: S301 - made on this very line
    _require(copied == protocol, "a protocol is a value")
    asked: list[Question] = []
    engine = simulate(people, seed=seed)

    def ask(question: Question) -> Tally:
        asked.append(question)
        return engine(question)

    answer = run(protocol, ask)
    tallies = tuple(map(simulate(people, seed=seed), asked))
    _require(protocol.decide(tallies) == answer, "decide is pure: the same tallies give the same answer")
    seen: set[int] = set()
    for number, question in enumerate(asked):
        _require(protocol.decide(tallies[:number]) == question, "decide is pure: the same tallies, the same question")
        _require(question.round == number, "rounds are numbered in order")
        _require(question.epsilon_bound() <= exact(question.epsilon), "a question costs at most what it declares")
        _require(question.epsilon_bound() <= exact(epsilon), "a question costs at most the protocol's ε")
        data = question.to_bytes()
        _require(
            Question.from_bytes(data) == question and digest(data) == question.digest, "a question survives the wire"
        )
        slots = set(range(question.slots.first, question.slots.first + question.slots.count))
        _require(not slots & seen, "a slot is asked at most once")
        _require(max(slots) < protocol.users, "only slots that exist are asked")
        seen |= slots
    return len(asked)


def check_engine(make: Callable[[Collections], Ask], question: Question, people: Collections) -> Tally:
    """An engine answers for every slot asked, with a tally that merges and survives the wire."""
    tally = make(people)(question)
    _require(sum(tally.reports) == question.slots.count * question.uses, "every slot asked is in the tally")
    _require(len(tally.cells) == question.groups, "a row for each group")
    _require(all(len(row) == question.cells for row in tally.cells), "a cell for each symbol")
    _require(tally + Tally.empty(question) == tally == Tally.empty(question) + tally, "the empty tally adds nothing")
    _require(Tally.from_bytes(tally.to_bytes()) == tally, "a tally survives the wire")
    return tally


def check_partitions(question: Question, people: Collections, *, parts: int = 3, seed: int = 1) -> None:
    """Any partition and order of the same reports gives the identical tally."""
    slots = np.arange(question.slots.first, question.slots.first + question.slots.count)
    batches = list(respond_many(question, people.take(slots), slots, SystemEntropy()))
    reports = [report for batch in batches for report in batch.reports()]
    whole = Tally.of(Batch.of(question, reports))
    order = np.random.default_rng(seed).permutation(len(reports))
    total = Tally.empty(question)
    for part in np.array_split(order, parts):
        if len(part):
            total += Tally.of(Batch.of(question, [reports[index] for index in part]))
    _require(total == whole, "any partition and order gives the same tally")
