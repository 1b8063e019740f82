"""Categories, nearest centres and searches of devices, by hand; and whether the audit reaches what they can give."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sottovoce import design
from sottovoce.audit import every_statistic
from sottovoce.audit.neighbours import vectors
from sottovoce.device import Collections, SystemEntropy, encode
from sottovoce.messages import (
    Categories,
    Category,
    Grid,
    Joint,
    Large,
    Question,
)
from sottovoce.messages.placements import edges_passed
from tests.unit.test_statistics_of_vectors import Script, ask


def test_a_category_is_that_of_one_observation() -> None:
    vector = Categories(places=Grid(low=(0.0,), high=(4.0,), count=4))
    question = ask(Category(vector=vector), Grid(low=(0.0,), high=(4.0,), count=4), design.subset(1.0, 4))
    people = Collections.of_one([0.5, math.nan, 2.5, 2.5, 99.0])
    drawn = [int(encode(question, people, np.array([5]), Script(place * 2**62 + 1))[0, 0]) for place in range(4)]
    assert drawn == [0, 2, 2, 3], "each of those that are there has a quarter of the words"
    assert encode(question, Collections.of_one([math.nan]), np.array([5]), Script(0))[0, 0] == 2


def test_joint_is_the_nearest_centre_and_an_even_rounding() -> None:
    statistic = Joint(centres=(0.0, 1.0, 3.0), reach=0.5, levels=3)
    question = ask(statistic, Grid(low=(0.0,), high=(9.0,), count=9), design.subset(1.0, 9))

    def level(value: float) -> tuple[int, float]:
        """The centre, and the mean level over words that are spread evenly."""
        words = [Script((2 * place + 1) << 57) for place in range(64)]
        symbols = [int(encode(question, Collections.of_one([value]), np.array([5]), one)[0, 0]) for one in words]
        assert len({symbol // 3 for symbol in symbols}) == 1
        return symbols[0] // 3, sum(symbol % 3 for symbol in symbols) / 64

    assert level(0.125) == (0, 1.25) and level(-0.25) == (0, 0.5) and level(1.0) == (1, 1.0)
    assert level(0.5) == (0, 2.0), "between two centres the lower one counts"
    assert level(2.4) == (2, 0.0) and level(3.4) == (2, pytest.approx(1.8, abs=0.01))
    for far in (1e300, math.inf, 4.0):
        assert level(far) == (2, 2.0) and level(-far) == (0, 0.0), "what is far away has a nearest centre too"


def test_what_is_passed_is_what_a_search_finds() -> None:
    rng = np.random.default_rng(1)
    for count in (0, 1, 2, 3, 7, 8, 100):
        edges = np.unique(rng.normal(size=count))
        numbers = np.concatenate((edges, np.nextafter(edges, 9), rng.normal(size=50), [math.inf, -math.inf, -0.0]))
        for side, beyond in (("right", np.greater_equal), ("left", np.greater)):
            found = edges_passed(tuple(edges.tolist()), numbers, beyond)
            assert (found == np.searchsorted(edges, numbers, side=side)).all()  # type: ignore[call-overload]
        assert edges_passed(tuple(edges.tolist()), np.array([math.nan]), np.greater).tolist() == [0]


@pytest.mark.parametrize("question", every_statistic(1.0), ids=lambda question: question.role)
def test_the_audit_looks_at_many_symbols(question: Question) -> None:
    """Made-up observations, alone and two by two, reach most of what a channel can be given, at three slots."""
    single = np.array(vectors(question))
    pairs = np.stack([single, np.roll(single, 7, axis=0)], axis=1).reshape(-1, single.shape[1])
    offsets = np.concatenate((np.arange(len(single)), len(single) + 2 * np.arange(len(single) + 1)))
    people = Collections(np.concatenate((single, pairs)), offsets)
    reached: set[int] = set()
    for slot in question.slots.first + np.arange(3):
        reached |= set(encode(question, people, np.full(people.users, slot), SystemEntropy()).ravel().tolist())
    places = question.encoder.placement.count
    marks = isinstance(getattr(question.encoder.statistic, "vector", None), Large)  # 1 or 0, nothing between
    assert len(reached) >= (2 if marks else 3) if places is None else len(reached) >= min(places, 64) * 3 // 4
