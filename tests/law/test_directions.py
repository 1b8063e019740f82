"""Direction reports: unbiased within what is stated, of the variance that is stated, and the same law in every engine.

All seeds are fixed. Comparisons of engines are Kolmogorov–Smirnov tests of 150 tallies with 150 at a level of 1e-4, set
beforehand: with 6 of them a correct program fails for one choice of seeds in 1,600. Bounds on biases are five standard
errors wide beside what is stated: 30 cells of two figures fail for one choice of seeds in thirty thousand.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from sottovoce import design
from sottovoce.device import Collections
from sottovoce.engines import local, simulate
from sottovoce.messages import Averages, Direction, Encoder, Grid, Question, Slots, Subset, Tally
from sottovoce.methods import decode_directions, direction_response, direction_symbols
from tests.support import SeededEntropy

USERS = 6_000
STATED = 0.003
"""How far the response may be from the one of Gaussian turns: turns of 128 entries are 1/512 longer than those."""


def asked(dimension: int, epsilon: float, *, users: int = USERS, radius: float = 1.0) -> Question:
    count = direction_symbols(epsilon)
    statistic = Direction(
        vector=Averages(size=dimension), centre=(0.1,) * dimension, radius=radius, seed=dimension, rows=count // 2
    )
    return Question(
        survey="law",
        round=0,
        role="direction",
        slots=Slots(first=0, count=users),
        encoder=Encoder(statistic=statistic, placement=Grid(low=(0.0,), high=(float(count),), count=count)),
        channel=design.subset(epsilon, count, size=1),
        epsilon=epsilon,
    )


def unit(dimension: int, *, spread: bool) -> Any:
    vector = np.random.default_rng(dimension).normal(size=dimension) if spread else np.eye(dimension)[1]
    return vector / np.linalg.norm(vector)


@pytest.mark.parametrize("spread", [False, True], ids=["along an axis", "spread"])
@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0, 4.0, 8.0])
@pytest.mark.parametrize("dimension", [5, 16, 256])
def test_the_mean_of_directions_is_the_vector(dimension: int, epsilon: float, spread: bool) -> None:
    """Everybody lies at one point, half of the radius away; the response is read along it and across it."""
    along = unit(dimension, spread=spread)
    question = asked(dimension, epsilon, radius=2.0)
    people = Collections(np.tile(0.1 + along, (USERS, 1)), np.arange(USERS + 1))
    tally = simulate(people, seed=7)(question)
    tally.check(question)
    found = decode_directions(question, tally)
    away = found.value - 0.1
    error = 2.0 / direction_response(epsilon) / math.sqrt(USERS)  # of an entry, and of any sum along a unit vector
    assert abs(away @ along - 1) < STATED + 5 * error * math.sqrt(square_along(question))
    across = away - (away @ along) * along
    assert (across @ across) / error**2 < dimension + 5 * math.sqrt(2 * dimension) + 12


def square_along(question: Question) -> float:
    """The mean squared entry along the user's own direction: the largest of some squared Gaussians, or another."""
    statistic, channel = question.encoder.statistic, question.channel
    assert isinstance(statistic, Direction) and isinstance(channel, Subset)
    ends = np.linspace(0.0, 8.0, 80_001)
    below = np.array([math.erf(end / math.sqrt(2)) for end in ends]) ** statistic.rows
    largest = float(np.trapezoid(2 * ends * (1 - below), ends))
    own, other = channel.inclusion
    return (own + other) * largest + 2 * other * (statistic.rows - largest)


@pytest.mark.parametrize("epsilon", [1.0, 2.0, 8.0])
@pytest.mark.parametrize("dimension", [3, 128, 300])
def test_the_squares_are_those_of_the_law(dimension: int, epsilon: float) -> None:
    """More than 1 along the user's own direction, the others share what is left; a mean of all entries, to 1 %."""
    question = asked(dimension, epsilon)
    people = Collections(np.random.default_rng(1).normal(size=(USERS, dimension)), np.arange(USERS + 1))
    squares = np.array(simulate(people, seed=8)(question).cells[0][dimension:]) / USERS / 256**2
    along, turned = square_along(question), question.encoder.statistic.breadth // 4
    expected = (along + (dimension - 1) * (turned - along) / (turned - 1)) / dimension
    assert squares.mean() == pytest.approx(expected, rel=0.01 + 5 * math.sqrt(2 / (USERS * dimension)))


@pytest.mark.parametrize("epsilon", [1.0, 8.0])
@pytest.mark.parametrize("dimension", [3, 16, 200])
def test_simulation_has_the_law_of_the_devices(dimension: int, epsilon: float) -> None:
    from scipy.stats import ks_2samp

    users = 30
    question = asked(dimension, epsilon, users=users)
    values = 0.1 + np.random.default_rng(3).normal(size=(users, dimension)) / math.sqrt(dimension) * 0.7
    people, look = Collections(values, np.arange(users + 1)), np.linspace(-1, 1, dimension)

    def figure(tally: Tally) -> float:
        cells = np.array(tally.cells[0], dtype=float)
        return float(look @ cells[:dimension] + cells[dimension] / 4096)

    devices = [figure(local(people, entropy=SeededEntropy(r))(question)) for r in range(150)]
    drawn = [figure(simulate(people, seed=4, repetition=r)(question)) for r in range(150)]
    assert ks_2samp(devices, drawn).pvalue > 1e-4
