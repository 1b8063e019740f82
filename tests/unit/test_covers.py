"""Covers cover: every point tried lies within the radius, and the radius is within the Δ that was asked for."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sottovoce as sv
from sottovoce.problems.cover import COVER, Cover, CoverSelect, covers

RNG = np.random.default_rng(0)


def distance(points: np.ndarray, cover: Cover) -> np.ndarray:
    """From every point to its nearest centre."""
    apart = np.abs(points[:, None, :] - np.array(cover.centres)[None, :, :])
    far = apart.max(axis=2) if cover.metric == "linf" else np.sqrt((apart**2).sum(axis=2))
    return np.asarray(far.min(axis=1))


def inside_ball(count: int, dimension: int, radius: float) -> np.ndarray:
    """Half of them on the sphere, where covers are thinnest."""
    directions = RNG.normal(size=(count, dimension))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    lengths = np.where(np.arange(count) % 2, 1.0, RNG.random(count) ** (1 / dimension))
    return np.asarray(radius * lengths[:, None] * directions)


def check(cover: Cover, points: np.ndarray, delta: float) -> None:
    assert cover.radius <= delta * (1 + 1e-9)
    assert distance(points, cover).max() <= cover.radius * (1 + 1e-9)
    assert len(set(cover.centres)) == len(cover)
    if len(cover) > 1:
        CoverSelect(epsilon=1.0, users=10, centres=cover.centres, metric=cover.metric, radius=cover.radius)


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 4), st.floats(0.25, 1.5), st.floats(0.1, 10.0), st.sampled_from(["l2", "linf"]))
def test_linf_ball(dimension: int, delta: float, radius: float, metric: Any) -> None:
    made = covers.linf_ball(dimension=dimension, delta=delta * radius, radius=radius, metric=metric)
    corners = RNG.choice([-1.0, 0.0, 1.0], size=(50, dimension))
    check(made, radius * np.concatenate((corners, RNG.uniform(-1, 1, (200, dimension)))), delta * radius)
    assert np.abs(made.centres).max() <= radius


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 4), st.floats(0.3, 1.5), st.floats(0.1, 10.0))
def test_l2_ball(dimension: int, delta: float, radius: float) -> None:
    made = covers.l2_ball(dimension=dimension, delta=delta * radius, radius=radius)
    check(made, inside_ball(250, dimension, radius), delta * radius)
    assert np.linalg.norm(made.centres, axis=1).max() <= radius * (1 + 1e-9)


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 9), st.integers(1, 3), st.floats(0.4, 1.5))
def test_sparse_vectors(dimension: int, sparsity: int, delta: float) -> None:
    sparsity = min(sparsity, dimension)
    made = covers.sparse_vectors(dimension=dimension, sparsity=sparsity, delta=delta)
    points = RNG.uniform(-1, 1, (150, dimension))
    hidden = np.argsort(RNG.random(points.shape), axis=1) >= sparsity
    check(made, np.where(hidden, 0.0, points), delta)
    assert (np.array(made.centres) != 0).sum(axis=1).max() <= sparsity


@pytest.mark.parametrize(
    ("smoothness", "radius", "delta"), [(1, 2.0, 0.5), (1, 2.0, 0.3), (2, 4.0, 0.3), (3, 9.0, 0.2)]
)
def test_sobolev_densities(smoothness: int, radius: float, delta: float) -> None:
    """Coefficients on the boundary of the ellipsoid, far beyond M: those above M count with all their length."""
    made = covers.sobolev_densities(smoothness=smoothness, radius=radius, delta=delta)
    kept, last = len(made.functions), 40
    index = np.arange(2, last + 1, dtype=float)
    rho = math.sqrt(radius**2 - 1)
    few = np.where(np.arange(last - 1)[None, :] < RNG.integers(1, last, size=(800, 1)), 1.0, 0.0)
    points = few * RNG.normal(size=(800, last - 1)) * RNG.choice([0.02, 1.0], size=(800, last - 1))
    points[:last] = np.eye(last)[:, : last - 1]  # the ends of the axes, the first above M among them
    points[:last][points[:last].sum(axis=1) == 0] = 1.0
    points *= rho / np.sqrt(((points * index**smoothness) ** 2).sum(axis=1, keepdims=True))
    far = np.hypot(distance(points[:, :kept], made), np.linalg.norm(points[:, kept:], axis=1))
    assert made.functions == tuple(range(2, kept + 2))
    assert far.max() * (1 - 1e-12) <= made.radius <= delta * (1 + 1e-9)
    assert far.max() > 0.5 * made.radius, "the points tried come near to the guarantee"


def select(data: Any, cover: Cover) -> sv.CoverEstimate:
    """As a call does: read, prepare, ask."""
    assert COVER.call.prepare is not None
    people, fields = COVER.call.prepare(sv.collections(data), {"centres": cover})
    answer = sv.run(CoverSelect(**fields, epsilon=3.0, users=people.users), sv.simulate(people, seed=2))
    assert isinstance(answer, sv.CoverEstimate)
    return answer


def test_a_density_is_found() -> None:
    """Beta(2, 2): coefficients −.43 for cos 2πx and 0 for the sine; the centre chosen is within Δ and a bit."""
    made = covers.sobolev_densities(smoothness=2, radius=4.0, delta=0.25)
    data = np.random.default_rng(1).beta(2, 2, size=(1500, 400))
    answer = select(data, made)
    truth = np.zeros(len(made.functions))
    truth[0] = -6 * math.sqrt(2) / (2 * math.pi**2)
    assert np.linalg.norm(np.array(made.centres[answer.index]) - truth) < made.radius + 0.05
    assert answer.share < 0.9 and answer.error_bound is None  # 400 observations: users do not all see the same point
    empty = select([[0.5], []] * 20, made)
    assert empty.size == len(made)


@pytest.mark.parametrize(
    ("make", "setting"),
    [
        (covers.linf_ball, {"dimension": 8, "delta": 0.1}),
        (covers.linf_ball, {"dimension": 1, "delta": 1e-9}),
        (covers.linf_ball, {"dimension": 4, "delta": 5e-324, "metric": "l2"}),
        (covers.l2_ball, {"dimension": 8, "delta": 0.3}),
        (covers.l2_ball, {"dimension": 2, "delta": 1e-4}),
        (covers.sparse_vectors, {"dimension": 16, "sparsity": 2, "delta": 0.03}),
        (covers.sobolev_densities, {"smoothness": 1.0, "radius": 2.0, "delta": 0.05}),
    ],
)
def test_too_fine_a_cover_says_what_fits(make: Any, setting: dict[str, Any]) -> None:
    """And it does fit, in a question that devices accept; a tenth finer does not."""
    with pytest.raises(sv.InvalidInput, match="more centres than fit") as caught:
        make(**setting)
    fits = float(str(caught.value).split("about ")[1].split()[0])
    made = make(**setting | {"delta": fits})
    CoverSelect(epsilon=1.0, users=10, centres=made.centres, metric=made.metric)
    with pytest.raises(sv.InvalidInput, match="more centres than fit"):
        make(**setting | {"delta": 0.9 * fits})


@pytest.mark.parametrize(
    ("make", "setting", "words"),
    [
        (covers.linf_ball, {"dimension": 0, "delta": 0.1}, "dimension"),
        (covers.linf_ball, {"dimension": 2.0, "delta": 0.1}, "dimension"),
        (covers.linf_ball, {"dimension": 2, "delta": 0.0}, "delta"),
        (covers.linf_ball, {"dimension": 3000, "delta": 0.3}, "no delta"),
        (covers.l2_ball, {"dimension": 2, "delta": 0.1, "radius": math.inf}, "radius"),
        (covers.sparse_vectors, {"dimension": 4, "sparsity": 5, "delta": 0.1}, "from 1 to dimension=4"),
        (covers.sparse_vectors, {"dimension": 4, "sparsity": 0, "delta": 0.1}, "sparsity"),
        (covers.sobolev_densities, {"smoothness": 1.0, "radius": 1.0, "delta": 0.1}, "uniform density alone"),
        (covers.sobolev_densities, {"smoothness": 0.0, "radius": 2.0, "delta": 0.1}, "smoothness"),
        (covers.sobolev_densities, {"smoothness": 1.0, "radius": 2.0, "delta": 3.0}, "one centre"),
    ],
)
def test_bad_settings(make: Any, setting: dict[str, Any], words: str) -> None:
    with pytest.raises(sv.InvalidInput, match=words):
        make(**setting)
