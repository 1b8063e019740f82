"""A transcript: its parts to the byte, and what it cannot say."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from sottovoce.messages import ClosedRound, Malformed, Transcript
from tests.support.transcripts import complete

MADE = complete()
ROUND = MADE.rounds[0]


def test_it_survives_the_wire_with_every_part_in_its_own_bytes() -> None:
    read = Transcript.from_bytes(MADE.to_bytes())
    assert read == MADE and read.survey == MADE.survey
    assert [one.question for one in read.rounds] == [one.question for one in MADE.rounds]
    assert f'"survey":"{MADE.survey}"' in ROUND.question


@pytest.mark.parametrize(
    "make",
    [
        lambda: replace(MADE, abandoned="and yet there is an answer"),
        lambda: replace(MADE, answer="", abandoned="x" * 5000),
        lambda: replace(MADE, version=2),
        lambda: replace(ROUND, because="boredom"),
        lambda: replace(ROUND, answered=-1),
        lambda: replace(ROUND, closed=-1),
        lambda: replace(ROUND, by="two\nlines"),
    ],
)
def test_what_it_cannot_say(make: Any) -> None:
    with pytest.raises(Malformed):
        make()


@pytest.mark.parametrize(
    "change", [lambda data: data[:-1], lambda data: b" " + data, lambda data: b"{}", lambda data: b""]
)
def test_other_bytes_are_none(change: Any) -> None:
    with pytest.raises(Malformed):
        Transcript.from_bytes(change(MADE.to_bytes()))


def test_a_round_without_a_tally_has_a_reason() -> None:
    silent = ClosedRound(
        question=ROUND.question, tally="", answered=3, because="deadline", by="the collector", closed=9
    )
    over = Transcript(manifest=MADE.manifest, rounds=(silent,), answer="", abandoned="3 answered, 10 are needed")
    assert Transcript.from_bytes(over.to_bytes()) == over
