"""Mixtures and covers keep the contract at any size; engines give them the same bits and the same law."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sottovoce.checks import check_encoder, check_engine, check_partitions, check_protocol
from sottovoce.engines import local, run, simulate, stored
from sottovoce.messages import Question, Report, Tally
from sottovoce.messages.exact_arithmetic import exact
from sottovoce.messages.limits import MIN_EPSILON
from sottovoce.problems import choose
from sottovoce.problems.cover import CoverSelect
from sottovoce.problems.mixture import MixtureMeans
from tests.support import SeededEntropy, coin_mixture, uniform_people

COINS = (1 / 8, 3 / 8, 7 / 8), (0.3, 0.4, 0.3)


@pytest.mark.thin(7)
@pytest.mark.parametrize("users", [3, 4, 5, 7, 50, 101])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 1.5, 4.0, 8.0])
@pytest.mark.parametrize("changes", [{}, {"membership": "bin"}, {"method": "theory", "proof_constant": 1e-6}])
def test_mixtures_of_any_size(users: int, epsilon: float, changes: dict[str, Any]) -> None:
    for components, observations in ((1, 3), (3, 3000), (5, 20_000)):
        protocol = MixtureMeans(
            epsilon=epsilon,
            low=-3.0,
            high=11.0,
            users=users,
            observations=observations,
            components=components,
            **changes,
        )
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


PROTOCOLS: dict[str, Any] = {
    "nearest": MixtureMeans(method="paper", epsilon=4.0, low=-1.0, high=1.0, users=61, observations=1000, components=3),
    "bin": MixtureMeans(epsilon=4.0, low=-1.0, high=1.0, users=61, observations=1000, components=3, membership="bin"),
    "unary": CoverSelect(epsilon=2.0, users=61, centres=((-1.0,), (-0.2,), (0.1,), (0.8,)), method="unary"),
    "subset": CoverSelect(epsilon=1.0, users=61, centres=((-1.0,), (-0.2,), (0.1,), (0.8,)), method="subset"),
    "index": CoverSelect(epsilon=2.0, users=61, size=3),
}
PEOPLE = coin_mixture(np.random.default_rng(1), 61, 1000, *COINS)


def asked_of(protocol: Any) -> list[Question]:
    asked: list[Question] = []
    engine = simulate(PEOPLE, seed=1)

    def ask(question: Question) -> Tally:
        asked.append(question)
        return engine(question)

    run(protocol, ask)
    return asked


@pytest.mark.parametrize("name", PROTOCOLS)
def test_every_question_on_every_engine(name: str) -> None:
    for question in asked_of(PROTOCOLS[name]):
        assert exact(MIN_EPSILON) <= question.epsilon_bound() <= exact(question.epsilon), "devices would answer it"
        assert check_encoder(question) > 20
        check_engine(local, question, PEOPLE)
        check_engine(lambda people: simulate(people, seed=1), question, PEOPLE)
        check_partitions(question, PEOPLE, parts=5)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_stored_gives_the_bits_of_local(name: str) -> None:
    batches: list[Any] = []
    live = run(PROTOCOLS[name], local(PEOPLE, entropy=SeededEntropy(9), keep=batches.append))
    rows: list[Report] = [report for batch in batches for report in batch.reports()]
    order = np.random.default_rng(5).permutation(len(rows))
    for parts in (1, 3, len(rows)):
        partitions = [[rows[index].to_bytes() for index in part] for part in np.array_split(order, parts)]
        assert run(PROTOCOLS[name], stored(partitions)) == live


@pytest.mark.thin(3)
@pytest.mark.parametrize("name", PROTOCOLS)
def test_simulation_has_the_law_of_the_devices(name: str) -> None:
    """KS of 150 against 150 (last mean, or share); threshold 1e-4 set beforehand, five tests, seeds fixed."""
    from scipy.stats import ks_2samp

    def figure(answer: Any) -> float:
        return float(answer.means[-1] + answer.shares[0]) if hasattr(answer, "means") else float(answer.share)

    protocol = PROTOCOLS[name]
    devices = [figure(run(protocol, local(PEOPLE, entropy=SeededEntropy(100 + r)))) for r in range(150)]
    drawn = [figure(run(protocol, simulate(PEOPLE, seed=6, repetition=r))) for r in range(150)]
    assert ks_2samp(devices, drawn).pvalue > 1e-4
