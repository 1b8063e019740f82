"""The client in a browser: from invitation to receipt, through reloads, ended tabs and lost networks; against a
collector that is rude or dishonest; and with a ledger that was lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from sottovoce.messages import Fact, Question, Report, digest
from tests.browser.devices import Pages, pages, result, run, start
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
    always,
    at,
    first_question,
    mean_manifest,
    refusal,
    scripted,
    told_otherwise,
    told_seat,
)
from tests.support.browser import Browser

MANIFEST = mean_manifest(closes=10_000)
QUESTION = first_question(MANIFEST).to_bytes()
LOAD = """
Object.assign(globalThis, { now: 1000, slept: [] });
globalThis.open = async (more = {}) => {
  const { Device } = await import("/web/client/device.js");
  const sleep = async (seconds) => { slept.push(seconds); now += seconds; };
  globalThis.device = await Device.open({
    cap: 4, source: "r", spreadSeconds: 0, clock: () => now, sleep, ...more });
};
globalThis.step = async (name, ...all) => {
  if (!globalThis.device) await open();
  const { manifest, asked, ...told } = await device[name](...all);
  return { ...told, manifest: Boolean(manifest), asked: asked && asked.epsilon };
};
"""
SHORT = {"patienceSeconds": 0}


def step(page: Any, name: str, collector: Collector, *more: Any) -> Any:
    return run(page, "return step(...told);", [name, collector.url, *more])


def answer(page: Any, collector: Collector, held: Any = (3, 4), patience: float = 3600.0) -> Any:
    return step(page, "answer", collector, list(held), {"patienceSeconds": patience})


def clear(tabs: Pages, page: Any) -> None:
    """As a person does in the browser's settings; the page is then opened again."""
    session = tabs.context.new_cdp_session(page)
    session.send("Storage.clearDataForOrigin", {"origin": tabs.base, "storageTypes": "all"})
    page.reload()


def paths(collector: Collector) -> list[str]:
    return [path for _, path in collector.seen]


def remembers(
    collector: Collector, *, instead: dict[int, Answer | str] | None = None
) -> Callable[[str, str, int], Answer | str | None]:
    """A script for a collector that remembers who enrolled. `instead`: what becomes of some replies to enrolments."""

    def script(method: str, path: str, number: int) -> Answer | str | None:
        if path != "/enrol":
            return None
        mine = collector.visits[0] == collector.visits[-1]
        return (instead or {}).get(number) or told_seat(collector, before=number > 1, yours=mine)

    return script


@pytest.fixture
def collector() -> Iterator[Collector]:
    with scripted(MANIFEST) as one:
        yield one


@pytest.fixture
def tabs(browser: Browser, collector: Collector) -> Iterator[Pages]:
    with pages(browser, collector.base) as made:
        yield made


@pytest.fixture
def tab(tabs: Pages) -> Any:
    return tabs.tab(LOAD)


def test_an_answer_takes_five_requests(tab: Any, collector: Collector) -> None:
    outcome = answer(tab, collector)
    assert (outcome["state"], outcome["code"], outcome["slot"]) == ("answered", "stored", 3)
    assert outcome["survey"] == MANIFEST.digest and 0.99 < outcome["epsilon"] <= 1
    assert paths(collector) == WAY and collector.tokens == ["", TOKEN, "", "", CAPABILITY]
    report = Report.from_bytes(collector.posted[0])
    assert (report.slot, report.question) == (3, digest(QUESTION))
    for name in ("look", "ask", "send"):
        assert step(tab, name, collector)["code"] == "before"
    assert answer(tab, collector)["code"] == "before" and len(collector.seen) == 5, "then it is silent"
    receipt = run(tab, "return device.receipt(told);", MANIFEST.digest)
    assert receipt == outcome["receipt"] and receipt["report"].encode() == collector.posted[0]
    assert receipt["reportDigest"] == digest(collector.posted[0]) and receipt["acknowledged"] == 1000
    assert (receipt["collector"], receipt["purpose"]) == (MANIFEST.collector, MANIFEST.purpose)
    assert (receipt["round"], receipt["role"], receipt["question"]) == (0, "mean", digest(QUESTION))
    assert run(tab, "return device.history();") == [receipt]
    budget = run(tab, "return device.budget();")
    assert budget["cap"] == 4 and budget["spent"] == outcome["epsilon"] and budget["left"] == 4 - budget["spent"]


def test_step_by_step_and_reloaded_at_every_step(tab: Any, collector: Collector) -> None:
    states = []
    for reload in (False, True):
        states.append(step(tab, "look", collector))
        if reload:
            tab.reload()
        states.append(step(tab, "ask", collector))
        if reload:
            tab.reload()
    assert [one["state"] for one in states] == ["open", "asked"] * 2 and all(one["manifest"] for one in states)
    assert states[-1]["asked"] == pytest.approx(1, abs=1e-6) and states[-1]["epsilon"] is None
    collector.script = at("/reports", "drop", "lose", "drop")
    seen = [answer(tab, collector, patience=0)]
    tab.reload()
    seen.append(step(tab, "look", collector))
    for _ in range(3):
        tab.reload()
        seen.append(step(tab, "send", collector, SHORT))
    assert [one["state"] for one in seen] == ["waiting"] * 4 + ["answered"]
    assert [one["code"] for one in seen] == ["unreachable", "stored", "unreachable", "unreachable", "same"]
    assert len(collector.posted) == 4 and set(collector.posted) == {collector.stored}
    assert len({one["epsilon"] for one in seen}) == 1 and all(one["slot"] == 3 for one in seen)


def test_between_question_and_report_it_looks_whether_the_round_is_open(tab: Any, collector: Collector) -> None:
    assert step(tab, "ask", collector)["state"] == "asked"
    collector.progress = {"round": {"closed": True}}
    outcome = answer(tab, collector)
    assert (outcome["state"], outcome["epsilon"]) == ("missed", None), "nothing is spent on a round that is over"
    assert paths(collector) == [*WAY[:4], "/progress"] and collector.posted == []


def test_ten_lost_acknowledgements_give_one_report(tab: Any, collector: Collector) -> None:
    collector.script = at("/reports", *["lose"] * 10)
    outcome = answer(tab, collector)
    assert (outcome["state"], outcome["code"]) == ("answered", "same")
    assert len(collector.posted) == 11 and set(collector.posted) == {collector.stored}
    for tries, slept in enumerate(tab.evaluate("slept")):
        assert 0.49 <= slept / min(60, 0.5 * 2**tries) <= 1.51, "twice as long each time, spread by chance"


@pytest.mark.parametrize("path", WAY)
def test_it_waits_as_long_as_it_is_told(path: str, tab: Any, collector: Collector) -> None:
    collector.script = at(path, refusal(429, "busy", Retry_After="7"), refusal(503, "busy", Retry_After="90"))
    assert answer(tab, collector)["state"] == "answered"
    slept = tab.evaluate("slept")
    assert len(slept) == 2 and slept[0] >= 6.99 and slept[1] >= 89.99


def test_patience_ends_and_says_when_to_come_back(tab: Any, collector: Collector) -> None:
    collector.script = at("/progress", refusal(503, "busy", Retry_After="5000"))
    outcome = answer(tab, collector, patience=60)
    assert (outcome["state"], outcome["code"], outcome["againAt"]) == ("waiting", "busy", 6000)
    collector.script = at("/progress", *[refusal(503, "busy", Retry_After="999999999")] * 9)
    assert answer(tab, collector, patience=60)["againAt"] == 1000, "the survey closes before: later is no use"


def test_its_turn_comes_later(tab: Any, collector: Collector) -> None:
    collector.progress = {"state": "early"}
    assert step(tab, "ask", collector)["why"] == {"code": "outcome-early", "data": {}}
    collector.progress = {"round": {"first": 0, "count": 2, "closes": 9_000}}
    outcome = step(tab, "ask", collector)
    assert (outcome["state"], outcome["code"], outcome["latestAt"]) == ("waiting", "early", 9_000)
    assert 1000 < outcome["againAt"] < 1001 and outcome["why"]["data"] == {"round": 1} and outcome["slot"] == 3
    collector.progress = {"round": {"first": 0, "count": 2, "closes": 10_001}}
    assert step(tab, "ask", collector)["latestAt"] is None
    collector.progress = {}
    assert answer(tab, collector)["state"] == "answered"
    assert paths(collector).count("/enrol") == 1, "its seat is remembered"


def test_a_survey_that_has_closed_is_left_alone(tab: Any, collector: Collector) -> None:
    collector.script = always("/reports", refusal(503, "busy"))
    assert answer(tab, collector, patience=0)["state"] == "waiting" and len(collector.posted) == 1
    collector.script = at("/reports")
    tab.reload()
    tab.evaluate("now = 10000")
    assert (told := step(tab, "look", collector))["state"] == "over" and told["code"] == "expired"
    outcome = step(tab, "send", collector)
    assert (outcome["state"], outcome["code"]) == ("over", "expired") and outcome["epsilon"] > 0.9
    assert len(collector.seen) == 5


def test_a_survey_that_closes_soon_gets_no_report(tab: Any, collector: Collector) -> None:
    run(tab, "await open({ spreadSeconds: 100 }); now = 9900; return 0;")
    outcome = answer(tab, collector)
    assert (outcome["state"], outcome["code"]) == ("declined", "too-late") and paths(collector) == WAY[:1]
    tab.evaluate("now = 10000")
    outcome = step(tab, "ask", collector)
    assert (outcome["state"], outcome["code"]) == ("over", "expired") and paths(collector) == WAY[:1]


def test_it_sends_at_a_moment_of_its_own(browser: Browser) -> None:
    """Drawn before observations are read, and kept however long that takes."""
    slept = []
    for seconds in (0, 4, 14):
        with scripted(MANIFEST) as one, pages(browser, one.base) as tabs:
            page = tabs.tab(LOAD)
            body = "await open({ spreadSeconds: 30 }); let read = 0;"
            body += "const held = async () => { read += 1; now += told[1]; return [3]; };"
            body += "const { state } = await device.answer(told[0], held); return [state, read, slept, now];"
            state, read, waited, now = run(page, body, [one.url, seconds])
            assert (state, read, len(waited)) == ("answered", 1, 1)
            assert 1015 <= now <= 1030 and waited[0] == pytest.approx(now - 1000 - seconds)
            slept.append(now)
    assert len(set(slept)) == 3


def test_requests_do_not_depend_on_data_and_hold_none_of_it(browser: Browser) -> None:
    shapes, marked = set(), 3.14159265
    for held in ("[3, 4]", "[]", "[NaN, NaN]", "[[1, 2, 3], [4, 5, 6]]", "[Infinity, -1e308]", f"[{marked}, {marked}]"):
        with scripted(MANIFEST) as one, pages(browser, one.base) as tabs:
            page = tabs.tab(LOAD)
            assert run(page, f"return (await step('answer', told, {held})).state;", one.url) == "answered"
            sent = [asked for asked in tabs.requests if "/surveys/" in asked.url]
            shapes.add((tuple(one.seen), len(one.posted[0])))
            for asked in sent:
                headers = asked.all_headers()
                assert asked.url.startswith(one.base) and not {"cookie", "referer"} & set(headers)
                assert str(marked) not in f"{asked.url} {headers} {asked.post_data}"
    assert len(shapes) == 1


def test_two_tabs_take_one_seat_and_send_one_report(tabs: Pages, collector: Collector) -> None:
    collector.script = remembers(collector)
    two = [tabs.tab(LOAD), tabs.tab(LOAD)]
    for page in two:
        run(page, "await open(); return 0;")
    for page in two:
        start(page, "return step('answer', told, [3, 4]);", collector.url)
    outcomes = [result(page) for page in two]
    assert [one["state"] for one in outcomes] == ["answered"] * 2, outcomes
    assert len(collector.posted) == 1, "the second finds that it has arrived"
    assert outcomes[0]["receipt"]["report"] == outcomes[1]["receipt"]["report"]


def test_offline_after_the_question_the_same_bytes_go_later(tabs: Pages, tab: Any, collector: Collector) -> None:
    assert step(tab, "ask", collector)["state"] == "asked"
    tabs.context.set_offline(True)
    outcome = answer(tab, collector)
    assert (outcome["state"], outcome["code"]) == ("waiting", "unreachable") and outcome["receipt"]
    assert tab.evaluate("slept") == [], "a browser without a network does not try for long"
    assert collector.posted == [] and step(tab, "look", collector)["code"] == "stored"
    tabs.context.set_offline(False)
    tab.reload()
    assert step(tab, "send", collector)["state"] == "answered"
    assert [posted.decode() for posted in collector.posted] == [outcome["receipt"]["report"]]


def test_a_tab_that_ends_between_spending_and_sending(tabs: Pages, collector: Collector) -> None:
    page = tabs.tab(LOAD)
    asleep = "await open({ spreadSeconds: 2, sleep: () => new Promise(() => {}) });"
    start(page, f"{asleep} return step('answer', told, [3]);", collector.url)
    waiting = (
        "while (!globalThis.device || !(await device.history()).length) await new Promise((go) => setTimeout(go, 20));"
    )
    stored = run(page, f"{waiting} return (await device.history())[0];")
    assert stored["sent"] is None and collector.posted == []
    page.close()
    other = tabs.tab(LOAD)
    assert step(other, "send", collector)["state"] == "answered"
    assert collector.posted == [stored["report"].encode()]


def test_an_open_survey_gets_a_token_that_stays(browser: Browser) -> None:
    manifest = mean_manifest(access="open")
    with scripted(manifest) as one, pages(browser, one.base) as tabs:
        page = tabs.tab(LOAD)
        url = f"{one.base}/surveys/{manifest.digest}/participate#{manifest.digest}"
        one.script = at("/enrol", "drop", "drop")
        assert run(page, "return step('answer', told, [3], { patienceSeconds: 0 });", url)["state"] == "waiting"
        page.reload()
        assert run(page, "return step('answer', told, [3], { patienceSeconds: 99 });", url)["state"] == "answered"
        enrolled = [token for token, path in zip(one.tokens, paths(one), strict=True) if path == "/enrol"]
        assert len(enrolled) == 3 and len(set(enrolled)) == 1 and len(enrolled[0]) == 43


def test_nothing_follows_a_person(tab: Any, collector: Collector) -> None:
    body = """const seen = [];
    const fetching = (url, { signal, headers, body, ...rest }) => {
      seen.push([new URL(url).pathname.slice(73), Object.keys(headers), signal instanceof AbortSignal, rest]);
      return fetch(url, { signal, headers, body, ...rest }); };
    await open({ fetch: fetching }); await device.answer(told, [3]); return seen;"""
    seen = run(tab, body, collector.url)
    assert [one[0] for one in seen] == WAY and all(one[2] for one in seen)
    plain = {"credentials": "omit", "redirect": "error", "referrerPolicy": "no-referrer"}
    assert [one[3] for one in seen] == [
        plain | {"method": method, "cache": "default" if path in (WAY[0], WAY[3]) else "no-store"}
        for method, path in collector.seen
    ]
    typed = ["Accept", "Authorization", "Content-Type"]
    assert [one[1] for one in seen] == [["Accept"], typed, ["Accept"], ["Accept"], typed]


def test_python_reads_what_a_browser_sent(tab: Any, collector: Collector) -> None:
    assert answer(tab, collector)["state"] == "answered"
    asked = Question.from_bytes(QUESTION)
    assert len(Report.from_bytes(collector.posted[0]).payload) == 2 * asked.uses * asked.channel.payload_bytes


# ---- rude, or dishonest ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("changes, state, code", NO_TURN)
def test_there_is_no_turn(changes: Any, state: str, code: str, tab: Any, collector: Collector) -> None:
    collector.script = at("/progress", told_otherwise(collector, changes))
    outcome = answer(tab, collector)
    assert (outcome["state"], outcome["code"], outcome["epsilon"]) == (state, code, None)
    assert paths(collector) == WAY[:3]


OTHER = mean_manifest(closes=10_000, retention_days=7)
COSTLY = first_question(mean_manifest(closes=10_000, epsilon=2.0))


@pytest.mark.parametrize(
    "path, answered, state, code",
    [
        *NO_SEAT,
        ("/manifest", (200, MANIFEST.to_bytes() + b" ", {}), "declined", "wrong-digest"),
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


@pytest.mark.parametrize("change", [*IMPOSSIBLE_SEATS, {"yours": 1}])
def test_a_seat_that_cannot_be(change: Any, tab: Any, collector: Collector) -> None:
    collector.script = at("/enrol", told_seat(collector, **{"yours": True} | change))
    assert answer(tab, collector)["code"] == "malformed" and len(collector.seen) == 2


@pytest.mark.parametrize(
    "answered, state, code",
    [
        *NOT_TAKEN,
        (refusal(400, "malformed"), "refused", "status-400"),
        (refusal(403, "constructor"), "refused", "status-403"),
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
            with scripted(MANIFEST) as one, pages(browser, one.base) as tabs:
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
