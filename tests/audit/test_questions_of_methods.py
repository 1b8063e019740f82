"""Every question of every method of some problems, certified by the audit's own derivation; what one user is asked."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.audit.exact_layer import protocol_cost, question_cost
from sottovoce.engines.survey_loop import questions_of
from sottovoce.messages import Question, exact
from sottovoce.methods import direction_response
from sottovoce.problems import named
from sottovoce.theory import LOCALISABLE
from tests.support import uniform_people

EPSILONS = [0.1, 0.3, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0]
MEANS = {example.label: example for example in named("mean").examples}
DENSITIES = {example.label: example for example in named("density").examples if example.label != "auto"}
ALIKE, APART = "alike", "apart"
CLOSE = {"item", "length", "check", "direction"}


def localisable_users(epsilon: float) -> int:
    """Twice as many users as an adaptive method needs."""
    return math.ceil(2 * LOCALISABLE / min(epsilon, epsilon**2))


def certified(survey: Any, people: sv.Collections) -> list[Question]:
    """The questions of a survey: none costs more than it says, and each user is asked in one round."""
    _, asked = questions_of(survey, sv.simulate(people, seed=1))
    for question in asked:
        assert question_cost(question) <= exact(question.epsilon) <= exact(survey.epsilon)
    assert protocol_cost(asked) <= exact(survey.epsilon)
    taken = [slot for question in asked for slot in (question.slots.first, question.slots.first + question.slots.count)]
    assert taken == sorted(taken) and taken[-1] <= survey.users
    return list(asked)


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("label", MEANS)
def test_the_mean(label: str, epsilon: float) -> None:
    """With enough users at every ε that each method asks questions of its own."""
    example, users = MEANS[label], max(60, localisable_users(epsilon))
    survey = sv.Mean(epsilon=epsilon, users=users, method=example.method, **example.more)
    asked = certified(survey, uniform_people(users, 3, seed=1))
    assert len(asked) > 1 or example.method not in ("adaptive", "homogeneous")


@pytest.mark.parametrize("epsilon", EPSILONS[:-1])
@pytest.mark.parametrize("label", DENSITIES)
def test_the_density(label: str, epsilon: float) -> None:
    """With enough users at every ε that adaptive looks twice."""
    example, users = DENSITIES[label], 240
    if example.method == "adaptive":
        wanted = example.more.get("coefficients", 12)
        users = max(users, math.ceil(max(7 / direction_response(epsilon) ** 2, 21) * wanted))
    survey = sv.Density(epsilon=epsilon, users=users, method=example.method, **example.more)
    asked = certified(survey, uniform_people(users, 3, seed=1))
    assert example.method != "adaptive" or {"wave", "length"} <= {question.role for question in asked}


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("kind", [ALIKE, APART])
def test_the_adaptive_histogram(kind: str, epsilon: float) -> None:
    """With users enough that questions of all kinds are asked from ε = 1 on."""
    users = max(3000, localisable_users(epsilon))
    held = np.random.default_rng(1).integers(0, 5, size=(users, 300 if kind == ALIKE else 1)).astype(np.uint8)
    survey = sv.Histogram(epsilon=epsilon, users=users, observations=300, categories=tuple("abcde"), method="adaptive")
    asked = certified(survey, sv.collections(held))
    roles = {question.role for question in asked}
    assert len(asked) > 2 and (roles >= CLOSE or kind == APART or epsilon < 1)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_one_round_of_a_histogram_of_many_categories(epsilon: float) -> None:
    survey = sv.Histogram(
        epsilon=epsilon, users=100, observations=3, low=0.0, high=1.0, bins=10_000, method="one-round"
    )
    asked = survey.decide(())
    assert isinstance(asked, sv.Question)
    assert question_cost(asked) <= exact(epsilon)
