"""How long the device in JavaScript takes: little, and as long for one collection as for another of that size.

Times are the best of many, taken in turn; where another program was in the way, of as many again, a few times. What
takes longer by itself takes longer each time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from sottovoce import design
from sottovoce.messages import (
    Average,
    Averages,
    Basis,
    Below,
    Bins,
    Categories,
    Category,
    Coefficient,
    Cosines,
    Direction,
    Encoder,
    Grid,
    Hashed,
    Item,
    Nearest,
    Norm,
    Position,
    Question,
    Rotated,
    Share,
    Slots,
    Vector,
)
from tests.support.node import lines
from tests.web.test_maker import DEVICE, DRIVER, _ask

TIMES, AGAIN = 60, 5
WIDE = 1024
ZERO = (0.0,) * WIDE
PLACE, BIT = Position(low=(-2.0,), high=(2.0,)), design.one_bit(1.0)
MANY = Categories(places=Grid(low=(0.0,), high=(1.0,), count=WIDE))


def _grid(count: int) -> Grid:
    return Grid(low=(0.0,), high=(float(count),), count=count)


def _question(statistic: Any, placement: Any = PLACE, channel: Any = BIT, **more: Any) -> Question:
    return Question(
        survey="times", round=0, role="test", slots=Slots(first=0, count=1000), epsilon=100.0,
        encoder=Encoder(statistic=statistic, placement=placement), channel=channel, **more,
    )  # fmt: skip


def _direction(vector: Vector, rows: int) -> Question:
    pointing = Direction(vector=vector, centre=ZERO, radius=1.0, seed=3, rows=rows)
    return _question(pointing, _grid(2 * rows), design.subset(1.0, 2 * rows, size=1))


def _holds(question: Question, asks: Sequence[Any], within: Callable[[list[float], float], bool]) -> bool:
    """Whether it holds of the best time of each ask and of SHA-256 of 64 kB beside it."""
    best, digest = [math.inf] * len(asks), math.inf
    for _ in range(AGAIN):
        sent = {"question": question.to_bytes().decode(), "asks": asks, "times": TIMES}
        (found,) = lines(DRIVER, [sent], str(DEVICE))
        best = [min(pair) for pair in zip(best, found["best"], strict=True)]
        digest = min(digest, found["digest"])
        if within(best, digest):
            return True
    return False


LARGE = {
    "unary": _question(Average(), _grid(WIDE), design.unary(1.0, WIDE)),
    "subset": _question(Average(), _grid(WIDE), design.subset(1.0, WIDE)),
    "category": _question(Category(vector=MANY), _grid(WIDE), design.subset(1.0, WIDE)),
    "direction of averages": _direction(Averages(size=WIDE), 64),
    "direction of categories": _direction(MANY, 8),
    "coefficient": _question(Coefficient(vector=MANY), groups=WIDE - 1),
    "rotated": _question(Rotated(seed=1, size=WIDE, centre=ZERO, radius=1.0), groups=WIDE, uses=8),
    "hashed": _question(Hashed(seed=1, columns=WIDE, threshold=0.1), channel=design.laplace(1.0)),
    "length": _question(Norm(vector=Averages(size=WIDE), centre=ZERO)),
    "nearest": _question(Nearest(centres=(ZERO,) * 16), _grid(16), design.unary(1.0, 16)),
}


@pytest.mark.soak
@pytest.mark.parametrize("name", LARGE)
def test_a_report_takes_at_most_fifty_times_a_digest(name: str) -> None:
    """1,024 items or columns."""
    values = np.random.default_rng(1).normal(size=(20, WIDE))
    assert _holds(LARGE[name], [_ask(values, 17)], lambda best, digest: best[0] <= 50 * digest)


EVEN = {
    "average": _question(Average()),
    "item": _question(Item()),
    "share": _question(Share(below=(0.5,))),
    "basis": _question(Basis(low=0.0, high=1.0, functions=(3,))),
    "cosines": _question(Norm(vector=Cosines(low=0.0, high=1.0, size=2), centre=(0.0, 0.0))),
    "categories": _question(Norm(vector=Categories(places=_grid(16)), centre=ZERO[:16])),
    "bins": _question(Norm(vector=Categories(places=Bins(edges=(0.1, 0.5, 0.7))), centre=ZERO[:4])),
    "below": _question(Norm(vector=Below(thresholds=(0.1, 0.5, 0.7)), centre=ZERO[:3])),
}
OBSERVATIONS = 20_000


@pytest.mark.soak
@pytest.mark.parametrize("name", EVEN)
def test_where_observations_lie_does_not_change_the_time(name: str) -> None:
    """A branch on an observation takes 2.5 to 5 times as long where it goes now this way, now that."""
    rng = np.random.default_rng(2)
    inside = rng.random(OBSERVATIONS)
    mixed = np.where(rng.random(OBSERVATIONS) < 0.5, inside, rng.choice([-9.0, 9.0], size=OBSERVATIONS))
    sometimes = np.where(rng.random(OBSERVATIONS) < 0.5, math.nan, inside)
    asks = [_ask(values, 17) for values in (inside, inside + 5, mixed, sometimes, np.full(OBSERVATIONS, math.nan))]
    assert _holds(EVEN[name], asks, _is_even)


def _is_even(best: list[float], _: float) -> bool:
    return max(best) <= 1.4 * min(best)
