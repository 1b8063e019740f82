"""The ledger's file: who may read it, how it is opened, what a row may hold, and how older files are carried over."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from threading import Lock
from typing import Any

from sottovoce.messages import Declined, InvalidInput

VERSION = 2
_ANSWER = """
CREATE TABLE answer (
    collector TEXT NOT NULL,  -- who asked, as the device knows them; never taken from the question
    survey TEXT NOT NULL,     -- one answer for each survey of a collector, ever
    source TEXT NOT NULL,     -- which data the answer was about
    question TEXT NOT NULL,   -- digest of the question that was answered
    slot INTEGER NOT NULL CHECK (typeof(slot) = 'integer' AND slot >= 0),            -- as whom
    epsilon TEXT NOT NULL CHECK (epsilon <> '' AND epsilon NOT GLOB '*[^0-9/]*'),    -- proven cost, an exact fraction
    report BLOB NOT NULL CHECK (typeof(report) = 'blob' AND length(report) <= 1048576), -- the bytes to send
    PRIMARY KEY (collector, survey),
    CHECK (typeof(collector) || typeof(survey) || typeof(source) || typeof(question) = 'texttexttexttext')
)"""
_TOTAL = """
CREATE TABLE total (          -- the sums over `answer`, kept in the same transactions
    source TEXT NOT NULL PRIMARY KEY CHECK (typeof(source) = 'text'),
    epsilon TEXT NOT NULL CHECK (epsilon <> '' AND epsilon NOT GLOB '*[^0-9/]*'),
    answers INTEGER NOT NULL CHECK (typeof(answers) = 'integer' AND answers > 0),
    bytes INTEGER NOT NULL CHECK (typeof(bytes) = 'integer' AND bytes >= 0)
)"""
_ADD = """
INSERT INTO total VALUES (?, ?, 1, ?)
ON CONFLICT (source) DO UPDATE SET epsilon = excluded.epsilon, answers = answers + 1, bytes = bytes + excluded.bytes"""

_MAKING = Lock()  # no file is opened here that SQLite may have open: to close it would drop this process's locks on it


def connect(path: str | Path) -> sqlite3.Connection:
    """Open the file, made for its owner alone if it is new; every write is durable before the next step."""
    if not str(path) or str(path).startswith("file:"):
        raise InvalidInput("path must name a file; with an empty one SQLite would forget what was spent")
    lasting = str(path) != ":memory:"
    if lasting:  # SQLite would let everybody read a file that it makes; its journal follows the file
        with _MAKING, suppress(FileExistsError):
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        if not os.path.isdir(path):
            os.chmod(path, 0o600)
    connection = sqlite3.connect(path, isolation_level=None, timeout=30)
    (mode,) = connection.execute("PRAGMA journal_mode = DELETE").fetchone()
    connection.execute("PRAGMA synchronous = EXTRA")
    if lasting and mode != "delete":
        raise sqlite3.OperationalError("another program holds the file in another mode")
    return connection


def prepare(connection: sqlite3.Connection) -> None:
    """Make the tables, or carry those of version 1 over; anything else is declined. Inside a transaction."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if version == 0 and tables <= {"answer"}:
        if tables:
            connection.execute("ALTER TABLE answer RENAME TO before")
        connection.execute(_ANSWER)
        connection.execute(_TOTAL)
        if tables:
            _carry_over(connection)
        connection.execute(f"PRAGMA user_version = {VERSION}")
    elif version != VERSION:
        raise Declined("ledger-unavailable", "the file is not a ledger, or one of a later version")
    elif _added_up(connection) != {
        row[0]: (Fraction(row[1]), *row[2:]) for row in connection.execute("SELECT * FROM total")
    }:
        raise Declined("ledger-unavailable", "answers came or went by another hand: the ledger's totals do not fit")


def _added_up(connection: sqlite3.Connection) -> dict[str, tuple[Fraction, int, int]]:
    """The totals again, from the answers themselves: once, when a ledger is opened."""
    sums: dict[str, tuple[Fraction, int, int]] = {}
    for source, epsilon, size in connection.execute("SELECT source, epsilon, length(report) FROM answer"):
        spent, answers, held = sums.get(source, (Fraction(0), 0, 0))
        sums[source] = (spent + Fraction(epsilon), answers + 1, held + size)
    return sums


def _carry_over(connection: sqlite3.Connection) -> None:
    """Version 1 had no slots (they stand in the reports) and no totals."""
    try:
        for *names, epsilon, report in connection.execute("SELECT * FROM before").fetchall():
            insert(connection, (*names, int(json.loads(report)["slot"])), Fraction(epsilon), report)
    except (ArithmeticError, LookupError, ValueError, TypeError):
        raise Declined("ledger-unavailable", "a ledger of version 1 with a row that cannot be read") from None
    connection.execute("DROP TABLE before")


def insert(connection: sqlite3.Connection, key: tuple[Any, ...], epsilon: Fraction, report: bytes) -> None:
    """One answer, and its part of the totals. `key` is the first five columns."""
    connection.execute("INSERT INTO answer VALUES (?, ?, ?, ?, ?, ?, ?)", (*key, str(epsilon), report))
    spent = totals(connection, key[2])[0] + epsilon
    connection.execute(_ADD, (key[2], str(spent), len(report)))


def totals(connection: sqlite3.Connection, source: str = "") -> tuple[Fraction, int, int]:
    """What one source has spent; how many answers there are, and bytes of reports. No answer is looked at."""
    row = connection.execute("SELECT epsilon FROM total WHERE source = ?", (source,)).fetchone()
    answers, held = connection.execute("SELECT sum(answers), sum(bytes) FROM total").fetchone()
    return Fraction(row[0] if row else 0), answers or 0, held or 0
