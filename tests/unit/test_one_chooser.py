"""`auto` means the same everywhere, and leaves one round for a method that pays, by users assumed or stated."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.problems import choose, named
from sottovoce.problems.mean import MEAN
from sottovoce.problems.mean.one_round import OneRound
from sottovoce.risk import Averages, Crowd
from tests.support import reason
from tests.support.stand_in import StandIn, as_written, beside_one_round

SIZES = [20, 60, 150, 400, 1000, 3000, 10_000, 100_000, 1_000_000]
OBSERVATIONS = [1, 5, 20, 100, 1000]
EPSILONS = [0.1, 0.5, 1.0, 1.5, 2.0, 4.0]
MEANS = [
    {"low": low, "high": high, "users": n, "observations": T, "epsilon": epsilon}
    for (low, high), sizes in (((-1.0, 1.0), SIZES), ((1.0, 5.0), [150, 3000]))
    for n, T, epsilon in itertools.product(sizes, OBSERVATIONS, EPSILONS)
]
OTHERS = [
    *(
        ("vector", {"users": n, "observations": T, "epsilon": epsilon, "dimension": d} | more)
        for n, T, epsilon, d, more in itertools.product(
            [100, 3000, 50_000], [5, 200], [0.5, 2.0, 4.0], [3, 8], [{"low": 0.0, "high": 2.0}, {"radius": 1.0}]
        )
    ),
    *(
        ("sparse", {"users": n, "observations": T, "epsilon": epsilon, "dimension": d, "sparsity": 3})
        for n, T, epsilon, d in itertools.product([300, 4000, 100_000], [20, 200], [0.5, 2.0, 4.0], [20, 60])
    ),
    *(
        ("density", {"users": n, "observations": T, "epsilon": epsilon, "low": 0.0, "high": 1.0})
        for n, T, epsilon in itertools.product([50, 300, 2000, 5000, 50_000, 10**6], [5, 50, 500], [0.5, 1.0, 2.0, 4.0])
    ),
    *(
        ("mixture", {"users": n, "observations": T, "epsilon": 2.0, "low": 0.0, "high": 1.0, "components": m})
        for n, T, m in itertools.product([300, 3000, 30_000], [500, 5000], [1, 2])
    ),
]
SMALL_DENSITY = {"users": 732, "observations": 6, "epsilon": 0.247, "low": 0.0, "high": 1.0}
SMALL_VECTOR = {"users": 22, "observations": 189, "epsilon": 0.126, "dimension": 6, "radius": 1.0}
ALL = [("mean", settings) for settings in MEANS] + OTHERS


@pytest.mark.thin(7)
@pytest.mark.parametrize("part", range(10))
def test_a_survey_and_its_plan_run_the_same(part: int) -> None:
    for name, settings in ALL[part::10]:
        survey = named(name).settings(**settings)
        planned = sv.plan(problem=name, **settings)
        assert choose(survey).settings == planned.protocol
        assert survey.decide(()) == planned.protocol.decide(())


@pytest.mark.parametrize("name, data, more", [
    ("mean", np.linspace(0, 1, 600).reshape(200, 3), {"low": 0.0, "high": 1.0}),
    ("vector", np.linspace(0, 1, 1200).reshape(200, 3, 2), {"low": 0.0, "high": 1.0}),
    ("sparse", np.linspace(0, 1, 2400).reshape(200, 3, 4), {"sparsity": 1}),
    ("density", np.linspace(0, 1, 600).reshape(200, 3), {"low": 0.0, "high": 1.0}),
])  # fmt: skip
def test_a_call_runs_what_the_plan_says(name: str, data: Any, more: dict[str, Any]) -> None:
    problem = named(name)
    answer = getattr(sv, problem.function)(data, epsilon=2.0, seed=1, **more)
    numbers: dict[str, Any] = {"users": 200, "observations": 3, "epsilon": 2.0}
    if data.ndim == 3:
        numbers["dimension"] = data.shape[2]
    planned = sv.plan(problem=name, **numbers, **more)
    assert answer.method.startswith(planned.method)
    why = planned.chosen.why
    assert answer.reason == (f"auto takes {planned.method}" if why is None else reason(planned.chosen))
    assert why is None or answer.chosen == why


def value_of(method: Any, settings: Any) -> float:
    if settings.problem.by_interval:
        return math.exp(method.loss(settings, Crowd()))
    return float(method.expected_error(settings, Crowd()).mse)


@pytest.mark.thin(7)
@pytest.mark.parametrize("part", range(7))
def test_auto_leaves_the_simplest_only_for_what_pays(part: int) -> None:
    """By its own predictions, never worse than the simplest as it is by name, and near the best if it stays with it.

    Predictions are squared errors, or what they are to a problem whose interval counts first.
    """
    compared = 0
    for name, settings in [*ALL, ("density", SMALL_DENSITY), ("vector", SMALL_VECTOR)][part::7]:  # there are six ε
        problem = named(name)
        auto = choose(problem.settings(**settings))
        taken = value_of(auto.method, auto.settings)
        for method in problem.automatic:
            try:
                asked = problem.settings(**settings, method=method)
            except sv.InvalidInput:
                continue
            pays = 1.0 if method == problem.automatic[0] else problem.pays
            expected = value_of(problem.method(method).method_that_runs(asked), asked)
            assert pays * taken <= expected * (1 + 1e-9), (name, settings, method)
            compared += 1
    assert compared > 80


def test_one_survey_written_twice_decides_the_same_bytes() -> None:
    first = sv.Mean(epsilon=1, low=0, high=1, users=3000, observations=20)
    second = sv.Mean(epsilon=1.0, low=0.0, high=1.0, users=3000, observations=20)
    answers = [sv.run(one, sv.simulate(sv.collections(np.full((3000, 2), 0.3)), seed=1)) for one in (first, second)]
    assert answers[0].to_json() == answers[1].to_json()
    assert repr(first) == repr(second)


def mean(**more: Any) -> sv.Mean:
    return sv.Mean(**{"epsilon": 1.0, "low": 1.0, "high": 5.0, "users": 3000, "observations": 100} | more)


def one_round(spread: float | None = None) -> float:
    return MEAN.method("one-round").expected_error(mean(method="one-round"), Crowd(spread=spread)).mse


def taken(settings: sv.Mean, method: StandIn, crowd: Crowd | None = None) -> str:
    with beside_one_round(method):
        return choose(settings, crowd or Crowd()).method.name


def test_what_is_stated_stands_alone_and_a_plan_goes_before_the_survey() -> None:
    assumed = OneRound().assumed_users
    both = [(users.within, users.spread) for users in assumed(mean(), Crowd(within=0.5))]
    assert both == [(0.5, 0.0), (0.5, pytest.approx(0.4))]
    given = Crowd(law=Averages.spread(mean=2.0, deviation=0.1, low=1.0, high=5.0))
    assert assumed(mean(), given) == (given,)
    assert assumed(mean(), Crowd(spread=0.0)) == (Crowd(spread=0.0),) == assumed(mean(spread=0.3), Crowd(spread=0.0))
    for method in (OneRound(), MEAN.method("paper")):
        assert method.assumed_users(mean(spread=0.3), Crowd()) == (Crowd(spread=0.3),)


def test_the_expectation_is_the_average_over_what_is_assumed() -> None:
    assert one_round() == pytest.approx((one_round(0.0) + one_round(0.4)) / 2, rel=1e-12)
    assert sv.plan(mean(method="one-round")).prediction.mse == one_round()


@pytest.mark.parametrize("part, name", [(0.49, "stand-in"), (0.51, "one-round"), (2.0, "one-round")])
def test_half_of_the_average_squared_error_pays(part: float, name: str) -> None:
    whole = 2 * part * one_round()
    for alike in (0.1 * whole, 0.5 * whole, 0.9 * whole):
        assert taken(mean(), StandIn(alike, whole - alike)) == name


def test_a_stated_spread_decides_alone() -> None:
    method = StandIn(0.01 * one_round(), 2 * one_round())  # good for users alike, bad for others
    assert taken(mean(), method) == "one-round"
    assert taken(mean(spread=0.0), method) == "stand-in"
    assert taken(mean(spread=0.2), method) == "one-round"
    assert taken(mean(), method, Crowd(spread=0.0)) == "stand-in"


@pytest.mark.parametrize("spread, said", [
    (None, "if users are alike or differ by 0.4 (10% of the range), error 0.01 on average"),
    (0.0, "if users are alike, error 0.01"),
    (0.2, "if users' own means differ by 0.2 (5% of the range), error 0.01"),
])  # fmt: skip
def test_the_reason_says_what_was_assumed_and_what_the_other_would_have_given(spread: float | None, said: str) -> None:
    half = MEAN.method("one-round").expected_error(mean(method="one-round"), Crowd(spread=spread)).halfwidth(0.95)
    other = f"one-round ± {half:.3g}, error {one_round(spread) ** 0.5:.3g}, guaranteed"
    with beside_one_round(StandIn(1e-4, 1e-4)):
        assert reason(choose(mean(spread=spread))) == f"auto takes stand-in: {said}; {other}; as the test says"


@pytest.mark.parametrize("aim", ["interval", "error"])
def test_the_mean_goes_by_what_it_is_aimed_at(aim: str) -> None:
    """Over many kinds of users: log H + ¼ log MSE, or the error alone; a spread that is stated stands for itself."""
    for more in ({}, {"spread": 0.0}, {"spread": 0.6}, {"users": 400, "epsilon": 2.0}):
        settings = mean(aim=aim, **more)
        auto, losses = choose(settings), []
        for name in MEAN.automatic:
            method = MEAN.method(name)
            crowds = method.judging_users(settings, Crowd())
            assert len(crowds) == (1 if "spread" in more else 6)
            predictions = [method.predict(settings, crowd) for crowd in crowds.values()]
            halves = 0.0 if aim == "error" else np.mean([math.log(one.halfwidth(0.95)) for one in predictions])
            part = 1.0 if aim == "error" else 0.25
            losses.append(halves + part * np.mean([math.log(one.mse) for one in predictions]))
            assert losses[-1] == pytest.approx(method.loss(settings, Crowd()))
        assert auto.method.name == MEAN.automatic[int(np.argmin(losses))]


def test_the_reason_says_from_where_on_the_other_would_be_taken() -> None:
    error = one_round() ** 0.5
    with beside_one_round(StandIn(0.81 * error**2, 0.81 * error**2)):
        said = reason(choose(mean()))
        assert said.startswith("auto takes one-round: if users are alike or differ by 0.4")
        assert f"error {error:.3g} on average, guaranteed; " in said
        assert f"stand-in {0.9 * error:.3g} (taken only below {0.5**0.5 * error:.3g})" in said
    with beside_one_round(StandIn(1.0, 1.0)):
        assert "taken only" not in reason(choose(mean()))


def test_a_method_that_cannot_run_is_not_taken() -> None:
    with beside_one_round(StandIn(1e-9, 1e-9, why_not=as_written("too few users"))):
        chosen = choose(mean())
        assert chosen.method.name == "one-round" and reason(chosen).endswith("stand-in cannot run: too few users")
    assert taken(mean(), StandIn(None, 1.0)) == "one-round"


def test_a_plan_goes_by_the_same_rule() -> None:
    with beside_one_round(StandIn(1e-4, 3e-4)):
        plan = sv.plan(mean())
        assert plan.method == "stand-in" and plan.prediction.mse == pytest.approx(2e-4)
        assert "users alike or users' own means differ by 0.4" in plan.summary()
        assert [users.spread for users in plan.assumed] == [0.0, pytest.approx(0.4)]
