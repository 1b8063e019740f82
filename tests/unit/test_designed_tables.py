"""Designed tables: the ε that their integers prove, no bias, what stands in; k-ary response with soft edges."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.design import (
    MOST_STEPS,
    best_position_table,
    central,
    designed_reach,
    designed_table,
    even_table,
    k_ary,
    one_bit,
    usual_variance,
)
from sottovoce.messages import (
    ONE,
    TICKS,
    Decodings,
    InvalidInput,
    Malformed,
    Question,
    Table,
    exact,
    from_plain,
    to_plain,
)
from sottovoce.risk import Crowd, table_reach

EPSILONS = (0.1, 0.3, 1 / 3, 0.5, 0.7071, 1.0, 1.234567, 2.0, 2.718281828, 4.0, 5.55, 8.0)
DESIGNED = (0.5, 1.0, 2.0, 3.0, 4.0, 6.0)
DECODINGS = {name: [0.0, 1.0] for name in ("core", "lower", "upper", "whole")}
UNIT = {"low": 0.0, "high": 1.0, "users": 300, "observations": 5, "method": "one-round"}


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_integers_prove_the_epsilon_and_nothing_is_biased(epsilon: float) -> None:
    table = designed_table(exact(epsilon))
    assert all(sum(row) == ONE and min(row) > 0 for row in table.rows)
    assert exact(epsilon) - Fraction(2, 10**5) < table.epsilon_bound() <= exact(epsilon)
    decoded = table.probabilities @ np.asarray(table.decode)
    assert np.abs(decoded - np.linspace(0, 1, len(table.rows))).max() <= 1e-12
    assert usual_variance(table) <= usual_variance(best_position_table(exact(epsilon)))
    assert max(table.decode) <= designed_reach(exact(epsilon))
    places = np.linspace(0, 1, 65)
    np.testing.assert_allclose(table.variance(places), table.variance(1 - places), rtol=1e-5)


@pytest.mark.parametrize(
    "epsilon, variance", [(0.5, 16.03), (1.0, 3.83), (2.0, 0.737), (3.0, 0.238), (4.0, 0.0939), (6.0, 0.0201)]
)
def test_variance_is_the_measured_one(epsilon: float, variance: float) -> None:
    found = usual_variance(designed_table(exact(epsilon)))
    assert found == pytest.approx(variance, rel=2e-3)
    assert found < 0.99 * usual_variance(best_position_table(exact(epsilon)))


def test_closed_form_where_nothing_is_gained() -> None:
    for epsilon in (0.01, 0.1, 0.2, 6.5, 8.0, 16.0):
        assert designed_table(exact(epsilon)) is best_position_table(exact(epsilon))


@pytest.fixture
def forgotten() -> Iterator[None]:
    """Tables are solved for again, before and after."""
    designed_table.cache_clear()
    yield
    designed_table.cache_clear()


def test_same_table_twice() -> None:
    first = designed_table(Fraction(7, 10))
    designed_table.cache_clear()
    assert designed_table(Fraction(7, 10)) == first
    assert designed_table(Fraction(7, 10)) is designed_table(Fraction(7, 10))


@pytest.mark.usefixtures("forgotten")
def test_closed_form_without_a_solver_or_when_it_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("scipy.optimize.linprog", lambda *args, **kwargs: SimpleNamespace(status=4, x=None))
        assert designed_table(Fraction(1)) is best_position_table(Fraction(1))
    designed_table.cache_clear()
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    assert designed_table(Fraction(1)) is best_position_table(Fraction(1))


def test_edition_1_of_one_round_asks_through_the_designed_table() -> None:
    survey = sv.Mean(epsilon=1.0, **UNIT)
    asked = survey.with_method("one-round", 1).decide(())
    assert asked.channel == designed_table(Fraction(1)) == survey.position_table()
    assert survey.decide(()).channel == even_table(Fraction(1)) and survey.with_table() == survey


@pytest.mark.usefixtures("forgotten")
def test_survey_that_carries_its_table_needs_no_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = sv.Mean(epsilon=1.0, **UNIT | {"method": "adaptive"})
    carried = plain.with_table()
    designed_table.cache_clear()
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    assert carried.position_table() == carried.table != plain.position_table()


def test_a_table_with_several_decodings_shows_the_number_itself() -> None:
    plain, mean = designed_table(Fraction(1)), sv.Mean(epsilon=1.0, **UNIT)
    whole = tuple(2 * value for value in plain.decode)
    several = Decodings(core=plain.decode, lower=plain.decode, upper=plain.decode, whole=whole)
    table = replace(plain, decode=(), decodings=several)
    assert (plain.whole, table.whole) == (plain.decode, whole) and "decodings" not in to_plain(plain)
    written = to_plain(table)
    assert list(written["decodings"]) == ["core", "lower", "upper", "whole"] and written["decode"] == []
    assert from_plain(Table, written) == table and replace(mean, table=table).position_table() == table
    assert table_reach(table, 1.0) == max(*whole, 1 - min(whole))
    asked = mean.decide(())
    assert Question.from_bytes(replace(asked, channel=table).to_bytes()).channel == table
    middle = np.array([0.5])
    assert table.variance(middle) == pytest.approx(4 * plain.variance(middle))


@pytest.mark.parametrize(
    "changes",
    [
        {"decode": [0.0, 1.0]},
        *({"decodings": DECODINGS | {name: other}} for name in DECODINGS for other in ([], [1.0], [0.0, 1.0, 2.0])),
        *({"decodings": DECODINGS | {"core": [0.0, odd]}} for odd in (math.inf, math.nan, "1", None)),
        {"decodings": DECODINGS | {"tail": [0.0, 1.0]}},
        {"decodings": {"core": [0.0, 1.0]}},
        {"decodings": None},
        {"decodings": []},
        {"decodings": DECODINGS | {"kind": "decodings"}},
    ],
    ids=str,
)
def test_decodings_are_all_there_for_all_symbols(changes: dict[str, Any]) -> None:
    plain = to_plain(one_bit(1.0)) | {"decode": [], "decodings": DECODINGS}
    assert from_plain(Table, plain).whole == (0.0, 1.0)
    with pytest.raises(Malformed):
        from_plain(Table, plain | changes)


def test_table_must_keep_the_epsilon_and_decode() -> None:
    table = designed_table(Fraction(1))
    with pytest.raises(InvalidInput, match=r"ε above 0\.5"):
        sv.Mean(epsilon=0.5, table=table, **UNIT)
    with pytest.raises(InvalidInput, match="decode"):
        sv.Mean(epsilon=1.0, table=k_ary(1.0, 3), **UNIT)


@pytest.mark.usefixtures("forgotten")
def test_choosing_and_planning_solve_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    sv.plan(low=0, high=1, users=300, observations=5, epsilon=1.0, method="one-round")
    assert designed_table.cache_info().currsize == 0


@pytest.mark.parametrize("epsilon", DESIGNED)
def test_poisoning_of_a_plan_bounds_what_the_table_allows(epsilon: float) -> None:
    survey = sv.Mean(epsilon=epsilon, **UNIT)
    method = survey.problem.method("one-round", 1)
    carrying = replace(survey, table=survey.position_table())
    planned, carried = (method.poisoning(own, Crowd()).reach for own in (survey, carrying))
    assert carried == table_reach(survey.position_table(), 1.0)
    assert carried <= planned <= 1.5 * carried


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0])
@pytest.mark.parametrize(("bins", "steps"), [(2, 1), (3, 1), (3, 16), (5, 7), (11, 16)])
def test_a_soft_table_stays_within_epsilon(epsilon: float, bins: int, steps: int) -> None:
    table = central(epsilon, bins, steps)
    assert table.epsilon_bound() <= exact(epsilon)
    assert len(table.rows) == (bins - 2) * steps + 2 and table.cells == bins
    assert set(table.rows) == set(k_ary(epsilon, bins).rows), "every node is in one of the bins"


def test_an_edge_is_moved_by_a_uniform_amount() -> None:
    table, rows = central(1.5, 3, 4), np.array(k_ary(1.5, 3).probabilities)
    for edge, (left, right) in ((0.5, rows[:2]), (4.5, rows[1:])):  # edges lie midway between two nodes
        for part in (0.0, 0.25, 0.5, 1.0):
            place = round((edge - 0.5 + part) * TICKS)
            assert table.marginals(place) == pytest.approx((1 - part) * left + part * right)


def test_bins_and_steps_have_limits() -> None:
    assert central(1.0, 2, 1).rows == one_bit(1.0).rows
    for bins, steps in ((1, 1), (3, 0), (3, MOST_STEPS + 1)):
        with pytest.raises(Malformed, match="central bins"):
            central(1.0, bins, steps)
