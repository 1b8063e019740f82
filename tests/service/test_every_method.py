"""Every method of the registry over real HTTP: the same questions and the same answer as in process, from the same
reports; and a device on the network sends what the device in process would.
"""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sottovoce.checks import made_up
from sottovoce.client import Device, Outbox
from sottovoce.device import Collections, Ledger, SystemEntropy, respond, respond_many
from sottovoce.engines import questions_of, stored, verify
from sottovoce.messages import Question, Report, Transcript
from sottovoce.problems import Announced, Example, Problem, announce, problems
from sottovoce.problems.mean import Mean
from sottovoce.service import Collector, Running, Store, open_store, running
from sottovoce.service.access import capability
from tests.service.scripted import Collector as Scripting
from tests.service.scripted import running as scripting
from tests.support.patience import HUNG_SECONDS
from tests.support.transcripts import asking, manifest_of, transcript_of

CASES = [
    pytest.param(problem, example, id=f"{problem.name}-{example.label}")
    for problem in problems()
    for example in problem.examples
]


@pytest.fixture(scope="module")
def collecting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, Running]]:
    folder: Path = tmp_path_factory.mktemp("collector")
    with (
        open_store(f"sqlite:{folder / 'surveys.db'}") as store,
        (folder / "log").open("w") as log,
        running(store, log=log) as server,
    ):
        yield store, server


def send(
    server: Running, method: str, path: str, *, body: bytes = b"", kind: str = "application/json", token: str = ""
) -> Any:
    connection = http.client.HTTPConnection(server.host, server.port, timeout=HUNG_SECONDS)
    try:
        headers = {"Content-Type": kind} if body else {}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        connection.request(method, path, body=body, headers=headers)
        with connection.getresponse() as response:
            return response.status, response.read()
    finally:
        connection.close()


def answered(question: Question, people: Collections) -> list[Report]:
    slots = np.arange(question.slots.first, question.slots.first + question.slots.count)
    batches = respond_many(question, people.take(slots), slots, SystemEntropy())
    return [report for batch in batches for report in batch.reports()]


def batch(question: Question, reports: list[Report], secret: bytes) -> bytes:
    rows = [[report.slot, report.payload, capability(secret, report.slot)] for report in reports]
    lines = [{"question": question.digest, "version": 1}, *rows]
    return b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines)


@pytest.mark.parametrize(("problem", "example"), CASES)
def test_a_method_runs_over_http(problem: Problem[Any], example: Example, collecting: tuple[Store, Running]) -> None:
    store, server = collecting
    settings = problem.example_survey(example, epsilon=1.0)
    now = int(time.time())
    manifest = announce(
        settings,
        purpose=f"{problem.name} {example.label}",
        collector="a test",
        software="sottovoce",
        opens=now,
        closes=now + 3600,
        minimum=1,
    )
    collector = Collector(store, clock=time.time)
    token = collector.create(manifest)
    row = store.survey(manifest.digest)
    assert row is not None
    people, kept, where = made_up(settings), [], f"/surveys/{manifest.digest}"
    asked: list[bytes] = []
    while (progress := json.loads(send(server, "GET", f"{where}/progress")[1]))["state"] == "open":
        number, role = progress["round"]["number"], progress["round"]["role"]
        status, data = send(server, "GET", f"{where}/rounds/{number}/{role}/question")
        assert status == 200
        question = Question.from_bytes(data)
        reports = answered(question, people)
        asked.append(data)
        kept += reports
        body = batch(question, reports, row.secret)
        status, told = send(server, "POST", f"{where}/batches", body=body, kind="application/x-ndjson")
        assert status == 200 and set(json.loads(told)["statuses"]) == {201}, told[:500]
        status, told = send(server, "POST", f"{where}/rounds/{number}/close", token=token)
        assert status == 200, told
    here, questions = questions_of(Announced(manifest), stored([kept]))
    assert [question.to_bytes() for question in questions] == asked
    status, transcript = send(server, "GET", f"{where}/transcript")
    assert status == 200
    verdict = verify(Transcript.from_bytes(transcript), survey=manifest.digest)
    assert verdict.kind == "identical", str(verdict)
    status, estimate = send(server, "GET", f"{where}/estimate")
    assert status == 200
    there = replace(here, collection=replace(here.collection, set_aside=())).to_json()
    assert json.loads(estimate) == json.loads(there)


class Scripted:
    """The same words each time: to compare two devices, never to answer with."""

    def __init__(self) -> None:
        self._generator = np.random.default_rng(5)

    def words(self, count: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
        return self._generator.integers(0, 2**64, size=count, dtype=np.uint64)


def test_a_device_on_the_network_sends_the_bytes_of_the_device_in_process(
    collecting: tuple[Store, Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, server = collecting
    monkeypatch.setattr("sottovoce.client.device._entropy", Scripted)
    now = int(time.time())
    settings = Mean(epsilon=1.0, low=1, high=5, users=20, observations=20, method="one-round")
    manifest = announce(
        settings, purpose="same bytes", collector="a test", software="sottovoce", opens=now, closes=now + 600
    )
    collector = Collector(store, clock=time.time)
    collector.create(manifest)
    ratings = [4, 5, 3, 1]
    with Ledger(":memory:", cap=1.0) as ledger, Ledger(":memory:", cap=1.0) as another:
        url = collector.invite(manifest.digest, count=1, base=server.url)[0]
        outcome = Device(ledger=ledger, source="ratings").answer(url, ratings)
        assert outcome.state == "answered" and outcome.slot is not None
        question = Announced(manifest).decide(())
        assert isinstance(question, Question)
        expected = respond(
            question.to_bytes(),
            Collections.of_one(ratings),
            slot=outcome.slot,
            digest=question.digest,
            collector=manifest.digest,
            source="ratings",
            ledger=another,
            entropy=Scripted(),
            manifest=manifest,
        )
        assert Outbox(ledger).history()[0].report == expected
    round_key = store.rounds(manifest.digest)[0].key
    assert store.count(round_key) == 1


@pytest.mark.parametrize("problem", problems(), ids=lambda problem: problem.name)
def test_every_question_is_answered_with_the_same_bytes(problem: Problem[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each question of each example: over the network, by one device in process, and as one of many."""
    monkeypatch.setattr("sottovoce.client.device._entropy", Scripted)
    for example in problem.examples:
        settings = problem.example_survey(example, epsilon=1.0)
        manifest = manifest_of(settings, minimum=1, opens=0, closes=2**37)
        people = made_up(settings)
        _, questions, _ = transcript_of(manifest, asking(settings, people=people))
        for question in questions:
            data, slot = question.to_bytes(), question.slots.first + question.slots.count - 1
            own, collector = people.take(np.array([slot])), Scripting(manifest, data, slot=slot)
            with scripting(collector), Ledger(":memory:", cap=1.0) as ledger, Ledger(":memory:", cap=1.0) as another:
                outcome = Device(ledger=ledger, source="own").answer(collector.url, own, patience_seconds=0)
                assert outcome.state == "answered", outcome
                alone = respond(
                    data, own, slot=slot, digest=question.digest, collector=manifest.digest, source="own",
                    ledger=another, entropy=Scripted(), manifest=manifest,
                )  # fmt: skip
            batches = respond_many(question, own, np.array([slot]), Scripted())
            among = [report.to_bytes() for batch in batches for report in batch.reports()]
            assert collector.posted == [alone] == among, f"{example.label}, round {question.round + 1}"
