"""Exact risk against simulations: of votes alone, and of the shipped protocol through the simulating engine.

Each comparison allows 4.5 standard errors: 7e-6 a comparison for a correct program, below 1e-4 for the file. The
seeds are fixed. `benchmarks/exact_risk.py` does the first with a million repetitions and three standard errors.
"""

from __future__ import annotations

import numpy as np
import pytest

from sottovoce.engines import run, simulate
from sottovoce.methods import GroupMeans, Script, Scripted
from sottovoce.problems.mean import Mean
from sottovoce.theory import BetaBinomial, Lattice, Point, Rademacher, Uniform, UserMeans, exact_risk, simulated_risk
from tests.support import rectangle

pytestmark = pytest.mark.law


class Unmoved(Scripted):
    """The rounds of a survey, and the paper's estimate as it stands: an answer would move it into the range."""

    def __init__(self, survey: Mean) -> None:
        self.scheme = survey.problem.method(survey.method).scheme(survey)

    def script(self) -> Script[GroupMeans]:
        return self.scheme.script()


SETTINGS = [
    {"users": 200, "observations": 1_000_000, "epsilon": 1.0, "delta": 0.0345, "law": Rademacher(), "shift": 0.113},
    {"users": 200, "observations": 100, "epsilon": 1.0, "delta": 0.1, "law": Rademacher(), "shift": (-0.3, 0.3)},
    {"users": 60, "observations": 50, "epsilon": 2.0, "delta": 0.06, "law": Rademacher(chance=0.9)},
    {"users": 101, "observations": 20, "epsilon": 1.5, "delta": 0.11, "law": Uniform(low=0, high=1)},
    {"users": 40, "observations": 3, "epsilon": 3.0, "delta": 0.2, "law": Uniform(low=-0.5, high=1)},
    {"users": 150, "observations": 30, "epsilon": 2.0, "delta": 0.08, "law": BetaBinomial(a=4, b=2), "clip": True},
    {"users": 80, "observations": 400, "epsilon": 2.5, "delta": 0.09, "law": Rademacher(chance=0.3), "reach": 1},
    {
        "users": 120,
        "observations": 10,
        "epsilon": 1.0,
        "delta": 0.15,
        "law": Lattice(first=-1, step=0.5, probabilities=(0.1, 0.1, 0.2, 0.4, 0.2)),
    },
    {
        "users": 50,
        "observations": 1,
        "epsilon": 1.0,
        "delta": 0.13,
        "law": UserMeans(values=(-0.95, -0.2, 0.1, 0.7), probabilities=(0.1, 0.4, 0.4, 0.1)),
        "reach": 1,
    },
    {"users": 30, "observations": 1, "epsilon": 0.7, "delta": 0.02, "law": Point(value=0.3)},
]


@pytest.mark.parametrize("repetitions", [20_000, pytest.param(100_000, marks=pytest.mark.soak)])
@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_exact_risk_is_what_simulated_votes_give(number, repetitions):
    setting = SETTINGS[number]
    exact = exact_risk(**setting, compiled=True)
    drawn = simulated_risk(**setting, repetitions=repetitions, seed=number)
    assert abs(drawn.mse - exact.mse) < 4.5 * drawn.standard_error
    if not isinstance(setting.get("shift"), tuple):  # else repetitions come in blocks with one shift each
        error = (exact.misses * (1 - exact.misses) / drawn.repetitions) ** 0.5
        assert abs(drawn.misses - exact.misses) <= 4.5 * error


@pytest.mark.slow
@pytest.mark.parametrize(
    "reach, epsilon, delta, chance", [(0, 2.0, 0.12, 0.5), (0, 1.0, 0.2, 0.8), (1, 3.0, 0.15, 0.6)]
)
def test_exact_risk_is_what_the_protocol_gives(reach, epsilon, delta, chance):
    """Squared errors of the shipped protocol, observations and reports drawn, nothing averaged beforehand."""
    users, observations, repetitions = 40, 60, 200
    method = "theory" if reach else "paper"
    protocol = Mean(
        users=users,
        observations=observations,
        epsilon=epsilon,
        low=-1,
        high=1,
        method=method,
        delta=delta,
        proof_constant=1e-3,
    )
    stream = np.random.default_rng(11)
    errors = np.empty(repetitions)
    for repetition in range(repetitions):
        people = rectangle(np.where(stream.random((users, observations)) < chance, 1.0, -1.0))
        means = run(Unmoved(protocol), simulate(people, seed=12, repetition=repetition))
        errors[repetition] = (float(means.value[0]) - (2 * chance - 1)) ** 2
    exact = exact_risk(
        users=users,
        observations=observations,
        epsilon=epsilon,
        delta=delta,
        law=Rademacher(chance=chance),
        reach=reach,
        clip=method == "theory",
    )
    assert abs(errors.mean() - exact.mse) < 4.5 * errors.std(ddof=1) / repetitions**0.5
