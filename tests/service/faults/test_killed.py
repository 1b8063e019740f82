"""A worker is killed at any moment, or PostgreSQL crashes under it.

It counts as failure: a report that was acknowledged and is not in the store afterwards; a slot counted twice; a store
that takes two seconds or more to open again; a worker that does not go on once its server is back.
"""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sottovoce.service.store import open_store
from tests.service.faults.driving import Workers, failed, lost
from tests.support.postgres import Postgres

REOPENED_SECONDS = 2
TIMES = [10, pytest.param(200, marks=pytest.mark.soak)]


@pytest.fixture
def workers(tmp_path: Path) -> Iterator[Workers]:
    started = Workers(tmp_path)
    yield started
    started.end()


@pytest.mark.parametrize("times", TIMES)
def test_a_worker_killed_at_random(url: str, workers: Workers, times: int) -> None:
    draw, took = random.Random(times), list[float]()
    for number in range(times):
        before = workers.acknowledged()
        process = workers.start(url, number * 10**6)
        try:
            workers.wait_for_more(before)
            time.sleep(draw.uniform(0, 0.1))
        finally:
            os.kill(process, signal.SIGKILL)
        begun = time.monotonic()
        with open_store(url) as store:
            store.surveys()
        took.append(time.monotonic() - begun)
    if times > 10:  # where the machine is quiet
        assert max(took) < REOPENED_SECONDS
    assert not failed(workers.said())
    assert lost(url, workers.said()) == 0


@pytest.mark.parametrize("times", [2, pytest.param(20, marks=pytest.mark.soak)])
def test_a_server_that_crashes_and_comes_back(postgres: Postgres, workers: Workers, times: int) -> None:
    url = postgres.database()
    process = workers.start(url, 0, 10**7)
    try:
        for _ in range(times):
            workers.wait_for_more(workers.acknowledged() + 200)
            postgres.stop("immediate")
            try:
                before = workers.acknowledged()
            finally:
                postgres.start()
            workers.wait_for_more(before + 200)
    finally:
        os.kill(process, signal.SIGKILL)
    assert failed(workers.said()), "while it was away, those who came were told"
    assert lost(url, workers.said()) == 0
