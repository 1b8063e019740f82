"""When a device does what: what the moments of its requests tell, when it stops, and when it says to come back."""

from __future__ import annotations

from typing import Any

import pytest

from sottovoce.client import Device, Outbox, Outcome
from sottovoce.client import device as client_device
from sottovoce.device import Collections, Ledger
from sottovoce.messages import Manifest
from tests.service.scripted import WAY, Collector, Time, always, at, mean_manifest, refusal, scripted, told_seat

MANIFEST = mean_manifest(closes=10_000)


def paths(collector: Collector) -> list[str]:
    return [path for _, path in collector.seen]


def device(ledger: Ledger, time: Time, *, spread: float = 0.0) -> Device:
    return Device(ledger=ledger, source="r", spread_seconds=spread, clock=lambda: time.now, sleep=time.sleep)


def answer(ledger: Ledger, collector: Collector, time: Time, *, patience: float = 0.0, held: Any = (3,)) -> Outcome:
    return device(ledger, time).answer(collector.url, held, patience_seconds=patience)


@pytest.mark.parametrize("looked", [False, True])
@pytest.mark.parametrize("seconds", [0.0, 4.0, 14.0])
def test_reading_falls_between_question_and_report(
    seconds: float, looked: bool, ledger: Ledger, collector: Collector, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long it takes to read, to convert and to compute, every request comes at the same moment."""
    seen = []

    def slow(name: str, call: Any) -> Any:
        def later(*words: Any, **named: Any) -> Any:
            seen.append((name, paths(collector)))
            time.now += seconds / 4
            return call(*words, **named)

        return later

    monkeypatch.setattr(Collections, "of_one", slow("convert", Collections.of_one))
    monkeypatch.setattr(client_device, "respond", slow("respond", client_device.respond))
    monkeypatch.setattr("sottovoce.client.visit._chance.uniform", lambda low, high: low + (high - low) / 3)
    moments: list[float] = []
    collector.script = lambda method, path, number: moments.append(time.now)  # type: ignore[func-returns-value]
    own = device(ledger, time, spread=30)
    if looked:
        assert isinstance(own.look(collector.url), Manifest)
    assert own.answer(collector.url, slow("read", lambda: [3.0, 4.0])).state == "answered"
    assert seen == [(name, WAY[:4]) for name in ("read", "convert", "respond")]
    assert moments == [1000.0] * 4 + [1020.0] and time.slept == [20 - 0.75 * seconds]


@pytest.mark.parametrize("path", WAY[:4])
def test_nothing_is_read_where_nothing_is_answered(path: str, ledger: Ledger, collector: Collector, time: Time) -> None:
    def read() -> list[float]:
        raise AssertionError("it was read")

    collector.script = at(path, refusal(503, "busy"), refusal(410, "expired"))
    assert answer(ledger, collector, time, held=read).state == "waiting"
    assert answer(ledger, collector, time, held=read).state == "over"


def stuck(ledger: Ledger, collector: Collector, time: Time) -> None:
    """A report is stored, and the collector is too busy to take it."""
    collector.script = always("/reports", refusal(503, "busy"))
    assert answer(ledger, collector, time).state == "waiting" and len(collector.posted) == 1


def test_a_stored_report_is_not_sent_once_the_survey_has_closed(
    ledger: Ledger, collector: Collector, time: Time
) -> None:
    stuck(ledger, collector, time)
    collector.script = at("/reports")
    time.now = 10_000.0
    outcome = answer(ledger, collector, time, patience=3600)
    assert (outcome.state, outcome.code) == ("over", "expired") and len(collector.posted) == 1
    assert outcome.epsilon == float(ledger.spent("r")) and outcome.slot == 3, "it was made, and has its cost"
    assert [entry.capability for entry in Outbox(ledger).history()] == [""]


def test_trying_again_ends_when_the_survey_closes(ledger: Ledger, collector: Collector, time: Time) -> None:
    stuck(ledger, collector, time)
    time.now = 9_900.0
    outcome = answer(ledger, collector, time, patience=3600)
    assert outcome.state == "waiting" and outcome.again_at == time.now < 10_000, "coming back later is no use"
    assert len(collector.posted) > 2 and ledger.spent("r") > 0


def test_a_clock_that_passes_the_end_while_it_computes_sends_nothing(
    ledger: Ledger, collector: Collector, time: Time
) -> None:
    def read() -> list[float]:
        time.now = 10_000.0
        return [3.0]

    outcome = answer(ledger, collector, time, held=read)
    assert (outcome.state, outcome.code) == ("over", "expired") and collector.posted == []
    assert [entry.sent for entry in Outbox(ledger).history()] == [None], "it never went out"


@pytest.mark.parametrize(
    "now, spread, state", [(9_900.0, 99.0, "answered"), (9_900.0, 100.0, "declined"), (9_999.0, 0.0, "answered")]
)
def test_the_spread_does_not_reach_beyond_the_end(
    now: float, spread: float, state: str, ledger: Ledger, collector: Collector, time: Time
) -> None:
    time.now = now
    outcome = device(ledger, time, spread=spread).answer(collector.url, [3])
    assert outcome.state == state and time.now < 10_000
    if state == "declined":  # whatever would have been drawn, and before anybody is asked for a seat
        assert outcome.code == "too-late" and ledger.surveys() == [] and paths(collector) == WAY[:1]


def test_a_used_invitation_is_told_in_every_state(ledger: Ledger, collector: Collector, time: Time) -> None:
    told = []
    for place, status, code in (
        ("/progress", 503, "busy"),
        ("/reports", 503, "busy"),
        ("/reports", 409, "conflict"),
        ("/progress", 410, "expired"),
    ):
        instead = {"/enrol": told_seat(collector, before=True), place: refusal(status, code)}
        collector.script = lambda method, path, _, now=instead: now.get(path)
        told.append(answer(ledger, collector, time))
    assert [one.state for one in told] == ["waiting", "waiting", "refused", "over"]
    assert all(one.before and one.slot == 3 for one in told)
    assert [one.epsilon is None for one in told] == [True, False, False, False]


def test_coming_back_is_no_use_by_somebody_else(ledger: Ledger, collector: Collector, time: Time) -> None:
    collector.script = at("/progress", refusal(503, "busy"))
    outcome = answer(ledger, collector, time)
    assert (outcome.state, outcome.before, outcome.slot, outcome.epsilon) == ("waiting", False, 3, None)
    collector.script = always("/enrol", told_seat(collector, before=True))  # the collector remembers this very device
    outcome = answer(ledger, collector, time)
    assert (outcome.state, outcome.before) == ("answered", False)


@pytest.mark.parametrize(
    "closes, latest",
    [(9_000, 9_000), (10_000, 10_000), (10_001, None), (-1, None), (9e3, None), ("9000", None), (True, None)],
)
def test_when_the_round_that_is_open_closes_at_the_latest(
    closes: Any, latest: int | None, ledger: Ledger, collector: Collector, time: Time
) -> None:
    collector.progress = {"round": {"first": 0, "count": 2, "closes": closes}}
    outcome = answer(ledger, collector, time)
    assert (outcome.state, outcome.code, outcome.latest_at) == ("waiting", "early", latest)
    assert outcome.again_at is not None and outcome.again_at < 1001, "it may close before, on its quota"
    assert "round 1 is open" in str(outcome.why)


def test_a_survey_that_has_not_opened_is_waited_for(ledger: Ledger, time: Time) -> None:
    manifest = mean_manifest(opens=9_000, closes=10_000)
    with scripted(manifest) as collector:
        collector.progress = {"state": "early"}
        outcome = answer(ledger, collector, time)
        assert (outcome.state, outcome.again_at, outcome.latest_at) == ("waiting", 9_000.0, None)
