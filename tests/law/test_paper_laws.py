"""The fast simulations have the law of the literal algorithms.

Two-sample Kolmogorov–Smirnov tests, seeds fixed. All p-values of a group must exceed 1e-3 divided by their number, so a
correct program fails a group in at most one of a thousand seeds; the number of tests and the smallest p are printed.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import ks_2samp

from sottovoce.baselines.duchi import cube_reports, sphere_reports
from sottovoce.engines import run, simulate
from sottovoce.paper.fast import literal, means, mixture, sparse, vectors
from sottovoce.paper.fast.univariate import squared_errors, user_level
from sottovoce.problems import MixtureMeans, SparseMean, VectorMean
from sottovoce.schemes import experiment_delta
from tests.support import rectangle

FALSE_ALARM = 1e-3
SETTINGS = [
    (n, T, alpha, width)
    for n, T in ((10, 20), (20, 100), (50, 400), (100, 100), (60, 10_000))
    for alpha in (0.5, 1.0, 2.0, 4.0)
    for width in (0.0005, 0.013, 0.1, 0.6)
]


def verdict(name: str, found: list[float]) -> None:
    print(f"{name}: {len(found)} tests, smallest p = {min(found):.2g}")
    assert min(found) > FALSE_ALARM / len(found)


def users(stream: np.random.Generator, n: int, T: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    shift = stream.uniform(-0.3, 0.3, (count,))
    return means.rademacher(stream, T, 0.5, (count, n)) + shift[:, None], shift


@pytest.mark.law
@pytest.mark.slow
def test_the_univariate_simulations_have_the_law_of_the_pseudocode() -> None:
    """80 settings, the NumPy and the compiled simulation each against the literal one, on errors with their sign."""
    numpy_p, compiled_p = [], []
    for place, (n, T, alpha, width) in enumerate(SETTINGS):
        stream = np.random.default_rng([7, place])
        count = 300
        held, shift = users(stream, n, T, count)
        slow = [literal.user_level_mean(stream, row, delta=width, epsilon=alpha) for row in held] - shift
        held, shift = users(stream, n, T, count)
        fast = user_level(stream, held[:, : n // 2], held[:, n // 2 :], delta=width, epsilon=alpha) - shift
        numpy_p.append(float(ks_2samp(slow, fast).pvalue))
        held, shift = users(stream, n, T, count)
        squares = [
            squared_errors(
                stream, held[i : i + 1, : n // 2], held[i : i + 1, n // 2 :], shift[i : i + 1],
                deltas=np.array([[width]]), epsilons=np.array([alpha]), compiled=True,
            )[0][0, 0]
            for i in range(count)
        ]  # fmt: skip
        compiled_p.append(float(ks_2samp(slow**2, squares).pvalue))
    verdict("NumPy against the pseudocode", numpy_p)
    verdict("compiled against the pseudocode", compiled_p)


@pytest.mark.law
def test_the_test_above_can_fail() -> None:
    """A simulation with ω_α in place of ω_{α/2} is found out."""
    stream = np.random.default_rng(3)
    held, shift = users(stream, 50, 400, 300)
    slow = [literal.user_level_mean(stream, row, delta=0.05, epsilon=1.0) for row in held] - shift
    held, shift = users(stream, 50, 400, 300)
    wrong = user_level(stream, held[:, :25], held[:, 25:], delta=0.05, epsilon=2.0) - shift
    assert ks_2samp(slow, wrong).pvalue < 1e-5


@pytest.mark.law
def test_user_means_have_the_law_of_averages() -> None:
    stream = np.random.default_rng(5)
    size = (2000,)
    found = []
    for T in (60, 200):
        found.append(ks_2samp(means.uniform(stream, T, size), stream.random((2000, T)).mean(axis=1)).pvalue)
        for shape in (0.1, 0.5, 1.0, 3.0):
            raw = 2 * stream.beta(shape, shape, (2000, T)).mean(axis=1) - 1
            found.append(ks_2samp(means.beta(stream, T, shape, size), raw).pvalue)
        for d in (8, 32):
            points = means.sphere(stream, d, 2000 * T)[:, 3].reshape(2000, T).mean(axis=1)
            found.append(ks_2samp(means.sphere_coordinate(stream, T, d, size), points).pvalue)
        found.append(ks_2samp(means.laplace_sum(stream, T, size), stream.laplace(size=(2000, T)).sum(axis=1)).pvalue)
    verdict("averages", [float(p) for p in found])


@pytest.mark.law
def test_aggregated_reports_have_the_law_of_single_ones() -> None:
    """Duchi's reports on the ball along an axis, and on the cube after a soft threshold."""
    stream = np.random.default_rng(8)
    found = []
    for d, alpha in ((8, 2.0), (16, 4.0)):
        x = np.zeros((400, d))
        single, together = [], []
        for _ in range(200):
            x[:, 0] = means.rademacher(stream, 20, 0.9, (400,))
            error = sphere_reports(x, alpha, 1.0, stream).mean(axis=0) - 0.8 * np.eye(d)[0]
            single.append((error**2).sum())
            average = vectors.sphere_reports_along_axis(stream, d, 400, 0.8, (alpha,))[0]
            together.append(((average - 0.8 * np.eye(d)[0]) ** 2).sum())
        found.append(float(ks_2samp(single, together).pvalue))
    for d, alpha in ((10, 1.0), (11, 4.0)):
        crowd = sparse.SparseUsers(users=20, observations=20, dimension=d, sparsity=3, chance=0.8)
        theta = np.where(np.arange(d) < 3, crowd.signal, 0.0)
        cut = sparse.cube_side(d, alpha) * math.sqrt(2 * math.log(d) / 400)
        single = []
        for _ in range(400):
            chance = np.where(np.arange(d) < 3, 0.8, 0.5)
            x = np.where(stream.random((400, d)) < chance, 1.0, -1.0)
            average = cube_reports(x, alpha, 1.0, stream).mean(axis=0)
            soft = np.sign(average) * np.maximum(np.abs(average) - cut, 0)
            single.append(((soft - theta) ** 2).sum())
        found.append(float(ks_2samp(single, sparse.item_level(stream, crowd, alpha, 400)).pvalue))
    verdict("reports of Duchi et al.", found)


@pytest.mark.law
@pytest.mark.slow
def test_fast_vectors_sparse_and_mixtures_have_the_law_of_the_protocols() -> None:
    """Against the shipped protocols on the simulation engine, which ask real questions of raw observations."""
    stream = np.random.default_rng(11)
    count, found = 150, []
    n, T, d, alpha = 160, 50, 4, 4.0
    theta = np.array([0.8, 0, 0, 0])
    asked = VectorMean(epsilon=alpha, users=n, observations=T, dimension=d, ball="linf", method="paper")
    slow = []
    for repetition in range(count):
        x = np.zeros((n, T, d))
        x[:, :, 0] = np.where(stream.random((n, T)) < 0.9, 1.0, -1.0)
        value = np.array(run(asked, simulate(rectangle(x), seed=3, repetition=repetition)).value)
        slow.append(((value - theta) ** 2).sum())

    def draw(coordinate: int, shape: tuple[int, int]) -> np.ndarray:
        return means.rademacher(stream, T, 0.9, shape) if coordinate == 0 else np.zeros(shape)

    fast = vectors.coordinatewise(
        stream, draw, theta, users=n, delta=experiment_delta(n / d, T, alpha), epsilon=alpha, repetitions=count
    )
    found.append(float(ks_2samp(slow, ((fast - theta) ** 2).sum(axis=1)).pvalue))

    crowd = sparse.SparseUsers(users=200, observations=60, dimension=12, sparsity=2, chance=0.9)
    few = SparseMean(
        epsilon=alpha, users=200, observations=60, dimension=12, sparsity=2, method="paper", procedure="selection",
        rank="votes", cut=False, threshold_constant=1.0,
    )  # fmt: skip
    goal = np.where(np.arange(12) < 2, 0.8, 0.0)
    slow, chosen = [], []
    for repetition in range(count):
        x = np.where(stream.random((200, 60, 12)) < np.where(np.arange(12) < 2, 0.9, 0.5), 1.0, -1.0)
        value = np.array(run(few, simulate(rectangle(x), seed=4, repetition=repetition)).value)
        slow.append(((value - goal) ** 2).sum())
        sign = sparse.signs(stream, (100, 12))
        hashed = sparse.hashes(stream, crowd, sign, sparse.threshold(crowd, alpha, 1.0))
        chosen.append(sparse.most_votes(sparse.scores(stream, sign, hashed, eta=math.sqrt(2), alpha=alpha), 2))
    found.append(float(ks_2samp(slow, sparse.refine(stream, crowd, chosen, users=100, alpha=alpha)).pvalue))

    weights, chances = np.full(3, 1 / 3), np.array([1, 4, 7]) / 8
    mixed = MixtureMeans(epsilon=alpha, users=300, observations=200, low=-1, high=1, components=3, method="paper")
    slow = []
    for repetition in range(count):
        kind = stream.integers(0, 3, size=300)
        x = np.where(stream.random((300, 200)) < chances[kind][:, None], 1.0, -1.0)
        value = np.array(run(mixed, simulate(rectangle(x), seed=5, repetition=repetition)).means)
        slow.append(((np.sort(value) - (2 * chances - 1)) ** 2).sum())
    held = mixture.draw_means(stream, weights, chances, 200, (count, 300))
    value = mixture.estimates(stream, held, components=3, delta=experiment_delta(300, 200, alpha), epsilon=alpha)
    found.append(float(ks_2samp(slow, ((np.sort(value, axis=1) - (2 * chances - 1)) ** 2).sum(axis=1)).pvalue))
    verdict("vectors, sparse means, mixtures", found)
