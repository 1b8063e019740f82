"""The paper's sparse experiment against prototype measurements, printed (pytest -s); benchmarks/ has d = 3200 too.

s = 4, n = T = ⌊√(10 d log d)⌋, α = 4, p = .75. ``first`` is the literal rule with the printed constant √2 in ε and the
support first; ``votes`` is a permuted support, the four coordinates with the most votes, and our constant 1 in ε. The
standard errors of the references are unknown: we take 5 %, or what 100 repetitions would have, if that is more.
The two constants in ε were picked from six tried because they fit these same figures (√2 is also the printed one), so
agreement checks the implementation and is no independent evidence for the constants. Agreement means within three
combined standard errors; eight comparisons of a correct program fail in about 2 % of seeds, and the seed was the first
tried.

A user's T observations of Rademacher variables enter only through their average, so each user here holds one
observation that *is* the average of T: the same law, a T-th of the memory.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from sottovoce.baselines import ItemSparse
from sottovoce.device import Collections
from sottovoce.engines import run, simulate
from sottovoce.problems.sparse import SparseMean

REFERENCE = {
    "first": {100: 1.02, 400: 0.63, 800: 0.18, 1600: 0.046, 3200: 0.011},
    "votes": {100: 0.99, 400: 0.35, 800: 0.21, 1600: 0.080, 3200: 0.026},
}
REPETITIONS = {100: 300, 400: 150, 800: 80, 1600: 40}


def size(dimension: int) -> int:
    return math.floor(math.sqrt(10 * dimension * math.log(dimension)))


def population(
    rng: np.random.Generator, users: int, observations: int, dimension: int, support: np.ndarray, chance: float
) -> Collections:
    counts = rng.binomial(observations, 0.5, size=(users, dimension)).astype(np.float32)
    counts[:, support] = rng.binomial(observations, chance, size=(users, len(support)))
    return Collections(2 * counts / observations - 1, np.arange(users + 1))


def squared_errors(
    *,
    dimension: int,
    repetitions: int,
    users: int | None = None,
    observations: int | None = None,
    permuted: bool = True,
    true_sparsity: int = 4,
    chance: float = 0.75,
    seed: int = 1,
    **settings: Any,
) -> np.ndarray:
    """Squared Euclidean errors; every repetition has its own data, support, public signs and noise."""
    users = size(dimension) if users is None else users
    observations = size(dimension) if observations is None else observations
    rng = np.random.default_rng([seed, dimension])
    errors = np.empty(repetitions)
    fields: dict[str, Any] = {"epsilon": 4.0, "sparsity": 4, "method": "paper", "procedure": "selection"} | settings
    for repetition in range(repetitions):
        support = rng.permutation(dimension)[:true_sparsity] if permuted else np.arange(true_sparsity)
        truth = np.zeros(dimension)
        truth[support] = 2 * chance - 1
        people = population(rng, users, observations, dimension, support, chance)
        protocol = SparseMean(
            users=users, observations=observations, dimension=dimension, public_seed=1000 * seed + repetition, **fields
        )
        answer = run(protocol, simulate(people, seed=seed, repetition=repetition))
        errors[repetition] = ((np.array(answer.value) - truth) ** 2).sum()
    return errors


def compare(rule: str, dimension: int, repetitions: int) -> float:
    """Print a line and return how many standard errors measurement and reference are apart."""
    errors = squared_errors(dimension=dimension, repetitions=repetitions, permuted=rule == "votes", rank=rule)
    mean, spread, wanted = errors.mean(), errors.std(ddof=1), REFERENCE[rule][dimension]
    z = (mean - wanted) / np.hypot(spread / np.sqrt(repetitions), max(0.05 * wanted, spread / 10))
    print(
        f"d={dimension:5d} {rule:5s} {mean:.4f} ± {spread / np.sqrt(repetitions):.4f}"
        f" ({repetitions} repetitions)  expected {wanted:.3f}  z={z:+.1f}"
    )
    return float(z)


@pytest.mark.slow
@pytest.mark.parametrize(
    "dimension", [100, *(pytest.param(dimension, marks=pytest.mark.soak) for dimension in (400, 800, 1600))]
)
@pytest.mark.parametrize("rule", REFERENCE)
def test_sparse_reference(rule: str, dimension: int) -> None:
    assert abs(compare(rule, dimension, REPETITIONS[dimension])) <= 3


@pytest.mark.soak
def test_error_falls_with_the_dimension() -> None:
    """nT grows as d·log d: the error falls at least fourfold from d = 100 to 1600, by far more than chance allows."""
    low, high = (squared_errors(dimension=d, repetitions=40, seed=2) for d in (100, 1600))
    gap = low.mean() / 4 - high.mean()
    error = np.hypot(low.std() / 4, high.std()) / np.sqrt(40)
    print(f"user level: d=100 {low.mean():.3f}, d=1600 {high.mean():.3f}")
    assert gap > 3 * error


@pytest.mark.soak
def test_item_level_error_does_not_fall() -> None:
    """As many observations at item level (L903): from d = 100 to 400 nothing is gained, user level gains twofold.

    The soft threshold of Duchi, Jordan and Wainwright, eight repetitions each with a spread of about .15: the true
    ratio of the item-level errors is near 1.1, so .8 is three standard errors away.
    """
    item, user = [], []
    for dimension in (100, 400):
        users, rng, errors = size(dimension), np.random.default_rng(dimension), []
        rival = ItemSparse(epsilon=4.0, dimension=dimension, law="normal")
        for repetition in range(8):
            support = rng.permutation(dimension)[:4]
            truth = np.zeros(dimension)
            truth[support] = 0.5
            chances = np.where(truth > 0, 0.75, 0.5).astype(np.float32)
            values = 2 * (rng.random((users**2, dimension), dtype=np.float32) < chances).astype(np.int8) - 1
            answer = rival.simulate(Collections(values, np.arange(users + 1) * users), seed=1, repetition=repetition)
            errors.append(((np.array(answer.value) - truth) ** 2).sum())
        item.append(np.mean(errors))
        user.append(squared_errors(dimension=dimension, repetitions=60, seed=6).mean())
        print(f"d={dimension}: item level {item[-1]:.3f} ± {np.std(errors) / 8**0.5:.3f}, user level {user[-1]:.3f}")
    assert item[1] > 0.8 * item[0] and min(item) > 0.6
    assert user[1] < 0.6 * user[0]


@pytest.mark.soak
def test_overestimating_the_sparsity_is_cheaper_at_large_epsilon() -> None:
    """L1092: n = 1000, T = 200, d = 100, s = 4; p = 1 and α = 4, where a missed coordinate costs one.

    Without the ½ cut, whose mean true vote of .375 for an assumed sparsity of 1 would select nothing (ERRATA 11), the
    error of underestimating is the bias of the coordinates missed, 4 − s, to within 5 %.
    """
    errors = {
        assumed: squared_errors(
            dimension=100, repetitions=20, users=1000, observations=200, chance=1.0, sparsity=assumed, seed=3
        )
        for assumed in (1, 2, 3, 4, 6, 8)
    }
    for assumed, found in errors.items():
        print(f"assumed s={assumed}: {found.mean():.4f} ± {found.std() / np.sqrt(20):.4f}")
    for assumed in (1, 2, 3):
        assert errors[assumed].mean() == pytest.approx(4 - assumed, rel=0.05)
    assert max(errors[6].mean(), errors[8].mean()) < 0.2 * errors[3].mean()
    assert errors[4].mean() <= errors[8].mean() + 3 * errors[8].std() / np.sqrt(20)


@pytest.mark.soak
def test_permuting_coordinates_does_not_change_the_error() -> None:
    """Kolmogorov–Smirnov, 150 errors with the support first against 150 with it permuted; threshold 1e-4."""
    from scipy.stats import ks_2samp

    setting = {"dimension": 60, "repetitions": 150, "users": 203, "observations": 150}
    first = squared_errors(**setting, permuted=False, seed=4)  # type: ignore[arg-type]
    anywhere = squared_errors(**setting, permuted=True, seed=5)  # type: ignore[arg-type]
    result = ks_2samp(first, anywhere)
    print(f"KS {result.statistic:.3f}, p = {result.pvalue:.3f}")
    assert result.pvalue > 1e-4
    literal = squared_errors(**setting, permuted=False, rank="first", sparsity=2, cut=False, seed=4)  # type: ignore[arg-type]
    elsewhere = squared_errors(**setting, permuted=True, rank="first", sparsity=2, cut=False, seed=5)  # type: ignore[arg-type]
    assert ks_2samp(literal, elsewhere).pvalue < 1e-4, (
        "the literal rule does depend on the order, and this test sees it"
    )
