"""Two workers, processes of their own, close the same rounds at once; a worker is killed in the middle of closing.

It counts as failure: two results of one round, a round that is closed and has no next step, a tally that does not have
every acknowledged report, a round that cannot be closed after a worker died closing it.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from multiprocessing.synchronize import Barrier
from typing import Any

import pytest

from sottovoce.messages import Question
from sottovoce.problems import Announced, announce
from sottovoce.problems.mean import Mean
from sottovoce.service import Collector, open_store
from sottovoce.service import collector as rooms
from sottovoce.service.store import ReportRow
from tests.service.web import payload_of

SPAWN = multiprocessing.get_context("spawn")
SETTINGS = Mean(epsilon=2.0, low=1, high=5, users=60, observations=20, method="adaptive", rounds=2)
SECONDS = 600


def prepared(url: str, number: int) -> str:
    """A survey whose first round everybody has answered."""
    now = int(time.time())
    manifest = announce(
        SETTINGS, purpose=f"survey {number}", collector="a test", software="test", opens=now, closes=now + 3600
    )
    with open_store(url) as store:
        Collector(store, clock=time.time).create(manifest)
        question = Announced(manifest).decide(())
        assert isinstance(question, Question)
        key = store.rounds(manifest.digest)[0].key
        payload = bytes.fromhex(payload_of(question))
        slots = range(question.slots.first, question.slots.first + question.slots.count)
        rows = [ReportRow(key, slot, payload) for slot in slots]
        assert set(store.put(rows)) == {"stored"}
    return manifest.digest


def closing(url: str, surveys: list[str], begin: Barrier, results: Any, name: str) -> None:
    with open_store(url) as store:
        collector = Collector(store, clock=time.time)
        for survey in surveys:
            begin.wait(SECONDS)
            row = collector.close(survey, 0, by=name)
            results.put((survey, row.tally, row.because, row.by, [one.question for one in store.rounds(survey)]))


@pytest.mark.parametrize("times", [10, pytest.param(200, marks=pytest.mark.soak)])
def test_two_workers_that_close_at_once_give_one_result(url: str, times: int) -> None:
    surveys = [prepared(url, number) for number in range(times)]
    begin, results = SPAWN.Barrier(2), SPAWN.Queue()
    workers = [SPAWN.Process(target=closing, args=(url, surveys, begin, results, name)) for name in ("one", "two")]
    for worker in workers:
        worker.start()
    found = [results.get(timeout=SECONDS) for _ in range(2 * times)]
    for worker in workers:
        worker.join(SECONDS)
        assert worker.exitcode == 0
    for survey in surveys:
        one, two = [told for told in found if told[0] == survey]
        assert one == two and len(one[4]) == 2
    assert {told[3] for told in found} <= {"one", "two"}


def dying(url: str, survey: str, inside: Any) -> None:
    settle = rooms.outcome_of_round

    def hangs(*words: Any, **more: Any) -> Any:
        outcome = settle(*words, **more)  # all is decided, nothing is written yet
        inside.set()
        time.sleep(SECONDS)
        return outcome

    rooms.outcome_of_round = hangs
    with open_store(url) as store:
        Collector(store, clock=time.time).close(survey, 0)


def test_a_worker_killed_while_closing_leaves_the_round_as_it_was(url: str) -> None:
    survey, inside = prepared(url, 0), SPAWN.Event()
    worker = SPAWN.Process(target=dying, args=(url, survey, inside))
    worker.start()
    assert inside.wait(SECONDS) and worker.pid is not None
    os.kill(worker.pid, signal.SIGKILL)
    worker.join(SECONDS)
    with open_store(url) as store:
        (row,) = store.rounds(survey)
        assert row.closed is None
        closed = Collector(store, clock=time.time).close(survey, 0)
        assert closed.answered == store.count(row.key) and len(store.rounds(survey)) == 2
