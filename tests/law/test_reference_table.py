"""The paper's univariate comparison against prototype measurements, and the comparison printed (pytest -s).

Unif[0, 1] + U, U ~ Unif[−.3, .3], n = 500, the constants of the paper's experiments. The reference figures carry
"± 4–8 %" at two standard errors; we take 6 %, that is 3 % a standard error. Agreement means |difference| within three
combined standard errors; with 35 comparisons a correct program would fail by chance in about 9 % of seeds, so the
seed is fixed to one that was never chosen for its result (the first tried) and the largest |z| is printed.

The declared range is [−.5, 1.5]: as wide as the paper's [−1, 1] and wide enough for all shifted data (ERRATA P5).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from sottovoce.answers import Estimate
from sottovoce.baselines import FullItem, SemiUser, SplitUser
from sottovoce.engines import run, simulate
from sottovoce.problems.mean import Mean
from tests.support import rectangle

USERS, REPETITIONS = 500, 300
REFERENCE = {  # (T, α): full item, semi user, split user, user level, user level with √2 in Δ over full item
    (100, 0.5): (6.42e-4, 0.064, 6.4, 0.0345, 342),
    (100, 1.0): (1.62e-4, 0.016, 1.6, 0.0079, 379),
    (100, 2.0): (4.17e-5, 0.004, 0.4, 5.75e-4, 421),
    (100, 4.0): (1.17e-5, 0.001, 0.1, 1.60e-4, 419),
    (1000, 1.0): (1.62e-5, 0.016, 16, 9.36e-4, 456),
    (1000, 2.0): (4.17e-6, 0.004, 4, 6.41e-5, 495),
    (1000, 4.0): (1.17e-6, 0.001, 1, 1.82e-5, 489),
}
SCHEMES = ("full item", "semi user", "split user", "user level", "user level, √2")


def protocols(observations: int, epsilon: float) -> list[object]:
    setting = {"epsilon": epsilon, "low": -0.5, "high": 1.5, "users": USERS, "observations": observations}
    wide = math.sqrt(2 * math.log(USERS * observations * epsilon**2) / observations)
    return [
        FullItem(**setting),
        SemiUser(**setting),
        SplitUser(**setting),
        Mean(**setting, method="paper"),
        Mean(**setting, method="paper", delta=wide),
    ]


def squared_errors(observations: int, epsilon: float) -> np.ndarray:
    rng = np.random.default_rng([observations, int(10 * epsilon)])
    errors = np.empty((REPETITIONS, len(SCHEMES)))
    schemes = protocols(observations, epsilon)
    for repetition in range(REPETITIONS):
        shift = rng.uniform(-0.3, 0.3)
        people = rectangle(rng.random((USERS, observations)) + shift)
        few = repetition % 10 == 0  # item-level schemes are slow and their law is simple: a tenth is enough
        for column, protocol in enumerate(schemes):
            if column in (0, 2) and not few and observations > 100:
                errors[repetition, column] = np.nan
                continue
            answer: Callable[..., Estimate] = run(protocol, simulate(people, seed=11, repetition=repetition))  # type: ignore[arg-type, assignment]
            errors[repetition, column] = (answer.value - 0.5 - shift) ** 2  # type: ignore[attr-defined]
    return errors


@pytest.mark.slow
@pytest.mark.thin(7)
@pytest.mark.parametrize(("observations", "epsilon"), REFERENCE)
def test_univariate_reference(observations: int, epsilon: float) -> None:
    errors = squared_errors(observations, epsilon)
    full, semi, split, user, wide_ratio = REFERENCE[observations, epsilon]
    expected = np.array([full, semi, split, user, wide_ratio * full])
    measured = np.nanmean(errors, axis=0)
    ours = np.nanstd(errors, axis=0, ddof=1) / np.sqrt((~np.isnan(errors)).sum(axis=0))
    deviations = (measured - expected) / np.hypot(ours, 0.03 * expected)
    for name, seen, error, wanted, z in zip(SCHEMES, measured, ours, expected, deviations, strict=True):
        print(
            f"T={observations:5d} α={epsilon:3g} {name:15s} {seen:.3e} ± {error:.1e}  expected {wanted:.3e}  z={z:+.1f}"
        )
    assert np.abs(deviations).max() <= 3
