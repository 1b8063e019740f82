"""Rates, bounds, transitions and C_α: against each other, against the proofs, and against values computed by hand."""

from __future__ import annotations

import math

import pytest

from sottovoce import theory
from sottovoce.messages import InvalidInput
from sottovoce.methods import experiment_delta

FEW_USERS = {"users": 4000, "observations": 400, "epsilon": 0.5, "dimension": 10**6, "sparsity": 80}
MANY_USERS = {"users": 40_000, "observations": 10, "epsilon": 0.5, "dimension": 50, "sparsity": 27}


def holding(bound):
    return [condition.holds for condition in bound.conditions]


@pytest.mark.parametrize(
    "entropy, closed",
    [
        (theory.linf_ball(4), lambda w: theory.infinite_mean_linf(users=w, epsilon=1, dimension=4)),
        (theory.l2_ball(4), lambda w: theory.infinite_mean_l2(users=w, epsilon=1, dimension=4)),
        (theory.sparse_cube(30, 4), lambda w: theory.infinite_sparse(users=w, epsilon=1, dimension=30, sparsity=4)),
        (theory.sobolev(2), lambda w: theory.infinite_density(users=w, epsilon=1, smoothness=2)),
    ],
)
def test_the_general_theorem_is_at_least_as_sharp_as_the_choice_of_delta_in_each_proof(entropy, closed):
    """The propositions put one Δ into the theorem; the theorem takes the best one (n large, lower bounds > 1e-280)."""
    for users in (3000, 10_000, 20_000):
        general, proof = theory.general_bounds(entropy, users=users, epsilon=1), closed(users)
        assert general.upper.value <= proof.upper.value * (1 + 1e-6)
    for users in (3, 10, 40):
        general, proof = theory.general_bounds(entropy, users=users, epsilon=1), closed(users)
        assert 0 < proof.lower.value <= general.lower.value * (1 + 1e-6)
        assert general.lower.value < general.upper.value


def test_the_general_lower_bound_solves_its_own_optimisation():
    """ℓ2 ball, d = 1: Δ²/2·(1 − a/log(1/2Δ)) has its maximum where log(1/2Δ) = L, L² − aL − a/2 = 0."""
    a = 12 * 5 * 0.25 + math.log(2)
    best = (a + math.sqrt(a * a + 2 * a)) / 2
    expected = (math.exp(-best) / 2) ** 2 / 2 * (1 - a / best)
    found = theory.t_independent_lower_bound(theory.l2_ball(1), users=5, epsilon=0.5)
    assert found.value == pytest.approx(expected, rel=1e-6)
    assert found.line == 198 and found.valid


def test_approximate_privacy_buys_nothing_while_delta_is_small():
    entropy = theory.l2_ball(2)
    small = theory.approximate_lower_bound(entropy, users=50, epsilon=0.5, privacy_delta=1e-6)
    large = theory.approximate_lower_bound(entropy, users=50, epsilon=0.5, privacy_delta=0.1)
    assert small.value == large.value > 0
    assert small.valid and not large.valid
    assert [c.name for c in large.conditions if not c.holds] == ["δ ≤ c·min(1, α)/(n log n)"]


def test_bounds_are_ordered_and_say_where_they_hold():
    for found in (
        theory.mean_linf(users=1e4, observations=100, epsilon=0.5, dimension=3),
        theory.mean_l2(users=1e4, observations=100, epsilon=0.5, dimension=3),
        theory.sparse(users=1e4, observations=100, epsilon=0.5, dimension=100, sparsity=30),
        theory.density(users=1e4, observations=100, epsilon=0.5, smoothness=2),
        theory.mixture(users=1e5, observations=1e4, epsilon=0.5, components=3, least_share=0.2, separation=0.3),
        theory.discrete(users=1e4, observations=100, epsilon=0.5, categories=8),
    ):
        assert 0 < found.lower.value <= found.upper.value
        assert found.lower.valid and found.upper.valid, found
        assert found.lower.formula and found.lower.line > 0


def test_failed_conditions_are_named():
    few = theory.mean_l2(users=5, observations=10, epsilon=3.0, dimension=10)
    assert holding(few.lower) == [False, False]
    low_privacy = theory.density(users=100, observations=10, epsilon=3.0, smoothness=1)
    assert not low_privacy.upper.valid
    few = theory.sparse(users=1e4, observations=10, epsilon=1, dimension=50, sparsity=3)
    assert holding(few.lower) == [True, False, True]


def test_polynomial_terms_at_hand_made_points():
    assert theory.mean_linf(users=1000, observations=10, epsilon=0.5, dimension=2).lower.value == pytest.approx(
        4 / 2500
    )
    assert theory.mean_l2(users=1000, observations=10, epsilon=2.0, dimension=1).lower.value == pytest.approx(1e-4)
    assert theory.density(users=100, observations=100, epsilon=1, smoothness=1).lower.value == pytest.approx(1e-2)
    found = theory.mixture(users=1e6, observations=10, epsilon=1, components=2, least_share=0.3, separation=0.5)
    assert found.lower.value == pytest.approx(8 / 1e7)
    first = theory.sparse(users=1e6, observations=1, epsilon=1, dimension=100, sparsity=40)
    assert first.lower.value == pytest.approx(40 * 1e-4)  # T = 1: the item-level rate sd/(nα²)


def test_constants_are_parameters():
    doubled = theory.mean_linf(users=100, observations=5, epsilon=0.5, constants=theory.Constants(lower=2, slow=50))
    assert doubled.lower.value == pytest.approx(2 / 125)
    assert not theory.mean_linf(
        users=100, observations=5, epsilon=0.5, constants=theory.Constants(assumed=100)
    ).lower.valid
    with pytest.raises(InvalidInput):
        theory.Constants(upper=0)


def test_a_long_row_of_observations_ends_in_the_t_free_rate():
    flat = theory.mean_linf(users=40, observations=1e30, epsilon=0.5).lower.value
    assert flat == pytest.approx(math.exp(-10))
    assert theory.density(users=40, observations=1e30, epsilon=1, smoothness=1).lower.value == pytest.approx(40**-2)


def test_transitions_from_t_from_n_and_from_epsilon_are_one_boundary():
    sizes = {"dimension": 3, "sparsity": 2, "components": 2, "categories": 4, "smoothness": 2.0}
    for problem in ("mean", "mean-linf", "mean-l2", "mixture", "discrete", "density"):
        for users, epsilon in ((60, 0.5), (20, 2.0)):
            T = theory.transition_in_observations(problem, users=users, epsilon=epsilon, **sizes).boundary
            n = theory.transition_in_users(problem, observations=T, epsilon=epsilon, **sizes).boundary
            found = theory.transition_in_epsilon(problem, users=users, observations=T, **sizes).boundary
            assert n == pytest.approx(users) and found == pytest.approx(epsilon)
            assert theory.observations_help(problem, users=users, observations=T / 2, epsilon=epsilon, **sizes)
            assert not theory.observations_help(problem, users=users, observations=T * 2, epsilon=epsilon, **sizes)


@pytest.mark.parametrize("problem", ["mean", "mean-linf", "mean-l2", "sparse", "density", "mixture", "discrete"])
def test_a_size_that_no_problem_has_is_refused(problem):
    sizes = {"users": 60, "observations": 60, "epsilon": 0.5}
    for name in ("transition_in_observations", "transition_in_users", "transition_in_epsilon", "observations_help"):
        taken = {size: value for size, value in sizes.items() if not name.endswith(size)}
        with pytest.raises(TypeError, match="dimensoin"):
            getattr(theory, name)(problem, **taken, dimensoin=3)


def test_the_transition_is_where_the_two_terms_of_the_density_meet():
    T = theory.transition_in_observations("density", users=50, epsilon=1, smoothness=2.0).boundary
    poly, flat = (50 * T) ** (-4 / 6), 50.0**-4
    assert poly == pytest.approx(flat)


def test_the_sparse_transition_changes_at_d_equal_to_n_alpha_squared():
    below = theory.transition_in_observations("sparse", users=20, epsilon=1, dimension=100, sparsity=2)
    above = theory.transition_in_observations("sparse", users=200, epsilon=1, dimension=100, sparsity=2)
    assert below.boundary == pytest.approx(math.exp(10)) and above.boundary == pytest.approx(math.exp(2))
    assert theory.transition_in_users("sparse", observations=100, epsilon=1, dimension=100, sparsity=2).boundary < 100
    assert theory.transition_in_users("sparse", observations=1e30, epsilon=1, dimension=10, sparsity=2).boundary > 10


def test_t_star_of_the_proofs():
    assert theory.t_star(users=500, observations=10_000, epsilon=1.0) == 1  # ERRATA 5
    assert theory.t_star(users=10**6, observations=10_000, epsilon=1.0) == 10_000
    assert theory.t_star(users=100, observations=10**9, epsilon=2.0, constant=20.0) == math.floor(math.exp(10))
    assert theory.t_star(users=100, observations=10**9, epsilon=2.0, constant=20.0, targets=10) == 2
    assert theory.targets("mixture", components=3) == 9 and theory.targets("sparse", sparsity=4) == 4
    with pytest.raises(InvalidInput):
        theory.targets("density")


def test_density_cut_off():
    zero = theory.density_t_zero(users=1000, epsilon=1, smoothness=1)
    assert zero == pytest.approx(1000**3 / math.log(1000) ** 4)
    assert theory.density_terms(users=1000, observations=11, epsilon=1, smoothness=1) == 10
    assert theory.density_terms(users=1000, observations=1e30, epsilon=1, smoothness=1) == math.floor(
        (1000 * zero) ** 0.25
    )


def test_sparse_procedure_and_misspecification():
    setting = {"users": 1000, "observations": 100, "epsilon": 1.0, "dimension": 10}
    assert theory.sparse_procedure(**setting, constant=1.0) == "threshold"
    assert theory.sparse_procedure(**setting | {"dimension": 1000}, constant=1.0) == "selection"
    switch = theory.sparse_switch(**setting)
    assert switch == pytest.approx(theory.SWITCH_CONSTANT * 10 * math.log(10**6)) and 1000 < switch
    assert theory.sparse_procedure(**setting) == "selection", "C̃ is 50 unless given, here as in SparseMean"
    right = theory.sparse(**setting, sparsity=5).upper.value
    assert theory.sparse_misspecified(**setting, sparsity=5, assumed_sparsity=5).value == pytest.approx(right)
    assert theory.sparse_misspecified(**setting, sparsity=5, assumed_sparsity=3).value > 2
    assert theory.sparse_misspecified(**setting, sparsity=5, assumed_sparsity=8).value > right


@pytest.mark.parametrize("change", [{"users": 0}, {"observations": math.inf}, {"epsilon": -1.0}, {"dimension": 0}])
def test_sizes_that_make_no_sense_are_refused(change):
    with pytest.raises(InvalidInput):
        theory.mean_linf(**{"users": 10, "observations": 10, "epsilon": 1.0, "dimension": 1} | change)


def test_sparse_corollary_with_few_users():
    """L569 at n = 4000, α = ½ (nα² = 1000), T = 400, d = 10⁶, s = 80.

    log(dnTα²) = log(4·10¹¹) = 1.386294 + 11·2.302585 = 26.714730; nα²/s = 12.5, e^{−12.5} = 3.7267e-6
    upper: 80·26.714730/400 + e^{−12.5} = 5.342946 + .0000037 = 5.3429497
    lower: 80/400 ∨ e^{−12.5} = .2; with C = .1 in the exponent e^{−1.25} = .2865048
    conditions: 16·log(e·10⁶)/3 = 16·14.815511/3 = 79.016 ≤ 80; C̃·s·log(ed) = .5·80·14.815511 = 592.6 < 1000
    """
    sizes = FEW_USERS
    found = theory.sparse_few_users(**sizes, constants=theory.Constants(assumed=0.5))
    assert found.lower.value == pytest.approx(0.2, rel=1e-12)
    assert found.upper.value == pytest.approx(5.3429497, rel=1e-7)
    assert found.lower.valid and found.upper.valid and found.lower.line == 569
    slow = theory.sparse_few_users(**sizes, constants=theory.Constants(assumed=0.5, slow=0.1))
    assert slow.lower.value == pytest.approx(0.2865048, rel=1e-6)
    assert not theory.sparse_few_users(**sizes).lower.valid  # C̃ = 1 asks for nα² > 1185.2
    # nα² is 1000; d^γ with γ = .501 is 1013.91, with γ = .49 it is 870.96
    assert theory.sparse_few_users(**sizes, exponent=0.501, constants=theory.Constants(assumed=0.5)).lower.valid
    assert not theory.sparse_few_users(**sizes, exponent=0.49, constants=theory.Constants(assumed=0.5)).lower.valid
    with pytest.raises(InvalidInput):
        theory.sparse_few_users(**sizes, exponent=0.0)
    # T = 20: s·log(dnTα²)/T = 80·log(2·10¹⁰)/20 = 80·23.719/20 = 94.9 > s = 80
    assert not theory.sparse_few_users(
        **sizes | {"observations": 20}, constants=theory.Constants(assumed=0.5)
    ).upper.valid


def test_sparse_corollary_with_many_users():
    """L576 at n = 40,000, α = ½ (nα² = 10⁴), T = 10, d = 50, s = 27.

    log(dnTα²) = log(5·10⁶) = 1.609438 + 6·2.302585 = 15.424948, its square 237.92903
    lower: 27·50/10⁵ = .0135; upper: .0135·237.92903 = 3.2120419
    conditions: C̃·d·log = 50·15.424948 = 771.2 ≤ 10⁴; 50·237.92903/10⁵ = .119 ≤ 1; 16·log(50e)/3 = 26.2 ≤ 27
    """
    sizes = MANY_USERS
    found = theory.sparse_many_users(**sizes)
    assert found.lower.value == pytest.approx(0.0135, rel=1e-12)
    assert found.upper.value == pytest.approx(3.2120419, rel=1e-7)
    assert found.lower.valid and found.upper.valid and found.upper.line == 576
    assert not theory.sparse_many_users(**sizes, constants=theory.Constants(assumed=20.0)).upper.valid  # 20·771.2 > 10⁴
    assert not theory.sparse_many_users(**sizes | {"epsilon": 2.0}).upper.valid  # α ≤ 1
    # s = 26 is too small for the lower bound, and does not matter above
    few = theory.sparse_many_users(**sizes | {"sparsity": 26})
    assert few.upper.valid and not few.lower.valid


def test_the_corollary_is_the_theorem_up_to_what_it_simplifies():
    """Regime (i): the theorem's upper bound is its second term; (ii) its third, but for e^{−cnα²/d} = e^{−200}."""
    for sizes, simple in ((FEW_USERS, theory.sparse_few_users), (MANY_USERS, theory.sparse_many_users)):
        assert theory.sparse(**sizes).upper.value == pytest.approx(simple(**sizes).upper.value, rel=1e-12)
    # s{(1 + d/(nα²))^{1/T} − 1} = 27·(1.005^{.1} − 1) = 27·4.988785e-4 = .01346972 against .0135
    assert theory.sparse(**MANY_USERS).lower.value == pytest.approx(0.01346972, rel=1e-6)


def test_the_first_example():
    """L167. Finite: nTα² = 300 gives 1/(768·300) = 4.3402778e-6 (Δ = (192·300)^−½, the bracket is 1 − √(48/192) = ½).

    nTα² = .0625 < 25/192: Δ = 1/5, .02·(1 − √(48·.0625/25)) = .02·(1 − √.12) = .02·.65358984 = .0130717968.
    Infinite: n = 1, α = ½: ¼·e^{−3} = .25·.04978707 = .012446767.
    """
    assert theory.example_finite(users=100, observations=12, epsilon=0.5).value == pytest.approx(4.3402778e-6, rel=1e-7)
    assert theory.example_finite(users=1, observations=1, epsilon=0.25).value == pytest.approx(0.0130717968, rel=1e-8)
    assert theory.example_infinite(users=1, epsilon=0.5).value == pytest.approx(0.012446767, rel=1e-7)
    # n = 1, α = ½, T = 10⁴: 1/(768·2500) = 5.2e-7 lies below ¼·e^{−3}; n = 100, T = 1: 1/(768·25) = 5.2083333e-5 above
    assert theory.example_lower_bound(users=1, observations=1e4, epsilon=0.5).value == pytest.approx(
        0.012446767, rel=1e-7
    )
    assert theory.example_lower_bound(users=100, observations=1, epsilon=0.5).value == pytest.approx(
        5.2083333e-5, rel=1e-7
    )
    assert theory.example_finite(users=1, observations=1, epsilon=1.0).valid
    assert not theory.example_infinite(users=1, epsilon=1.5).valid


def test_the_bound_of_the_example_holds_for_randomised_response():
    """Two laws at 0 and 1, told through one bit each with ω = e/(1 + e): the best estimate's risk is no less.

    Bayes risk ½·Σ m₀m₁/(m₀ + m₁) over the count of n = 2 bits at α = 1: with q = 1/(1 + e) = .26894142,
    m₀ = ((1−q)², 2q(1−q), q²), m₁ reversed: outer terms m₀m₁/(m₀ + m₁) = (q(1−q))²/((1−q)² + q²) = .03865625/.60677614
    = .06370760 each, the middle 2q(1−q)/2 = .19661193; half of the sum is .16201357 ≥ ¼·e^{−24}. The step that is
    printed on the way, ½(1 − TV) with TV = (1−q)² − q² = .46211716, would be .26894142, above the risk of answering ½.
    """
    q = 1 / (1 + math.e)
    m0 = [(1 - q) ** 2, 2 * q * (1 - q), q**2]
    risk = sum(a * b / (a + b) for a, b in zip(m0, reversed(m0), strict=True)) / 2
    assert risk == pytest.approx(0.16201357, rel=1e-6)
    assert theory.example_infinite(users=2, epsilon=1.0).value <= risk
    assert (1 - (m0[0] - m0[2])) / 2 > 0.25 > risk


def test_delta_lower_by_hand():
    """L205 at n = 4, α = ½: n·min(α, α²) = 1, ⌈24 + 2·log 2⌉ = ⌈25.386⌉ = 26.

    ℓ2, d = 2, N(Δ) ≥ Δ^−2: −2·log(2Δ) = 26, Δ = ½·e^{−13} = ½·2.2603294e-6 = 1.1301647e-6.
    ℓ∞, d = 2, N(Δ) ≥ 2/(5Δ²): log(2/(20Δ²)) = 26, Δ = √.1·e^{−13} = .31622777·2.2603294e-6 = 7.1477893e-7.
    Sobolev, β = 1, log N(Δ) ≥ 1/Δ: 1/(2Δ) = 26, Δ = 1/52 = .019230769.
    """
    given = {"users": 4, "epsilon": 0.5}
    assert theory.delta_lower(theory.l2_ball(2), **given) == pytest.approx(1.1301647e-6, rel=1e-7)
    assert theory.delta_lower(theory.linf_ball(2), **given) == pytest.approx(7.1477893e-7, rel=1e-7)
    assert theory.delta_lower(theory.sobolev(1), **given) == pytest.approx(0.019230769, rel=1e-7)
    assert theory.delta_lower(theory.l2_ball(1), users=1e4, epsilon=1.0) == 0.0  # ½·e^{−240,002} is below 1e-140


def test_delta_upper_by_hand():
    """L205 at n = 800, α = ½: n·min(α, α²) = 200, e^{−10}.

    ℓ2, d = 2, N ≤ 9/Δ², diam 2: Δ² = 4·(9/Δ²)·e^{−10}, Δ = √6·e^{−2.5} = 2.4494897·.082084999 = .20106636.
    ℓ∞, d = 2, N ≤ 12/Δ², diam² 8: Δ⁴ = 96·e^{−10}, Δ = 3.1301692·.082084999 = .25693991.
    """
    given = {"users": 800, "epsilon": 0.5}
    assert theory.delta_upper(theory.l2_ball(2), **given) == pytest.approx(0.20106636, rel=1e-7)
    assert theory.delta_upper(theory.linf_ball(2), **given) == pytest.approx(0.25693991, rel=1e-7)
    few = {"users": 40, "epsilon": 0.5}  # √6·e^{−.125} = 2.16 is no Δ below 1
    assert theory.delta_upper(theory.l2_ball(2), **few) == math.inf
    bounds = theory.balanced_bounds(theory.l2_ball(2), **given)
    assert bounds.upper.value == pytest.approx(2 * 0.20106636**2, rel=1e-6) and bounds.upper.valid
    small = theory.balanced_bounds(theory.l2_ball(2), users=4, epsilon=0.5)
    assert small.lower.value == pytest.approx(1.1301647e-6**2 / 4, rel=1e-6)
    assert small.upper.value == 4.0 and not small.upper.valid


@pytest.mark.parametrize(
    "entropy", [theory.linf_ball(3), theory.l2_ball(3), theory.sparse_cube(30, 4), theory.sobolev(2)]
)
def test_balanced_widths_give_no_sharper_bounds_than_the_best_ones(entropy):
    for users in (2, 10, 40):
        low = theory.balanced_bounds(entropy, users=users, epsilon=1).lower
        assert 0 < low.value <= theory.general_bounds(entropy, users=users, epsilon=1).lower.value * (1 + 1e-6)
    for users in (2000, 10_000):
        high = theory.balanced_bounds(entropy, users=users, epsilon=1).upper
        assert high.valid and high.value >= theory.general_bounds(entropy, users=users, epsilon=1).upper.value * (
            1 - 1e-6
        )


def test_the_bound_of_a_cover_by_hand():
    """L186: Δ = .2, diam 2, N = 60, α = ½. n = 2000: .04 + 240·e^{−25} = .04 + 240·1.3887944e-11 = .0400000033331.

    n = 400: .04 + 240·e^{−5} = .04 + 240·.006737947 = 1.6571073; n = 80: .04 + 240·e^{−1} = 88.3, above diam² = 4.
    """
    given = {"delta": 0.2, "diameter": 2.0, "centres": 60, "epsilon": 0.5}
    assert theory.cover_risk(users=2000, **given) == pytest.approx(0.0400000033331, rel=1e-12)
    assert theory.cover_risk(users=400, **given) == pytest.approx(1.6571073, rel=1e-7)
    assert theory.cover_risk(users=80, **given) == 4.0


def test_running_times_by_hand():
    """L1825–L1864 at n = 100, T* = 400 (T*^½ = 20), d = 4.

    univariate and ℓ∞, α ≤ 1: max{400, 2000} = 2000. ℓ∞ at α = 3.7: 4 ∧ ⌊3.7⌋ = 3, max{1200, 6000} = 6000; at α = 9:
    4 ∧ 9 = 4, 8000. ℓ2: (dT*)^½ = 40, max{16, 400, 4000} = 4000; at α = 3.7 3·100·40 = 12,000; d = 100 at n = 1, T* = 4
    max{10⁴, 4, 20} = 10⁴. Selection with d = 50: max{400, 5000, 2000} = 5000; thresholding with d = 3000: 3000. Density
    with M = 10: max{4000, 2000} = 4000; mixture with m = 5: max{400, 500} = 500.
    """
    size = {"n": 100, "T": 400}
    assert theory.complexity.univariate(**size) == 2000
    assert [theory.complexity.linf_ball(**size, d=4, alpha=a) for a in (0.5, 1, 1.9, 3.7, 9)] == [
        2000,
        2000,
        2000,
        6000,
        8000,
    ]
    assert [theory.complexity.l2_ball(**size, d=4, alpha=a) for a in (1, 3.7)] == [4000, 12_000]
    assert theory.complexity.l2_ball(n=1, T=4, d=100, alpha=1) == 10_000
    assert theory.complexity.sparse_selection(**size, d=50) == 5000
    assert theory.complexity.sparse_threshold(**size, d=3000) == 3000
    assert theory.complexity.density(**size, M=10) == 4000
    assert theory.complexity.mixture(**size, m=5) == 500


def test_the_table_of_running_times_evaluates():
    """n = 100, T* = 400, d = 4, α = 3.7, M = 10, m = 5: the numbers above; α > 1 is words where it is not stated."""
    found = theory.COMPLEXITY.evaluated(n=100, T=400, d=4, alpha=3.7, M=10, m=5)
    assert [row[1] for row in found] == [2000, 2000, 4000, 2000, 2000, 4000, 500]
    assert [row[2] for row in found] == [2000, 6000, 12_000, *["stated for α ≤ 1"] * 4]


def test_the_papers_four_values_are_kept() -> None:
    """L1077."""
    assert [theory.experiment_constant(alpha) for alpha in (0.5, 1.0, 2.0, 4.0)] == [0.5, 0.5, 0.25, 0.25]


def test_between_and_beyond() -> None:
    """Between 1.5 (.5) and 1.75 (.25) a straight line: at 1.6, .5 − .25·(.1/.25) = .4. The ends go on."""
    assert theory.experiment_constant(1.6) == pytest.approx(0.4)
    assert theory.experiment_constant(1e-3) == 0.5 and theory.experiment_constant(100.0) == 0.25
    # the width of the paper's methods reads it: .4·√(log(200·100·1.6²)/100) = .4·√(10.843494/100) = .1317178
    assert experiment_delta(200, 100, 1.6) == pytest.approx(0.1317178, rel=1e-6)
    assert math.log(200 * 100 * 1.6**2) == pytest.approx(10.843494, rel=1e-6)


def test_the_recipe_gives_a_papers_value_and_says_where_it_says_nothing() -> None:
    """At the smallest (n, T) alone; benchmarks/tuning_constant.py computes the whole table with all of setting 2.

    By hand at α = 4, C = .25: Δ = .25·√(log(160,000)/100) = .08654; the 50 refiners' Laplace noise at width 6Δ has
    2·(.51924/4)²/50 = 6.740e-4 and their sampling error 1/5000 = 2e-4: with rare misses 8.68e-4. Twice C has four times
    the noise, 2.696e-3 + 2e-4 = 2.896e-3: 3.34 times as much.
    """
    small = ((100, 100),)
    found, risks = theory.recipe(4.0, sizes=small)
    assert found == theory.tabled()[4.0] == 0.25 and risks[0.25] == 1.0
    assert risks[0.5] == pytest.approx(3.34, abs=0.02)
    assert theory.recipe(1.0, sizes=small)[0] == theory.tabled()[1.0] == 0.5
    assert theory.recipe(0.1, sizes=small)[0] is None  # four of five surveys miss the mean
