"""What every encoder, survey and engine promises."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.answers import Answer
from sottovoce.checks.promise import require
from sottovoce.device import Collections, SystemEntropy, encode, respond_many
from sottovoce.engines import Ask, questions_of, simulate
from sottovoce.messages import Batch, Below, Bins, Categories, Grid, Position, Question, Tally, digest, exact

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
    elif isinstance(placement, Grid):
        inner = [float(edge) for edge in np.linspace(placement.low[0], placement.high[0], placement.count + 1)]
    else:
        assert isinstance(placement, Position)
        inner = [placement.low[0], (placement.low[0] + placement.high[0]) / 2, placement.high[0]]
    some = inner[:: max(1, len(inner) // 50)]
    return [near for edge in some for near in (edge, math.nextafter(edge, math.inf), math.nextafter(edge, -math.inf))]


def check_protocol(protocol: Any, people: Collections, *, epsilon: float, seed: int = 1) -> int:
    """Pure, picklable, every slot asked at most once, every question within ε, survives the wire; returns rounds."""
    return len(checked_run(protocol, people, epsilon=epsilon, seed=seed)[1])


def checked_run(
    protocol: Any, people: Collections, *, epsilon: float, seed: int = 1
) -> tuple[Any, tuple[Question, ...], tuple[Tally, ...]]:
    """A run that keeps the promises of `check_protocol`: the answer, what was asked, and the tallies."""
    copied = pickle.loads(pickle.dumps(protocol))  # noqa: S301 - made on this very line
    require(copied == protocol, "a protocol is a value")
    answer, asked = questions_of(protocol, simulate(people, seed=seed))
    tallies = tuple(map(simulate(people, seed=seed), asked))
    told = replace(answer, collection=None) if isinstance(answer, Answer) else answer  # the engine fills it in
    require(protocol.decide(tallies) == told, "decide is pure: the same tallies give the same answer")
    seen: set[int] = set()
    for number, question in enumerate(asked):
        require(protocol.decide(tallies[:number]) == question, "decide is pure: the same tallies, the same question")
        require(question.round == number, "rounds are numbered in order")
        require(question.epsilon_bound() <= exact(question.epsilon), "a question costs at most what it declares")
        require(question.epsilon_bound() <= exact(epsilon), "a question costs at most the protocol's ε")
        data = question.to_bytes()
        require(
            Question.from_bytes(data) == question and digest(data) == question.digest, "a question survives the wire"
        )
        slots = set(range(question.slots.first, question.slots.first + question.slots.count))
        require(not slots & seen, "a slot is asked at most once")
        require(max(slots) < protocol.users, "only slots that exist are asked")
        seen |= slots
    return answer, tuple(asked), tallies


def check_engine(make: Callable[[Collections], Ask], question: Question, people: Collections) -> Tally:
    """An engine answers for every slot asked, with a tally that merges and survives the wire."""
    tally = make(people)(question)
    require(sum(tally.reports) == question.slots.count * question.uses, "every slot asked is in the tally")
    require(len(tally.cells) == question.groups, "a row for each group")
    require(all(len(row) == question.cells for row in tally.cells), "a cell for each symbol")
    require(tally + Tally.empty(question) == tally == Tally.empty(question) + tally, "the empty tally adds nothing")
    require(Tally.from_bytes(tally.to_bytes()) == tally, "a tally survives the wire")
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
    require(total == whole, "any partition and order gives the same tally")
