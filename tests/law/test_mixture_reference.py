"""The mixtures of the paper's experiments (L1103): prototype figures, and what the paper says of both settings.

The reference figures come without an error; we take 5 % a standard error, and agreement means a difference within
three combined standard errors, so that a correct program fails for about one seed in a hundred over the three cells.
At n = 500 the squared error has a heavy tail (a thirtieth of the repetitions, those with a component missed, make most
of it: median .0021, mean .016), so the reference, a mean of at most a thousand draws, carries the tail's own error:
there the standard deviation that we see over √1000 is taken for it. Seeds are fixed, the first tried.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

from sottovoce.engines import run, simulate
from sottovoce.problems.mixture import MixtureEstimate, MixtureMeans
from tests.support import coin_mixture

COINS, EVEN = (1 / 8, 3 / 8, 5 / 8, 7 / 8), (0.25, 0.25, 0.25, 0.25)
SETTING_2 = (1 / 8, 1 / 2, 7 / 8), (0.1, 0.8, 0.1)
REFERENCE = {500: 0.0197, 1000: 0.0013, 2000: 5.7e-4}


@cache
def answers(
    users: int,
    observations: int,
    *,
    epsilon: float = 4.0,
    coins: tuple[tuple[float, ...], tuple[float, ...]] = (COINS, EVEN),
    repetitions: int = 150,
    **changes: object,
) -> list[MixtureEstimate]:
    protocol = MixtureMeans(
        method="paper",
        epsilon=epsilon,
        users=users,
        observations=observations,
        components=len(coins[0]),
        low=-1.0,
        high=1.0,
        **changes,  # type: ignore[arg-type]
    )
    rng = np.random.default_rng([users, observations, int(10 * epsilon)])
    return [
        run(protocol, simulate(coin_mixture(rng, users, observations, *coins), seed=12, repetition=repetition))
        for repetition in range(repetitions)
    ]


def means(found: list[MixtureEstimate]) -> np.ndarray:
    return np.array([answer.means for answer in found])


def squared(found: list[MixtureEstimate], chances: tuple[float, ...] = COINS) -> np.ndarray:
    return ((means(found) - (2 * np.array(chances) - 1)) ** 2).sum(axis=1)


@pytest.mark.slow
@pytest.mark.thin(2)
@pytest.mark.parametrize(("users", "repetitions"), [(500, 1000), (1000, 400), (2000, 400)])
def test_reference(users: int, repetitions: int) -> None:
    errors = squared(answers(users, 1000, repetitions=repetitions))
    seen, own = errors.mean(), errors.std(ddof=1) / math.sqrt(repetitions)
    theirs = errors.std(ddof=1) / math.sqrt(1000) if users == 500 else 0.05 * REFERENCE[users]
    z = (seen - REFERENCE[users]) / math.hypot(own, theirs)
    print(
        f"n={users}: {seen:.3e} ± {own:.1e}, median {np.median(errors):.2e}, expected {REFERENCE[users]:g}, z={z:+.1f}"
    )
    assert abs(z) <= 3


def test_the_other_reading_of_the_constant_does_not_reproduce_it() -> None:
    """√4 = √2·√2 with C_α for one √2 only: Δ is larger by √2 and the figure at n = 2000 is missed by far."""
    delta = math.sqrt(2) * 0.25 * math.sqrt(math.log(2000 * 1000 * 16) / 1000)
    errors = squared(answers(2000, 1000, delta=delta))
    own = errors.std(ddof=1) / math.sqrt(len(errors))
    assert (errors.mean() - REFERENCE[2000]) / math.hypot(own, 0.05 * REFERENCE[2000]) > 5


@pytest.mark.soak
def test_the_bin_rule_is_worse() -> None:
    """ERRATA P3: users beside the winning bin are missed, shares come out low and residuals are blown up."""
    near, bin_ = answers(2000, 1000), answers(2000, 1000, membership="bin")
    assert squared(bin_).mean() > 2 * squared(near).mean()
    assert np.mean([sum(answer.shares) for answer in near]) == pytest.approx(1.0, abs=0.02)
    assert np.mean([sum(answer.shares) for answer in bin_]) < 0.85


@pytest.mark.soak
@pytest.mark.parametrize("grown", [(2000, 1000), (1000, 2000)])
def test_balanced_means_are_consistent_with_decreasing_variance(grown: tuple[int, int]) -> None:
    """Setting 1 at α = 4, n or T grown with the other fixed: quartile distances fall by a quarter on average.

    Quartiles, because one missed component in four hundred (T = 2000: more bins, the same voters) outweighs all others
    in the variance. A ratio of two quartile distances of 150 normal draws has a relative error of 16 %, their geometric
    mean over four components 8 %: spreads that did not fall would pass with probability 1e-3, and the expected .59
    (n) and .41 (T) fail with less.
    """
    start = (700, 1000) if grown == (2000, 1000) else (1000, 300)
    before, after = (np.quantile(means(answers(*size)), (0.25, 0.5, 0.75), axis=0) for size in (start, grown))
    assert np.log((after[2] - after[0]) / (before[2] - before[0])).mean() < math.log(0.75)
    # The median of 150 normal draws has standard deviation .076 quartile distances; four components at z = 4.
    assert (np.abs(after[1] - (2 * np.array(COINS) - 1)) / (after[2] - after[0])).max() < 4 * 0.076


@pytest.mark.soak
def test_imbalanced_components_are_identified() -> None:
    """Setting 2, T = 500, α = 4: 10 %, 80 % and 10 %.

    At n = 2000 all three are found (centres within .1) in over 90 % of repetitions, far more than at n = 500, shares
    are right, and the errors of the means shrink. Those missed are warned of.
    """
    truth = 2 * np.array(SETTING_2[0]) - 1

    def found(users: int) -> tuple[list[MixtureEstimate], np.ndarray, np.ndarray]:
        seen = answers(users, 500, coins=SETTING_2)
        right = np.abs(np.array([answer.centres for answer in seen]) - truth).max(axis=1) < 0.1
        return seen, right, np.median(np.abs(means(seen) - truth), axis=0)

    (_, right_few, error_few), (many, right_many, error_many) = found(500), found(2000)
    print(f"found: {right_few.mean():.2f} of repetitions at n=500, {right_many.mean():.2f} at n=2000")
    assert right_many.mean() > 0.9 and right_many.mean() > right_few.mean() + 0.3
    assert (error_many / error_few).max() < 0.6
    shares = np.array([answer.shares for answer in many])
    assert np.abs(np.median(shares, axis=0) - SETTING_2[1]).max() < 0.02
    assert all(answer.warnings for answer, right in zip(many, right_many, strict=True) if not right)


@pytest.mark.soak
def test_less_budget_needs_more_users() -> None:
    """Setting 1 at α = 2: delicate at n = 500 (the paper says so), far better at n = 2000."""
    few, many = squared(answers(500, 1000, epsilon=2.0)), squared(answers(2000, 1000, epsilon=2.0))
    assert np.median(many) < 0.3 * np.median(few)


def test_intervals_cover() -> None:
    """150 × 4 intervals at 95 %: at least 92 % cover (a true 95 % fails with probability 1e-3 by the binomial)."""
    truth = 2 * np.array(COINS) - 1
    for users, observations, epsilon in ((500, 1000, 4.0), (2000, 1000, 4.0), (4000, 1000, 2.0)):
        found = answers(users, observations, epsilon=epsilon)
        covered = [
            low <= mean <= high for answer in found for (low, high), mean in zip(answer.intervals, truth, strict=True)
        ]
        print(f"n={users} α={epsilon}: {np.mean(covered):.3f}")
        assert np.mean(covered) >= 0.92


def test_standard_errors_are_those_seen() -> None:
    found = answers(4000, 1000)
    stated = np.median([[error.total for error in answer.standard_errors] for answer in found], axis=0)
    assert stated == pytest.approx(means(found).std(axis=0), rel=0.25)
    share_errors = np.mean([answer.share_errors for answer in found], axis=0)
    assert share_errors == pytest.approx(np.std([answer.shares for answer in found], axis=0), rel=0.25)
