"""The mean: constants of the paper, choices of `auto`, honest answers, clear errors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.messages import Question, Unary
from sottovoce.methods import VoteThenRefine, experiment_delta
from sottovoce.theory import experiment_constant, t_star
from tests.support import uniform_people


def mean(**changes: Any) -> sv.Mean:
    fields: dict[str, Any] = {"epsilon": 1.0, "low": -1.0, "high": 1.0, "users": 500, "observations": 100}
    return sv.Mean(**fields | changes)


def scheme(survey: sv.Mean) -> VoteThenRefine:
    found = survey.problem.method(survey.method).scheme(survey)
    assert isinstance(found, VoteThenRefine)
    return found


def test_experiment_constants() -> None:
    assert [experiment_constant(e) for e in (0.1, 0.5, 1, 1.5, 1.6, 2, 4, 20)] == [
        *[0.5] * 4,
        pytest.approx(0.4),
        *[0.25] * 3,
    ]
    assert scheme(mean(method="paper")).layout.delta == pytest.approx(
        0.5 * math.sqrt(math.log(50_000) / 100), rel=1e-12
    )
    assert experiment_delta(1, 1, 0.1) == 0.5, "the logarithm never falls below 1 (ERRATA P6)"


def test_theory_uses_three_bins_only_above_one() -> None:
    theory = {"method": "theory", "observations": 10_000, "proof_constant": 10.0}
    low = mean(epsilon=1.0, **theory).decide(())
    high = mean(epsilon=2.0, **theory).decide(())
    assert isinstance(low, Question) and isinstance(high, Question)
    assert isinstance(low.channel, Unary) and isinstance(high.channel, Unary)
    assert (low.channel.reach, high.channel.reach) == (0, 1)
    assert low.channel.keep == pytest.approx(1 / (1 + math.exp(-0.5)))
    assert high.channel.keep == pytest.approx(1 / (1 + math.exp(-2 / 6)))
    layout = scheme(mean(epsilon=2.0, **theory)).layout
    start, stop = layout.widened(np.array([layout.bins // 2]))
    assert stop[0] - start[0] == pytest.approx(12 * layout.delta)


def test_proof_constant_truncates_observations() -> None:
    assert t_star(users=500, observations=1000, epsilon=1.0, constant=8535.0) == 1
    assert t_star(users=500, observations=1000, epsilon=1.0, constant=100.0) == math.floor(math.exp(5))
    assert t_star(users=10**6, observations=1000, epsilon=1.0, constant=1.0) == 1000


def test_localised_interval_covers_when_the_model_holds() -> None:
    """As above, for the paper's method where votes are clear and users alike."""
    people = uniform_people(1000, 200, seed=3)
    protocol = mean(users=1000, observations=200, epsilon=2.0, method="paper", low=0.0, high=1.0)
    answers = [sv.run(protocol, sv.simulate(people, seed=5, repetition=r)) for r in range(300)]
    covered = np.mean([one.interval[0] <= 0.5 <= one.interval[1] for one in answers])
    assert covered >= 0.92
    assert np.mean([one.standard_error.total for one in answers]) == pytest.approx(
        np.std([one.value for one in answers]), rel=0.2
    )


def test_weak_votes_warn() -> None:
    people = uniform_people(20, 100)
    answer = sv.run(mean(users=20, epsilon=0.3, method="paper"), sv.simulate(people, seed=1))
    assert any("wrong place" in warning for warning in answer.warnings)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"epsilon": -1.0}, "epsilon must lie between"),
        ({"epsilon": float("nan")}, "epsilon must lie between"),
        ({"epsilon": float("inf")}, "epsilon must lie between"),
        ({"epsilon": True}, "must be a number"),
        ({"low": 1.0}, "low must be below high"),
        ({"low": float("nan")}, "must be finite"),
        ({"high": float("inf")}, "must be finite"),
        ({"low": -1.7e308, "high": 1.7e308}, "must be finite"),
        ({"low": -8e307, "high": 8e307}, "within"),
        ({"confidence": float("nan")}, "confidence"),
        ({"proof_constant": 0.0}, "proof_constant"),
    ],
)
def test_bad_settings(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(sv.InvalidInput, match=words):
        mean(**changes)


def test_more_slots_than_users() -> None:
    with pytest.raises(sv.InvalidInput, match="give the protocol users=10"):
        sv.run(mean(users=20), sv.local(uniform_people(10, 3)))


def test_a_survey_takes_no_more_tallies_than_it_asks_for() -> None:
    survey = sv.Mean(epsilon=1.0, low=0.0, high=1.0, users=50, observations=2, method="one-round")
    tally = sv.simulate(sv.collections([[0.5, 0.5]] * 50), seed=1)(survey.decide(()))
    assert survey.decide((tally,)).value == pytest.approx(0.5, abs=1.0)
    with pytest.raises(sv.InvalidInput, match="over after 1"):
        survey.decide((tally, tally))


@pytest.mark.parametrize("low, high", [(0.0, 5e-324), (1.0, 1.0000000000000002), (0.0, 1e-200), (-1e150, 1e150)])
def test_ranges_in_which_places_cannot_be_told_apart_are_refused(low, high) -> None:
    with pytest.raises(sv.InvalidInput, match="told apart"):
        sv.Mean(epsilon=2.0, users=3000, observations=100, low=low, high=high)


@pytest.mark.parametrize("method", ["paper", "theory"])
def test_one_round_is_too_few_to_vote_and_refine(method) -> None:
    with pytest.raises(sv.InvalidInput, match="two rounds"):
        sv.Mean(epsilon=2.0, users=100, observations=10, low=0, high=1, method=method, rounds=1)
