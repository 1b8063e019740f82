"""Auto leaves one round for a method that pays: by users who may differ, or by those whom the caller states."""

from __future__ import annotations

from typing import Any

import pytest

import sottovoce as sv
from sottovoce.problems import choose
from sottovoce.problems.mean import MEAN
from sottovoce.problems.mean.one_round import OneRound
from sottovoce.risk import Averages, Crowd
from tests.support import reason
from tests.support.stand_in import StandIn, as_written, beside_one_round


def mean(**more: Any) -> sv.Mean:
    return sv.Mean(**{"epsilon": 1.0, "low": 1.0, "high": 5.0, "users": 3000, "observations": 100} | more)


def one_round(spread: float | None = None) -> float:
    return MEAN.method("one-round").expected_error(mean(method="one-round"), Crowd(spread=spread)).mse


def taken(settings: sv.Mean, method: StandIn, crowd: Crowd | None = None) -> str:
    with beside_one_round(method):
        return choose(settings, crowd or Crowd()).method.name


def test_what_is_assumed_when_nothing_is_stated() -> None:
    assert [users.spread for users in OneRound().assumed_users(mean(), Crowd(within=0.5))] == [0.0, pytest.approx(0.4)]
    assert all(users.within == 0.5 for users in OneRound().assumed_users(mean(), Crowd(within=0.5)))


def test_what_is_stated_stands_alone_and_a_plan_goes_before_the_survey() -> None:
    assert OneRound().assumed_users(mean(), Crowd(spread=0.0)) == (Crowd(spread=0.0),)
    assert OneRound().assumed_users(mean(spread=0.3), Crowd()) == (Crowd(spread=0.3),)
    assert OneRound().assumed_users(mean(spread=0.3), Crowd(spread=0.0)) == (Crowd(spread=0.0),)
    given = Crowd(law=Averages.spread(mean=2.0, deviation=0.1, low=1.0, high=5.0))
    assert OneRound().assumed_users(mean(), given) == (given,)
    assert MEAN.method("paper").assumed_users(mean(spread=0.3), Crowd()) == (Crowd(spread=0.3),)


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
    other = f"one-round {one_round(spread) ** 0.5:.3g}, guaranteed"
    with beside_one_round(StandIn(1e-4, 1e-4)):
        assert reason(choose(mean(spread=spread))) == f"auto takes stand-in: {said}; {other}; as the test says"


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
