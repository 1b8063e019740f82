"""Bells in a likelihood, and what looks at users say about where they are."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sottovoce.design import central
from sottovoce.messages import Average, Encoder, Position, Question, Slots, Tally
from sottovoce.methods import BinnedRound, bins_question, normal_below, posterior_after
from sottovoce.methods.likelihood import leaning_below

ALL = Slots(first=0, count=10**6)


def expected(asked: Question, points: np.ndarray) -> Tally:
    """What users at these points send on average: no chance in it."""
    placement = asked.encoder.placement
    if isinstance(placement, Position):
        part = (points - placement.low[0]) / (placement.high[0] - placement.low[0])
        inputs = np.rint(np.clip(part, 0, 1) * asked.channel.span).astype(np.int64)
    else:
        inputs = np.searchsorted(placement.edges, points, side="right").astype(np.int64)  # type: ignore[union-attr]
    return Tally.build(asked, [len(points)], [asked.channel.expected_cells(inputs)])  # type: ignore[union-attr]


def test_the_normal_law() -> None:
    z = np.linspace(-6.9, 6.9, 4001)
    exact = np.array([0.5 * math.erfc(-place / math.sqrt(2)) for place in z])
    assert np.abs(normal_below(z) - exact).max() < 1e-11
    assert normal_below(np.array([-50.0, 50.0])) == pytest.approx([0, 1], abs=1e-11)


def test_a_leaning_bell_has_its_three_moments() -> None:
    places = np.linspace(-9, 15, 200_001)
    for lean in (0.0, 0.3, 1.0):
        below = leaning_below(places, np.zeros(1), np.ones(1), np.array([lean]))
        middle, mass = (places[1:] + places[:-1]) / 2, np.diff(below)
        assert mass.min() >= -1e-14
        mean = mass @ middle
        spread = math.sqrt(mass @ (middle - mean) ** 2)
        assert mean == pytest.approx(0, abs=0.01) and spread == pytest.approx(1, abs=0.01)
        assert mass @ ((middle - mean) / spread) ** 3 == pytest.approx(lean, abs=0.04)


def normal_users(mean: float, spread: float, count: int = 20_000) -> np.ndarray:
    from statistics import NormalDist

    return np.array([NormalDist(mean, spread).inv_cdf((place + 0.5) / count) for place in range(count)])


def test_looks_find_place_and_spread() -> None:
    people = normal_users(0.213, 0.05)
    edges = tuple(np.sin(np.linspace(-1.5, 1.5, 30)).tolist())
    first = bins_question(survey="s", number=0, role="place", slots=ALL, edges=edges, epsilon=1.0)
    looks = (BinnedRound.of(first, expected(first, people), -1, 1),)
    assert abs(posterior_after(100, looks).mean - 0.213) < 0.02
    cuts = tuple((0.213 + 0.05 * np.array([-1.2, -0.7, -0.3, 0.0, 0.3, 0.7, 1.2])).tolist())
    second = bins_question(survey="s", number=1, role="spread", slots=ALL, edges=cuts, epsilon=1.0)
    looks += (BinnedRound.of(second, expected(second, people), -1, 1),)
    seen = posterior_after(100, looks)
    assert abs(seen.mean - 0.213) < 0.002 and abs(seen.spread - 0.05) < 0.003 and seen.settled > 0.95
    assert seen.quantiles(np.array([0.5]))[0] == pytest.approx(0.213, abs=0.003)
    cover = seen.covering(4.0, 1000)
    assert cover.low < 0.213 - 0.06 and cover.high > 0.213 + 0.06 and cover.high - cover.low < 0.5


def test_a_soft_look_reads_its_own_table() -> None:
    """Users on a lattice as coarse as the edges are soft: the middle is found all the same."""
    lattice = np.rint(normal_users(0.0307, 0.1) * 50) / 50
    edges = tuple(np.linspace(-0.91, 0.89, 19).tolist())  # midway between points of the lattice
    first = bins_question(survey="s", number=0, role="place", slots=ALL, edges=edges, epsilon=2.0)
    encoder = Encoder(statistic=Average(), placement=Position(low=(-0.11,), high=(0.13,)))
    second = Question(
        survey="s", round=1, role="c", slots=ALL, encoder=encoder, channel=central(2.0, 3, 5), epsilon=2.0
    )
    soft = BinnedRound.of(second, expected(second, lattice), -1, 1)
    assert soft.soft == pytest.approx(0.02) and soft.edges == pytest.approx((-0.09, 0.11))
    seen = posterior_after(100, (BinnedRound.of(first, expected(first, lattice), -1, 1), soft))
    assert abs(seen.mean - 0.0307) < 0.002


def test_users_who_differ_are_seen() -> None:
    people = normal_users(-0.2, 0.2)
    edges = tuple(np.sin(np.linspace(-1.5, 1.5, 30)).tolist())
    first = bins_question(survey="s", number=0, role="place", slots=ALL, edges=edges, epsilon=2.0)
    seen = posterior_after(400, (BinnedRound.of(first, expected(first, people), -1, 1),))
    assert seen.chance_of_wider(1.2) > 0.99 and seen.ratio == pytest.approx(0.2 * 20 / math.sqrt(0.96), rel=0.15)
