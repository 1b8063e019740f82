"""Plans: colluders, refusals, words and pictures."""

import json
import math

import numpy as np
import pytest

import sottovoce as sv
from sottovoce import design
from sottovoce.messages.exact_arithmetic import exact
from sottovoce.risk import capture_share, laplace_reach, table_reach
from tests.unit.test_planning import RANGE


# ---- colluders -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("epsilon, share", [(0.1, 0.024), (0.5, 0.11), (1.0, 0.20)])
def test_the_share_that_captures_a_vote(epsilon, share):
    """The figures that were measured before (concentrated users)."""
    assert capture_share(design.unary(epsilon, 30).keep, 1.0) == pytest.approx(share, abs=0.005)


@pytest.mark.parametrize("factor, captured", [(0.9, False), (1.1, True)])
def test_colluders_capture_a_vote_as_predicted(factor, captured):
    voters, keep, rounds = 100_000, design.unary(1.0, 30).keep, 50
    share = factor * capture_share(keep, 1.0)
    stream, colluding = np.random.default_rng(2), round(voters * share)
    honest = voters - colluding
    right = stream.binomial(honest, keep, rounds)
    wrong = stream.binomial(honest, 1 - keep, rounds) + colluding
    assert ((wrong > right).mean() > 0.99) == captured
    assert ((wrong > right).mean() < 0.01) == (not captured)


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 4.0])
def test_no_report_reaches_beyond_the_bound(epsilon):
    table, laplace = design.best_position_table(exact(epsilon)), design.laplace(epsilon)
    assert all(
        -table_reach(table, 1.0) <= value - end <= table_reach(table, 1.0) for value in table.decode for end in (0, 1)
    )
    farthest = (laplace.steps + laplace.bound) / laplace.steps
    assert farthest == pytest.approx(laplace_reach(1.0, epsilon), rel=1e-4)


def test_a_plan_tells_what_colluders_can_do():
    single = sv.plan(**RANGE, users=5000, observations=400, epsilon=1.0, method="one-round")
    double = sv.plan(**RANGE, users=5000, observations=400, epsilon=1.0, method="paper")
    assert single.poisoning.capture is None
    assert 0 < double.poisoning.capture < 0.2
    assert single.poisoning.shift(0.01) == pytest.approx(0.01 * single.poisoning.reach)
    assert double.poisoning.shift(0.5) == math.inf
    assert double.poisoning.share_for(1e9) == double.poisoning.capture
    assert "of the users can move the answer by up to" in double.summary()


# ---- wrong input -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "given, words",
    [
        (
            {"epsilon": 1.0, "halfwidth": 0.1},
            "leave out exactly one, to be solved for; users and observations are",
        ),
        ({"epsilon": 1.0, "users": 100}, "observations and halfwidth are left out"),
        ({"epsilon": 1.0, "users": 100, "observations": 3, "halfwidth": 0.1}, "none is left out"),
        ({"epsilon": 1.0, "users": 100, "halfwidth": 0.1, "mse": 0.1}, "give one of them"),
        ({"epsilon": 1.0, "users": 100, "halfwidth": -0.1}, "halfwidth must be positive"),
        ({"epsilon": 1.0, "users": 100, "mse": math.nan}, "mse must be positive"),
        ({"epsilon": 1.0, "users": 100, "halfwidth": 2.5}, "says nothing: the declared range has a half-width of 2"),
        ({"epsilon": -1.0, "users": 100, "observations": 3}, "epsilon must lie between"),
        ({"epsilon": 1.0, "users": 0, "observations": 3}, "users must be a whole number"),
        ({"epsilon": 1.0, "users": 10, "observations": 3, "spread": 3.0}, "spread can be at most 2"),
        ({"epsilon": 1.0, "users": 10, "observations": 3, "within": -1.0}, "within is a standard deviation"),
        ({"epsilon": 1.0, "users": 10, "observations": 3, "around": 7.0}, "around must lie in"),
        ({"epsilon": 1.0, "users": 10, "observations": 3, "colour": 7.0}, "has no colour; its settings are low, high"),
        ({"epsilon": 1.0, "users": 10, "observations": 3, "method": "best"}, "method must be one of"),
        (
            {"epsilon": 1.0, "users": 10, "observations": 3, "problem": "median"},
            "problem must be one of mean, histogram",
        ),
        ({"epsilon": 1.0, "users": 10, "observations": 3, "confidence": 1.0}, "confidence must lie"),
    ],
)
def test_what_cannot_be_planned_says_why(given, words):
    with pytest.raises(sv.InvalidInput) as caught:
        sv.plan(**RANGE, **given)
    assert words in str(caught.value)


def test_a_range_is_needed():
    with pytest.raises(sv.InvalidInput, match="needs low and high"):
        sv.plan(users=10, observations=3, epsilon=1.0)


def test_a_target_out_of_reach_says_what_is_the_best():
    with pytest.raises(sv.InvalidInput) as caught:
        sv.plan(**RANGE, users=1000, epsilon=0.5, halfwidth=0.01, method="one-round")
    text = str(caught.value)
    assert "observations alone cannot bring the half-width down to 0.01: the best is 0.5" in text
    assert "because the noise of the reports shrinks no further with it" in text
    assert "more observations will not help; you need more users, or a larger epsilon" in text
    with pytest.raises(sv.InvalidInput, match=r"epsilon alone cannot.*you need more users, or more observations"):
        sv.plan(**RANGE, users=100, observations=1, halfwidth=0.01)


def test_a_protocol_is_not_contradicted():
    protocol = sv.Mean(epsilon=1.0, **RANGE, users=3000, observations=200)
    with pytest.raises(sv.InvalidInput, match="the protocol already says users, low"):
        sv.plan(protocol, users=10, low=3)
    with pytest.raises(sv.InvalidInput, match="no plan for a Dummy"):
        sv.plan(sv.Dummy(users=3), halfwidth=0.1)


# ---- what a plan shows -----------------------------------------------------------------------------------------------
def test_a_plan_as_data():
    plan = sv.plan(**RANGE, users=5000, observations=400, epsilon=1.0, method="paper")
    held = json.loads(plan.to_json())
    assert held["predicted"]["halfwidth"] == plan.halfwidth
    assert held["users_per_round"] == [2500, 2500]
    assert sum(value**2 for value in held["predicted"]["standard_error"].values()) == pytest.approx(plan.prediction.mse)


def test_twice_of_everything_is_what_a_plan_of_twice_says():
    plan = sv.plan(**RANGE, users=5000, observations=400, epsilon=1.0)
    (double,) = (change for change in plan.sensitivity if change.quantity == "users" and change.factor == 2)
    assert double.halfwidth == sv.plan(**RANGE, users=10_000, observations=400, epsilon=1.0).halfwidth


def test_plot():
    from matplotlib.figure import Figure

    axes = Figure().subplots()
    plan = sv.plan(**RANGE, users=5000, observations=400, epsilon=1.0)
    assert plan.plot(axes) is axes
    assert len(axes.get_lines()) == 4


def test_edges_are_those_of_the_vote():
    survey = sv.Mean(epsilon=1.0, **RANGE, users=5000, observations=400, method="paper")
    layout = survey.problem.method("paper").scheme(survey).layout
    found = layout.edges
    assert len(found) == layout.bins + 1
    assert found[1] - found[0] == pytest.approx(2 * layout.delta * layout.half)


def test_one_of_a_kind_is_not_many():
    common = {"low": 0, "high": 1, "users": 1000, "observations": 1, "epsilon": 1, "method": "one-round"}
    place = sv.plan(problem="cdf", points=(0.5,), **common).summary()
    assert "1 observation each" in place and "1 place, one" in place
    assert "1 wave, one a user" in sv.plan(problem="density", coefficients=2, **common).summary()
    with pytest.raises(sv.InvalidInput, match="1 user cannot answer about 16 places"):
        sv.Cdf(**common | {"users": 1})
    assert "1 user," in repr(sv.collections([[1.0]]))
