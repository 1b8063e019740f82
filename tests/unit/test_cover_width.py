"""Covers whose Δ nobody gave: the theorem's, the question's or the observations' limit, and the answer says which."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.messages import Fact, InvalidInput, Manifest
from sottovoce.methods import experiment_delta
from sottovoce.problems import Announced, announce
from sottovoce.problems.cover import covers
from sottovoce.problems.cover.covers import most_centres
from sottovoce.theory import cover_risk

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


def test_delta_or_users_and_no_more() -> None:
    with pytest.raises(InvalidInput, match="give delta, or users and epsilon"):
        covers.l2_ball(dimension=2)
    with pytest.raises(InvalidInput, match="have nothing to decide"):
        covers.l2_ball(dimension=2, delta=0.2, users=20, epsilon=1.0)
    with pytest.raises(InvalidInput, match="give fewer dimensions"):
        covers.linf_ball(dimension=20, users=1000, epsilon=1.0)


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
    assert sv.CoverSelect(epsilon=1.0, users=9, size=2, coefficients=((0.0,), (1.0,))).coordinates_of_centres == (
        (0.0,),
        (1.0,),
    )
    with pytest.raises(InvalidInput, match="a row for each of size=3"):
        sv.CoverSelect(epsilon=1.0, users=9, size=3, coefficients=((0.0,), (1.0,)))


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
        again = Announced(Manifest.from_bytes(manifest.to_bytes())).settings
        assert isinstance(again, sv.CoverSelect) and again.because == why


@pytest.mark.parametrize(
    "because",
    [Fact("chosen-by-caller"), Fact("cover-of-densities", last=3), Fact("cover-of-densities", last="3", width=None), 3],
)
def test_a_reason_is_one_that_a_cover_gives(because: Any) -> None:
    with pytest.raises(InvalidInput, match="because must be printable text"):
        sv.CoverSelect(epsilon=1.0, users=300, size=3, because=because)
