"""Sparse means by adaptive: votes by directions, a selection that can be empty, intervals that hold for any users."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.device import Collections
from sottovoce.messages import FINE, Averages, Direction, Grid, Large, Position, Question
from sottovoce.methods import RoundMaker, direction_response
from sottovoce.problems import choose, read
from sottovoce.problems.sparse.adaptive import FALSE, AdaptiveSelection, Scores, Votes
from sottovoce.risk import Crowd
from tests.support import reason, rectangle


def sparse(**changes: Any) -> sv.SparseMean:
    fields: dict[str, Any] = {"epsilon": 2.0, "users": 1000, "observations": 200, "dimension": 100, "sparsity": 4}
    return sv.SparseMean(**fields | {"method": "adaptive"} | changes)


@cache
def users(count: int, dimension: int, size: float, *, kind: str = "alike", seed: int = 1) -> tuple[Any, np.ndarray]:
    """Averages of 200 yeses and noes each; four columns differ from zero, by `size` on average. And the true means."""
    stream = np.random.default_rng([seed, count, dimension])
    means = np.zeros((count, dimension))
    means[:, :4] = size * np.array([1, -1, 1, -1])
    if kind == "camps":
        means *= np.where(np.arange(count) % 10 < 3, 2.5, 0.25 / 0.7)[:, None]
    if kind == "far":
        means[: count // 20, :4] *= -0.9 / size
    held = 2 * stream.binomial(200, (1 + np.clip(means, -1, 1)) / 2) / 200 - 1
    return rectangle(held[:, None, :]), held.mean(axis=0)


def test_two_ways_to_vote() -> None:
    """The averages where reports are many, or no threshold is within reach; else 1 where an average is large."""
    few, many, short = (Votes(settings=sparse(epsilon=epsilon, **more)) for epsilon, more in (
        (1.0, {}), (2.0, {}), (1.0, {"observations": 10}),
    ))  # fmt: skip
    assert not few.plain and many.plain and short.plain
    assert few.asked_about()[0] == Large(size=100, threshold=few.threshold)
    assert few.threshold == pytest.approx(math.sqrt(2 * math.log(200) / 200), rel=1e-12)
    assert many.asked_about()[0] == Averages(size=100)
    assert Votes(settings=sparse(epsilon=1.0, low=-4.0, high=4.0)).threshold == pytest.approx(4 * few.threshold)
    assert (few.users(1), few.users(2), Votes(settings=sparse(sparsity=None)).users(1)) == (350, 550, 500)
    asked = sparse(epsilon=1.0, public_seed=7).decide(())
    assert isinstance(asked, Question) and isinstance(asked.encoder.statistic, Direction)
    assert asked.encoder.statistic.vector == few.asked_about()[0] and asked.slots.count == 350
    assert asked.encoder.statistic.seed != sparse(epsilon=1.0).decide(()).encoder.statistic.seed  # type: ignore[union-attr]


def test_who_votes_again() -> None:
    """Only where the number of columns is known, and so many do not stand apart from the others."""
    votes = Votes(settings=sparse(dimension=6, sparsity=2))
    for value, clear in ((0.2, True), (0.02, False)):
        scores = Scores(value=np.array([0.5, 0.1 + value, 0.1, 0.0, 0.0, 0.0]), deviation=np.full(6, 0.1))
        assert votes.stands_apart(scores) is clear
        assert votes.select(scores) == (0, 1) and scores.at(6) == -math.inf
    people, _ = users(1000, 100, 0.5)
    for epsilon, rounds in ((2.0, 5), (8.0, 4)):
        answer = sv.run(sparse(epsilon=epsilon), sv.simulate(people, seed=1))
        assert len(answer.users_per_round) == rounds and sum(answer.users_per_round) == 1000


@pytest.mark.parametrize("epsilon", [1.0, 2.0])
def test_what_stands_out_by_chance(epsilon: float) -> None:
    """Scores of zero select something in 5 % of 2,000 draws, give or take 4.5 standard errors (false alarm 7e-6)."""
    votes = Votes(settings=sparse(sparsity=None, epsilon=epsilon))
    stream, deviation, found = np.random.default_rng(2), np.ones(100), 0
    for _ in range(2000):
        value = stream.standard_normal(100)
        value = np.abs(value) if votes.plain else value - max(0.0, float(np.median(value)))
        found += bool(votes.select(Scores(value=value, deviation=deviation)))
    assert abs(found / 2000 - FALSE) < 4.5 * math.sqrt(FALSE / 2000)
    value[:30] += 20.0
    assert len(votes.select(Scores(value=value, deviation=deviation))) == votes.most(500) == 25


def test_nothing_is_selected_from_noise() -> None:
    """In 30 surveys of noise, about one selects something; four or more in 6 % of seeds, seven or more in 1e-3."""
    people, _ = users(400, 20, 0.0)
    settings = sparse(users=400, dimension=20, sparsity=None)
    answers = [sv.run(settings, sv.simulate(people, seed=3, repetition=r)) for r in range(30)]
    empty = [answer for answer in answers if not answer.support]
    assert len(empty) >= 24
    answer = empty[0]
    assert set(answer.value) == {0.0} and answer.users_per_round == (200,) and set(answer.intervals) == {(-1.0, 1.0)}
    assert answer.would_be_seen is not None and "whatever their mean is" in str(answer.left_out)
    assert "0 of 20 coordinates" in answer.summary() and "assumes     nothing: it holds whatever" in answer.summary()
    assert read(answer.to_json()) == answer and answer.picture() and answer.plot() is not None
    assert math.isnan(answer.halfwidth)


@pytest.mark.parametrize("kind", ["camps", "far"])
def test_intervals_hold_whatever_the_users_are(kind: str) -> None:
    """Four columns each in 12 surveys: at 95 %, fewer than 39 of 48 hold in 2e-4 of seeds, fewer than 8 surveys too."""
    people, truth = users(4000, 30, 0.3, kind=kind)
    held, together = 0, 0
    for repetition in range(12):
        answer = sv.run(sparse(users=4000, dimension=30), sv.simulate(people, seed=4, repetition=repetition))
        assert set(answer.support) == {0, 1, 2, 3}
        together += all(low <= mean <= high for mean, (low, high) in zip(truth, answer.simultaneous, strict=True))
        for index in answer.support:
            single, joint, narrow = answer.intervals[index], answer.simultaneous[index], answer.model_intervals[index]
            assert joint[0] <= single[0] <= narrow[0] <= answer.value[index] <= narrow[1] <= single[1] <= joint[1]
            held += single[0] <= truth[index] <= single[1]
    assert held >= 39 and together >= 8


def test_half_the_error_of_paper_at_least() -> None:
    """The setting of reference at ε = 2, 6 surveys each: about 20 times lower."""
    people, truth = users(1000, 100, 0.5)

    def error(method: str) -> float:
        found = (sv.run(sparse(method=method), sv.simulate(people, seed=5, repetition=r)).value for r in range(6))
        return float(np.mean([((np.array(value) - truth) ** 2).sum() for value in found]))

    assert 2 * error("adaptive") < error("paper")


@pytest.mark.parametrize(
    ("epsilon", "count", "dimension", "size"),
    [(1.0, 1500, 300, 0.29), (4.0, 1000, 60, 0.19)],
    ids=["large", "averages"],
)
def test_what_would_have_been_seen(epsilon: float, count: int, dimension: int, size: float) -> None:
    """A column that was left out is smaller than said, but in 5 % of surveys: of 40, eight would alarm in 8e-4."""
    votes = Votes(settings=sparse(epsilon=epsilon, sparsity=1, dimension=dimension, users=count))
    means = np.zeros(dimension)
    means[:2] = 0.6, size
    stream, wrong, right = np.random.default_rng(6), 0, 0
    held = 2 * stream.binomial(200, np.tile((1 + means) / 2, (count, 1))) / 200 - 1
    for repetition in range(40):
        script = votes.script(RoundMaker(survey="s", epsilon=epsilon, users=count, seed=repetition))
        ask = sv.simulate(Collections(held, np.arange(count + 1)), seed=7, repetition=repetition)
        scores = _finish(script, ask)
        bound = votes.unseen(scores, 1, 0.36, 0.95)
        if votes.select(scores) == (0,) and bound is not None:
            wrong, right = wrong + (bound < size), right + (bound >= size)
    assert wrong <= 7 and right > 0


def _finish(script: Any, ask: Any) -> Any:
    question = next(script)
    while True:
        try:
            question = script.send(ask(question))
        except StopIteration as stop:
            return stop.value


def test_questions_after_the_votes() -> None:
    people, _ = users(4000, 30, 0.3)
    asked: list[Question] = []

    def ask(question: Question) -> Any:
        asked.append(question)
        return engine(question)

    engine = sv.simulate(people, seed=8)
    answer = sv.run(sparse(users=4000, dimension=30, epsilon=4.0), ask)
    assert [question.role for question in asked] == ["vote", "bins", "bins", "mean"]
    placements = [question.encoder.placement for question in asked]
    assert isinstance(placements[2], Grid) and isinstance(placements[3], Position)
    for index, low, high in zip(answer.support, placements[3].low, placements[3].high, strict=True):
        assert low < answer.value[index] < high and high - low < 1.0
    assert all(question.groups == 4 for question in asked[1:])
    few = sv.run(sparse(epsilon=0.5), sv.simulate(users(1000, 100, 0.5)[0], seed=8))
    assert len(few.users_per_round) in (2, 3) and few.detection_limit == 0.0, "everybody on the full range"


def test_predicted_error_is_the_measured_one() -> None:
    """Columns of a stated size, 20 surveys: root mean squared error within 40 % (a deviation of about 10 %).

    A prediction allows for bins that show users far away by chance, which few surveys do.
    """
    survey = sparse(users=4000, epsilon=4.0)
    predicted, errors = AdaptiveSelection().predict(survey, Crowd(around=0.5)), []
    people, truth = users(4000, 100, 0.5)
    for repetition in range(20):
        found = sv.run(survey, sv.simulate(people, seed=4, repetition=repetition))
        errors.append(((np.array(found.value) - truth)[:4] ** 2).sum() / 4)
    assert math.sqrt(np.mean(errors)) == pytest.approx(predicted.rmse, rel=0.4)
    weak = AdaptiveSelection().predict(survey, Crowd(around=0.001))
    assert weak.rmse >= 0.0009 and weak.omission > 0


def test_colluders() -> None:
    """A colluder picks the symbol that says most for a column: what that adds is what the bound counts with."""
    asked = sparse(epsilon=2.0).decide(())
    assert isinstance(asked, Question) and isinstance(asked.encoder.statistic, Direction)
    statistic, slots = asked.encoder.statistic, np.arange(350)
    said = [statistic.directions(slots, np.full(350, symbol))[9] for symbol in range(2 * statistic.rows)]
    added = np.max(said, axis=0).mean() / FINE / direction_response(2.0)
    votes = Votes(settings=sparse())
    share = votes.capture(0.4)
    assert share * added == pytest.approx((1 - share) * 0.4, rel=0.1)
    assert votes.capture(0.1) < share < Votes(settings=sparse(epsilon=6.0)).capture(0.4) < 0.5
    bound = AdaptiveSelection().poisoning(sparse(), Crowd())
    assert bound.capture is not None and 0 < bound.capture < 0.5 and bound.reach > 2
    answer = sv.run(sparse(epsilon=4.0), sv.simulate(users(1000, 100, 0.5)[0], seed=1))
    assert answer.colluders is not None and 0 < answer.colluders.share < 0.5


def test_auto_takes_adaptive_and_says_what_paper_would_give() -> None:
    for changes in ({}, {"users": 60}, {"users": 10**6, "dimension": 10_000}, {"epsilon": 0.1}):
        chosen = choose(sparse(method="auto", **changes))
        assert chosen.method.name == "adaptive" and ", paper " in reason(chosen)
    unknown = choose(sparse(method="auto", sparsity=None))
    assert "those that stand out of 100 coordinates" in reason(unknown)
    assert "paper cannot run: sparsity must be stated" in reason(unknown)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"procedure": "threshold"}, "procedure: for methods paper and theory only"),
        ({"delta": 0.1, "cut": True}, "cut, delta: for methods paper and theory only"),
        ({"users": 15}, "selection needs at least 16 .got 15.; a smaller sparsity"),
        ({"users": 3, "sparsity": None}, "selection needs at least 4 .got 3.; more users are needed"),
        ({"method": "paper", "sparsity": None}, "sparsity must be stated"),
        ({"method": "auto", "sparsity": None, "rank": "first"}, "rank: for methods paper"),
    ],
)
def test_refusals(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(sv.InvalidInput, match=words):
        sparse(**changes)
