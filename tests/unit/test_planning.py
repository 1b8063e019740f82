"""Plans: predictions, solving for what is missing, words, colluders."""

import math

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.messages import Fact
from sottovoce.risk import Averages, winning_chances
from sottovoce.risk.prediction import Prediction, clamped_normal_mse

RANGE = {"low": 1.0, "high": 5.0}


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
    {"epsilon": 1.0, "observations": 2000, "mse": 1e-4, "method": "paper", "around": 2.2},
]


@pytest.mark.parametrize("given", GIVEN)
def test_solving_for_users_gives_the_halfwidth_back(given):
    plan = sv.plan(**RANGE, **given)
    assert plan.solved == "users"
    assert plan.target is not None
    again = sv.plan(
        **RANGE,
        **{name: value for name, value in given.items() if name not in ("halfwidth", "mse")},
        users=plan.protocol.users,
    )
    assert again.halfwidth == plan.halfwidth
    assert again.halfwidth == pytest.approx(plan.target, rel=0.02)
    assert again.halfwidth <= plan.target


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
    users, epsilon = given["users"], given["epsilon"]
    first = sv.plan(**RANGE, **given)
    del given[unknown]
    back = sv.plan(**RANGE, **given, halfwidth=first.halfwidth)
    assert back.halfwidth <= first.halfwidth * 1.0001
    assert getattr(back.protocol, unknown) <= 2 * {"users": users, "epsilon": epsilon}[unknown]


def test_fewer_would_not_do():
    plan = sv.plan(**RANGE, epsilon=1.0, observations=100, halfwidth=0.05)
    fewer = sv.plan(**RANGE, epsilon=1.0, observations=100, users=round(0.99 * plan.protocol.users))
    assert fewer.halfwidth > 0.05


def test_a_protocol_and_a_target():
    """More observations would do too, and how many; so would a larger ε."""
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
    assert plan.solved == "halfwidth"
    assert plan.ways == ()
    assert plan.protocol.method in plan.problem.automatic


@pytest.mark.parametrize(
    "given",
    [
        {"observations": 100_000, "epsilon": 1.0},
        {"observations": 365, "halfwidth": 0.01},
        {"epsilon": 0.5, "halfwidth": 0.002, "method": "paper"},
    ],
)
def test_a_million_users(given):
    plan = sv.plan(**RANGE, users=1_000_000, **given)
    assert plan.summary() and plan.picture()
    assert 0 < plan.halfwidth < 0.1 * (RANGE["high"] - RANGE["low"])


# ---- what is assumed -------------------------------------------------------------------------------------------------
def test_the_default_is_the_worst_case():
    worst = sv.plan(**RANGE, users=5000, observations=400, epsilon=1.0, method="paper")
    for stated in ({"within": 1.0}, {"within": 2.0, "around": 3.0}, {"within": 0.3, "around": 1.8}):
        assert sv.plan(**RANGE, users=5000, observations=400, epsilon=1.0, method="paper", **stated).halfwidth <= (
            worst.halfwidth * (1 + 1e-9)
        )


def test_users_who_differ_are_asked_in_one_round():
    plan = sv.plan(**RANGE, users=5000, observations=10_000, epsilon=1.0, spread=1.0)
    assert plan.method == "one-round"
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
