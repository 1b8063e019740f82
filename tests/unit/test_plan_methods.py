"""A plan tells what every method would give, and how much of what ε allows it uses."""

from __future__ import annotations

from typing import Any

import pytest

import sottovoce as sv
from sottovoce.answers import lines_in_words
from sottovoce.planning import plan
from sottovoce.theory import limit

MEAN = {"low": 1.0, "high": 5.0, "users": 5000, "observations": 400, "epsilon": 1.0}


def test_every_method_for_users_alike_and_users_who_differ() -> None:
    found = sv.plan(**MEAN)
    assert [one.method for one in found.methods] == [method.name for method in found.problem.methods]
    held = {one.method: one for one in found.methods}
    for kind, spread in (("alike", 0.0), ("differing", 0.4)):
        for method in ("one-round", "paper", "theory"):
            alone = sv.plan(**MEAN, method=method, spread=spread)
            assert held[method].halfwidths[kind] == pytest.approx(alone.halfwidth, rel=1e-9)
    assert held["one-round"].guaranteed and not held["paper"].guaranteed
    assert held["paper"].halfwidths["differing"] > held["paper"].halfwidths["alike"]


def test_a_spread_that_is_stated_is_the_one_told() -> None:
    stated, survey = sv.plan(**MEAN, spread=0.1), sv.plan(sv.Mean(**MEAN, spread=0.1))
    assert "if their own means differ by 0.1" in stated.summary() and "differ by 0.1" in survey.summary()
    assert stated.methods == survey.methods


@pytest.mark.parametrize("name, given", [
    ("sparse", {"dimension": 20, "sparsity": 2}), ("density", {"low": 0.0, "high": 1.0}),
])  # fmt: skip
def test_other_problems_have_one_number_a_method(name: str, given: dict[str, Any]) -> None:
    numbers: dict[str, Any] = {"users": 20_000, "observations": 1000, "epsilon": 2.0}
    found = plan(problem=name, **numbers, **given)
    (line,) = (text for label, text in lines_in_words(found.lines()) if label == "methods")
    for one in found.methods:
        assert f"{one.method} {one.halfwidths['halfwidth']:.3g}" in line
    assert {one.method: one.halfwidths["halfwidth"] for one in found.methods}[found.method] == found.halfwidth
    assert found.efficiency is None


def test_a_method_that_cannot_run_says_so() -> None:
    numbers: dict[str, Any] = {"users": 20_000, "observations": 1000, "epsilon": 2.0, "components": 2}
    found = plan(problem="mixture", low=0.0, high=1.0, **numbers)
    adaptive, paper, theory = found.methods
    assert adaptive.halfwidths["halfwidth"] == found.halfwidth < paper.halfwidths["halfwidth"]
    assert not theory.halfwidths and "2 components need" in theory.why_not
    assert f"paper {paper.halfwidths['halfwidth']:.3g}, theory cannot run" in found.summary()
    assert found.to_dict()["methods"][2] == {"method": "theory", "guaranteed": False, "cannot_run": theory.why_not}


@pytest.mark.parametrize("method", ["one-round", "paper"])
@pytest.mark.parametrize("within", [None, 0.5])
def test_efficiency_is_the_limit_over_the_prediction_for_users_alike(method: str, within: float | None) -> None:
    found = sv.plan(**MEAN, method=method, within=within)
    alike = sv.plan(**MEAN, method=method, within=within, spread=0.0)
    variance = (2.0 if within is None else within) ** 2 / MEAN["observations"]
    least = limit(1.0) * variance / MEAN["users"]
    assert found.efficiency == pytest.approx(least / alike.prediction.mse, rel=0.01)
    assert found.efficiency == alike.efficiency


@pytest.mark.parametrize("given", [{"spread": 0.3}, {"observations": 10}, {"within": 0.0}])
def test_no_efficiency_where_users_differ_or_their_averages_are_far_from_a_bell(given: dict[str, Any]) -> None:
    assert sv.plan(**MEAN | given).efficiency is None


def test_no_plan_beats_the_limit() -> None:
    for users, observations, epsilon, method in (
        (users, observations, epsilon, method)
        for users in (300, 5000, 10**6)
        for observations in (16, 20, 100, 10_000)
        for epsilon in (0.5, 1.0, 2.0, 4.0, 8.0)
        for method in ("one-round", "paper", "theory")
    ):
        found = sv.plan(
            low=0, high=1, users=users, observations=observations, epsilon=epsilon, method=method
        ).efficiency
        assert found is not None and 0 < found < 1, (users, observations, epsilon, method, found)
