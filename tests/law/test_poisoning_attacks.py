"""What an answer prints about colluders is what an attack can do: at least the best of three, at most twice that.

Colluders sit anywhere, so a share of all users is the same share of every round. Each attack is run beside an honest
run with the same users and the same noise; shifts are averaged over `RUNS` runs with fixed seeds. What is left of
chance is what colluders would have sent by themselves, and four standard errors of it are allowed for: an attack that
meets the bound exactly alarms falsely with a chance of 3e-5.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sottovoce as sv
from sottovoce.device import respond_many
from sottovoce.messages import Batch, Laplace, Question, Subset, Table, Tally, Unary
from tests.support import SeededEntropy, rectangle

RUNS = 40
MORE_RUNS = {("adaptive-two-rounds", 1): 80}
"""Where one per cent of colluders makes the ends wide so rarely that forty runs do not tell how far."""
LOW, HIGH = -1.0, 1.0
Symbols = NDArray[np.int64]
Send = Callable[[Question, bool], Symbols | None]
"""What a colluder sends, given whether the answer is to go up; None: what it would have sent anyway."""

METHODS: dict[str, dict[str, Any]] = {
    "one-round": {"method": "one-round"},
    "adaptive": {"method": "adaptive"},
    "adaptive-high": {"method": "adaptive", "caution": "high"},
    "adaptive-low": {"method": "adaptive", "caution": "low"},
    "adaptive-two-rounds": {"method": "adaptive", "rounds": 2},
    "homogeneous": {"method": "homogeneous"},
    "paper": {"method": "paper"},
    "paper-table": {"method": "paper", "refine": "table"},
    "paper-three-bins": {"method": "paper", "three_bin_votes": True, "refine": "table"},
    "theory": {"method": "theory", "proof_constant": 1.0},
}
"""Every method of the mean, by settings."""
CASES = [(name, epsilon) for turn, name in enumerate(METHODS) for epsilon in ((1.0, 4.0), (4.0, 1.0))[turn % 2]]
"""With each method at one ε in every other place."""


def extreme(question: Question, up: bool) -> Symbols:
    """The report that says the largest (or smallest) number that the channel can say; in a vote the outermost bin."""
    channel = question.channel
    if isinstance(channel, Table) and channel.whole:
        said = np.array(channel.whole)
        return np.array([np.argmax(said) if up else np.argmin(said)])
    if isinstance(channel, Laplace):
        return np.array([channel.steps + channel.bound if up else -channel.bound])
    if isinstance(channel, Unary):
        return np.eye(1, channel.items, channel.items - 1 if up else 0, dtype=np.int64)[0]
    if isinstance(channel, Subset):
        return np.arange(channel.size) + (channel.items - channel.size if up else 0)
    return np.array([channel.cells - 1 if up else 0])  # categories in the order of the line


def by_decoding(channel: Table, part: str, up: bool) -> Symbols:
    """The symbol that says most in one decoding: the core, or the tail on the side where the answer is to go."""
    held = channel.decodings
    assert held is not None
    core = np.array(held.core)
    tail = np.array(held.upper if up else held.lower) - core
    said = core if part == "core" else tail
    return np.array([np.argmax(said) if up else np.argmin(said)])


def last_only(part: str) -> Send:
    """Honest while users are looked for: colluders hold what is in the middle of the others; then that symbol."""

    def send(question: Question, up: bool) -> Symbols | None:
        channel = question.channel
        if isinstance(channel, Table) and channel.decodings is not None:
            return extreme(question, up) if part == "whole" else by_decoding(channel, part, up)
        return None

    return send


def claims(part: str, *, other: bool = False) -> Send:
    """Far bins on the side where the answer is to go, or on the other one; then that symbol."""

    def send(question: Question, up: bool) -> Symbols | None:
        found = last_only(part)(question, up)
        return extreme(question, up != other) if found is None else found

    return send


WITH_TAILS: dict[str, Send] = {
    "claim, core": claims("core"),
    "claim the other side": claims("whole", other=True),
    "last question only": last_only("whole"),
}
"""Of questions with several decodings, besides the extreme reports in every round: the best of eight."""


def farthest(winner: int) -> Send:
    """In a vote the bin farthest from the honest winner, alone; then the extreme report on its side."""

    def send(question: Question, up: bool) -> Symbols:
        channel = question.channel
        if isinstance(channel, Unary):
            return extreme(question, winner < channel.items / 2)
        return extreme(question, up)

    return send


def run(
    survey: sv.Mean,
    averages: NDArray[np.float64],
    key: int,
    colluding: int,
    send: Send | None,
    up: bool,
    asked: list[Question] | None = None,
) -> tuple[sv.Estimate, list[Tally]]:
    """One run in which the first of every hundred slots collude: they hold the extreme (`send` None), or send it."""
    held, colluders = averages.copy(), np.arange(len(averages)) % 100 < colluding
    if send is None:
        held[colluders] = HIGH if up else LOW
    people, tallies = rectangle(held[:, None]), []

    def ask(question: Question) -> Tally:
        if asked is not None:
            asked.append(question)
        slots = np.arange(question.slots.first, question.slots.first + question.slots.count)
        tally = Tally.empty(question)
        for batch in respond_many(question, people.take(slots), slots, SeededEntropy(100 * key + question.round)):
            symbols = batch.symbols.copy()
            if send is not None and (sent := send(question, up)) is not None:
                symbols[colluders[batch.slots]] = sent
            tally += Tally.of(Batch(question=question, slots=batch.slots, symbols=symbols))
        tallies.append(tally)
        return tally

    answer = sv.run(survey, ask)
    assert isinstance(answer, sv.Estimate)
    return answer, tallies


@cache
def honest_run(survey: sv.Mean, key: int) -> tuple[NDArray[np.float64], sv.Estimate, int | None]:
    """Users, the answer without colluders, and the winner of the vote, or None: where nobody votes in bins.

    Kept, since every share of colluders is held against the same run.
    """
    averages = 0.15 + 0.03 * np.random.default_rng(key).normal(size=survey.users)
    asked: list[Question] = []
    honest, tallies = run(survey, averages, key, 0, None, up=False, asked=asked)
    votes = any(isinstance(question.channel, Unary) for question in asked)
    return averages, honest, int(np.argmax(tallies[0].counts()[0])) if votes else None


def shifts(survey: sv.Mean, colluding: int, runs: int = RUNS) -> tuple[float, float, float]:
    """What is printed, what the best attack does, and the standard error of that.

    Where there is no vote to capture, that attack is the extreme one, and is not run twice.
    """
    printed = []
    moved: dict[tuple[str, bool], list[float]] = {}
    for key in range(runs):
        averages, honest, winner = honest_run(survey, key)
        assert honest.colluders is not None
        printed.append(dict(honest.colluders.shifts)[colluding / 100])
        attacks: dict[str, Send | None] = {"data": None, "extreme": extreme}
        if winner is not None:
            attacks["capture"] = farthest(winner)
        if survey.method == "adaptive":
            attacks |= WITH_TAILS
        for name, send in attacks.items():
            for up in (True, False):
                found, _ = run(survey, averages, key, colluding, send, up=up)
                moved.setdefault((name, up), []).append(found.value - honest.value)
    best = max(moved, key=lambda attack: abs(float(np.mean(moved[attack]))))
    error = float(np.std(moved[best])) / math.sqrt(runs)
    return float(np.mean(printed)), abs(float(np.mean(moved[best]))), error


@pytest.mark.law
@pytest.mark.slow
@pytest.mark.thin(8)  # five per cent of every other method in `make test`
@pytest.mark.parametrize("colluding", [5, 1])
@pytest.mark.parametrize(("name", "epsilon"), CASES)
def test_printed_shift_is_that_of_the_best_attack(name: str, epsilon: float, colluding: int) -> None:
    survey = sv.Mean(low=LOW, high=HIGH, users=4000, observations=400, epsilon=epsilon, **METHODS[name])
    printed, shift, error = shifts(survey, colluding, MORE_RUNS.get((name, colluding), RUNS))
    assert error < 0.25 * shift  # ends are chosen: now and then one per cent makes them wide
    assert shift - 4 * error <= printed <= 2 * shift


@pytest.mark.law
def test_captured_votes_take_the_answer_to_the_farther_end() -> None:
    """At ε = .1 the votes are decided by 2.4 % of the users."""
    survey = sv.Mean(
        low=LOW, high=HIGH, users=12_000, observations=400, epsilon=0.1, delta=0.25, method="paper", refine="table"
    )
    printed, shift, error = shifts(survey, 5)
    assert printed > 1.1
    assert shift - 4 * error <= printed <= 2 * shift
