"""Choosing from a cover: votes, bounds, settings, predictions, and how sure a choice is."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sottovoce as sv
from sottovoce.audit.channel_derivations import law
from sottovoce.checks import check_encoder
from sottovoce.device import Collections, encode
from sottovoce.messages import Question
from sottovoce.messages.exact_arithmetic import exact
from sottovoce.problems.base import choose
from sottovoce.problems.cover import COVER
from sottovoce.risk import Crowd
from tests.support import SeededEntropy, rectangle

CENTRES = tuple((float(k),) for k in range(12))
SQUARE = ((-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0))


def cover(**changes: Any) -> sv.CoverSelect:
    fields: dict[str, Any] = {"epsilon": 1.0, "users": 500, "centres": SQUARE}
    return sv.CoverSelect(**fields | changes)


def select(data: Any, *, epsilon: float, seed: int, user: Any = None, value: Any = None, **given: Any) -> Any:
    people, fields = COVER.call.prepare(sv.collections(data, user=user, value=value), given)
    return sv.run(sv.CoverSelect(**fields, epsilon=epsilon, users=people.users), sv.simulate(people, seed=seed))


def question(protocol: sv.CoverSelect) -> Question:
    return protocol.decide(())


def answers(protocol: sv.CoverSelect, draw: Any, repetitions: int = 1, seed: int = 1) -> list[sv.CoverEstimate]:
    """Of so many surveys of users who hold what is drawn for each survey."""
    people = (rectangle(np.asarray(draw(), dtype=float)[:, None]) for _ in range(repetitions))
    return [sv.run(protocol, sv.simulate(own, seed=seed, repetition=place)) for place, own in enumerate(people)]


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
    protocol = cover(centres=CENTRES, users=400, epsilon=2.0, method=method)
    shares = np.array([0.5, 0.3] + [0.02] * 10)
    tops = answers(protocol, lambda: rng.choice(12, size=400, p=shares), 600)
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


@pytest.mark.parametrize(
    ("changes", "words"),
    [
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


@pytest.mark.parametrize("method", ["subset", "unary"])
def test_a_tie_of_many_is_told_and_the_share_is_corrected(method: str) -> None:
    """300 surveys, twelve centres of equal shares. At 95 % exactly, fewer than 270 hold with a chance of 1 in 7,000.

    The plain interval, share as found ± 1.96 standard errors, holds far less often: the largest of many is too large,
    always, by 1.6 standard errors. The corrected share is too large in half of the surveys (below 115 or above 185 of
    300 with a chance of 1 in 18,000), and inside its interval.
    """
    rng, truth = np.random.default_rng(5), 1 / 12
    protocol = cover(centres=CENTRES, users=400, epsilon=1.0, method=method)
    found = answers(protocol, lambda: rng.integers(0, 12, 400), 300)
    excess = np.array([(answer.top[0].share - truth) / answer.top[0].standard_error for answer in found])
    for answer in found:
        low, high = answer.share_interval
        assert low <= answer.share <= answer.top[0].share <= high
        assert answer.contenders[0] == answer.index and len(answer.contenders) == answer.contender_count
    assert sum(answer.share_interval[0] <= truth <= answer.share_interval[1] for answer in found) >= 270
    assert sum(0 in answer.contenders for answer in found) >= 270
    assert (np.abs(excess) <= 1.96).sum() < 240 and excess.mean() > 1.4
    assert 115 <= sum(answer.share > truth for answer in found) <= 185


def test_a_clear_lead_leaves_no_rival_and_the_usual_interval() -> None:
    own = np.repeat([3.0, 7.0], [3200, 800])
    (answer,) = answers(cover(centres=CENTRES, users=4000, epsilon=2.0), lambda: own)
    assert (answer.index, answer.contenders, answer.contender_count) == (3, (3,), 1) and not answer.warnings
    said = str(answer.meaning)
    assert "no other centre has more users" in said and said in answer.summary().replace("\n            ", " ")
    low, high = answer.share_interval
    assert (high - low) / 2 == pytest.approx(1.96 * answer.top[0].standard_error, rel=0.15)


def test_a_narrow_lead_names_the_rival() -> None:
    own = np.repeat([3.0, 7.0], [210, 190])
    (answer,) = answers(cover(centres=CENTRES, users=400, epsilon=2.0), lambda: own)
    assert set(answer.contenders) == {3, 7} and answer.contender_count == 2
    assert "1 of the others may have more users" in str(answer.meaning)
    assert any("1 of the others may hold more users" in warning for warning in answer.warnings)


def test_the_corrected_share_of_a_clear_winner_is_the_share_found() -> None:
    """60 centres, one with 31 % of 4,000 users: 200 surveys, a mean error within 4 standard errors (1 in 16,000).

    It is no wider spread than the share found.
    """
    rng, truth = np.random.default_rng(6), 0.3 + 0.7 / 60
    protocol = cover(centres=tuple((float(k),) for k in range(60)), users=4000, epsilon=2.0)
    surveys = answers(protocol, lambda: np.where(rng.random(4000) < 0.3, 5, rng.integers(0, 60, 4000)), 200, seed=2)
    corrected, found = np.array([(answer.share - truth, answer.top[0].share - truth) for answer in surveys]).T
    assert abs(corrected.mean()) <= 4 * corrected.std() / np.sqrt(200)
    assert corrected.std() <= 1.01 * found.std()


def test_the_bound_appears_only_where_its_assumptions_hold() -> None:
    """L186 by hand: Δ = ½, diam 12, N = 12, n = 400, ε = 1: ¼ + 144·12·e^{−20} = .25 + 1728·2.0611536e-9 = .2500035617.

    Users who differ, few users and a bound above diam² have none; users alike lose it in one survey of a thousand.
    """
    known = {"centres": CENTRES, "users": 400, "epsilon": 1.0, "radius": 0.5, "diameter": 12.0}
    (shown,) = answers(cover(**known), lambda: np.full(400, 3.0))
    assert shown.error_bound == pytest.approx(0.2500035617, rel=1e-9)
    assert "if all users see the same point" in shown.summary()
    (apart,) = answers(cover(**known | {"users": 4000}), lambda: np.repeat([3.0, 7.0], [3000, 1000]))
    assert apart.index == 3 and apart.error_bound is None and "bound" not in apart.summary().split()
    # n·min(ε, ε²) = 49 is below 20·log 12 = 49.7; at 60, 144·12·e^{−3} = 86 < 144, and at 51, 144·12·e^{−2.55} = 134.9
    assert cover(**known | {"users": 49}).error_bound is None
    assert cover(**known | {"users": 60}).error_bound == pytest.approx(0.25 + 1728 * 0.049787068, rel=1e-7)
    # the radius alone may be too large: 144 + 86 is no bound
    assert cover(**known | {"users": 60, "radius": 12.0}).error_bound is None
