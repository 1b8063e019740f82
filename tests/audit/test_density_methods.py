"""Every question of every method of the density, certified by the audit itself, and what one user is asked."""

from __future__ import annotations

import math

import pytest

from sottovoce.audit.exact_layer import question_cost, whole_cost
from sottovoce.engines import simulate
from sottovoce.engines.survey_loop import questions_of
from sottovoce.messages import exact
from sottovoce.methods import direction_response
from sottovoce.problems import named
from sottovoce.problems.density import Density
from tests.support import uniform_people

EXAMPLES = {example.label: example for example in named("density").examples}


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 2.0, 4.0, 8.0])
@pytest.mark.parametrize("label", [label for label in EXAMPLES if label != "auto"])
def test_every_question_is_certified(label: str, epsilon: float) -> None:
    """With enough users at every ε that adaptive looks twice; each user is asked in one round."""
    example = EXAMPLES[label]
    wanted = example.more.get("coefficients", 12)
    users = (
        max(240, math.ceil(max(7 / direction_response(epsilon) ** 2, 21) * wanted))
        if example.method == "adaptive"
        else 240
    )
    survey = Density(epsilon=epsilon, users=users, method=example.method, **example.more)
    _, asked = questions_of(survey, simulate(uniform_people(users, 3, seed=1), seed=1))
    for question in asked:
        assert question_cost(question) <= exact(question.epsilon) <= exact(epsilon)
    assert whole_cost(asked) <= exact(epsilon)
    taken = [slot for question in asked for slot in (question.slots.first, question.slots.first + question.slots.count)]
    assert taken == sorted(taken) and taken[-1] <= users
    if example.method == "adaptive":
        assert {"wave", "length"} <= {question.role for question in asked}
