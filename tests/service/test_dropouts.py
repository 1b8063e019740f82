"""Half of the users stay away, unevenly over the roles: intervals still cover, and the answer says how many answered.

False alarms: of 60 runs that each cover with probability .95, fewer than 50 do with probability 3e-4; guarded intervals
cover more often than that, so the rate is lower still.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.device import respond_many
from sottovoce.engines import Ask
from sottovoce.messages import Question, Tally

STAY = {"bins": 0.3, "mean": 0.7, "item": 0.5, "length": 0.3, "direction": 0.6, "check": 0.4, "zoom": 0.7, "whole": 0.5}
"""Which part of those asked in a role answers: about half in all, and not evenly."""
USERS, OBSERVATIONS, RUNS, COVERED = 3000, 25, 60, 50


class Words:
    """Reports that can be repeated, for a test of intervals."""

    def __init__(self, generator: np.random.Generator) -> None:
        self.generator = generator

    def words(self, count: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
        return self.generator.integers(0, 2**64, size=count, dtype=np.uint64)


def partly(people: sv.Collections, generator: np.random.Generator) -> Ask:
    """An engine in which every slot decides by itself, and not by its data, whether it answers."""
    seats = generator.permutation(people.users)

    def ask(question: Question) -> Tally:
        slots = np.arange(question.slots.first, question.slots.first + question.slots.count)
        slots = slots[generator.random(len(slots)) < STAY[question.role]]
        total = Tally.empty(question)
        for batch in respond_many(question, people.take(seats[slots]), slots, Words(generator)):
            total += Tally.of(batch)
        return total

    return ask


@pytest.mark.parametrize("method", ["one-round", "adaptive"])
@pytest.mark.parametrize("differ", [0.0, 0.5])
def test_an_interval_covers_when_half_of_the_users_stay_away(method: str, differ: float) -> None:
    covered, answered = 0, 0
    for run in range(RUNS):
        generator = np.random.default_rng([17, run])
        centres = 3.2 + differ * generator.standard_normal((USERS, 1))
        ratings = np.clip(np.round(centres + generator.standard_normal((USERS, OBSERVATIONS))), 1, 5)
        people = sv.collections(ratings)
        survey = sv.Mean(epsilon=1.0, low=1, high=5, users=USERS, observations=OBSERVATIONS, method=method)
        answer = sv.run(survey, partly(people, generator))
        covered += answer.interval[0] <= ratings.mean() <= answer.interval[1]
        assert answer.collection is not None
        answered += sum(answer.collection.answered)
        assert f"of {USERS:,}" in answer.collection.statement
    assert 0.3 * USERS * RUNS < answered < 0.7 * USERS * RUNS + USERS
    assert covered >= COVERED


def test_a_histogram_covers_too() -> None:
    covered = 0
    for run in range(RUNS):
        generator = np.random.default_rng([19, run])
        shares = generator.dirichlet([4.0, 2.0, 1.0, 1.0], size=USERS)
        counts = np.array([generator.multinomial(10, row) for row in shares])
        items = np.array([np.repeat(np.arange(4), row) for row in counts])
        survey = sv.Histogram(epsilon=2.0, low=0, high=4, bins=4, users=USERS, observations=10)
        answer = sv.run(survey, partly(sv.collections(items + 0.5), generator))
        low, high = np.array(answer.intervals).T
        covered += int(((low <= counts.mean(axis=0) / 10) & (counts.mean(axis=0) / 10 <= high))[run % 4])
    assert covered >= COVERED
