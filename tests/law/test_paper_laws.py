"""The fast simulations have the law of the literal algorithms.

Two-sample Kolmogorov–Smirnov tests, seeds fixed. All p-values of a group must exceed 1e-3 divided by their number, so a
correct program fails a group in at most one of a thousand seeds; the number of tests and the smallest p are printed.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import ks_2samp

from sottovoce.baselines import OneItem
from sottovoce.baselines.duchi import cube_reports, cube_side, sphere_reports
from sottovoce.engines import run, simulate
from sottovoce.paper.figures import mixture, multivariate, study
from sottovoce.paper.simulation import averages, sparse_selection
from sottovoce.paper.simulation.vote_then_refine import (
    coordinatewise_estimates,
    mean_scheme,
    squared_errors,
    surveys_with_deltas,
    user_level_estimates,
    user_level_mean,
    vector_scheme,
    voters_and_refiners,
)
from sottovoce.problems.mean import Mean
from sottovoce.problems.mixture import MixtureMeans
from sottovoce.problems.sparse import SparseMean
from sottovoce.problems.vector import VectorMean
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
    return averages.rademacher(stream, T, 0.5, (count, n)) + shift[:, None], shift


@pytest.mark.law
@pytest.mark.slow
@pytest.mark.parametrize("every", [7, pytest.param(1, marks=pytest.mark.soak)])
def test_the_univariate_simulations_have_the_law_of_the_pseudocode(every: int) -> None:
    """80 settings, the NumPy and the compiled simulation each against the literal one, on errors with their sign."""
    numpy_p, compiled_p = [], []
    for place, (n, T, alpha, width) in list(enumerate(SETTINGS))[::every]:
        stream = np.random.default_rng([7, place])
        count = 300
        held, shift = users(stream, n, T, count)
        slow = [user_level_mean(stream, row, delta=width, epsilon=alpha) for row in held] - shift
        held, shift = users(stream, n, T, count)
        surveys = surveys_with_deltas(n, T, (alpha,), (width,))
        scheme = surveys.schemes[0][0]
        fast = user_level_estimates(stream, *voters_and_refiners(held, scheme), scheme=scheme) - shift
        numpy_p.append(float(ks_2samp(slow, fast).pvalue))
        held, shift = users(stream, n, T, count)
        squares = [
            squared_errors(stream, held[i : i + 1], shift[i : i + 1], surveys=surveys, compiled=True)[0][0, 0]
            for i in range(count)
        ]
        compiled_p.append(float(ks_2samp(slow**2, squares).pvalue))
    verdict("NumPy against the pseudocode", numpy_p)
    verdict("compiled against the pseudocode", compiled_p)


@pytest.mark.law
def test_the_test_above_can_fail() -> None:
    """A simulation with ω_α in place of ω_{α/2} is found out."""
    stream = np.random.default_rng(3)
    held, shift = users(stream, 50, 400, 300)
    slow = [user_level_mean(stream, row, delta=0.05, epsilon=1.0) for row in held] - shift
    held, shift = users(stream, 50, 400, 300)
    scheme = mean_scheme(50, 400, 2.0, delta=0.05)
    wrong = user_level_estimates(stream, *voters_and_refiners(held, scheme), scheme=scheme) - shift
    assert ks_2samp(slow, wrong).pvalue < 1e-5


@pytest.mark.law
def test_user_means_have_the_law_of_averages() -> None:
    stream = np.random.default_rng(5)
    size = (2000,)
    found = []
    for T in (60, 200):
        found.append(ks_2samp(averages.uniform(stream, T, size), stream.random((2000, T)).mean(axis=1)).pvalue)
        for shape in (0.1, 0.5, 1.0, 3.0):
            raw = 2 * stream.beta(shape, shape, (2000, T)).mean(axis=1) - 1
            found.append(ks_2samp(averages.beta(stream, T, shape, size), raw).pvalue)
        for d in (8, 32):
            points = averages.sphere(stream, d, 2000 * T)[:, 3].reshape(2000, T).mean(axis=1)
            found.append(ks_2samp(averages.sphere_coordinate(stream, T, d, size), points).pvalue)
        points = averages.sphere(stream, 8, 2000 * T).reshape(2000, T, 8).mean(axis=1)
        whole = averages.sphere_vectors(stream, T, 8, 2000)
        found.append(ks_2samp((whole**2).sum(axis=1), (points**2).sum(axis=1)).pvalue)
        found.append(ks_2samp(whole[:, 5], points[:, 5]).pvalue)
        found.append(ks_2samp(averages.laplace_sum(stream, T, size), stream.laplace(size=(2000, T)).sum(axis=1)).pvalue)
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
            x[:, 0] = averages.rademacher(stream, 20, 0.9, (400,))
            error = sphere_reports(x, alpha, 1.0, stream).mean(axis=0) - 0.8 * np.eye(d)[0]
            single.append((error**2).sum())
            average = multivariate.sphere_reports_along_axis(stream, d, 400, 0.8, (alpha,))[0]
            together.append(((average - 0.8 * np.eye(d)[0]) ** 2).sum())
        found.append(float(ks_2samp(single, together).pvalue))
    for d, alpha in ((10, 1.0), (11, 4.0)):
        crowd = sparse_selection.SparseUsers(users=20, observations=20, dimension=d, sparsity=3, chance=0.8)
        theta = np.where(np.arange(d) < 3, crowd.signal, 0.0)
        cut = cube_side(d, alpha, 1.0) * math.sqrt(2 * math.log(d) / 400)
        single = []
        for _ in range(400):
            chance = np.where(np.arange(d) < 3, 0.8, 0.5)
            x = np.where(stream.random((400, d)) < chance, 1.0, -1.0)
            average = cube_reports(x, alpha, 1.0, stream).mean(axis=0)
            soft = np.sign(average) * np.maximum(np.abs(average) - cut, 0)
            single.append(((soft - theta) ** 2).sum())
        found.append(float(ks_2samp(single, sparse_selection.item_level_errors(stream, crowd, alpha, 400)).pvalue))
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
        return averages.rademacher(stream, T, 0.9, shape) if coordinate == 0 else np.zeros(shape)

    scheme = vector_scheme(n, T, alpha, dimension=d, ball="linf")
    fast = coordinatewise_estimates(stream, draw, scheme=scheme, repetitions=count)
    found.append(float(ks_2samp(slow, ((fast - theta) ** 2).sum(axis=1)).pvalue))

    crowd = sparse_selection.SparseUsers(users=200, observations=60, dimension=12, sparsity=2, chance=0.9)
    goal = np.where(np.arange(12) < 2, 0.8, 0.0)
    for rule in ({"rank": "votes"}, {"rank": "first"}, {"rank": "votes", "cut": True}, {"rank": "first", "cut": False}):
        few = SparseMean(
            epsilon=alpha, users=200, observations=60, dimension=12, sparsity=2, method="paper", procedure="selection",
            **rule,
        )  # fmt: skip
        selection, slow, chosen = crowd.asked(alpha, sparsity=2, **rule), [], []
        ballot = sparse_selection.Ballot.of(selection)
        for repetition in range(count):
            x = np.where(stream.random((200, 60, 12)) < np.where(np.arange(12) < 2, 0.9, 0.5), 1.0, -1.0)
            value = np.array(run(few, simulate(rectangle(x), seed=4, repetition=repetition)).value)
            slow.append(((value - goal) ** 2).sum())
            sign = sparse_selection.public_signs(stream, (100, 12))
            hashed = sparse_selection.hashes(stream, crowd, sign, ballot.threshold)
            chosen.append(
                sparse_selection.selected_coordinates(selection, sparse_selection.scores(stream, sign, hashed, ballot))
            )
        found.append(float(ks_2samp(slow, sparse_selection.refined_errors(stream, crowd, chosen, selection)).pvalue))

    weights, chances = np.full(3, 1 / 3), np.array([1, 4, 7]) / 8
    mixed = MixtureMeans(epsilon=alpha, users=300, observations=200, low=-1, high=1, components=3, method="paper")
    slow = []
    for repetition in range(count):
        kind = stream.integers(0, 3, size=300)
        x = np.where(stream.random((300, 200)) < chances[kind][:, None], 1.0, -1.0)
        value = np.array(run(mixed, simulate(rectangle(x), seed=5, repetition=repetition)).means)
        slow.append(((np.sort(value) - (2 * chances - 1)) ** 2).sum())
    held = mixture.draw_means(stream, weights, chances, 200, (count, 300))
    value = mixture.estimates(stream, held, survey=mixed)
    found.append(float(ks_2samp(slow, ((np.sort(value, axis=1) - (2 * chances - 1)) ** 2).sum(axis=1)).pvalue))
    verdict("vectors, sparse means, mixtures", found)


@pytest.mark.law
@pytest.mark.slow
def test_the_study_of_real_data_has_the_law_of_the_protocols() -> None:
    """One share and four shares against the shipped protocols: the same users, dealt anew in every repetition."""
    stream = np.random.default_rng(21)
    count, n, T, found = 150, 300, 20, []
    own = stream.dirichlet(np.array([2.0, 3.0, 4.0, 6.0]), size=n)
    held = np.stack([stream.choice(4, size=T, p=chance) for chance in own])
    ones, truth = (held == 3).astype(np.int64), np.bincount(held.ravel(), minlength=4) / held.size
    indicators = 2.0 * (held[:, :, None] == np.arange(4)) - 1
    fast = study.one_share_errors(stream, ones, float(truth[3]), count)
    many = study.group_share_errors(stream, held, truth, count)
    for alpha in (1.0, 4.0):
        single = Mean(epsilon=alpha, users=n, observations=T, low=-1, high=1, method="paper")
        whole = VectorMean(epsilon=alpha, users=n, observations=T, dimension=4, low=-1, high=1, method="paper")
        slow: dict[str, list[float]] = {"one": [], "four": []}
        for repetition in range(count):
            value = run(single, simulate(rectangle(2.0 * ones - 1), seed=6, repetition=repetition)).value
            slow["one"].append(((value + 1) / 2 - truth[3]) ** 2)
            values = np.array(run(whole, simulate(rectangle(indicators), seed=7, repetition=repetition)).value)
            slow["four"].append((((values + 1) / 2 - truth) ** 2).sum())
        found.append(float(ks_2samp(slow["one"], fast["user level", alpha]).pvalue))
        found.append(float(ks_2samp(slow["four"], many["user level", alpha]).pvalue))
        bit = OneItem(epsilon=alpha, low=0.0, high=1.0, users=n)
        items = [run(bit, simulate(rectangle(ones), seed=8, repetition=one)).value for one in range(count)]
        found.append(float(ks_2samp((np.array(items) - truth[3]) ** 2, fast["one item", alpha]).pvalue))
    verdict("real data", found)
