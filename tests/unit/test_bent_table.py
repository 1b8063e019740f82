"""One report, several decodings: unbiased at every knot, with ends that fail as often as they say."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from sottovoce.answers import upper_quantile
from sottovoce.design import even_table, tail_tables
from sottovoce.messages import exact
from sottovoce.methods import LastTables
from sottovoce.methods.bent_table import (
    ALIKE,
    CORE,
    GARROTE,
    LEVELS,
    LOWER,
    LOWER_TAIL,
    UPPER,
    UPPER_TAIL,
    WHOLE,
    BentReader,
    BentTable,
    bell_below,
    garrote,
    group_odds,
    reaches,
    solve_in_order,
)
from sottovoce.methods.bins import on_lattice
from sottovoce.methods.interval_limits import Moments
from sottovoce.methods.last_question import GAP, NARROWEST, knots_between, law_on

EPSILONS = (0.05, 0.3, 1.0, 2.0, 4.0, 8.0, 16.0)
ENDS = (
    (-0.1, 0.1),
    (-0.9, 0.3),
    (0.3, 0.3 + 2 * NARROWEST),
    (-1 + GAP, -0.4),
    (0.97, 1 - GAP),
    (-1 + GAP, 1 - GAP),
    (1 - 2 * GAP, 1 - GAP),
)


@pytest.fixture(autouse=True)
def no_warnings() -> Any:
    with np.errstate(all="raise", under="ignore"):
        yield


def tables_at(epsilon: float) -> LastTables:
    return LastTables(found=tail_tables(exact(epsilon)), even=even_table(exact(epsilon)))


def bent_at(epsilon: float, low: float, high: float, number: int = 0) -> BentTable:
    """A table of the menu between two ends, for users in the middle of them."""
    table = tables_at(epsilon).found[number].table
    low, high = on_lattice((low, high), -1.0, 1.0)
    knots = np.array(on_lattice(knots_between(np.array([low]), np.array([high]), len(table.rows) - 2)[0], -1.0, 1.0))
    law = law_on(knots, low + (high - low) * np.linspace(0.3, 0.7, 9), np.full(9, 1 / 9))
    return BentTable(table=table, knots=knots, low=low, high=high, law=law)


def full_range(epsilon: float, first: int, last: int) -> BentTable:
    table = tables_at(epsilon).even
    knots = np.linspace(-1, 1, len(table.rows))
    law = law_on(knots, np.array([0.1]), np.ones(1))
    return BentTable(table=table, knots=knots, low=float(knots[first]), high=float(knots[last]), law=law)


def all_bent(epsilon: float) -> list[BentTable]:
    numbers = range(len(tables_at(epsilon).found))
    bent = [bent_at(epsilon, low, high, number) for low, high in ENDS for number in numbers]
    return [*bent, full_range(epsilon, 0, -1), full_range(epsilon, 2, 5), full_range(epsilon, 0, 1)]


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_decodings_are_unbiased_at_every_knot(epsilon: float) -> None:
    """The number clipped, the number bent above or below only, and itself; the tails are what lies between them."""
    for one in all_bent(epsilon):
        means, seconds = one.reader.functions
        room = 1e-9 + 1e-13 * float(np.abs(one.reader.values).max())
        assert np.abs(means[CORE] - np.clip(one.knots, one.low, one.high)).max() < room
        assert np.abs(means[LOWER] - np.minimum(one.knots, one.high)).max() < room
        assert np.abs(means[UPPER] - np.maximum(one.knots, one.low)).max() < room
        assert np.abs(means[WHOLE] - one.knots).max() < room
        assert np.abs(means[UPPER_TAIL] - np.maximum(one.knots - one.high, 0)).max() < room
        assert np.abs(means[LOWER_TAIL] - np.maximum(one.low - one.knots, 0)).max() < room
        assert (means[LOWER] <= one.knots + room).all() and (one.knots <= means[UPPER] + room).all()
        assert (seconds >= means**2 - 1e-9).all()
        core, lower, upper, whole = one.reader.values[:4]
        assert whole == pytest.approx(lower + upper - core)


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 4.0])
def test_the_decoding_is_the_best_for_the_users_it_was_made_for(epsilon: float) -> None:
    """Any other unbiased one differs by something that no users make: its second moment is larger by that of this."""
    one, rng = bent_at(epsilon, -0.1, 0.1), np.random.default_rng(1)
    chances, expected = one.table.probabilities, one.law @ one.table.probabilities
    _, _, right = np.linalg.svd(chances)
    nowhere = right[len(chances) :]
    for decode in one.decode:
        for direction in rng.normal(size=(20, len(nowhere))) @ nowhere:
            assert expected @ (decode + direction) ** 2 > expected @ decode**2


def test_a_solution_in_a_fixed_order_is_the_solution() -> None:
    rng = np.random.default_rng(1)
    for size in (1, 2, 7, 25):
        matrix, sides = rng.normal(size=(size, size)), rng.normal(size=(size, 3))
        assert solve_in_order(matrix, sides) == pytest.approx(np.linalg.solve(matrix, sides), rel=1e-6)
    swapped = np.array([[0.0, 1.0], [1.0, 0.0]])  # without a pivot this would divide by zero
    assert solve_in_order(swapped, np.eye(2)) == pytest.approx(swapped)


# ---- two bounds of an end --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("error", [0.05, 0.025, 0.005])
@pytest.mark.parametrize("level", LEVELS)
def test_of_two_bounds_one_fails_as_often_as_stated(level: float, error: float) -> None:
    """By summing over the first bound's error, finer and otherwise than `reaches` does.

    Between the correlations that are tabulated, and up to the last of them; above it the chance is smaller.
    """
    places = (np.arange(400_000) + 0.5) / 400_000 * 16 - 8
    law = np.exp(-(places**2) / 2)
    law /= law.sum()
    for alike in (0.0, 0.1, 0.41, 0.62, 0.8, 0.9, 0.95, 0.97, 0.985, 1.0):
        own, both = reaches(level, error, alike)
        apart = math.sqrt(max(1 - alike**2, 1e-14))
        holds = law[places <= own] @ bell_below((both - alike * places[places <= own]) / apart)
        fails = 1 - float(holds)
        assert fails <= error * 1.003, (alike, fails)
        if alike <= ALIKE[-1]:
            assert fails >= error * 0.99, (alike, fails)


def test_the_first_bound_has_its_part_and_the_second_the_rest() -> None:
    for level in LEVELS:
        own, both = reaches(level, 0.025, np.array([0.0, 0.5, 0.97]))
        assert own == (math.inf if not level else pytest.approx(upper_quantile(level * 0.025)))
        both = np.atleast_1d(both)
        assert (np.diff(both) <= 1e-12).all(), "the more alike, the less the second has to allow for"
        assert (both >= upper_quantile(0.025) - 1e-9).all()
        assert (both <= upper_quantile((1 - level) * 0.025) + 1e-9).all(), "as if they had nothing in common"


def test_an_end_is_the_nearer_of_two_bounds() -> None:
    """With nobody beyond, the bound from the own tail; where a group shows beyond the other end, that from both."""
    one = bent_at(1.0, -0.1, 0.1)
    reader, reports = one.reader, np.array([20_000])
    inside = one.law @ one.table.probabilities
    far_below = 0.7 * inside + 0.3 * one.table.probabilities[0]
    for shares, nearer in ((inside, UPPER), (far_below, WHOLE)):
        reading = reader.read(shares[None] * reports, reports)
        bounds = {
            row: reader.moments[row].limit(reading.means[row], reading.squares[row], reading.reports, z, upward=True)
            for row, z in ((UPPER, upper_quantile(0.5 * 0.025)), (WHOLE, upper_quantile(0.5 * 0.025)))
        }
        assert min(bounds, key=lambda row: float(bounds[row][0])) == nearer
        end = reading.end(0.025, 0.5, upward=True)
        assert end[0] <= min(bound[0] for bound in bounds.values()) + 1e-9


def test_a_tail_below_zero_never_makes_an_interval_of_no_width() -> None:
    """By chance a tail is below zero, and may be far: what is so taken off an end is given back."""
    one, rng = bent_at(1.0, -0.02, 0.02), np.random.default_rng(1)
    cells = rng.multinomial(300, one.law @ one.table.probabilities, size=5000)
    reading = one.reader.read(cells, np.full(len(cells), 300))
    for below in LEVELS:
        for above in LEVELS:
            low, high = reading.interval(0.95, below, above)
            assert (high - low).min() > 0.02
            assert (low <= 0.02).mean() > 0.97 and (high >= -0.02).mean() > 0.97


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 4.0, 16.0])
def test_any_counts_have_a_value_inside_the_range_and_an_interval(epsilon: float) -> None:
    """All reports the same symbol, or a few of any: nothing divides by zero, and ends are in order."""
    for one in all_bent(epsilon):
        symbols = one.table.cells
        for reports in (1, 2, 19, 60, 10**6):
            cells = np.concatenate((reports * np.eye(symbols), np.full((1, symbols), reports / symbols)))
            reading = one.reader.read(cells, np.full(len(cells), reports))
            for level in LEVELS:
                low, high = reading.interval(0.95, level, level)
                assert ((low >= -1) & (low <= high) & (high <= 1)).all()
            value = reading.value("medium")
            assert ((value >= -1) & (value <= 1)).all()
            assert np.isfinite(reading.doubt("medium")).all() and (reading.errors[:UPPER_TAIL] > 0).all()


# ---- limits of a mean ------------------------------------------------------------------------------------------------
def test_nodes_with_one_mean_count_with_the_larger_second_moment() -> None:
    moments = Moments.of(np.array([0.0, 0.5, 0.5, 0.5 + 1e-12, 1.0]), np.array([1.0, 2.0, 5.0, 3.0, 4.0]))
    assert moments.values.tolist() == [0.0, 0.5 + 1e-12, 1.0] and moments.second.tolist() == [1.0, 5.0, 4.0]
    assert moments.hull.tolist() == [0, 1, 2]
    hollow = Moments.of(np.array([0.0, 0.5, 1.0]), np.array([1.0, 1.5, 4.0]))
    assert hollow.hull.tolist() == [0, 2]


def test_limits_keep_the_mean_and_grow_with_the_level() -> None:
    one = bent_at(1.0, -0.1, 0.1)
    rng = np.random.default_rng(2)
    cells = rng.multinomial(800, one.law @ one.table.probabilities, size=300)
    reading = one.reader.read(cells, np.full(len(cells), 800))
    for row, moments in one.reader.moments.items():
        given = reading.means[row], reading.squares[row], reading.reports
        inside = np.clip(reading.means[row], moments.values[0], moments.values[-1])
        ends = [moments.limit(*given, z, upward=True) for z in (0.0, 1.0, 2.0, 3.0)]
        assert all((left <= right + 1e-12).all() for left, right in itertools.pairwise(ends))
        assert (ends[0] >= inside - 1e-9).all() and (ends[-1] <= moments.values[-1]).all()
        below = moments.limit(*given, 2.0, upward=False)
        assert (below <= inside + 1e-9).all() and (below >= moments.values[0]).all()


def test_few_reports_are_taken_to_differ_as_much_as_they_can() -> None:
    one = bent_at(4.0, -0.1, 0.1)
    cells = np.round((one.law @ one.table.probabilities)[None] * 10)
    few, more = (one.reader.read(times * cells, times * cells.sum(axis=1)) for times in (1, 3))
    for reading, known in ((few, False), (more, True)):
        moments = one.reader.moments[WHOLE]
        variance = moments.variance(reading.means[WHOLE], reading.squares[WHOLE], reading.reports)
        assert np.isfinite(variance).all() == known


# ---- what stands out -------------------------------------------------------------------------------------------------
def test_a_garrote() -> None:
    assert garrote(np.array([-3.0, 0.0, 1.0]), np.array(1.0)).tolist() == [0.0, 0.0, 0.0]
    assert garrote(np.array([2.0]), np.array([1.0])) == pytest.approx([1.5])
    assert garrote(np.array([0.0, 1e-3]), np.array([0.0, 0.0])).tolist() == [0.0, 1e-3]
    grown = garrote(np.linspace(-2, 9, 200), np.array(1.5))
    assert (np.diff(grown) >= 0).all() and (grown <= np.maximum(np.linspace(-2, 9, 200), 0)).all()
    assert GARROTE["high"] < GARROTE["medium"] < GARROTE["low"]


def test_the_odds_of_a_group_and_its_size() -> None:
    """One where nothing stands out; and mean and square are those of the upper part of a bell."""
    apart = np.linspace(-4, 9, 60)
    odds, mean, square = group_odds(apart)
    assert (np.diff(odds) > 0).all() and np.interp(0.0, apart, odds) == pytest.approx(1, rel=0.01)
    sizes = np.linspace(0, 30, 300_001)
    for at in (0, 20, 40, 59):
        law = np.exp(-((sizes - apart[at]) ** 2) / 2)
        law /= law.sum()
        assert mean[at] == pytest.approx(law @ sizes, rel=1e-3)
        assert square[at] == pytest.approx(law @ sizes**2, rel=1e-3)
    for extreme in (-1e300, -50.0, 50.0, 1e150):
        assert all(np.isfinite(one).all() for one in group_odds(np.array([extreme])))


@pytest.mark.parametrize("place", [-0.09, 0.0, 0.05, 0.1])
def test_a_value_is_the_core_where_nobody_is_beyond(place: float) -> None:
    one = bent_at(4.0, -0.1, 0.1)
    law = law_on(one.knots, np.array([place]), np.ones(1))
    reading = one.reader.read(1e6 * (law @ one.table.probabilities)[None], np.array([10**6]))
    assert reading.value("low") == pytest.approx(place, abs=0.005)
    assert reading.tails("low").max() < 0.005


def test_a_reader_reads_many_surveys_as_it_reads_one() -> None:
    one = bent_at(2.0, -0.3, 0.1)
    reader = BentReader(chances=one.table.probabilities, decode=one.decode, low=one.low, high=one.high, law=one.law)
    cells = np.random.default_rng(1).multinomial(500, one.law @ one.table.probabilities, size=7)
    together = reader.read(cells, np.full(7, 500))
    ends = together.interval(0.95, LEVELS[1], LEVELS[2])
    for at, row in enumerate(cells):
        alone = reader.read(row[None], np.array([500]))
        assert alone.value("medium")[0] == pytest.approx(together.value("medium")[at])
        one_by_one = [end[0] for end in alone.interval(0.95, LEVELS[1], LEVELS[2])]
        assert one_by_one == pytest.approx([end[at] for end in ends])
