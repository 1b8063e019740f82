"""What a manifest's names are in words: every statistic, in the words that it has for itself."""

from __future__ import annotations

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

import sottovoce as sv
from sottovoce.explain import computes, from_you, span
from sottovoce.messages import (
    Average,
    Averages,
    Basis,
    Below,
    Categories,
    Category,
    Coefficient,
    Cosines,
    Direction,
    Each,
    Entry,
    Grid,
    Hashed,
    Inside,
    Item,
    Joint,
    Large,
    Nearest,
    Norm,
    Residual,
    Rotated,
    Share,
    Statistic,
    Vector,
    statistic_name,
)
from sottovoce.messages.rules import STATISTICS
from sottovoce.problems import announce
from tests.service.scripted import mean_manifest

VECTORS: list[Vector] = [
    Averages(size=4),
    Inside(size=4, ball="linf", middle=(0.0,), half=(1.0,)),
    Large(size=4, threshold=1.0),
    Categories(places=Grid(low=(0.0,), high=(4.0,), count=4)),
    Below(thresholds=(1.0, 2.0, 3.0, 4.0)),
    Cosines(size=4, low=0.0, high=1.0),
]
ALL: list[Statistic] = [
    Item(),
    Each(),
    Share(below=(1.0,)),
    Basis(low=0.0, high=1.0, functions=(2,)),
    Rotated(seed=1, size=4, centre=(0.0,), radius=1.0),
    Hashed(seed=1, columns=4, threshold=1.0),
    Residual(seed=1, centres=(1.0, 2.0)),
    Nearest(centres=((1.0,), (2.0,))),
    Joint(centres=(1.0, 2.0), reach=1.0, levels=3),
    Category(vector=Categories(places=Grid(low=(0.0,), high=(4.0,), count=4))),
    *(Entry(vector=vector) for vector in VECTORS),
    *(Coefficient(vector=vector) for vector in VECTORS),
    *(Norm(vector=vector, centre=(0.0,) * 4) for vector in VECTORS),
    *(Direction(vector=vector, centre=(0.0,) * 4, radius=1.0, seed=1, rows=2) for vector in VECTORS),
]


def test_every_statistic_is_there() -> None:
    assert {statistic_name(one) for one in ALL} | {"average"} == STATISTICS
    for name in STATISTICS:
        assert str(computes(name))


@pytest.mark.parametrize("statistic", ALL, ids=statistic_name)
def test_the_words_are_those_of_the_statistic_without_its_numbers(statistic: Statistic) -> None:
    told = re.sub(r"(?<!\()\b\d[\d,]*\b(?!\))", "several", str(statistic.fact)).replace(
        "the category, one of several, of", "the category of"
    )
    assert str(computes(statistic_name(statistic))) == told


@pytest.mark.parametrize("first", [None, 1, 7])
def test_an_average_is_of_all_or_of_the_first(first: int | None) -> None:
    told = str(Average(first=first).fact)
    assert told.startswith("the average of " if first != 1 else "your first observation")
    assert str(computes("average")) == "the average of your observations, or of the first of them"


@pytest.mark.parametrize(
    "low, high, told",
    [
        (1.0, 5.0, "from 1 to 5"),
        (1e9, 1e9 + 1, "from 1000000000 to 1000000001"),
        (-1e9 - 0.5, -1e9, "from -1000000000.5 to -1000000000"),
        (0.1, 0.1000001, "from 0.1 to 0.1000001"),
        (-1e150, 1e150, "from -1e+150 to 1e+150"),
    ],
)
def test_ends_that_differ_look_different(low: float, high: float, told: str) -> None:
    assert str(span(low, high)) == told


def test_what_is_asked_in_words() -> None:
    manifest = mean_manifest(method="adaptive", low=1000.0, high=1000.5)
    told = str(from_you(manifest))
    assert "the average of your observations, or of the first of them (from 1000 to 1000.5)" in told
    assert told.count("the average") == 1, "bins of it, and where it lies"
    first = manifest.rules.ways[0]
    ways = (
        replace(first, statistic="category of categories", placement="grid", low=0.0, high=4.0, columns=2),
        replace(first, statistic="item", placement="grid", low=0.0, high=4.0),
        replace(first, statistic="item", placement="grid", low=7.0, high=7.0001),
    )
    told = str(from_you(cast(Any, SimpleNamespace(rules=SimpleNamespace(ways=ways), groups=()))))
    assert told.endswith(
        "about: the category of one of your observations, drawn at random, over 2 columns; "
        "or one of your observations, drawn at random (from 0 to 4 or from 7 to 7.0001)"
    )


def test_a_participant_hears_that_a_group_is_asked_about() -> None:
    """Not that two columns are averaged: the label of a group is no number to average."""
    settings = sv.ByGroup(epsilon=2.0, users=90, observations=6, groups=("arts", "law"), low=1.0, high=5.0)
    made = announce(settings, purpose="to try", collector="tests", software="sottovoce", opens=0, closes=1000)
    told = str(from_you(made))
    assert "counting only what you hold in one of the groups; or that you hold nothing there" in told
    assert "columns" not in told
    assert "about: roughly where your average lies, rounded at random to one of several places, counting" in told
    assert "centre" not in told
