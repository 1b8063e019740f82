"""Fifty and more questions that a device must not answer: declined with the right code, ledger unchanged."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from sottovoce import design
from sottovoce.device import Collections, Ledger, SystemEntropy, respond
from sottovoce.messages import Average, Bins, Declined, Encoder, Grid, Position, Question, Slots, canonical

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
    """The question's bytes after a change to the plain data, canonical again."""
    plain = json.loads(question.to_bytes())
    change(plain)
    return canonical.dumps(plain)


def put(path: str, value: Any) -> Callable[[Any], None]:
    """Replace the value at a dotted path."""

    def change(plain: Any) -> None:
        *parents, last = [int(part) if part.isdigit() else part for part in path.split(".")]
        for part in parents:
            plain = plain[part]
        plain[last] = value

    return change


def drop(name: str) -> Callable[[Any], None]:
    return lambda plain: plain.pop(name)


def raw(text: str) -> bytes:
    return text.encode()


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
    "missing field": edited(vote(), drop("slots")),
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
    "gigabytes of shuffling": edited(
        SUBSET,
        lambda p: p.update(
            uses=16384,
            encoder={
                "statistic": {"kind": "each", "column": 0},
                "placement": dict(p["encoder"]["placement"], count=65536),
            },
            channel=dict(p["channel"], items=65536, size=1),
        ),
    ),
    "a report beyond its size": edited(
        vote(),
        lambda p: p.update(
            uses=64,
            encoder={
                "statistic": {"kind": "each", "column": 0},
                "placement": dict(p["encoder"]["placement"], count=65536),
            },
            channel=dict(p["channel"], items=65536),
        ),
    ),
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
    "three hot bits at half": (
        "over-declared",
        edited(vote(channel=design.unary(1.0, 10)), put("channel.reach", 1)),
    ),
    "digits swapped": (
        "over-declared",
        edited(LAPLACE, lambda p: p["channel"].update(digits=[p["channel"]["digits"][1], *p["channel"]["digits"][1:]])),
    ),
    "digits that end near the clamp": (
        "over-declared",
        edited(LAPLACE, lambda plain: plain["channel"]["digits"].pop()),
    ),
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
            respond(
                data,
                PEOPLE,
                slot=slot,
                digest=canonical.digest(data) if digest is None else digest,
                collector="lab",
                source="pedometer",
                ledger=ledger,
                entropy=SystemEntropy(),
            )
        assert (ledger.surveys(), ledger.spent("pedometer")) == before
    assert "7318" not in str(caught.value)
    return caught.value


def spend(ledger: Ledger) -> None:
    """Answer one survey first, so that there is something to keep unchanged."""
    data = vote(0.5, survey="earlier").to_bytes()
    respond(
        data,
        PEOPLE,
        slot=0,
        digest=canonical.digest(data),
        collector="lab",
        source="pedometer",
        ledger=ledger,
        entropy=SystemEntropy(),
    )


def test_there_are_at_least_fifty() -> None:
    assert len(MALFORMED) + len(OVER) + 3 >= 50


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed(name: str) -> None:
    assert decline(MALFORMED[name]).code == "malformed"


@pytest.mark.parametrize("name", OVER)
def test_too_expensive_or_not_asked(name: str) -> None:
    code, data = OVER[name]
    assert decline(data).code == code


def test_wrong_digest() -> None:
    assert decline(vote().to_bytes(), digest="0" * 64).code == "wrong-digest"
    assert decline(vote().to_bytes(), digest=BIT.digest).code == "wrong-digest"


def test_second_question_of_a_survey() -> None:
    second = vote(0.5, survey="earlier", round=1)
    assert decline(second.to_bytes()).code == "already-answered"


def test_the_innocent_question_is_answered() -> None:
    with Ledger(":memory:", cap=2.0) as ledger:
        spend(ledger)
        data = vote().to_bytes()
        report = respond(
            data,
            PEOPLE,
            slot=3,
            digest=canonical.digest(data),
            collector="lab",
            source="pedometer",
            ledger=ledger,
            entropy=SystemEntropy(),
        )
        assert report and ledger.surveys() == [("lab", "earlier"), ("lab", "steps")]
