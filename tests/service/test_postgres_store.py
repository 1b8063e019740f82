"""What only PostgreSQL could give away or get wrong."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from sottovoce.messages import InvalidInput
from sottovoce.service.store import Outcome, RoundRow, Unavailable, open_store
from sottovoce.service.store import postgres as postgres_store
from tests.support.patience import eventually
from tests.support.postgres import Postgres
from tests.support.surveys import NOW, SURVEY, ask_again, begin, rows


def test_a_closed_round_does_not_tell_who_answered_first(postgres: Postgres) -> None:
    """The server knows in which transaction a row came, and where it lies; after closing, neither says anything."""
    url = postgres.database()
    with open_store(url) as store, psycopg.connect(url, autocommit=True) as connection:
        key = begin(store)
        for slot in range(20, 0, -1):
            store.put(rows(key, [slot]))
        assert connection.execute("SELECT count(DISTINCT xmin::text) FROM report").fetchone() == (20,)
        store.close(SURVEY, 0, because="hand", by="administrator", now=NOW, settle=ask_again)
        assert connection.execute("SELECT count(*) FROM report").fetchone() == (0,)
        assert connection.execute("SELECT count(DISTINCT xmin::text) FROM counted").fetchone() == (1,)
        lying = connection.execute("SELECT slot FROM counted ORDER BY ctid").fetchall()
        assert [slot for (slot,) in lying] == list(range(1, 21))


def test_a_server_that_does_not_wait_for_its_disk_is_refused(postgres: Postgres) -> None:
    url = postgres.database()
    with psycopg.connect(url, autocommit=True) as connection:
        try:
            connection.execute("ALTER SYSTEM SET fsync = off")
            reload_and_wait(connection, "off")
            with pytest.raises(InvalidInput, match="fsync = on"):
                open_store(url)
        finally:
            connection.execute("ALTER SYSTEM RESET fsync")
            reload_and_wait(connection, "on")
    open_store(url).close_store()


def test_a_commit_waits_for_the_disk_also_where_the_database_would_not(postgres: Postgres) -> None:
    url, show = postgres.database(), "SHOW synchronous_commit"
    with psycopg.connect(url, autocommit=True) as connection:
        try:
            connection.execute("ALTER DATABASE postgres SET synchronous_commit = off")
            with psycopg.connect(url) as other:
                assert other.execute(show).fetchone() == ("off",), "whoever connects now does not wait"
            with open_store(url) as store, store._reading() as one, store._writing() as two:  # type: ignore[attr-defined]
                assert [execute(show).fetchone() for execute in (one, two)] == [("on",), ("on",)]
        finally:
            connection.execute("ALTER DATABASE postgres RESET synchronous_commit")


def test_a_server_that_is_not_there_is_unavailable_and_its_address_is_not_shown() -> None:
    with pytest.raises(Unavailable) as caught:
        open_store("postgresql://somebody:secret@/nowhere?host=/nonexistent")
    assert "secret" not in str(caught.value) and "nonexistent" not in str(caught.value)


@contextmanager
def standing_still(server: Postgres) -> Iterator[None]:
    """All its processes are halted: it takes connections, and answers nothing."""
    head = int((server.data / "postmaster.pid").read_text().split()[0])
    every = [head, *map(int, Path(f"/proc/{head}/task/{head}/children").read_text().split())]
    for process in every:
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in reversed(every):
            os.kill(process, signal.SIGCONT)


def test_a_server_that_stands_still_is_unavailable_and_goes_on_where_it_was(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert postgres_store.ANSWER_SECONDS + postgres_store.CONNECT_SECONDS <= 15, "so long may a device wait"
    with open_store(postgres.database()) as store:
        key = begin(store)
        assert store.put(rows(key, [1])) == ["stored"]
        with standing_still(postgres), monkeypatch.context() as hurried:
            hurried.setattr(postgres_store, "ANSWER_SECONDS", 1)
            hurried.setattr(postgres_store, "CONNECT_SECONDS", 2)
            for _ in range(2):  # first on a connection that is there, then on a new one
                with pytest.raises(Unavailable):
                    store.put(rows(key, [2]))
            with pytest.raises(Unavailable):
                store.check()
        assert store.put(rows(key, [1, 2])) in (["same", "stored"], ["same", "same"]), "it may be tried without harm"
        assert store.count(key) == 2


def test_closing_is_not_cut_short(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it takes to decide, or it would be tried for ever. Whoever waits for it meanwhile is told so."""
    with open_store(postgres.database()) as store:
        key = begin(store)
        store.put(rows(key, range(3)))
        monkeypatch.setattr(postgres_store, "ANSWER_SECONDS", 1)

        def slowly(row: RoundRow, reports: Iterable[tuple[int, bytes]]) -> Outcome:
            with pytest.raises(Unavailable):
                store.put(rows(key, [4]))
            time.sleep(1.5)
            return ask_again(row, reports)

        assert store.close(SURVEY, 0, because="hand", by="administrator", now=NOW, settle=slowly).answered == 3


def test_a_round_that_cannot_be_decided_moves_no_report(postgres: Postgres) -> None:
    """Each attempt would leave a copy of all reports behind, in space that is only freed later."""
    url = postgres.database()
    with open_store(url) as store, psycopg.connect(url, autocommit=True) as connection:
        key = begin(store)
        store.put(rows(key, range(5000)))

        def size() -> object:
            return connection.execute(
                "SELECT pg_total_relation_size('counted'), pg_total_relation_size('report')"
            ).fetchone()

        def undecided(row: RoundRow, reports: Iterable[tuple[int, bytes]]) -> Outcome:
            assert sum(1 for _ in reports) == 5000
            raise ZeroDivisionError

        before = size()
        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                store.close(SURVEY, 0, because="quota", by="administrator", now=NOW, settle=undecided)
        assert size() == before


def reload_and_wait(connection: psycopg.Connection[tuple[object, ...]], value: str) -> None:
    connection.execute("SELECT pg_reload_conf()")
    assert eventually(lambda: connection.execute("SHOW fsync").fetchone() == (value,))
