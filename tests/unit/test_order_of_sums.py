"""The order in which numpy adds is part of the contract (device/PRIVACY.md): here it is spelled out, and compared.

If a numpy adds otherwise, these tests say so before two devices disagree.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from sottovoce import design
from sottovoce.device import Collections, encode
from sottovoce.messages import Average, Averages, Encoder, Entry, Norm, Position, Question, Slots, public_randomness
from sottovoce.messages.public_randomness import walsh_hadamard
from tests.support import SeededEntropy

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
        question = Question(
            survey="order", round=0, role="test", slots=Slots(first=0, count=5), epsilon=1.0, groups=statistic.parts,
            encoder=Encoder(statistic=statistic, placement=Position(low=(-reach,), high=(reach,))),
            channel=design.one_bit(1.0),
        )  # fmt: skip
        (given,) = encode(question, Collections.of_one(held), np.array([0]), SeededEntropy(0))[0]
        assert given == int((wanted + reach) / (2 * reach) * question.channel.span + 0.5)
