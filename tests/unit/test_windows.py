"""Tables of windows: certified at every ε, the same everywhere, small in a manifest, and with unbiased decodings."""

from __future__ import annotations

import hashlib
import math
from fractions import Fraction

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.audit.exact_layer import cost
from sottovoce.design import PLACES, bent, even_table, on_nodes, tail_tables
from sottovoce.design.windows import window_rows
from sottovoce.messages import ONE, Table, exact, to_plain
from sottovoce.messages.canonical import dumps
from sottovoce.methods import LastTables
from sottovoce.problems import named

EPSILONS = (0.05, 0.1, 0.3, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
MENU_BYTES, ALL_BYTES = 30_000, 42_000
"""What the tables for users who were found may add to a manifest, which every participant loads; and those together
with the table for the full range, which is the largest at ε = 4."""


def menu(epsilon: float) -> LastTables:
    return LastTables(found=tail_tables(exact(epsilon)), even=even_table(exact(epsilon)))


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_every_table_keeps_its_epsilon_and_nearly_all_of_it(epsilon: float) -> None:
    """By the channel's own bound and by the audit's; rows sum to 2^64, and no symbol is impossible."""
    for table in menu(epsilon).all:
        assert exact(epsilon) * (1 - Fraction(1, 10**6)) < table.epsilon_bound() <= exact(epsilon)
        assert cost(table) <= exact(epsilon)
        assert all(sum(row) == ONE and min(row) > 0 for row in table.rows)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_a_menu_is_small(epsilon: float) -> None:
    tables = menu(epsilon)
    assert len(tables.found) <= 12 and len(tables.all) <= 13
    found = dict.fromkeys(one.table for one in tables.found)
    assert len(dumps([to_plain(table) for table in found])) <= MENU_BYTES
    assert len(dumps([to_plain(table) for table in tables.all])) <= ALL_BYTES


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_a_table_for_the_other_side_is_its_mirror(epsilon: float) -> None:
    found = tail_tables(exact(epsilon))
    assert len(found) == sum(2 if middle else 1 for _, middle in PLACES)
    by_place = {(one.width, one.middle): one.table for one in found}
    for (width, middle), table in by_place.items():
        assert by_place[(width, -middle)].rows == (table.rows[::-1] if middle else table.rows)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_no_two_nodes_look_alike(epsilon: float) -> None:
    """Else a decoding is unbiased at one of them only: rows stay independent, with a margin for floats."""
    for table in menu(epsilon).all:
        assert np.linalg.svd(table.probabilities, compute_uv=False)[-1] > 1e-9 * epsilon


def test_the_same_tables_everywhere() -> None:
    """Of all ε above, to the byte: made of integers and of what stands in a file. Others are another edition."""
    rows = [table.rows for epsilon in EPSILONS for table in menu(epsilon).all]
    even_table.cache_clear()
    tail_tables.cache_clear()
    assert rows == [table.rows for epsilon in EPSILONS for table in menu(epsilon).all]
    told = hashlib.sha256(repr(rows).encode()).hexdigest()
    assert told == "79b10454dfcf8ab302255b26ce76b631ac1bef45a630116737f69744ec82aab4"


def test_between_epsilons_the_nearest_windows_are_taken() -> None:
    shapes = {epsilon: {len(table.rows) for table in menu(epsilon).all} for epsilon in (0.9, 1.0, 1.1, 15.0, 16.0)}
    assert shapes[0.9] == shapes[1.0] == shapes[1.1] and shapes[15.0] == shapes[16.0]


@pytest.mark.parametrize("epsilon", [0.05, 1.0, 16.0])
def test_windows_that_hold_nodes_unequally_still_make_rows(epsilon: float) -> None:
    """What is left of a row is spread over where it is low, which costs less than it says."""
    rows = window_rows(exact(epsilon), ((0, 0, 5), (0, 1, 2), (1, 2, 7), (2, 2, 1)))
    table = Table(rows=rows)
    assert table.epsilon_bound() <= exact(epsilon)


def test_a_manifest_holds_the_menu_once() -> None:
    for epsilon in EPSILONS[2:]:
        users = math.ceil(200 / min(epsilon, epsilon**2))
        settings = sv.Mean(low=1, high=5, epsilon=epsilon, users=users, observations=20, method="adaptive")
        tables = named("mean").method("adaptive").rules(settings).tables
        assert tables == menu(epsilon).all and len(set(tables)) == len(tables)


def test_bent_functions() -> None:
    """None is on the wrong side of the number, and together they are it."""
    numbers = np.linspace(-1, 1, 201)
    for low, high in ((-0.3, 0.2), (-1.0, 0.0), (0.99, 1.0), (-1.0, 1.0)):
        core, lower, upper = bent(numbers, low, high)
        assert (lower <= numbers).all() and (numbers <= upper).all()
        assert lower + upper - core == pytest.approx(numbers)
        assert (np.diff((core, lower, upper)) >= 0).all() and low <= core.min() and core.max() <= high


def test_a_law_on_nodes_keeps_its_mean() -> None:
    nodes, rng = np.array([-1.0, -0.2, -0.1, 0.4, 1.0]), np.random.default_rng(1)
    points, weights = rng.uniform(-1, 1, size=30), rng.dirichlet(np.ones(30))
    law = on_nodes(nodes, points, weights)
    assert law.sum() == pytest.approx(1) and law @ nodes == pytest.approx(weights @ points) and law.min() >= 0
    assert np.array_equal(on_nodes(np.stack((nodes, nodes)), points, weights), np.stack((law, law)))
    assert np.array_equal(on_nodes(nodes, nodes[[3]], np.ones(1)), np.eye(5)[3])
