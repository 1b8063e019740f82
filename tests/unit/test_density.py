"""The density: how many coefficients, the object that comes back, clear errors."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sottovoce as sv
from sottovoce.answers import WHOLE_COLLECTION, Chosen, ChosenBy, Privacy, StandardError
from sottovoce.device import encode
from sottovoce.messages import Basis, Fact, Question
from sottovoce.methods import direction_response
from sottovoce.problems.base import choose
from sottovoce.problems.density import DENSITY, waves
from sottovoce.problems.density.rounds import waves_of_adaptive, waves_of_one_round
from sottovoce.problems.density.world import DensityWorld
from sottovoce.risk import Crowd
from sottovoce.theory import density_terms
from tests.support import reason, rectangle, uniform_people


def density(**changes: Any) -> sv.Density:
    fields: dict[str, Any] = {"epsilon": 1.0, "low": 0.0, "high": 1.0, "users": 5000, "observations": 100}
    return sv.Density(**fields | changes)


def estimate(coefficients: tuple[float, ...], **changes: Any) -> sv.DensityEstimate:
    error = StandardError(sampling=0.01, privacy=0.03)
    fields: dict[str, Any] = {
        "coefficients": (1.0, *coefficients),
        "coefficient_intervals": ((1.0, 1.0), *((one - 0.06, one + 0.06) for one in coefficients)),
        "coefficient_errors": (StandardError(sampling=0.0, privacy=0.0), *(error for _ in coefficients)),
        "low": -2.0,
        "high": 6.0,
        "smoothness": 2.0,
        "confidence": 0.95,
        "interval_kind": Fact("pointwise", coefficients=1 + len(coefficients)),
        "users_per_round": (10,),
        "privacy": Privacy(epsilon=1.0, protects=WHOLE_COLLECTION, users=10, rounds=1),
        "method": "paper",
        "chosen": Chosen(by=ChosenBy.TEST),
    }
    return sv.DensityEstimate(**fields | changes)


def test_the_basis_is_orthonormal_and_the_devices_own() -> None:
    """φ_j of the estimate agree with what devices average, and are orthonormal on an even grid."""
    grid = (np.arange(4096) + 0.5) / 4096
    basis = waves(grid, 9)
    assert np.allclose(basis.T @ basis / 4096, np.eye(9), atol=1e-12)
    people = uniform_people(1, 50, seed=3)
    exact = waves(people.values[:, 0], 9).mean(axis=0)
    for function in range(2, 10):
        protocol = density(epsilon=16.0, users=2, observations=1, method="one-round", coefficients=2)
        question = protocol.decide(())
        assert isinstance(question, Question)
        statistic = Basis(low=0.0, high=1.0, functions=(function,))
        asked = replace(question, encoder=replace(question.encoder, statistic=statistic))
        place = encode(asked, people, np.array([0]), None)[0, 0] / question.channel.span  # type: ignore[arg-type]
        assert -math.sqrt(2) + 2 * math.sqrt(2) * place == pytest.approx(exact[function - 1], abs=1e-6)


def test_size_by_the_paper() -> None:
    assert density(method="paper").size == math.floor(500_000 ** (1 / 6)) == 8
    assert density(method="paper", smoothness=1.0).size == math.floor(500_000 ** (1 / 4)) == 26
    large = density(method="paper", observations=10**12, users=100)  # here T₀ is what counts
    assert large.size == math.floor(100 / math.log(100))
    assert density(method="paper", c_beta=2.0, observations=10**12, users=1000).size == math.floor(
        1000 / (2 * math.log(1000))
    )
    assert density(method="paper", users=2, epsilon=0.01).size == 2, "at least one coefficient is asked for"
    assert density(method="paper", coefficients=12).size == 12
    question = density(method="paper", coefficients=12).decide(())
    assert isinstance(question, Question) and isinstance(question.encoder.statistic, Basis)
    assert question.encoder.statistic.functions == tuple(range(2, 13)), "θ₁ = 1 is known and not asked"


@pytest.mark.parametrize("smoothness", [0.6, 1.0, 2.0, 3.0])
def test_size_is_that_of_the_theory(smoothness: float) -> None:
    """The rule stands twice: in logarithms here, where no power overflows, and as printed in `theory`."""
    for users in (50, 5000, 999_000):  # no exact integer, which both would have to floor alike
        for observations in (1, 100, 10**9):
            for epsilon in (0.5, 1.0, 3.0):
                printed = density_terms(
                    users=users, observations=observations, epsilon=epsilon, smoothness=smoothness, constant=1.5
                )
                own = density(
                    users=users, observations=observations, epsilon=epsilon, smoothness=smoothness, c_beta=1.5
                )
                assert own.size == min(own.most, max(2, printed))


def test_auto_says_which_and_why() -> None:
    chosen = choose(density(epsilon=4.0))
    said = reason(chosen)
    assert chosen.method.name == "adaptive" and "19 waves" in said and "predicted error" in said
    assert all(name in f"{chosen.method.name}, {said}" for name in DENSITY.automatic), "both are told of"
    assert choose(density(users=60)).method.name == "one-round", "too few to look twice"
    assert choose(density(observations=1)).method.name == "one-round", "nearness cannot help"


def test_how_many_waves() -> None:
    """1.3·(information)^(1/(2β+2)) for a known β, half as many more otherwise, 64 at most; as given."""
    sizes = [waves_of_adaptive(density(epsilon=e)) for e in (0.25, 1.0, 4.0)]
    assert sizes == sorted(sizes) and sizes[0] < sizes[-1], "more information, more waves"
    assert (
        waves_of_adaptive(density(smoothness=2.0))
        == round(1.3 * (500_000 * direction_response(1.0) ** 2) ** (1 / 6))
        == 8
    )
    assert waves_of_adaptive(density()) == 12
    assert waves_of_adaptive(density(smoothness=0.1, users=10**6)) == 64
    assert waves_of_adaptive(density(coefficients=12)) == waves_of_one_round(density(coefficients=12)) == 11
    assert waves_of_one_round(density(users=2)) == 1
    assert waves_of_one_round(density()) == waves_of_one_round(density(observations=10_000)) == 6, "T is no help"


def test_what_a_method_says_of_itself() -> None:
    for name in ("one-round", "adaptive", "paper", "theory"):
        survey, method = density(method=name, observations=4000, proof_constant=1.0), DENSITY.method(name)
        assert sum(method.users_per_round(survey)) == 5000
        assert method.words(survey)
        poisoning = method.poisoning(survey, Crowd())
        assert poisoning.reach > 0 and (poisoning.capture is None) == (name in ("one-round", "adaptive"))
        assert (method.guarded_halfwidth(survey, Crowd()) is None) == (name in ("paper", "theory"))


def test_a_world_scores_answers() -> None:
    survey = density(users=2000, observations=20, epsilon=4.0, low=-2.0, high=4.0)
    world = DensityWorld(settings=survey)
    values = world.draw(np.random.default_rng(1))
    assert values.shape == (2000, 20) and world.numbers_per_draw == 40_000 and values.min() >= -2 and values.max() <= 4
    assert "beta:4,4 on [-2, 4]" in str(world.words) and DensityWorld.truth_from_means(values) is None
    score = DensityWorld.score(sv.run(survey, sv.simulate(rectangle(values), seed=2)), world.truth)
    assert 0 < math.sqrt(score.squared_error) < score.figures["uniform_error"] / 2
    assert score.covered == score.figures["model_coverage"] == 1.0
    assert score.figures["model_halfwidth"] < score.figures["halfwidth"]
    old = DensityWorld.score(
        sv.run(replace(survey, method="paper"), sv.simulate(rectangle(values), seed=2)), world.truth
    )
    assert set(old.figures) == {"uniform_error"} and old.covered is not None and old.covered > 0.5
    apart = DensityWorld(settings=replace(survey, users=50), concentration=1.0).draw(np.random.default_rng(1))
    assert max(map(len, map(set, apart.tolist()))) < 20, "users who say again what they said before"
    with pytest.raises(sv.InvalidInput, match="bounded density"):
        DensityWorld(settings=survey, distribution="beta:0.5,2")
    with pytest.raises(sv.InvalidInput, match="concentration must be positive"):
        DensityWorld(settings=survey, concentration=0.0)


def test_evaluates_on_its_range() -> None:
    answer = estimate((0.3, -0.2))
    unit = np.array([0.0, 0.1, 0.5, 0.9])
    expected = 1 + math.sqrt(2) * (0.3 * np.cos(2 * math.pi * unit) - 0.2 * np.sin(2 * math.pi * unit))
    assert np.allclose(answer(-2 + 8 * unit), expected / 8)
    assert answer([-2.1, 6.1]).tolist() == [0.0, 0.0]
    assert answer(1.0).shape == () and answer(np.zeros((2, 3))).shape == (2, 3)
    assert answer.integral == 1.0
    grid = np.linspace(-2, 6, 20_001)
    assert np.trapezoid(answer(grid), grid) == pytest.approx(1.0, abs=1e-9)
    assert answer.mean == pytest.approx(np.trapezoid(grid * answer(grid), grid), abs=1e-6)
    assert answer.quantiles([0.0, 1.0]) == pytest.approx((-2.0, 6.0))
    half = answer.quantiles(0.5)
    assert (half,) == answer.quantiles([0.5])
    below = grid[grid <= half]
    assert np.trapezoid(answer(below), below) == pytest.approx(0.5, abs=1e-3)
    with pytest.raises(sv.InvalidInput, match="between 0 and 1"):
        answer.quantiles([1.5])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(-1.4, 1.4), min_size=1, max_size=30))
def test_projection_is_a_density_and_the_nearest(coefficients: list[float]) -> None:
    answer = estimate(tuple(coefficients))
    projected = answer.projected()
    grid = np.linspace(-2, 6, 30_001)
    heights = projected(grid)
    assert heights.min() >= 0.0
    assert np.trapezoid(heights, grid) == pytest.approx(1.0, abs=1e-5)
    assert projected.integral == pytest.approx(1.0, abs=1e-6)
    assert projected.projected() is projected
    low, high = projected.band(grid)
    assert (low >= 0).all() and (low <= heights + 1e-12).all() and (heights <= high + 1e-12).all()
    away = np.trapezoid((answer(grid) - heights) ** 2, grid)
    for rival in (np.full_like(grid, 1 / 8), 2 * (grid + 2) / 64):  # other densities lie no nearer
        assert away <= np.trapezoid((answer(grid) - rival) ** 2, grid) + 1e-6


def test_a_density_that_is_one_already_stays() -> None:
    answer = estimate((0.2, 0.1))
    grid = np.linspace(-2, 6, 1001)
    assert np.allclose(answer.projected()(grid), answer(grid), atol=1e-9)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"epsilon": 0.0}, "epsilon must lie between"),
        ({"low": 1.0}, "low must be below high"),
        ({"high": float("inf")}, "must be finite"),
        ({"observations": 0}, "observations"),
        ({"confidence": 0.0}, "confidence"),
        ({"smoothness": float("nan")}, "smoothness"),
        ({"radius": 0.0}, "radius"),
        ({"proof_constant": 0.0}, "proof_constant"),
        ({"coefficients": 2.0}, "at least 2"),
        ({"coefficients": 66}, "a device computes at most 64 waves: coefficients can be at most 65"),
        ({"coefficients": 5, "users": 7}, "fewer users than folds: 5 coefficients need at least 8 users"),
    ],
)
def test_bad_settings(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(sv.InvalidInput, match=words):
        density(**changes)
