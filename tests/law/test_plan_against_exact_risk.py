"""The planner's quick sums against the exact risk of the theory, which leaves nothing out. No chance is involved."""

import pytest

from sottovoce.problems import choose
from sottovoce.problems.mean import Mean
from sottovoce.risk import Crowd
from sottovoce.theory import Rademacher, exact_risk

CASES = [  # users, observations, epsilon, delta, method, how far off the mean squared error may be
    (100, 10_000, 4.0, 0.010, "paper", 0.02),
    (200, 1000, 2.0, 0.05, "paper", 0.02),
    (200, 1000, 1.0, 0.05, "paper", 0.02),
    (500, 100, 1.0, 0.15, "paper", 0.02),
    (1000, 10_000, 1.0, 0.015, "paper", 0.02),
    (400, 1000, 0.5, 0.04, "paper", 0.02),
    (1500, 400, 0.5, 0.10, "paper", 0.02),
    (300, 1000, 4.0, 0.06, "theory", 0.02),
    (100, 10_000, 4.0, 0.007, "paper", 0.30),  # failures of one in 10⁴ decide here, and plain simulation misses them
]


@pytest.mark.law
@pytest.mark.parametrize("users, observations, epsilon, delta, method, tolerance", CASES)
def test_the_quick_sum_is_the_exact_one(users, observations, epsilon, delta, method, tolerance):
    survey = Mean(
        epsilon=epsilon,
        low=-1.0,
        high=1.0,
        users=users,
        observations=observations,
        method=method,
        delta=delta,
        proof_constant=1e-3 if method == "theory" else 8535.0,  # T* = T
    )
    exact = exact_risk(
        users=users,
        observations=observations,
        epsilon=epsilon,
        delta=delta,
        law=Rademacher(),
        reach=1 if method == "theory" else 0,
        clip=method == "theory",
    )
    quick = choose(survey).predict(Crowd(within=1.0, around=0.0))
    assert quick.mse == pytest.approx(exact.mse, rel=tolerance)
    assert quick.privacy == pytest.approx(exact.privacy, rel=1e-3)
