"""Questions about vectors that a device must not answer, and vectors that it must answer whatever it holds."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest

from sottovoce import design
from sottovoce.audit import every_statistic
from sottovoce.checks import check_encoder
from sottovoce.device import Collections, Ledger, SystemEntropy, encode, respond
from sottovoce.messages import (
    Averages,
    Below,
    Categories,
    Category,
    Coefficient,
    Cosines,
    Direction,
    Encoder,
    Entry,
    Grid,
    Inside,
    Joint,
    Large,
    Malformed,
    Norm,
    Position,
    Question,
    Report,
    canonical,
    to_plain,
)
from tests.unit.test_hostile_questions import decline, edited, put, vote

THREE, EIGHT = Averages(size=3), Grid(low=(0.0,), high=(8.0,), count=8)


def through_a_bit(statistic: Any, **more: Any) -> Question:
    encoder = Encoder(statistic=statistic, placement=Position(low=(-2.0,), high=(2.0,)))
    return vote(channel=design.one_bit(1.0), encoder=encoder, **more)


def through_eight(statistic: Any, *, size: int | None = None) -> Question:
    return vote(channel=design.subset(1.0, 8, size=size), encoder=Encoder(statistic=statistic, placement=EIGHT))


DIRECTION = through_eight(Direction(vector=THREE, centre=(0.0, 0.5, 0.0), radius=1.0, seed=3, rows=4), size=1)
ENTRY = through_a_bit(Entry(vector=THREE), groups=3)
COEFFICIENT = through_a_bit(Coefficient(vector=Averages(size=2)))
CATEGORIES = through_a_bit(Norm(vector=Categories(places=EIGHT, labels="0" * 64), centre=(0.0,) * 8))
BELOW = through_a_bit(Norm(vector=Below(thresholds=(0.1, 0.5)), centre=(0.0, 0.0)))
COSINES = through_a_bit(Norm(vector=Cosines(low=0.0, high=1.0, size=2), centre=(0.0, 0.0)))
INSIDE = through_a_bit(Norm(vector=Inside(size=2, middle=(0.5,), half=(1.0, 2.0), ball="l2"), centre=(0.0, 0.0)))
LARGE = through_a_bit(Norm(vector=Large(size=2, threshold=0.1), centre=(0.0, 0.0)))
CATEGORY = through_eight(Category(vector=Categories(places=EIGHT)))
JOINT = through_eight(Joint(centres=(0.0, 1.0), reach=0.2, levels=4))

BITS = to_plain(design.unary(1.0, 8))
TWICE = {"kind": "grid", "low": [0, 0], "high": [8, 8], "count": 8}
STATISTIC, VECTOR = "encoder.statistic", "encoder.statistic.vector"
PUT: dict[str, tuple[Question, str, Any]] = {
    "a direction through bits": (DIRECTION, "channel", BITS),
    "a direction as two symbols": (DIRECTION, "channel.size", 2),
    "a direction among more symbols": (DIRECTION, f"{STATISTIC}.rows", 3),
    "a direction on another grid": (DIRECTION, "encoder.placement.high", [9]),
    "a direction on a grid that begins elsewhere": (DIRECTION, "encoder.placement.low", [-1]),
    "a direction in bins": (DIRECTION, "encoder.placement", {"kind": "bins", "edges": [1, 2, 3, 4, 5, 6, 7]}),
    "a direction as a position": (DIRECTION, "encoder.placement", {"kind": "position", "low": [0], "high": [8]}),
    "a direction in two groups": (DIRECTION, "groups", 2),
    "a direction twice": (DIRECTION, "uses", 2),
    "no rows": (DIRECTION, f"{STATISTIC}.rows", 0),
    "more rows than turns have": (DIRECTION, f"{STATISTIC}.rows", 65),
    "rows in part": (DIRECTION, f"{STATISTIC}.rows", 2.5),
    "a centre too short": (DIRECTION, f"{STATISTIC}.centre", [0, 0]),
    "a centre too long": (LARGE, f"{STATISTIC}.centre", [0, 0, 0]),
    "a centre that is no number": (DIRECTION, f"{STATISTIC}.centre", [0, "NaN", 0]),
    "a radius of zero": (DIRECTION, f"{STATISTIC}.radius", 0),
    "a radius below zero": (DIRECTION, f"{STATISTIC}.radius", -1),
    "a seed below zero": (DIRECTION, f"{STATISTIC}.seed", -1),
    "a vector without columns": (DIRECTION, f"{VECTOR}.size", 0),
    "a vector of a million columns": (ENTRY, f"{VECTOR}.size", 10**6),
    "an unknown vector": (DIRECTION, f"{VECTOR}.kind", "everything"),
    "a statistic for a vector": (DIRECTION, VECTOR, {"kind": "average", "columns": [0], "first": None}),
    "a vector without a kind": (DIRECTION, VECTOR, {"size": 3}),
    "entries for other groups": (ENTRY, "groups", 2),
    "a coefficient of one entry": (COEFFICIENT, f"{VECTOR}.size", 1),
    "coefficients for other groups": (COEFFICIENT, f"{VECTOR}.size", 3),
    "categories in two ranges": (CATEGORIES, f"{VECTOR}.places.low", [0, 0]),
    "categories in two ranges that match": (CATEGORIES, f"{VECTOR}.places", TWICE),
    "categories in a position": (CATEGORIES, f"{VECTOR}.places", {"kind": "position", "low": [0], "high": [8]}),
    "categories of unordered bins": (CATEGORIES, f"{VECTOR}.places", {"kind": "bins", "edges": [1, 0]}),
    "labels that are no digest": (CATEGORIES, f"{VECTOR}.labels", "bus, train, walk"),
    "labels in capitals": (CATEGORIES, f"{VECTOR}.labels", "A" * 64),
    "labels too long": (CATEGORIES, f"{VECTOR}.labels", "0" * 65),
    "labels with a line end": (CATEGORIES, f"{VECTOR}.labels", "0" * 64 + "\n"),
    "a column of categories before the first": (CATEGORIES, f"{VECTOR}.column", -1),
    "a category of averages": (CATEGORY, VECTOR, {"kind": "averages", "size": 8}),
    "a category by another name": (CATEGORY, f"{VECTOR}.kind", "averages"),
    "thresholds out of order": (BELOW, f"{VECTOR}.thresholds", [0.5, 0.1]),
    "a threshold twice": (BELOW, f"{VECTOR}.thresholds", [0.5, 0.5]),
    "no thresholds": (BELOW, f"{VECTOR}.thresholds", []),
    "too many waves": (COSINES, f"{VECTOR}.size", 65),
    "waves over a point": (COSINES, f"{VECTOR}.high", 0),
    "waves over everything": (COSINES, f"{VECTOR}.high", 1e200),
    "large below zero": (LARGE, f"{VECTOR}.threshold", -0.1),
    "a ball of another shape": (INSIDE, f"{VECTOR}.ball", "l1"),
    "a box of no width": (INSIDE, f"{VECTOR}.half", [1, 0]),
    "a box too far away": (INSIDE, f"{VECTOR}.middle", [1e200]),
    "a box of three sides": (INSIDE, f"{VECTOR}.middle", [0, 0, 0]),
    "one level": (JOINT, f"{STATISTIC}.levels", 1),
    "too many levels": (JOINT, f"{STATISTIC}.levels", 2**15 + 1),
    "joint without centres": (JOINT, f"{STATISTIC}.centres", []),
    "joint with centres out of order": (JOINT, f"{STATISTIC}.centres", [1, 0]),
    "joint without reach": (JOINT, f"{STATISTIC}.reach", 0),
}  # fmt: skip
ABOUT_VECTORS = {name: edited(question, put(path, value)) for name, (question, path, value) in PUT.items()}
"""Canonical bytes of questions about vectors that are not in order."""


@pytest.mark.parametrize("name", ABOUT_VECTORS)
def test_malformed(name: str) -> None:
    assert decline(ABOUT_VECTORS[name]).code == "malformed"


def test_what_was_changed_was_in_order_before() -> None:
    for question, _, _ in PUT.values():
        assert Question.from_bytes(question.to_bytes()) == question


def test_too_many_rows_are_refused_in_a_question_that_fits_otherwise() -> None:
    with pytest.raises(Malformed, match="rows: 1 to 64"):
        Direction(vector=THREE, centre=(0.0,) * 3, radius=1.0, seed=1, rows=65)


QUESTIONS = {one.role: one for one in every_statistic(1.0)}
"""Each statistic, and each vector under everything that can be asked of one."""
HELD: dict[str, Any] = {
    "nothing": [],
    "one observation": [0.3],
    "no number": [math.nan],
    "infinite": [math.inf],
    "infinite on both sides": [math.inf, -math.inf, 0.5],
    "as large as numbers get": [1.7e308, 1.7e308, -1.7e308],
    "as small as numbers get": [5e-324, -5e-324, 1e-160],
    "a huge whole number": [10**400, -(10**400), 3],
    "text": ["seven", "0.3"],
    "masked": np.ma.array([0.5, 7318.0], mask=[0, 1]),
    "vectors of nothing": np.empty((4, 0)),
    "two columns": [[0.3, math.nan], [math.inf, 0.1]],
    "more columns than are asked for": np.linspace(-1, 1, 40).reshape(2, 20),
    "whole numbers": np.array([[1, 2, 3, 4, 5, 6]], dtype=np.int8),
    "large whole numbers": np.array([2**64 - 1, 0], dtype=np.uint64),
    "yes and no": np.array([True, False, True]),
}


@pytest.mark.parametrize("held", HELD)
def test_a_device_answers_every_question_whatever_it_holds(held: str) -> None:
    """No exception and no warning; an input that the channel knows; reports of one size."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        people = Collections.of_one(HELD[held])
        for question in QUESTIONS.values():
            for slot in (question.slots.first, question.slots.first + question.slots.count - 1):
                given = encode(question, people, np.array([slot]), SystemEntropy())
                assert given.shape == (1, question.uses)
                assert ((given >= 0) & (given <= question.channel.span)).all(), (question.role, held)


@pytest.mark.parametrize("held", ["nothing", "infinite on both sides", "vectors of nothing"])
def test_reports_have_one_size(held: str) -> None:
    for question in QUESTIONS.values():
        data = question.to_bytes()
        with Ledger(":memory:", cap=2.0) as ledger:
            sent = respond(
                data,
                Collections.of_one(HELD[held]),
                slot=question.slots.first,
                digest=canonical.digest(data),
                collector="lab",
                source="pedometer",
                ledger=ledger,
                entropy=SystemEntropy(),
            )
        assert len(Report.from_bytes(sent).payload) == 2 * question.payload_bytes


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_question_survives_the_wire_and_everybody_is_encoded_alone(name: str) -> None:
    question = QUESTIONS[name]
    data = question.to_bytes()
    assert Question.from_bytes(data) == question and Question.from_bytes(data).to_bytes() == data
    for dimension in {1, question.encoder.statistic.dimension}:
        check_encoder(question, dimension=dimension)
