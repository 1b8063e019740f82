"""What was deleted leaves PostgreSQL's files: tables that held it are written anew, as soon as nobody else needs it."""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from sottovoce.service.store.execute import Execute

LOCK_MILLISECONDS = 200
"""Whoever puts or enrols waits behind the one who sweeps, so that one does not wait for long."""
_PAUSE_SECONDS = 0.05

_FREE = """
SELECT name, since::text FROM unswept WHERE NOT EXISTS (
    SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
    AND greatest(age(backend_xmin), age(backend_xid)) >= age(since::xid)
) ORDER BY name"""
"""Tables of which nobody who began before the deletion can still want to see the rows: those would be kept."""


def remember(execute: Execute, tables: Iterable[str]) -> None:
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
                before = _file(connection, table)
                connection.execute(f"VACUUM (FULL) {table}")
                if _file(connection, table) != before:  # a role that may not do it only gets a warning
                    connection.execute("DELETE FROM unswept WHERE name = %s AND since = %s::xid8", (table, since))
        if connection.execute("SELECT 1 FROM unswept LIMIT 1").fetchone() is None:
            return True
    return False


def _file(connection: Any, table: str) -> Any:
    return connection.execute("SELECT pg_relation_filenode(%s::regclass)", (table,)).fetchone()
