"""Every method of the registry over real HTTP: the same questions and the same answer as in process, from the same
reports; and a device on the network sends what the device in process would.
"""

from __future__ import annotations

import json
import time
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from sottovoce.checks import made_up
from sottovoce.client import Device, Outbox
from sottovoce.device import Collections, Ledger, SystemEntropy, respond, respond_many
from sottovoce.engines import questions_of, stored, verify
from sottovoce.messages import Manifest, Question, Report, Transcript
from sottovoce.problems import Announced, Example, Problem, problems
from tests.service.scripted import Collector as Scripting
from tests.service.scripted import running as scripting
from tests.service.web import Web, manifest_of
from tests.support import SeededEntropy
from tests.support.transcripts import asking, transcript_of

CASES = [
    pytest.param(problem, example, id=f"{problem.name}-{example.label}")
    for problem in problems()
    for example in problem.examples
]
SAME_WORDS = partial(SeededEntropy, 5)
"""To compare two devices, never to answer with."""


def opened_now(web: Web, *settings: Any, **more: Any) -> Manifest:
    """A survey that is open by the clock of this machine."""
    web.clock.now = now = int(time.time())
    manifest = manifest_of(*settings, opens=now, closes=now + 3600, **more)
    web.create(manifest)
    return manifest


@pytest.mark.parametrize(("problem", "example"), CASES)
def test_a_method_runs_over_http(problem: Problem[Any], example: Example, web: Web) -> None:
    settings = problem.example_survey(example, epsilon=1.0)
    manifest = opened_now(web, settings, purpose=f"{problem.name} {example.label}", minimum=1)
    survey, people = manifest.digest, made_up(settings)
    asked: list[bytes] = []
    kept: list[Report] = []
    while (progress := web.ask("GET", f"/surveys/{survey}/progress").plain)["state"] == "open":
        place = f"/surveys/{survey}/rounds/{progress['round']['number']}"
        data = web.ask("GET", f"{place}/{progress['round']['role']}/question").body
        question = Question.from_bytes(data)
        slots = np.arange(question.slots.first, question.slots.first + question.slots.count)
        batches = respond_many(question, people.take(slots), slots, SystemEntropy())
        reports = [report for batch in batches for report in batch.reports()]
        asked.append(data)
        kept += reports
        heard = web.send_batch(survey, web.rows(survey, reports))
        assert heard.status == 200 and set(heard.plain["statuses"]) == {201}, heard.body[:500]
        assert web.ask("POST", f"{place}/close", token=web.tokens[survey]).status == 200
    here, questions = questions_of(Announced(manifest), stored([kept]))
    assert [question.to_bytes() for question in questions] == asked
    verdict = verify(Transcript.from_bytes(web.ask("GET", f"/surveys/{survey}/transcript").body), survey=survey)
    assert verdict.kind == "identical", str(verdict)
    there = replace(here, collection=replace(here.collection, set_aside=())).to_json()
    assert web.ask("GET", f"/surveys/{survey}/estimate").plain == json.loads(there)


def of_the_device(question: Question, own: Collections, slot: int, manifest: Manifest) -> bytes:
    """What the device in process says."""
    with Ledger(":memory:", cap=1.0) as ledger:
        return respond(
            question.to_bytes(), own, slot=slot, digest=question.digest, collector=manifest.digest, source="own",
            ledger=ledger, entropy=SAME_WORDS(), manifest=manifest,
        )  # fmt: skip


def test_a_device_on_the_network_sends_the_bytes_of_the_device_in_process(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sottovoce.client.device._entropy", SAME_WORDS)
    manifest, ratings = opened_now(web, purpose="same bytes"), [4, 5, 3, 1]
    with Ledger(":memory:", cap=1.0) as ledger:
        url = web.collector.invite(manifest.digest, count=1, base=web.running.url)[0]
        outcome = Device(ledger=ledger, source="own").answer(url, ratings)
        assert outcome.state == "answered" and outcome.slot is not None
        expected = of_the_device(web.question(manifest.digest), Collections.of_one(ratings), outcome.slot, manifest)
        assert Outbox(ledger).history()[0].report == expected
    assert web.stored(manifest.digest) == 1


@pytest.mark.parametrize("problem", problems(), ids=lambda problem: problem.name)
def test_every_question_is_answered_with_the_same_bytes(problem: Problem[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each question of each example: over the network, by one device in process, and as one of many."""
    monkeypatch.setattr("sottovoce.client.device._entropy", SAME_WORDS)
    for example in problem.examples:
        settings = problem.example_survey(example, epsilon=1.0)
        manifest = manifest_of(settings, minimum=1, opens=0, closes=2**37)
        people = made_up(settings)
        _, questions, _ = transcript_of(manifest, asking(settings, people=people))
        for question in questions:
            slot = question.slots.first + question.slots.count - 1
            own, collector = people.take(np.array([slot])), Scripting(manifest, question.to_bytes(), slot=slot)
            with scripting(collector), Ledger(":memory:", cap=1.0) as ledger:
                outcome = Device(ledger=ledger, source="own").answer(collector.url, own, patience_seconds=0)
                assert outcome.state == "answered", outcome
            batches = respond_many(question, own, np.array([slot]), SAME_WORDS())
            among = [report.to_bytes() for batch in batches for report in batch.reports()]
            alone = of_the_device(question, own, slot, manifest)
            assert collector.posted == [alone] == among, f"{example.label}, round {question.round + 1}"
