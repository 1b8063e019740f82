"""The interval for any users, and the value pulled toward the middle.

Coverage cells: 300 draws each with a fixed seed; a true 94 % fails with chance below 1e-4 a cell.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.answers import Assumes
from sottovoce.design import designed_table
from sottovoce.messages import Table, exact
from sottovoce.methods import guaranteed_interval, shrink_to_middle
from sottovoce.methods.full_range import decode_position

DRAWS = 300
LEAST = 265
"""Of 300 at 94 %: P(fewer) = 6e-5."""


def reported(table: Table, users: dict[float, float]) -> np.ndarray:
    """The law of one report of a user drawn from places with these chances."""
    nodes = np.linspace(0, 1, len(table.rows))
    law = sum(
        share * np.array([np.interp(place, nodes, column) for column in table.probabilities.T])
        for place, share in users.items()
    )
    return np.asarray(law / np.sum(law))


USERS = {
    "middle": {0.5: 1.0},
    "low end": {0.0: 1.0},
    "two ends": {0.0: 0.5, 1.0: 0.5},
    "few far away": {0.0: 0.98, 1.0: 0.02},
    "a tenth far away": {0.0: 0.9, 1.0: 0.1},
    "uniform": dict.fromkeys(np.linspace(0, 1, 101).tolist(), 1 / 101),
}


@pytest.mark.parametrize("name", USERS)
@pytest.mark.parametrize(
    "reports, epsilon",
    [(1, 1.0), (2, 4.0), (5, 8.0), (10, 8.0), (20, 2.0), (50, 1.0), (150, 4.0), (300, 0.5), (1000, 8.0)],
)
def test_covers_whatever_the_users_are(name: str, reports: int, epsilon: float) -> None:
    table, users = designed_table(exact(epsilon)), USERS[name]
    truth = sum(place * share for place, share in users.items())
    ends = cache(lambda cells: guaranteed_interval(table, cells, reports, 0.95))
    draws = np.random.default_rng(7).multinomial(reports, reported(table, users), size=DRAWS)
    found = [ends(tuple(cells)) for cells in draws.tolist()]
    assert all(0 <= low <= high <= 1 for low, high in found)
    assert sum(low <= truth <= high for low, high in found) >= LEAST


def test_many_alike_users_are_told_from_users_that_differ() -> None:
    """Half-width over z standard errors: 1.0 to 1.1 with many users, whether they differ or not."""
    table, reports = designed_table(exact(2.0)), 20_000
    for users in (USERS["middle"], USERS["two ends"]):
        law = reported(table, users)
        cells = tuple(np.round(law * reports).astype(int).tolist())
        low, high = guaranteed_interval(table, cells, sum(cells), 0.95)
        values = np.asarray(table.decode)
        error = np.sqrt((law @ values**2 - (law @ values) ** 2) / reports)
        assert 1.0 <= (high - low) / (2 * 1.96 * error) <= 1.1


def test_interval_around_a_value_outside_is_not_empty() -> None:
    table = designed_table(exact(1.0))
    cells = (30, *[0] * (table.cells - 1))  # everybody sent the lowest symbol
    low, high = guaranteed_interval(table, cells, 30, 0.95)
    assert low == 0 and 0.1 < high < 1


@pytest.mark.parametrize("place", [0.5, 0.9])
@pytest.mark.parametrize("strength, epsilon", [(25, 0.5), (75, 1.0), (250, 1.0)])
def test_shrinking_lowers_the_error(place: float, strength: int, epsilon: float) -> None:
    """Measured .77 to .97 of the clamped unbiased value's, ± .01."""
    reports, table = round(strength / epsilon**2), designed_table(exact(epsilon))
    draws = np.random.default_rng(11).multinomial(reports, reported(table, {place: 1.0}), size=2000)
    found = [decode_position(table, tuple(cells), reports) for cells in draws.tolist()]
    plain = np.array([min(1.0, max(0.0, mean)) for mean, _, _ in found])
    pulled = np.array([shrink_to_middle(mean, variance) for mean, variance, _ in found])
    assert ((pulled - place) ** 2).mean() < 0.99 * ((plain - place) ** 2).mean()


def test_shrinking_vanishes_with_many_users() -> None:
    for place in (0.05, 0.3, 0.5, 0.97):
        assert shrink_to_middle(place, 1e-6) == pytest.approx(place, abs=1e-4)


@pytest.mark.parametrize("variance", [0.001, 0.01, 0.04, 0.2])
def test_shrinking_goes_toward_the_middle(variance: float) -> None:
    for place in np.linspace(-0.5, 1.5, 21):
        inside = min(1.0, max(0.0, place))
        assert abs(shrink_to_middle(place, variance) - 0.5) <= abs(inside - 0.5)
    assert shrink_to_middle(1.2, variance) < 1 and shrink_to_middle(-0.2, variance) > 0


def answers(method: str, *, epsilon: float = 0.5, low: float = -3.0, high: float = 7.0) -> list[sv.Estimate]:
    users = np.random.default_rng(3).uniform(low, low + 1, size=(120, 4))
    made = {"low": low, "high": high, "epsilon": epsilon, "method": method, "seed": 5}
    return [sv.mean(users, shrink=shrink, **made) for shrink in (False, True)]


def test_shrunk_answer_says_so_and_stays_inside() -> None:
    assert answers("one-round", epsilon=0.2)[1].warnings
    for seed_epsilon in (0.2, 0.5, 2.0):
        plain, pulled = answers("one-round", epsilon=seed_epsilon)
        assert not plain.warnings and bool(pulled.warnings) == (abs(pulled.value - plain.value) > 0)
        said = f"biased; without that it is {plain.value:.4g}"
        assert all(said in warning for warning in pulled.warnings)
        assert abs(pulled.value - 2) <= abs(plain.value - 2)
        assert plain.assumes == pulled.assumes == Assumes.NOTHING
        assert all("nothing: it holds whatever the users are" in one.summary() for one in (plain, pulled))
        for answer in (plain, pulled):
            assert answer.low <= answer.interval[0] <= answer.value <= answer.interval[1] <= answer.high
        assert pulled.interval[0] <= plain.interval[0] and pulled.interval[1] >= plain.interval[1]


def test_other_methods_say_that_they_do_not_shrink() -> None:
    plain, asked = answers("paper")
    assert plain.value == asked.value
    assert [words for words in asked.warnings if words not in plain.warnings] == [
        "shrink is for few users on the full range: this value is not pulled toward the middle"
    ]
