"""The sparse corollary, the first example, Δ_LB and Δ_UB, and running times: against values computed by hand."""

from __future__ import annotations

import math

import pytest

from sottovoce.messages import InvalidInput
from sottovoce.theory import (
    COMPLEXITY,
    Constants,
    balanced_bounds,
    complexity,
    cover_risk,
    delta_lower,
    delta_upper,
    example_finite,
    example_infinite,
    example_lower_bound,
    general_bounds,
    l2_ball,
    linf_ball,
    sobolev,
    sparse,
    sparse_cube,
    sparse_few_users,
    sparse_many_users,
)


def test_sparse_corollary_with_few_users():
    """L569 at n = 4000, α = ½ (nα² = 1000), T = 400, d = 10⁶, s = 80.

    log(dnTα²) = log(4·10¹¹) = 1.386294 + 11·2.302585 = 26.714730; nα²/s = 12.5, e^{−12.5} = 3.7267e-6
    upper: 80·26.714730/400 + e^{−12.5} = 5.342946 + .0000037 = 5.3429497
    lower: 80/400 ∨ e^{−12.5} = .2; with C = .1 in the exponent e^{−1.25} = .2865048
    conditions: 16·log(e·10⁶)/3 = 16·14.815511/3 = 79.016 ≤ 80; C̃·s·log(ed) = .5·80·14.815511 = 592.6 < 1000
    """
    sizes = {"users": 4000, "observations": 400, "epsilon": 0.5, "dimension": 10**6, "sparsity": 80}
    found = sparse_few_users(**sizes, constants=Constants(assumed=0.5))
    assert found.lower.value == pytest.approx(0.2, rel=1e-12)
    assert found.upper.value == pytest.approx(5.3429497, rel=1e-7)
    assert found.lower.valid and found.upper.valid and found.lower.line == 569
    slow = sparse_few_users(**sizes, constants=Constants(assumed=0.5, slow=0.1))
    assert slow.lower.value == pytest.approx(0.2865048, rel=1e-6)
    assert not sparse_few_users(**sizes).lower.valid  # C̃ = 1 asks for nα² > 1185.2
    # nα² is 1000; d^γ with γ = .501 is 1013.91, with γ = .49 it is 870.96
    assert sparse_few_users(**sizes, exponent=0.501, constants=Constants(assumed=0.5)).lower.valid
    assert not sparse_few_users(**sizes, exponent=0.49, constants=Constants(assumed=0.5)).lower.valid
    with pytest.raises(InvalidInput):
        sparse_few_users(**sizes, exponent=0.0)
    # T = 20: s·log(dnTα²)/T = 80·log(2·10¹⁰)/20 = 80·23.719/20 = 94.9 > s = 80
    assert not sparse_few_users(**sizes | {"observations": 20}, constants=Constants(assumed=0.5)).upper.valid


def test_sparse_corollary_with_many_users():
    """L576 at n = 40,000, α = ½ (nα² = 10⁴), T = 10, d = 50, s = 27.

    log(dnTα²) = log(5·10⁶) = 1.609438 + 6·2.302585 = 15.424948, its square 237.92903
    lower: 27·50/10⁵ = .0135; upper: .0135·237.92903 = 3.2120419
    conditions: C̃·d·log = 50·15.424948 = 771.2 ≤ 10⁴; 50·237.92903/10⁵ = .119 ≤ 1; 16·log(50e)/3 = 26.2 ≤ 27
    """
    sizes = {"users": 40_000, "observations": 10, "epsilon": 0.5, "dimension": 50, "sparsity": 27}
    found = sparse_many_users(**sizes)
    assert found.lower.value == pytest.approx(0.0135, rel=1e-12)
    assert found.upper.value == pytest.approx(3.2120419, rel=1e-7)
    assert found.lower.valid and found.upper.valid and found.upper.line == 576
    assert not sparse_many_users(**sizes, constants=Constants(assumed=20.0)).upper.valid  # 20·771.2 > 10⁴
    assert not sparse_many_users(**sizes | {"epsilon": 2.0}).upper.valid  # α ≤ 1
    # s = 26 is too small for the lower bound, and does not matter above
    few = sparse_many_users(**sizes | {"sparsity": 26})
    assert few.upper.valid and not few.lower.valid


@pytest.mark.parametrize("few", [True, False])
def test_the_corollary_is_the_theorem_up_to_what_it_simplifies(few):
    """Regime (i): the theorem's upper bound is its second term; (ii) its third, but for e^{−cnα²/d} = e^{−200}."""
    if few:
        sizes = {"users": 4000, "observations": 400, "epsilon": 0.5, "dimension": 10**6, "sparsity": 80}
        assert sparse(**sizes).upper.value == pytest.approx(sparse_few_users(**sizes).upper.value, rel=1e-12)
    else:
        sizes = {"users": 40_000, "observations": 10, "epsilon": 0.5, "dimension": 50, "sparsity": 27}
        simple, full = sparse_many_users(**sizes), sparse(**sizes)
        assert full.upper.value == pytest.approx(simple.upper.value, rel=1e-12)
        # s{(1 + d/(nα²))^{1/T} − 1} = 27·(1.005^{.1} − 1) = 27·4.988785e-4 = .01346972 against .0135
        assert full.lower.value == pytest.approx(0.01346972, rel=1e-6)


def test_the_first_example():
    """L167. Finite: nTα² = 300 gives 1/(768·300) = 4.3402778e-6 (Δ = (192·300)^−½, the bracket is 1 − √(48/192) = ½).

    nTα² = .0625 < 25/192: Δ = 1/5, .02·(1 − √(48·.0625/25)) = .02·(1 − √.12) = .02·.65358984 = .0130717968.
    Infinite: n = 1, α = ½: ¼·e^{−3} = .25·.04978707 = .012446767.
    """
    assert example_finite(users=100, observations=12, epsilon=0.5).value == pytest.approx(4.3402778e-6, rel=1e-7)
    assert example_finite(users=1, observations=1, epsilon=0.25).value == pytest.approx(0.0130717968, rel=1e-8)
    assert example_infinite(users=1, epsilon=0.5).value == pytest.approx(0.012446767, rel=1e-7)
    # n = 1, α = ½, T = 10⁴: 1/(768·2500) = 5.2e-7 lies below ¼·e^{−3}; n = 100, T = 1: 1/(768·25) = 5.2083333e-5 above
    assert example_lower_bound(users=1, observations=1e4, epsilon=0.5).value == pytest.approx(0.012446767, rel=1e-7)
    assert example_lower_bound(users=100, observations=1, epsilon=0.5).value == pytest.approx(5.2083333e-5, rel=1e-7)
    assert example_finite(users=1, observations=1, epsilon=1.0).valid
    assert not example_infinite(users=1, epsilon=1.5).valid


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
    assert example_infinite(users=2, epsilon=1.0).value <= risk
    assert (1 - (m0[0] - m0[2])) / 2 > 0.25 > risk


def test_delta_lower_by_hand():
    """L205 at n = 4, α = ½: n·min(α, α²) = 1, ⌈24 + 2·log 2⌉ = ⌈25.386⌉ = 26.

    ℓ2, d = 2, N(Δ) ≥ Δ^−2: −2·log(2Δ) = 26, Δ = ½·e^{−13} = ½·2.2603294e-6 = 1.1301647e-6.
    ℓ∞, d = 2, N(Δ) ≥ 2/(5Δ²): log(2/(20Δ²)) = 26, Δ = √.1·e^{−13} = .31622777·2.2603294e-6 = 7.1477893e-7.
    Sobolev, β = 1, log N(Δ) ≥ 1/Δ: 1/(2Δ) = 26, Δ = 1/52 = .019230769.
    """
    given = {"users": 4, "epsilon": 0.5}
    assert delta_lower(l2_ball(2), **given) == pytest.approx(1.1301647e-6, rel=1e-7)
    assert delta_lower(linf_ball(2), **given) == pytest.approx(7.1477893e-7, rel=1e-7)
    assert delta_lower(sobolev(1), **given) == pytest.approx(0.019230769, rel=1e-7)
    assert delta_lower(l2_ball(1), users=1e4, epsilon=1.0) == 0.0  # ½·e^{−240,002} is below 1e-140


def test_delta_upper_by_hand():
    """L205 at n = 800, α = ½: n·min(α, α²) = 200, e^{−10}.

    ℓ2, d = 2, N ≤ 9/Δ², diam 2: Δ² = 4·(9/Δ²)·e^{−10}, Δ = √6·e^{−2.5} = 2.4494897·.082084999 = .20106636.
    ℓ∞, d = 2, N ≤ 12/Δ², diam² 8: Δ⁴ = 96·e^{−10}, Δ = 3.1301692·.082084999 = .25693991.
    """
    given = {"users": 800, "epsilon": 0.5}
    assert delta_upper(l2_ball(2), **given) == pytest.approx(0.20106636, rel=1e-7)
    assert delta_upper(linf_ball(2), **given) == pytest.approx(0.25693991, rel=1e-7)
    assert delta_upper(l2_ball(2), users=40, epsilon=0.5) == math.inf  # √6·e^{−.125} = 2.16 is no Δ below 1
    bounds = balanced_bounds(l2_ball(2), **given)
    assert bounds.upper.value == pytest.approx(2 * 0.20106636**2, rel=1e-6) and bounds.upper.valid
    small = balanced_bounds(l2_ball(2), users=4, epsilon=0.5)
    assert small.lower.value == pytest.approx(1.1301647e-6**2 / 4, rel=1e-6)
    assert small.upper.value == 4.0 and not small.upper.valid


@pytest.mark.parametrize("entropy", [linf_ball(3), l2_ball(3), sparse_cube(30, 4), sobolev(2)])
def test_balanced_widths_give_no_sharper_bounds_than_the_best_ones(entropy):
    for users in (2, 10, 40):
        low = balanced_bounds(entropy, users=users, epsilon=1).lower
        assert 0 < low.value <= general_bounds(entropy, users=users, epsilon=1).lower.value * (1 + 1e-6)
    for users in (2000, 10_000):
        high = balanced_bounds(entropy, users=users, epsilon=1).upper
        assert high.valid and high.value >= general_bounds(entropy, users=users, epsilon=1).upper.value * (1 - 1e-6)


def test_the_bound_of_a_cover_by_hand():
    """L186: Δ = .2, diam 2, N = 60, α = ½. n = 2000: .04 + 240·e^{−25} = .04 + 240·1.3887944e-11 = .0400000033331.

    n = 400: .04 + 240·e^{−5} = .04 + 240·.006737947 = 1.6571073; n = 80: .04 + 240·e^{−1} = 88.3, above diam² = 4.
    """
    given = {"delta": 0.2, "diameter": 2.0, "centres": 60, "epsilon": 0.5}
    assert cover_risk(users=2000, **given) == pytest.approx(0.0400000033331, rel=1e-12)
    assert cover_risk(users=400, **given) == pytest.approx(1.6571073, rel=1e-7)
    assert cover_risk(users=80, **given) == 4.0


def test_running_times_by_hand():
    """L1825–L1864 at n = 100, T* = 400 (T*^½ = 20), d = 4.

    univariate and ℓ∞, α ≤ 1: max{400, 2000} = 2000. ℓ∞ at α = 3.7: 4 ∧ ⌊3.7⌋ = 3, max{1200, 6000} = 6000; at α = 9:
    4 ∧ 9 = 4, 8000. ℓ2: (dT*)^½ = 40, max{16, 400, 4000} = 4000; at α = 3.7 3·100·40 = 12,000; d = 100 at n = 1, T* = 4
    max{10⁴, 4, 20} = 10⁴. Selection with d = 50: max{400, 5000, 2000} = 5000; thresholding with d = 3000: 3000. Density
    with M = 10: max{4000, 2000} = 4000; mixture with m = 5: max{400, 500} = 500.
    """
    size = {"n": 100, "T": 400}
    assert complexity.univariate(**size) == 2000
    assert [complexity.linf_ball(**size, d=4, alpha=a) for a in (0.5, 1, 1.9, 3.7, 9)] == [2000, 2000, 2000, 6000, 8000]
    assert [complexity.l2_ball(**size, d=4, alpha=a) for a in (1, 3.7)] == [4000, 12_000]
    assert complexity.l2_ball(n=1, T=4, d=100, alpha=1) == 10_000
    assert complexity.sparse_selection(**size, d=50) == 5000
    assert complexity.sparse_threshold(**size, d=3000) == 3000
    assert complexity.density(**size, M=10) == 4000
    assert complexity.mixture(**size, m=5) == 500


def test_the_table_of_running_times_evaluates():
    """n = 100, T* = 400, d = 4, α = 3.7, M = 10, m = 5: the numbers above; α > 1 is words where it is not stated."""
    found = COMPLEXITY.evaluated(n=100, T=400, d=4, alpha=3.7, M=10, m=5)
    assert [row[1:] for row in found] == [
        (2000, 2000),
        (2000, 6000),
        (4000, 12_000),
        (2000, "stated for α ≤ 1"),
        (2000, "stated for α ≤ 1"),
        (4000, "stated for α ≤ 1"),
        (500, "stated for α ≤ 1"),
    ]
