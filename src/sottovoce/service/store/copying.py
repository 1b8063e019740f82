"""A backup is a SQLite store in a file, whichever database it was made from, and restores into either."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sottovoce.messages import InvalidInput
from sottovoce.service.store.base import MAX_SLOT, Unavailable
from sottovoce.service.store.sqlite import SqliteStore

BLOCK = 4096
_COLUMNS = {
    "administrator": "one, token",
    "survey": "id, manifest, secret, token, retention_days, origins, created, state, answer, abandoned, ended,"
    " scrubbed",
    "round": 'key, survey, number, role, question, digest, opened, closed, because, "by", answered, tally',
    "enrolment": "survey, round, number",
    "invitation": "survey, token",
    "seat": "survey, token, round, slot",
}
"""The tables that both databases have, those before which others refer to. A test reads the SQL and compares."""


def to_file(connection: Any, path: Path) -> None:
    """Fill a SQLite store from a PostgreSQL connection, inside the transaction that it is in."""
    SqliteStore(path).close_store()
    target = sqlite3.connect(path, isolation_level=None)
    try:
        target.execute("BEGIN IMMEDIATE")
        for table, columns in _COLUMNS.items():
            marks = ", ".join("?" * len(columns.split(",")))
            rows = _rows(connection, f"SELECT {columns} FROM {table}")
            target.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", rows)
        reports = _rows(
            connection,
            f"SELECT round_key * {MAX_SLOT} + slot, payload, hash FROM (SELECT round_key::bigint, slot, payload,"
            " NULL::bytea AS hash FROM report UNION ALL SELECT * FROM counted) AS both_kinds ORDER BY 1",
        )
        target.executemany("INSERT INTO report (key, payload, hash) VALUES (?, ?, ?)", reports)
        target.execute("COMMIT")
        target.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        target.close()


def from_file(path: Path, connection: Any) -> None:
    """Fill an empty PostgreSQL store, inside the transaction that its connection is in."""
    if connection.execute("SELECT 1 FROM survey LIMIT 1").fetchone() is not None:
        raise InvalidInput("the store to restore into has surveys already; restore into an empty one")
    connection.execute("DELETE FROM administrator")
    source = sqlite3.connect(path, isolation_level=None)
    try:
        for table, columns in _COLUMNS.items():
            _copy_in(connection, f"{table} ({columns})", source.execute(f"SELECT {columns} FROM {table}"))
        reports = (
            "SELECT round.key, report.key % 1099511627776, payload{} FROM report"
            " JOIN round ON round.key = report.key / 1099511627776 WHERE closed IS {} NULL ORDER BY report.key"
        )
        _copy_in(connection, "report (round_key, slot, payload)", source.execute(reports.format("", "")))
        _copy_in(
            connection, "counted (round_key, slot, payload, hash)", source.execute(reports.format(", hash", "NOT"))
        )
    finally:
        source.close()
    connection.execute(
        "SELECT setval(pg_get_serial_sequence('round', 'key'), (SELECT coalesce(max(key), 1) FROM round))"
    )


def check_and_copy(path: Path, copy: Path) -> None:
    """The backup itself is not written to, not even to bring it to this version."""
    try:
        source = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            (verdict,) = source.execute("PRAGMA integrity_check(1)").fetchone()
            if verdict != "ok" or not source.execute("PRAGMA user_version").fetchone()[0]:
                raise InvalidInput("the file is not a sound backup; take another")
            source.execute("VACUUM INTO ?", (str(copy),))
        finally:
            source.close()
    except sqlite3.Error as error:
        raise Unavailable(
            f"the backup cannot be read ({type(error).__name__}); is it the file that backup wrote?"
        ) from error


def _rows(connection: Any, query: str) -> Iterator[Any]:
    with connection.cursor("copied", binary=True) as cursor:
        cursor.itersize = BLOCK
        cursor.execute(query)
        yield from cursor


def _copy_in(connection: Any, table: str, rows: sqlite3.Cursor) -> None:
    with connection.cursor() as cursor, cursor.copy(f"COPY {table} FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)
