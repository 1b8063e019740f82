"""How sure a choice from a cover is: rivals that are named, and a share that was chosen for being the largest."""

from __future__ import annotations

import numpy as np
import pytest

import sottovoce as sv
from tests.support import rectangle
from tests.unit.test_cover import cover

CENTRES = tuple((float(k),) for k in range(12))


@pytest.mark.parametrize("method", ["subset", "unary"])
def test_a_tie_of_many_is_told_and_the_share_is_corrected(method: str) -> None:
    """300 surveys, twelve centres of equal shares. At 95 % exactly, fewer than 270 hold with a chance of 1 in 7,000.

    The plain interval, share as found ± 1.96 standard errors, holds far less often: the largest of many is too large,
    always, by 1.6 standard errors. The corrected share is too large in half of the surveys (below 115 or above 185 of
    300 with a chance of 1 in 18,000), and inside its interval.
    """
    rng, truth = np.random.default_rng(5), 1 / 12
    protocol = cover(centres=CENTRES, users=400, epsilon=1.0, method=method)
    held = plain = named = above = 0
    found = []
    for repetition in range(300):
        own = rng.integers(0, 12, 400).astype(float)
        answer = sv.run(protocol, sv.simulate(rectangle(own[:, None]), seed=1, repetition=repetition))
        low, high = answer.share_interval
        held += low <= truth <= high
        plain += abs(answer.top[0].share - truth) <= 1.96 * answer.top[0].standard_error
        above += answer.share > truth
        found.append((answer.top[0].share - truth) / answer.top[0].standard_error)
        named += 0 in answer.contenders
        assert low <= answer.share <= answer.top[0].share <= high
        assert answer.contenders[0] == answer.index and len(answer.contenders) == answer.contender_count
    assert held >= 270 and named >= 270
    assert plain < 240 and np.mean(found) > 1.4
    assert 115 <= above <= 185


def test_a_clear_lead_leaves_no_rival_and_the_usual_interval() -> None:
    own = np.repeat([3.0, 7.0], [3200, 800])
    answer = sv.run(cover(centres=CENTRES, users=4000, epsilon=2.0), sv.simulate(rectangle(own[:, None]), seed=1))
    assert (answer.index, answer.contenders, answer.contender_count) == (3, (3,), 1) and not answer.warnings
    said = str(answer.meaning)
    assert "no other centre has more users" in said and said in answer.summary().replace("\n            ", " ")
    low, high = answer.share_interval
    assert (high - low) / 2 == pytest.approx(1.96 * answer.top[0].standard_error, rel=0.15)


def test_a_narrow_lead_names_the_rival() -> None:
    own = np.repeat([3.0, 7.0], [210, 190])
    answer = sv.run(cover(centres=CENTRES, users=400, epsilon=2.0), sv.simulate(rectangle(own[:, None]), seed=1))
    assert set(answer.contenders) == {3, 7} and answer.contender_count == 2
    assert "1 of the others may have more users" in str(answer.meaning)
    assert any("1 of the others may hold more users" in warning for warning in answer.warnings)


def test_the_corrected_share_of_a_clear_winner_is_the_share_found() -> None:
    """60 centres, one with 31 % of 4,000 users: 200 surveys, a mean error within 4 standard errors (1 in 16,000).

    It is no wider spread than the share found.
    """
    rng, truth = np.random.default_rng(6), 0.3 + 0.7 / 60
    protocol = cover(centres=tuple((float(k),) for k in range(60)), users=4000, epsilon=2.0)
    errors = []
    for repetition in range(200):
        own = np.where(rng.random(4000) < 0.3, 5.0, rng.integers(0, 60, 4000).astype(float))
        answer = sv.run(protocol, sv.simulate(rectangle(own[:, None]), seed=2, repetition=repetition))
        errors.append((answer.share - truth, answer.top[0].share - truth))
    corrected, found = np.array(errors).T
    assert abs(corrected.mean()) <= 4 * corrected.std() / np.sqrt(200)
    assert corrected.std() <= 1.01 * found.std()


def test_the_bound_appears_only_where_its_assumptions_hold() -> None:
    """L186 by hand: Δ = ½, diam 12, N = 12, n = 400, ε = 1: ¼ + 144·12·e^{−20} = .25 + 1728·2.0611536e-9 = .2500035617.

    Users who differ, few users and a bound above diam² have none; users alike lose it in one survey of a thousand.
    """
    alike, differing = np.full(400, 3.0), np.repeat([3.0, 7.0], [3000, 1000])
    known = {"centres": CENTRES, "users": 400, "epsilon": 1.0, "radius": 0.5, "diameter": 12.0}
    shown = sv.run(cover(**known), sv.simulate(rectangle(alike[:, None]), seed=1))
    assert shown.error_bound == pytest.approx(0.2500035617, rel=1e-9)
    assert "if all users see the same point" in shown.summary()
    apart = sv.run(cover(**known | {"users": 4000}), sv.simulate(rectangle(differing[:, None]), seed=1))
    assert apart.index == 3 and apart.error_bound is None and "bound" not in apart.summary().split()
    # n·min(ε, ε²) = 49 is below 20·log 12 = 49.7; at 60, 144·12·e^{−3} = 86 < 144, and at 51, 144·12·e^{−2.55} = 134.9
    assert cover(**known | {"users": 49}).error_bound is None
    assert cover(**known | {"users": 60}).error_bound == pytest.approx(0.25 + 1728 * 0.049787068, rel=1e-7)
    # the radius alone may be too large: 144 + 86 is no bound
    assert cover(**known | {"users": 60, "radius": 12.0}).error_bound is None
