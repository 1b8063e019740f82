"""Cases that a review of the protocols brought up, each of which once went wrong."""

from __future__ import annotations

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.messages import Question
from sottovoce.problems.sparse.paper import Paper
from tests.support import rectangle


def test_a_vote_that_says_nothing_is_never_asked() -> None:
    protocol = sv.Mean(epsilon=2.0, low=0.0, high=1.0, users=240, observations=100, method="theory", proof_constant=1.0)
    vote = protocol.decide(())
    assert isinstance(vote, Question)
    assert vote.epsilon_bound() > 1.9


def test_missing_vectors_count_as_the_centre_of_the_ball() -> None:
    people = sv.Collections(np.tile([100.0, 0.0], (2000, 1)), np.minimum(np.arange(4001), 2000))
    protocol = sv.VectorMean(
        epsilon=8.0, users=4000, observations=1, dimension=2, ball="l2", centre=(100.0, 0.0), radius=1.0
    )
    answer = sv.run(protocol, sv.simulate(people, seed=1))
    assert np.abs(np.array(answer.value) - (100.0, 0.0)).max() < 0.1


def test_huge_vectors_are_projected_not_forgotten() -> None:
    people = sv.Collections(np.tile([1e200, 0.0], (4000, 1)), np.arange(4001))
    protocol = sv.VectorMean(epsilon=8.0, users=4000, observations=1, dimension=2, ball="l2", radius=1.0)
    answer = sv.run(protocol, sv.simulate(people, seed=1))
    assert answer.value[0] == pytest.approx(1.0, abs=0.1)


def test_one_item_passes_over_missing_observations() -> None:
    people = rectangle(np.tile([np.nan, 1.0], (2000, 1)))
    answer = sv.run(sv.OneItem(epsilon=8.0, low=0.0, high=1.0, users=2000), sv.simulate(people, seed=2))
    assert answer.value == pytest.approx(1.0, abs=0.05)


def test_few_reports_a_fold_widen_the_intervals() -> None:
    """Two refiners a coordinate, users spread by .9/√1000: each interval covers at least 92 %, seed fixed."""
    rng = np.random.default_rng(5)
    covered = []
    for repetition in range(150):
        people = rectangle(rng.normal(0.2, 0.9 / np.sqrt(1000), (32, 1, 8)))
        protocol = sv.VectorMean(epsilon=16.0, users=32, observations=1000, dimension=8, ball="linf", method="paper")
        answer = sv.run(protocol, sv.simulate(people, seed=6, repetition=repetition))
        covered += [low <= 0.2 <= high for low, high in answer.intervals]
    assert np.mean(covered) >= 0.92


def test_simultaneous_intervals_of_a_sparse_mean_hold_together() -> None:
    """Means at half the threshold, all left out: jointly covered in at least 85 % of 60 repetitions, seed fixed."""
    setting = {"epsilon": 2.0, "users": 20_000, "observations": 400, "dimension": 20, "sparsity": 20}
    protocol = sv.SparseMean(**setting, method="paper", procedure="threshold")
    truth = Paper().thresholding(protocol).threshold / 2
    rng = np.random.default_rng(7)
    held = []
    for repetition in range(60):
        people = rectangle(rng.normal(truth, 0.02, (20_000, 1, 20)).astype(np.float32))
        answer = sv.run(protocol, sv.simulate(people, seed=8, repetition=repetition))
        held.append(all(low <= truth <= high for low, high in answer.simultaneous))
    assert np.mean(held) >= 0.85


def test_confidence_and_seed_are_checked_before_anyone_is_asked() -> None:
    with pytest.raises(sv.InvalidInput, match="confidence"):
        sv.Mean(epsilon=1.0, low=0.0, high=1.0, users=10, observations=1, confidence=1 - 1e-16)
    with pytest.raises(sv.InvalidInput, match="seed"):
        sv.SparseMean(epsilon=1.0, users=1000, observations=10, dimension=4, sparsity=1, public_seed=True)
    with pytest.raises(sv.InvalidInput, match="too little"):
        sv.SplitUser(epsilon=0.001, low=0.0, high=1.0, users=10, observations=16384)
