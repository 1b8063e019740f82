"""Permuting coordinates, users or observations does not change the distribution of the error.

Observations: the very same answer. Users and coordinates: 150 squared errors against 150 by Kolmogorov–Smirnov; the
threshold of 1e-4 was set beforehand, so with 8 tests a correct program fails for one seed in 1250. The population is
sorted by user and unequal by coordinate, so a protocol that favoured some of either would show.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sottovoce as sv
from sottovoce.messages import Question, Tally
from tests.support import SeededEntropy, rectangle

USERS, OBSERVATIONS, DIMENSION, REPETITIONS = 120, 40, 3, 150
RNG = np.random.default_rng(8)
VALUES = np.sort(RNG.normal((0.5, -0.1, 0.0), 0.15, size=(USERS, OBSERVATIONS, DIMENSION)), axis=0).clip(-0.57, 0.57)
TRUTH = VALUES.mean(axis=(0, 1))


def protocol(ball: Any, method: Any, seed: int = 1, epsilon: float = 4.0) -> sv.VectorMean:
    return sv.VectorMean(
        epsilon=epsilon, users=USERS, observations=400, dimension=DIMENSION, ball=ball, method=method, public_seed=seed
    )


def errors(values: np.ndarray, truth: np.ndarray, ball: Any, method: Any, seed: int) -> list[float]:
    people = rectangle(values)
    found = []
    for repetition in range(REPETITIONS):
        # A fresh public rotation each time: permuting coordinates and drawing other signs are then the same thing.
        answer = sv.run(
            protocol(ball, method, seed + repetition), sv.simulate(people, seed=seed, repetition=repetition)
        )
        found.append(float(((np.array(answer.value) - truth) ** 2).sum()))
    return found


@pytest.mark.thin(3)
@pytest.mark.parametrize("ball", ["linf", "l2"])
@pytest.mark.parametrize("method", ["paper", "one-round"])
def test_users_and_coordinates(ball: Any, method: Any) -> None:
    from scipy.stats import ks_2samp

    plain = errors(VALUES, TRUTH, ball, method, 1000)
    order = np.random.default_rng(1).permutation(USERS)
    turned = [2, 0, 1]
    p_users = ks_2samp(plain, errors(VALUES[order], TRUTH, ball, method, 5000)).pvalue
    p_coordinates = ks_2samp(plain, errors(VALUES[:, :, turned], TRUTH[turned], ball, method, 9000)).pvalue
    print(f"{ball} {method}: p = {p_users:.3f} (users), {p_coordinates:.3f} (coordinates)")
    assert min(p_users, p_coordinates) > 1e-4


def test_a_protocol_that_seats_users_in_order_would_fail() -> None:
    """The test above can fail: without the dealt seats, sorted users and shuffled users have different errors."""
    from scipy.stats import ks_2samp

    class InOrder(SeededEntropy):
        """Seats in the order of the data: only the first words are in order, and those deal the seats."""

        def words(self, count: int) -> np.ndarray:
            if not hasattr(self, "dealt"):
                self.dealt = True
                return np.arange(count, dtype=np.uint64)
            return super().words(count)

    order = np.random.default_rng(1).permutation(USERS)
    found = []
    for values in (VALUES, VALUES[order]):
        people = rectangle(values)
        answers = [
            sv.run(protocol("linf", "paper", epsilon=16.0), sv.local(people, entropy=InOrder(r))) for r in range(100)
        ]
        found.append([float(((np.array(one.value) - TRUTH) ** 2).sum()) for one in answers])
    assert ks_2samp(*found).pvalue < 1e-4


@given(seed=st.integers(0, 2**32), ball=st.sampled_from(["linf", "l2"]), method=st.sampled_from(["paper", "theory"]))
@settings(max_examples=15, deadline=None)
def test_observations(seed: int, ball: Any, method: Any) -> None:
    """Sums of quarters are exact in any order, so every report has the same bits (K small, so that T* = T)."""
    rng = np.random.default_rng(seed)
    values = rng.integers(-2, 3, size=(30, 8, DIMENSION)) / 4
    shuffled = values[:, rng.permutation(8)]
    which = sv.VectorMean(
        epsilon=2.0, users=30, observations=400, dimension=DIMENSION, ball=ball, method=method, proof_constant=1e-3
    )
    seen: list[list[Tally]] = []
    for one in (values, shuffled):
        engine, tallies = sv.simulate(rectangle(one), seed=3), []

        def ask(question: Question, engine: Any = engine, tallies: list[Tally] = tallies) -> Tally:
            tallies.append(engine(question))
            return tallies[-1]

        sv.run(which, ask)
        seen.append(tallies)
    assert seen[0] == seen[1]


# ---- sparse means and densities --------------------------------------------------------------------------------------


def test_permuting_observations_gives_the_same_bits() -> None:
    """Whole numbers sum exactly in any order, so that even the last bit must agree."""
    rng = np.random.default_rng(1)
    vectors = rng.integers(-1, 2, size=(120, 8, 20)).astype(float)
    vectors[:, :, 3] = 1.0
    orders = rng.permuted(np.tile(np.arange(8), (120, 1)), axis=1)
    shuffled = np.take_along_axis(vectors, orders[:, :, None], axis=1)
    sparse = sv.SparseMean(epsilon=4.0, users=120, observations=200, dimension=20, sparsity=2)
    assert sv.run(sparse, sv.simulate(rectangle(vectors), seed=1)) == sv.run(
        sparse, sv.simulate(rectangle(shuffled), seed=1)
    )
    numbers = rng.integers(0, 2, size=(120, 8)) / 2  # 0 and ½: cosines are ±1 up to rounding that order keeps
    density = sv.Density(epsilon=4.0, low=0.0, high=1.0, users=120, observations=200, coefficients=4)
    one = sv.run(density, sv.simulate(rectangle(numbers), seed=1))
    other = sv.run(density, sv.simulate(rectangle(rng.permuted(numbers, axis=1)), seed=1))
    assert other.coefficients == pytest.approx(one.coefficients, abs=1e-3)


def test_permuting_users_does_not_change_the_law() -> None:
    """Users in an order that sorts them by value, against a random order; KS on 150 errors, threshold 1e-4."""
    from scipy.stats import ks_2samp

    rng = np.random.default_rng(2)
    values = rng.beta(2, 2, size=(203, 10))
    values = values[np.argsort(values.mean(axis=1))]
    protocol = sv.Density(epsilon=4.0, low=0.0, high=1.0, users=203, observations=10, coefficients=3)
    found = []
    for order in (np.arange(203), rng.permutation(203)):
        people = rectangle(values[order])
        answers = [sv.run(protocol, sv.simulate(people, seed=3 + int(order[0]), repetition=r)) for r in range(150)]
        found.append([answer.coefficients[1] for answer in answers])
    assert ks_2samp(*found).pvalue > 1e-4
