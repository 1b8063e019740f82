"""Questions that a device must not answer, declined with the right code, ledger unchanged; data that it must answer."""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from sottovoce import design
from sottovoce.audit import every_statistic
from sottovoce.checks import check_encoder
from sottovoce.device import Collections, Ledger, SystemEntropy, encode
from sottovoce.messages import (
    Average,
    Averages,
    Below,
    Bins,
    Categories,
    Category,
    Coefficient,
    Cosines,
    Declined,
    Decodings,
    Direction,
    Encoder,
    Entry,
    Grid,
    Hashed,
    Inside,
    Joint,
    Knots,
    Large,
    Malformed,
    Norm,
    Position,
    Question,
    Report,
    Slots,
    canonical,
    from_plain,
    to_plain,
)
from tests.support.questions import answered

SECRET = 0.7318530717958
PEOPLE = Collections.of_one([SECRET] * 5)


def vote(epsilon: float = 1.0, **changes: Any) -> Question:
    fields: dict[str, Any] = {
        "survey": "steps",
        "round": 0,
        "role": "vote",
        "slots": Slots(first=0, count=100),
        "encoder": Encoder(statistic=Average(), placement=Grid(low=(0.0,), high=(1.0,), count=10)),
        "channel": design.unary(epsilon, 10),
        "epsilon": epsilon,
    }
    return Question(**fields | changes)


BIT = vote(
    channel=design.one_bit(1.0), encoder=Encoder(statistic=Average(), placement=Position(low=(0.0,), high=(1.0,)))
)
EDGES = vote(channel=design.unary(1.0, 4), encoder=Encoder(statistic=Average(), placement=Bins(edges=(0.2, 0.5, 0.8))))
SUBSET = vote(channel=design.subset(1.0, 10))
LAPLACE = vote(channel=design.laplace(1.0), encoder=BIT.encoder)


def edited(question: Question, change: Callable[[Any], Any]) -> bytes:
    plain = json.loads(question.to_bytes())
    change(plain)
    return canonical.dumps(plain)


def put(path: str, value: Any) -> Callable[[Any], None]:

    def change(plain: Any) -> None:
        *parents, last = [int(part) if part.isdigit() else part for part in path.split(".")]
        for part in parents:
            plain = plain[part]
        plain[last] = value

    return change


def of_each(plain: Any, *, uses: int, **channel: Any) -> None:
    """As if many observations were asked for, each in 65,536 bins."""
    places = dict(plain["encoder"]["placement"], count=65536)
    encoder = {"statistic": {"kind": "each", "column": 0}, "placement": places}
    plain.update(uses=uses, encoder=encoder, channel=dict(plain["channel"], items=65536, **channel))


BYTES = vote().to_bytes()
MALFORMED: dict[str, bytes] = {
    "nothing": b"",
    "not JSON": b"\x00\x01",
    "not UTF-8": b"\xff\xfe{}",
    "a list": b"[]",
    "a number": b"1",
    "null": b"null",
    "truncated": BYTES[:-1],
    "white space": BYTES.replace(b",", b", ", 1),
    "trailing bytes": BYTES + b" ",
    "duplicate key": BYTES.replace(b'{"channel"', b'{"round":0,"channel"', 1),
    "number not canonical": BYTES.replace(b'"epsilon":1,', b'"epsilon":1.0,'),
    "not a number": BYTES.replace(b'"epsilon":1,', b'"epsilon":NaN,'),
    "infinite epsilon": BYTES.replace(b'"epsilon":1,', b'"epsilon":Infinity,'),
    "deep nesting": b"[" * 100_000,
    "huge integer": BYTES.replace(b'"round":0', b'"round":' + b"9" * 5000),
    "nine megabytes": b'"' + b"x" * 9 * 2**20 + b'"',
    "unknown field": edited(vote(), put("note", "hello")),
    "missing field": edited(vote(), lambda plain: plain.pop("slots")),
    "another version": edited(vote(), put("version", 2)),
    "version as text": edited(vote(), put("version", "1")),
    "boolean round": edited(vote(), put("round", True)),
    "negative round": edited(vote(), put("round", -1)),
    "fractional slots": edited(vote(), put("slots.count", 2.5)),
    "no slots": edited(vote(), put("slots.count", 0)),
    "negative slots": edited(vote(), put("slots.first", -5)),
    "empty survey": edited(vote(), put("survey", "")),
    "long survey": edited(vote(), put("survey", "s" * 1000)),
    "control characters": edited(vote(), put("survey", "a\nb")),
    "zero epsilon": edited(vote(), put("epsilon", 0)),
    "negative epsilon": edited(vote(), put("epsilon", -1)),
    "unknown statistic": edited(vote(), put("encoder.statistic.kind", "everything")),
    "unknown placement": edited(vote(), put("encoder.placement.kind", "raw")),
    "unknown channel": edited(vote(), put("channel.kind", "identity")),
    "channel without a name": edited(vote(), lambda plain: plain["channel"].pop("kind")),
    "column before the first": edited(vote(), put("encoder.statistic.columns", [-1])),
    "no column": edited(vote(), put("encoder.statistic.columns", [])),
    "unordered bins": edited(EDGES, put("encoder.placement.edges", [0.5, 0.2, 0.8])),
    "overlapping bins": edited(EDGES, put("encoder.placement.edges", [0.2, 0.2, 0.8])),
    "bins at infinity": edited(EDGES, put("encoder.placement.edges", [0.2, 0.5, "inf"])),
    "ten million bins": edited(vote(), put("encoder.placement.count", 10**7)),
    "ten million bits": edited(vote(), put("channel.items", 10**7)),
    "more bins than bits": edited(vote(), put("encoder.placement.count", 11)),
    "range upside down": edited(vote(), put("encoder.placement.low", [2.0])),
    "range of width zero": edited(vote(), put("encoder.placement.low", [1.0])),
    "range too wide": edited(vote(), lambda p: p["encoder"]["placement"].update(low=[-1.5e308], high=[1.5e308])),
    "two ranges for one group": edited(vote(), lambda p: p["encoder"]["placement"].update(low=[0, 0], high=[1, 1])),
    "a row that does not sum": edited(BIT, put("channel.rows.0.0", "5")),
    "a cell of zero": edited(BIT, put("channel.rows.0", ["0", str(2**64)])),
    "a negative cell": edited(BIT, put("channel.rows.0", ["-1", str(2**64 + 1)])),
    "rows of different lengths": edited(BIT, put("channel.rows.0", [str(2**62)] * 4)),
    "a number for a cell": edited(BIT, put("channel.rows.0.0", 5)),
    "a padded cell": edited(BIT, lambda p: p["channel"]["rows"][0].__setitem__(0, "0" + p["channel"]["rows"][0][0])),
    "digits of another script": edited(BIT, put("channel.rows.0.0", "٣٤")),
    "a table of one row": edited(BIT, lambda plain: plain["channel"]["rows"].pop()),
    "a subset of nobody": edited(SUBSET, put("channel.size", 0)),
    "a subset of everybody": edited(SUBSET, put("channel.size", 10)),
    "certain inclusion": edited(SUBSET, put("channel.threshold", str(2**64))),
    "bits never flipped": edited(vote(), put("channel.threshold", str(2**64))),
    "bits that lie": edited(vote(), put("channel.threshold", "1")),
    "a far reach": edited(vote(), put("channel.reach", 4000)),
    "noise without digits": edited(LAPLACE, put("channel.digits", [])),
    "a digit always one": edited(LAPLACE, put("channel.digits.0", str(2**128))),
    "a digit never one": edited(LAPLACE, put("channel.digits.0", "0")),
    "a clamp beyond the digits": edited(LAPLACE, put("channel.bound", str(2**60))),
    "digits that end before the clamp": edited(
        LAPLACE, lambda plain: plain["channel"]["digits"].__delitem__(slice(-2, None))
    ),
    "a vote through laplace": edited(vote(), put("channel", json.loads(LAPLACE.to_bytes())["channel"])),
    "a position through bits": edited(BIT, put("channel", json.loads(vote().to_bytes())["channel"])),
    "more uses than groups": edited(vote(), put("uses", 2)),
    "gigabytes of shuffling": edited(SUBSET, lambda plain: of_each(plain, uses=16384, size=1)),
    "a report beyond its size": edited(vote(), lambda plain: of_each(plain, uses=64)),
    "a stretched walk through the data": edited(
        BIT,
        lambda p: p.update(
            uses=65,
            groups=65,
            encoder=dict(p["encoder"], statistic={"kind": "share", "column": 0, "below": [0.1] * 65}),
        ),
    ),
    "a question that costs nothing": edited(BIT, put("channel.rows", [[str(2**63)] * 2] * 2)),
    "a billion groups": edited(vote(), put("groups", 10**9)),
    "a million uses": edited(vote(), put("uses", 10**6)),
}
OVER: dict[str, tuple[str, bytes]] = {
    "above the cap": ("over-budget", vote(4.0, survey="greedy").to_bytes()),
    "declares less than it spends": ("over-declared", edited(vote(2.0), put("epsilon", 1.0))),
    "two percent more": ("over-declared", edited(vote(1.02), put("epsilon", 1.0))),
    "three hot bits at half": ("over-declared", edited(vote(), put("channel.reach", 1))),
    "digits swapped": (
        "over-declared",
        edited(LAPLACE, lambda p: p["channel"].update(digits=[p["channel"]["digits"][1], *p["channel"]["digits"][1:]])),
    ),
    "digits that end near the clamp": ("over-declared", edited(LAPLACE, lambda p: p["channel"]["digits"].pop())),
    "sensitivity doubled": (
        "over-declared",
        edited(LAPLACE, put("channel.digits", [str(d) for d in design.laplace(2.0).digits] + ["1"])),
    ),
    "slot not asked": ("not-asked", vote(slots=Slots(first=50, count=10)).to_bytes()),
}


def decline(data: bytes, *, digest: str | None = None, slot: int = 3) -> Declined:
    with Ledger(":memory:", cap=2.0) as ledger:
        spend(ledger)
        before = ledger.surveys(), ledger.spent("pedometer")
        with pytest.raises(Declined) as caught:
            answered(data, PEOPLE, ledger, slot=slot, digest=canonical.digest(data) if digest is None else digest)
        assert (ledger.surveys(), ledger.spent("pedometer")) == before
    assert "7318" not in str(caught.value)
    return caught.value


def spend(ledger: Ledger) -> None:
    """Answer one survey first, so that there is something to keep unchanged."""
    answered(vote(0.5, survey="earlier").to_bytes(), PEOPLE, ledger, slot=0)


@pytest.mark.parametrize("name", OVER)
def test_too_expensive_or_not_asked(name: str) -> None:
    code, data = OVER[name]
    assert decline(data).code == code


def test_the_innocent_question_is_answered_under_its_own_digest_and_once() -> None:
    for digest in ("0" * 64, BIT.digest):
        assert decline(vote().to_bytes(), digest=digest).code == "wrong-digest"
    assert decline(vote(0.5, survey="earlier", round=1).to_bytes()).code == "already-answered"
    with Ledger(":memory:", cap=2.0) as ledger:
        spend(ledger)
        assert answered(vote().to_bytes(), PEOPLE, ledger)
        assert ledger.surveys() == [("lab", "earlier"), ("lab", "steps")]


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


DECODE = {name: [0.0, 0.25, 0.5, 1.0] for name in ("core", "lower", "upper", "whole")}
ALONG = vote(
    channel=replace(design.k_ary(1.0, 4), decodings=from_plain(Decodings, DECODE)),
    encoder=Encoder(statistic=Average(), placement=Knots(low=0.0, high=1.0, inner=(0.25, 0.5), nothing=0.5)),
)
PLACED, CHANNEL = "encoder.placement", "channel"
PUT_ON_KNOTS: dict[str, tuple[str, Any]] = {
    "knots out of order": (f"{PLACED}.inner", [0.5, 0.25]),
    "a knot twice": (f"{PLACED}.inner", [0.25, 0.25]),
    "a knot at the lower end": (f"{PLACED}.inner", [0, 0.5]),
    "a knot at the upper end": (f"{PLACED}.inner", [0.5, 1]),
    "a knot beyond the ends": (f"{PLACED}.inner", [0.5, 1.5]),
    "knots too near each other": (f"{PLACED}.inner", [0.5, 0.5 + 0.99 * 2**-20]),
    "a knot that is no number": (f"{PLACED}.inner", [0.25, "0.5"]),
    "a knot more than nodes": (f"{PLACED}.inner", [0.25, 0.5, 0.75]),
    "a knot fewer than nodes": (f"{PLACED}.inner", [0.25]),
    "knots that are no list": (f"{PLACED}.inner", 0.25),
    "lists of ends": (f"{PLACED}.low", [0]),
    "knots upside down": (f"{PLACED}.low", 2),
    "knots over a point": (f"{PLACED}.high", 0),
    "knots over everything": (
        PLACED,
        {"kind": "knots", "low": -1.5e308, "high": 1.5e308, "inner": [0, 1], "nothing": 0},
    ),
    "knots nearer than a float": (PLACED, {"kind": "knots", "low": 0, "high": 5e-324, "inner": [0, 0], "nothing": 0}),
    "nothing below the knots": (f"{PLACED}.nothing", -0.5),
    "nothing above the knots": (f"{PLACED}.nothing", 1.5),
    "nothing that is null": (f"{PLACED}.nothing", None),
    "nothing that is said nowhere": (PLACED, {"kind": "knots", "low": 0, "high": 1, "inner": [0.25, 0.5]}),
    "nothing last among knots": ("encoder.empty", "last"),
    "a count of knots": (f"{PLACED}.count", 4),
    "knots through bits": (CHANNEL, to_plain(design.unary(1.0, 4))),
    "knots through subsets": (CHANNEL, to_plain(design.subset(1.0, 4))),
    "knots through laplace": (CHANNEL, to_plain(design.laplace(1.0))),
    "signed sums between knots": (STATISTIC, to_plain(Hashed(seed=1, columns=2, threshold=0.5))),
    "a direction between knots": (STATISTIC, to_plain(DIRECTION.encoder.statistic)),
    "decode beside decodings": (f"{CHANNEL}.decode", [0, 0, 1, 1]),
    "decodings of other symbols": (f"{CHANNEL}.decodings", {name: [0, 0.5, 1] for name in DECODE}),
    "a decoding that is shorter": (f"{CHANNEL}.decodings.upper", [0, 0.5, 1]),
    "an empty decoding": (f"{CHANNEL}.decodings.whole", []),
    "a decoding of text": (f"{CHANNEL}.decodings.core.2", "0.5"),
    "a decoding more": (f"{CHANNEL}.decodings.tail", [0, 0, 1, 1]),
    "three decodings": (f"{CHANNEL}.decodings", {name: DECODE[name] for name in ("core", "lower", "upper")}),
    "no decodings, said": (f"{CHANNEL}.decodings", None),
    "a list of decodings": (f"{CHANNEL}.decodings", list(DECODE.values())),
    "decodings with a kind": (f"{CHANNEL}.decodings.kind", "decodings"),
}
ON_KNOTS = {name: edited(ALONG, put(path, value)) for name, (path, value) in PUT_ON_KNOTS.items()} | {
    "65 knots": edited(
        ALONG,
        lambda plain: (
            put(f"{PLACED}.inner", [place / 64 for place in range(1, 64)])(plain),
            put(CHANNEL, {"kind": "table", "decode": [], "rows": [["1", str(2**64 - 1)]] * 65})(plain),
        ),
    ),
    "categories between knots": edited(CATEGORIES, put(f"{VECTOR}.places", to_plain(ALONG.encoder.placement))),
    "decodings of bits": edited(vote(), put("channel.decodings", DECODE)),
}
"""Canonical bytes of questions between knots, and with several decodings, that are not in order."""
WRONG = MALFORMED | ABOUT_VECTORS | ON_KNOTS


@pytest.mark.parametrize("name", WRONG)
def test_malformed(name: str) -> None:
    assert decline(WRONG[name]).code == "malformed"


def test_what_was_changed_was_in_order_before() -> None:
    for question in (ALONG, *(question for question, _, _ in PUT.values())):
        assert Question.from_bytes(question.to_bytes()) == question
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
    "an array of text": np.array(["seven", "1"]),
    "bytes": np.array([b"seven"]),
    "objects": np.array([object(), "seven", 1.0, None], dtype=object),
    "masked": np.ma.array([0.5, 7318.0], mask=[0, 1]),
    "masked text": np.ma.array(["seven", "1"], mask=[1, 0]),
    "one masked": [0.5, np.ma.masked],
    "masked vectors": [np.ma.array([0.5, 7318.0], mask=[0, 1]), np.ma.array([0.5, 0.5])],
    "complex": np.array([1j, 0.7318]),
    "dates": np.array(["2026-01-01"], dtype="datetime64[D]"),
    "records": np.array([(1, 2.0)], dtype=[("a", int), ("b", float)]),
    "long": np.array([1e300], dtype=np.longdouble) ** 2,
    "ragged": [[1.0], [1.0, 2.0]],
    "vectors of nothing": np.empty((4, 0)),
    "two columns": [[0.3, math.nan], [math.inf, 0.1]],
    "more columns than are asked for": np.linspace(-1, 1, 40).reshape(2, 20),
    "whole numbers": np.array([[1, 2, 3, 4, 5, 6]], dtype=np.int8),
    "large whole numbers": np.array([2**64 - 1, 0], dtype=np.uint64),
    "yes and no": np.array([True, False, True]),
}


@pytest.mark.parametrize("held", HELD)
def test_a_device_answers_every_question_whatever_it_holds_even_where_warnings_are_errors(held: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        values = HELD[held]
        people = [Collections.of_one(values)]
        if isinstance(values, np.ndarray):
            people.append(Collections(values, np.array([0, len(values)])))
        for one, question in product(people, QUESTIONS.values()):
            assert not (one.values == 7318.0).any()  # what lies below a mask is not there
            for slot in (question.slots.first, question.slots.first + question.slots.count - 1):
                given = encode(question, one, np.array([slot]), SystemEntropy())
                assert given.shape == (1, question.uses)
                assert ((given >= 0) & (given <= question.channel.span)).all(), (question.role, held)


@pytest.mark.parametrize("held", ["nothing", "infinite on both sides", "vectors of nothing"])
def test_reports_have_one_size(held: str) -> None:
    for question in QUESTIONS.values():
        with Ledger(":memory:", cap=2.0) as ledger:
            sent = answered(question.to_bytes(), Collections.of_one(HELD[held]), ledger, slot=question.slots.first)
        assert len(Report.from_bytes(sent).payload) == 2 * question.payload_bytes


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_question_survives_the_wire_and_everybody_is_encoded_alone(name: str) -> None:
    question = QUESTIONS[name]
    data = question.to_bytes()
    assert Question.from_bytes(data) == question and Question.from_bytes(data).to_bytes() == data
    for dimension in {1, question.encoder.statistic.dimension}:
        check_encoder(question, dimension=dimension)
