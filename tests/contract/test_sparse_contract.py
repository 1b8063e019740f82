"""Sparse means and densities keep the contract for any size; every user is in exactly one fold of one round."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sottovoce.checks import check_encoder, check_engine, check_partitions, check_protocol
from sottovoce.engines import local, run, simulate, stored
from sottovoce.messages import Question, Tally
from sottovoce.messages.exact_arithmetic import exact
from sottovoce.problems.density import Density
from sottovoce.problems.sparse import SparseMean
from tests.support import SeededEntropy, rectangle, uniform_people


def asked_by(protocol: Any, people: Any) -> list[Question]:
    questions: list[Question] = []
    engine = simulate(people, seed=1)

    def ask(question: Question) -> Tally:
        questions.append(question)
        return engine(question)

    run(protocol, ask)
    return questions


def sparse_people(users: int, dimension: int) -> Any:
    values = np.random.default_rng(users).choice([-1.0, 1.0], size=(users, 3, dimension))
    values[:, :, 0] = 1.0
    return rectangle(values)


SIZES = [(4, 1, 1), (9, 5, 2), (23, 3, 3), (61, 17, 4), (200, 40, 5)]


@pytest.mark.thin(7)
@pytest.mark.parametrize(("users", "dimension", "sparsity"), SIZES)
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 2.5, 4.0, 16.0])
@pytest.mark.parametrize("method", ["auto", "paper", "theory"])
@pytest.mark.parametrize("observations", [3, 5000])
def test_selection_for_any_size(
    users: int, dimension: int, sparsity: int, epsilon: float, method: Any, observations: int
) -> None:
    protocol = SparseMean(
        epsilon=epsilon,
        users=users,
        observations=observations,
        dimension=dimension,
        sparsity=sparsity,
        method=method,
        procedure="selection",
        proof_constant=50.0,
    )
    assert check_protocol(protocol, sparse_people(users, dimension), epsilon=epsilon) in (1, 2, 3)


@pytest.mark.thin(5)
@pytest.mark.parametrize(("users", "dimension", "sparsity"), [*SIZES, (4, 1, None), (61, 300, None), (5000, 9, None)])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0, 16.0])
@pytest.mark.parametrize("observations", [1, 10**9])
def test_adaptive_for_any_size(
    users: int, dimension: int, sparsity: int | None, epsilon: float, observations: int
) -> None:
    protocol = SparseMean(
        epsilon=epsilon,
        users=users,
        observations=observations,
        dimension=dimension,
        sparsity=sparsity,
        method="adaptive",
    )
    assert 1 <= check_protocol(protocol, sparse_people(users, dimension), epsilon=epsilon) <= 5


@pytest.mark.thin(5)
@pytest.mark.parametrize(("users", "dimension"), [(2, 1), (11, 5), (60, 17), (203, 100)])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.7, 16.0])
@pytest.mark.parametrize("method", ["auto", "paper", "theory"])
def test_threshold_for_any_size(users: int, dimension: int, epsilon: float, method: Any) -> None:
    protocol = SparseMean(
        epsilon=epsilon,
        users=users,
        observations=400,
        dimension=dimension,
        sparsity=1,
        method=method,
        procedure="threshold",
        proof_constant=50.0,
    )
    assert check_protocol(protocol, sparse_people(users, dimension), epsilon=epsilon) in (1, 2)


@pytest.mark.thin(7)
@pytest.mark.parametrize("users", [2, 3, 7, 50, 401])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 2.5, 8.0, 16.0])
@pytest.mark.parametrize("method", ["auto", "one-round", "paper", "theory"])
@pytest.mark.parametrize("observations", [1, 5000])
def test_density_for_any_size(users: int, epsilon: float, method: Any, observations: int) -> None:
    protocol = Density(
        epsilon=epsilon, low=-3.0, high=5.0, users=users, observations=observations, method=method, proof_constant=9.0
    )
    assert check_protocol(protocol, uniform_people(users, 3), epsilon=epsilon) in (1, 2)


PROTOCOLS: dict[str, tuple[Any, Any]] = {
    "selection": (
        SparseMean(epsilon=4.0, users=203, observations=400, dimension=13, sparsity=3, method="paper"),
        sparse_people(203, 13),
    ),
    "adaptive": (
        SparseMean(epsilon=4.0, users=203, observations=400, dimension=13, sparsity=3, method="adaptive"),
        sparse_people(203, 13),
    ),
    "adaptive, thresholds": (
        SparseMean(epsilon=2.0, users=203, observations=400, dimension=200, sparsity=1, method="adaptive"),
        sparse_people(203, 200),
    ),
    "selection, several coordinates a user": (
        SparseMean(
            epsilon=2.7,
            users=203,
            observations=3000,
            dimension=13,
            sparsity=3,
            method="theory",
            proof_constant=9.0,
            cut=False,
        ),
        sparse_people(203, 13),
    ),
    "threshold": (
        SparseMean(
            epsilon=4.0, users=203, observations=400, dimension=13, sparsity=3, method="paper", procedure="threshold"
        ),
        sparse_people(203, 13),
    ),
    "density": (
        Density(epsilon=2.0, low=0.0, high=1.0, users=203, observations=400, method="paper", coefficients=8),
        uniform_people(203, 40),
    ),
    "density, one round": (
        Density(epsilon=2.0, low=0.0, high=1.0, users=203, observations=4, method="one-round", coefficients=8),
        uniform_people(203, 4),
    ),
}


@pytest.mark.parametrize("name", PROTOCOLS)
def test_every_user_is_in_exactly_one_round_and_folds_are_even(name: str) -> None:
    protocol, people = PROTOCOLS[name]
    questions = asked_by(protocol, people)
    slots = np.concatenate([np.arange(q.slots.first, q.slots.first + q.slots.count) for q in questions])
    assert np.array_equal(np.sort(slots), np.arange(protocol.users)), "every slot once"
    for question in questions:
        reports = np.array(simulate(people, seed=1)(question).reports)
        assert reports.sum() == question.slots.count * question.uses
        assert reports.max() - reports.min() <= question.uses, "folds as even as can be"


@pytest.mark.parametrize("name", PROTOCOLS)
def test_certified_epsilon(name: str) -> None:
    """Proven from the channel's integers, over all that one user answers; at most one question reaches a user."""
    protocol, people = PROTOCOLS[name]
    for question in asked_by(protocol, people):
        certified = question.epsilon_bound()
        print(f"{name}, {question.role}: {question.uses} uses, certified {float(certified):.12f} of {protocol.epsilon}")
        assert certified <= exact(question.epsilon) <= exact(protocol.epsilon)
        assert certified > exact(question.epsilon) - exact(1e-6), "the budget is used"
        assert check_encoder(question, dimension=people.dimension) > 20


@pytest.mark.parametrize("name", PROTOCOLS)
def test_engines_agree(name: str) -> None:
    protocol, people = PROTOCOLS[name]
    batches: list[Any] = []
    live = run(protocol, local(people, entropy=SeededEntropy(9), keep=batches.append))
    rows = [report.to_bytes() for batch in batches for report in batch.reports()]
    assert run(protocol, stored([rows[::2], rows[1::2]])) == live
    for question in asked_by(protocol, people):
        check_engine(local, question, people)
        check_engine(lambda held: simulate(held, seed=1), question, people)
    check_partitions(asked_by(protocol, people)[0], people, parts=5)
