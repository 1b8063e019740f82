"""Baselines for vectors: unbiased, with the moments their docstrings claim; private by enumeration where it can be."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce import baselines
from sottovoce.baselines import BASELINES, DuchiMean, ItemDensity, ItemSparse, OneCategory, duchi
from sottovoce.checks import check_protocol
from sottovoce.messages import Question
from tests.support import rectangle


@pytest.mark.parametrize("dimension", [1, 2, 3, 4, 7, 8])
@pytest.mark.parametrize("ball", ["l2", "linf"])
def test_reports_have_the_claimed_moments(dimension: int, ball: Any) -> None:
    """Means and second moments of 40,000 reports within 5 standard errors: a false alarm in about 1e-5 of seeds."""
    rng = np.random.default_rng(dimension)
    x = rng.normal(size=dimension)
    x *= 0.7 / np.abs(x).max() if ball == "linf" else 0.7 / np.sqrt((x**2).sum())
    maker = duchi.sphere_reports if ball == "l2" else duchi.cube_reports
    reports = maker(np.tile(2 * x, (40_000, 1)), 1.3, 2.0, rng)
    variance = duchi.Mechanism(ball=ball, dimension=dimension, epsilon=1.3, radius=2.0).variance
    errors = np.sqrt(variance / len(reports))
    assert np.abs(reports.mean(axis=0) - 2 * x).max() < 5 * errors
    second = reports.T @ reports / len(reports)
    assert np.abs(second - variance * np.eye(dimension)).max() < 5 * variance * math.sqrt(3 / len(reports))
    if ball == "l2":
        assert np.sqrt((reports**2).sum(axis=1)) == pytest.approx(duchi.sphere_radius(dimension, 1.3, 2.0))
    else:
        assert np.abs(reports) == pytest.approx(duchi.cube_side(dimension, 1.3, 2.0))


@pytest.mark.parametrize("dimension", [1, 2, 3, 4, 6])
def test_cube_law_is_private_and_unbiased_by_enumeration(dimension: int) -> None:
    """ERRATA P4: with ties kept at 2^-d the worst ratio is e^ε (1 + e^ε never appears) and the mean is the corner."""
    epsilon = 1.1
    keep = 1 / (1 + math.exp(-epsilon))
    corners = np.array(list(itertools.product((-1, 1), repeat=dimension)))
    laws = []
    for own in corners:
        agree = corners @ own
        law = np.where(agree > 0, 2 * keep, np.where(agree < 0, 2 * (1 - keep), 1.0)) / 2**dimension
        assert law.sum() == pytest.approx(1)
        assert duchi.cube_side(dimension, epsilon, 1.0) * law @ corners == pytest.approx(own)
        laws.append(law)
    worst = (np.max(laws, axis=0) / np.min(laws, axis=0)).max()
    assert worst == pytest.approx(math.exp(epsilon))


@pytest.mark.parametrize("ball", ["l2", "linf"])
@pytest.mark.parametrize("level", ["item", "user"])
def test_normal_law_agrees_with_the_exact_one(ball: Any, level: Any) -> None:
    """400 squared errors of each law, Kolmogorov–Smirnov p above 1e-3; seeds fixed."""
    from scipy.stats import ks_2samp

    people = rectangle(np.random.default_rng(1).uniform(-0.9, 0.9, size=(50, 6, 4)))
    errors = []
    for law in ("exact", "normal"):
        baseline = DuchiMean(epsilon=1.0, dimension=4, ball=ball, level=level, radius=1.0, law=law)  # type: ignore[arg-type]
        values = [baseline.simulate(people, seed=3 + (law == "normal"), repetition=r).value for r in range(400)]
        errors.append((np.array(values) ** 2).sum(axis=1))
    assert ks_2samp(*errors).pvalue > 1e-3


def test_intervals_of_the_simulated_baselines_cover() -> None:
    people = rectangle(np.random.default_rng(1).uniform(-0.4, 0.6, size=(300, 5, 3)))
    truth = people.values.mean(axis=0)
    baseline = DuchiMean(epsilon=2.0, dimension=3, ball="l2", level="user", centre=(0.1, 0.1, 0.1))
    answers = [baseline.simulate(people, seed=1, repetition=r) for r in range(300)]
    inside = [[low <= at <= high for (low, high), at in zip(one.intervals, truth, strict=True)] for one in answers]
    assert 0.92 <= np.mean(inside) <= 0.98
    joint = [all(a <= t <= b for (a, b), t in zip(one.simultaneous, truth, strict=True)) for one in answers]
    assert np.mean(joint) >= 0.92
    assert "simulation only" in answers[0].warnings[0]


@pytest.mark.parametrize("ball", ["l2", "linf"])
@pytest.mark.parametrize("level", ["item", "user"])
@pytest.mark.parametrize("law", ["exact", "normal"])
def test_infinite_observations_are_far_away(ball: Any, level: Any, law: Any) -> None:
    """They count on the edge of the ball, and one of each sign cancel in an average; five standard errors (1e-5)."""
    far = np.array(
        [[[math.inf, 0.0], [1.0, 0.0]], [[math.inf, 0.0], [-math.inf, 0.0]], [[math.nan, 1e308], [1e308, 1.0]]]
    )
    people = rectangle(np.tile(far, (2000, 1, 1)))
    baseline = DuchiMean(epsilon=8.0, dimension=2, ball=ball, level=level, law=law)
    value = np.array(baseline.simulate(people, seed=1).value)
    if level == "item":
        truth = (3 / 6, 1 / 6) if ball == "l2" else (3 / 6, 2 / 6)
    else:
        truth = ((1 + math.sqrt(0.8)) / 3, math.sqrt(0.2) / 3) if ball == "l2" else (2 / 3, 1 / 3)
    reports = 12_000 if level == "item" else 6000
    assert value == pytest.approx(truth, abs=5 * math.sqrt(baseline.mechanism.variance / reports))


def test_thresholds() -> None:
    values = np.array([-2.0, -0.5, 0.0, 0.5, 2.0])
    assert duchi.soft(values, 1.0).tolist() == [-1.0, 0.0, 0.0, 0.0, 1.0]
    assert duchi.hard(values, 1.0).tolist() == [-2.0, 0.0, 0.0, 0.0, 2.0]
    people = rectangle(np.tile(np.array([0.9] * 2 + [0.0] * 18), (4000, 5, 1)))
    for rule in ("soft", "hard"):
        answer = ItemSparse(epsilon=4.0, dimension=20, rule=rule, constant=1.5).simulate(people, seed=1)  # type: ignore[arg-type]
        assert min(answer.value[:2]) > 0.3 and answer.value[2:] == (0.0,) * 18  # false alarm: 0.4 % of seeds


@pytest.mark.parametrize("draws", [5, pytest.param(10, marks=pytest.mark.soak)])
def test_item_level_sparse_does_not_learn_while_items_are_few(draws: int) -> None:
    """L903: n = T = √(10 d log d), s = 4, p = .75, α = 4: the error stays at .8–.9 of |θ|² = 1 (RESEARCH 1)."""
    for dimension in (100, 400):
        users = int(math.sqrt(10 * dimension * math.log(dimension)))
        rng = np.random.default_rng(dimension)
        truth = np.array([0.5] * 4 + [0.0] * (dimension - 4))
        found = []
        for repetition in range(draws):
            chance = (1 + truth) / 2
            signs = np.where(rng.random((users, users, dimension), dtype=np.float32) < chance, 1, -1).astype(np.int8)
            people = sv.Collections(signs.reshape(-1, dimension), np.arange(users + 1) * users)
            baseline = ItemSparse(epsilon=4.0, dimension=dimension, law="normal")
            answer = baseline.simulate(people, seed=2, repetition=repetition)
            found.append(((np.array(answer.value) - truth) ** 2).sum())
        assert 0.6 < np.mean(found) < 1.1, dimension


def test_density_coefficients() -> None:
    """A density 1 + a·√2·cos(2πx): coefficient 2 is a, the others zero."""
    rng = np.random.default_rng(3)
    draws = rng.random(400_000)
    kept = draws[rng.random(len(draws)) * 1.6 < 1 + 0.4 * math.sqrt(2) * np.cos(2 * math.pi * draws)]
    observations = kept[: 2000 * 100].reshape(2000, 100)
    truth = np.array([0.4, 0.0, 0.0, 0.0])
    for level, reports in (("item", 200_000), ("user", 2000)):
        baseline = ItemDensity(epsilon=4.0, functions=5, level=level, low=2.0, high=4.0)  # type: ignore[arg-type]
        answer = baseline.simulate(rectangle(2 + 2 * observations), seed=1)
        error = math.sqrt(
            duchi.Mechanism(ball="linf", dimension=4, epsilon=4.0, radius=math.sqrt(2)).variance / reports
        )
        assert np.abs(np.array(answer.value) - truth).max() < 5 * error
        assert answer.names == ("φ2", "φ3", "φ4", "φ5")
    grid = (np.arange(1000) + 0.5) / 1000
    basis = duchi.trigonometric(grid, tuple(range(1, 8)))
    assert basis.T @ basis / 1000 == pytest.approx(np.eye(7), abs=1e-9)


def test_one_category() -> None:
    rng = np.random.default_rng(5)
    shares = np.array([0.5, 0.3, 0.15, 0.05])
    people = rectangle(rng.choice(4, p=shares, size=(3000, 5)).astype(float))
    protocol = OneCategory(epsilon=2.0, categories=4, users=3000, names=("white", "black", "hispanic", "other"))
    assert check_protocol(protocol, people, epsilon=2.0) == 1
    question = protocol.decide(())
    assert isinstance(question, Question) and 1.999999 < float(question.epsilon_bound()) <= 2.0
    truth = np.bincount(people.values[:, 0].astype(int), minlength=4) / len(people.values)
    answers = [sv.run(protocol, sv.simulate(people, seed=1, repetition=r)) for r in range(200)]
    values = np.array([one.value for one in answers])
    assert values.mean(axis=0) == pytest.approx(truth, abs=5 * values.std() / math.sqrt(200))
    inside = [[low <= at <= high for (low, high), at in zip(one.intervals, truth, strict=True)] for one in answers]
    assert np.mean(inside) >= 0.92
    assert sv.run(protocol, sv.local(people)).names[0] == "white"


def test_every_baseline_is_listed_with_a_problem_and_an_example() -> None:
    classes = {
        kind
        for name in baselines.__all__
        if hasattr(kind := getattr(baselines, name), "simulate") or hasattr(kind, "decide")
    }
    assert {baseline.make for baseline in BASELINES} == classes
    assert len({baseline.name for baseline in BASELINES}) == len(BASELINES)
    for baseline in BASELINES:
        example = baseline.example(0.5)
        assert example.epsilon == 0.5
        assert hasattr(example, "decide") is not baseline.simulation_only
        assert hasattr(example, "simulate") is baseline.simulation_only
        if not baseline.simulation_only:
            question = example.decide(())
            rounds = 8 if baseline.name == "tree" else 1
            assert isinstance(question, Question) and question.slots.count * rounds == baseline.example_users
            assert float(question.epsilon_bound()) == pytest.approx(0.5 * baseline.promise, rel=1e-6)


def test_baselines_take_over_what_a_survey_declares() -> None:
    mean = sv.Mean(epsilon=2.0, low=1.0, high=5.0, users=70, observations=9, confidence=0.9, survey="stars")
    for baseline in BASELINES:
        if baseline.problem == "mean":
            made = baseline.like(mean)
            shared = ("epsilon", "low", "high", "users", "confidence", "survey")
            assert all(getattr(made, name) == getattr(mean, name) for name in shared)
            assert getattr(made, "observations", 9) == 9
    with pytest.raises(sv.InvalidInput, match="compared with a vector"):
        next(baseline for baseline in BASELINES if baseline.make is DuchiMean).like(mean)


def test_one_item_is_unbiased_and_says_when_it_leaves_the_range() -> None:
    """Users at the high end, 400 repetitions at ε = .5: the mean within five standard errors (6e-7), half outside."""
    people = rectangle(np.full((40, 3), 5.0))
    protocol = sv.OneItem(epsilon=0.5, low=1.0, high=5.0, users=40)
    answers = [sv.run(protocol, sv.simulate(people, seed=1, repetition=r)) for r in range(400)]
    values = np.array([answer.value for answer in answers])
    assert abs(values.mean() - 5.0) < 5 * values.std() / 20
    for answer in answers:
        outside = not 1.0 <= answer.value <= 5.0
        assert any("outside its own interval" in warning for warning in answer.warnings) is outside
        assert 1.0 <= answer.interval[0] <= answer.interval[1] <= 5.0
    assert 0.3 < np.mean(values > 5.0) < 0.7


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: DuchiMean(epsilon=0.0, dimension=2), "epsilon"),
        (lambda: DuchiMean(epsilon=1.0, dimension=0), "dimension"),
        (lambda: DuchiMean(epsilon=1.0, dimension=2, centre=(0.0,)), "centre has 1 entries"),
        (lambda: ItemSparse(epsilon=1.0, dimension=2, constant=-1.0), "constant"),
        (lambda: DuchiMean(epsilon=1.0, dimension=3).simulate(rectangle(np.zeros((3, 2, 2))), seed=1), "2 columns"),
        (
            lambda: DuchiMean(epsilon=1.0, dimension=2).simulate(rectangle(np.zeros((3, 0, 2))), seed=1),
            "no observations",
        ),
    ],
)
def test_bad_settings(make: Any, words: str) -> None:
    with pytest.raises(sv.InvalidInput, match=words):
        make()
