"""Every question of every method of the histogram, certified by the audit's own derivation; what one user is asked."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.audit.exact_layer import question_cost, whole_cost
from sottovoce.engines.survey_loop import questions_of
from sottovoce.messages import exact
from sottovoce.theory import LOCALISABLE

ALIKE, APART = "alike", "apart"
CLOSE = {"item", "length", "check", "direction"}


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 2.0, 4.0, 8.0])
@pytest.mark.parametrize("kind", [ALIKE, APART])
def test_every_question_is_certified(kind: str, epsilon: float) -> None:
    """With users enough that questions of all kinds are asked from ε = 1 on; each user is asked in one round."""
    users = max(3000, math.ceil(2 * LOCALISABLE / min(epsilon, epsilon**2)))
    held = np.random.default_rng(1).integers(0, 5, size=(users, 300 if kind == ALIKE else 1)).astype(np.uint8)
    survey = sv.Histogram(epsilon=epsilon, users=users, observations=300, categories=tuple("abcde"), method="adaptive")
    _, asked = questions_of(survey, sv.simulate(sv.collections(held), seed=1))
    for question in asked:
        assert question_cost(question) <= exact(question.epsilon) <= exact(epsilon)
    assert whole_cost(asked) <= exact(epsilon)
    taken = [slot for question in asked for slot in (question.slots.first, question.slots.first + question.slots.count)]
    assert taken == sorted(taken) and taken[-1] <= users
    roles = {question.role for question in asked}
    assert len(asked) > 2 and (roles >= CLOSE or kind == APART or epsilon < 1)


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 2.0, 4.0, 8.0])
def test_one_round_is_certified_for_many_categories(epsilon: float) -> None:
    survey = sv.Histogram(
        epsilon=epsilon, users=100, observations=3, low=0.0, high=1.0, bins=10_000, method="one-round"
    )
    asked = survey.decide(())
    assert isinstance(asked, sv.Question)
    assert question_cost(asked) <= exact(epsilon)
