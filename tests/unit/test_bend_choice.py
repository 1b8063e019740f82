"""One round, bent: the table for users anywhere, where its decodings are bent, and what its reports say."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from benchmarks.accuracy import adversarial
from sottovoce.design import even_table, on_nodes
from sottovoce.design.tables import EVEN_SIZES
from sottovoce.messages import ONE, Floats, Table, exact
from sottovoce.methods import EvenReading, groups_of_one_round
from sottovoce.methods.bend_choice import ENOUGH_TO_CHOOSE, GROUPS, Belief, assumed_laws
from sottovoce.problems import choose
from sottovoce.problems.mean.one_round_1 import OneRoundEdition1
from sottovoce.risk import Crowd

EPSILONS = (0.1, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 12.0, 16.0)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_an_even_table_keeps_epsilon_and_can_be_decoded_for_any_function(epsilon: float) -> None:
    table = even_table(exact(epsilon))
    assert all(sum(row) == ONE and min(row) > 0 for row in table.rows)
    assert exact(epsilon) - Fraction(2, 10**5) < table.epsilon_bound() <= exact(epsilon)
    assert np.linalg.matrix_rank(table.probabilities) == len(table.rows)
    law = np.full(len(table.rows), 1 / len(table.rows))
    bend = Belief.of(table, np.zeros(len(table.rows[0]))).bent_at(3)
    functions = bend.reader.functions[0]
    np.testing.assert_allclose(functions[3], np.linspace(-1, 1, len(law)), atol=1e-9)
    assert (functions[1] <= functions[3] + 1e-9).all() and (functions[2] >= functions[3] - 1e-9).all()


def test_sizes_go_up_to_any_epsilon() -> None:
    assert [size[0] for size in EVEN_SIZES] == sorted(size[0] for size in EVEN_SIZES)
    assert EVEN_SIZES[-1][0] == np.inf


@pytest.mark.parametrize("nodes", sorted({size[1] for size in EVEN_SIZES}))
def test_assumed_laws_are_laws(nodes: int) -> None:
    laws, before = assumed_laws(nodes)
    np.testing.assert_allclose(laws.sum(axis=1), 1.0)
    assert (laws >= -1e-12).all() and np.exp(before).sum() == pytest.approx(1.0)
    np.testing.assert_allclose(np.exp(before) @ laws @ np.linspace(-1, 1, nodes), 0.0, atol=1e-2)


def counts(points: Floats, *, epsilon: float, users: int, seed: int) -> Any:
    """Symbols of users at these points, by group."""
    table, groups = even_table(exact(epsilon)), groups_of_one_round(users, epsilon)
    law = on_nodes(np.linspace(-1, 1, len(table.rows)), points, np.full(len(points), 1 / len(points)))
    law = law @ table.probabilities
    return np.random.default_rng(seed).multinomial(users // groups, law / law.sum(), size=groups)


def reading(table: Table, given: Any) -> EvenReading:
    return EvenReading(table=table, counts=given, confidence=0.95)


@pytest.mark.parametrize("place", [-0.9, 0.0, 0.4])
def test_users_at_one_place_are_found_by_a_group(place: float) -> None:
    """Of 2,000 reports at ε = 2 the ends lie on either side of them, and neither at an end of the range."""
    first = counts(np.array([place]), epsilon=2.0, users=40_000, seed=3)[0]
    bend, below, above = Belief.of(even_table(exact(2.0)), first).for_interval(38_000, 0.95, "high")
    assert bend.low <= place + 0.125 and bend.high >= place - 0.125 and bend.high - bend.low < 0.8
    assert below > 0 or above > 0, "at least one end by the tail on its own side"


def test_nothing_is_bent_before_anything_is_seen() -> None:
    bend, below, above = Belief.of(even_table(exact(1.0)), np.zeros(30)).unbent()
    assert (bend.low, bend.high, below, above) == (-1.0, 1.0, 0.0, 0.0)


@pytest.mark.parametrize("epsilon, users, narrower, better", [(1.0, 20_000, 0.9, 0.75), (2.0, 5_000, 0.95, 0.75)])
def test_users_alike_have_a_narrower_interval_and_less_error_than_edition_1(
    epsilon: float, users: int, narrower: float, better: float
) -> None:
    """Thirty surveys: half-widths scatter by 8 % of themselves, so that these limits are some five errors away."""
    survey = sv.Mean(epsilon=epsilon, low=-1.0, high=1.0, users=users, observations=1, method="one-round")
    crowd = Crowd(spread=0.05, around=0.3)
    was = OneRoundEdition1().predict(survey, crowd)
    points = np.full(1, 0.3)
    found = [
        reading(even_table(exact(epsilon)), counts(points, epsilon=epsilon, users=users, seed=seed))
        for seed in range(30)
    ]
    assert np.mean([np.diff(one.interval)[0] / 2 for one in found]) < narrower * 1.96 * was.rmse
    assert np.mean([(one.value - 0.3) ** 2 for one in found]) < better**2 * was.mse
    assert np.mean([one.interval[0] <= 0.3 <= one.interval[1] for one in found]) > 0.8


def test_an_end_of_the_range_is_an_end_of_the_interval() -> None:
    found = reading(even_table(exact(1.0)), counts(np.ones(1), epsilon=1.0, users=4000, seed=1))
    assert found.interval[1] == 1.0 and found.value <= 1.0 and found.error > 0


def test_groups_that_are_silent_are_missed_by_nobody() -> None:
    """Without the first, or without all others, everybody gives the interval, bent nowhere."""
    table, given = even_table(exact(1.0)), counts(np.zeros(1), epsilon=1.0, users=4000, seed=2)
    for silent in (slice(0, 1), slice(1, None)):
        some = given.copy()
        some[silent] = 0
        whole = reading(table, some.sum(axis=0)[None])
        assert reading(table, some).interval == whole.interval
        assert whole.interval[0] < whole.value < whole.interval[1]


def test_few_reports_set_no_group_apart() -> None:
    assert groups_of_one_round(int(ENOUGH_TO_CHOOSE) - 1, 1.0) == 1
    assert groups_of_one_round(int(ENOUGH_TO_CHOOSE), 1.0) == GROUPS
    assert groups_of_one_round(3, 16.0) == 1, "twenty groups of three users"


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 4.0])
@pytest.mark.parametrize("spread", [0.0, 0.1])
def test_what_is_predicted_is_what_is_printed(epsilon: float, spread: float) -> None:
    """Half-widths of 30 surveys, on average within 15 %: they scatter by about 10 %, so their mean by 2 %."""
    users = round(3000 / min(epsilon, epsilon**2))
    survey = sv.Mean(epsilon=epsilon, low=-1.0, high=1.0, users=users, observations=100, method="one-round")
    crowd = Crowd(spread=spread, around=0.2)
    predicted = choose(survey).method.predict(survey, crowd).guaranteed
    points = survey.laws(crowd)[0].points
    printed = [
        reading(even_table(exact(epsilon)), counts(points, epsilon=epsilon, users=users, seed=seed))
        for seed in range(30)
    ]
    assert predicted == pytest.approx(np.mean([np.diff(one.interval)[0] / 2 for one in printed]), rel=0.15)


def test_no_users_are_found_that_break_the_interval() -> None:
    """A small search with fixed seeds. Of 40 mixtures, each in 2,000 surveys, none below .94.

    At .95 that is two standard errors; what covers .955, as the worst of the committed search do, comes out below once
    in 2,000 times.
    """
    stream = np.random.default_rng(1)
    cells = [(epsilon, reports) for epsilon in (1.0, 4.0) for reports in (300, 3000)]
    asked = [adversarial.one_round(*cell, stream) for cell in cells]
    found = adversarial.search(asked, stream, each=30, surveys=300)[:40]
    again = [users.played(2_000, stream) for users in found]
    assert min(users.covered for users in again) >= 0.94
