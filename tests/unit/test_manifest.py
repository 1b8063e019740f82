"""A manifest: one form, one digest, and nothing in it that cannot be promised."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from sottovoce.design import one_bit
from sottovoce.messages import (
    MAX_MANIFEST_BYTES,
    Average,
    Encoder,
    Malformed,
    Manifest,
    Position,
    Question,
    Within,
    canonical,
    digest,
)
from sottovoce.problems import Announced
from tests.support.transcripts import manifest_of, mean

MANIFEST = manifest_of(mean(), columns=("rating",), round_seconds=3600, quota=0.8)
DATA = MANIFEST.to_bytes()


def test_it_survives_the_wire_and_its_digest_is_its_name() -> None:
    read = Manifest.from_bytes(DATA)
    assert read == MANIFEST and hash(read) == hash(MANIFEST) and read.to_bytes() == DATA
    assert read.digest == MANIFEST.digest == digest(DATA)
    assert (read.users, read.epsilon, read.minimum) == (1200, 2.0, 10)
    assert "survey" not in read.settings and read.settings["epsilon"] == 2.0


@pytest.mark.parametrize(
    "changes",
    [
        {"purpose": "something else"},
        {"collector": "somebody else"},
        {"minimum": 11},
        {"closes": MANIFEST.closes + 1},
        {"retention_days": 31},
        {"enrolment": "on-arrival"},
        {"access": "open"},
        {"columns": ("salary",)},
        {"quota": 0.5},
        {"settings": MANIFEST.settings | {"low": 0.0}},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_every_field_counts(changes: dict[str, Any]) -> None:
    assert replace(MANIFEST, **changes).digest != MANIFEST.digest


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"minimum": 0}, "at least one user, at most all"),
        ({"minimum": 1201}, "at least one user, at most all"),
        ({"opens": MANIFEST.closes}, "opens before it closes"),
        ({"closes": 2**53 + 1}, "opens before it closes"),
        ({"quota": 0.0}, "quota"),
        ({"quota": 1.5}, "quota"),
        ({"round_seconds": 0}, "at least a second"),
        ({"retention_days": -1}, "retention"),
        ({"enrolment": "later"}, "enrolment"),
        ({"access": "all"}, "access"),
        ({"purpose": "two\nlines"}, "purpose"),
        ({"purpose": "x" * 5000}, "purpose"),
        ({"problem": ""}, "problem"),
        ({"labels": ("a", "b", "a")}, "labels differ"),
        ({"labels": ("a", "\x1b[2J")}, "labels: 1 to 200 printable"),
        ({"labels": ("a", "")}, "labels: 1 to 200"),
        ({"labels": ("x" * 201,)}, "labels: 1 to 200"),
        ({"groups": ("a", "b", "a")}, "groups differ"),
        ({"groups": ("a", "")}, "groups: 1 to 200"),
        ({"columns": ("two\nlines",)}, "columns: 1 to 128 printable"),
        ({"columns": ("x" * 129,)}, "columns: 1 to 128"),
        ({"version": 2}, "version 1"),
    ],
    ids=lambda part: next(iter(part)) if isinstance(part, dict) else "",
)
def test_what_cannot_be_promised_is_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(Malformed, match=words):
        replace(MANIFEST, **changes)
    plain = json.loads(DATA) | changes
    with pytest.raises(Malformed):
        Manifest.from_bytes(json.dumps(plain, separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode())


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        DATA[:-1],
        DATA + b" ",
        b" " + DATA,
        DATA.replace(b'"access"', b'"access":"open","access"', 1),
        DATA.replace(b'"minimum":10', b'"minimum":true'),
        DATA.replace(b'"minimum":10', b'"minimum":10.0'),
        DATA.replace(b'"quota":0.8', b'"quota":NaN'),
        b"[" * 10_000,
        b'"' + b"x" * MAX_MANIFEST_BYTES + b'"',
        b"\xff" + DATA,
    ],
    ids=["empty", "no fields", "cut", "after", "before", "twice", "bool", "float", "nan", "deep", "large", "bytes"],
)
def test_other_bytes_are_no_manifest(data: bytes) -> None:
    assert data != DATA
    with pytest.raises(Malformed):
        Manifest.from_bytes(data)


def test_questions_are_held_against_it() -> None:
    first = Announced(MANIFEST).decide(())
    assert isinstance(first, Question) and first.survey == MANIFEST.digest
    assert MANIFEST.departure(first) is None
    assert str(MANIFEST.departure(replace(first, survey="another"))) == "it names another survey"
    assert str(replace(MANIFEST, purpose="another one").departure(first)) == "it names another survey"
    assert "it spends 3" in str(MANIFEST.departure(replace(first, epsilon=3.0)))


def test_groups_are_left_out_where_there_are_none_and_hold_questions_to_their_names() -> None:
    assert b'"groups":' not in DATA
    named = replace(MANIFEST, groups=("north", "south"))
    assert Manifest.from_bytes(named.to_bytes()) == named and named.digest != MANIFEST.digest
    plain = json.loads(DATA) | {"groups": []}
    with pytest.raises(Malformed, match=r"Manifest\.groups: left out"):
        Manifest.from_bytes(canonical.dumps(plain))
    first = Announced(MANIFEST).decide(())
    assert isinstance(first, Question)
    first = replace(first, survey=named.digest)
    for labels, told in ((digest(b'["north","south"]'), False), (digest(b'["south","north"]'), True), (None, False)):
        encoder = Encoder(
            statistic=Average(),
            placement=Position(low=(0.0,), high=(1.0,)),
            within=Within(column=1, count=2, labels=labels),
        )
        said = str(named.departure(replace(first, encoder=encoder, groups=2, channel=one_bit(1.0))))
        assert ("numbers other groups than those announced" in said) == told
