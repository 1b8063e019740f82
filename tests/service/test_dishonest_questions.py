"""Questions that leave the manifest, or are no questions: each declined with its code, nothing sent, nothing spent."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from sottovoce import design
from sottovoce.client import Device, Outbox
from sottovoce.device import Collections, Ledger, SystemEntropy, respond
from sottovoce.messages import (
    Average,
    Bins,
    Cosines,
    Declined,
    Encoder,
    Entry,
    Item,
    Manifest,
    Position,
    Question,
    Share,
    Slots,
    digest,
)
from sottovoce.problems import announce
from sottovoce.problems.cover import CoverSelect
from sottovoce.problems.density import Density
from sottovoce.problems.histogram import Histogram
from sottovoce.problems.mean import Mean
from sottovoce.problems.sparse import SparseMean
from sottovoce.problems.vector import VectorMean
from tests.service.scripted import Collector, first_question, mean_manifest, running
from tests.support.transcripts import asking, transcript_of

Change = Callable[[Question], Question]
SUBSET = design.subset(1.0, 3)
DENSITY = Density(epsilon=1.0, users=3000, observations=30, low=0.0, high=100.0, method="paper")
COVER = CoverSelect(epsilon=1.0, users=500, centres=((0.0, 1.0), (1.0, 0.0), (1.0, 1.0)), method="subset")
SPARSE = SparseMean(
    epsilon=1.0, users=2000, observations=50, dimension=6, sparsity=2, method="paper", procedure="selection"
)
BOX = VectorMean(epsilon=1.0, users=4000, observations=20, dimension=4, low=0.0, high=1.0, method="one-round")
MEAN = Mean(epsilon=1.0, low=1.0, high=5.0, users=3000, observations=20, method="adaptive")
HISTOGRAM = Histogram(epsilon=1.0, users=3000, observations=30, edges=(0.0, 1.0, 2.0, 3.0, 4.0), method="adaptive")
BALL = VectorMean(epsilon=1.0, users=4000, observations=20, dimension=4, ball="l2", radius=1.0, method="one-round")


@cache
def manifest(method: str) -> Manifest:
    return mean_manifest(method=method, users=3000)


def statistic(made: Any) -> Change:
    return lambda asked: replace(asked, encoder=Encoder(statistic=made, placement=asked.encoder.placement))


def placed(low: float, high: float) -> Change:
    return lambda asked: replace(
        asked, encoder=Encoder(statistic=asked.encoder.statistic, placement=Position(low=(low,), high=(high,)))
    )


def slots(first: int, count: int) -> Change:
    return lambda asked: replace(asked, slots=Slots(first=first, count=count))


def in_the_other_role(asked: Question) -> Question:
    return replace(asked, role="mean")


def wider_bins(asked: Question) -> Question:
    placement = asked.encoder.placement
    assert isinstance(placement, Bins)
    edges = (placement.edges[0] - 1.0, *placement.edges[1:])
    return replace(asked, encoder=Encoder(statistic=asked.encoder.statistic, placement=replace(placement, edges=edges)))


ONE_ROUND: dict[str, Change] = {
    "a larger ε": lambda asked: replace(asked, epsilon=2.0),
    "a larger ε, and a table that costs it": lambda asked: replace(asked, epsilon=2.0, channel=design.one_bit(2.0)),
    "another table at the same ε": lambda asked: replace(asked, channel=design.one_bit(1.0)),
    "another channel": lambda asked: replace(asked, channel=design.laplace(1.0)),
    "a wider range": placed(0.0, 5.0),
    "a range beyond": placed(1.0, 6.0),
    "another range": placed(10.0, 20.0),
    "a role that nobody announced": lambda asked: replace(asked, role="refine"),
    "part of a wave": slots(0, 2999),
    "one slot": slots(3, 1),
    "all but the first": slots(1, 2999),
    "more slots than there are": slots(0, 3001),
    "another survey's name": lambda asked: replace(asked, survey="0" * 64),
    "a name of its own": lambda asked: replace(asked, survey="lectures"),
    "one observation": statistic(Item()),
    "a share": statistic(Share(below=(3.0,))),
    "another column": statistic(Average(columns=(1,))),
    "the first observation only": statistic(Average(first=1)),
    "a narrower range": placed(2.999, 3.001),
    "a group for every user": lambda asked: replace(asked, groups=3000),
    "a later round": lambda asked: replace(asked, round=7),
}
ADAPTIVE: dict[str, Change] = {
    "a role of another kind": in_the_other_role,
    "bins beyond the range": wider_bins,
    "a wave and a part of the next": slots(0, 300),
    "a part of the first wave": slots(0, 100),
    "a later wave, in which the device is not": slots(219, 10),
    "other bins inside the range": lambda asked: replace(
        asked, encoder=Encoder(statistic=asked.encoder.statistic, placement=Bins(edges=(2.0, 3.0))), channel=SUBSET
    ),
    "the first of the observations": statistic(Average(first=1)),
    "votes by other bits": lambda asked: replace(
        asked, channel=design.unary(1.0, asked.channel.span // asked.channel.unit + 1)
    ),
}


def of(changes: dict[str, Any]) -> Change:
    """The statistic with other parameters."""
    return lambda asked: replace(
        asked, encoder=replace(asked.encoder, statistic=replace(asked.encoder.statistic, **changes))
    )


def other_window(asked: Question) -> Question:
    entry = asked.encoder.statistic
    assert isinstance(entry, Entry) and isinstance(entry.vector, Cosines)
    return of({"vector": replace(entry.vector, low=49.0, high=51.0)})(asked)


OTHERS: dict[str, tuple[Any, Change]] = {
    "density: a window of its own": (DENSITY, of({"low": 49.999, "high": 50.001})),
    "density: another wave for everybody": (DENSITY, lambda asked: of({"functions": (60000,) * asked.groups})(asked)),
    "density: another window, whole waves": (replace(DENSITY, method="one-round"), other_window),
    "cover: other centres": (COVER, of({"centres": ((1e6, 1e6), (2e6, 0.0), (0.0, 3e6))})),
    "cover: another distance": (COVER, of({"metric": "linf"})),
    "vector: one column for everybody": (BOX, of({"columns": (3, 3, 3, 3)})),
    "vector: another rotation": (BALL, of({"seed": 7})),
    "vector: from another middle": (BALL, of({"centre": (0.5,) * 4})),
    "sparse: a smaller threshold": (SPARSE, of({"threshold": 1e-9})),
    "sparse: other signs": (SPARSE, of({"seed": 9})),
    "sparse: fewer columns": (SPARSE, of({"columns": 2})),
}


def many_edges(asked: Question) -> Question:
    """More bins than were announced, all of them within the range."""
    edges = tuple(float(edge) for edge in np.linspace(1.0, 5.0, 1025))
    encoder = replace(asked.encoder, placement=Bins(edges=edges))
    return replace(asked, encoder=encoder, channel=design.subset(1.0, 1026))


def columns(*chosen: int) -> Change:
    made = Average(columns=chosen)
    return lambda asked: replace(asked, encoder=replace(asked.encoder, statistic=made), groups=len(chosen))


def finer_grid(asked: Question) -> Question:
    encoder = replace(asked.encoder, placement=replace(asked.encoder.placement, count=6))  # type: ignore[call-arg]
    return replace(asked, encoder=encoder, channel=design.unary(1.0, 6))


LATER: dict[str, tuple[Any, int, Change]] = {
    "mean: more bins": (MEAN, 1, many_edges),
    "sparse: a column twice": (SPARSE, 1, columns(3, 3)),
    "sparse: more columns": (SPARSE, 1, columns(0, 3, 5)),
    "sparse: a column that nobody announced": (SPARSE, 1, columns(0, 6)),
    "sparse: more bins": (SPARSE, 1, finer_grid),
    "histogram: from another place than shares have": (HISTOGRAM, 1, of({"centre": (1.5, 0.0, 0.0, 0.0)})),
    "histogram: from the other side": (HISTOGRAM, 1, of({"centre": (-0.1, 0.4, 0.4, 0.3)})),
}
"""Of the fields that are chosen on the way: how many, from where to where, each once. With the round."""


def edited(**changes: Any) -> Callable[[bytes], bytes]:
    def edit(data: bytes) -> bytes:
        plain = json.loads(data) | changes
        return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()

    return edit


MALFORMED: dict[str, Callable[[bytes], bytes]] = {
    "an unknown channel": edited(channel={"kind": "gauss", "scale": 1.0}),
    "an unknown statistic": edited(encoder={"placement": {"kind": "position"}, "statistic": {"kind": "all"}}),
    "a later version": edited(version=2),
    "a field more": edited(note="hello"),
    "a field less": lambda data: data.replace(b'"role":"mean",', b""),
    "NaN": lambda data: data.replace(b'"epsilon":1', b'"epsilon":NaN'),
    "a bool for a number": edited(groups=True),
    "a blank": lambda data: data + b" ",
    "another order": lambda data: json.dumps(dict(reversed(json.loads(data).items())), separators=(",", ":")).encode(),
    "the same key twice": lambda data: data.replace(b'"role":', b'"role":"mean","role":', 1),
    "the half of it": lambda data: data[: len(data) // 2],
    "nothing": lambda data: b"",
    "no JSON": lambda data: b"\xff\xfe\x00",
    "a deep one": lambda data: b"[" * 100_000,
    "more than a megabyte": lambda data: data + b" " * 2**20,
}


def declined(survey: Manifest, sent: bytes, *, code: str, progress: dict[str, Any] | None = None) -> None:
    collector = Collector(survey, first_question(survey).to_bytes())
    round_told = collector._progress()["round"] | {"question": digest(sent)} | (progress or {})
    collector.progress = {"round": round_told}
    collector.script = lambda method, path, number: (200, sent, {}) if path.startswith("/rounds/") else None
    with running(collector), Ledger(":memory:", cap=9) as ledger:
        device = Device(ledger=ledger, source="ratings")
        outcome = device.answer(collector.url, [3, 4, 5], patience_seconds=0)
        assert (outcome.state, outcome.code) == ("declined", code), outcome.why
        assert collector.posted == [] and len(collector.seen) == 4
        assert ledger.surveys() == [] and ledger.spent("ratings") == 0 and Outbox(ledger).history() == []
        collector.script, collector.progress = (lambda method, path, number: None), {}
        assert device.answer(collector.url, [3, 4, 5]).state == "answered", "the honest question is answered still"


@pytest.mark.parametrize(
    "method, name", [*(("one-round", name) for name in ONE_ROUND), *(("adaptive", name) for name in ADAPTIVE)]
)
def test_it_is_not_what_was_announced_or_not_for_this_wave(method: str, name: str) -> None:
    survey = manifest(method)
    changed = {"one-round": ONE_ROUND, "adaptive": ADAPTIVE}[method][name](first_question(survey))
    declined(survey, changed.to_bytes(), code="not-announced", progress={"role": changed.role, "first": 0, "count": 9})


@pytest.mark.parametrize("name", [*OTHERS, *LATER])
def test_it_computes_something_else_or_chooses_what_was_not_to_be_chosen(name: str) -> None:
    settings, *rounds, change = OTHERS.get(name) or LATER[name]
    number = rounds[0] if rounds else 0
    survey = announce(settings, purpose="p", collector="c", software="s", opens=0, closes=2**37)
    honest = transcript_of(survey, asking(settings), rounds=number + 1)[1][number]
    assert survey.departure(honest) is None
    data = change(honest).to_bytes()
    asked = Question.from_bytes(data)
    own = Collections.of_one(np.full((5, asked.encoder.statistic.dimension), 0.5))
    with Ledger(":memory:", cap=9) as ledger:
        with pytest.raises(Declined, match="not-announced"):
            respond(
                data, own, slot=asked.slots.first, digest=asked.digest, collector=survey.digest, source="s",
                ledger=ledger, entropy=SystemEntropy(), manifest=survey,
            )  # fmt: skip
        assert ledger.surveys() == []


def test_it_is_for_others() -> None:
    survey = manifest("adaptive")
    later = survey.rules.waves[1]
    changed = replace(first_question(survey), round=1, slots=Slots(first=later.first, count=later.count))
    declined(survey, changed.to_bytes(), code="not-asked", progress={"number": 1, "first": 0, "count": 9})


def test_it_costs_more_than_it_says() -> None:
    survey = manifest("adaptive")
    asked = first_question(survey)
    items = asked.channel.span // asked.channel.unit + 1
    declined(survey, replace(asked, channel=design.subset(2.0, items)).to_bytes(), code="over-declared")


@pytest.mark.parametrize("told", [{"number": 1}, {"role": "vote"}])
def test_it_is_of_another_round_than_the_open_one(told: dict[str, Any]) -> None:
    survey = manifest("one-round")
    declined(survey, first_question(survey).to_bytes(), code="not-announced", progress=told)


def test_it_is_not_the_one_that_everybody_gets() -> None:
    survey = manifest("one-round")
    declined(survey, first_question(survey).to_bytes(), code="wrong-digest", progress={"question": "0" * 64})


@pytest.mark.parametrize("name", MALFORMED)
def test_it_is_no_question(name: str) -> None:
    survey = manifest("one-round")
    data = first_question(survey).to_bytes()
    sent = MALFORMED[name](data)
    assert sent != data
    declined(survey, sent, code="malformed")
