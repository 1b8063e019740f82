"""What a vector mean will cost, whom colluders could fool, and the made-up users it is tried on."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.problems.vector.adaptive import AdaptiveByCoordinate
from sottovoce.problems.vector.one_round import OneRound
from sottovoce.problems.vector.paper import Paper
from sottovoce.problems.vector.world import VectorWorld
from sottovoce.risk import Crowd
from tests.support import rectangle


def vector(**changes: Any) -> sv.VectorMean:
    fields: dict[str, Any] = {"epsilon": 2.0, "users": 4000, "observations": 400, "dimension": 8, "ball": "linf"}
    return sv.VectorMean(**fields | changes)


@pytest.mark.parametrize("crowd", [Crowd(), Crowd(within=0.3), Crowd(spread=0.05, around=0.2)])
@pytest.mark.parametrize(
    "method", [OneRound(), Paper(), AdaptiveByCoordinate()], ids=["one-round", "paper", "adaptive"]
)
def test_predictions_go_with_the_range_of_each_coordinate(method: Any, crowd: Crowd) -> None:
    """Of two boxes as of each of them; a box twice as wide, for users twice as spread, has twice the error."""
    wide = Crowd(
        spread=None if crowd.spread is None else 2 * crowd.spread,
        within=None if crowd.within is None else 2 * crowd.within,
        around=None if crowd.around is None else 2 * crowd.around,
    )
    narrow = method.predict(vector(dimension=2), crowd).mse
    assert method.predict(vector(dimension=2, radius=2.0), wide).mse == pytest.approx(4 * narrow)
    alone = method.predict(vector(dimension=2, radius=2.0), crowd).mse
    mixed = vector(dimension=2, low=(-1.0, -2.0), high=(1.0, 2.0))
    assert method.predict(mixed, crowd).mse == pytest.approx((narrow + alone) / 2)


def test_colluders_move_the_widest_and_capture_the_narrowest() -> None:
    crowd = Crowd(spread=0.3)
    mixed, narrow, wide = (
        Paper().poisoning(vector(dimension=2, low=low, high=tuple(-end for end in low)), crowd)
        for low in ((-1.0, -9.0), (-1.0, -1.0), (-9.0, -9.0))
    )
    assert mixed.reach == wide.reach and mixed.capture == narrow.capture
    assert narrow.capture is not None and wide.capture is not None and narrow.capture < wide.capture


@pytest.mark.parametrize("ball", ["linf", "l2"])
def test_made_up_users(ball: Any) -> None:
    """Their mean is the stated truth within 5 standard errors (false alarm 3e-6, seed fixed), and inside the ball."""
    settings = vector(ball=ball, users=300, observations=20, dimension=4, radius=2.0, method="one-round", epsilon=8.0)
    world = VectorWorld(settings=settings, distribution="beta:2,5")
    values = world.draw(np.random.default_rng(1))
    assert values.shape == (300, 20, 4) and values.size == world.numbers_per_draw
    assert np.abs(values.mean(axis=(0, 1)) - world.truth).max() < 5 * values.std() / math.sqrt(6000)
    assert (np.abs(values).max() if ball == "linf" else np.sqrt((values**2).sum(axis=2)).max()) <= 2.0
    assert world.truth_from_means(values.mean(axis=1)) == pytest.approx(values.mean(axis=(0, 1)))
    answer = sv.run(settings, sv.simulate(rectangle(values), seed=1))
    score = world.score(answer, world.truth)
    assert score.squared_error == pytest.approx(
        sum((a - b) ** 2 for a, b in zip(answer.value, world.truth, strict=True))
    )
    assert score.covered is not None and 0 <= score.covered <= 1 and set(score.figures) == {"halfwidth", "together"}
    assert world.score(answer, list(answer.value)).covered == 1.0
    assert "300 made-up users with 20 vectors of 4 coordinates each, every coordinate beta:2,5" in str(world.words)
    with pytest.raises(sv.InvalidInput, match="distribution"):
        VectorWorld(settings=settings, distribution="normal")
