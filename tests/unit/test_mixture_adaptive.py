"""Mixtures by `adaptive`: what is in an answer, what it warns of, and that intervals hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.answers import Assumes
from sottovoce.messages import Fact
from sottovoce.problems.base import choose
from sottovoce.problems.mixture import MixtureEstimate
from tests.support import coin_mixture


def survey(**changes: Any) -> sv.MixtureMeans:
    fields: dict[str, Any] = {"epsilon": 4.0, "low": -1.0, "high": 1.0, "users": 1500, "observations": 200}
    return sv.MixtureMeans(**fields | {"components": 2} | changes)


def asked(
    protocol: sv.MixtureMeans, heads: tuple[float, ...], shares: tuple[float, ...], *, seed: int = 1
) -> MixtureEstimate:
    people = coin_mixture(np.random.default_rng(seed), protocol.users, protocol.observations, heads, shares)
    answer = sv.run(protocol, sv.simulate(people, seed=seed))
    assert isinstance(answer, MixtureEstimate)
    return answer


def test_auto_is_adaptive_and_finds_the_kinds() -> None:
    answer = asked(survey(), (0.2, 0.8), (0.3, 0.7))
    assert choose(survey()).method.name == answer.method == "adaptive" and not answer.warnings
    assert answer.means == pytest.approx((-0.6, 0.6), abs=0.02) and answer.shares == pytest.approx((0.3, 0.7), abs=0.1)
    assert answer.assumes == Assumes.MODEL_OF_COMPONENTS and answer.interval_kind == Fact("by-model")
    assert "their number is right" in answer.summary()


@pytest.mark.parametrize("epsilon, components, users", [(0.3, 4, 60), (1.0, 3, 5), (8.0, 6, 400), (2.0, None, 200)])
@pytest.mark.parametrize("heads", [(0.0, 1.0), (0.48, 0.52)])
def test_components_stay_in_the_range_and_shares_add_up(
    epsilon: float, components: int | None, users: int, heads: tuple[float, ...]
) -> None:
    """Also where there are fewer kinds than asked for, at the ends of the range, or closer than can be told."""
    answer = asked(survey(epsilon=epsilon, components=components, users=users), heads, (0.5, 0.5))
    assert sum(answer.shares) == pytest.approx(1.0) and min(answer.shares) >= 0
    assert list(answer.means) == sorted(answer.means) and components in (None, answer.components)
    for mean, (low, high) in zip(answer.means, answer.intervals, strict=True):
        assert -1 <= low <= mean <= high <= 1
    for share, (low, high) in zip(answer.shares, answer.share_intervals, strict=True):
        assert 0 <= low <= share <= high <= 1


def test_the_number_of_components_is_found_and_told() -> None:
    clear = asked(survey(components=None, users=3000), (0.2, 0.8), (0.5, 0.5))
    assert clear.components == 2
    (said,) = (warning for warning in clear.warnings if "number of components" in warning)
    assert "2, was chosen from the reports" in said and "unreliable" not in said


def test_a_number_that_reports_do_not_settle_is_called_unreliable() -> None:
    """Fifths of 3,000 users at ε = 0.5 are not seen, so one kind is found, and that is not to be trusted."""
    weak = asked(survey(components=None, users=3000, epsilon=0.5), (0.1, 0.5, 0.9), (0.2, 0.6, 0.2))
    assert weak.components == 1
    assert any("share below 0.4, and is unreliable here" in warning for warning in weak.warnings)


def test_components_that_are_not_there_are_warned_of() -> None:
    """Two kinds, four asked for: of two at least the answer says that they may not exist, or overlap another."""
    for seed in range(3):
        answer = asked(survey(components=4), (1 / 8, 7 / 8), (0.5, 0.5), seed=seed)
        doubted = [one for one in answer.warnings if "may not exist" in one or "may be one" in one]
        assert len(doubted) >= 2
        for number in range(4):
            said = [one for one in answer.warnings if one.startswith(f"component {number + 1}: its share")]
            if said:
                assert all("cannot be told from zero" in one for one in said)
                assert answer.intervals[number] == (-1.0, 1.0)


def test_a_rare_kind_is_warned_of() -> None:
    """A tenth of 2,000 users at ε = 1: a component may be missed, and the warning says what that does to the others."""
    protocol = survey(epsilon=1.0, users=2000, observations=500, components=3)
    for seed in range(4):
        answer = asked(protocol, (1 / 8, 1 / 2, 7 / 8), (0.1, 0.8, 0.1), seed=seed)
        assert any("cannot be told from noise by 800 voters" in one for one in answer.warnings)
        assert any("moved by a place" in one for one in answer.warnings)
        assert "none has less than 0.24 of the users" in answer.summary()


def test_weak_surveys_warn() -> None:
    answer = asked(survey(users=60, epsilon=0.5), (0.2, 0.8), (0.5, 0.5))
    assert any("is below 100: the reports say little" in one for one in answer.warnings)
    assert answer.least_share is None and "all can be found, which so few reports do not show" in answer.summary()
    assert asked(survey(components=1, users=60, epsilon=0.5), (0.2,), (1.0,)).warnings


def test_intervals_cover() -> None:
    """30 surveys of two kinds: 52 of 60 intervals at least. At 95 % each, fewer would be 3 in 1,000; seeds fixed."""
    held = []
    for seed in range(30):
        answer = asked(survey(users=1000), (0.3, 0.75), (0.4, 0.6), seed=100 + seed)
        held += [low <= mean <= high for mean, (low, high) in zip((-0.4, 0.5), answer.intervals, strict=True)]
        assert max(high - low for low, high in answer.intervals) < 0.2, "or covering says nothing"
    assert sum(held) >= 52


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"delta": 0.1}, "adaptive has no delta"),
        ({"membership": "bin"}, "adaptive has no delta and no membership"),
        ({"components": 21}, "at most 20 components, not 21"),
        ({"users": 2, "components": 1}, "at least 3 users, not 2"),
    ],
)
def test_what_adaptive_does_not_do(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(sv.InvalidInput, match=words):
        survey(method="adaptive", **changes)
