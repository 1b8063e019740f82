"""What only PostgreSQL could give away or get wrong."""

from __future__ import annotations

import time

import psycopg
import pytest

from sottovoce.messages import InvalidInput
from sottovoce.service.store import Unavailable, open_store
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


def reload_and_wait(connection: psycopg.Connection[tuple[object, ...]], value: str) -> None:
    connection.execute("SELECT pg_reload_conf()")
    end = time.monotonic() + 10
    while connection.execute("SHOW fsync").fetchone() != (value,):
        assert time.monotonic() < end
        time.sleep(0.01)
