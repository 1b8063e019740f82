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

    The plain interval, share ± 1.96 standard errors, holds far less often: the largest of many is too large.
    """
    rng, truth = np.random.default_rng(5), 1 / 12
    protocol = cover(centres=CENTRES, users=400, epsilon=1.0, method=method)
    held = plain = named = 0
    for repetition in range(300):
        own = rng.integers(0, 12, 400).astype(float)
        answer = sv.run(protocol, sv.simulate(rectangle(own[:, None]), seed=1, repetition=repetition))
        low, high = answer.share_interval
        held += low <= truth <= high
        plain += abs(answer.share - truth) <= 1.96 * answer.top[0].standard_error
        named += 0 in answer.contenders
        assert low <= min(1.0, max(0.0, answer.share)) <= high
        assert answer.contenders[0] == answer.index and len(answer.contenders) == answer.contender_count
    assert held >= 270 and named >= 270
    assert plain < 240


def test_a_clear_lead_leaves_no_rival_and_the_usual_interval() -> None:
    own = np.repeat([3.0, 7.0], [3200, 800])
    answer = sv.run(cover(centres=CENTRES, users=4000, epsilon=2.0), sv.simulate(rectangle(own[:, None]), seed=1))
    assert (answer.index, answer.contenders, answer.contender_count) == (3, (3,), 1) and not answer.warnings
    assert "no other centre has more users" in answer.meaning and answer.meaning in answer.summary().replace(
        "\n            ", " "
    )
    low, high = answer.share_interval
    assert (high - low) / 2 == pytest.approx(1.96 * answer.top[0].standard_error, rel=0.15)


def test_a_narrow_lead_names_the_rival() -> None:
    own = np.repeat([3.0, 7.0], [210, 190])
    answer = sv.run(cover(centres=CENTRES, users=400, epsilon=2.0), sv.simulate(rectangle(own[:, None]), seed=1))
    assert set(answer.contenders) == {3, 7} and answer.contender_count == 2
    assert "1 of the others may have more users" in answer.meaning
    assert any("1 of the others may hold more users" in warning for warning in answer.warnings)
