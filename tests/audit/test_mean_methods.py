"""Every question of every method of the mean, certified by the audit's own derivation, and what one user is asked."""

from __future__ import annotations

import math

import pytest

from sottovoce.audit.exact_layer import question_cost, whole_cost
from sottovoce.engines import simulate
from sottovoce.engines.survey_loop import questions_of
from sottovoce.messages import exact
from sottovoce.problems import named
from sottovoce.problems.mean import Mean
from sottovoce.theory import LOCALISABLE
from tests.support import uniform_people

EXAMPLES = {example.label: example for example in named("mean").examples}


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 2.0, 4.0, 8.0])
@pytest.mark.parametrize("label", EXAMPLES)
def test_every_question_is_certified(label: str, epsilon: float) -> None:
    """With enough users at every ε that each method asks questions of its own; each user is asked in one round."""
    example = EXAMPLES[label]
    users = max(60, math.ceil(2 * LOCALISABLE / min(epsilon, epsilon**2)))
    survey = Mean(epsilon=epsilon, users=users, method=example.method, **example.more)
    _, asked = questions_of(survey, simulate(uniform_people(users, 3, seed=1), seed=1))
    for question in asked:
        assert question_cost(question) <= exact(question.epsilon) <= exact(epsilon)
    assert whole_cost(asked) <= exact(epsilon)
    taken = [slot for question in asked for slot in (question.slots.first, question.slots.first + question.slots.count)]
    assert taken == sorted(taken) and taken[-1] <= users
    if example.method in ("adaptive", "homogeneous"):
        assert len(asked) > 1
