"""The whole server is killed at any moment, under load over HTTP, and started again on the same store.

It counts as failure: a report that was answered with 201 or 200 and is not in the tally afterwards, with its bytes; a
slot counted twice; a server that does not answer again. How long a restart takes is printed; two seconds are wanted on
a quiet machine.
"""

from __future__ import annotations

import http.client
import random
import threading
import time
from pathlib import Path

import pytest

from sottovoce.messages import Question, Report, Tally
from sottovoce.problems import Announced, Mean, announce
from sottovoce.service import Collector, open_store
from sottovoce.service.access import capability
from sottovoce.service.store import ReportRow
from tests.support.postgres import Postgres
from tests.support.served import Served

CLIENTS, USERS = 6, 200_000


def post(port: int, survey: str, report: bytes, token: str) -> int | None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
        connection.request("POST", f"/surveys/{survey}/reports", body=report, headers=headers)
        with connection.getresponse() as response:
            response.read()
            return response.status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


@pytest.mark.parametrize("times", [5, pytest.param(200, marks=pytest.mark.soak)])
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_nothing_that_was_acknowledged_is_lost(
    kind: str, times: int, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    postgres: Postgres | None = request.getfixturevalue("postgres") if kind == "postgres" else None
    url = f"sqlite:{tmp_path / 'store.db'}" if postgres is None else postgres.database()
    now = int(time.time())
    settings = Mean(epsilon=1.0, low=1, high=5, users=USERS, observations=20, method="one-round")
    manifest = announce(settings, purpose="a test", collector="a test", software="test", opens=now, closes=now + 86_400)
    with open_store(url) as store:
        Collector(store, clock=time.time).create(manifest)
        row = store.survey(manifest.digest)
    assert row is not None
    question = Announced(manifest).decide(())
    assert isinstance(question, Question)
    acknowledged: dict[int, int] = {}
    slots, chance, restarts = iter(range(USERS)), random.Random(3), []

    def client(port: int, stop: threading.Event) -> None:
        while not stop.is_set():
            slot = next(slots)
            report = Report(question=question.digest, slot=slot, payload=f"{slot % 2:02x}").to_bytes()
            status = post(port, manifest.digest, report, capability(row.secret, slot))
            if status in (200, 201):
                acknowledged[slot] = slot % 2
            elif status is None:
                return

    for _ in range(times):
        server, stop = Served(url), threading.Event()
        restarts.append(server.seconds)
        threads = [threading.Thread(target=client, args=(server.port, stop)) for _ in range(CLIENTS)]
        try:
            for thread in threads:
                thread.start()
            time.sleep(chance.uniform(0.05, 0.4))
        finally:
            server.kill()
            stop.set()
            for thread in threads:
                thread.join(10)
    assert len(acknowledged) >= 10 * times, "there was a load"
    assert times < 200 or sorted(restarts)[times // 2] < 2, "on a quiet machine"
    print(f"restarts took {max(restarts):.2f} s at most; {len(acknowledged)} reports were acknowledged")
    with open_store(url) as store:
        closed = Collector(store, clock=time.time).close(manifest.digest, 0)
        tally = Tally.from_bytes(closed.tally)
        assert sum(tally.reports) == closed.answered == store.count(closed.key) >= len(acknowledged)
        rows = [ReportRow(closed.key, slot, bytes([symbol])) for slot, symbol in acknowledged.items()]
        assert set(store.put(rows)) == {"same"}
