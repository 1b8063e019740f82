"""A device on the network, against a collector that is slow, forgetful, rude or dishonest."""

from __future__ import annotations

import inspect
import json
import multiprocessing
from copy import copy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.client import Device, Outbox, Outcome, Reply, device
from sottovoce.device import Collections, Ledger, respond
from sottovoce.messages import InvalidInput, Invitation, Malformed, Manifest, Question, Report, digest
from tests.service.scripted import (
    CAPABILITY,
    IMPOSSIBLE_SEATS,
    NO_SEAT,
    NO_TURN,
    NOT_TAKEN,
    TOKEN,
    WAY,
    Answer,
    Collector,
    Time,
    at,
    first_question,
    mean_manifest,
    refusal,
    running,
    scripted,
    told_otherwise,
    told_seat,
)
from tests.support import SeededEntropy
from tests.support.patience import HUNG_SECONDS

MANIFEST = mean_manifest()
QUESTION = first_question(MANIFEST).to_bytes()


def visit(ledger: Ledger, collector: Collector, time: Time, *, patience: float = 3600.0, held: Any = (3, 4)) -> Outcome:
    own = Device(ledger=ledger, source="ratings", clock=lambda: time.now, sleep=time.sleep)
    return own.answer(collector.url, held, patience_seconds=patience)


def test_an_answer_takes_five_requests(ledger: Ledger, collector: Collector, time: Time) -> None:
    outcome = visit(ledger, collector, time)
    assert (outcome.state, outcome.code, outcome.slot, outcome.survey) == ("answered", "stored", 3, MANIFEST.digest)
    assert outcome.epsilon == float(ledger.spent("ratings")) <= 1
    assert [path for _, path in collector.seen] == WAY and time.slept == []
    assert collector.tokens == ["", TOKEN, "", "", CAPABILITY] and collector.agents == {"sottovoce"}
    assert Report.from_bytes(collector.posted[0]).slot == 3
    assert visit(ledger, collector, time).code == "before" and len(collector.seen) == 5, "then it is silent"


def test_ten_lost_acknowledgements_give_one_report(ledger: Ledger, collector: Collector, time: Time) -> None:
    collector.script = at("/reports", *["lose"] * 10)
    outcome = visit(ledger, collector, time)
    assert (outcome.state, outcome.code) == ("answered", "same")
    assert len(collector.posted) == 11 and set(collector.posted) == {collector.stored}
    for tries, slept in enumerate(time.slept):
        assert 0.5 <= slept / min(60, 0.5 * 2**tries) <= 1.5, "twice as long each time, spread by chance"


def test_a_restart_in_between_sends_the_same_bytes(tmp_path: Path, collector: Collector, time: Time) -> None:
    collector.script = at("/reports", "drop", "lose", "drop")
    seen = []
    for _ in range(4):
        with Ledger(tmp_path / "ledger", cap=4) as ledger:
            seen.append(visit(ledger, collector, time, patience=0).state)
    assert seen == ["waiting", "waiting", "waiting", "answered"]
    assert len(collector.posted) == 4 and len(set(collector.posted)) == 1
    assert [path for _, path in collector.seen] == [*WAY, *["/reports"] * 3], "and asks for nothing again"


@pytest.mark.parametrize("path", WAY)
@pytest.mark.parametrize("status", [429, 503])
def test_it_waits_as_long_as_it_is_told(
    path: str, status: int, ledger: Ledger, collector: Collector, time: Time
) -> None:
    collector.script = at(path, refusal(status, "busy", Retry_After="7"), refusal(status, "busy", Retry_After="90"))
    assert visit(ledger, collector, time).state == "answered"
    assert len(time.slept) == 2 and time.slept[0] >= 7 and time.slept[1] >= 90


def test_patience_ends_and_says_when_to_come_back(ledger: Ledger, collector: Collector, time: Time) -> None:
    collector.script = at("/progress", refusal(503, "busy", Retry_After="86400"))
    outcome = visit(ledger, collector, time, patience=60)
    assert (outcome.state, outcome.code, outcome.again_at) == ("waiting", "busy", 1000 + 86400)
    collector.script = at("/progress", *[refusal(503, "busy", Retry_After="999999999")] * 9)
    assert visit(ledger, collector, time, patience=60).again_at == 1000 + 86400, "nobody is sent away for years"
    assert ledger.surveys() == []


def test_its_turn_comes_later(ledger: Ledger, collector: Collector, time: Time) -> None:
    changes: list[dict[str, Any]] = [{"state": "early"}, {"round": {"first": 0, "count": 2}}]
    changes.append({"round": {"first": 0, "count": 2, "closed": True}})
    collector.script = at("/progress", *(told_otherwise(collector, change) for change in changes))
    assert visit(ledger, collector, time).state == "answered" and len(time.slept) == 3


@pytest.mark.parametrize("changes, state, code", NO_TURN)
def test_there_is_no_turn(
    changes: Any, state: str, code: str, ledger: Ledger, collector: Collector, time: Time
) -> None:
    collector.script = at("/progress", told_otherwise(collector, changes))
    outcome = visit(ledger, collector, time)
    assert (outcome.state, outcome.code) == (state, code)
    assert collector.posted == [] and ledger.surveys() == []


REDIRECTED: Answer = (302, b"", {"Location": "http://127.0.0.1:1/"})


@pytest.mark.parametrize("path, answer, state, code", [*NO_SEAT, ("/manifest", REDIRECTED, "refused", "status-302")])
def test_the_collector_does_not_take_it(
    path: str, answer: Answer, state: str, code: str, ledger: Ledger, collector: Collector, time: Time
) -> None:
    collector.script = at(path, answer)
    outcome = visit(ledger, collector, time)
    assert (outcome.state, outcome.code) == (state, code)
    assert [own for _, own in collector.seen] == WAY[: WAY.index(path) + 1] and ledger.surveys() == []
    assert str(outcome.why).isprintable()


@pytest.mark.parametrize("change", [*IMPOSSIBLE_SEATS, {"slot": 3.0}])
def test_a_seat_that_cannot_be(change: Any, ledger: Ledger, collector: Collector, time: Time) -> None:
    collector.script = at("/enrol", told_seat(collector, **change))
    assert visit(ledger, collector, time).code == "malformed" and len(collector.seen) == 2


@pytest.mark.parametrize("more", [{}, {"yours": True}, {"yours": "?", "other": [1]}])
def test_what_else_a_seat_says_is_passed_over(more: Any, ledger: Ledger, collector: Collector, time: Time) -> None:
    """A browser's question whether it was itself: this device, whose ledger is a file, does not ask."""
    collector.script = at("/enrol", told_seat(collector, before=True, **more))
    outcome = visit(ledger, collector, time)
    assert (outcome.state, outcome.before) == ("answered", True) and collector.visits == [""]


@pytest.mark.parametrize("answer, state, code", NOT_TAKEN)
def test_a_report_that_is_not_taken_stays_as_it_is(
    answer: Answer, state: str, code: str, ledger: Ledger, collector: Collector, time: Time
) -> None:
    collector.script = at("/reports", answer)
    outcome = visit(ledger, collector, time)
    assert (outcome.state, outcome.code) == (state, code) and len(ledger.surveys()) == 1
    (entry,) = Outbox(ledger).history()
    assert entry.capability == "", "what opened the slot is forgotten"
    assert (outcome.slot, outcome.epsilon) == (3, float(entry.epsilon)), "it was made and has its cost, taken or not"
    visit(ledger, collector, time)
    assert collector.tokens == ["", TOKEN, "", "", CAPABILITY] * 2, "it enrols again, as before"
    assert len(collector.posted) == 2 and len(set(collector.posted)) == 1


@pytest.mark.parametrize("status, kept", [(410, 0), (403, 1)])
def test_its_own_token_is_forgotten_when_all_is_over(status: int, kept: int, ledger: Ledger, time: Time) -> None:
    manifest = mean_manifest(access="open")
    with scripted(manifest) as collector:
        collector.script = at("/reports", refusal(status, "no"))
        own = Device(ledger=ledger, source="ratings", clock=lambda: time.now, sleep=time.sleep)
        assert own.answer(Invitation(base=collector.base, survey=manifest.digest), [3]).state != "answered"
    assert ledger._connection.execute("SELECT count(*) FROM token").fetchone() == (kept,)


def test_a_survey_that_has_closed_is_left_alone(ledger: Ledger, time: Time) -> None:
    manifest = mean_manifest(closes=2000)
    with scripted(manifest) as collector:
        early = {"state": "early", "round": None}
        said = json.dumps(collector._progress() | early).encode()
        collector.script = at("/progress", (200, said, {"Retry-After": "1000"}))
        outcome = visit(ledger, collector, time)  # when it is worth looking again, the survey has closed
        assert (outcome.state, outcome.code, outcome.again_at) == ("waiting", "early", 1000.0) and time.slept == []
        assert [path for _, path in collector.seen] == WAY[:3]
        collector.seen.clear()
        time.now = 2000.0
        outcome = visit(ledger, collector, time)
        assert (outcome.state, outcome.code) == ("over", "expired") and ledger.surveys() == []
        assert [path for _, path in collector.seen] == WAY[:1], "it does not even enrol"
        time.now, collector.script = 1990.0, at("/progress")
        assert visit(ledger, collector, time).state == "answered"


def deep(manifest: Manifest) -> Manifest:
    """Settings inside settings, in canonical form."""
    nested = b'{"a":' * 800 + b"1" + b"}" * 800
    data = manifest.to_bytes().replace(b'"settings":{', b'"settings":{"a":' + nested + b",", 1)
    made = copy(manifest)
    vars(made).update(_bytes=data, digest=digest(data))
    return made


def test_a_manifest_that_breaks_its_reader_is_a_decline(ledger: Ledger, time: Time) -> None:
    with running(Collector(deep(MANIFEST), QUESTION)) as collector:
        outcome = visit(ledger, collector, time)
        assert (outcome.state, outcome.code) == ("declined", "malformed") and len(collector.seen) == 1


@pytest.mark.parametrize("error", [RecursionError(), TypeError("x"), MemoryError(), Malformed("a \x1b[2J b")])
@pytest.mark.parametrize("kind", [Manifest, Question])
def test_whatever_reading_raises_is_a_decline(
    kind: type, error: Exception, ledger: Ledger, collector: Collector, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(kind, "from_bytes", broken)
    outcome = visit(ledger, collector, time)
    assert (outcome.state, outcome.code) == ("declined", "malformed") and str(outcome.why).isprintable()
    assert collector.posted == [] and ledger.surveys() == []


def test_an_open_survey_gets_a_token_that_stays(ledger: Ledger, time: Time) -> None:
    manifest = mean_manifest(access="open")
    with scripted(manifest) as collector:
        invitation = Invitation(base=collector.base, survey=manifest.digest)
        own = Device(ledger=ledger, source="ratings", clock=lambda: time.now, sleep=time.sleep)
        collector.script = at("/enrol", "drop", "drop")
        assert own.answer(invitation, [3], patience_seconds=0).state == "waiting"
        assert own.answer(invitation.url, [3]).state == "answered"
        tokens = zip(collector.tokens, collector.seen, strict=True)
        enrolled = [token for token, (_, path) in tokens if path == "/enrol"]
        assert len(enrolled) == 3 and len(set(enrolled)) == 1 and len(enrolled[0]) == 43


def test_a_closed_survey_needs_a_token(ledger: Ledger, collector: Collector) -> None:
    outcome = Device(ledger=ledger, source="r").answer(Invitation(base=collector.base, survey=MANIFEST.digest), [3])
    assert (outcome.state, outcome.code) == ("refused", "no-token") and len(collector.seen) == 1


def test_reports_never_travel_in_the_clear(ledger: Ledger) -> None:
    def request(*_: Any, **__: Any) -> Reply:
        raise AssertionError("it is not tried")

    own = Device(ledger=ledger, source="ratings", transport=SimpleNamespace(request=request))
    with pytest.raises(InvalidInput, match="https only"):
        own.answer(f"http://example.org/surveys/{MANIFEST.digest}#{MANIFEST.digest}.{TOKEN}", [3])
    with pytest.raises(InvalidInput, match="https only"):
        sv.Device(ledger=ledger, source="r")._transport.request("GET", "http://example.org/", limit=1)


HELD: list[Any] = [
    [3, 4],
    [],
    [float("nan")] * 3,
    [1e308, -1e308, float("inf")],
    ["x", None, 10**400],
    np.ma.masked_all(4),
    [[1, 2, 3], [4, 5, 6]],
    np.zeros((0, 2)),
    np.full(100_000, 2.5),
]


def test_requests_do_not_depend_on_data(tmp_path: Path, time: Time) -> None:
    shapes = set()
    for number, held in enumerate(HELD):
        with scripted(MANIFEST) as collector, Ledger(tmp_path / f"{number}", cap=4) as ledger:
            assert visit(ledger, collector, time, held=held).state == "answered"
            shapes.add((tuple(collector.seen), len(collector.posted[0])))
    assert len(shapes) == 1 and time.slept == []


def test_a_decline_is_silence_whatever_its_reason(tmp_path: Path, time: Time) -> None:
    """The requests of a device that declines are those of one that lost its power: they tell no code."""
    seen = set()
    for held in ([3, 4], []):
        for cap in (0.5, 0.9):
            with scripted(MANIFEST) as one, Ledger(tmp_path / f"{cap}-{len(held)}", cap=cap) as own:
                outcome = visit(own, one, time, held=held)
                assert (outcome.state, outcome.code) == ("declined", "over-budget")
                seen.add(tuple(path for _, path in one.seen))
    assert seen == {tuple(WAY[:4])}


def test_it_sends_at_a_moment_of_its_own(tmp_path: Path, time: Time) -> None:
    for number in range(3):
        with scripted(MANIFEST) as collector, Ledger(tmp_path / f"{number}", cap=4) as ledger:
            own = Device(ledger=ledger, source="r", spread_seconds=30, clock=lambda: time.now, sleep=time.sleep)
            assert own.answer(collector.url, [3]).state == "answered"
    assert len(set(time.slept)) == 3 and all(15 <= slept <= 30 for slept in time.slept)


def test_there_is_no_argument_for_other_entropy(
    ledger: Ledger, collector: Collector, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    for call in (Device, Device.answer, Device.look):
        assert not {name for name in inspect.signature(call).parameters if "entropy" in name or "seed" in name}
    monkeypatch.setattr(device, "_entropy", lambda: SeededEntropy(5))
    visit(ledger, collector, time)
    asked = first_question(MANIFEST)
    with Ledger(":memory:", cap=4) as other:
        report = respond(
            QUESTION, Collections.of_one([3, 4]), slot=3, digest=asked.digest, collector="x", source="y",
            ledger=other, entropy=SeededEntropy(5),
        )  # fmt: skip
    assert collector.posted == [report], "what is sent is what the trusted device says"


def test_a_manifest_can_be_read_before_answering(ledger: Ledger, collector: Collector, time: Time) -> None:
    own = Device(ledger=ledger, source="ratings", clock=lambda: time.now, sleep=time.sleep)
    assert own.look(collector.url) == MANIFEST
    assert own.answer(collector.url, [3]).state == "answered"
    assert [path for _, path in collector.seen] == WAY, "it is not asked for twice"
    collector.manifest, collector.seen = mean_manifest(retention_days=7), []
    collector.script = at("/manifest", (200, MANIFEST.to_bytes(), {}))
    outcome = own.look(collector.url)
    assert isinstance(outcome, Outcome) and (outcome.state, outcome.code) == ("declined", "wrong-digest")


def test_what_there_is_to_know_before_answering(ledger: Ledger, collector: Collector, time: Time) -> None:
    def look() -> Manifest | Outcome:
        own = Device(ledger=ledger, source="ratings", clock=lambda: time.now, sleep=time.sleep)
        return own.look(collector.url, patience_seconds=0)

    collector.script = at("/manifest", "drop", refusal(404, "not-found"))
    outcome = look()
    assert isinstance(outcome, Outcome) and (outcome.state, outcome.code) == ("waiting", "unreachable")
    assert outcome.again_at is not None and outcome.again_at > time.now
    outcome = look()
    assert isinstance(outcome, Outcome) and (outcome.state, outcome.code) == ("refused", "not-found")
    assert visit(ledger, collector, time).state == "answered"
    requests = len(collector.seen)
    outcome = look()
    assert isinstance(outcome, Outcome) and (outcome.state, outcome.code) == ("answered", "before")
    assert outcome.slot == 3 and outcome.epsilon and len(collector.seen) == requests, "the ledger knows, offline too"


def _answer(arguments: tuple[str, str]) -> str:
    with Ledger(arguments[0], cap=4) as ledger:
        return Device(ledger=ledger, source="ratings").answer(arguments[1], [3, 4], patience_seconds=HUNG_SECONDS).state


def test_processes_that_answer_at_once_send_the_same_bytes(tmp_path: Path, collector: Collector) -> None:
    path = str(tmp_path / "ledger")
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        states = pool.map(_answer, [(path, collector.url)] * 4)
    assert set(states) == {"answered"} and len(set(collector.posted)) == 1
