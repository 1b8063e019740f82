"""Mixtures by the paper's methods: readings of the paper, folds, constants."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.audit.channel_derivations import law
from sottovoce.messages import Bins, Question, Residual, Tally, Unary
from sottovoce.messages.exact_arithmetic import exact
from sottovoce.methods import Layout
from sottovoce.problems.base import choose
from sottovoce.problems.mixture.paper import ThreeFolds, fullest_bins, share_edges, share_places
from tests.support import coin_mixture, rectangle

COINS, EVEN = (1 / 8, 3 / 8, 5 / 8, 7 / 8), (0.25, 0.25, 0.25, 0.25)


def mixture(**changes: Any) -> sv.MixtureMeans:
    fields: dict[str, Any] = {
        "method": "paper",
        "epsilon": 4.0,
        "low": -1.0,
        "high": 1.0,
        "users": 1000,
        "observations": 1000,
        "components": 4,
    }
    return sv.MixtureMeans(**fields | changes)


def layout(survey: sv.MixtureMeans) -> Layout:
    return method(survey).layout(survey)


def method(survey: sv.MixtureMeans) -> ThreeFolds:
    found = choose(survey).method
    assert isinstance(found, ThreeFolds)
    return found


def cut(survey: sv.MixtureMeans) -> float:
    return method(survey).cut(survey)


def questions(protocol: sv.MixtureMeans, *, seed: int = 1) -> list[Question]:
    rng = np.random.default_rng(seed)
    people = coin_mixture(rng, protocol.users, 1000, COINS, EVEN)
    asked: list[Question] = []
    engine = sv.simulate(people, seed=seed)

    def ask(question: Question) -> Tally:
        asked.append(question)
        return engine(question)

    sv.run(protocol, ask)
    return asked


def test_constants_of_both_methods() -> None:
    assert layout(mixture()).delta == pytest.approx(0.25 * math.sqrt(math.log(1000 * 1000 * 16) / 1000), rel=1e-12)
    assert cut(mixture()) == 1 / 400
    theory = mixture(method="theory", proof_constant=1e-9, observations=100_000)
    assert layout(theory).delta == pytest.approx(math.sqrt(4 * math.log(1000 * 100_000 * 16) / 100_000), rel=1e-12)
    assert cut(theory) == 1 / 16
    assert cut(mixture(smallest_share=0.1)) == 0.05
    kept = math.floor(math.exp(1000 * 4 / (50.0 * 16)))  # n·min(α, α²)/(K m²)
    short = mixture(method="theory", proof_constant=50.0, observations=10**6, components=1)
    assert layout(short).delta < 1  # one component: m² does not slow it
    assert layout(mixture(method="theory", proof_constant=50.0, observations=10**6, delta=0.05)).delta == 0.05
    with pytest.raises(sv.InvalidInput, match=f"Δ = {math.sqrt(4 * math.log(1000 * kept * 16) / kept):.3g}"):
        mixture(method="theory", proof_constant=50.0, observations=10**6)


def test_winners_take_their_neighbours_out_and_ties_go_down() -> None:
    assert fullest_bins(np.array([5, 9, 8, 8, 1, 7]), 2).tolist() == [1, 3]
    assert fullest_bins(np.array([3, 3, 3, 3]), 2).tolist() == [0, 2]
    assert fullest_bins(np.array([-3, -9, -5, -5]), 2).tolist() == [0, 2]
    with pytest.raises(sv.InvalidInput, match="no room"):
        fullest_bins(np.array([1, 9, 1]), 2)


@pytest.mark.parametrize("users", [*range(3, 32), 1000, 1001, 1003])
def test_every_user_is_in_exactly_one_fold(users: int) -> None:
    asked = questions(mixture(users=users))
    assert [question.role for question in asked] == ["vote", "share", "residual"]
    slots = [slot for one in asked for slot in range(one.slots.first, one.slots.first + one.slots.count)]
    assert sorted(slots) == list(range(users)) and len(set(slots)) == users
    sizes = [question.slots.count for question in asked]
    assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize("membership", ["nearest", "bin"])
@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 1.7, 4.0, 12.0])
def test_every_question_costs_exactly_epsilon(membership: Any, epsilon: float) -> None:
    """Certified from the integers: never above ε, and below it by rounding only (ERRATA P3; laplace pays 1.2e-10)."""
    for question in questions(mixture(epsilon=epsilon, membership=membership, users=301)):
        assert exact(epsilon) - Fraction(1, 10**9) < question.epsilon_bound() <= exact(epsilon), question.role


@pytest.mark.parametrize("membership", ["nearest", "bin"])
def test_share_votes_cost_epsilon_by_enumeration(membership: Any) -> None:
    """The worst ratio over all pairs of answers and all symbols, from the exact law."""
    share = questions(mixture(epsilon=1.5, membership=membership, components=3, users=300))[1]
    channel = share.channel
    assert isinstance(channel, Unary)
    laws = [dict(law(channel, index)) for index in range(channel.items)]
    worst = max(float(one[symbol] / other[symbol]) for one in laws for other in laws for symbol in one)
    assert math.log(worst) == pytest.approx(1.5, rel=1e-9)
    assert math.log(worst) <= 1.5 + 1e-14  # by how much a logarithm may be off


def test_votes_for_the_nearest_centre_are_those_of_the_residuals() -> None:
    """The second fold's bins and the third fold's nearest centre are one rule, ties to the lower included."""
    _, share, residual = questions(mixture(delta=1 / 16))
    placement, statistic = share.encoder.placement, residual.encoder.statistic
    assert isinstance(placement, Bins) and isinstance(statistic, Residual)
    centres = np.array(statistic.centres)
    ties = (centres[1:] + centres[:-1]) / 2  # exact: a Δ of 1/16 makes dyadic centres
    points = np.concatenate((ties, ties + 1e-9, ties - 1e-9, np.linspace(-1, 1, 997)))
    voted = np.searchsorted(np.array(placement.edges), points, side="right")
    assert np.array_equal(voted, np.argmin(np.abs(points[:, None] - centres), axis=1))


def test_the_bin_rule_asks_for_the_bins_and_elsewhere() -> None:
    protocol = mixture(membership="bin")
    _, share, residual = questions(protocol)
    placement, statistic = share.encoder.placement, residual.encoder.statistic
    assert isinstance(placement, Bins) and isinstance(statistic, Residual)
    assert placement.count == 9  # four bins, five stretches of elsewhere
    bins = layout(protocol)
    half = bins.delta
    assert placement.edges == pytest.approx([e for c in statistic.centres for e in (c - half, c + half)])
    ends = np.array([0, 3, 6, bins.bins - 1])
    assert len(share_edges("bin", bins, ends)) == 6 and share_places("bin", ends).tolist() == [0, 2, 4, 6]


def test_signs_come_from_the_seed() -> None:
    asked = [questions(mixture(public_seed=seed))[2].encoder.statistic for seed in (0, 3)]
    assert [one.seed for one in asked if isinstance(one, Residual)] == [0, 3]
    people = coin_mixture(np.random.default_rng(0), 1000, 1000, COINS, EVEN)
    means = {sv.run(mixture(public_seed=seed), sv.simulate(people, seed=1)).means for seed in (0, 1, 2)}
    assert len(means) == 3


def test_one_component_and_one_bin() -> None:
    people = rectangle(np.full((90, 4), 0.3))
    one = sv.run(mixture(components=1, users=90), sv.simulate(people, seed=1))
    assert one.users_per_round == (45, 45) and one.shares == (1.0,) and one.share_errors == (0.0,)
    assert abs(one.means[0] - 0.3) < 6 * one.standard_errors[0].total
    single = sv.run(mixture(components=1, users=90, delta=1.0), sv.simulate(people, seed=1))
    assert single.users_per_round == (90,)
    assert single.intervals[0][0] <= 0.3 <= single.intervals[0][1]


def test_order_of_observations_does_not_matter() -> None:
    """Dyadic observations add up exactly in any order: the same bits come out."""
    rng = np.random.default_rng(3)
    data = rng.choice([-1.0, -0.5, 0.0, 0.5, 1.0], size=(600, 64))
    shuffled = rng.permuted(data, axis=1)
    protocol = mixture(users=600, observations=64, components=2)
    first = sv.run(protocol, sv.simulate(rectangle(data), seed=5))
    assert sv.run(protocol, sv.simulate(rectangle(shuffled), seed=5)) == first


def test_order_of_users_does_not_matter() -> None:
    """KS of 200 against 200 worst errors, users sorted by component or shuffled; threshold 1e-4 set beforehand."""
    from scipy.stats import ks_2samp

    people = coin_mixture(np.random.default_rng(4), 600, 1000, COINS, EVEN)
    truth = 2 * np.array(COINS) - 1
    errors, protocol = [], mixture(users=600)
    for run_seed, order in ((1, np.argsort(people.values[:, 0])), (2, np.random.default_rng(5).permutation(600))):
        held = people.take(order)
        answers = [sv.run(protocol, sv.simulate(held, seed=run_seed, repetition=r)) for r in range(200)]
        errors.append([np.abs(np.array(answer.means) - truth).max() for answer in answers])
    assert ks_2samp(*errors).pvalue > 1e-4
