"""Plans for everything that is not a single mean."""

import pytest

import sottovoce as sv
from sottovoce.planning.planner import loads
from sottovoce.problems import problems

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


@pytest.mark.parametrize("problem", GIVEN)
def test_solving_for_users_gives_the_halfwidth_back(problem):
    numbers = {"epsilon": 2.0, **HELD[problem]}
    first = sv.plan(problem=problem, users=30_000, **numbers, **GIVEN[problem])
    solved = sv.plan(problem=problem, halfwidth=first.halfwidth, **numbers, **GIVEN[problem])
    assert solved.halfwidth == pytest.approx(first.halfwidth, rel=0.02)
    assert solved.protocol.users <= 30_100
    again = sv.plan(problem=problem, users=solved.protocol.users, **numbers, **GIVEN[problem])
    assert again.halfwidth == pytest.approx(first.halfwidth, rel=0.02)


@pytest.mark.parametrize("problem", GIVEN)
def test_a_plan_is_told_drawn_and_written(problem):
    plan = sv.plan(problem=problem, users=30_000, epsilon=2.0, **HELD[problem], **GIVEN[problem])
    assert str(plan.problem.plan.measures) in plan.summary()
    assert plan.picture()
    assert plan.to_dict()["problem"] == problem
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
    with pytest.raises(sv.InvalidInput, match="cannot fill"):
        sv.plan(problem="vector", dimension=50, users=20, observations=10, epsilon=1.0, method="one-round")
    found = sv.plan(problem="vector", dimension=50, observations=10, epsilon=1.0, halfwidth=0.9, method="one-round")
    assert found.protocol.users >= 50
    few = sv.plan(problem="vector", dimension=50, users=20, observations=10, epsilon=1.0)
    assert few.method == "adaptive" and few.users_per_round == (20,), "directions need no folds"


def test_a_setting_that_is_missing():
    with pytest.raises(sv.InvalidInput, match="needs dimension"):
        sv.plan(problem="vector", users=20, observations=10, epsilon=1.0)
