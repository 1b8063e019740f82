"""Every route from end to end, over real HTTP, with the store in a file."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from urllib.request import urlopen

import pytest

from sottovoce.messages import Invitation, Manifest, Question, Report, Transcript
from sottovoce.problems.mean import Mean
from sottovoce.service import Collector, Limits, open_store
from sottovoce.service.store import Put, ReportRow, RoundRow, Unavailable
from tests.service.web import NDJSON, START, Clock, Web, manifest_of, payload_of, serving
from tests.support.served import Served


def test_a_survey_from_announcement_to_answer(web: Web) -> None:
    settings = {"epsilon": 1, "low": 1, "high": 5, "users": 12, "observations": 20, "method": "one-round"}
    asked = {"problem": "mean", "settings": settings, "purpose": "a test", "collector": "us", "closes": START + 999}
    created = web.ask("POST", "/surveys", json.dumps(asked), token=web.admin)
    assert created.status == 201
    survey, token = created.plain["survey"], created.plain["token"]
    at = f"/surveys/{survey}"

    manifest = web.ask("GET", f"{at}/manifest")
    assert hashlib.sha256(manifest.body).hexdigest() == survey == Manifest.from_bytes(manifest.body).digest
    assert "immutable" in manifest.headers["cache-control"] and manifest.headers["etag"] == f'"{survey}"'
    again = web.ask("GET", f"{at}/manifest", headers={"If-None-Match": f'"{survey}"'})
    assert (again.status, again.body) == (304, b"")

    invited = web.ask("POST", f"{at}/invitations", '{"count":12}', token=token)
    assert invited.status == 201
    invitations = [Invitation.read(url) for url in invited.plain["invitations"]]
    assert {(one.base, one.survey) for one in invitations} == {(web.running.url, survey)}

    slots = set()
    for number, one in enumerate(invitations):
        enrolled = web.ask("POST", f"{at}/enrol", token=one.token)
        assert (enrolled.status, enrolled.plain["before"]) == (201, False)
        slot, capability = enrolled.plain["slot"], enrolled.plain["capability"]
        progress = web.ask("GET", f"{at}/progress").plain["round"]
        place = f"{at}/rounds/{progress['number']}/{progress['role']}/question"
        question = Question.from_bytes(web.ask("GET", place).body)
        assert question.digest == progress["question"] and slot in question.slots
        body = web.report(survey, slot, f"{number % 2:02x}" * question.payload_bytes)
        if number:  # one stays silent, so that the quota does not close the round
            assert web.post(survey, slot, body, token=capability).status == 201
        slots.add(slot)
    assert slots == set(range(12))
    before = web.ask("POST", f"{at}/enrol", token=invitations[0].token)
    assert (before.status, before.plain["before"]) == (200, True)

    closed = web.ask("POST", f"{at}/rounds/0/close", token=token)
    assert (closed.status, closed.plain["state"]) == (200, "done")
    assert web.ask("POST", f"{at}/rounds/0/close", token=token).plain == closed.plain
    answer = web.ask("GET", f"{at}/estimate").plain
    assert answer["collection"]["answered"] == [11]
    transcript = Transcript.from_bytes(web.ask("GET", f"{at}/transcript").body)
    assert transcript.survey == survey and json.loads(transcript.answer) == answer
    assert [(one.because, one.by, one.answered) for one in transcript.rounds] == [("hand", "the survey's token", 11)]


def test_a_report_is_stored_once(web: Web) -> None:
    survey = web.create()
    assert [web.post(survey, 3).status for _ in range(3)] == [201, 200, 200]
    other = web.post(survey, 3, web.report(survey, 3, "01"))
    assert (other.status, other.code) == (409, "conflict")
    assert web.stored(survey) == 1


def test_what_is_no_report_is_refused_and_says_why(web: Web) -> None:
    survey = web.create(manifest_of(purpose="refusals"))
    fine, own = web.report(survey, 5), web.capability(survey, 5)
    path = f"/surveys/{survey}/reports"
    missing = web.ask("POST", path, fine)
    assert (missing.status, missing.headers["www-authenticate"]) == (401, "Bearer")
    assert web.post(survey, 5, token=web.capability(survey, 6)).status == 403
    assert web.post(survey, 5, token="é" * 8).status == 401
    assert web.post(survey, 40).status == 404
    unknown = web.post(survey, 5, fine.replace(web.question(survey).digest.encode(), b"ab" * 32))
    assert (unknown.status, unknown.code) == (404, "not-asked")
    assert web.post(survey, 5, web.report(survey, 5, "ff")).status == 400
    assert web.post(survey, 5, web.report(survey, 5, "0000")).status == 400
    media = web.ask("POST", path, fine, token=own, media="text/plain")
    assert (media.status, media.plain["error"]["expected"]) == (415, "application/json")
    assert web.ask("POST", path, fine, token=own, headers={"Content-Encoding": "gzip"}).status == 415
    large = web.ask("POST", path, b" " * 70_000, token=own)
    assert (large.status, large.code) == (413, "too-large")
    assert web.ask("GET", path).headers["allow"] == "POST, OPTIONS"
    assert web.post("0" * 64, 5, fine, token=own).status == 404
    shape = {"code", "message", "survey", "round", "expected", "got", "do"}
    assert set(media.plain["error"]) == shape == set(unknown.plain["error"])
    assert web.stored(survey) == 0


def test_early_late_and_over_are_told_apart(web: Web) -> None:
    opens = START + 50
    survey = web.create(manifest_of(purpose="times", opens=opens, round_seconds=100))
    early = web.post(survey, 1)
    assert (early.status, early.code, early.headers["retry-after"]) == (425, "early", "40")
    assert web.ask("GET", f"/surveys/{survey}/progress").headers["retry-after"] == "40"
    held, web.clock.now = web.clock.now, opens + 1
    try:
        assert all(web.post(survey, slot).status == 201 for slot in range(11))
        web.clock.now = opens + 100  # its deadline, though nobody may have closed it yet
        late = web.post(survey, 20)
        assert (late.status, late.code) in ((409, "closed"), (410, "expired"))
        web.collector.tick()
        over = web.post(survey, 20)
        assert (over.status, over.code) == (410, "expired")
        assert web.post(survey, 1).status == 200, "a lost acknowledgement is still answered"
        assert web.ask("POST", f"/surveys/{survey}/enrol", token="x" * 43).status == 410
    finally:
        web.clock.now = held


def test_a_report_to_a_closed_round_of_a_running_survey(web: Web) -> None:
    survey = web.create(
        manifest_of(Mean(epsilon=1.0, low=1, high=5, users=400, observations=20, method="adaptive"), purpose="rounds")
    )
    first = web.question(survey)
    slots = range(first.slots.first, first.slots.first + first.slots.count)
    old = {slot: web.report(survey, slot) for slot in slots}
    rows = web.rows(survey, map(Report.from_bytes, list(old.values())[1:]))
    assert web.send_batch(survey, rows).plain["stored"] == len(slots) - 1
    assert web.ask("POST", f"/surveys/{survey}/rounds/0/close", token=web.tokens[survey]).status == 200
    assert web.question(survey).round == 1
    late = web.post(survey, slots[0], old[slots[0]])
    assert (late.status, late.code) == (409, "closed")
    assert web.post(survey, slots[1], old[slots[1]]).status == 200


def test_a_batch_answers_for_each_row(web: Web) -> None:
    survey = web.create(manifest_of(purpose="batches"))
    own = [web.capability(survey, slot) for slot in range(40)]
    rows = [
        [0, "00", own[0]],
        [0, "00", own[0]],
        [0, "01", own[0]],
        [1, "01", own[0]],
        [2, "ff", own[2]],
        [-1, "00", own[0]],
        [True, "00", own[1]],
        [39, "01", own[39]],
        [3, "0A", own[3]],
        [4, "00", own[4], 1],
        '"what"',
    ]
    heard = web.send_batch(survey, [*rows, "{"])
    assert heard.status == 200
    assert heard.plain["statuses"] == [201, 200, 409, 403, 400, 400, 400, 201, 400, 400, 400, 400]
    assert heard.plain["stored"] == 2 == web.stored(survey)
    assert [problem["row"] for problem in heard.plain["problems"]] == [2, 3, 4, 5, 6, 8, 9, 10, 11]
    path, head = f"/surveys/{survey}/batches", f'{{"question":"{web.question(survey).digest}","version":1}}'
    assert web.ask("POST", path, "[]\n", media=NDJSON).status == 400
    assert web.ask("POST", path, b"", media=NDJSON).status == 400
    assert web.ask("POST", path, head + "\n[]" * 10_001, media=NDJSON).status == 400
    assert web.ask("POST", path, head).status == 415


def test_a_batch_of_which_a_part_was_stored_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Mean(epsilon=1.0, low=1, high=5, users=2_500, observations=20, method="one-round")
    with serving(tmp_path) as web:
        survey, put, left = web.create(manifest_of(settings)), web.store.put, [1]
        sent = [[slot, "00", web.capability(survey, slot)] for slot in range(2_500)]

        def failing(rows: Sequence[ReportRow]) -> list[Put]:
            left[0] -= 1
            if left[0] < 0:
                raise Unavailable("the disk is full")
            return put(rows)

        monkeypatch.setattr(web.store, "put", failing)
        heard = web.send_batch(survey, sent)
        assert heard.status == 200 and heard.plain["statuses"] == [201] * 1_000 + [503] * 1_500
        assert heard.plain["stored"] == 1_000 == web.stored(survey)
        assert [problem["row"] for problem in heard.plain["problems"]] == list(range(1_000, 2_500))
        assert "sotto_reports_stored_total 1000" in web.ask("GET", "/metrics").body.decode()
        nothing = web.send_batch(survey, sent)
        assert nothing.status == 503 and "safe" in nothing.plain["error"]["message"]
        left[0] = 3
        again = web.send_batch(survey, sent)
        assert again.plain["statuses"] == [200] * 1_000 + [201] * 1_500


def test_only_who_holds_a_slot_makes_the_collector_read_at_once(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    survey, reads = web.create(manifest_of(purpose="unknown questions")), []
    own, path = web.capability(survey, 3), f"/surveys/{survey}/batches"
    rounds = web.store.rounds

    def counting(id: str) -> list[RoundRow]:
        if id == survey and threading.current_thread().name.startswith("AnyIO"):
            reads.append(threading.get_native_id())
        return rounds(id)

    monkeypatch.setattr(web.collector, "tick", list)
    monkeypatch.setattr(web.store, "rounds", counting)
    head = f'{{"question":"{"ab" * 32}","version":1}}'
    for row, more in (([], 0), ([3, "00", "0" * 32], 0), ([-1, "00", own], 0), ([3, "00", own], 1)):
        web.collector.survey(survey, fresh=True)
        reads.clear()
        heard = web.ask("POST", path, f"{head}\n{json.dumps(row)}", media=NDJSON)
        assert heard.status == 200 and heard.plain["stored"] == 0
        assert len(reads) == more, row


def test_who_may_do_what(web: Web) -> None:
    mine, other = web.create(manifest_of(purpose="mine")), web.create(manifest_of(purpose="other"))
    for method, path, body in (
        ("GET", "/surveys", None),
        ("POST", "/surveys", "{}"),
        ("POST", f"/surveys/{mine}/invitations", '{"count":1}'),
        ("POST", f"/surveys/{mine}/rounds/0/close", None),
    ):
        assert web.ask(method, path, body).status == 401
        assert web.ask(method, path, body, token=web.tokens[other]).status == 403
    invite = f"/surveys/{mine}/invitations"
    assert web.ask("POST", invite, '{"count":1}', token=web.tokens[mine]).status == 201
    assert web.ask("POST", invite, '{"count":1}', token=web.admin).status == 201
    assert web.ask("POST", f"/surveys/{mine}/enrol", token="A" * 43).status == 401
    listed = web.ask("GET", "/surveys", token=web.admin).plain["surveys"]
    assert {mine, other} <= {line["survey"] for line in listed}


def test_pages_of_listed_origins_may_take_part(web: Web) -> None:
    survey = web.create(manifest_of(purpose="origins"), origins=("https://example.org",))
    path = f"/surveys/{survey}/reports"
    asking = {"Origin": "https://example.org", "Access-Control-Request-Method": "POST"}
    first = web.ask("OPTIONS", path, headers=asking)
    assert first.status == 204 and first.headers["access-control-allow-origin"] == "https://example.org"
    assert "authorization" in first.headers["access-control-allow-headers"]
    assert web.ask("OPTIONS", path, headers={**asking, "Origin": "https://example.com"}).status == 403
    for place in ("manifest", "progress", "estimate"):
        for origin, allowed in (("https://example.org", True), ("https://example.com", False), ("null", False)):
            heard = web.ask("GET", f"/surveys/{survey}/{place}", headers={"Origin": origin})
            assert ("access-control-allow-origin" in heard.headers) == allowed
            assert heard.headers["vary"] == "Origin"
            assert "access-control-allow-credentials" not in heard.headers
    sent = web.post(survey, 1, headers={"Origin": "https://example.org"})
    assert sent.status == 201 and sent.headers["access-control-allow-origin"] == "https://example.org"
    closed = web.ask("POST", f"/surveys/{survey}/rounds/0/close", headers={"Origin": "https://example.org"})
    assert "access-control-allow-origin" not in closed.headers, "only public routes are shared"


def test_pages_are_readable_without_a_program_and_say_what_they_do_not_protect_from(web: Web) -> None:
    survey = web.create(manifest_of(purpose="<script>alert(1)</script>"))
    for path in ("/", f"/surveys/{survey}/participate"):
        page = web.ask("GET", path)
        text = page.body.decode()
        assert page.status == 200 and page.headers["content-type"].startswith("text/html")
        assert "<script>" not in text and "&lt;script&gt;" in text
        assert "default-src 'none'" in page.headers["content-security-policy"]
        assert (page.headers["x-content-type-options"], page.headers["referrer-policy"]) == ("nosniff", "no-referrer")
    assert "protects nobody from that collector" in text and "sotto answer" in text and "2.72" in text


def test_health_and_metrics(web: Web) -> None:
    survey = web.create(manifest_of(purpose="metrics"))
    assert web.post(survey, 7).status == 201
    assert web.post(survey, 7, token="0" * 32).status == 403
    assert web.ask("GET", "/healthz").plain == {"store": "reachable", "writer": "alive"}
    web.collector.survey(survey, fresh=True)
    text = web.ask("GET", "/metrics").body.decode()
    assert f'sotto_round_answered{{survey="{survey[:12]}",round="0"}} 1' in text
    assert 'sotto_requests_total{route="/surveys/{survey}/reports",method="POST",status="201"}' in text
    assert 'sotto_refused_total{code="forbidden"}' in text and "sotto_writer_group_size_count" in text
    assert "slot" not in text and web.capability(survey, 7) not in text


def test_a_writer_that_died_is_told(tmp_path: Path) -> None:
    with serving(tmp_path) as web:
        assert web.ask("GET", "/healthz").status == 200
        writer = web.running.application.state.writer  # type: ignore[attr-defined]
        writer._groups.put(None)  # its thread ends, as it would of an error that nobody foresaw
        writer._thread.join(10)
        told = web.ask("GET", "/healthz")
        assert (told.status, told.code, told.headers["retry-after"]) == (503, "unavailable", "5")
        assert "writer" in told.plain["error"]["message"]


def test_a_collector_that_is_unlisted_does_not_show_what_is_running(tmp_path: Path) -> None:
    url, purpose = f"sqlite:{tmp_path / 'store.db'}", "Not for everybody to know"
    now = int(time.time())
    with open_store(url) as store:
        manifest = manifest_of(purpose=purpose, opens=now, closes=now + 1_000)
        Collector(store, clock=time.time).create(manifest)
    pages = []
    for options in ((), ("--unlisted",)):
        with Served(url, *options) as server, urlopen(f"{server.url}/", timeout=120) as heard:
            pages.append(heard.read().decode())
    listed, unlisted = pages
    assert purpose in listed and manifest.digest in listed
    assert "sottovoce" in unlisted.lower()
    assert purpose not in unlisted and manifest.digest not in unlisted


def test_a_store_that_does_not_answer_is_told(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> None:
        raise Unavailable("no connection")

    with monkeypatch.context() as broken:
        broken.setattr(web.store, "check", gone)
        heard = web.ask("GET", "/healthz")
        assert (heard.status, heard.code) == (503, "unavailable") and "the store" in heard.plain["error"]["message"]
    assert web.ask("GET", "/healthz").status == 200


def test_rounds_are_numbered_as_far_as_the_document_says(web: Web) -> None:
    survey = web.create(manifest_of(purpose="numbers"))
    document = web.ask("GET", "/openapi.json").plain
    parts = document["paths"]["/surveys/{survey}/rounds/{round}/{role}/question"]["get"]["parameters"]
    most = next(part["schema"]["maximum"] for part in parts if part["name"] == "round")
    told = [
        web.ask("GET", f"/surveys/{survey}/rounds/{number}/{web.question(survey).role}/question").plain["error"]
        for number in (most, most + 1)
    ]
    assert [one["message"] == "a round is a number from 0" for one in told] == [False, True]


def test_log_lines_hold_no_secret(web: Web) -> None:
    survey = web.create(manifest_of(purpose="logs"))
    token, agent = web.tokens[survey], "a-telling-agent"
    invited = web.ask("POST", f"/surveys/{survey}/invitations", '{"count":1}', token=token).plain["invitations"][0]
    secret = Invitation.read(invited).token
    slot = web.ask("POST", f"/surveys/{survey}/enrol?who=me", token=secret, headers={"User-Agent": agent}).plain["slot"]
    own = web.capability(survey, slot)
    assert web.post(survey, slot, headers={"User-Agent": agent}).status == 201
    assert web.post(survey, slot, token="f" * 32).status == 403
    web.ask("GET", f"/surveys/{survey}/progress?token={secret}")
    web.ask("GET", f"/{secret}")
    web.running.application.state.log.flush()  # type: ignore[attr-defined]
    lines = web.log.getvalue().splitlines()
    mine = [line for line in lines if survey[:12] in line]
    assert [json.loads(line)["route"] for line in mine] == ["/surveys/{survey}/invitations"]
    assert set(json.loads(mine[0])) == {"time", "method", "route", "status", "milliseconds", "survey"}
    counted = [found for line in lines if "count" in (found := json.loads(line))]
    assert all(set(one) == {"time", "seconds", "method", "route", "status", "count", "milliseconds"} for one in counted)
    assert all(one["time"] % 60 == 0 for one in counted)
    seen = {(one["route"].rpartition("/")[2], one["status"]) for one in counted}
    assert seen >= {("reports", 403), ("other", 404)}
    assert all(status >= 400 for _, status in seen), "when users come is not kept, not even how many of them"
    told = "\n".join(lines)
    for word in (
        token,
        web.admin,
        secret,
        own,
        survey,
        agent,
        "who=me",
        "127.0.0.1",
        web.report(survey, slot).decode(),
    ):
        assert word not in told


def test_a_device_finds_out_that_it_was_itself_that_enrolled(web: Web) -> None:
    survey = web.create(manifest_of(access="open", purpose="visits"))
    path, mine, other = f"/surveys/{survey}/enrol", "ab" * 32, "cd" * 32

    def told(token: str, visit: str | None) -> tuple[int, bool, bool]:
        heard = web.ask("POST", path, "" if visit is None else json.dumps({"visit": visit}), token=token)
        return heard.status, heard.plain["before"], heard.plain["yours"]

    first, second = "1" * 43, "2" * 43
    assert [told(first, mine), told(first, mine)] == [(201, False, True), (200, True, True)], "a reply that was lost"
    assert [told(first, other), told(first, None)] == [(200, True, False)] * 2, "a ledger that was lost"
    assert [told(second, None), told(second, mine)] == [(201, False, False), (200, True, False)]
    for wrong in ('{"visit":"AB"}', f'{{"visit":"{"AB" * 32}"}}', '{"visit":1}', '{"who":"me"}', "[]", "{"):
        assert web.ask("POST", path, wrong, token="3" * 43).status == 400
    assert web.ask("POST", path, "{}" + " " * 5000, token="3" * 43).status == 413
    assert web.ask("POST", path, "{}", token="3" * 43, media="text/plain").status == 415
    assert web.collector.survey(survey, fresh=True).row.enrolled == 2


def test_open_enrolment_is_slowed_down(tmp_path: Path) -> None:
    clock = Clock()
    with serving(tmp_path, clock=clock, limits=Limits(enrol_rate=0.5, enrol_burst=3)) as web:
        survey = web.create(manifest_of(access="open"))
        path = f"/surveys/{survey}/enrol"
        heard = [web.ask("POST", path, token=f"{number:043}") for number in range(5)]
        assert [one.status for one in heard] == [201, 201, 201, 429, 429]
        assert heard[-1].headers["retry-after"] == "3"
        again = [web.ask("POST", path, token=f"{number:043}") for number in (0, 1, 2, 0, 3)]
        assert [one.status for one in again] == [200, 200, 200, 200, 429], "who has a slot is not charged"
        assert [one.plain["slot"] for one in again[:3]] == [one.plain["slot"] for one in heard[:3]]
        assert web.collector.survey(survey, fresh=True).row.enrolled == 3
        clock.now += 3
        assert web.ask("POST", path, token="4" * 43).status == 201
        assert web.ask("POST", path, token="short").status == 400


def test_what_another_worker_did_a_moment_ago_is_known(web: Web) -> None:
    asked = Mean(epsilon=1.0, low=1, high=5, users=400, observations=20, method="adaptive")
    survey = web.create(manifest_of(asked, purpose="two workers"))
    other = Collector(web.store, clock=Clock())
    first = web.question(survey)
    for slot in range(first.slots.first, first.slots.first + first.slots.count - 1):
        assert web.post(survey, slot).status == 201
    other.close(survey, 0)
    question = other.survey(survey).question
    slot = question.slots.first
    body = Report(question=question.digest, slot=slot, payload=payload_of(question)).to_bytes()
    assert web.post(survey, slot, body).status == 201
    for later in range(slot + 1, slot + 20):
        report = Report(question=question.digest, slot=later, payload=payload_of(question)).to_bytes()
        assert web.post(survey, later, report).status == 201
    late = Collector(web.store, clock=Clock(START + 20_000))
    while late.survey(survey, fresh=True).running:
        late.close(survey, late.survey(survey).last.number, because="deadline")
    silent = slot + question.slots.count - 1
    over = web.post(survey, silent, body.replace(f'"slot":{slot}'.encode(), f'"slot":{silent}'.encode()))
    assert (over.status, over.code) == (410, "expired")


def test_a_transcript_follows_the_rounds(web: Web) -> None:
    asked = Mean(epsilon=1.0, low=1, high=5, users=400, observations=20, method="adaptive")
    survey = web.create(manifest_of(asked, purpose="transcript"))
    path = f"/surveys/{survey}/transcript"
    assert web.ask("GET", path).status == 425
    for number in (0, 1):
        slots = web.question(survey).slots
        for slot in range(slots.first, slots.first + min(30, slots.count - 1)):
            assert web.post(survey, slot).status == 201
        assert web.ask("POST", f"/surveys/{survey}/rounds/{number}/close", token=web.tokens[survey]).status == 200
        heard = web.ask("GET", path)
        assert len(Transcript.from_bytes(heard.body).rounds) == number + 1
        assert web.ask("GET", path).body == heard.body == web.collector.transcript(survey)
    head = web.ask("HEAD", path)
    assert (head.status, head.body) == (200, b"") and int(head.headers["content-length"]) == len(heard.body)


def test_an_invitation_never_leads_over_plain_http(web: Web) -> None:
    survey = web.create(manifest_of(purpose="addresses"))
    body, path, token = '{"count":1}', f"/surveys/{survey}/invitations", web.tokens[survey]
    refused = web.ask("POST", path, body, token=token, headers={"Host": "survey.example.org"})
    assert refused.status == 400 and "--base" in refused.plain["error"]["do"]
