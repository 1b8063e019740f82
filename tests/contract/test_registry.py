"""Every problem of the registry keeps every promise, for every method and every example that it gives itself."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import pytest

from sottovoce.checks import DRIVEN, ContractError, check_announced, check_problem
from sottovoce.design import one_bit
from sottovoce.messages import Rules
from sottovoce.methods import FullRange
from sottovoce.problems import Problem, problems, registry
from sottovoce.risk import Crowd, Prediction
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


class TwiceTheBudget(OneRound):
    def scheme(self, settings: UpTo) -> FullRange:
        return replace(super().scheme(settings), epsilon=2 * settings.epsilon)


class MoreUsers(OneRound):
    def users_per_round(self, settings: UpTo) -> tuple[int, ...]:
        return settings.users, settings.users


class Certain(OneRound):
    def predict(self, settings: UpTo, crowd: Crowd) -> Prediction:
        return Prediction(sampling=0.0, privacy=0.0)


class Silent(OneRound):
    def words(self, settings: UpTo) -> str:
        return ""


class Elsewhere(OneRound):
    def rules(self, settings: UpTo) -> Rules:
        told = super().rules(settings)
        return replace(told, ways=tuple(replace(way, high=0.5) for way in told.ways))


class OtherTable(OneRound):
    def rules(self, settings: UpTo) -> Rules:
        return replace(super().rules(settings), tables=(one_bit(settings.epsilon / 2),))


def toy(**changes: Any) -> Problem[Any]:
    given = {field.name: getattr(UP_TO, field.name) for field in fields(UP_TO)}
    return Problem(**given | {"settings": Broken} | changes)


@pytest.mark.parametrize(
    ("method", "epsilon", "words"),
    [
        (TwiceTheBudget(), 1.0, "at most the protocol's ε"),
        (MoreUsers(), 1.25, "no more users than there are"),
        (Certain(), 1.5, "a prediction is a positive number"),
        (Silent(), 1.75, "a method describes itself"),
        (Elsewhere(), 2.0, "asks from 0 to 1; announced: 0 to 0.5"),
        (OtherTable(), 2.25, "its table is none of those announced"),
    ],
)
def test_a_broken_promise_is_seen(
    method: OneRound, epsilon: float, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each at an ε of its own: what was chosen for the same settings is remembered."""
    broken = toy(methods=(method,))
    monkeypatch.setattr(registry, "PROBLEMS", (*registry.PROBLEMS, broken))
    with pytest.raises(ContractError, match=words):
        check_problem(broken, epsilons=(epsilon,))


def test_a_method_without_an_example_is_seen() -> None:
    with pytest.raises(ContractError, match="every method has an example"):
        check_problem(toy(examples=UP_TO.examples[:1]))
