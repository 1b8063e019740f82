"""Every problem of the registry keeps every promise, for every method and every example that it gives itself."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import pytest

from sottovoce.checks import DRIVEN, ContractError, check_announced, check_problem
from sottovoce.design import one_bit
from sottovoce.messages import Rules
from sottovoce.problems import Problem, problems, registry
from sottovoce.risk import Prediction
from tests.toy import UP_TO
from tests.toy.one_round import OneRound
from tests.toy.settings import UpTo

EPSILONS = (0.1, 3.7, 0.3, 1.0, 16.0)


@pytest.mark.thin(4)
@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("problem", problems(), ids=lambda problem: problem.name)
def test_the_contract_is_kept(problem: Problem[Any], epsilon: float) -> None:
    assert check_problem(problem, epsilons=(epsilon,)) == len(problem.examples)


@pytest.mark.soak
@pytest.mark.parametrize("users", [101, 1999, 20011])
@pytest.mark.parametrize("problem", problems(), ids=lambda problem: problem.name)
def test_whatever_users_say_questions_keep_to_the_rules(problem: Problem[Any], users: int) -> None:
    """Two of the kinds of users are in the contract itself; here all of them, and more of each."""
    for epsilon in EPSILONS:
        for example in problem.examples:
            settings = problem.example_survey(example, epsilon=epsilon)
            check_announced(replace(settings, users=max(users, settings.users)), kinds=DRIVEN)


@dataclass(frozen=True, kw_only=True)
class Broken(UpTo):
    """Settings of their own, so that the toy keeps its problem."""


def breaking(**methods: Any) -> OneRound:
    """The toy's method with something else in the place of these."""
    made: OneRound = type("Breaking", (OneRound,), methods)()
    return made


def elsewhere(self: OneRound, settings: UpTo) -> Rules:
    told = OneRound.rules(self, settings)
    return replace(told, ways=tuple(replace(way, high=0.5) for way in told.ways))


TWICE = {"scheme": lambda self, own: replace(OneRound.scheme(self, own), epsilon=2 * own.epsilon)}
OTHER_TABLE = {"rules": lambda self, own: replace(OneRound.rules(self, own), tables=(one_bit(own.epsilon / 2),))}
CERTAIN = {"predict": lambda self, own, crowd: Prediction(sampling=0.0, privacy=0.0)}
MORE_USERS = {"users_per_round": lambda self, own: (own.users, own.users)}
SILENT = {"words": lambda self, own: ""}


def toy(**changes: Any) -> Problem[Any]:
    given = {field.name: getattr(UP_TO, field.name) for field in fields(UP_TO)}
    return Problem(**given | {"settings": Broken} | changes)


@pytest.mark.parametrize(
    ("methods", "epsilon", "words"),
    [
        (TWICE, 1.0, "at most the protocol's ε"),
        (MORE_USERS, 1.25, "no more users than there are"),
        (CERTAIN, 1.5, "a prediction is a positive number"),
        (SILENT, 1.75, "a method describes itself"),
        ({"rules": elsewhere}, 2.0, "asks from 0 to 1; announced: 0 to 0.5"),
        (OTHER_TABLE, 2.25, "its table is none of those announced"),
    ],
)
def test_a_broken_promise_is_seen(
    methods: dict[str, Any], epsilon: float, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each at an ε of its own: what was chosen for the same settings is remembered."""
    broken = toy(methods=(breaking(**methods),))
    monkeypatch.setattr(registry, "PROBLEMS", (*registry.PROBLEMS, broken))
    with pytest.raises(ContractError, match=words):
        check_problem(broken, epsilons=(epsilon,))


def test_a_method_without_an_example_is_seen() -> None:
    with pytest.raises(ContractError, match="every method has an example"):
        check_problem(toy(examples=UP_TO.examples[:1]))
