"""Exact risk against full enumeration, closed forms, and itself."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from sottovoce import design, theory
from sottovoce.messages import InvalidInput
from sottovoce.messages.exact_arithmetic import exact
from sottovoce.problems import choose
from sottovoce.problems.mean import Mean
from sottovoce.risk import Crowd
from sottovoce.theory.laws import Law


def enumerated(users: int, epsilon: float, delta: float, reach: int, places: dict[int, float]) -> np.ndarray:
    bins, voters = math.ceil(1 / delta - 1e-12), users // 2
    channel = design.unary(exact(epsilon), bins, reach=reach)
    law = np.zeros(bins)
    for placed in itertools.product(places, repeat=voters):
        hot = channel.hot_bits(np.array(placed)).astype(int)
        chance = math.prod(places[j] for j in placed)
        for bits in itertools.product((0, 1), repeat=voters * bins):
            sent = np.array(bits).reshape(voters, bins)
            kept = int((sent == hot).sum())
            law[int(np.argmax(sent.sum(axis=0)))] += (
                chance * channel.keep**kept * (1 - channel.keep) ** (voters * bins - kept)
            )
    return law


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("reach", [0, 1])
@pytest.mark.parametrize(
    "users, delta, values, chances",
    [
        (2, 0.25, (-0.9, 0.9), (0.3, 0.7)),
        (4, 0.2, (-0.9, 0.1, 0.3), (0.2, 0.5, 0.3)),
        (5, 0.2, (0.5,), (1.0,)),
        (6, 0.34, (-0.5, 0.0, 0.9), (0.25, 0.5, 0.25)),
        (4, 0.25, (-5.0, 0.1, 5.0), (0.1, 0.2, 0.7)),  # outside the range: the bins at the ends
        (4, 0.25, (-0.5, 0.0), (0.5, 0.5)),  # on edges: the bins above
    ],
)
def test_law_of_the_winner_is_the_enumerated_one(users, delta, values, chances, reach, compiled):
    law = theory.UserMeans(values=values, probabilities=chances)
    setting = {"users": users, "observations": 7, "epsilon": 1.3, "delta": delta, "law": law}
    risk = theory.exact_risk(**setting, reach=reach, compiled=compiled)
    places: dict[int, float] = {}
    for value, chance in zip(values, chances, strict=True):
        index = min(max(math.floor((value + 1) / (2 * delta)), 0), risk.bins - 1)
        places[index] = places.get(index, 0.0) + chance
    assert risk.winner == pytest.approx(enumerated(users, 1.3, delta, reach, places), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("clip", [False, True])
@pytest.mark.parametrize("reach", [0, 1])
def test_risk_given_the_law_of_the_winner_is_the_textbook_sum(reach, clip):
    values, chances = np.array([-0.9, 0.1, 0.8]), np.array([0.2, 0.5, 0.3])
    law = theory.UserMeans(values=tuple(values), probabilities=tuple(chances))
    risk = theory.exact_risk(users=9, observations=1, epsilon=2.0, delta=0.1, law=law, reach=reach, clip=clip)
    total = 0.0
    for j, chance in enumerate(risk.winner):
        margin = 0.3 if reach == 0 else 0.6
        low, high = -1 + 0.2 * j + 0.1 - margin, -1 + 0.2 * j + 0.1 + margin
        if clip:
            low, high = max(low, -1), min(high, 1)
        held = np.clip(values, low, high)
        mean = chances @ held
        variance = chances @ (held - mean) ** 2 + 2 * ((high - low) / 2.0) ** 2
        total += chance * ((mean - chances @ values) ** 2 + variance / 5)
    assert risk.mse == pytest.approx(total, rel=1e-12)
    assert risk.mse == pytest.approx(risk.bias2 + risk.variance, rel=1e-12)
    assert risk.winner.sum() == pytest.approx(1, abs=1e-12)


def test_another_report_plugs_in_by_its_variance():
    setting = {"users": 20, "observations": 10, "epsilon": 2.0, "delta": 0.1, "law": theory.Rademacher()}
    laplace, none = theory.exact_risk(**setting), theory.exact_risk(**setting, noise_variance=0.0)
    assert theory.exact_risk(**setting, noise_variance=0.5).mse == pytest.approx(laplace.mse, rel=1e-12)
    assert none.privacy == 0 and none.mse == pytest.approx(laplace.mse - laplace.privacy, rel=1e-12)


def test_compiled_and_numpy_agree_also_on_rare_failures():
    setting = {
        "users": 100,
        "observations": 10_000,
        "epsilon": 4.0,
        "delta": 0.007,
        "law": theory.Rademacher(),
        "shift": 0.2,
    }
    plain, fast = (theory.exact_risk(**setting, compiled=compiled) for compiled in (False, True))
    assert plain.misses < 1e-3
    assert fast.misses == pytest.approx(plain.misses, rel=1e-10)
    assert fast.winner == pytest.approx(plain.winner, rel=1e-9, abs=1e-16)


def test_rare_failures_that_the_paper_s_simulation_missed_are_counted():
    """n = 100, T = 1e4, α = 4, Δ = .007: 6.3e-6 in 20,000 repetitions, 1.50e-5 in truth (ERRATA 18)."""
    risk = theory.exact_risk(
        users=100,
        observations=10_000,
        epsilon=4,
        delta=0.007,
        law=theory.Rademacher(),
        shift=(-0.3, 0.3),
        compiled=True,
    )
    assert risk.mse == pytest.approx(1.50e-5, rel=0.01)
    assert risk.variance == pytest.approx(6.2e-6, rel=0.01)


def test_what_is_neglected_is_bounded_and_its_bound_is_tiny():
    fine, rough = (
        theory.exact_risk(users=60, observations=100, epsilon=1, delta=0.03, law=theory.Rademacher(), neglect=neglect)
        for neglect in (1e-16, 1e-6)
    )
    assert fine.neglected < 1e-12 < rough.neglected
    assert abs(fine.mse - rough.mse) <= 4 * rough.neglected
    assert rough.winner.sum() == pytest.approx(1, abs=rough.neglected)


def test_a_shift_averages_what_single_shifts_give():
    setting = {"users": 30, "observations": 25, "epsilon": 2.0, "delta": 0.05, "law": theory.Rademacher(chance=0.5)}
    places = np.linspace(-0.3, 0.3, 1201)[1::2]
    single = np.mean([theory.exact_risk(**setting, shift=float(place), compiled=True).mse for place in places])
    assert theory.exact_risk(**setting, shift=(-0.3, 0.3), compiled=True).mse == pytest.approx(single, rel=3e-3)


def test_a_shift_narrower_than_a_bin_and_one_that_leaves_the_range():
    setting = {
        "users": 30,
        "observations": 25,
        "epsilon": 2.0,
        "delta": 0.2,
        "law": theory.Rademacher(),
        "compiled": True,
    }
    for low, high in ((0.0, 0.1), (0.5, 1.2)):
        places = low + (high - low) * (np.arange(100) + 0.5) / 100
        single = np.mean([theory.exact_risk(**setting, shift=float(place)).mse for place in places])
        assert theory.exact_risk(**setting, shift=(low, high)).mse == pytest.approx(single, rel=1e-2)


def test_a_shift_s_average_sees_the_narrow_strip_where_users_split_between_bins():
    """Users within .003 of one another, bins .089 wide: failures come from 14 % of the places (300,000 repetitions
    gave .00371 ± .0002; eight even places gave .0027)."""
    setting = {"users": 200, "observations": 10**5, "epsilon": 1.0, "delta": 0.0445, "law": theory.Rademacher()}
    coarse, fine = (
        theory.exact_risk(**setting, shift=(-0.3, 0.3), resolution=step, compiled=True).mse for step in (0.5, 0.125)
    )
    assert coarse == pytest.approx(fine, rel=2e-3)
    assert fine == pytest.approx(0.00388, rel=5e-3)


def test_a_shift_s_average_does_not_keep_step_with_a_lattice():
    """Sixteen even places would all see the lattice of 1,000 observations alike: 2.31e-5 (simulated: 2.41e-5)."""
    risk = theory.exact_risk(
        users=200, observations=1000, epsilon=4, delta=0.0155, law=theory.Rademacher(), shift=(-0.3, 0.3), compiled=True
    )
    assert risk.mse == pytest.approx(2.41e-5, rel=0.01)


def test_one_bin_means_everybody_refines_on_the_range():
    risk = theory.exact_risk(users=10, observations=4, epsilon=1, delta=1.0, law=theory.Rademacher())
    assert risk.voters == 0 and risk.bins == 1
    assert risk.mse == pytest.approx((1 / 4 + 2 * 2**2) / 10)


@pytest.mark.parametrize(
    "law, observations, mean, variance",
    [
        (theory.Rademacher(chance=0.7), 50, 0.4, 0.84 / 50),
        (theory.Rademacher(shift=0.25), 10**7, 0.25, 1e-7),
        (theory.Uniform(low=0, high=1), 1, 0.5, 1 / 12),
        (theory.Uniform(low=-1, high=1), 8, 0.0, 1 / 24),
        (theory.Uniform(low=-1, high=1), 9, 0.0, 1 / 27),
        (theory.Uniform(low=0, high=0.5), 1000, 0.25, 0.25 / 12 / 1000),
        (theory.BetaBinomial(a=2, b=3), 12, -0.2, 4 * (12 * 6 * 17) / (25 * 6) / 144),
        (theory.Lattice(first=1, step=1, probabilities=(0.5, 0.25, 0.25)), 40, 1.75, 0.6875 / 40),
        (theory.UserMeans(values=(0.1, 0.1, 0.4)), 3, 0.2, 0.02),
        (theory.Point(value=-0.3), 5, -0.3, 0.0),
    ],
)
def test_laws_have_their_mean_and_variance(law: Law, observations: int, mean: float, variance: float):
    means = law.of_means(observations)
    total = means.partial(np.array([means.support[1] + 1e-3]))[:, 0]
    assert means.mean == pytest.approx(mean, abs=1e-12)
    assert total == pytest.approx([1.0, 0.0, variance], rel=1e-9, abs=1e-12)


def test_irwin_hall_by_formula_and_by_characteristic_function_agree():
    """Nine uniforms by transform against eight by formula, convolved with one more by quadrature."""
    nine, eight = theory.Uniform(low=0, high=1).of_means(9), theory.Uniform(low=0, high=1).of_means(8)
    nodes, weights = np.polynomial.legendre.leggauss(60)
    for point in (0.2, 0.31, 0.5, 0.66):
        rest = (9 * point - (nodes + 1) / 2) / 8
        expected = float(weights @ eight.partial(rest)[0]) / 2
        assert nine.partial(np.array([point]))[0, 0] == pytest.approx(expected, abs=1e-8)


def test_best_delta_is_the_best_of_the_whole_grid():
    setting = {"users": 40, "observations": 200, "epsilon": 2.0, "law": theory.Rademacher()}
    deltas = tuple(i / 100 for i in range(2, 31))
    quick = theory.best_delta(**setting, deltas=deltas, coarse=8)
    full = [theory.exact_risk(**setting, delta=delta, compiled=True).mse for delta in deltas]
    assert quick.risk.mse == pytest.approx(min(full), rel=1e-9)
    assert quick.delta == deltas[int(np.argmin(full))]
    assert len(quick.computed) < len(deltas)


def test_the_planner_s_prediction_is_near_where_localisation_is_safe():
    protocol = Mean(users=1000, observations=1000, epsilon=2.0, low=-1, high=1, method="paper")
    delta = protocol.problem.method("paper").scheme(protocol).layout.delta
    risk = theory.exact_risk(
        users=1000, observations=1000, epsilon=2.0, delta=delta, law=theory.Rademacher(), compiled=True
    )
    assert choose(protocol).predict(Crowd()).mse == pytest.approx(risk.mse, rel=0.05)


WRONG = {"users": (0, 5000), "observations": (0,), "epsilon": (0.0,), "delta": (0.0, math.nan, 1e-6), "reach": (2,)}
WRONG |= {"shift": ((0.2, 0.1),)}


@pytest.mark.parametrize("name, value", [(name, value) for name in WRONG for value in WRONG[name]])
def test_arguments_that_make_no_sense_are_refused(name, value):
    setting = {"users": 10, "observations": 10, "epsilon": 1.0, "delta": 0.1, "law": theory.Rademacher()}
    with pytest.raises(InvalidInput):
        theory.exact_risk(**setting | {name: value})


def test_wide_votes_over_many_bins_are_refused_rather_than_guessed():
    with pytest.raises(InvalidInput, match="enumerate"):
        theory.exact_risk(users=200, observations=10, epsilon=1.0, delta=0.02, law=theory.Rademacher(), reach=1)


def test_laws_refuse_what_is_no_law():
    for bad in (
        lambda: theory.Rademacher(chance=1.5),
        lambda: theory.BetaBinomial(a=0, b=1),
        lambda: theory.Lattice(first=0, step=1, probabilities=(0.5, 0.6)),
        lambda: theory.Uniform(low=1, high=1),
        lambda: theory.UserMeans(values=()),
        lambda: theory.UserMeans(values=(0.1,), probabilities=(0.5, 0.5)),
    ):
        with pytest.raises(InvalidInput):
            bad()


def test_simulated_risk_is_repeatable():
    setting = {
        "users": 20,
        "observations": 10,
        "epsilon": 1.0,
        "delta": 0.1,
        "law": theory.Rademacher(),
        "repetitions": 100,
    }
    assert theory.simulated_risk(**setting, seed=3) == theory.simulated_risk(**setting, seed=3)
    assert theory.simulated_risk(**setting, seed=3) != theory.simulated_risk(**setting, seed=4)
