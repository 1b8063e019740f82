"""Covers cover: every point lies within the radius. A Δ that nobody gave: which limit it is, and why."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sottovoce as sv
from sottovoce.messages import Fact, InvalidInput, Manifest
from sottovoce.methods import experiment_delta
from sottovoce.problems import Announced, announce
from sottovoce.problems.cover import COVER, Cover, CoverSelect, covers
from sottovoce.problems.cover.covers import most_centres
from sottovoce.theory import cover_risk

RNG = np.random.default_rng(0)


def distance(points: np.ndarray, cover: Cover) -> np.ndarray:
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
    people, fields = COVER.call.prepare(sv.collections(data), {"centres": cover})
    return sv.run(CoverSelect(**fields, epsilon=3.0, users=people.users), sv.simulate(people, seed=2))


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


@pytest.mark.thin(2)
@pytest.mark.parametrize(
    ("make", "setting"),
    [
        (covers.linf_ball, {"dimension": 8, "delta": 0.1}),
        (covers.linf_ball, {"dimension": 1, "delta": 1e-9}),
        (covers.l2_ball, {"dimension": 8, "delta": 0.3}),
        (covers.l2_ball, {"dimension": 2, "delta": 1e-4}),
        (covers.sparse_vectors, {"dimension": 16, "sparsity": 2, "delta": 0.03}),
        (covers.linf_ball, {"dimension": 4, "delta": 5e-324, "metric": "l2"}),
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
        (covers.l2_ball, {"dimension": 2}, "give delta, or users and epsilon"),
        (covers.l2_ball, {"dimension": 2, "delta": 0.2, "users": 20, "epsilon": 1.0}, "have nothing to decide"),
        (covers.linf_ball, {"dimension": 20, "users": 1000, "epsilon": 1.0}, "give fewer dimensions"),
    ],
)
def test_bad_settings(make: Any, setting: dict[str, Any], words: str) -> None:
    with pytest.raises(sv.InvalidInput, match=words):
        make(**setting)


MAKERS: list[tuple[Any, dict[str, Any], float]] = [
    (covers.linf_ball, {"dimension": 2, "metric": "l2"}, 2 * math.sqrt(2)),
    (covers.l2_ball, {"dimension": 2}, 2.0),
    (covers.sparse_vectors, {"dimension": 6, "sparsity": 2}, 2 * math.sqrt(2)),
    (covers.sobolev_densities, {"smoothness": 1.0, "radius": 2.0}, math.sqrt(3)),
]


def test_the_theorems_width_by_hand() -> None:
    """[−1, 1], n = 200, ε = 1: k cells have Δ = 1/k, and the bound is 1/k² + 4·k·e^{−10} (L186), e^{−10} = 4.539993e-5.

    Its derivative −2/k³ + 1.815997e-4 is zero at k = (2/1.815997e-4)^{1/3} = 11,013.2^{1/3} = 22.25; at 22 it is
    .0020661 + .0039952 = .0060613, at 23 .0018904 + .0041768 = .0060672: 22 cells, Δ = .0454545.
    """
    made = covers.linf_ball(dimension=1, users=200, epsilon=1.0)
    assert len(made) == 22 and made.radius == pytest.approx(1 / 22)
    assert str(made.why) == "Δ = 0.0455 minimises the theorem's bound (L186) for n = 200 and ε = 1"


@pytest.mark.parametrize(("make", "setting", "diameter"), MAKERS)
def test_no_other_cover_has_a_lower_bound(make: Any, setting: dict[str, Any], diameter: float) -> None:
    """Against covers of thirty other Δ; the search goes in steps of 6 %, so that 1 % is allowed."""
    made = make(users=200, epsilon=1.0, **setting)
    assert "minimises" in str(made.why)

    def bound(cover: Any) -> float:
        return cover_risk(delta=cover.radius, diameter=diameter, centres=len(cover), users=200, epsilon=1.0)

    for factor in np.linspace(0.76, 1.6, 30):
        other = make(delta=float(made.radius * factor), **setting)
        assert bound(made) <= 1.01 * bound(other)


@pytest.mark.thin(3)
@pytest.mark.parametrize(("make", "setting", "diameter"), MAKERS)
def test_many_users_are_stopped_by_the_question(make: Any, setting: dict[str, Any], diameter: float) -> None:
    made = make(users=10**5, epsilon=2.0, **setting)
    assert "smallest whose cover fits a question" in str(made.why)
    with pytest.raises(InvalidInput, match="fit"):
        make(delta=0.97 * made.radius, **setting)


def test_a_question_has_room_for_so_many() -> None:
    """d = 1: each centre takes up to 24 + 3 bytes of 2^20 − 8192: ⌊1,040,384/27⌋ = 38,532."""
    assert most_centres(1) == 38_532 == len(covers.linf_ball(dimension=1, users=10**5, epsilon=2.0))


def test_few_observations_keep_it_coarse() -> None:
    """n = 2000, T = 50, ε = 2, [−1, 1]: C_α·√(log(nTα²)/T) = ¼·√(log(400,000)/50) = ¼·√(12.899220/50) = .1269804.

    The finest with Δ at least that has 7 cells: 1/7 = .1429 ≥ .1270 > 1/8.
    """
    assert experiment_delta(2000, 50, 2.0) == pytest.approx(0.1269804, rel=1e-6)
    made = covers.linf_ball(dimension=1, users=2000, epsilon=2.0, observations=50)
    assert len(made) == 7 and "what averages of T = 50 tell apart" in str(made.why)


def test_so_few_users_that_the_theorem_promises_nothing() -> None:
    """ℓ2, d = 2, n = 20, ε = 1: 4 centres are the fewest, and 4·4·e^{−1} = 5.9 is above diam² = 4."""
    made = covers.l2_ball(dimension=2, users=20, epsilon=1.0)
    assert len(made) == 4 and "promises nothing at any Δ" in str(made.why)


@pytest.mark.parametrize(
    ("space", "point"),
    [
        ("l2-ball", (0.4, -0.3)),
        ("linf-ball", (0.4, -0.3)),
        ("linf-ball:2", (1.4, -0.3)),
        ("sparse-vectors:1", (0.6, 0.0)),
    ],
)
def test_a_call_names_a_space_and_the_answer_says_why(space: str, point: tuple[float, float]) -> None:
    """Users alike within T = 400: the chosen centre is within Δ of the point, and the spread of the averages."""
    data = np.random.default_rng(1).normal(point, 0.3, size=(2000, 400, 2))
    answer = sv.cover_select(data, centres=space, epsilon=2.0, seed=7)
    assert answer.radius is not None and f"Δ = {answer.radius:.3g}" in answer.reason and "T = 400" in answer.reason
    assert np.abs(np.array(answer.centre) - point).max() <= answer.radius + 0.06


def test_a_call_names_the_densities() -> None:
    data = np.random.default_rng(1).beta(2, 2, size=(1500, 400))
    answer = sv.cover_select(data, centres="densities:2:4", epsilon=2.0, seed=7)
    assert "T = 400" in answer.reason
    made = covers.sobolev_densities(smoothness=2.0, radius=4.0, users=1500, epsilon=2.0, observations=400)
    assert answer.centre == made.centres[answer.index]
    assert f"by its coefficients 2 to {made.functions[-1]} (L316)" in answer.reason
    said = {str(label): str(line) for label, line in answer.headline()}
    assert f"{made.centres[answer.index][0]:.4g}" in said["chosen"]
    assert said["cover"] == f"every point has a centre within {made.radius:.4g}"


def test_coefficients_are_a_row_for_each_index() -> None:
    rows = ((0.0,), (1.0,))
    assert sv.CoverSelect(epsilon=1.0, users=9, size=2, coefficients=rows).coordinates_of_centres == rows
    with pytest.raises(InvalidInput, match="a row for each of size=3"):
        sv.CoverSelect(epsilon=1.0, users=9, size=3, coefficients=rows)


@pytest.mark.parametrize(("make", "setting", "diameter"), MAKERS)
def test_a_cover_knows_the_diameter_of_its_space(make: Any, setting: dict[str, Any], diameter: float) -> None:
    """That of the space, not of a box around it; centres of densities may lie outside, by less than Δ."""
    made = make(delta=0.4, **setting)
    outside = made.radius if made.functions else 0.0
    assert diameter - 1e-12 <= made.diameter <= diameter + outside + 1e-12
    farthest = np.sqrt((np.asarray(made.centres) ** 2).sum(axis=1)).max()
    assert farthest <= made.diameter - diameter / 2 + 1e-12, "no centre is farther from a point than that"


def test_the_bound_that_is_shown_is_the_one_that_chose() -> None:
    """The unit disc, n = 4,000, ε = 0.1: 4 centres, Δ² = ½, diam² = 4: ½ + 4·4·e^{−40/20} = ½ + 16·e^{−2} = 2.6654.

    At this ε votes may deny by chance that users are alike: with this seed they do not.
    """
    data = np.full((4000, 20, 2), 0.4)
    answer = sv.cover_select(data, centres="l2-ball", epsilon=0.1, seed=1)
    assert answer.size == 4
    assert answer.error_bound == pytest.approx(2.66536, abs=1e-5)


@pytest.mark.parametrize(
    ("space", "words"),
    [
        ("l3-ball", "there is no space 'l3-ball'; there are linf-ball"),
        ("l2-ball:x", "numbers after its colons"),
        ("l2-ball:1:2", "must read l2-ball"),
        ("sparse-vectors", "must read sparse-vectors:S"),
        ("sparse-vectors:1.5", "'sparse-vectors:1.5': S must be a whole number from 1 to dimension=2; got 1.5"),
        ("densities:2", "must read densities:SMOOTHNESS:RADIUS"),
        ("l2-ball:nan", "must read l2-ball"),
    ],
)
def test_spaces_that_do_not_read(space: str, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        sv.cover_select(np.zeros((50, 3, 2)), centres=space, epsilon=1.0, seed=1)


def test_the_reason_travels_in_the_manifest_and_old_manifests_read_as_they_did() -> None:
    """A manifest of a cover that was given holds no word of why, as before there was one."""
    made = covers.l2_ball(dimension=2, users=300, epsilon=1.0)
    told = {"purpose": "a test", "collector": "nobody", "software": "0", "opens": 0, "closes": 1000}
    for why in ("", "in my own words", made.why):
        settings = sv.CoverSelect(epsilon=1.0, users=300, centres=made.centres, radius=made.radius, because=why)
        manifest = announce(settings, **told)
        assert ("because" in manifest.settings) == bool(why)
        assert Announced(Manifest.from_bytes(manifest.to_bytes())).settings.because == why


@pytest.mark.parametrize(
    "because",
    [Fact("chosen-by-caller"), Fact("cover-of-densities", last=3), Fact("cover-of-densities", last="3", width=None), 3],
)
def test_a_reason_is_one_that_a_cover_gives(because: Any) -> None:
    with pytest.raises(InvalidInput, match="because must be printable text"):
        sv.CoverSelect(epsilon=1.0, users=300, size=3, because=because)
