"""Choosing from a cover: votes, the arbitrary metric space, bounds, bad settings."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.audit.channel_derivations import law
from sottovoce.checks import check_encoder
from sottovoce.device import Collections, encode
from sottovoce.messages import Question
from sottovoce.messages.exact_arithmetic import exact
from sottovoce.problems.cover import COVER
from tests.support import SeededEntropy, rectangle

SQUARE = ((-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0))


def cover(**changes: Any) -> sv.CoverSelect:
    fields: dict[str, Any] = {"epsilon": 1.0, "users": 500, "centres": SQUARE}
    return sv.CoverSelect(**fields | changes)


def select(data: Any, *, epsilon: float, seed: int, user: Any = None, value: Any = None, **given: Any) -> Any:
    """As a call does: read, prepare, ask."""
    assert COVER.call.prepare is not None
    people, fields = COVER.call.prepare(sv.collections(data, user=user, value=value), given)
    return sv.run(sv.CoverSelect(**fields, epsilon=epsilon, users=people.users), sv.simulate(people, seed=seed))


def question(protocol: sv.CoverSelect) -> Question:
    asked = protocol.decide(())
    assert isinstance(asked, Question)
    return asked


@pytest.mark.parametrize("method", ["unary", "subset"])
@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 2.5, 8.0])
@pytest.mark.parametrize("size", [2, 3, 7, 500])
def test_one_vote_costs_exactly_epsilon(method: Any, epsilon: float, size: int) -> None:
    asked = question(sv.CoverSelect(epsilon=epsilon, users=10, size=size, method=method))
    assert exact(epsilon) - Fraction(1, 10**9) < asked.epsilon_bound() <= exact(epsilon)


@pytest.mark.parametrize("method", ["unary", "subset"])
def test_cost_by_enumeration(method: Any) -> None:
    channel = question(sv.CoverSelect(epsilon=1.5, users=10, size=5, method=method)).channel
    laws = [dict(law(channel, index)) for index in range(5)]
    worst = max(float(one[symbol] / other[symbol]) for one in laws for other in laws for symbol in one)
    assert 1.5 - 1e-9 < math.log(worst) <= 1.5 + 1e-14


def test_votes_go_to_the_nearest_and_ties_down() -> None:
    points = np.array([[0.9, 0.8], [0.0, 0.0], [-0.1, 0.0], [0.0, -5.0], [-7.0, 9.0]])
    for metric in ("l2", "linf"):
        asked = question(cover(metric=metric))
        people = rectangle(points[:, None, :])
        indices = encode(asked, people, np.arange(5), SeededEntropy(1))[:, 0]
        apart = np.abs(points[:, None, :] - np.array(SQUARE))
        far = apart.max(axis=2) if metric == "linf" else (apart**2).sum(axis=2)
        assert indices.tolist() == np.argmin(far, axis=1).tolist()
    assert check_encoder(question(cover()), dimension=2) > 20
    assert check_encoder(question(cover(centres=None, size=7))) > 20


@pytest.mark.parametrize("size", [2, 3, 49, 1000, 65536])
def test_every_index_lands_in_its_own_bin(size: int) -> None:
    asked = question(cover(centres=None, size=size, users=size))
    people = Collections(np.arange(size, dtype=float), np.arange(size + 1))
    assert np.array_equal(encode(asked, people, np.arange(size), SeededEntropy(1))[:, 0], np.arange(size))


def test_indexed_is_total() -> None:
    """Whatever the participant's function does, there is one number; what is none is missing, hence the middle."""
    people = Collections(np.arange(12.0), np.array([0, 3, 3, 7, 8, 12]))

    def choose(observations: np.ndarray) -> Any:
        observations[:] = -1.0  # an attempt to change the data
        return {3: 2, 0: 1 / 0 if not len(observations) else 0, 4: "no number", 1: math.inf}[len(observations)]

    held = people.indexed(choose)
    assert held.users == 5 and np.array_equal(people.values[:, 0], np.arange(12.0))
    assert held.values[:, 0] == pytest.approx([2, math.nan, math.nan, math.inf, math.nan], nan_ok=True)
    asked = question(cover(centres=None, size=9, users=5))
    assert encode(asked, held, np.arange(5), SeededEntropy(1))[:, 0].tolist() == [2, 4, 4, 8, 4]
    with pytest.raises(KeyboardInterrupt):
        people.indexed(lambda _: (_ for _ in ()).throw(KeyboardInterrupt()))
    wide = rectangle(np.zeros((2, 3, 4)))
    assert wide.indexed(lambda observations: observations.shape[1]).values[:, 0].tolist() == [4, 4]


@pytest.mark.parametrize("method", ["unary", "subset"])
def test_gap_and_shares_have_their_stated_errors(method: Any) -> None:
    """600 repetitions, users drawn afresh: standard deviations within 12 % (four standard errors of one)."""
    rng = np.random.default_rng(3)
    centres = tuple((float(k),) for k in range(12))
    protocol = cover(centres=centres, users=400, epsilon=2.0, method=method)
    shares = np.array([0.5, 0.3] + [0.02] * 10)
    tops = []
    for repetition in range(600):
        own = rng.choice(12, size=400, p=shares).astype(float)
        tops.append(sv.run(protocol, sv.simulate(rectangle(own[:, None]), seed=1, repetition=repetition)))
    held = [{one.index: one for one in answer.top} for answer in tops]
    first, second = (np.array([one[k].share for one in held if 0 in one and 1 in one]) for k in (0, 1))
    assert len(first) == 600
    assert (first.mean(), second.mean()) == pytest.approx((0.5, 0.3), abs=0.01)
    assert np.mean([one[0].standard_error for one in held]) == pytest.approx(first.std(), rel=0.12)
    stated = np.mean([(answer.top[0].share - answer.top[1].share) / answer.gap for answer in tops if answer.gap])
    assert stated == pytest.approx((first - second).std(), rel=0.12)


def test_theorem_bound_holds_where_it_says_something() -> None:
    """Users who all see one point: the mean squared error over 300 repetitions stays below the bound (L186)."""
    grid = sv.covers.linf_ball(dimension=2, delta=0.25, metric="l2")
    point = np.array([0.31, -0.77])
    people = rectangle(np.broadcast_to(point, (260, 1, 2)).copy())
    protocol = cover(centres=grid.centres, users=260, radius=grid.radius, diameter=grid.diameter)
    answers = [sv.run(protocol, sv.simulate(people, seed=2, repetition=r)) for r in range(300)]
    errors = [((np.array(answer.centre) - point) ** 2).sum() for answer in answers]
    bound = answers[0].error_bound
    assert bound is not None and bound < 0.1
    assert np.mean(errors) <= bound
    many = cover(centres=grid.centres, users=10**5, radius=grid.radius)
    assert many.error_bound == pytest.approx(grid.radius**2)
    assert cover(centres=grid.centres, users=1, radius=grid.radius).error_bound is None
    assert cover().error_bound is None


def test_order_of_users_and_observations_does_not_matter() -> None:
    """Exact: observations add up in any order. By law (KS of 200 against 200, threshold 1e-4): users in any order."""
    from scipy.stats import ks_2samp

    rng = np.random.default_rng(7)
    data = rng.choice([-1.0, -0.5, 0.5, 1.0], size=(300, 16, 2))
    protocol = cover(users=300)
    first = sv.run(protocol, sv.simulate(rectangle(data), seed=3))
    assert sv.run(protocol, sv.simulate(rectangle(data[:, rng.permutation(16)]), seed=3)) == first
    shares = []
    for seed, order in ((1, np.argsort(data[:, 0, 0])), (2, rng.permutation(300))):
        held = rectangle(data[order])
        shares.append([sv.run(protocol, sv.simulate(held, seed=seed, repetition=r)).share for r in range(200)])
    assert ks_2samp(*shares).pvalue > 1e-4
