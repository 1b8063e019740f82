"""Budgets above what a device answers: theory computes with them, a plan says so, and nothing runs with them."""

from __future__ import annotations

import itertools
import json
import math
from functools import cache

import pytest

import sottovoce as sv
from sottovoce.messages import Fact, InvalidInput
from sottovoce.methods import experiment_delta
from sottovoce.planning import Plan, plan
from sottovoce.theory import Point, Rademacher, exact_risk, limit, simulated_risk

SURVEY = {"low": 0.0, "high": 1.0, "users": 500, "observations": 100}


@cache
def planned(epsilon: float) -> Plan:
    return plan(**SURVEY, epsilon=epsilon)


def test_exact_risk_of_a_large_budget_by_hand() -> None:
    """Users all at .1, n = 100, ε = 64, Δ = .1: ten bins; the right one, [0, .2], wins but for e^{−32} a vote.

    50 refiners on its middle ± 3Δ: the interval [−.2, .4] has width .6, holds .1, and Laplace noise of scale .6/64 has
    the variance 2·(.6/64)² = 2·8.7890625e-5 = 1.7578125e-4; a fiftieth of it is 3.515625e-6. Nothing is sampled.
    """
    found = exact_risk(users=100, observations=10, epsilon=64.0, delta=0.1, law=Point(value=0.1))
    assert found.mse == pytest.approx(3.515625e-6, rel=1e-6)


def test_risk_falls_to_that_of_the_sample_as_the_budget_grows() -> None:
    """±1 with mean 0, n = 100, T = 100: the 50 refiners' sampling error is 1/(50·100) = 2e-4, less clamped tails."""
    found = [
        exact_risk(users=100, observations=100, epsilon=e, delta=0.1, law=Rademacher(), shift=0.1).mse
        for e in (16, 20, 64, 1e3, 1e6)
    ]
    assert all(a > b for a, b in itertools.pairwise(found))
    assert found[-1] == pytest.approx(2e-4, rel=0.01)
    drawn = simulated_risk(
        users=100, observations=100, epsilon=64.0, delta=0.1, law=Rademacher(), shift=0.1, repetitions=500, seed=1
    )
    assert drawn.mse == pytest.approx(found[2], rel=1e-4)  # no vote fails: only the exact average is left
    with pytest.raises(InvalidInput):
        exact_risk(users=100, observations=100, epsilon=2e6, delta=0.1, law=Rademacher())


def test_a_plan_above_sixteen_is_for_sixteen_and_says_so() -> None:
    large, most = planned(64.0), planned(16.0)
    assert large.protocol == most.protocol and large.protocol.epsilon == 16.0
    assert most.beyond is None and most.warnings == ()
    first = large.warnings[0]
    assert first == Fact("plan-epsilon-too-large", most=16.0, planned=16.0, asked=64.0)
    assert "no device answers above ε = 16 in one question" in str(first) and "64" in str(first)
    assert all(str(fact) in large.summary() for fact in large.warnings)
    told = json.loads(large.to_json())
    assert (
        told["warnings"] == [fact.to_plain() for fact in large.warnings] == told["beyond"]["words"]
        and told["beyond"]["epsilon"] == 64.0
    )
    assert "epsilon = 16.0" in large.to_toml()


def test_what_theory_says_of_it() -> None:
    """The least of all protocols: 1.959964·√(limit(64)·s²/n), s² = ¼/T; limit(64) is within a hundredth of 1.

    √(.25/100/500) = .00223607, times 1.959964 is .00438261. The paper's: √mse of `exact_risk`, halved, times 1.959964.
    """
    found = planned(64.0).beyond
    assert found is not None and found.least is not None and found.paper is not None
    assert found.least == pytest.approx(0.00438261 * math.sqrt(limit(64.0)), rel=1e-3)
    delta = experiment_delta(500, 100, 64.0)
    mse = exact_risk(
        users=500, observations=100, epsilon=64.0, delta=delta, law=Rademacher(), shift=(-0.3, 0.3), resolution=1.0
    ).mse
    assert found.paper == pytest.approx(1.959964 * math.sqrt(mse) / 2, rel=1e-6)
    assert found.least < found.paper
    more = plan(**SURVEY | {"users": 5000}, epsilon=64.0).beyond  # simulated
    assert more is not None and more.paper is not None and more.paper == pytest.approx(found.paper / 10**0.5, rel=0.1)


def test_several_coordinates_may_spend_more_together() -> None:
    vector = {"problem": "vector", "dimension": 4, "users": 5000, "observations": 100}
    theory = plan(**vector, method="theory", epsilon=20.0)
    assert theory.protocol.epsilon == 20.0 and theory.warnings == ()
    auto = plan(**vector, epsilon=20.0)
    assert auto.protocol.epsilon == 16.0 and Fact("plan-epsilon-several-coordinates", most=64.0) in auto.warnings
    above = plan(**vector, method="theory", epsilon=100.0)
    assert above.protocol.epsilon == 64.0 and "not for 100" in str(above.warnings[0])


def test_what_was_to_be_solved_for_is_solved_at_sixteen() -> None:
    wanted = {"low": 0.0, "high": 1.0, "observations": 100, "halfwidth": 0.01}
    found = plan(**wanted, epsilon=20.0)
    assert found.protocol == plan(**wanted, epsilon=16.0).protocol and found.warnings


def test_nothing_runs_with_it() -> None:
    with pytest.raises(InvalidInput, match="between 1e-06 and 16; got 20: no device answers more in one question"):
        sv.Mean(**SURVEY, epsilon=20.0)
    with pytest.raises(InvalidInput, match="no device answers more in one question"):
        sv.mean([[0.1, 0.2], [0.3]], low=0, high=1, epsilon=20.0, seed=1)
    for epsilon in (math.nan, math.inf, 1e7, -1.0):
        with pytest.raises(InvalidInput, match="epsilon must lie between"):
            plan(**SURVEY, epsilon=epsilon)
