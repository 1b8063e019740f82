"""Numbers that go into questions: correctly rounded, and rounded again where machines may differ."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from sottovoce import design
from sottovoce.design.tables import coth_half
from sottovoce.messages import (
    ONE,
    exact,
    exp_below,
    log_above,
    log_below,
    nearest_exp,
    nearest_log,
    nearest_power,
    nearest_sin,
)
from sottovoce.methods.bins import to_31_bits
from tests import other_rounding

NUMBERS = [*np.random.default_rng(1).uniform(0.01, 40.0, 200).tolist(), math.e, 2.0, 1e-300, 1e300]


def nearest(number: float, low: Fraction, high: Fraction) -> bool:
    """Whether no float is nearer to something between two fractions."""
    below, above = (Fraction(math.nextafter(number, end)) for end in (-math.inf, math.inf))
    own = Fraction(number)
    return (below + own) / 2 <= low and high <= (own + above) / 2


def test_logarithms_are_correctly_rounded() -> None:
    for number in NUMBERS:
        assert nearest(nearest_log(number), log_below(Fraction(number)), log_above(Fraction(number))), number
        assert nearest_log(number) == pytest.approx(math.log(number), rel=1e-14)
    assert nearest_log(1.0) == 0


def test_exponentials_are_correctly_rounded() -> None:
    for number in [*NUMBERS[:200], 0.0, -1.0, -700.0, 700.0]:
        low = exp_below(Fraction(number))
        assert nearest(nearest_exp(number), low, low * (1 + Fraction(1, 10**60))), number
        assert nearest_exp(number) == pytest.approx(math.exp(number), rel=1e-14)


def test_powers_and_sines_are_correctly_rounded() -> None:
    for number in NUMBERS[:200]:
        assert nearest_power(number, 3) == float(Fraction(number) ** 3)
        assert nearest_power(number, 0.5) == math.sqrt(number)
        assert nearest_sin(number % 3) == pytest.approx(math.sin(number % 3), rel=1e-14)
        assert nearest_sin(-number % -3) == -nearest_sin(number % 3)
    assert nearest_sin(0.0) == 0 and nearest_sin(math.pi / 2) == 1
    assert nearest_log(np.int64(1)) == 0 and nearest_exp(np.float32(0)) == 1, "numbers of numpy, too"


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 8.0, 16.0])
def test_tables_decode_by_exact_sums(epsilon: float) -> None:
    """Within two roundings of what the integers say, in rational numbers."""
    table = design.best_position_table(exact(epsilon))
    first, last = (sum(Fraction(symbol * cell, ONE) for symbol, cell in enumerate(table.rows[end])) for end in (0, -1))
    for symbol, value in enumerate(table.decode):
        told = (symbol - first) / (last - first)
        assert abs(Fraction(value) - told) <= abs(told) * Fraction(1, 2**50) + Fraction(1, 2**50) / (last - first)
    assert coth_half(exact(epsilon)) == pytest.approx(1 / math.tanh(epsilon / 2), rel=1e-14)


@pytest.mark.parametrize("size", [1.0, 1.5, math.pi, 1e-9, 12345.678, 2.0**40])
def test_machines_agree_on_a_size_that_they_computed(size: float) -> None:
    assert to_31_bits(size) == pytest.approx(size, rel=2.0**-30)
    near = [size * (1 + steps * 2.0**-52) for steps in range(-4, 5)]
    assert {to_31_bits(one) for one in near} == {to_31_bits(size)}
    assert to_31_bits(1.5) == 1.5


@pytest.mark.parametrize("seed", [1, 2])
def test_the_other_rounding_moves_what_depends_on_the_processor_and_nothing_else(seed: int) -> None:
    rounding = other_rounding.Rounding(seed)
    places = np.linspace(0.1, 3.0, 200)

    def moved(found: Any, plain: Any) -> float:
        assert np.allclose(found, plain, rtol=1e-14, atol=0)
        return float(np.mean(np.asarray(found) != np.asarray(plain)))

    assert moved(rounding.function(np.exp)(places), np.exp(places)) > 0.5
    assert moved(rounding.product(places[:, None] * places, places), (places[:, None] * places) @ places) > 0.5
    assert moved(rounding.power(places, 1.7), places**1.7) > 0.5
    assert moved(rounding.power(places, 2), places**2) == moved(rounding.power(2.0, -20), 2.0**-20) == 0
    assert moved(rounding.function(math.log2)(8.0), 3.0) == moved(rounding.product(np.eye(3), np.ones(3)), 1.0) == 0
    assert rounding.function(np.exp)(places).tolist() == rounding.function(np.exp)(places).tolist()
