"""A backup is a SQLite store in a file, whichever database it was made from, and restores into either."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from sottovoce.messages import InvalidInput
from sottovoce.service.store.base import BLOCK, MAX_SLOT, Unavailable
from sottovoce.service.store.sqlite import SqliteStore

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


def to_file(connection: Any, path: Path) -> None:
    """Fill a SQLite store from a PostgreSQL connection, inside the transaction that it is in."""
    SqliteStore(path).close_store()
    target = sqlite3.connect(path, isolation_level=None)
    try:
        target.execute("BEGIN IMMEDIATE")
        for table, columns in _COLUMNS.items():
            marks = ", ".join("?" * len(columns.split(",")))
            rows = _rows(connection, f"SELECT {columns} FROM {table} ORDER BY 1, 2")  # not as they came
            target.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", rows)
        for table, columns in _REPORTS.items():
            marks = ", ".join("?" * (1 + len(columns.split(","))))
            key = f"round_key::bigint * {MAX_SLOT} + slot"
            rows = _rows(connection, f"SELECT {key}, {columns} FROM {table} ORDER BY round_key, slot")
            target.executemany(f"INSERT INTO {table} (key, {columns}) VALUES ({marks})", rows)
        target.execute("COMMIT")
        target.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        target.close()


def from_file(path: Path, connection: Any) -> None:
    """Fill an empty PostgreSQL store, inside the transaction that its connection is in."""
    source = sqlite3.connect(path, isolation_level=None)
    try:
        for table, columns in _COLUMNS.items():
            _copy_in(connection, f"{table} ({columns})", source.execute(f"SELECT {columns} FROM {table}"))
        for table, columns in _REPORTS.items():
            rows = source.execute(f"SELECT key / {MAX_SLOT}, key % {MAX_SLOT}, {columns} FROM {table} ORDER BY key")
            _copy_in(connection, f"{table} (round_key, slot, {columns})", rows)
    finally:
        source.close()
    connection.execute(
        "SELECT setval(pg_get_serial_sequence('round', 'key'), (SELECT coalesce(max(key), 1) FROM round))"
    )


def check_and_copy(path: Path, copy: Path) -> None:
    """The backup itself is not written to, not even to bring it to this version."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as source:
            if not _is_sound(source):
                raise InvalidInput("the file is not a sound backup", fix="take another")
            source.execute("VACUUM INTO ?", (str(copy),))
    except sqlite3.Error as error:
        raise Unavailable(
            f"the backup cannot be read ({type(error).__name__}); is it the file that backup wrote?"
        ) from error


def check_restored(path: Path) -> None:
    """Nobody is told that a store is restored before it was read from end to end."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as made:
        if _is_sound(made):
            return
    raise Unavailable("what was restored does not read back as it should; look at the disk, and restore elsewhere")


def _is_sound(connection: sqlite3.Connection) -> bool:
    (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    astray = connection.execute("PRAGMA foreign_key_check").fetchone()
    return verdict == "ok" and astray is None and bool(connection.execute("PRAGMA user_version").fetchone()[0])


def _rows(connection: Any, query: str) -> Iterator[Any]:
    with connection.cursor("copied", binary=True) as cursor:
        cursor.itersize = BLOCK
        cursor.execute(query)
        yield from cursor


def _copy_in(connection: Any, table: str, rows: sqlite3.Cursor) -> None:
    with connection.cursor() as cursor, cursor.copy(f"COPY {table} FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)
