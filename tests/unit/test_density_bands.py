"""The adaptive density: its rounds, its curve, its bands, its warnings."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.answers import Measured, NoteCode, cosines, sizes
from sottovoce.messages import Cosines, Direction, Question
from sottovoce.methods import direction_symbols
from sottovoce.problems import read
from sottovoce.problems.density import DENSITY
from sottovoce.problems.density.answer import MeasuredWaves, cosine_answer, looks_discrete
from sottovoce.problems.density.coefficients import (
    belief_about,
    centre_of_nearest_density,
    decays_to_consider,
    farthest_distance,
)
from sottovoce.problems.density.cosine import Adaptive
from sottovoce.risk import Crowd
from tests.support import rectangle

UNIT = np.linspace(0, 1, 201)


def survey(**changes: Any) -> sv.Density:
    fields: dict[str, Any] = {"epsilon": 2.0, "low": 0.0, "high": 1.0, "users": 4000, "observations": 40}
    return sv.Density(**fields | {"method": "adaptive"} | changes)


def measured(size: int = 6, **changes: Any) -> Measured:
    fields: dict[str, Any] = {
        "value": (0.2,) * size,
        "error": (0.02,) * size,
        "firm": (0.2,) * size,
        "most": (0.03,) * size,
        "centre": (0.1,) * size,
        "share": 0.05,
    }
    return Measured(**fields | changes)


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
    """Users who each hold one value, anywhere: a direction says little, and the answer says so."""
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
    with pytest.raises(sv.InvalidInput, match="cosine basis"):
        replace(answer, measured=None).model_band(points)
    with pytest.raises(sv.InvalidInput, match="basis must be"):
        replace(answer, basis="haar")
    with pytest.raises(sv.InvalidInput, match="more waves are shown"):
        replace(answer, measured=measured(1))


@pytest.mark.parametrize("users, epsilon, method, points", [(10, 0.1, "one-round", None), (1500, 4.0, "auto", 0.0)])
def test_bands_hold_one_another(users: int, epsilon: float, method: Any, points: float | None) -> None:
    """The guarded band holds the model band, and one for the density itself that for the smoothed one."""
    values = np.random.default_rng(0).beta(2, 5, (users, 10)) if points is None else np.full((users, 30), points)
    answer = sv.density(values, low=0, high=1, epsilon=epsilon, method=method, seed=1)
    bands = answer.model_band(UNIT), answer.band(UNIT)
    wholes = answer.model_band(UNIT, whole=True), answer.band(UNIT, whole=True)
    for inner, outer in (bands, wholes, (bands[0], wholes[0]), (bands[1], wholes[1])):
        assert (outer[0] <= inner[0] + 1e-9).all() and (inner[1] <= outer[1] + 1e-9).all()


def test_a_known_smoothness_has_fewer_waves_and_its_own_sentence() -> None:
    values = np.random.default_rng(6).beta(2, 2, size=(4000, 40))
    people = rectangle(values)
    for smoothness, waves in ((2.0, 8), (1.0, 22)):
        answer = sv.run(survey(smoothness=smoothness), sv.simulate(people, seed=1))
        assert answer.measured is not None and len(answer.measured.value) == waves
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
    assert start == pytest.approx(0.2 - 0.05 * (math.sqrt(2) + 0.1)) and stop == pytest.approx(
        0.2 + 0.05 * (math.sqrt(2) - 0.1)
    )


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
    assert (
        known.waves_to_show < 7
        and belief_about(np.full(12, 0.9), np.full(12, 1e-4), decays_to_consider(None)).waves_to_show == 12
    )
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
    return MeasuredWaves(
        value=value,
        variance=variance,
        sampling=0.1 * variance,
        firm=value,
        most=variance,
        centre=(0.0,) * len(value),
        answered=(10,),
    )


def test_warns_when_data_look_discrete() -> None:
    """Ratings of one to five against smooth densities, at the same noise; a guess, and it says so."""
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
