"""Which last question is asked: for any users that bins may have shown, among them those that no bell describes."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from sottovoce.design import even_table, tail_tables
from sottovoce.messages import Decodings, Floats, Knots, Table, exact
from sottovoce.methods import LastTables, TailRounds
from sottovoce.methods.bent_table import GARROTE, LEVELS, bell_below, garrote
from sottovoce.methods.bins import LATTICE, BinShares
from sottovoce.methods.last_question import (
    GAP,
    NARROWEST,
    LastQuestion,
    garrote_risk,
    knots_between,
    law_on,
    nearest_tables,
    tail_risk,
)
from sottovoce.risk import Averages

EPSILONS = (0.3, 1.0, 2.0, 4.0, 16.0)


@pytest.fixture(autouse=True)
def no_warnings() -> Any:
    with np.errstate(all="raise", under="ignore"):
        yield


def law(points: Any, weights: Any = None) -> Averages:
    places = np.atleast_1d(np.asarray(points, dtype=np.float64))
    parts = np.full(len(places), 1 / len(places)) if weights is None else np.asarray(weights, dtype=np.float64)
    return Averages(points=places, weights=parts)


def scheme_at(epsilon: float, users: int = 3000, observations: int = 100, **more: Any) -> TailRounds:
    tables = LastTables(found=tail_tables(exact(epsilon)), even=even_table(exact(epsilon)))
    return TailRounds(
        survey="test",
        users=users,
        observations=observations,
        low=-1.0,
        high=1.0,
        epsilon=epsilon,
        tables=tables,
        **more,
    )


def last_of(scheme: TailRounds, users: Averages) -> LastQuestion:
    """As chosen after reports without chance."""
    seen: list[BinShares] = []
    edges: Floats | None = scheme.first_edges
    for count in scheme.users_per_round[:-1]:
        if seen and (edges := scheme._finer(seen)) is None:
            break
        assert edges is not None
        seen.append(scheme._expected(users, edges, count))
    return scheme._last(seen)


EXTREME = {
    "all at the high end": law(1.0),
    "all at the low end": law(-1.0),
    "just short of an end": law(1 - 1e-5),
    "one point": law(0.371),
    "the middle": law(0.0),
    "both ends": law([-1.0, 1.0]),
    "everywhere": law(np.linspace(-1, 1, 1001)),
    "one of a thousand far away": law([-0.4, 1.0], [0.999, 0.001]),
    "a fifth far away": law([-0.4, 1.0], [0.8, 0.2]),
    "a heap at an end": law(np.append(np.full(500, -1.0), np.linspace(-1, 0, 500))),
}


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("name", EXTREME)
def test_a_question_can_be_asked_whatever_bins_showed(name: str, epsilon: float) -> None:
    """Knots increase, far enough apart for a device, and both ends are among them; levels are those of the list."""
    for users in (30, 300, 3000, 10**6):
        for observations in (1, 100, 10**5):
            for aim in ("interval", "error"):
                scheme = scheme_at(epsilon, users, observations, aim=aim)
                chosen = last_of(scheme, EXTREME[name])
                bent = chosen.bent
                assert bent.table.rows in {table.rows for table in scheme.tables.all} and len(bent.knots) == len(
                    bent.table.rows
                )
                assert {bent.low, bent.high} <= set(bent.knots.tolist()) and bent.low < bent.high
                assert chosen.below in LEVELS and chosen.above in LEVELS
                assert min(right - left for left, right in pairwise(bent.knots)) >= 2 * LATTICE
                assert 0 < chosen.halfwidth < math.inf and 0 < chosen.error < math.inf
                question = scheme._question(chosen, 2, 0)
                placement, table = question.encoder.placement, question.channel
                assert isinstance(placement, Knots) and bent.low <= placement.nothing <= bent.high
                assert isinstance(table, Table) and isinstance(table.decodings, Decodings)


@pytest.mark.parametrize("epsilon", [1.0, 4.0])
def test_ends_are_where_users_are(epsilon: float) -> None:
    scheme = scheme_at(epsilon, 10_000)
    for place in (-0.7, 0.0, 0.37):
        bent = last_of(scheme, law(place)).bent
        assert bent.low < place < bent.high and bent.high - bent.low < 0.5 and bent.table is not scheme.tables.even
    for end, name in ((1.0, "all at the high end"), (-1.0, "all at the low end")):
        bent = last_of(scheme, EXTREME[name]).bent
        assert (bent.high, bent.low)[end < 0] == end * (1 - GAP) and bent.high - bent.low < 0.3
    whole = last_of(scheme, EXTREME["both ends"]).bent
    assert whole.table is scheme.tables.even


def test_more_users_are_never_expected_to_be_worse() -> None:
    for name in ("one point", "everywhere", "all at the high end"):
        found = [last_of(scheme_at(1.0, users), EXTREME[name]) for users in (1000, 4000, 16_000, 64_000)]
        assert all(after.halfwidth < before.halfwidth for before, after in pairwise(found))


def test_levels_are_settled_before_the_last_question() -> None:
    """Twice the same tallies of bins, another last one: what an end is read with is the same."""
    scheme = scheme_at(1.0)
    seen = [scheme._expected(law(0.2), scheme.first_edges, scheme.first)]
    chosen = [scheme._last(seen) for _ in range(2)]
    assert (chosen[0].below, chosen[0].above) == (chosen[1].below, chosen[1].above)
    counts = [
        np.random.default_rng(seed).multinomial(2000, chosen[0].bent.law @ chosen[0].bent.table.probabilities)
        for seed in range(5)
    ]
    low = [chosen[0].bent.reader.read(row[None], np.array([2000])) for row in counts]
    for reading in low:
        ends = reading.interval(0.95, chosen[0].below, chosen[0].above)
        error = (1 - 0.95) / 2
        assert ends[0] == reading.end(error, chosen[0].below, upward=False)
        assert ends[1] == reading.end(error, chosen[0].above, upward=True)


def test_the_nearest_table_is_one_that_was_designed_for_such_ends() -> None:
    tables = tail_tables(exact(1.0))
    low = np.array([one.middle - one.width / 2 for one in tables])
    high = np.array([one.middle + one.width / 2 for one in tables])
    assert nearest_tables(tables, low, high).tolist() == list(range(len(tables)))


def test_knots_lie_evenly_between_ends() -> None:
    knots = knots_between(np.array([-0.5, 0.1]), np.array([0.3, 0.1 + NARROWEST]), 4)
    assert knots.shape == (2, 6) and (np.diff(knots, axis=1) > 0).all()
    assert knots[0] == pytest.approx([-1, -0.5, -0.5 + 0.8 / 3, -0.5 + 1.6 / 3, 0.3, 1])
    assert law_on(knots, np.array([0.0]), np.ones(1)).min() > 0, "nobody is left out"


@pytest.mark.parametrize("caution", list(GARROTE))
def test_the_risk_of_a_garrote_is_that_of_simulations(caution: Any) -> None:
    z = GARROTE[caution]
    tails, bias, squared = garrote_risk(z)
    noise = np.random.default_rng(1).normal(size=200_000)
    for at in (0, 10, 25, 60, 120):
        off = garrote(tails[at] + noise, np.array(z)) - tails[at]
        assert bias[at] == pytest.approx(off.mean(), abs=0.01)
        assert squared[at] == pytest.approx((off**2).mean(), abs=0.03)
    assert tail_risk(np.zeros(2), np.zeros(2), caution) == 0.0
    assert tail_risk(np.array([0.0, 5.0]), np.ones(2), caution) > 0


def test_a_bell_below() -> None:
    assert bell_below([-1.959963985, 0.0, 1.959963985]) == pytest.approx([0.025, 0.5, 0.975])


def test_the_mirror_of_users_is_worth_as_much() -> None:
    """About: bins of the second round grow from the left, and several ends are as good as another."""
    for epsilon in (1.0, 4.0):
        scheme = scheme_at(epsilon)
        for points in (0.37, [0.3, 0.9], np.linspace(0.1, 0.9, 50)):
            users = law(points)
            mirrored = replace(users, points=-users.points[::-1], weights=users.weights[::-1])
            one, other = last_of(scheme, users), last_of(scheme, mirrored)
            assert one.halfwidth == pytest.approx(other.halfwidth, rel=0.1)
            assert one.error == pytest.approx(other.error, rel=0.3)
