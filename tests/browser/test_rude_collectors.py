"""The client in a browser, against a collector that is rude or dishonest, and a ledger that was lost."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from sottovoce.messages import Fact, digest
from tests.browser.devices import Pages, pages, run
from tests.browser.visiting import LOAD, MANIFEST, QUESTION, SHORT, answer, clear, paths, remembers, step
from tests.service.scripted import (
    CAPABILITY,
    WAY,
    Answer,
    Collector,
    at,
    first_question,
    mean_manifest,
    refusal,
    running,
)
from tests.support.browser import Browser


@pytest.fixture
def collector() -> Iterator[Collector]:
    with running(Collector(MANIFEST, QUESTION)) as one:
        yield one


@pytest.fixture
def tabs(browser: Browser, collector: Collector) -> Iterator[Pages]:
    with pages(browser, collector.base) as made:
        yield made


@pytest.fixture
def tab(tabs: Pages) -> Any:
    return tabs.tab(LOAD)


@pytest.mark.parametrize(
    "changes, state, code",
    [
        ({"round": {"first": 4, "count": 9}}, "missed", "closed"),
        ({"round": {"closed": True}}, "missed", "closed"),
        ({"state": "done"}, "over", "done"),
        ({"state": "abandoned"}, "over", "abandoned"),
        ({"state": "asleep"}, "declined", "malformed"),
        ({"round": {"first": "0"}}, "declined", "malformed"),
        ({"round": {"number": True}}, "declined", "malformed"),
        ({"round": {"question": "../../x"}}, "declined", "malformed"),
        ({"round": 3}, "declined", "malformed"),
        ({"round": {"role": ""}}, "declined", "malformed"),
        ({"round": {"role": "\ud800"}}, "declined", "malformed"),
        ({"round": {"role": "a\r\nX: y"}}, "declined", "malformed"),
        ({"round": {"role": "a" * 129}}, "declined", "malformed"),
    ],
)
def test_there_is_no_turn(changes: Any, state: str, code: str, tab: Any, collector: Collector) -> None:
    said = json.loads(json.dumps(collector._progress()))
    inner = changes.get("round", {})
    said |= changes | {"round": said["round"] | inner if isinstance(inner, dict) else inner}
    collector.script = at("/progress", (200, json.dumps(said).encode(), {}))
    outcome = answer(tab, collector)
    assert (outcome["state"], outcome["code"], outcome["epsilon"]) == (state, code, None)
    assert paths(collector) == WAY[:3]


OTHER = mean_manifest(closes=10_000, retention_days=7)
COSTLY = first_question(mean_manifest(closes=10_000, epsilon=2.0))


@pytest.mark.parametrize(
    "path, answered, state, code",
    [
        ("/enrol", refusal(409, "full"), "full", "full"),
        ("/enrol", refusal(409, "closed"), "over", "closed"),
        ("/enrol", refusal(410, "expired"), "over", "expired"),
        ("/enrol", refusal(401, "unauthorised"), "refused", "unauthorised"),
        ("/enrol", (200, b"[]", {}), "declined", "malformed"),
        ("/enrol", (200, b'{"slot":3', {}), "declined", "malformed"),
        ("/enrol", (200, b"x" * 70_000, {}), "declined", "malformed"),
        ("/manifest", refusal(404, "not-found"), "refused", "not-found"),
        ("/manifest", (404, b"\xff" * 9, {}), "refused", "status-404"),
        ("/manifest", (404, b'{"error":{"code":"\\u001b[2J","message":"\\u0007"}}', {}), "refused", "status-404"),
        ("/manifest", (200, OTHER.to_bytes(), {}), "declined", "wrong-digest"),
        ("/manifest", (200, MANIFEST.to_bytes() + b" ", {}), "declined", "wrong-digest"),
        ("/manifest", (200, b"x" * (2**20 + 1), {}), "declined", "malformed"),
        (WAY[3], (200, QUESTION + b" ", {}), "declined", "wrong-digest"),
        (WAY[3], (200, first_question(OTHER).to_bytes(), {}), "declined", "wrong-digest"),
        (WAY[3], (200, b"x" * (2**20 + 1), {}), "declined", "malformed"),
    ],
)
def test_the_collector_does_not_take_it_or_lies(
    path: str, answered: Answer, state: str, code: str, tab: Any, collector: Collector
) -> None:
    collector.script = at(path, answered)
    outcome = answer(tab, collector)
    assert (outcome["state"], outcome["code"]) == (state, code) and outcome["epsilon"] is None
    assert paths(collector) == WAY[: WAY.index(path) + 1], "then it is silent"
    assert str(Fact.from_plain(outcome["why"])).isprintable()
    assert run(tab, "return device.history();") == []


@pytest.mark.parametrize(
    "change, code",
    [
        (lambda asked: first_question(OTHER).to_bytes(), "not-announced"),
        (lambda asked: COSTLY.to_bytes(), "not-announced"),
        (lambda asked: asked.replace(b'"round":0', b'"round":1'), "not-announced"),
        (
            lambda asked: asked.replace(b'"epsilon":1,', b'"epsilon":0.5,').replace(b'"epsilon":1.0', b'"epsilon":0.5'),
            "",
        ),
        (lambda asked: asked.replace(b'"version":1', b'"version":2'), "malformed"),
        (lambda asked: b"{}", "malformed"),
        (lambda asked: b"[" * 1000, "malformed"),
    ],
)
def test_a_question_that_was_not_announced(
    change: Callable[[bytes], bytes], code: str, tab: Any, collector: Collector
) -> None:
    """With a progress that names just this question."""
    changed = change(QUESTION)
    if not code:
        assert changed != QUESTION
        code = "over-declared"
    collector.progress = {"round": {"question": digest(changed)}}
    collector.script = at(WAY[3], (200, changed, {}))
    outcome = answer(tab, collector)
    assert (outcome["state"], outcome["code"]) == ("declined", code) and paths(collector) == WAY[:4]


@pytest.mark.parametrize(
    "change",
    [
        {"slot": -1},
        {"slot": 400},
        {"slot": 3.5},
        {"slot": True},
        {"capability": "c\r\nX: y"},
        {"survey": "s"},
        {"yours": 1},
    ],
)
def test_a_seat_that_cannot_be(change: Any, tab: Any, collector: Collector) -> None:
    seat = {"survey": MANIFEST.digest, "slot": 3, "capability": CAPABILITY, "before": False, "yours": True} | change
    collector.script = at("/enrol", (200, json.dumps(seat).encode(), {}))
    assert answer(tab, collector)["code"] == "malformed" and len(collector.seen) == 2


@pytest.mark.parametrize(
    "answered, state, code",
    [
        (refusal(409, "conflict"), "refused", "conflict"),
        (refusal(409, "closed"), "missed", "closed"),
        (refusal(410, "expired"), "over", "expired"),
        (refusal(403, "forbidden"), "refused", "forbidden"),
        (refusal(400, "malformed"), "refused", "status-400"),
        (refusal(403, "constructor"), "refused", "status-403"),
        ((200, b"x" * 70_000, {}), "refused", "too-long"),
    ],
)
def test_a_report_that_is_not_taken_stays_as_it_is(
    answered: Answer, state: str, code: str, tab: Any, collector: Collector
) -> None:
    collector.script = at("/reports", answered)
    outcome = answer(tab, collector)
    assert (outcome["state"], outcome["code"]) == (state, code) and outcome["epsilon"] > 0.9 and outcome["slot"] == 3
    assert outcome["receipt"]["sent"] == 1000 and outcome["receipt"]["acknowledged"] is None
    tab.reload()
    for name in ("look", "send"):
        again = step(tab, name, collector)
        assert (again["state"], again["code"]) == (state, code) and len(collector.seen) == 5, "the ledger knows"
    assert run(tab, "return (await device.outbox.history()).map((entry) => entry.capability);") == [""]
    assert answer(tab, collector)["state"] in ("answered", "refused"), "who insists enrols again, as before"
    assert len(collector.posted) == 2 and len(set(collector.posted)) == 1


def test_a_report_that_is_gone_before_it_is_sent_is_not_called_answered(tab: Any, collector: Collector) -> None:
    """Rows taken away by another hand, between spending and sending."""
    body = """const sleep = async () => {
      await device.ledger.transaction(["answer"], "readwrite", async (stores) => stores("answer").clear());
    };
    await open({ spreadSeconds: 1, sleep });
    const { state, code } = await device.answer(told, [3, 4]); return [state, code];"""
    assert run(tab, body, collector.url) == ["declined", "ledger-unavailable"] and collector.posted == []


def test_a_decline_is_silence_whatever_its_reason(browser: Browser) -> None:
    seen = set()
    for held in ([3, 4], []):
        for cap in (0.5, 0.9):
            with running(Collector(MANIFEST, QUESTION)) as one, pages(browser, one.base) as tabs:
                page = tabs.tab(LOAD)
                run(page, "await open({ cap: told }); return 0;", cap)
                outcome = answer(page, one, held)
                assert (outcome["state"], outcome["code"]) == ("declined", "over-budget")
                seen.add(tuple(paths(one)))
    assert seen == {tuple(WAY[:4])}


def test_cleared_storage_is_noticed_and_nothing_is_sent(tabs: Pages, tab: Any, collector: Collector) -> None:
    collector.script = remembers(collector)
    assert answer(tab, collector)["state"] == "answered"
    clear(tabs, tab)
    assert step(tab, "look", collector)["state"] == "open", "an empty ledger does not know"
    outcome = step(tab, "ask", collector)
    assert (outcome["state"], outcome["code"], outcome["before"]) == ("declined", "ledger-lost", True)
    before = len(collector.seen)
    assert paths(collector)[-1] == "/enrol"
    for _ in range(2):
        for name in ("look", "ask", "send"):
            assert step(tab, name, collector)["code"] == "ledger-lost"
        assert answer(tab, collector)["code"] == "ledger-lost"
        tab.reload()
    own = [path for path in paths(collector)[before:] if path != "/manifest"]
    assert own == [] and len(collector.posted) == 1, "and never asks for a seat again"


def test_coming_back_is_no_use_by_somebody_else(tab: Any, collector: Collector) -> None:
    collector.script = remembers(collector)
    assert step(tab, "ask", collector)["state"] == "asked"
    tab.reload()
    outcome = answer(tab, collector)
    assert (outcome["state"], outcome["before"]) == ("answered", False)


@pytest.mark.parametrize("lost", ["lose", (502, b"", {})])
def test_a_first_visit_whose_reply_got_lost_goes_on(lost: Any, tab: Any, collector: Collector) -> None:
    """It had the first request: the token was used by this very ledger, which shows the same number again."""
    collector.script = remembers(collector, instead={1: lost})
    assert step(tab, "ask", collector, SHORT)["state"] == "waiting"
    tab.reload()
    outcome = answer(tab, collector)
    assert (outcome["state"], outcome["before"]) == ("answered", False) and len(collector.posted) == 1
    assert len(collector.visits) == 2 and len(set(collector.visits)) == 1


@pytest.mark.parametrize("lost", ["lose", refusal(503, "busy")])
def test_a_lost_reply_does_not_hide_that_the_ledger_was_lost(
    lost: Any, tabs: Pages, tab: Any, collector: Collector
) -> None:
    """Cleared, then cut off, then loaded again: its new number did not take the seat."""
    collector.script = remembers(collector, instead={2: lost})
    assert answer(tab, collector)["state"] == "answered"
    clear(tabs, tab)
    assert step(tab, "ask", collector, SHORT)["state"] == "waiting"
    tab.reload()
    for _ in range(2):
        outcome = answer(tab, collector)
        assert (outcome["state"], outcome["code"], outcome["before"]) == ("declined", "ledger-lost", True)
        tab.reload()
    assert len(collector.posted) == 1 and len(collector.visits) == 3
    first, second, third = collector.visits
    assert first != second == third and len(bytes.fromhex(third)) == 32


def test_one_token_in_two_surveys_shows_two_numbers(tab: Any, collector: Collector) -> None:
    assert step(tab, "ask", collector)["state"] == "asked"
    collector.manifest, collector.question = OTHER, first_question(OTHER).to_bytes()
    assert step(tab, "ask", collector)["state"] == "asked"
    assert len(set(collector.visits)) == len(collector.visits) == 2 and len(set(collector.tokens) - {""}) == 1


def test_a_closed_survey_needs_a_token(tab: Any, collector: Collector) -> None:
    url = f"{collector.base}/#{MANIFEST.digest}"
    outcome = run(tab, "return step('ask', told);", url)
    assert (outcome["state"], outcome["code"]) == ("refused", "no-token") and len(collector.seen) == 1


def test_an_invitation_of_another_collector(tab: Any, collector: Collector) -> None:
    body = "await open({ base: 'https://example.org' });"
    body += "return device.look(told).then(() => '', (error) => [error.constructor.name, error.message]);"
    assert run(tab, body, collector.url)[0] == "InvalidInput" and collector.seen == []


@pytest.mark.parametrize("length", ["", "'Content-Length': '5'"])
def test_a_reply_without_an_end_is_cut_off(length: str, tab: Any, collector: Collector) -> None:
    body = """let sent = 0, ended = false;
    const endless = () => new ReadableStream({
      pull(to) { sent += 4096; to.enqueue(new Uint8Array(4096).fill(32)); }, cancel() { ended = true; } });
    await open({ fetch: async () => new Response(endless(), { headers: { %s } }) });
    const { state, code } = await device.look(told); return [state, code, sent < 2 ** 20 + 65536, ended];"""
    assert run(tab, body % length, collector.url) == ["declined", "malformed", True, True]
