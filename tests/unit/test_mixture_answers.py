"""Mixtures: what an answer of `paper` tells, bad settings, predictions, worlds, the call."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.problems.base import choose
from sottovoce.problems.mixture.world import MixtureWorld
from sottovoce.risk import Crowd
from tests.support import coin_mixture, rectangle
from tests.unit.test_mixture import COINS, EVEN, layout, mixture


def test_a_component_that_is_not_there_is_warned_of() -> None:
    """Two kinds of users, four asked for: some share is below the cut or hardly above zero, and the interval knows."""
    people = coin_mixture(np.random.default_rng(2), 2000, 1000, (1 / 8, 7 / 8), (0.5, 0.5))
    answers = [sv.run(mixture(users=2000), sv.simulate(people, seed=r)) for r in range(20)]
    assert all(len(answer.warnings) >= 2 for answer in answers)
    below = [(a, k) for a in answers for k, share in enumerate(a.shares) if share < 1 / 400]
    assert below
    for answer, k in below:
        assert answer.means[k] == answer.centres[k] and answer.intervals[k] == (-1.0, 1.0)
        assert any("try fewer components" in warning for warning in answer.warnings)


def test_a_mean_that_left_its_bin_is_warned_of() -> None:
    """A share near zero blows a residual up, as printed in the paper; the interval still holds the value."""
    people = coin_mixture(np.random.default_rng(2), 500, 1000, COINS, EVEN)
    protocol = mixture(users=500, epsilon=2.0)
    answers = [sv.run(protocol, sv.simulate(people, seed=r)) for r in range(60)]
    reach = 3 * layout(protocol).delta
    far = 0
    for answer in answers:
        beyond = [k for k in range(4) if abs(answer.means[k] - answer.centres[k]) > reach]
        assert len(beyond) == sum("lies beyond" in warning for warning in answer.warnings)
        far += bool(beyond)
        for mean, (low, high) in zip(answer.means, answer.intervals, strict=True):
            assert -1 <= low <= high <= 1 and low <= min(1, max(-1, mean)) <= high
    assert 0 < far < 60


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"components": 1.5}, "components must be"),
        ({"components": True}, "components must be"),
        ({"components": 12}, "12 components need 34 bins, and Δ = 0.0322 makes 32; what would help: components=11"),
        ({"observations": 20}, "about .* observations per user, or delta below 0.111"),
        ({"delta": 0.5}, "makes 2; what would help: components=1, or delta below 0.111"),
        ({"users": 0, "components": 1}, "users must be"),
        ({"epsilon": 0.0}, "epsilon"),
        ({"low": 2.0}, "low must be below high"),
        ({"observations": 0}, "observations"),
        ({"confidence": 1.0}, "confidence"),
        ({"delta": 0.0}, "delta"),
        ({"delta": 1e-6}, "1,000,000 bins, more than the 65,536 that a vote holds; give delta, at least 1.53e-05"),
        ({"proof_constant": 0.0}, "proof_constant"),
        ({"smallest_share": 0.0}, "smallest_share"),
        ({"public_seed": -1}, "public_seed"),
    ],
)
def test_bad_settings(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(sv.InvalidInput, match=words):
        mixture(**changes)


def test_what_is_said_to_help_helps() -> None:
    mixture(components=11)
    mixture(components=12, delta=0.0303)
    with pytest.raises(sv.InvalidInput, match="about 2,000 observations"):
        mixture(components=12)
    mixture(components=12, observations=2000)


@pytest.mark.parametrize("changes", [{"delta": 0.05}, {"membership": "bin"}])
def test_the_papers_constants_ask_for_the_papers_method(changes: dict[str, Any]) -> None:
    people = coin_mixture(np.random.default_rng(3), 300, 1000, COINS, EVEN)
    auto, paper = (
        sv.run(mixture(users=300, method=name, **changes), sv.simulate(people, seed=1)) for name in ("auto", "paper")
    )
    assert auto.method == "paper" and "adaptive has no delta and no membership" in auto.reason
    assert auto == replace(paper, chosen=auto.chosen)


def test_what_a_method_says_of_itself() -> None:
    for survey in (mixture(), mixture(components=1), mixture(components=1, delta=1.0), mixture(delta=0.05)):
        chosen = choose(survey)
        kinds = "1 component" if survey.components == 1 else f"{survey.components} components"
        assert str(chosen.method.words(survey)).startswith(f"{kinds}, {layout(survey).bins} bins")
        assert sum(chosen.method.users_per_round(survey)) == survey.users
        assert 0 < chosen.predict(Crowd()).rmse < 1
        poisoning = chosen.method.poisoning(survey, Crowd())
        assert poisoning.reach > 0 and (poisoning.capture is None) == (layout(survey).bins == 1)
    few, many = (choose(mixture(users=users)).predict(Crowd()) for users in (500, 5000))
    assert many.mse < few.mse / 10, "with few users components are missed"


def test_predictions_hold() -> None:
    """Against 150 surveys: a component's root mean squared error within 15 % (five standard errors), seeds fixed."""
    survey, truth = mixture(users=4000), 2 * np.array(COINS) - 1
    rng, errors = np.random.default_rng(6), []
    for repetition in range(150):
        people = coin_mixture(rng, 4000, 1000, COINS, EVEN)
        answer = sv.run(survey, sv.simulate(people, seed=3, repetition=repetition))
        errors.append(((np.array(answer.means) - truth) ** 2).mean())
    assert math.sqrt(np.mean(errors)) == pytest.approx(choose(survey).predict(Crowd()).rmse, rel=0.15)


def test_a_world_scores_answers() -> None:
    survey = mixture(users=900, observations=200, components=2, low=0.0, high=10.0, epsilon=6.0)
    world = MixtureWorld(settings=survey, means=(8.0, 3.0), shares=(0.25, 0.75))
    assert world.truth == {"means": [3.0, 8.0], "shares": [0.75, 0.25]}
    assert world.numbers_per_draw == 180_000 and "kinds with means 3 (75%), 8 (25%)" in str(world.words)
    values = world.draw(np.random.default_rng(1))
    assert values.shape == (900, 200) and set(np.unique(values)) == {0.0, 10.0}
    assert MixtureWorld.truth_from_means(values) is None
    answer = sv.run(survey, sv.simulate(rectangle(values), seed=2))
    score = MixtureWorld.score(answer, world.truth)
    assert score.squared_error < 0.25 and score.figures["share_error"] < 0.1
    assert MixtureWorld(settings=survey).truth["means"] == [2.5, 7.5]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"means": (1.0, 5.0, 9.0)}, "means has 3 entries, shares 2; components says 2"),
        ({"means": (1.0, 20.0)}, "means must lie between"),
        ({"shares": (0.5, 0.6)}, "they add up to 1.1"),
    ],
)
def test_worlds_that_cannot_be(options: dict[str, Any], words: str) -> None:
    survey = mixture(components=2, low=0.0, high=10.0)
    with pytest.raises(sv.InvalidInput, match=words):
        MixtureWorld(settings=survey, **options)
