"""C_α: the paper's four values, its recipe between and beyond them, and one definition everywhere."""

from __future__ import annotations

import math

import pytest

from sottovoce.methods import experiment_delta
from sottovoce.theory import experiment_constant, recipe, tabled


def test_the_papers_four_values_are_kept() -> None:
    """L1077."""
    assert [experiment_constant(alpha) for alpha in (0.5, 1.0, 2.0, 4.0)] == [0.5, 0.5, 0.25, 0.25]


def test_between_and_beyond() -> None:
    """Between 1.5 (.5) and 1.75 (.25) a straight line: at 1.6, .5 − .25·(.1/.25) = .4. The ends go on."""
    assert experiment_constant(1.6) == pytest.approx(0.4)
    assert experiment_constant(1e-3) == 0.5 and experiment_constant(100.0) == 0.25
    # the width of the paper's methods reads it: .4·√(log(200·100·1.6²)/100) = .4·√(10.843494/100) = .1317178
    assert experiment_delta(200, 100, 1.6) == pytest.approx(0.1317178, rel=1e-6)
    assert math.log(200 * 100 * 1.6**2) == pytest.approx(10.843494, rel=1e-6)


def test_the_recipe_gives_a_papers_value_and_says_where_it_says_nothing() -> None:
    """At the smallest (n, T) alone; benchmarks/tuning_constant.py computes the whole table with all of setting 2.

    By hand at α = 4, C = .25: Δ = .25·√(log(160,000)/100) = .08654; the 50 refiners' Laplace noise at width 6Δ has
    2·(.51924/4)²/50 = 6.740e-4 and their sampling error 1/5000 = 2e-4: with rare misses 8.68e-4. Twice C has four times
    the noise, 2.696e-3 + 2e-4 = 2.896e-3: 3.34 times as much.
    """
    small = ((100, 100),)
    found, risks = recipe(4.0, sizes=small)
    assert found == tabled()[4.0] == 0.25 and risks[0.25] == 1.0
    assert risks[0.5] == pytest.approx(3.34, abs=0.02)
    assert recipe(1.0, sizes=small)[0] == tabled()[1.0] == 0.5
    assert recipe(0.1, sizes=small)[0] is None  # four of five surveys miss the mean
