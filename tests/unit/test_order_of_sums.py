"""The order in which numpy adds is part of the contract (device/PRIVACY.md): here it is spelled out, and compared.

If a numpy adds otherwise, these tests say so before two devices disagree. And numbers that go into questions are
correctly rounded, or rounded again where machines may differ.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sottovoce import design
from sottovoce.design.tables import coth_half
from sottovoce.device import Collections, encode
from sottovoce.messages import (
    ONE,
    Average,
    Averages,
    Entry,
    Norm,
    Position,
    exact,
    exp_below,
    log_above,
    log_below,
    nearest_exp,
    nearest_log,
    nearest_power,
    nearest_sin,
    public_randomness,
)
from sottovoce.messages.public_randomness import walsh_hadamard
from sottovoce.methods.bins import to_31_bits
from tests import other_rounding
from tests.support import SeededEntropy
from tests.support.questions import question as question_of

SIZES = [*range(300), *range(300, 2001, 13), 2000, 4096, 8191, 8192, 8193, 20_000]


def pairwise(numbers: Sequence[float]) -> float:
    """Kind 1."""
    count = len(numbers)
    if count > 128:
        half = count // 2 // 8 * 8
        return pairwise(numbers[:half]) + pairwise(numbers[half:])
    eights = count - count % 8
    total = -0.0
    if eights:
        s = [_one_after_another(numbers[place:eights:8]) for place in range(8)]
        total = ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]))
    return _one_after_another([total, *numbers[eights:]])


def over_observations(numbers: Sequence[float]) -> float:
    """Kind 2."""
    return numbers[0] + pairwise(numbers[1:])


def hadamard(numbers: Sequence[float]) -> list[float]:
    """Kind 3."""
    held, apart = list(numbers), 1
    while apart < len(held):
        for at in range(len(held)):
            if not at & apart:
                held[at], held[at + apart] = held[at] + held[at + apart], held[at] - held[at + apart]
        apart *= 2
    return held


def _one_after_another(numbers: Sequence[float]) -> float:
    total = -0.0
    for number in numbers:  # not `sum`, which compensates from Python 3.12 on
        total += number
    return total


def _hard(*shape: int) -> NDArray[np.float64]:
    """Numbers whose sum depends on the order of addition."""
    rng = np.random.default_rng(shape)
    return np.asarray(rng.normal(size=shape) * 10.0 ** rng.integers(-8, 9, size=shape))


def test_one_row() -> None:
    for size in SIZES:
        numbers = _hard(1, size)
        wanted = pairwise(numbers[0].tolist())
        assert numbers.sum(axis=1)[0] == wanted, size
        assert numbers.sum(axis=1, keepdims=True)[0, 0] == wanted, size
        assert np.asfortranarray(numbers).sum(axis=1)[0] == wanted, size
        assert (numbers[:, None, :] + np.zeros((1, 3, 1))).sum(axis=2)[0].tolist() == [wanted] * 3, size


def test_observations_in_one_column_and_in_several() -> None:
    for size in SIZES[1:]:
        for columns in (1, 2, 7):
            numbers = _hard(size, columns)
            wanted = [over_observations(numbers[:, column].tolist()) for column in range(columns)]
            assert np.add.reduceat(numbers, [0], axis=0)[0].tolist() == wanted, (size, columns)
        assert np.add.reduceat(numbers[:, 0].copy(), [0])[0] == wanted[0], size
        many = np.concatenate((_hard(3, columns), numbers, _hard(5, columns)))
        assert np.add.reduceat(many, [0, 3, 3 + size], axis=0)[1].tolist() == wanted, f"{size}: others do not matter"


def test_turns() -> None:
    for bits in range(11):
        numbers = _hard(2**bits)
        assert walsh_hadamard(numbers).tolist() == hadamard(numbers.tolist())


def test_cosines_are_series_in_plain_doubles() -> None:
    wanted = [(-1) ** n * (2 * math.pi) ** (2 * n + 1) / math.factorial(2 * n + 1) for n in range(11)]
    assert pytest.approx(wanted, rel=1e-14) == public_randomness._SINE
    places = _hard(3000)
    for turns, found in zip(places.tolist(), public_randomness.cosine(places).tolist(), strict=True):
        quarter = 0.25 - abs(turns - math.floor(turns) - 0.5)
        series = 0.0
        for coefficient in reversed(public_randomness._SINE):
            series = series * (quarter * quarter) + coefficient
        assert found == -quarter * series


def test_a_device_adds_like_this() -> None:
    """From a collection to a channel's input: missing observations are zero in the sum, and not counted."""
    held = _hard(300, 5)
    held[::7, 2] = math.nan
    present = (~np.isnan(held)).sum(axis=0)
    sums = [over_observations(column.tolist()) for column in np.nan_to_num(held).T]
    average = [total / count for total, count in zip(sums, present.tolist(), strict=True)]
    length = math.sqrt(pairwise([(entry + 1e-130 - 1e-130) ** 2 for entry in average]))
    reach = 2 * length
    for statistic, wanted in (
        (Average(columns=(2,)), average[2]),
        (Entry(vector=Averages(size=5)), average[0]),
        (Norm(vector=Averages(size=5), centre=(0.0,) * 5), length),
    ):
        question = question_of(statistic, Position(low=(-reach,), high=(reach,)), users=5, groups=statistic.parts)
        (given,) = encode(question, Collections.of_one(held), np.array([0]), SeededEntropy(0))[0]
        assert given == int((wanted + reach) / (2 * reach) * question.channel.span + 0.5)


NUMBERS = [*np.random.default_rng(1).uniform(0.01, 40.0, 200).tolist(), math.e, 2.0, 1e-300, 1e300]


def nearest(number: float, low: Fraction, high: Fraction) -> bool:
    """Whether no float is nearer to something between two fractions."""
    below, above = (Fraction(math.nextafter(number, end)) for end in (-math.inf, math.inf))
    own = Fraction(number)
    return (below + own) / 2 <= low and high <= (own + above) / 2


def test_logarithms_exponentials_powers_and_sines_are_correctly_rounded() -> None:
    for number in NUMBERS:
        assert nearest(nearest_log(number), log_below(Fraction(number)), log_above(Fraction(number))), number
        assert nearest_log(number) == pytest.approx(math.log(number), rel=1e-14)
    assert nearest_log(1.0) == 0
    for number in [*NUMBERS[:200], 0.0, -1.0, -700.0, 700.0]:
        low = exp_below(Fraction(number))
        assert nearest(nearest_exp(number), low, low * (1 + Fraction(1, 10**60))), number
        assert nearest_exp(number) == pytest.approx(math.exp(number), rel=1e-14)
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
