"""What waits for the store, and for whom: a round that closes for long, users who enrol meanwhile, and all others."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from sottovoce.service import Limits
from tests.service.web import Web, manifest_of, serving
from tests.support.patience import HUNG_SECONDS, eventually


@contextmanager
def held_up(web: Web) -> Iterator[None]:
    """Somebody writes for long, as when a large round closes."""
    begun, end = threading.Event(), threading.Event()

    def write() -> None:
        with web.store._writing():  # type: ignore[attr-defined]
            begun.set()
            end.wait(10 * HUNG_SECONDS)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        assert begun.wait(HUNG_SECONDS)
        yield
        assert thread.is_alive(), "all of it happened meanwhile"
    finally:
        end.set()
        thread.join()


def test_a_long_close_and_many_who_enrol_hold_up_nobody_else(tmp_path: Path) -> None:
    limits = Limits(writing=2, writing_waiting=3)
    with serving(tmp_path, limits=limits) as web, ThreadPoolExecutor(9) as pool:
        survey = web.create(manifest_of(access="open"))
        assert web.ask("GET", f"/surveys/{survey}/progress").status == 200
        with held_up(web):
            path = f"/surveys/{survey}/enrol"
            enrolling = [pool.submit(web.ask, "POST", path, token=f"{number:043}") for number in range(9)]
            for _ in range(3):
                for place in ("/healthz", f"/surveys/{survey}/progress", f"/surveys/{survey}/manifest", "/"):
                    assert web.ask("GET", place).status == 200
            assert eventually(lambda: sum(one.done() for one in enrolling) >= 4), "for those there is no room"
        heard = [one.result(HUNG_SECONDS) for one in enrolling]
        assert sorted(one.status for one in heard) == [201] * 5 + [503] * 4
        assert all(one.headers["retry-after"] == "1" for one in heard if one.status == 503)


def test_old_surveys_cost_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tmp_path) as web:
        monkeypatch.setattr(web.collector, "tick", list)
        made = []
        for number in range(52):
            web.clock.now += 1
            made.append(web.create(manifest_of(purpose=f"survey {number:03}", minimum=2)))
        for slot in range(5):
            assert web.post(made[-1], slot).status == 201
        web.clock.now += 1  # so that nothing is held any more
        assert (
            web.ask("POST", f"/surveys/{made[-1]}/rounds/0/close", token=web.tokens[made[-1]]).plain["state"] == "done"
        )
        read: list[str] = []
        rounds = web.store.rounds
        monkeypatch.setattr(web.store, "rounds", lambda id: (read.append(id), rounds(id))[1])
        web.clock.now += 10
        page = web.ask("GET", "/").body.decode()
        assert set(read) == set(made[2:]) and "Survey 051" in page and "Survey 001" not in page
        read.clear()
        web.clock.now += 10
        text = web.ask("GET", "/metrics").body.decode()
        assert set(read) == set(made[:-1]) and "sotto_open_rounds 51" in text
