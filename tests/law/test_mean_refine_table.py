"""The paper's refine round through a table instead of Laplace noise: how much quieter, and that all else follows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.messages import Laplace, Question, Table
from sottovoce.problems import choose
from sottovoce.risk import Crowd
from sottovoce.risk.prediction import clamped_normal_mse
from tests.support import uniform_people

POSITIONS = np.linspace(0, 1, 2001)


def refine_channel(**settings: Any) -> Laplace | Table:
    """What the second round asks with, whatever the votes said."""
    survey = sv.Mean(low=0.0, high=1.0, users=400, observations=400, **settings)
    draw, asked = sv.simulate(uniform_people(400, 2), seed=1), survey.decide(())
    assert isinstance(asked, Question)
    question = survey.decide((draw(asked),))
    assert isinstance(question, Question) and isinstance(question.channel, (Laplace, Table))
    assert question.channel.epsilon_bound() <= settings["epsilon"]
    return question.channel


@pytest.mark.law
@pytest.mark.parametrize("epsilon, ratio", [(0.5, 1.96), (1.0, 1.92), (2.0, 2.49), (4.0, 4.56), (8.0, 21.9)])
def test_a_table_is_quieter_than_laplace_noise(epsilon: float, ratio: float) -> None:
    """Variance of one report for users anywhere in the interval, from the laws of the two channels: no chance in it."""
    laplace = refine_channel(epsilon=epsilon, method="paper")
    table = refine_channel(epsilon=epsilon, method="paper", refine="table")
    assert isinstance(laplace, Laplace) and isinstance(table, Table)
    assert laplace.noise_variance / table.variance(POSITIONS).mean() >= 0.94 * ratio


@pytest.mark.parametrize("method", ["paper", "theory"])
def test_error_prediction_and_words_follow_the_table(method: str) -> None:
    """80 runs: the spread of the values has a relative standard error of 8 %; three of them, seeds fixed: 0.3 %."""
    settings = {"epsilon": 4.0, "low": 0.0, "high": 1.0, "users": 1000, "observations": 200, "proof_constant": 10.0}
    survey = sv.Mean(method=method, refine="table", **settings)
    people = uniform_people(1000, 200, seed=3)
    answers = [sv.run(survey, sv.simulate(people, seed=5, repetition=r)) for r in range(80)]
    spread = float(np.std([answer.value for answer in answers]))
    assert np.mean([answer.standard_error.total for answer in answers]) == pytest.approx(spread, rel=0.25)
    chosen = choose(survey)
    crowd = Crowd(within=12**-0.5, around=0.5)
    assert chosen.predict(crowd).rmse == pytest.approx(spread, rel=0.25)
    printed = choose(sv.Mean(method=method, **settings))
    assert chosen.predict(crowd).privacy < 0.4 * printed.predict(crowd).privacy
    reach = chosen.method.poisoning(chosen.settings, crowd).reach
    assert reach < 0.5 * printed.method.poisoning(printed.settings, crowd).reach, "no report goes 16 scales beyond"
    assert "through a table" in str(chosen.method.words(survey))


@pytest.mark.parametrize("mean, truth", [(0.3, 0.3), (0.9, 0.1), (1.4, 0.9), (-0.2, 0.0)])
@pytest.mark.parametrize("deviation", [0.0, 0.05, 0.5, 3.0])
def test_error_of_a_clamped_estimate(mean: float, truth: float, deviation: float) -> None:
    """The formula against a sum over a fine grid of the normal law."""
    z = np.linspace(-9, 9, 200_001)
    weights = np.exp(-(z**2) / 2) / np.exp(-(z**2) / 2).sum()
    right = float(weights @ (np.clip(mean + deviation * z, 0, 1) - truth) ** 2)
    found = clamped_normal_mse(deviation**2, mean=mean, low=0.0, high=1.0, truth=truth)
    assert found == pytest.approx(right, rel=1e-6, abs=1e-12)
