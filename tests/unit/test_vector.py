"""Vector means: constants of the paper, honest answers, the one call, clear errors, predictions, made-up users."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import sottovoce as sv
from sottovoce.answers import NoteCode
from sottovoce.messages import Average, Grid, Position, Question, Rotated
from sottovoce.messages.public_randomness import hadamard_rows, rotation_signs
from sottovoce.problems.base import choose
from sottovoce.problems.vector.adaptive import AdaptiveByCoordinate
from sottovoce.problems.vector.answer_parts import rotated_back
from sottovoce.problems.vector.one_round import OneRound
from sottovoce.problems.vector.paper import Paper, Theory
from sottovoce.problems.vector.world import VectorWorld
from sottovoce.risk import Crowd
from sottovoce.theory import t_star
from tests.support import reason, rectangle


def vector(**changes: Any) -> sv.VectorMean:
    fields: dict[str, Any] = {"epsilon": 2.0, "users": 4000, "observations": 400, "dimension": 8, "method": "paper"}
    return sv.VectorMean(**fields | {"ball": "linf"} | changes)


def people(users: int = 400, observations: int = 20, dimension: int = 3, *, seed: int = 0) -> np.ndarray:
    centre = np.linspace(-0.3, 0.4, dimension)
    return centre + np.random.default_rng(seed).uniform(-0.2, 0.2, size=(users, observations, dimension))


def test_constants_of_the_experiments() -> None:
    box = Paper().vote_plan(vector()).layout
    assert box.delta == pytest.approx(0.25 * math.sqrt(math.log(4000 * 400 * 4 / 8) / 400), rel=1e-12)
    ball = Paper().vote_plan(vector(ball="l2")).layout
    assert ball.delta == pytest.approx(0.25 * math.log(4000 * 400 * 4) / math.sqrt(8 * 400))
    assert vector(ball="l2", dimension=5).groups == 8, "padded to a power of two, folds over the padded size (ERRATA 2)"
    assert vector(ball="l2", dimension=1).groups == 1


@pytest.mark.parametrize(("epsilon", "factor", "inside"), [(0.5, 2, 0.25), (1.0, 2, 1), (3.7, 2, 1), (9.0, 4, 1)])
def test_constants_of_the_proofs(epsilon: float, factor: float, inside: float) -> None:
    """L1763: 2·log(nT*α²/d) up to 1, 2·log(nT*/d) up to d, 4·log(nT*/d) above; T* with exp(n·min(α, α²)/Kd)."""
    mean = vector(epsilon=epsilon, method="theory", proof_constant=400.0)
    kept = t_star(users=4000 / 8, observations=400, epsilon=epsilon, constant=400.0)
    exponent = 4000 * min(epsilon, epsilon**2) / (400.0 * 8)
    assert kept == max(1, min(400, math.floor(math.exp(exponent))))
    delta = math.sqrt(factor * max(1.0, math.log(4000 * kept * inside / 8)) / kept)
    assert Theory().vote_plan(mean).layout.delta == pytest.approx(delta)
    statistic = Theory().scheme(mean).statistic
    assert isinstance(statistic, Average) and statistic.first == (kept if kept < 400 else None)
    ball = vector(epsilon=epsilon, method="theory", proof_constant=400.0, ball="l2", ball_constant=3.0)
    wide = math.sqrt(3.0) * max(1.0, math.log(4000 * kept * inside)) / math.sqrt(8 * kept)
    assert Theory().vote_plan(ball).layout.delta == pytest.approx(wide), (
        "log² / (dT) also in the general case (ERRATA 3)"
    )


def test_ranges_of_a_box() -> None:
    mean = vector(dimension=2, low=(-1.0, 0.0), high=(3.0, 10.0), users=200, observations=10_000)
    question = mean.decide(())
    assert isinstance(question, Question)
    grid, delta = question.encoder.placement, Paper().vote_plan(mean).layout.delta
    assert isinstance(grid, Grid) and grid.low == (-1.0, 0.0)
    assert grid.high == pytest.approx((-1 + grid.count * 2 * delta * 2, grid.count * 2 * delta * 5))
    centred = vector(dimension=2, centre=(1.0, 5.0), radius=2.0)
    assert centred.ranges == ((-1.0, 3.0), (3.0, 7.0))
    assert vector(dimension=2, low=0, high=1).ranges == ((0.0, 0.0), (1.0, 1.0))
    same = vector(dimension=4).decide(())
    assert isinstance(same, Question) and same.encoder.placement.parts == 1


def test_rotation_is_turned_back() -> None:
    mean = vector(ball="l2", dimension=5, public_seed=9)
    x = np.random.default_rng(1).normal(size=5)
    turned = hadamard_rows(np.arange(8), 8) @ (rotation_signs(9, 8) * np.pad(x, (0, 3))) / math.sqrt(8)
    assert rotated_back(mean, turned) == pytest.approx(x)
    assert np.sqrt((turned**2).sum()) == pytest.approx(np.sqrt((x**2).sum()))


@pytest.mark.thin(5)
@pytest.mark.parametrize("ball", ["linf", "l2"])
@pytest.mark.parametrize("method", ["paper", "theory", "one-round"])
@pytest.mark.parametrize("dimension", [1, 3, 4])
def test_unbiased_with_honest_intervals(ball: Any, method: Any, dimension: int) -> None:
    """60 repetitions: the mean of the estimates within 5 standard errors of the truth; at least 88 % of the 95 %
    intervals cover (for 60 independent ones a false alarm in 1 % of seeds; seed fixed)."""
    values = people(401, 1, dimension) / 2
    centre = (0.1,) * dimension
    protocol = vector(
        epsilon=6.0, users=401, dimension=dimension, ball=ball, method=method, centre=centre, proof_constant=1e-3
    )
    answers = [sv.run(protocol, sv.simulate(rectangle(values), seed=4, repetition=r)) for r in range(60)]
    truth, found = values.mean(axis=(0, 1)), np.array([one.value for one in answers])
    error = np.sqrt(np.mean([one.squared_error / dimension for one in answers]))
    assert np.abs(found.mean(axis=0) - truth).max() < 5 * error / math.sqrt(60)
    inside = [[a <= t <= b for (a, b), t in zip(one.intervals, truth, strict=True)] for one in answers]
    assert np.mean(inside) >= 0.88
    for one in answers[:5]:
        for narrow, wide in zip(one.intervals, one.simultaneous, strict=True):
            assert wide[0] <= narrow[0] <= narrow[1] <= wide[1]


def test_narrow_ranges_of_a_rotation_lose_nothing() -> None:
    """One round on a ball of 256 coordinates: the range is cut to a third, and the estimate stays unbiased."""
    protocol = vector(ball="l2", dimension=256, users=5120, epsilon=4.0, method="one-round")
    assert OneRound().reach(protocol) == pytest.approx(math.sqrt(2 * math.log(2e6) / 256))
    question = protocol.decide(())
    assert isinstance(question, Question)
    assert isinstance(question.encoder.placement, Position) and isinstance(question.encoder.statistic, Rotated)
    values = np.zeros((5120, 1, 256))
    values[:, :, 0] = np.where(np.arange(5120) % 4, 1.0, -1.0)[:, None]  # at the edge, their mean well inside
    found = np.array([sv.run(protocol, sv.simulate(rectangle(values), seed=1, repetition=r)).value for r in range(10)])
    whole = vector(dimension=256, users=5120, epsilon=4.0, method="one-round")
    assert found[:, 0].mean() == pytest.approx(0.5, abs=5 * found[:, 1:].std() / math.sqrt(10))
    assert (found[:, 1:] ** 2).mean() * 255 < 0.3 * 256 * OneRound().predict(whole, Crowd()).mse


def test_auto_says_which_and_why() -> None:
    many = choose(vector(method="auto"))
    assert many.method.name == "adaptive" and "auto takes adaptive: if users are alike or differ by" in reason(many)
    assert choose(vector(method="auto", observations=1, epsilon=4.0)).method.name == "one-round"
    few = choose(vector(method="auto", users=7))
    assert few.method.name == "adaptive" and "one-round cannot run: 7 users cannot fill 8 folds" in reason(few)


def test_the_ball_that_is_left_out() -> None:
    """One default for the class, the call and the command: a box when low and high are given, else a ball."""
    assert vector(ball=None).ball == "l2" and vector(ball=None, centre=(0.1,) * 8).ball == "l2"
    assert vector(ball=None, low=0.0, high=1.0).ball == "linf"
    assert vector(ball=None) == vector(ball="l2")
    with pytest.raises(sv.InvalidInput, match="come together"):
        vector(ball=None, high=1.0)


@pytest.mark.thin(5)
@pytest.mark.parametrize("users,observations,epsilon", [(2000, 10, 2.0), (2000, 2000, 4.0), (500, 100, 1.0)])
@pytest.mark.parametrize("ball", ["linf", "l2"])
def test_auto_is_never_much_worse_than_either(users: int, observations: int, epsilon: float, ball: Any) -> None:
    """Root mean squared error over 25 repetitions: auto's method within 25 % of the better one."""
    rng = np.random.default_rng(users)
    values = np.clip(0.2 + rng.normal(0, 0.5 / math.sqrt(observations), size=(users, 1, 4)), -1, 1) / 2
    errors = {}
    for method in ("auto", "one-round", "paper"):
        protocol = vector(
            users=users, observations=observations, epsilon=epsilon, dimension=4, ball=ball, method=method
        )
        found = [sv.run(protocol, sv.simulate(rectangle(values), seed=1, repetition=r)).value for r in range(25)]
        errors[method] = float(np.sqrt(((np.array(found) - values.mean(axis=(0, 1))) ** 2).sum(axis=1).mean()))
    assert errors["auto"] <= 1.25 * min(errors.values()), errors


def test_outside_the_ball_is_projected_or_clamped_and_nobody_knows() -> None:
    far = np.tile(np.array([30.0, 40.0]), (300, 2, 1))
    ball = sv.vector_mean(far, epsilon=16.0, ball="l2", radius=1.0, seed=1)
    assert ball.value == pytest.approx((0.6, 0.8), abs=0.1)
    box = sv.vector_mean(far, epsilon=16.0, ball="linf", radius=1.0, seed=1)
    assert box.value == pytest.approx((1.0, 1.0), abs=0.1)
    inside = sv.vector_mean(np.tile(np.array([0.6, 0.8]), (300, 2, 1)), epsilon=16.0, ball="l2", radius=1.0, seed=1)
    assert ball.value == inside.value and ball.outside_set == inside.outside_set and "project" in str(ball.outside_set)
    assert "clamp" in str(box.outside_set) and box.summary().count("note") == 1


@pytest.mark.parametrize("dimension", [1, 3])
def test_noise_does_not_carry_a_value_out_of_the_ball(dimension: int) -> None:
    for method in ("one-round", "adaptive"):
        answer = sv.vector_mean(
            people(10, 5, dimension), epsilon=0.1, ball="l2", centre=[2.0] * dimension, method=method, seed=1
        )
        assert math.hypot(*(value - 2 for value in answer.value)) <= 1 + 1e-12
        for ends in (answer.intervals, answer.simultaneous):
            assert all(low <= value <= high for (low, high), value in zip(ends, answer.value, strict=True))


def test_one_call_on_arrays_and_frames() -> None:
    values = people(300, 8, 3)
    answer = sv.vector_mean(values, epsilon=8.0, ball="linf", seed=3)
    assert len(answer) == answer.dimension == 3 and answer.names == ("x1", "x2", "x3")
    columns = {f"c{j}": values[:, :, j].ravel() for j in range(3)}
    ids = np.repeat(np.arange(300), 8)
    for frame in (pd.DataFrame({"who": ids, **columns}), pl.DataFrame({"who": ids, **columns})):
        again = sv.vector_mean(frame, user="who", value=["c0", "c1", "c2"], epsilon=8.0, ball="linf", seed=3)
        assert again.value == answer.value and again.names == ("c0", "c1", "c2")
    single = sv.vector_mean(
        pd.DataFrame({"who": ids, **columns}), user="who", value="c1", epsilon=8.0, low=-1, high=1, ball="linf", seed=3
    )
    assert single.names == ("c1",)
    ragged = [row[: 1 + index % 8].tolist() for index, row in enumerate(values)]
    assert len(sv.vector_mean(ragged, epsilon=8.0)) == 3
    boxed = sv.vector_mean(values, epsilon=8.0, ball="linf", low=[-1, -1, 0], high=np.array([0, 1, 1]), seed=3)
    assert boxed.low == (-1.0, -1.0, 0.0) and boxed.high == (0.0, 1.0, 1.0)


def test_weak_votes_warn() -> None:
    answer = sv.run(vector(users=40, epsilon=0.3), sv.simulate(rectangle(people(40, 3, 8)), seed=1))
    assert NoteCode.WRONG_PLACE in answer.note_codes and any("wrong place" in warning for warning in answer.warnings)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"epsilon": 0}, "epsilon must lie between"),
        ({"epsilon": 129.0, "method": "theory"}, "and 128"),
        ({"epsilon": "1"}, "must be a number"),
        ({"dimension": 2.5}, "dimension must be"),
        ({"dimension": 2**17}, "dimension must be"),
        ({"radius": math.inf}, "radius"),
        ({"radius": math.nan}, "radius"),
        ({"centre": (math.nan,) * 8}, "centre must be finite"),
        ({"low": 1.0, "high": 0.0}, "low must be below high"),
        ({"spread": 1.5}, "spread is a standard deviation"),
        ({"users": 8, "ball": "l2", "dimension": 5}, "cannot fill 2 × 8 folds"),
        ({"users": 0}, "users must be"),
        ({"observations": 0}, "observations"),
        ({"confidence": 1.0}, "confidence"),
        ({"delta": 0.0}, "delta"),
        ({"proof_constant": 0.0}, "proof_constant"),
        ({"public_seed": -1}, "public_seed"),
    ],
)
def test_bad_settings(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(sv.InvalidInput, match=words):
        vector(**changes)


def test_declarations_that_do_not_fit_the_data() -> None:
    values = people(100, 2, 3)
    each = "centre must hold a number for each of the 3 coordinates"
    for given, words in (
        ({"centre": [0.0, 0.0]}, "centre has 2 entries; the data have 3 coordinates"),
        ({"ball": "linf", "low": 0.0, "high": np.ones(4)}, "high has 4 entries; the data have 3"),
        *(({"centre": wrong}, each) for wrong in (3, "abc", [None, 1, 2])),
    ):
        with pytest.raises(sv.InvalidInput, match=words):
            sv.vector_mean(values, epsilon=1.0, **given)  # type: ignore[arg-type]
    with pytest.raises(sv.InvalidInput, match="no column 'c9'"):
        sv.vector_mean(pd.DataFrame({"who": [1, 2], "a": [0.0, 1.0]}), user="who", value=["a", "c9"], epsilon=1.0)


def test_lists_are_kept_as_tuples() -> None:
    listed = vector(epsilon=1, dimension=2, centre=[0, 1])
    assert listed == vector(epsilon=1.0, dimension=2, centre=(0.0, 1.0))
    assert hash(listed) == hash(listed) and listed.centre == (0.0, 1.0)


@pytest.mark.parametrize("crowd", [Crowd(), Crowd(within=0.3), Crowd(spread=0.05, around=0.2)])
@pytest.mark.parametrize(
    "method", [OneRound(), Paper(), AdaptiveByCoordinate()], ids=["one-round", "paper", "adaptive"]
)
def test_predictions_go_with_the_range_of_each_coordinate(method: Any, crowd: Crowd) -> None:
    """Of two boxes as of each of them; a box twice as wide, for users twice as spread, has twice the error."""
    stated = {name: value for name in ("spread", "within", "around") if (value := getattr(crowd, name)) is not None}
    wide = Crowd(**{name: 2 * value for name, value in stated.items()})
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
    assert score.squared_error == pytest.approx(((np.array(answer.value) - world.truth) ** 2).sum())
    assert score.covered is not None and 0 <= score.covered <= 1 and set(score.figures) == {"halfwidth", "together"}
    assert world.score(answer, list(answer.value)).covered == 1.0
    assert "300 made-up users with 20 vectors of 4 coordinates each, every coordinate beta:2,5" in str(world.words)
