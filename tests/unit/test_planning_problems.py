"""Plans for everything that is not a single mean, for budgets above what a device answers, and as files."""

from __future__ import annotations

import itertools
import json
import math
import tomllib
from functools import cache

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.messages import Fact, InvalidInput
from sottovoce.methods import experiment_delta
from sottovoce.planning import Plan, load, plan
from sottovoce.planning.planner import loads, predicted_plan
from sottovoce.problems import problems
from sottovoce.risk import Averages, Crowd
from sottovoce.theory import Point, Rademacher, exact_risk, limit, simulated_risk

LINE = tuple((place / 10,) for place in range(11))
GIVEN = {
    "mean": {"low": 0.0, "high": 1.0},
    "histogram": {"categories": ("a", "b", "c", "d")},
    "quantiles": {"low": 0.0, "high": 1.0, "q": (0.1, 0.5, 0.9)},
    "cdf": {"low": 0.0, "high": 1.0, "points": (0.2, 0.5)},
    "vector": {"dimension": 4},
    "sparse": {"dimension": 40, "sparsity": 3, "around": 0.5, "within": 0.5},
    "density": {"low": 0.0, "high": 1.0},
    "mixture": {"low": 0.0, "high": 1.0, "components": 2, "within": 0.3},
    "groups": {"of": "mean", "groups": ("arts", "law"), "low": 0.0, "high": 1.0},
    "range": {"smallest": 0.01, "largest": 1000.0},
}
HELD = {problem: {} if problem == "range" else {"observations": 2000} for problem in GIVEN}


def test_every_problem_is_tried_here():
    assert {*GIVEN, "cover"} == {problem.name for problem in problems()}


@pytest.mark.thin(2)
@pytest.mark.parametrize("problem", GIVEN)
def test_solving_for_users_gives_the_halfwidth_back_and_a_plan_is_told_and_written(problem):
    given = {"problem": problem, "epsilon": 2.0, **HELD[problem], **GIVEN[problem]}
    plan = sv.plan(users=30_000, **given)
    solved = sv.plan(halfwidth=plan.halfwidth, **given)
    assert solved.halfwidth == pytest.approx(plan.halfwidth, rel=0.02)
    assert solved.protocol.users <= 30_100
    assert sv.plan(users=solved.protocol.users, **given).halfwidth == pytest.approx(plan.halfwidth, rel=0.02)
    assert str(plan.problem.plan.measures) in plan.summary() and plan.to_dict()["problem"] == problem
    back = loads(plan.to_toml())
    assert back.halfwidth == pytest.approx(plan.halfwidth)
    assert back.to_toml() == plan.to_toml()
    assert sum(plan.users_per_round) == 30_000
    assert 0 < plan.poisoning.share_for(plan.halfwidth) <= 1


def test_the_regime_is_that_of_the_diagram():
    many = sv.plan(problem="vector", dimension=4, users=30_000, observations=2000, epsilon=2.0)
    assert many.regime == "equivalent"
    few = sv.plan(problem="mean", low=0.0, high=1.0, users=10, observations=10_000, epsilon=0.5)
    assert few.regime == "user-level harder"
    assert "by rates without constants" in few.summary()
    assert sv.plan(problem="density", low=0.0, high=1.0, users=100, observations=3, epsilon=1.0).regime is None


def test_a_cover():
    plan = sv.plan(problem="cover", centres=LINE, users=500, epsilon=1.0, spread=0.02, around=0.52)
    assert plan.prediction.omission == pytest.approx(0.02**2)
    solved = sv.plan(problem="cover", centres=LINE, epsilon=1.0, spread=0.05, around=0.5, halfwidth=0.1)
    assert solved.halfwidth == pytest.approx(0.1, rel=0.05)  # a few dozen users: one more is a step
    assert loads(plan.to_toml()).protocol == plan.protocol
    assert "observations" not in plan.to_dict()["protocol"]
    with pytest.raises(sv.InvalidInput, match="has no observations"):
        sv.plan(problem="cover", centres=LINE, users=500, epsilon=1.0, observations=3)
    with pytest.raises(sv.InvalidInput, match="needs centres"):
        sv.plan(problem="cover", size=10, users=500, epsilon=1.0)


def test_too_few_users_for_the_folds_is_an_error_and_more_are_found():
    given = {"problem": "vector", "observations": 10, "epsilon": 1.0}
    with pytest.raises(sv.InvalidInput, match="needs dimension"):
        sv.plan(**given, users=20)
    with pytest.raises(sv.InvalidInput, match="cannot fill"):
        sv.plan(**given, dimension=50, users=20, method="one-round")
    assert sv.plan(**given, dimension=50, halfwidth=0.9, method="one-round").protocol.users >= 50
    few = sv.plan(**given, dimension=50, users=20)
    assert few.method == "adaptive" and few.users_per_round == (20,), "directions need no folds"


SURVEY = {"low": 0.0, "high": 1.0, "users": 200, "observations": 100}


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
    assert told["warnings"] == [fact.to_plain() for fact in large.warnings] == told["beyond"]["words"]
    assert told["beyond"]["epsilon"] == 64.0
    assert "epsilon = 16.0" in large.to_toml()


def test_what_theory_says_of_it() -> None:
    """The least of all protocols: 1.959964·√(limit(64)·s²/n), s² = ¼/T; limit(64) is within a hundredth of 1.

    √(.25/100/200) = .00353553, times 1.959964 is .00692952. The paper's: √mse of `exact_risk`, halved, times 1.959964.
    """
    found = planned(64.0).beyond
    assert found is not None and found.least is not None and found.paper is not None
    assert found.least == pytest.approx(0.00692952 * math.sqrt(limit(64.0)), rel=1e-3)
    delta = experiment_delta(200, 100, 64.0)
    mse = exact_risk(
        users=200, observations=100, epsilon=64.0, delta=delta, law=Rademacher(), shift=(-0.3, 0.3), resolution=1.0
    ).mse
    assert found.paper == pytest.approx(1.959964 * math.sqrt(mse) / 2, rel=1e-6)
    assert found.least < found.paper
    more = plan(**SURVEY | {"users": 2000}, epsilon=64.0).beyond  # simulated
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


PLANS = [
    {"users": 5000, "observations": 400, "epsilon": 1.0},
    {"users": 5000, "observations": 400, "epsilon": 1, "low": 1, "high": 5, "spread": 1.0, "within": 0.5, "around": 2},
    {"users": 50, "observations": 4, "epsilon": 0.3, "method": "theory", "proof_constant": 20.0},
    {"observations": 100, "epsilon": 1.0, "halfwidth": 0.05},
    {"users": 5000, "observations": 400, "epsilon": 1.0, "spread": 0.0},
]


@pytest.mark.parametrize("given", PLANS)
def test_what_is_written_is_read_back(given, tmp_path):
    plan = sv.plan(**{"low": 1.0, "high": 5.0} | given)
    plan.save(tmp_path / "plan.toml")
    back = load(tmp_path / "plan.toml")
    assert back.protocol == plan.protocol
    assert back.crowd == plan.crowd
    assert back.halfwidth == pytest.approx(plan.halfwidth, rel=1e-12)
    assert back.to_toml() == plan.to_toml()
    assert tomllib.loads(plan.to_toml())["predicted_halfwidth"] == plan.halfwidth


TEXT = sv.plan(low=1.0, high=5.0, users=5000, observations=400, epsilon=1.0, spread=0.0).to_toml()


@pytest.mark.parametrize(
    "old, new, words",
    [
        ("plan = 1", "plan = 2", "plan = 1, the version"),
        ("plan = 1\n", "", "plan = 1, the version"),
        ("plan = 1", "plan = true", "plan = 1, the version"),
        ('problem = "mean"', "problem = 3", "names its problem"),
        ('problem = "mean"', 'problem = "median"', "problem must be one of"),
        ("epsilon = 1.0", 'epsilon = "one"', "epsilon must be a number in a plan file; got str"),
        ("epsilon = 1.0", "epsilon = -1.0", "epsilon must lie between"),
        ("epsilon = 1.0", "epsilom = 1.0", "has no epsilom"),
        ("users = 5000\n", "", "lacks a setting"),
        ("users = 5000", "users = 50.5", "users must be of type int"),
        ("users = 5000", "users = true", "users must be of type int"),
        ("users = 5000", "users = ", "not a plan file"),
        ("assumed_spread = 0.0", "assumed_spread = -1", "spread is a standard deviation"),
        ('survey = "rehearsal"', "survey = 3", "survey must be of type str"),
    ],
)
def test_a_wrong_file_says_what_is_wrong(old, new, words):
    assert old in TEXT
    with pytest.raises(sv.InvalidInput) as caught:
        loads(TEXT.replace(old, new))
    assert words in str(caught.value)


def test_whole_numbers_are_numbers_and_bytes_no_text(tmp_path):
    assert loads(TEXT.replace("low = 1.0", "low = 1")).to_toml() == TEXT
    (tmp_path / "plan.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(sv.InvalidInput, match="UTF-8"):
        load(tmp_path / "plan.toml")


def test_a_given_law_has_no_file_form():
    crowd = Crowd(law=Averages.of(np.array([2.0, 3.0])))
    plan = predicted_plan(sv.Mean(epsilon=1.0, low=1.0, high=5.0, users=100, observations=3), crowd)
    with pytest.raises(sv.InvalidInput, match="has no file form"):
        plan.to_toml()
