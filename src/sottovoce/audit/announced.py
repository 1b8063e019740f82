"""A manifest, the question that it announces, and questions that leave it by one step each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from sottovoce.audit.stage import ITEMS, question
from sottovoce.design import subset, unary
from sottovoce.messages import Encoder, Grid, Item, Manifest, Question, Rules, Slots, Wave, Way


@cache
def manifest() -> Manifest:
    """Ten slots, one wave, one vote at ε = 1."""
    rules = Rules(
        waves=(Wave(first=0, count=10, epsilon=1.0, roles=("vote",)),),
        ways=(Way.of(question("steps"), opening=True),),
    )
    return Manifest(
        problem="audit",
        settings={},
        reason="",
        rules=rules,
        labels=(),
        columns=(),
        enrolment="ahead",
        access="invited",
        minimum=1,
        opens=0,
        closes=1,
        round_seconds=None,
        quota=1.0,
        retention_days=0,
        collector="audit",
        purpose="audit",
        software="sottovoce",
    )


def announced() -> Question:
    """The vote as it was announced."""
    return replace(question("steps"), survey=manifest().digest)


def departures() -> Iterator[tuple[str, Question]]:
    """What a device must not answer, by name. Each is a valid question, and costs no more than it says."""
    asked = announced()
    encoder = asked.encoder
    yield "a larger ε", replace(asked, epsilon=1.5, channel=unary(1.5, ITEMS))
    yield "another survey's question", question("steps")
    yield "another role", replace(asked, role="refine")
    yield "a question for one slot", replace(asked, slots=Slots(first=3, count=1))
    yield "slots that nobody announced", replace(asked, slots=Slots(first=0, count=20))
    yield "another statistic", replace(asked, encoder=Encoder(statistic=Item(), placement=encoder.placement))
    wider = Grid(low=(-1.0,), high=(1.0,), count=ITEMS)
    yield "another range", replace(asked, encoder=Encoder(statistic=encoder.statistic, placement=wider))
    yield "another channel", replace(asked, channel=subset(1.0, ITEMS))
