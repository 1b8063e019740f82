"""What every channel, encoder, survey and engine promises, and a survey that estimates nothing to try engines with."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.answers import WHOLE_COLLECTION, Answer, Chosen, ChosenBy, Estimate, Privacy, StandardError
from sottovoce.audit import largest_ratio, law
from sottovoce.design import one_bit
from sottovoce.device import Collections, Entropy, SystemEntropy, encode, privatise, respond_many
from sottovoce.engines import Ask, questions_of, simulate
from sottovoce.messages import (
    Average,
    Batch,
    Below,
    Bins,
    Categories,
    Channel,
    Encoder,
    Fact,
    Grid,
    Knots,
    Position,
    Question,
    Table,
    Tally,
    digest,
    exact,
    from_plain,
    to_plain,
)
from sottovoce.methods import Script, Scripted, check_users, split_into_folds

SEED = 1
"""Of simulated reports, and of the order in which reports are added up."""
FALSE_ALARM = 1e-6
"""How often a right sampler may be taken for a wrong one."""
UNBIASED = 1e-9
"""Of what symbols count as: how far floats may be off."""


class ContractError(AssertionError):
    """A promise of the contract is not kept."""


def require(condition: bool, promise: str) -> None:
    """The promise is kept, or `ContractError`."""
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
    require(all(sum(one.values()) == 1 for one in laws), "the law sums to one at every input")
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
) -> ChannelFigures:
    """Certified ε within the declared, wire form stable, sampler true to the law (χ² on marginals, `FALSE_ALARM`)."""
    certified = channel.epsilon_bound()
    require(certified <= exact(epsilon), "certified ε is at most the declared ε")
    room = float(exact(epsilon) - certified)
    require(room <= slack, f"slack {room:.3g} is at most {slack:g}")
    require(from_plain(type(channel), to_plain(channel)) == channel, "a channel survives the wire")
    source = SystemEntropy() if entropy is None else entropy
    ends = [0, channel.span // channel.unit // 2 * channel.unit, channel.span]
    lowest = 1.0
    for value in ends:
        symbols = privatise(channel, np.full(samples, value, dtype=np.int64), source)
        require(channel.valid(symbols), "every symbol is one the channel may send")
        require(bool((channel.unpack(channel.pack(symbols)) == symbols).all()), "symbols survive the wire")
        lowest = min(lowest, sampler_p_value(channel, value, symbols))
    require(lowest >= FALSE_ALARM / len(ends), f"the sampler follows the law (p = {lowest:.3g})")
    return ChannelFigures(certified=certified, slack=room, smallest_p=lowest)


def sampler_p_value(channel: Channel, value: int, symbols: NDArray[np.int64]) -> float:
    """χ² of sampled symbols against the exact law (of each bit or item where there are too many symbols)."""
    from scipy.special import chdtrc

    count = len(symbols)
    observed, expected = channel.observed_event_counts(value, symbols), count * channel.marginals(value)
    if not channel.exclusive:  # each bit or item is its own binomial: two cells, one degree of freedom
        items = len(expected)
        observed, expected = np.concatenate((observed, count - observed)), np.concatenate((expected, count - expected))
        return float(chdtrc(items, float(((observed - expected) ** 2 / expected).sum())))
    keep = expected > 5
    statistic = float(((observed[keep] - expected[keep]) ** 2 / expected[keep]).sum())
    rest = expected[~keep].sum()
    if rest > 5:
        statistic += float((observed[~keep].sum() - rest) ** 2 / rest)
    cells = int(keep.sum()) + (1 if rest > 5 else 0)
    return float(chdtrc(max(1, cells - 1), statistic))


@dataclass(frozen=True, kw_only=True)
class Dummy(Scripted):
    """Ask one bit from everybody, a fold a round; the value is how many answered."""

    users: int
    rounds: int = 1
    epsilon: float = 1.0
    survey: str = "dummy"

    def __post_init__(self) -> None:
        check_users(self.users, at_least=self.rounds)

    def script(self) -> Script[Estimate]:
        """Count, round by round."""
        answers: tuple[int, ...] = ()
        for number, slots in enumerate(split_into_folds(self.users, self.rounds)):
            assert slots is not None
            tally = yield Question(
                survey=self.survey,
                round=number,
                role="count",
                slots=slots,
                encoder=Encoder(statistic=Average(), placement=Position(low=(0.0,), high=(1.0,))),
                channel=one_bit(self.epsilon),
                epsilon=self.epsilon,
            )
            answers += (sum(tally.reports),)
        return Estimate(
            value=float(sum(answers)),
            interval=(float(sum(answers)), float(sum(answers))),
            confidence=0.95,
            interval_kind=Fact("exact-count"),
            standard_error=StandardError(sampling=0.0, privacy=0.0),
            users_per_round=answers,
            privacy=Privacy(epsilon=self.epsilon, protects=WHOLE_COLLECTION, users=self.users, rounds=self.rounds),
            method="dummy",
            chosen=Chosen(by=ChosenBy.TEST),
            low=0.0,
            high=float(self.users),
        )


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
    require(inputs.shape == (len(people), question.uses), "one input for each use")
    require(bool(((inputs >= 0) & (inputs <= question.channel.span)).all()), "every input lies in 0 … span")
    for index, one in enumerate(people):
        single = Collections(one, np.array([0, len(one)]))
        answer = encode(question, single, slots[index : index + 1], _Constant())
        require(bool((answer == inputs[index]).all()), "a user's input does not depend on the others")
    return len(people)


def _edges(question: Question) -> list[float]:
    """Numbers at which an input may change, and their neighbours."""
    vector: Any = getattr(question.encoder.statistic, "vector", None)
    placement = vector.places if isinstance(vector, Categories) else question.encoder.placement
    if isinstance(vector, Below):
        inner: list[float] = list(vector.thresholds)
    elif isinstance(placement, Bins):
        inner = list(placement.edges)
    elif isinstance(placement, Knots):
        inner = list(placement.places)
    elif isinstance(placement, Grid):
        inner = [float(edge) for edge in np.linspace(placement.low[0], placement.high[0], placement.count + 1)]
    else:
        assert isinstance(placement, Position)
        inner = [placement.low[0], (placement.low[0] + placement.high[0]) / 2, placement.high[0]]
    some = inner[:: max(1, len(inner) // 50)]
    return [near for edge in some for near in (edge, math.nextafter(edge, math.inf), math.nextafter(edge, -math.inf))]


def check_protocol(protocol: Any, people: Collections, *, epsilon: float) -> int:
    """Pure, picklable, every slot asked at most once, every question within ε, survives the wire; returns rounds."""
    return len(checked_run(protocol, people, epsilon=epsilon)[1])


def checked_run(
    protocol: Any, people: Collections, *, epsilon: float
) -> tuple[Any, tuple[Question, ...], tuple[Tally, ...]]:
    """A run that keeps the promises of `check_protocol`: the answer, what was asked, and the tallies."""
    copied = pickle.loads(pickle.dumps(protocol))  # noqa: S301 - made on this very line
    require(copied == protocol, "a protocol is a value")
    answer, asked = questions_of(protocol, simulate(people, seed=SEED))
    tallies = tuple(map(simulate(people, seed=SEED), asked))
    expected = replace(answer, collection=None) if isinstance(answer, Answer) else answer  # the engine fills it in
    require(protocol.decide(tallies) == expected, "decide is pure: the same tallies give the same answer")
    slots_asked: set[int] = set()
    for number, question in enumerate(asked):
        require(protocol.decide(tallies[:number]) == question, "decide is pure: the same tallies, the same question")
        require(question.round == number, "rounds are numbered in order")
        require(question.epsilon_bound() <= exact(question.epsilon), "a question costs at most what it declares")
        require(question.epsilon_bound() <= exact(epsilon), "a question costs at most the protocol's ε")
        check_decodings(question)
        data = question.to_bytes()
        require(
            Question.from_bytes(data) == question and digest(data) == question.digest, "a question survives the wire"
        )
        slots = set(range(question.slots.first, question.slots.first + question.slots.count))
        require(not slots & slots_asked, "a slot is asked at most once")
        require(max(slots) < protocol.users, "only slots that exist are asked")
        slots_asked |= slots
    return answer, tuple(asked), tallies


def check_decodings(question: Question) -> None:
    """What a table with several decodings is read as, at each node, against the number that stands there.

    None is more than the number that should not be, none less; `whole` is that number, and `core` what the others have
    in common.
    """
    channel, placement = question.channel, question.encoder.placement
    decodings = getattr(channel, "decodings", None)
    if decodings is None:
        return
    assert isinstance(channel, Table)
    numbers = np.linspace(0.0, 1.0, len(channel.rows))
    if isinstance(placement, Knots):
        numbers = (np.array(placement.places) - placement.low) / (placement.high - placement.low)
    read = {name: channel.probabilities @ np.array(values) for name, values in vars(decodings).items()}
    room = UNBIASED * max(1.0, *(max(map(abs, values)) for values in vars(decodings).values()))
    require(bool(np.abs(read["whole"] - numbers).max() <= room), "the whole is decoded without bias at every node")
    require(bool((read["lower"] <= numbers + room).all()), "what lies nowhere above the number does not")
    require(bool((read["upper"] >= numbers - room).all()), "what lies nowhere below the number does not")
    parts = read["lower"] + read["upper"] - read["core"]
    require(bool(np.abs(parts - numbers).max() <= room), "the tails and the core make up the number")
    inside = np.clip(numbers, read["core"].min(), read["core"].max())
    require(bool(np.abs(read["core"] - inside).max() <= room), "the core is the number, clipped")


def check_engine(make: Callable[[Collections], Ask], question: Question, people: Collections) -> Tally:
    """An engine answers for every slot asked, with a tally that merges and survives the wire."""
    tally = make(people)(question)
    require(sum(tally.reports) == question.slots.count * question.uses, "every slot asked is in the tally")
    require(len(tally.cells) == question.groups, "a row for each group")
    require(all(len(row) == question.cells for row in tally.cells), "a cell for each symbol")
    require(tally + Tally.empty(question) == tally == Tally.empty(question) + tally, "the empty tally adds nothing")
    require(Tally.from_bytes(tally.to_bytes()) == tally, "a tally survives the wire")
    return tally


def check_partitions(question: Question, people: Collections, *, parts: int = 3) -> None:
    """Any partition and order of the same reports gives the identical tally."""
    slots = np.arange(question.slots.first, question.slots.first + question.slots.count)
    batches = list(respond_many(question, people.take(slots), slots, SystemEntropy()))
    reports = [report for batch in batches for report in batch.reports()]
    whole = Tally.of(Batch.of(question, reports))
    order = np.random.default_rng(SEED).permutation(len(reports))
    total = Tally.empty(question)
    for part in np.array_split(order, parts):
        if len(part):
            total += Tally.of(Batch.of(question, [reports[index] for index in part]))
    require(total == whole, "any partition and order gives the same tally")
