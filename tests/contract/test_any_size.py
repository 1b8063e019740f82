"""Every method keeps the contract of `sottovoce.checks` for any number of users, observations, columns and any budget.

How its questions fare on every engine is in ``law/test_engines_agree.py``, whose surveys are looked at here too.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.baselines import FullItem, OneItem, SemiUser, SplitUser
from sottovoce.checks import ContractError, Dummy, check_encoder, check_protocol
from sottovoce.engines import simulate
from sottovoce.engines.survey_loop import questions_of
from sottovoce.messages import Average, Question, Unary
from sottovoce.messages.exact_arithmetic import exact
from sottovoce.problems import choose
from sottovoce.problems.cover import CoverSelect
from sottovoce.problems.density import Density
from sottovoce.problems.mean import Mean
from sottovoce.problems.mixture import MixtureMeans
from sottovoce.problems.sparse import SparseMean
from sottovoce.problems.vector import VectorMean
from tests.law.test_engines_agree import SPARSE_AND_DENSITY, sparse_people
from tests.support import rectangle, uniform_people
from tests.support.questions import question as question_of
from tests.vectors.make import questions


def asked_by(protocol: Any, people: Any) -> tuple[Question, ...]:
    return questions_of(protocol, simulate(people, seed=1))[1]


@pytest.mark.parametrize("name", questions())
def test_encoders(name: str) -> None:
    assert check_encoder(questions()[name]) > 20


@pytest.mark.thin(7)
@pytest.mark.parametrize("users", [1, 2, 3, 7, 50])
@pytest.mark.parametrize("observations", [1, 2, 30, 400])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 1.5, 4.0, 8.0])
@pytest.mark.parametrize("method", ["auto", "one-round", "adaptive", "paper", "theory"])
def test_mean_for_any_size(users: int, observations: int, epsilon: float, method: Any) -> None:
    protocol = Mean(epsilon=epsilon, low=-3.0, high=11.0, users=users, observations=observations, method=method)
    people = uniform_people(users, observations)
    assert check_protocol(protocol, people, epsilon=epsilon) in (1, 2, 3)


@pytest.mark.parametrize("users", [1, 10])
def test_baselines(users: int) -> None:
    people = uniform_people(users, 4)
    setting: dict[str, Any] = {"epsilon": 1.0, "low": 0.0, "high": 1.0, "users": users}
    four = setting | {"observations": 4}
    for protocol in (SemiUser(**four), SplitUser(**four), OneItem(**setting), Dummy(users=users)):
        assert check_protocol(protocol, people, epsilon=1.0) == 1
    item_level = FullItem(**four)
    assert check_protocol(item_level, people, epsilon=4.0) == 1
    with pytest.raises(ContractError, match="costs at most"):
        check_protocol(item_level, people, epsilon=1.0)  # item level does not protect the collection, and shows it


def test_a_protocol_that_asks_twice_breaks_the_contract() -> None:
    class Greedy(Dummy):
        def script(self) -> Any:
            reports = 0
            for number in range(self.rounds):
                tally = yield question_of(Average(), users=self.users, round=number)
                reports += sum(tally.reports)
            return reports

    globals()["Greedy"] = Greedy
    Greedy.__qualname__ = "Greedy"
    with pytest.raises(ContractError, match="at most once"):
        check_protocol(Greedy(users=4, rounds=2), uniform_people(4, 2), epsilon=1.0)


# ---- mixtures and covers ---------------------------------------------------------------------------------------------


@pytest.mark.thin(7)
@pytest.mark.parametrize("users", [3, 4, 5, 7, 50, 101])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 1.5, 4.0, 8.0])
@pytest.mark.parametrize("changes", [{}, {"membership": "bin"}, {"method": "theory", "proof_constant": 1e-6}])
def test_mixtures_of_any_size(users: int, epsilon: float, changes: dict[str, Any]) -> None:
    setting: dict[str, Any] = {"epsilon": epsilon, "low": -3.0, "high": 11.0, "users": users} | changes
    for components, observations in ((1, 3), (3, 3000), (5, 20_000)):
        protocol = MixtureMeans(**setting, observations=observations, components=components)
        people = uniform_people(users, 3, shift=2.0)
        rounds = choose(protocol).method.users_per_round(protocol)
        assert check_protocol(protocol, people, epsilon=epsilon) == len(rounds) and sum(rounds) == users


@pytest.mark.thin(5)
@pytest.mark.parametrize("users", [1, 2, 3, 50])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 8.0])
@pytest.mark.parametrize("method", ["unary", "subset"])
def test_covers_of_any_size(users: int, epsilon: float, method: Any) -> None:
    people = uniform_people(users, 3)
    for size in (2, 3, 17):
        by_index = CoverSelect(epsilon=epsilon, users=users, size=size, method=method)
        centres = tuple((k / size,) for k in range(size))
        by_place = CoverSelect(epsilon=epsilon, users=users, centres=centres, method=method, metric="linf", radius=0.5)
        for protocol in (by_index, by_place):
            assert check_protocol(protocol, people, epsilon=epsilon) == 1


# ---- sparse means and densities --------------------------------------------------------------------------------------


def sparse(users: int, dimension: int, sparsity: int | None, epsilon: float, **more: Any) -> int:
    """How many rounds it takes."""
    protocol = SparseMean(epsilon=epsilon, users=users, dimension=dimension, sparsity=sparsity, **more)
    return check_protocol(protocol, sparse_people(users, dimension), epsilon=epsilon)


SIZES = [(4, 1, 1), (9, 5, 2), (23, 3, 3), (61, 17, 4), (200, 40, 5)]


@pytest.mark.thin(7)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 2.5, 4.0, 16.0])
@pytest.mark.parametrize("method", ["auto", "paper", "theory"])
@pytest.mark.parametrize("observations", [3, 5000])
def test_selection_for_any_size(size: tuple[int, int, int], epsilon: float, method: Any, observations: int) -> None:
    more = {"method": method, "procedure": "selection", "proof_constant": 50.0}
    assert sparse(*size, epsilon, observations=observations, **more) in (1, 2, 3)


@pytest.mark.thin(5)
@pytest.mark.parametrize("size", [*SIZES, (4, 1, None), (61, 300, None), (5000, 9, None)])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0, 16.0])
@pytest.mark.parametrize("observations", [1, 10**9])
def test_adaptive_for_any_size(size: tuple[int, int, int | None], epsilon: float, observations: int) -> None:
    assert 1 <= sparse(*size, epsilon, observations=observations, method="adaptive") <= 5


@pytest.mark.thin(5)
@pytest.mark.parametrize("size", [(2, 1, 1), (11, 5, 1), (60, 17, 1), (203, 100, 1)])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.7, 16.0])
@pytest.mark.parametrize("method", ["auto", "paper", "theory"])
def test_threshold_for_any_size(size: tuple[int, int, int], epsilon: float, method: Any) -> None:
    more = {"method": method, "procedure": "threshold", "proof_constant": 50.0}
    assert sparse(*size, epsilon, observations=400, **more) in (1, 2)


@pytest.mark.thin(7)
@pytest.mark.parametrize("users", [2, 3, 7, 50, 401])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 2.5, 8.0, 16.0])
@pytest.mark.parametrize("method", ["auto", "one-round", "paper", "theory"])
@pytest.mark.parametrize("observations", [1, 5000])
def test_density_for_any_size(users: int, epsilon: float, method: Any, observations: int) -> None:
    protocol = Density(
        epsilon=epsilon, low=-3.0, high=5.0, users=users, observations=observations, method=method, proof_constant=9.0
    )
    assert check_protocol(protocol, uniform_people(users, 3), epsilon=epsilon) in (1, 2)


@pytest.mark.parametrize("name", SPARSE_AND_DENSITY)
def test_every_user_is_in_exactly_one_round_folds_are_even_and_the_budget_is_used(name: str) -> None:
    """ε proven from the channel's integers, over all that one user answers; at most one question reaches a user."""
    protocol, people = SPARSE_AND_DENSITY[name]
    asked = asked_by(protocol, people)
    slots = np.concatenate([np.arange(q.slots.first, q.slots.first + q.slots.count) for q in asked])
    assert np.array_equal(np.sort(slots), np.arange(protocol.users)), "every slot once"
    for question in asked:
        reports = np.array(simulate(people, seed=1)(question).reports)
        assert reports.sum() == question.slots.count * question.uses
        assert reports.max() - reports.min() <= question.uses, "folds as even as can be"
        certified = question.epsilon_bound()
        assert certified <= exact(question.epsilon) <= exact(protocol.epsilon)
        assert certified > exact(question.epsilon) - exact(1e-6), "the budget is used"


# ---- vectors ---------------------------------------------------------------------------------------------------------

BALLS = pytest.mark.parametrize("ball", ["linf", "l2"])


def vectors(dimension: int, users: int, observations: int) -> sv.Collections:
    return rectangle(np.random.default_rng(0).normal(0.0, 0.4, size=(users, observations, dimension)))


# Dimension, users, observations: odd ones, fewer observations than bins, d that is no power of two.
@pytest.mark.thin(7)
@pytest.mark.parametrize("size", [(1, 2, 1), (2, 5, 30), (3, 101, 400), (5, 37, 7), (8, 64, 100), (17, 151, 50)])
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 1.5, 2.0, 3.7, 9.0])
@BALLS
@pytest.mark.parametrize("method", ["auto", "one-round", "adaptive", "paper", "theory"])
def test_vectors_of_any_size(size: tuple[int, int, int], epsilon: float, ball: Any, method: Any) -> None:
    dimension, users, observations = size
    given: dict[str, Any] = {"epsilon": epsilon, "users": users, "observations": observations, "dimension": dimension}
    protocol = VectorMean(**given, ball=ball, method=method, proof_constant=1.0)
    people = vectors(dimension, users, observations)
    rounds = check_protocol(protocol, people, epsilon=epsilon)
    assert rounds in (1, 2) or method in ("auto", "adaptive")
    for question in asked_by(protocol, people):
        assert question.epsilon_bound() == question.uses * question.channel.epsilon_bound() <= exact(epsilon)


@pytest.mark.parametrize(
    ("epsilon", "uses", "each"),
    [(0.4, 1, 0.4), (1.0, 1, 1.0), (1.5, 1, 1.0), (3.7, 3, 1.0), (8.0, 8, 1.0), (12, 8, 1.5)],
)
@BALLS
def test_theory_never_spends_one_coordinate_more(epsilon: float, uses: int, each: float, ball: Any) -> None:
    """ERRATA P1: ⌊ε⌋ coordinates, not ⌊ε⌋ + 1; three-bin votes only where a coordinate has more than 1."""
    protocol = VectorMean(
        epsilon=epsilon, users=400, observations=5000, dimension=8, ball=ball, method="theory", proof_constant=0.1
    )
    votes, refine = asked_by(protocol, vectors(8, 400, 3))
    for question in (votes, refine):
        assert question.uses == uses
        assert float(question.channel.epsilon_bound()) == pytest.approx(each, abs=1e-9)
        assert question.epsilon_bound() <= exact(epsilon) and question.epsilon <= epsilon
        assert question.epsilon_bound() > Fraction(99, 100) * exact(question.epsilon)
    assert isinstance(votes.channel, Unary)
    assert votes.channel.reach == (1 if each > 1 else 0)


@pytest.mark.parametrize("users", [16, 17, 31, 97, 1001])
@pytest.mark.parametrize(("ball", "dimension"), [("linf", 7), ("l2", 5), ("linf", 8), ("l2", 8)])
def test_every_user_is_in_exactly_one_fold(users: int, ball: Any, dimension: int) -> None:
    protocol = VectorMean(epsilon=2.0, users=users, observations=1000, dimension=dimension, ball=ball, method="paper")
    taken: list[int] = []
    for question in asked_by(protocol, vectors(dimension, users, 2)):
        slots = np.arange(question.slots.first, question.slots.first + question.slots.count)
        groups = question.group_of(slots)
        assert groups.shape == (len(slots), 1)
        sizes = np.bincount(groups[:, 0], minlength=protocol.groups)
        assert sizes.min() >= 1 and sizes.max() - sizes.min() <= 1
        taken += slots.tolist()
    assert sorted(taken) == list(range(users))


def test_folds_use_their_own_size() -> None:
    """ERRATA 1: with 17 users for 4 coordinates every estimate is the average of its own fold, not n/d of it."""
    people = rectangle(np.full((17, 1, 4), 0.25))
    protocol = VectorMean(
        epsilon=16.0, users=17, observations=400, dimension=4, ball="linf", method="paper", delta=0.02
    )
    answers = [sv.run(protocol, simulate(people, seed=2, repetition=r)).value for r in range(300)]
    assert np.mean(answers, axis=0) == pytest.approx([0.25] * 4, abs=0.005)
