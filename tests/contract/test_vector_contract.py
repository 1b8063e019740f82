"""The vector mean keeps the contract for any dimension, number of users and budget."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.checks import check_encoder, check_engine, check_partitions, check_protocol
from sottovoce.device import Collections
from sottovoce.messages import Question, Tally, Unary
from sottovoce.messages.exact_arithmetic import exact
from tests.support import rectangle

# Dimension, users, observations: odd ones, fewer observations than bins, d that is no power of two.
SIZES = [(1, 2, 1), (2, 5, 30), (3, 101, 400), (5, 37, 7), (8, 64, 100), (17, 151, 50)]
EPSILONS = [0.3, 1.0, 1.5, 2.0, 3.7, 9.0]


def vectors(dimension: int, users: int, observations: int, *, seed: int = 0) -> Collections:
    rng = np.random.default_rng(seed)
    return rectangle(rng.normal(0.0, 0.4, size=(users, observations, dimension)))


def asked_by(protocol: Any, people: Collections) -> list[Question]:
    engine, asked = sv.simulate(people, seed=5), []

    def ask(question: Question) -> Tally:
        asked.append(question)
        return engine(question)

    sv.run(protocol, ask)
    return asked


@pytest.mark.thin(7)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("ball", ["linf", "l2"])
@pytest.mark.parametrize("method", ["auto", "one-round", "adaptive", "paper", "theory"])
def test_any_size(size: tuple[int, int, int], epsilon: float, ball: Any, method: Any) -> None:
    dimension, users, observations = size
    protocol = sv.VectorMean(
        epsilon=epsilon,
        users=users,
        observations=observations,
        dimension=dimension,
        ball=ball,
        method=method,
        proof_constant=1.0,
    )
    people = vectors(dimension, users, observations)
    rounds = check_protocol(protocol, people, epsilon=epsilon)
    assert rounds in (1, 2) or method in ("auto", "adaptive")
    for question in asked_by(protocol, people):
        assert question.epsilon_bound() == question.uses * question.channel.epsilon_bound() <= exact(epsilon)


@pytest.mark.thin(5)
@pytest.mark.parametrize("ball", ["linf", "l2"])
@pytest.mark.parametrize("method", ["one-round", "paper", "theory"])
@pytest.mark.parametrize("epsilon", [0.5, 2.0, 20.0])
def test_encoders_and_engines(ball: Any, method: Any, epsilon: float) -> None:
    if epsilon > 16 and method != "theory":
        epsilon = 16.0
    protocol = sv.VectorMean(
        epsilon=epsilon, users=61, observations=200, dimension=5, ball=ball, method=method, proof_constant=1.0
    )
    people = vectors(5, 61, 9)
    for question in asked_by(protocol, people):
        assert check_encoder(question, dimension=5) > 20
        assert check_encoder(question, dimension=3) > 20  # a device that lacks columns still answers
        check_engine(sv.local, question, people)
        check_engine(lambda them: sv.simulate(them, seed=1), question, people)
    first = asked_by(protocol, people)[0]
    check_partitions(first, people, parts=4)


@pytest.mark.parametrize(
    ("epsilon", "uses", "each"),
    [(0.4, 1, 0.4), (1.0, 1, 1.0), (1.5, 1, 1.0), (3.7, 3, 1.0), (8.0, 8, 1.0), (12, 8, 1.5)],
)
@pytest.mark.parametrize("ball", ["linf", "l2"])
def test_theory_never_spends_one_coordinate_more(epsilon: float, uses: int, each: float, ball: Any) -> None:
    """ERRATA P1: ⌊ε⌋ coordinates, not ⌊ε⌋ + 1; three-bin votes only where a coordinate has more than 1."""
    protocol = sv.VectorMean(
        epsilon=epsilon, users=400, observations=5000, dimension=8, ball=ball, method="theory", proof_constant=0.1
    )
    votes, refine = asked_by(protocol, vectors(8, 400, 3))
    for question in (votes, refine):
        assert question.uses == uses
        assert float(question.channel.epsilon_bound()) == pytest.approx(each, abs=1e-9)
        assert question.epsilon_bound() <= exact(epsilon) and question.epsilon <= epsilon
        assert question.epsilon_bound() > Fraction(99, 100) * exact(question.epsilon)
    assert isinstance(votes.channel, Unary)
    assert votes.channel.reach == (1 if each > 1 else 0)


@pytest.mark.parametrize("users", [16, 17, 31, 97, 1001])
@pytest.mark.parametrize(("ball", "dimension"), [("linf", 7), ("l2", 5), ("linf", 8), ("l2", 8)])
def test_every_user_is_in_exactly_one_fold(users: int, ball: Any, dimension: int) -> None:
    protocol = sv.VectorMean(
        epsilon=2.0, users=users, observations=1000, dimension=dimension, ball=ball, method="paper"
    )
    folds: list[tuple[int, int, int]] = []  # slot, round, coordinate
    for question in asked_by(protocol, vectors(dimension, users, 2)):
        slots = np.arange(question.slots.first, question.slots.first + question.slots.count)
        groups = question.group_of(slots)
        assert groups.shape == (len(slots), 1)
        sizes = np.bincount(groups[:, 0], minlength=protocol.groups)
        assert sizes.min() >= 1 and sizes.max() - sizes.min() <= 1
        folds += [(int(slot), question.round, int(group)) for slot, group in zip(slots, groups[:, 0], strict=True)]
    assert sorted(slot for slot, _, _ in folds) == list(range(users))


def test_folds_use_their_own_size() -> None:
    """ERRATA 1: with 17 users for 4 coordinates every estimate is the average of its own fold, not n/d of it."""
    people = rectangle(np.full((17, 1, 4), 0.25))
    protocol = sv.VectorMean(
        epsilon=16.0, users=17, observations=400, dimension=4, ball="linf", method="paper", delta=0.02
    )
    answers = [sv.run(protocol, sv.simulate(people, seed=2, repetition=r)).value for r in range(300)]
    assert np.mean(answers, axis=0) == pytest.approx([0.25] * 4, abs=0.005)
