"""Plans: predictions, solving for what is missing, what every method would give, words, colluders."""

from __future__ import annotations

import json
import math
from itertools import product
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce import design
from sottovoce.answers import lines_in_words
from sottovoce.messages import Fact
from sottovoce.messages.exact_arithmetic import exact
from sottovoce.planning import plan
from sottovoce.risk import Averages, capture_share, laplace_reach, table_reach, winning_chances
from sottovoce.risk.prediction import Prediction, clamped_normal_mse
from sottovoce.theory import limit

RANGE = {"low": 1.0, "high": 5.0}
MEAN = RANGE | {"users": 5000, "observations": 400, "epsilon": 1.0}


# ---- laws and votes --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("deviation", [0.001, 0.1, 0.5, 0.9, 0.999])
@pytest.mark.parametrize("mean", [0.0, 0.3, -0.6])
def test_a_law_has_the_mean_and_deviation_asked_for(mean, deviation):
    room = math.sqrt(1 - mean**2)
    law = Averages.spread(mean=mean, deviation=deviation * room, low=-1, high=1)
    assert law.mean == pytest.approx(mean, abs=2e-3)
    assert math.sqrt(law.variance) == pytest.approx(deviation * room, rel=0.01)
    assert law.points.min() >= -1 and law.points.max() <= 1


@pytest.mark.parametrize("mean", [0.02, 0.3, 0.5, 0.9])
@pytest.mark.parametrize("share", [0.0401, 0.1, 0.5, 0.97])
def test_a_wide_law_has_the_quantiles_of_a_beta(mean, share):
    from scipy.special import betaincinv

    size = 1 / share - 1
    deviation = math.sqrt(share * mean * (1 - mean))
    law = Averages.spread(mean=mean, deviation=deviation, low=0, high=1)
    places = (np.arange(len(law.points)) + 0.5) / len(law.points)
    assert law.points == pytest.approx(betaincinv(mean * size, (1 - mean) * size, places), abs=1e-10)


def test_an_even_vote_is_fair_but_for_ties():
    chances = winning_chances(np.full(4, 0.25), voters=100_000, keep=0.7)
    assert chances == pytest.approx(np.full(4, 0.25), abs=0.01)
    few = winning_chances(np.full(4, 0.25), voters=3, keep=0.7)
    assert few[0] > few[3]  # ties go to the lower index


@pytest.mark.parametrize("reach", [0, 1])
def test_votes_are_won_as_often_as_predicted(reach):
    """Against 20,000 elections; each frequency within 4.5 standard errors (false alarm about 1e-4 in all)."""
    shares, voters, keep, rounds = np.array([0.05, 0.0, 0.0, 0.35, 0.45, 0.15, 0.0, 0.0]), 60, 0.62, 20_000
    stream = np.random.default_rng(3)
    held = stream.multinomial(voters, shares, size=rounds)
    hot = np.array([np.convolve(row, np.ones(2 * reach + 1, dtype=int))[reach : reach + 8] for row in held])
    votes = stream.binomial(hot, keep) + stream.binomial(voters - hot, 1 - keep)
    seen = np.bincount(votes.argmax(axis=1), minlength=8) / rounds
    predicted = winning_chances(shares, voters=voters, keep=keep, reach=reach)
    slack = 0.02 if reach else 0.004  # bins are treated as independent, given the fullest
    assert np.all(np.abs(seen - predicted) < 4.5 * np.sqrt(predicted / rounds) + slack)


def test_a_clamped_normal_estimate():
    draws = np.clip(0.4 + 0.7 * np.random.default_rng(1).standard_normal(200_000), -1, 1)
    assert clamped_normal_mse(0.49, mean=0.4, low=-1, high=1) == pytest.approx(((draws - 0.4) ** 2).mean(), rel=0.01)
    assert clamped_normal_mse(1e-6, mean=0.4, low=-1, high=1) == pytest.approx(1e-6)


def test_the_dominant_cause():
    assert Prediction(sampling=1, privacy=3, localisation=2).dominant == "privacy"
    assert Prediction(sampling=4, privacy=3, localisation=2).dominant == "sampling"


# ---- solving ---------------------------------------------------------------------------------------------------------
GIVEN = [
    {"epsilon": 1.0, "observations": 100, "halfwidth": 0.05},
    {"epsilon": 1.0, "observations": 1, "halfwidth": 0.1},
    {"epsilon": 0.1, "observations": 1000, "halfwidth": 0.05},
    {"epsilon": 0.5, "observations": 10_000, "halfwidth": 0.01},
    {"epsilon": 2.0, "observations": 30, "halfwidth": 0.02},
    {"epsilon": 4.0, "observations": 1000, "halfwidth": 0.003},
    {"epsilon": 8.0, "observations": 100_000, "halfwidth": 0.0005},
    {"epsilon": 1.0, "observations": 200, "halfwidth": 0.05, "spread": 0.4, "within": 1.0},
    {"epsilon": 1.0, "observations": 200, "halfwidth": 0.05, "method": "one-round"},
    {"epsilon": 1.0, "observations": 2000, "error": 0.01, "method": "paper", "around": 2.2},
]


@pytest.mark.thin(2)
@pytest.mark.parametrize("given", GIVEN)
def test_solving_for_users_gives_the_halfwidth_back(given):
    plan = sv.plan(**RANGE, **given)
    assert plan.solved == "users" and plan.target is not None
    known = {name: value for name, value in given.items() if name not in ("halfwidth", "error")}
    assert sv.plan(**RANGE, **known, users=plan.protocol.users).halfwidth == plan.halfwidth
    assert 0.98 * plan.target <= plan.halfwidth <= plan.target


@pytest.mark.parametrize("unknown", ["users", "observations", "epsilon"])
@pytest.mark.parametrize("users, observations, epsilon", [(5000, 300, 1.0), (100_000, 3000, 0.4), (800, 5000, 3.0)])
def test_any_unknown_can_be_solved_for(unknown, users, observations, epsilon):
    given = {"users": users, "observations": observations, "epsilon": epsilon}
    first = sv.plan(**RANGE, **given, method="paper")
    del given[unknown]
    back = sv.plan(**RANGE, **given, halfwidth=first.halfwidth * (1 + 1e-9), method="paper")
    assert back.halfwidth == pytest.approx(first.halfwidth, rel=0.02)
    assert getattr(back.protocol, unknown) <= getattr(first.protocol, unknown) * 1.001


@pytest.mark.parametrize("unknown", ["users", "epsilon"])
def test_what_auto_promises_is_reached_again(unknown):
    """Ends are chosen from a few candidates, so that its predictions have steps: up to twice as much may be asked.

    Near a step it can be more: users near an end of the range have a tail that is cut off until it can be seen.
    """
    given = {"users": 800, "observations": 5000, "epsilon": 3.0}
    first, asked = sv.plan(**RANGE, **given), given.pop(unknown)
    back = sv.plan(**RANGE, **given, halfwidth=first.halfwidth)
    assert back.halfwidth <= first.halfwidth * 1.0001 and getattr(back.protocol, unknown) <= 2 * asked


def test_fewer_would_not_do():
    plan = sv.plan(**RANGE, epsilon=1.0, observations=100, halfwidth=0.05)
    fewer = sv.plan(**RANGE, epsilon=1.0, observations=100, users=round(0.99 * plan.protocol.users))
    assert fewer.halfwidth > 0.05


def test_a_protocol_and_a_target():
    protocol = sv.Mean(epsilon=1.0, **RANGE, users=3000, observations=200, method="paper")
    plan = sv.plan(protocol, halfwidth=0.03)
    assert plan.protocol.users > 3000
    more, private = plan.ways
    assert more.unknown == "observations" and more.value > 200
    assert private.unknown == "epsilon" and private.value > 1
    check = sv.plan(sv.Mean(epsilon=1.0, **RANGE, users=3000, observations=round(more.value), method="paper"))
    assert check.halfwidth == pytest.approx(0.03, rel=0.02)
    assert "observations = " in plan.summary()


def test_a_protocol_alone():
    plan = sv.plan(sv.Mean(epsilon=1.0, **RANGE, users=3000, observations=200))
    assert plan.solved == "halfwidth" and plan.ways == () and plan.protocol.method in plan.problem.automatic


def test_a_million_users():
    paper = {"epsilon": 0.5, "halfwidth": 0.002, "method": "paper"}
    for given in ({"observations": 100_000, "epsilon": 1.0}, {"observations": 365, "halfwidth": 0.01}, paper):
        plan = sv.plan(**RANGE, users=1_000_000, **given)
        assert plan.summary() and plan.picture() and 0 < plan.halfwidth < 0.4, given


# ---- what is assumed -------------------------------------------------------------------------------------------------
def test_the_default_is_the_worst_case():
    worst = sv.plan(**MEAN, method="paper").halfwidth
    for stated in ({"within": 1.0}, {"within": 2.0, "around": 3.0}, {"within": 0.3, "around": 1.8}):
        assert sv.plan(**MEAN, method="paper", **stated).halfwidth <= worst * (1 + 1e-9)


def test_where_users_differ_more_observations_do_not_help():
    plan = sv.plan(**RANGE, users=5000, observations=10_000, epsilon=1.0, spread=1.0)
    assert plan.halfwidth > 0.9 * sv.plan(**RANGE, users=5000, observations=10**6, epsilon=1.0, spread=1.0).halfwidth
    assert Fact("plan-observations-do-not-help", users_help=True, epsilon_helps=True) in plan.advice
    assert "more observations will not help; you need more users, or a larger epsilon" in map(str, plan.advice)
    assert plan.prediction.dominant == "privacy"


def test_more_observations_reach_a_floor():
    """The phase transition: with few users the votes cannot tell finer bins apart, however long the collections."""
    given = {"users": 3000, "epsilon": 0.5, "method": "paper"}
    plans = [sv.plan(**RANGE, observations=held, **given) for held in (100, 10_000, 1_000_000)]
    first, second, third = (plan.halfwidth for plan in plans)
    assert second < 0.7 * first
    assert third > second
    assert str(plans[2].advice[0]).startswith("more observations will not help; you need more users")


def test_one_round_says_what_the_worst_users_would_cost():
    plan = sv.plan(**RANGE, users=5000, observations=10_000, epsilon=1.0, method="one-round")
    worst = sv.plan(**RANGE, users=5000, observations=1, epsilon=1.0, method="one-round", spread=2.0)
    assert f"differed as much as they can, the half-width would be {worst.halfwidth:.3g}" in str(plan.advice[-1])
    assert plan.halfwidth <= worst.halfwidth


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
    single, double = (sv.plan(**MEAN, method=method) for method in ("one-round", "paper"))
    assert single.poisoning.capture is None
    assert 0 < double.poisoning.capture < 0.2
    assert single.poisoning.shift(0.01) == pytest.approx(0.01 * single.poisoning.reach)
    assert double.poisoning.shift(0.5) == math.inf
    assert double.poisoning.share_for(1e9) == double.poisoning.capture
    assert "of the users can move the answer by up to" in double.summary()


# ---- wrong input -----------------------------------------------------------------------------------------------------
FEW = {"epsilon": 1.0, "users": 10, "observations": 3}
OUT_OF_REACH = {"users": 1000, "epsilon": 0.5, "halfwidth": 0.01, "method": "one-round"}
ONE_EACH = {"users": 100, "observations": 1, "halfwidth": 0.01}


@pytest.mark.parametrize(
    "given, words",
    [
        ({"epsilon": 1.0, "halfwidth": 0.1}, "leave out exactly one, to be solved for; users and observations are"),
        ({"epsilon": 1.0, "users": 100}, "observations and halfwidth are left out"),
        (FEW | {"halfwidth": 0.1}, "none is left out"),
        ({"epsilon": 1.0, "users": 100, "halfwidth": 0.1, "error": 0.1}, "give one of them"),
        ({"epsilon": 1.0, "users": 100, "halfwidth": -0.1}, "halfwidth must be positive"),
        ({"epsilon": 1.0, "users": 100, "error": math.nan}, "error must be positive"),
        ({"epsilon": 1.0, "users": 100, "halfwidth": 2.5}, "says nothing: the declared range has a half-width of 2"),
        (FEW | {"epsilon": -1.0}, "epsilon must lie between"),
        (FEW | {"users": 0}, "users must be a whole number"),
        (FEW | {"spread": 3.0}, "spread can be at most 2"),
        (FEW | {"within": -1.0}, "within is a standard deviation"),
        (FEW | {"around": 7.0}, "around must lie in"),
        (FEW | {"colour": 7.0}, "has no colour; its settings are low, high"),
        (FEW | {"method": "best"}, "method must be one of"),
        (FEW | {"problem": "median"}, "problem must be one of mean, histogram"),
        (FEW | {"confidence": 1.0}, "confidence must lie"),
        (OUT_OF_REACH, "observations alone cannot bring the half-width down to 0.01: the best is 0.502"),
        (OUT_OF_REACH, "because the noise of the reports shrinks no further with it"),
        (OUT_OF_REACH, "more observations will not help; you need more users, or a larger epsilon"),
        (ONE_EACH, "epsilon alone cannot"),
        (ONE_EACH, "you need more users, or more observations"),
    ],
)
def test_what_cannot_be_planned_says_why(given, words):
    with pytest.raises(sv.InvalidInput) as caught:
        sv.plan(**RANGE, **given)
    assert words in str(caught.value)


def test_a_range_is_needed_and_a_protocol_is_not_contradicted():
    with pytest.raises(sv.InvalidInput, match="needs low and high"):
        sv.plan(**FEW)
    with pytest.raises(sv.InvalidInput, match="the protocol already says users, low"):
        sv.plan(sv.Mean(epsilon=1.0, **RANGE, users=3000, observations=200), users=10, low=3)
    with pytest.raises(sv.InvalidInput, match="no plan for a Dummy"):
        sv.plan(sv.Dummy(users=3), halfwidth=0.1)


# ---- what a plan shows -----------------------------------------------------------------------------------------------
def test_a_plan_as_data():
    plan = sv.plan(**MEAN, method="paper")
    held = json.loads(plan.to_json())
    assert held["predicted"]["halfwidth"] == plan.halfwidth
    assert held["users_per_round"] == [2500, 2500]
    assert sum(value**2 for value in held["predicted"]["standard_error"].values()) == pytest.approx(plan.prediction.mse)


def test_twice_of_everything_is_what_a_plan_of_twice_says():
    plan = sv.plan(**MEAN)
    (double,) = (change for change in plan.sensitivity if change.quantity == "users" and change.factor == 2)
    assert double.halfwidth == sv.plan(**MEAN | {"users": 10_000}).halfwidth


def test_plot():
    from matplotlib.figure import Figure

    axes = Figure().subplots()
    assert sv.plan(**MEAN).plot(axes) is axes
    assert len(axes.get_lines()) == 4


def test_edges_are_those_of_the_vote():
    survey = sv.Mean(**MEAN, method="paper")
    layout = survey.problem.method("paper").scheme(survey).layout
    assert len(layout.edges) == layout.bins + 1
    assert layout.edges[1] - layout.edges[0] == pytest.approx(2 * layout.delta * layout.half)


def test_one_of_a_kind_is_not_many():
    common = {"low": 0, "high": 1, "users": 1000, "observations": 1, "epsilon": 1, "method": "one-round"}
    place = sv.plan(problem="cdf", points=(0.5,), **common).summary()
    assert "1 observation each" in place and "1 place, one" in place
    assert "1 wave, one a user" in sv.plan(problem="density", coefficients=2, **common).summary()
    with pytest.raises(sv.InvalidInput, match="1 user cannot answer about 16 places"):
        sv.Cdf(**common | {"users": 1})
    assert "1 user," in repr(sv.collections([[1.0]]))


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
    sizes = product((300, 5000, 10**6), (16, 20, 100, 10_000), (0.5, 1.0, 2.0, 4.0, 8.0))
    for (users, observations, epsilon), method in product(sizes, ("one-round", "paper", "theory")):
        given: dict[str, Any] = {"users": users, "observations": observations, "epsilon": epsilon, "method": method}
        found = sv.plan(low=0, high=1, **given).efficiency
        assert found is not None and 0 < found < 1, given
