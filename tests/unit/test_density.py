"""The density: how many coefficients, the object that comes back, clear errors; adaptive rounds, curves and bands."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sottovoce as sv
from sottovoce.answers import Measured, NoteCode, StandardError, cosines, sizes
from sottovoce.device import encode
from sottovoce.messages import Basis, Cosines, Direction, Question
from sottovoce.methods import direction_response, direction_symbols
from sottovoce.problems import read
from sottovoce.problems.base import choose
from sottovoce.problems.density import DENSITY, waves
from sottovoce.problems.density.answer import MeasuredWaves, cosine_answer, looks_discrete
from sottovoce.problems.density.coefficients import (
    belief_about,
    centre_of_nearest_density,
    decays_to_consider,
    farthest_distance,
)
from sottovoce.problems.density.cosine import Adaptive
from sottovoce.problems.density.rounds import cosine_waves_of_one_round, waves_of_adaptive
from sottovoce.problems.density.world import DensityWorld
from sottovoce.risk import Crowd
from sottovoce.theory import density_terms
from tests.support import reason, rectangle, uniform_people
from tests.support.answers import EXAMPLES


def density(**changes: Any) -> sv.Density:
    fields: dict[str, Any] = {"epsilon": 1.0, "low": 0.0, "high": 1.0, "users": 5000, "observations": 100}
    return sv.Density(**fields | changes)


def estimate(coefficients: tuple[float, ...]) -> sv.DensityEstimate:
    error, none = StandardError(sampling=0.01, privacy=0.03), StandardError(sampling=0.0, privacy=0.0)
    intervals = ((1.0, 1.0), *((one - 0.06, one + 0.06) for one in coefficients))
    errors = (none, *(error for _ in coefficients))
    fields = {"coefficients": (1.0, *coefficients), "coefficient_intervals": intervals, "coefficient_errors": errors}
    return replace(EXAMPLES[sv.DensityEstimate], **fields)


def test_the_basis_is_orthonormal_and_the_devices_own() -> None:
    """φ_j of the estimate agree with what devices average, and are orthonormal on an even grid."""
    grid = (np.arange(4096) + 0.5) / 4096
    basis = waves(grid, 9)
    assert np.allclose(basis.T @ basis / 4096, np.eye(9), atol=1e-12)
    people = uniform_people(1, 50, seed=3)
    exact = waves(people.values[:, 0], 9).mean(axis=0)
    question = density(epsilon=16.0, users=2, observations=1, method="one-round", coefficients=2).decide(())
    for function in range(2, 10):
        statistic = Basis(low=0.0, high=1.0, functions=(function,))
        asked = replace(question, encoder=replace(question.encoder, statistic=statistic))
        place = encode(asked, people, np.array([0]), None)[0, 0] / question.channel.span  # type: ignore[arg-type]
        assert -math.sqrt(2) + 2 * math.sqrt(2) * place == pytest.approx(exact[function - 1], abs=1e-6)


def test_size_by_the_paper() -> None:
    assert density(method="paper").size == math.floor(500_000 ** (1 / 6)) == 8
    assert density(method="paper", smoothness=1.0).size == math.floor(500_000 ** (1 / 4)) == 26
    large = density(method="paper", observations=10**12, users=100)  # here T₀ is what counts
    assert large.size == math.floor(100 / math.log(100))
    twice = density(method="paper", c_beta=2.0, observations=10**12, users=1000)
    assert twice.size == math.floor(1000 / (2 * math.log(1000)))
    assert density(method="paper", users=2, epsilon=0.01).size == 2, "at least one coefficient is asked for"
    assert density(method="paper", coefficients=12).size == 12
    question = density(method="paper", coefficients=12).decide(())
    assert question.encoder.statistic.functions == tuple(range(2, 13)), "θ₁ = 1 is known and not asked"


@pytest.mark.parametrize("smoothness", [0.6, 1.0, 2.0, 3.0])
def test_size_is_that_of_the_theory(smoothness: float) -> None:
    """The rule stands twice: in logarithms here, where no power overflows, and as printed in `theory`."""
    for users in (50, 5000, 999_000):  # no exact integer, which both would have to floor alike
        for observations in (1, 100, 10**9):
            for epsilon in (0.5, 1.0, 3.0):
                given = {"users": users, "observations": observations, "epsilon": epsilon, "smoothness": smoothness}
                own = density(**given, c_beta=1.5)
                assert own.size == min(own.most, max(2, density_terms(**given, constant=1.5)))


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
    known = 1.3 * (500_000 * direction_response(1.0) ** 2) ** (1 / 6)
    assert waves_of_adaptive(density(smoothness=2.0)) == round(known) == 8
    assert waves_of_adaptive(density()) == 12
    assert waves_of_adaptive(density(smoothness=0.1, users=10**6)) == 64
    assert waves_of_adaptive(density(coefficients=12)) == cosine_waves_of_one_round(density(coefficients=12)) == 11
    assert cosine_waves_of_one_round(density(users=2)) == 1
    assert {cosine_waves_of_one_round(density(observations=t)) for t in (100, 10_000)} == {6}, "T is no help"


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
    ask = sv.simulate(rectangle(values), seed=2)
    score = DensityWorld.score(sv.run(survey, ask), world.truth)
    assert 0 < math.sqrt(score.squared_error) < score.figures["uniform_error"] / 2
    assert score.covered == score.figures["model_coverage"] == 1.0
    assert score.figures["model_halfwidth"] < score.figures["halfwidth"]
    old = DensityWorld.score(sv.run(replace(survey, method="paper"), ask), world.truth)
    assert set(old.figures) == {"uniform_error"} and old.covered is not None and old.covered > 0.5
    apart = DensityWorld(settings=replace(survey, users=50), concentration=1.0).draw(np.random.default_rng(1))
    assert max(map(len, map(set, apart.tolist()))) < 20, "users who say again what they said before"
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


UNIT = np.linspace(0, 1, 201)


def survey(**changes: Any) -> sv.Density:
    fields: dict[str, Any] = {"epsilon": 2.0, "low": 0.0, "high": 1.0, "users": 4000, "observations": 40}
    return sv.Density(**fields | {"method": "adaptive"} | changes)


def measured(size: int = 6, **changes: Any) -> Measured:
    numbers = {"value": 0.2, "error": 0.02, "firm": 0.2, "most": 0.03, "centre": 0.1}
    return Measured(**{name: (value,) * size for name, value in numbers.items()} | {"share": 0.05} | changes)


def asked(own: sv.Density, values: np.ndarray, seed: int = 3) -> tuple[list[Question], sv.DensityEstimate]:
    draw, questions = sv.simulate(rectangle(values), seed=seed), []

    def ask(question: Question) -> sv.Tally:
        questions.append(question)
        return draw(question)

    return questions, sv.run(own, ask)


def test_rounds_as_a_story() -> None:
    """Waves on the full range, lengths, two checks, a direction: everybody once; numbers on the lattice."""
    values = np.random.default_rng(1).beta(2, 4, size=(4000, 40))
    questions, answer = asked(survey(), values)
    assert [question.role for question in questions] == ["wave", "length", "check", "check", "direction"]
    assert sum(question.slots.count for question in questions) == 4000 and answer.warnings == ()
    assert all(question.epsilon == 2.0 for question in questions)
    last = questions[-1].encoder.statistic
    assert isinstance(last, Direction) and isinstance(last.vector, Cosines) and 2 * last.rows == direction_symbols(2.0)
    step = 2 * math.sqrt(2) * 2.0**-20
    assert all(abs(value / step - round(value / step)) < 1e-6 for value in last.centre)
    questions, _ = asked(survey(epsilon=1.0), values)
    assert [question.role for question in questions][:2] == ["wave", "zoom"], "where the first look is not enough"


def test_users_far_apart_are_asked_by_the_table() -> None:
    own = np.random.default_rng(2).random((3000, 1)).repeat(40, axis=1)
    questions, answer = asked(survey(users=3000), own)
    assert questions[-1].role == "wave" and NoteCode.USERS_FAR_APART in answer.note_codes
    _, few = asked(survey(users=100), own[:100])
    assert NoteCode.ASKED_AT_ONCE in few.note_codes and few.method == "adaptive" and len(few.users_per_round) == 1


def test_the_curve_is_a_density_inside_its_bands() -> None:
    values = 10 + 4 * np.random.default_rng(5).beta(1, 3, size=(4000, 40))
    answer = sv.run(survey(low=10.0, high=14.0), sv.simulate(rectangle(values), seed=1))
    points = np.linspace(10, 14, 401)
    assert answer(points).min() >= 0 and answer.integral == pytest.approx(1.0, abs=1e-6) and answer.shift is not None
    assert answer([9.9, 14.1]).tolist() == [0.0, 0.0]
    narrow, wide = answer.model_band(points), answer.band(points)
    whole, near = answer.band(points, whole=True), answer.model_band(points, whole=True)
    for low, high in (narrow, wide, whole, near):
        assert (low <= answer(points) + 1e-12).all() and (answer(points) <= high + 1e-12).all()
    assert (wide[1] - wide[0]).mean() > (narrow[1] - narrow[0]).mean()
    assert answer.halfwidth() < answer.halfwidth(whole=True)
    assert read(answer.to_json()) == answer
    curve = answer.details()["curve"]
    assert {"model_low", "whole_high", "model_whole_low", "band_low"} <= set(curve)
    assert 10 < answer.mean < 12 and answer.plot().get_title(loc="left")
    for (low, high), value in zip(answer.coefficient_intervals, answer.coefficients, strict=True):
        assert low <= value <= high
    for changes, said in (
        ({"measured": None}, "cosine basis"),
        ({"basis": "haar"}, "basis must be"),
        ({"measured": measured(1)}, "more waves are shown"),
    ):
        with pytest.raises(sv.InvalidInput, match=said):
            replace(answer, **changes).model_band(points)


@pytest.mark.parametrize("users, epsilon, method, points", [(10, 0.1, "one-round", None), (1500, 4.0, "auto", 0.0)])
def test_bands_hold_one_another(users: int, epsilon: float, method: Any, points: float | None) -> None:
    values = np.random.default_rng(0).beta(2, 5, (users, 10)) if points is None else np.full((users, 30), points)
    answer = sv.density(values, low=0, high=1, epsilon=epsilon, method=method, seed=1)
    bands = answer.model_band(UNIT), answer.band(UNIT)
    wholes = answer.model_band(UNIT, whole=True), answer.band(UNIT, whole=True)
    for inner, outer in (bands, wholes, (bands[0], wholes[0]), (bands[1], wholes[1])):
        assert (outer[0] <= inner[0] + 1e-9).all() and (inner[1] <= outer[1] + 1e-9).all()


def test_a_known_smoothness_has_fewer_waves_and_its_own_sentence() -> None:
    values = np.random.default_rng(6).beta(2, 2, size=(4000, 40))
    people = rectangle(values)
    for smoothness, size in ((2.0, 8), (1.0, 22)):
        answer = sv.run(survey(smoothness=smoothness), sv.simulate(people, seed=1))
        assert answer.measured is not None and len(answer.measured.value) == size
        assert bool(answer.whole_assumes) == (smoothness > 1), "no bound on what is left out can be given at 1"
    assert answer.band(UNIT, whole=True)[1].min() == math.inf
    assert "whole_low" not in answer.details()["curve"]


def test_noise_stays_below_so_many_errors_everywhere() -> None:
    """The tube bound at 95 % against 4,000 drawn curves of ten waves: at most 5 % leave (1.8 % spare for chance)."""
    own = measured(10, share=0.0, error=tuple(0.02 + 0.001 * j for j in range(10)))
    noise = np.random.default_rng(3).normal(size=(4000, 10)) * np.array(own.error)
    basis = cosines(UNIT, 11)[:, 1:]
    sd = np.sqrt(basis**2 @ np.array(own.error) ** 2)
    low, high = own.band(UNIT, 10, 0.95, guarded=False)
    z = ((high - low) / 2 / sd).max()
    outside = (np.abs(noise @ basis.T) / sd).max(axis=1) > z
    assert 0.0005 < outside.mean() <= 0.05 and z < 3.7
    narrow, wide = (own.band(UNIT, 3, level, guarded=False) for level in (0.8, 0.99))
    assert (narrow[0] > wide[0]).all()
    assert sizes(10) == (1, 2, 3, 4, 6, 8, 10) and sizes(1) == (1,)


def test_a_band_allows_for_users_who_were_cut() -> None:
    """A share of users at any one place moves the smoothed density no farther than the band, and may just so."""
    own = measured(6, most=(1e-9,) * 6)
    low, high = own.band(UNIT, 6, 0.95, guarded=True)
    basis, centre = cosines(UNIT, 7)[:, 1:], np.array(own.centre)
    height = 1 + basis @ np.array(own.firm)
    pulls = np.array([basis @ (own.share * (basis[place] - centre)) for place in range(len(UNIT))])
    assert (height + pulls <= high + 1e-6).all() and (height + pulls >= low - 1e-6).all()
    assert np.allclose(high - height, np.maximum(pulls, 0).max(axis=0), rtol=0.01, atol=1e-6)
    start, stop = own.interval(1, 0.95)
    pulled = [0.2 - 0.05 * (math.sqrt(2) + 0.1), 0.2 + 0.05 * (math.sqrt(2) - 0.1)]
    assert [start, stop] == pytest.approx(pulled)


def test_nobody_lies_farther_than_far() -> None:
    rng = np.random.default_rng(4)
    for size in (1, 3, 20, 64):
        centre = centre_of_nearest_density(rng.normal(size=size) * 0.3)
        vectors = cosines(rng.random(20_000), size + 1)[:, 1:]
        most = float(np.sqrt(((vectors - np.array(centre)) ** 2).sum(axis=1)).max())
        assert most <= farthest_distance(centre) <= 1.02 * most
        basis = cosines((np.arange(512) + 0.5) / 512, size + 1)[:, 1:]
        heights = 1 + basis @ np.array(centre)
        assert heights.mean() == pytest.approx(1.0) and np.abs(centre).max() <= math.sqrt(2)


def test_beliefs_keep_what_is_clear_and_drop_noise() -> None:
    noise = np.random.default_rng(8).normal(size=12) * 0.1
    signal = 1.2 * np.arange(1, 13.0) ** -3
    known = belief_about(signal + noise, np.full(12, 0.01), decays_to_consider(None))
    assert abs(known.value[0] - signal[0]) < 0.3 and np.abs(known.value[6:]).max() < 0.05
    assert ((known.value - signal) ** 2).sum() < 0.6 * (noise**2).sum()
    clear = belief_about(np.full(12, 0.9), np.full(12, 1e-4), decays_to_consider(None))
    assert known.waves_to_show < 7 and clear.waves_to_show == 12
    assert decays_to_consider(1.5) == (1.5, 2.0, 2.5, 3.0, 4.0)


def test_slopes_at_the_ends_go_on_beyond_the_waves() -> None:
    """Twelve waves of a falling straight line: the curve is the line, and all other waves are in `ends`."""
    waves = np.arange(1, 13)
    line = math.sqrt(2) * (1 - (-1.0) ** waves) / (math.pi * waves) ** 2  # of 1.5 − x
    known = belief_about(line, np.full(12, 1e-6), decays_to_consider(None))
    assert known.ends == pytest.approx((math.sqrt(2) / math.pi**2, -math.sqrt(2) / math.pi**2), rel=0.02)
    curve = cosine_answer(Adaptive(), survey(), reported(line, 1e-3))
    assert np.abs(curve(UNIT) - (1.5 - UNIT)).max() < 0.01
    assert np.abs(replace(curve, ends=(0.0, 0.0))(UNIT) - (1.5 - UNIT)).max() > 0.015
    assert curve.integral == pytest.approx(1.0, abs=1e-5) and read(curve.to_json()) == curve


def reported(value: np.ndarray, error: float) -> MeasuredWaves:
    variance = np.full(len(value), error**2)
    more = {"firm": value, "most": variance, "centre": (0.0,) * len(value), "answered": (10,)}
    return MeasuredWaves(value=value, variance=variance, sampling=0.1 * variance, **more)


def test_warns_when_data_look_discrete() -> None:
    waves = np.arange(1, 13)
    noise = np.random.default_rng(9).normal(size=12) * 0.03
    ratings = math.sqrt(2) * np.cos(math.pi * waves[:, None] * np.arange(5) / 4) @ np.array([0.1, 0.15, 0.25, 0.3, 0.2])
    assert looks_discrete(reported(ratings + noise, 0.03))
    assert not looks_discrete(reported(1.5 * waves**-2.0 + noise, 0.03))
    assert not looks_discrete(reported(noise, 0.03)) and not looks_discrete(reported(ratings[:4], 0.03))
    (said,) = cosine_answer(Adaptive(), survey(), reported(ratings, 0.03)).warnings
    assert "few values" in said and "guess" in said


@pytest.mark.parametrize("name", ["one-round", "adaptive"])
def test_predictions_follow_what_is_stated(name: str) -> None:
    method = DENSITY.method(name)
    one, more = (method.predict(survey(users=users), Crowd()) for users in (4000, 40_000))
    assert more.mse < one.mse and one.omission > 0 and one.privacy > one.sampling
    apart = method.predict(survey(), Crowd(spread=0.5))
    assert apart.mse > one.mse
    assert method.guarded_halfwidth(survey(), Crowd()) > method.guarded_halfwidth(survey(users=40_000), Crowd())
    with pytest.raises(sv.InvalidInput, match="spread"):
        method.predict(survey(), Crowd(spread=2.0))


def test_more_observations_help_adaptive_alone() -> None:
    adaptive, alone = (DENSITY.method(name) for name in ("adaptive", "one-round"))
    few, many = survey(observations=20), survey(observations=500)
    assert adaptive.predict(many, Crowd()).mse < 0.5 * adaptive.predict(few, Crowd()).mse
    assert alone.predict(many, Crowd()).mse > 0.8 * alone.predict(few, Crowd()).mse
