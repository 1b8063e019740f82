"""Rates, bounds and transitions: against each other, against the proofs, and at hand-made points."""

from __future__ import annotations

import math

import pytest

from sottovoce.messages import InvalidInput
from sottovoce.theory import (
    SWITCH_CONSTANT,
    Constants,
    approximate_lower_bound,
    density,
    density_t_zero,
    density_terms,
    discrete,
    general_bounds,
    infinite_density,
    infinite_mean_l2,
    infinite_mean_linf,
    infinite_sparse,
    l2_ball,
    linf_ball,
    mean_l2,
    mean_linf,
    mixture,
    observations_help,
    sobolev,
    sparse,
    sparse_cube,
    sparse_misspecified,
    sparse_procedure,
    sparse_switch,
    t_independent_lower_bound,
    t_star,
    targets,
    transition_in_epsilon,
    transition_in_observations,
    transition_in_users,
)
from sottovoce.theory.rate import Condition


def holding(conditions: tuple[Condition, ...]) -> list[bool]:
    return [condition.holds for condition in conditions]


@pytest.mark.parametrize(
    "entropy, closed",
    [
        (linf_ball(4), lambda w: infinite_mean_linf(users=w, epsilon=1, dimension=4)),
        (l2_ball(4), lambda w: infinite_mean_l2(users=w, epsilon=1, dimension=4)),
        (sparse_cube(30, 4), lambda w: infinite_sparse(users=w, epsilon=1, dimension=30, sparsity=4)),
        (sobolev(2), lambda w: infinite_density(users=w, epsilon=1, smoothness=2)),
    ],
)
def test_the_general_theorem_is_at_least_as_sharp_as_the_choice_of_delta_in_each_proof(entropy, closed):
    """The propositions put one Δ into the theorem; the theorem takes the best one (n large, lower bounds > 1e-280)."""
    for users in (3000, 10_000, 20_000):
        general, proof = general_bounds(entropy, users=users, epsilon=1), closed(users)
        assert general.upper.value <= proof.upper.value * (1 + 1e-6)
    for users in (3, 10, 40):
        general, proof = general_bounds(entropy, users=users, epsilon=1), closed(users)
        assert 0 < proof.lower.value <= general.lower.value * (1 + 1e-6)
        assert general.lower.value < general.upper.value


def test_the_general_lower_bound_solves_its_own_optimisation():
    """ℓ2 ball, d = 1: Δ²/2·(1 − a/log(1/2Δ)) has its maximum where log(1/2Δ) = L, L² − aL − a/2 = 0."""
    a = 12 * 5 * 0.25 + math.log(2)
    best = (a + math.sqrt(a * a + 2 * a)) / 2
    expected = (math.exp(-best) / 2) ** 2 / 2 * (1 - a / best)
    found = t_independent_lower_bound(l2_ball(1), users=5, epsilon=0.5)
    assert found.value == pytest.approx(expected, rel=1e-6)
    assert found.line == 198 and found.valid


def test_approximate_privacy_buys_nothing_while_delta_is_small():
    entropy = l2_ball(2)
    small = approximate_lower_bound(entropy, users=50, epsilon=0.5, privacy_delta=1e-6)
    large = approximate_lower_bound(entropy, users=50, epsilon=0.5, privacy_delta=0.1)
    assert small.value == large.value > 0
    assert small.valid and not large.valid
    assert [c.name for c in large.conditions if not c.holds] == ["δ ≤ c·min(1, α)/(n log n)"]


def test_bounds_are_ordered_and_say_where_they_hold():
    for found in (
        mean_linf(users=1e4, observations=100, epsilon=0.5, dimension=3),
        mean_l2(users=1e4, observations=100, epsilon=0.5, dimension=3),
        sparse(users=1e4, observations=100, epsilon=0.5, dimension=100, sparsity=30),
        density(users=1e4, observations=100, epsilon=0.5, smoothness=2),
        mixture(users=1e5, observations=1e4, epsilon=0.5, components=3, least_share=0.2, separation=0.3),
        discrete(users=1e4, observations=100, epsilon=0.5, categories=8),
    ):
        assert 0 < found.lower.value <= found.upper.value
        assert found.lower.valid and found.upper.valid, found
        assert found.lower.formula and found.lower.line > 0


def test_failed_conditions_are_named():
    few = mean_l2(users=5, observations=10, epsilon=3.0, dimension=10)
    assert holding(few.lower.conditions) == [False, False]
    low_privacy = density(users=100, observations=10, epsilon=3.0, smoothness=1)
    assert not low_privacy.upper.valid
    assert holding(sparse(users=1e4, observations=10, epsilon=1, dimension=50, sparsity=3).lower.conditions) == [
        True,
        False,
        True,
    ]


def test_polynomial_terms_at_hand_made_points():
    assert mean_linf(users=1000, observations=10, epsilon=0.5, dimension=2).lower.value == pytest.approx(4 / 2500)
    assert mean_l2(users=1000, observations=10, epsilon=2.0, dimension=1).lower.value == pytest.approx(1e-4)
    assert density(users=100, observations=100, epsilon=1, smoothness=1).lower.value == pytest.approx(1e-2)
    found = mixture(users=1e6, observations=10, epsilon=1, components=2, least_share=0.3, separation=0.5)
    assert found.lower.value == pytest.approx(8 / 1e7)
    first = sparse(users=1e6, observations=1, epsilon=1, dimension=100, sparsity=40)
    assert first.lower.value == pytest.approx(40 * 1e-4)  # T = 1: the item-level rate sd/(nα²)


def test_constants_are_parameters():
    doubled = mean_linf(users=100, observations=5, epsilon=0.5, constants=Constants(lower=2, slow=50))
    assert doubled.lower.value == pytest.approx(2 / 125)
    assert not mean_linf(users=100, observations=5, epsilon=0.5, constants=Constants(assumed=100)).lower.valid
    with pytest.raises(InvalidInput):
        Constants(upper=0)


def test_a_long_row_of_observations_ends_in_the_t_free_rate():
    flat = mean_linf(users=40, observations=1e30, epsilon=0.5).lower.value
    assert flat == pytest.approx(math.exp(-10))
    assert density(users=40, observations=1e30, epsilon=1, smoothness=1).lower.value == pytest.approx(40**-2)


def test_transitions_from_t_from_n_and_from_epsilon_are_one_boundary():
    sizes = {"dimension": 3, "sparsity": 2, "components": 2, "categories": 4, "smoothness": 2.0}
    for problem in ("mean", "mean-linf", "mean-l2", "mixture", "discrete", "density"):
        for users, epsilon in ((60, 0.5), (20, 2.0)):
            T = transition_in_observations(problem, users=users, epsilon=epsilon, **sizes).boundary
            n = transition_in_users(problem, observations=T, epsilon=epsilon, **sizes).boundary
            found = transition_in_epsilon(problem, users=users, observations=T, **sizes).boundary
            assert n == pytest.approx(users) and found == pytest.approx(epsilon)
            assert observations_help(problem, users=users, observations=T / 2, epsilon=epsilon, **sizes)
            assert not observations_help(problem, users=users, observations=T * 2, epsilon=epsilon, **sizes)


@pytest.mark.parametrize("problem", ["mean", "mean-linf", "mean-l2", "sparse", "density", "mixture", "discrete"])
def test_a_size_that_no_problem_has_is_refused(problem):
    given = {"dimensoin": 3}
    with pytest.raises(TypeError, match="dimensoin"):
        transition_in_observations(problem, users=60, epsilon=0.5, **given)
    with pytest.raises(TypeError, match="dimensoin"):
        transition_in_users(problem, observations=60, epsilon=0.5, **given)
    with pytest.raises(TypeError, match="dimensoin"):
        transition_in_epsilon(problem, users=60, observations=60, **given)
    with pytest.raises(TypeError, match="dimensoin"):
        observations_help(problem, users=60, observations=60, epsilon=0.5, **given)


def test_the_transition_is_where_the_two_terms_of_the_density_meet():
    T = transition_in_observations("density", users=50, epsilon=1, smoothness=2.0).boundary
    poly, flat = (50 * T) ** (-4 / 6), 50.0**-4
    assert poly == pytest.approx(flat)


def test_the_sparse_transition_changes_at_d_equal_to_n_alpha_squared():
    below = transition_in_observations("sparse", users=20, epsilon=1, dimension=100, sparsity=2)
    above = transition_in_observations("sparse", users=200, epsilon=1, dimension=100, sparsity=2)
    assert below.boundary == pytest.approx(math.exp(10)) and above.boundary == pytest.approx(math.exp(2))
    assert transition_in_users("sparse", observations=100, epsilon=1, dimension=100, sparsity=2).boundary < 100
    assert transition_in_users("sparse", observations=1e30, epsilon=1, dimension=10, sparsity=2).boundary > 10


def test_t_star_of_the_proofs():
    assert t_star(users=500, observations=10_000, epsilon=1.0) == 1  # ERRATA 5
    assert t_star(users=10**6, observations=10_000, epsilon=1.0) == 10_000
    assert t_star(users=100, observations=10**9, epsilon=2.0, constant=20.0) == math.floor(math.exp(10))
    assert t_star(users=100, observations=10**9, epsilon=2.0, constant=20.0, targets=10) == 2
    assert targets("mixture", components=3) == 9 and targets("sparse", sparsity=4) == 4
    with pytest.raises(InvalidInput):
        targets("density")


def test_density_cut_off():
    zero = density_t_zero(users=1000, epsilon=1, smoothness=1)
    assert zero == pytest.approx(1000**3 / math.log(1000) ** 4)
    assert density_terms(users=1000, observations=11, epsilon=1, smoothness=1) == 10
    assert density_terms(users=1000, observations=1e30, epsilon=1, smoothness=1) == math.floor((1000 * zero) ** 0.25)


def test_sparse_procedure_and_misspecification():
    setting = {"users": 1000, "observations": 100, "epsilon": 1.0, "dimension": 10}
    assert sparse_procedure(**setting, constant=1.0) == "threshold"
    assert sparse_procedure(**setting | {"dimension": 1000}, constant=1.0) == "selection"
    switch = sparse_switch(**setting)
    assert switch == pytest.approx(SWITCH_CONSTANT * 10 * math.log(10**6)) and 1000 < switch
    assert sparse_procedure(**setting) == "selection", "C̃ is 50 unless given, here as in SparseMean"
    right = sparse(**setting, sparsity=5).upper.value
    assert sparse_misspecified(**setting, sparsity=5, assumed_sparsity=5).value == pytest.approx(right)
    assert sparse_misspecified(**setting, sparsity=5, assumed_sparsity=3).value > 2
    assert sparse_misspecified(**setting, sparsity=5, assumed_sparsity=8).value > right


@pytest.mark.parametrize("change", [{"users": 0}, {"observations": math.inf}, {"epsilon": -1.0}, {"dimension": 0}])
def test_sizes_that_make_no_sense_are_refused(change):
    with pytest.raises(InvalidInput):
        mean_linf(**{"users": 10, "observations": 10, "epsilon": 1.0, "dimension": 1} | change)
