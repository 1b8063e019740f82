"""The store in PostgreSQL, for several workers. Who closes a round and who puts into it wait for each other."""

from __future__ import annotations

import os
import socket
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from sottovoce.messages import InvalidInput, MissingExtra
from sottovoce.service.store.base import (
    BLOCK,
    BY_SLOT,
    MAX_SLOT,
    Execute,
    Put,
    ReportRow,
    Store,
    Unavailable,
    as_unavailable,
    check_slots,
    classify_rows,
    pending_scripts,
)
from sottovoce.service.store.sqlite import SqliteStore, new_whole_file

LOCK_MILLISECONDS = 200
"""Whoever puts or enrols waits behind the one who sweeps, so that one does not wait for long."""
_PAUSE_SECONDS = 0.05

_FREE = """
SELECT name, since::text FROM unswept WHERE NOT EXISTS (
    SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
    AND greatest(age(backend_xmin), age(backend_xid)) >= age(since::xid)
) ORDER BY name"""
"""Tables of which nobody who began before the deletion can still want to see the rows: those would be kept."""


def mark_unswept(execute: Execute, *tables: str) -> None:
    """Inside the transaction that deletes: also whoever is killed right after it has them swept."""
    for table in tables:
        execute(
            "INSERT INTO unswept (name, since) VALUES (?, pg_current_xact_id())"
            " ON CONFLICT (name) DO UPDATE SET since = excluded.since",
            (table,),
        )


def sweep(connection: Any, *, tries: int) -> bool:
    """Outside any transaction. Says whether all is swept; what is not is left for the next time.

    A plain VACUUM only marks the space as free: bytes stay in the pages of the table and of its index.
    """
    connection.execute(f"SET lock_timeout = {LOCK_MILLISECONDS}")
    for number in range(tries):
        time.sleep(_PAUSE_SECONDS if number else 0)
        for table, since in connection.execute(_FREE).fetchall():
            with suppress(connection.OperationalError):  # somebody uses it just now
                before = _table_file(connection, table)
                connection.execute(f"VACUUM (FULL) {table}")
                if _table_file(connection, table) != before:  # a role that may not do it only gets a warning
                    connection.execute("DELETE FROM unswept WHERE name = %s AND since = %s::xid8", (table, since))
        if connection.execute("SELECT 1 FROM unswept LIMIT 1").fetchone() is None:
            return True
    return False


def _table_file(connection: Any, table: str) -> Any:
    return connection.execute("SELECT pg_relation_filenode(%s::regclass)", (table,)).fetchone()


@contextmanager
def time_limit(seconds: float | None, line: int) -> Iterator[None]:
    """Cut the line, a socket's descriptor, after so many seconds: whoever waits on it hears that it is gone.

    So a call ends also where the server stands still: then it says nothing, and its machine still listens.
    """
    if seconds is None:
        yield
        return
    copy = socket.socket(fileno=os.dup(line))
    timer = threading.Timer(seconds, _cut, [copy])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        copy.close()


def _cut(line: socket.socket) -> None:
    with suppress(OSError):  # the other side was faster
        line.shutdown(socket.SHUT_RDWR)


try:
    import psycopg
except ImportError as error:
    raise MissingExtra("a PostgreSQL store needs psycopg", extra="postgres") from error

SPARE = 4
"""Connections that are kept for the next call."""
CONNECT_SECONDS = 5
ANSWER_SECONDS = 8
"""A call that a device waits for ends after so long, also where the server stands still. Closing may take longer."""
COUNT_SECONDS = 60
LOCK_SECONDS, LOCK_SECONDS_PATIENT = 5, 30
"""How long one waits for another: only to begin. What has begun to close is not cut short."""
SWEEP_SECONDS = 60
"""Where a table could not be swept, it is tried again after so long."""
SWEEP_TRIES = 20
_MIGRATING = 0x50774F
"""The number of the lock under which tables are made. Any would do, if it stays."""


class _Executing:
    """One connection's statements, in this driver's spelling."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self.connection = connection

    def __call__(self, statement: str, parameters: Sequence[object] = (), /) -> psycopg.Cursor[Any]:
        return self.connection.execute(statement.replace("?", "%s").encode(), parameters or None)


class PostgresStore(Store):
    """Each call has a connection of its own while it runs; a few are kept. Any thread may call.

    A commit returns after the server's log is on its disk: a server that does not wait for that is refused. What was
    deleted leaves the files of its tables when a round has closed, or something was scrubbed or expired.
    """

    LOCK, COUNTED = " FOR UPDATE", BY_SLOT

    def __init__(self, url: str) -> None:
        self._url = url
        self._lock = threading.Lock()
        self._spare: list[psycopg.Connection[Any]] = []
        self._open = True
        self._tried: int | None = None
        """When it was last tried in vain to sweep."""
        try:
            with self._writing(patient=True) as execute:
                _migrate(execute)
        except BaseException:
            self.close_store()
            raise

    def put(self, rows: Sequence[ReportRow]) -> list[Put]:
        check_slots(rows)
        with self._writing() as execute:
            # An open round stays open until this commits. All take keys in one order, so that nobody waits in a circle.
            open_rounds = execute(
                "SELECT key FROM round WHERE key = ANY(?) AND closed IS NULL ORDER BY key FOR KEY SHARE",
                (sorted({row.round_key for row in rows}),),
            ).fetchall()
            opened = {key for (key,) in open_rounds}
            new = list({row[:2]: row for row in reversed(rows) if row.round_key in opened and not row.late}.values())
            stored = execute(
                "INSERT INTO report SELECT * FROM unnest(%b::integer[], %b::bigint[], %b::bytea[]) ORDER BY 1, 2"
                " ON CONFLICT DO NOTHING RETURNING round_key, slot",
                tuple([row[column] for row in new] for column in range(3)),
            ).fetchall()
            if len(stored) == len(rows):
                return ["stored"] * len(rows)
            left = sorted({row[:2] for row in rows} - set(stored))
            kept = execute(
                "SELECT round_key, slot, payload, NULL::bytea FROM report"
                " JOIN unnest(%b::integer[], %b::bigint[]) AS left_over (round_key, slot) USING (round_key, slot)"
                " UNION ALL SELECT round_key, slot, payload, hash FROM counted"
                " JOIN unnest(%b::integer[], %b::bigint[]) AS left_over (round_key, slot) USING (round_key, slot)",
                tuple([key[column] for key in left] for column in (0, 1)) * 2,
            ).fetchall()
        return classify_rows(rows, opened, {(key, slot): (payload, hash) for key, slot, payload, hash in kept})

    def count(self, round_key: int) -> int:
        with self._reading(COUNT_SECONDS) as execute:
            (count,) = execute(
                "SELECT (SELECT count(*) FROM report WHERE round_key = ?)"
                " + (SELECT count(*) FROM counted WHERE round_key = ?)",
                (round_key, round_key),
            ).fetchone()
        return int(count)

    def _scrub(self, execute: Execute, id: str) -> int:
        count: int = execute(
            "UPDATE counted SET hash = sha256(payload), payload = NULL FROM round"
            " WHERE round.key = round_key AND survey = ? AND payload IS NOT NULL",
            (id,),
        ).rowcount
        mark_unswept(execute, "counted")
        return count

    def _forget(self) -> None:
        self._sweep(SWEEP_TRIES)

    def expire(self, *, now: int) -> int:
        with self._writing(patient=True) as execute:
            count: int = execute(
                "DELETE FROM counted USING round JOIN survey ON survey.id = round.survey"
                " WHERE round.key = round_key AND ended + 86400 * retention_days < ?",
                (now,),
            ).rowcount
            if count:
                mark_unswept(execute, "counted")
            unswept = execute("SELECT 1 FROM unswept LIMIT 1").fetchone() is not None
        if count or (unswept and (self._tried is None or not 0 <= now - self._tried < SWEEP_SECONDS)):
            self._tried = None if self._sweep(SWEEP_TRIES if count else 1) else now
        return count

    def _sweep(self, tries: int) -> bool:
        """Whether nothing is left to sweep. What was done before is done, whatever comes of this."""
        with suppress(Unavailable, psycopg.Error), _connect(self._url) as connection:
            return sweep(connection, tries=tries)
        return False

    def backup(self, path: str | Path) -> None:
        with _available(), new_whole_file(Path(path)) as part, self._writing(patient=True) as execute:
            execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            assert isinstance(execute, _Executing)
            copy_to_sqlite(execute.connection, part)

    def _fill(self, execute: Execute, backup: Path) -> None:
        assert isinstance(execute, _Executing)
        copy_from_sqlite(backup, execute.connection)

    def close_store(self) -> None:
        with self._lock:
            self._open = False
            spare, self._spare = self._spare, []
        for connection in spare:
            connection.close()

    @contextmanager
    def _writing(self, *, patient: bool = False) -> Iterator[Execute]:
        connection = self._take()
        try:
            with (
                _available(),
                time_limit(None if patient else ANSWER_SECONDS, connection.fileno()),
                connection.transaction(),
            ):
                execute = _Executing(connection)
                if patient:
                    execute(f"SET LOCAL lock_timeout = '{LOCK_SECONDS_PATIENT}s'")
                yield execute
        finally:
            self._give_back(connection)

    @contextmanager
    def _reading(self, seconds: float | None = None) -> Iterator[Execute]:
        connection = self._take()
        try:
            with _available(), time_limit(ANSWER_SECONDS if seconds is None else seconds, connection.fileno()):
                yield _Executing(connection)
        finally:
            self._give_back(connection)

    @contextmanager
    def _reports(self, execute: Execute, round_key: int) -> Iterator[Iterable[tuple[int, bytes]]]:
        assert isinstance(execute, _Executing)
        with execute.connection.cursor("reports", binary=True) as cursor:
            cursor.itersize = BLOCK
            cursor.execute("SELECT slot, payload FROM report WHERE round_key = %s ORDER BY slot", (round_key,))
            yield iter(cursor)

    def _put_in_order(self, execute: Execute, round_key: int) -> None:
        execute(
            "INSERT INTO counted (round_key, slot, payload)"
            " SELECT round_key, slot, payload FROM report WHERE round_key = ? ORDER BY slot",
            (round_key,),
        )
        execute("DELETE FROM report WHERE round_key = ?", (round_key,))
        mark_unswept(execute, "invitation", "report", "round", "seat")

    def _take(self) -> psycopg.Connection[Any]:
        with self._lock:
            if not self._open:
                raise Unavailable("the store is closed")
            while self._spare:
                connection = self._spare.pop()
                if not connection.broken:
                    return connection
        with _available():
            return _connect(self._url)

    def _give_back(self, connection: psycopg.Connection[Any]) -> None:
        with self._lock:
            idle = connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
            if self._open and idle and len(self._spare) < SPARE:
                self._spare.append(connection)
                return
        with suppress(psycopg.Error):
            connection.close()

    def __repr__(self) -> str:
        return "<PostgresStore>"


def _connect(url: str) -> psycopg.Connection[Any]:
    connection = psycopg.connect(url, autocommit=True, connect_timeout=CONNECT_SECONDS)
    try:
        with time_limit(CONNECT_SECONDS, connection.fileno()):
            (fsync,) = connection.execute("SHOW fsync").fetchone() or ("",)
            if fsync != "on":
                raise InvalidInput("the server does not wait for its disk; set fsync = on in its settings")
            connection.execute("SET synchronous_commit = on")
            connection.execute(f"SET lock_timeout = '{LOCK_SECONDS}s'".encode())
    except BaseException:
        connection.close()
        raise
    return connection


def _migrate(execute: Execute) -> None:
    """Bring the tables to this software's version; one process at a time."""
    execute("SELECT pg_advisory_xact_lock(?)", (_MIGRATING,))
    execute("CREATE TABLE IF NOT EXISTS migration (number integer PRIMARY KEY)")
    (version,) = execute("SELECT coalesce(max(number), 0) FROM migration").fetchone()
    for number, script in pending_scripts("postgres", version):
        execute(script)
        execute("INSERT INTO migration (number) VALUES (?)", (number,))


def _available() -> AbstractContextManager[None]:
    return as_unavailable((psycopg.Error, sqlite3.Error, OSError), code="sqlstate", look_at="the server")


_COLUMNS = {
    "administrator": "one, token",
    "survey": "id, manifest, secret, token, retention_days, origins, created, state, answer, abandoned, ended,"
    " scrubbed",
    "round": 'key, survey, number, role, question, digest, opened, closed, because, "by", answered, tally, seed',
    "enrolment": "survey, round, number",
    "invitation": "survey, token",
    "seat": "survey, token, round, slot, visit",
    "refusal": "survey, code, number",
}
"""The tables that both databases have, those before which others refer to. A test reads the SQL and compares."""
_REPORTS = {"report": "payload", "counted": "payload, hash"}
"""What they keep of reports, by round and slot: in SQLite the two are one key."""


def copy_to_sqlite(connection: Any, path: Path) -> None:
    """Fill a SQLite store from a PostgreSQL connection, inside the transaction that it is in."""
    SqliteStore(path).close_store()
    key = f"round_key::bigint * {MAX_SLOT} + slot"
    copied = [
        *((table, columns, columns, "1, 2") for table, columns in _COLUMNS.items()),  # not as they came
        *((table, f"key, {columns}", f"{key}, {columns}", "round_key, slot") for table, columns in _REPORTS.items()),
    ]
    with closing(sqlite3.connect(path, isolation_level=None)) as target:
        target.execute("BEGIN IMMEDIATE")
        for table, columns, selected, order in copied:
            marks = ", ".join("?" * len(columns.split(",")))
            rows = _rows(connection, f"SELECT {selected} FROM {table} ORDER BY {order}")
            target.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", rows)
        target.execute("COMMIT")
        target.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def copy_from_sqlite(path: Path, connection: Any) -> None:
    """Fill an empty PostgreSQL store, inside the transaction that its connection is in."""
    key = f"key / {MAX_SLOT}, key % {MAX_SLOT}"
    copied = [
        *((table, columns, f"SELECT {columns} FROM {table}") for table, columns in _COLUMNS.items()),
        *(
            (table, f"round_key, slot, {columns}", f"SELECT {key}, {columns} FROM {table} ORDER BY key")
            for table, columns in _REPORTS.items()
        ),
    ]
    with closing(sqlite3.connect(path, isolation_level=None)) as source, connection.cursor() as cursor:
        for table, columns, selected in copied:
            with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
                for row in source.execute(selected):
                    copy.write_row(row)
    connection.execute(
        "SELECT setval(pg_get_serial_sequence('round', 'key'), (SELECT coalesce(max(key), 1) FROM round))"
    )


def _rows(connection: Any, query: str) -> Iterator[Any]:
    with connection.cursor("copied", binary=True) as cursor:
        cursor.itersize = BLOCK
        cursor.execute(query)
        yield from cursor
