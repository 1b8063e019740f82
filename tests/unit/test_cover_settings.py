"""Choosing from a cover: bad settings, the call, predictions, made-up users."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sottovoce as sv
from sottovoce.problems.base import choose
from sottovoce.problems.cover import COVER
from sottovoce.risk import Crowd
from tests.support import rectangle
from tests.unit.test_cover import SQUARE, cover, select


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"size": 3}, "either centres"),
        ({"centres": None, "size": 2.0}, "size must be a whole number"),
        ({"centres": ()}, "got 0"),
        ({"centres": ((1.0,),)}, "got 1"),
        ({"centres": ((), ())}, "at least 1"),
        ({"centres": ((1.0,), (math.nan,))}, "finite"),
        ({"centres": tuple((k / 7,) * 40 for k in range(9000))}, "coarser cover"),
        ({"method": "hands"}, "one of auto, subset, unary"),
        ({"diameter": math.inf}, "diameter"),
        ({"epsilon": 17.0}, "epsilon"),
        ({"users": 0}, "users"),
        ({"confidence": 0.0}, "confidence"),
    ],
)
def test_bad_settings(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(sv.InvalidInput, match=words):
        cover(**changes)


def test_call_takes_arrays_frames_and_any_distance() -> None:
    rng = np.random.default_rng(1)
    data = rng.normal([0.9, -0.8], 0.3, size=(300, 5, 2))
    setting: dict[str, Any] = {"epsilon": 3.0, "seed": 4}
    answer = select(data, centres=SQUARE, **setting)
    assert answer.index == 2
    flat = data.reshape(-1, 2)
    frame = pd.DataFrame({"who": np.repeat(np.arange(300), 5), "x": flat[:, 0], "y": flat[:, 1]})
    assert select(frame, user="who", value=["x", "y"], centres=np.array(SQUARE), **setting) == answer

    def apart(observations: np.ndarray, centre: Any) -> float:
        return float(((observations.mean(axis=0) - centre) ** 2).sum())

    again = select(data, centres=SQUARE, distance=apart, metric="linf", **setting)
    assert (again.index, again.top, again.centre) == (2, answer.top, None)
    words = ["short", "middling", "long as anything"]
    lengths = rng.integers(14, 19, size=(300, 7))
    found = select(lengths, centres=words, distance=lambda x, w: abs(np.median(x) - len(w)), **setting)
    assert words[found.index] == "long as anything"
    assert select(lengths, centres=[5, 16.0, 30], **setting).index == 1


@pytest.mark.parametrize(
    ("data", "centres", "words"),
    [
        (np.zeros((5, 4, 3)), SQUARE, r"\(N, 3\), like the observations; got shape \(4, 2\)"),
        (np.zeros((5, 4)), SQUARE, r"\(N, 1\), or N numbers"),
        (np.zeros((5, 4)), ["a", "b"], "need a distance"),
        (np.zeros((5, 4)), [1.0], "got 1"),
        (np.zeros((5, 4)), None, "centres are needed"),
        (np.zeros((5, 4, 2)), "density", "one value column; the data have 2"),
    ],
)
def test_call_refuses(data: np.ndarray, centres: Any, words: str) -> None:
    if centres == "density":
        centres = sv.covers.sobolev_densities(smoothness=1, radius=2.0, delta=0.5)
    with pytest.raises(sv.InvalidInput, match=words):
        select(data, centres=centres, epsilon=1.0, seed=1)


def test_a_cover_brings_its_metric_and_its_bound() -> None:
    grid = sv.covers.linf_ball(dimension=2, delta=0.5)
    data = np.random.default_rng(1).normal([0.6, -0.7], 0.1, size=(300, 5, 2))
    answer = select(data, centres=grid, epsilon=3.0, seed=4, method="subset", confidence=0.9)
    assert (answer.radius, answer.size, answer.confidence) == (grid.radius, len(grid), 0.9)
    assert answer.method == "subset" and answer.error_bound is not None
    protocol = sv.CoverSelect(epsilon=1.0, users=9, centres=grid.centres, metric=grid.metric, radius=grid.radius)
    assert protocol.error_bound == replace(protocol, diameter=grid.diameter).error_bound


@pytest.mark.parametrize("given", [{"metric": "l2"}, {"radius": 0.5}, {"diameter": 3.0}])
@pytest.mark.parametrize("centres", ["linf-ball", sv.covers.linf_ball(dimension=2, delta=0.5)])
def test_what_a_cover_would_override_is_refused(given: Any, centres: Any) -> None:
    data = np.zeros((300, 5, 2))
    with pytest.raises(ValueError, match=f"{next(iter(given))}: the cover brings its own .*metric linf"):
        sv.cover_select(data, centres=centres, epsilon=3.0, seed=4, **given)
    assert sv.cover_select(data, centres=centres, epsilon=3.0, seed=4, metric="linf").radius is not None


def test_auto_is_subset() -> None:
    people = rectangle(np.broadcast_to([0.9, -0.8], (500, 3, 2)).copy())
    auto, subset = (sv.run(cover(method=method), sv.simulate(people, seed=1)) for method in ("auto", "subset"))
    assert cover().method == "auto" and auto == subset and auto.method == "subset"
    assert choose(cover(centres=None, size=3)).method.name == "subset", "choosing needs no distances"


@pytest.mark.parametrize("method", ["unary", "subset"])
@pytest.mark.parametrize("users", [12, 40])
def test_prediction_holds_for_made_up_users(method: Any, users: int) -> None:
    """600 repetitions: the squared error within 20 %, at least four standard errors, of the predicted one."""
    grid = sv.covers.linf_ball(dimension=2, delta=0.5)
    protocol = cover(centres=grid.centres, epsilon=1.5, users=users, method=method)
    world = COVER.world(settings=protocol, spread=0.2)
    stream, found = np.random.default_rng(1), []
    for repetition in range(600):
        people = rectangle(world.draw(stream))
        answer = sv.run(protocol, sv.simulate(people, seed=2, repetition=repetition))
        found.append(world.score(answer, world.truth).squared_error)
    predicted = 2 * choose(protocol).predict(Crowd(spread=0.2)).mse  # of a coordinate, on average over two
    error = np.std(found) / math.sqrt(len(found))
    assert 4 * error < 0.2 * predicted
    assert np.mean(found) == pytest.approx(predicted, rel=0.2)


def test_made_up_users() -> None:
    world = COVER.world(settings=cover(users=400), around=(0.9, -0.7), spread=0.1)
    assert world.truth == {"index": 2, "point": [0.9, -0.7]} and world.numbers_per_draw == 800
    data = world.draw(np.random.default_rng(1))
    assert data.shape == (400, 1, 2)
    assert data.mean(axis=(0, 1)) == pytest.approx([0.9, -0.7], abs=0.025)  # five standard errors
    assert data.std(axis=(0, 1)) == pytest.approx(0.1, rel=0.2)
    answer = sv.run(world.settings, sv.simulate(rectangle(data), seed=1))
    score = world.score(answer, world.truth)
    assert score.squared_error == pytest.approx(0.1) and score.figures["right"] == 1.0 and score.covered == 1.0
    assert set(score.figures) == set(world.figures)
    assert "400 made-up users with averages around (0.9, -0.7)" in str(world.words)
    assert "centre 2" in str(world.words)
    assert COVER.world(settings=cover(), around=0.5).truth["point"] == [0.5, 0.5]
    halfway = COVER.world(settings=cover()).truth
    assert halfway["index"] == 0 and halfway["point"] == pytest.approx([-1.0, -0.1])
    assert world.truth_from_means(np.zeros((3, 2))) is None


def test_no_distances_without_centres() -> None:
    by_index = cover(centres=None, size=3)
    for ask in (
        lambda: COVER.world(settings=by_index),
        lambda: choose(by_index).predict(Crowd()),
        lambda: COVER.full_scale(by_index),
    ):
        with pytest.raises(sv.InvalidInput, match="a plan needs centres"):
            ask()
