"""Permuting users or observations changes nothing but the seats."""

from __future__ import annotations

import numpy as np
import pytest

from sottovoce.device import Collections
from sottovoce.engines import run, simulate
from sottovoce.problems.density import Density
from sottovoce.problems.sparse import SparseMean
from tests.support import rectangle


def test_permuting_observations_gives_the_same_bits() -> None:
    """Whole numbers sum exactly in any order, so that even the last bit must agree."""
    rng = np.random.default_rng(1)
    vectors = rng.integers(-1, 2, size=(120, 8, 20)).astype(float)
    vectors[:, :, 3] = 1.0
    orders = rng.permuted(np.tile(np.arange(8), (120, 1)), axis=1)
    shuffled = np.take_along_axis(vectors, orders[:, :, None], axis=1)
    sparse = SparseMean(epsilon=4.0, users=120, observations=200, dimension=20, sparsity=2)
    assert run(sparse, simulate(rectangle(vectors), seed=1)) == run(sparse, simulate(rectangle(shuffled), seed=1))
    numbers = rng.integers(0, 2, size=(120, 8)) / 2  # 0 and ½: cosines are ±1 up to rounding that order keeps
    density = Density(epsilon=4.0, low=0.0, high=1.0, users=120, observations=200, coefficients=4)
    one = run(density, simulate(rectangle(numbers), seed=1))
    other = run(density, simulate(rectangle(rng.permuted(numbers, axis=1)), seed=1))
    assert other.coefficients == pytest.approx(one.coefficients, abs=1e-3)


def test_permuting_users_does_not_change_the_law() -> None:
    """Users in an order that sorts them by value, against a random order; KS on 150 errors, threshold 1e-4."""
    from scipy.stats import ks_2samp

    rng = np.random.default_rng(2)
    values = rng.beta(2, 2, size=(203, 10))
    values = values[np.argsort(values.mean(axis=1))]
    protocol = Density(epsilon=4.0, low=0.0, high=1.0, users=203, observations=10, coefficients=3)
    found = []
    for order in (np.arange(203), rng.permutation(203)):
        people: Collections = rectangle(values[order])
        answers = [run(protocol, simulate(people, seed=3 + int(order[0]), repetition=r)) for r in range(150)]
        found.append([answer.coefficients[1] for answer in answers])
    assert ks_2samp(*found).pvalue > 1e-4
