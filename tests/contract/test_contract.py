"""Every implementation runs through `sottovoce.checks`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sottovoce import design
from sottovoce.baselines import FullItem, OneItem, SemiUser, SplitUser
from sottovoce.checks import ContractError, Dummy, check_encoder, check_protocol
from sottovoce.messages import Average, Encoder, Position, Question, Slots
from sottovoce.problems.mean import Mean
from tests.support import uniform_people
from tests.vectors.make import questions


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
    for protocol in (
        SemiUser(**setting, observations=4),
        SplitUser(**setting, observations=4),
        OneItem(**setting),
        Dummy(users=users),
    ):
        assert check_protocol(protocol, people, epsilon=1.0) == 1
    item_level = FullItem(**setting, observations=4)
    assert check_protocol(item_level, people, epsilon=4.0) == 1
    with pytest.raises(ContractError, match="costs at most"):
        check_protocol(item_level, people, epsilon=1.0)  # item level does not protect the collection, and shows it


def test_a_protocol_that_asks_twice_breaks_the_contract() -> None:
    class Greedy(Dummy):
        def script(self) -> Any:
            reports = 0
            for number in range(self.rounds):
                tally = yield Question(
                    survey="x",
                    round=number,
                    role="r",
                    slots=Slots(first=0, count=self.users),
                    encoder=Encoder(statistic=Average(), placement=Position(low=(0.0,), high=(1.0,))),
                    channel=design.one_bit(1.0),
                    epsilon=1.0,
                )
                reports += sum(tally.reports)
            return reports

    globals()["Greedy"] = Greedy
    Greedy.__qualname__ = "Greedy"
    with pytest.raises(ContractError, match="at most once"):
        check_protocol(Greedy(users=4, rounds=2), uniform_people(4, 2), epsilon=1.0)


def test_partitions_of_people_are_not_data() -> None:
    people = uniform_people(9, 3)
    assert np.array_equal(people.take(np.arange(9)).values, people.values)
