"""The store in one SQLite file: write-ahead log, every commit synced. For one worker; the default."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any

from sottovoce.messages import InvalidInput
from sottovoce.service.store.base import (
    BLOCK,
    BY_KEY,
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

# Files that are there whole or not at all, and for their owner alone.

_MAKING = Lock()  # a file that SQLite may have open is never opened here: to close it would drop this process's locks


def make_file(path: Path) -> None:
    """A new file is readable by its owner alone, and its name is on the disk before anything is acknowledged."""
    with _MAKING:
        if not path.exists():
            expect_nothing_left(path)
            with suppress(FileExistsError):  # another process was quicker
                os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
            sync_to_disk(path.parent)


def sync_to_disk(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def expect_nothing_left(path: Path) -> None:
    """SQLite takes a log that it finds for the log of the file that it finds, and would write it into that."""
    left = [path.name + end for end in ("-wal", "-shm", "-journal") if path.with_name(path.name + end).exists()]
    if left:
        raise InvalidInput(
            f"{' and '.join(left)} of a store that was here before would spoil a new one, and may hold reports of the"
            " old one: move the old files away together, or give another name"
        )


@contextmanager
def new_whole_file(target: Path) -> Iterator[Path]:
    """An empty file to fill; it gets its name once it is whole and on the disk, and never replaces another."""
    if target.exists():
        raise InvalidInput("there is a file of this name already", fix="give a name that is free")
    expect_nothing_left(target)
    part = target.with_name(f"{target.name}.part")
    part.unlink(missing_ok=True)
    os.close(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        yield part
        sync_to_disk(part)
        os.link(part, target)
    finally:
        part.unlink(missing_ok=True)
    sync_to_disk(target.parent)


MOST_AT_ONCE = 512
BUSY_SECONDS = 30
AGAIN_SECONDS = 60
"""Where what was deleted could not leave the file, it is tried again after so long."""
_UNSWEPT = """
INSERT INTO unswept (name, since) VALUES ('everything', 1) ON CONFLICT (name) DO UPDATE SET since = since + 1"""


class SqliteStore(Store):
    """A file for its owner alone. One connection writes, one reads; each has a lock, so any thread may call.

    A commit returns after the log is on the disk. Whenever something was deleted or a round closed, the file is written
    anew and the log is emptied, so that it is gone from both, and with it the order in which reports came.
    """

    LOCK, COUNTED = "", BY_KEY  # a transaction that writes has the whole file

    def __init__(self, path: str | Path, *, synchronous: str = "FULL") -> None:
        """Open or make the file; `synchronous` is weaker only in the test that shows why it must not be."""
        if not str(path) or str(path) == ":memory:" or str(path).startswith("file:"):
            raise InvalidInput("a store must be a file, or it would lose what it acknowledged", fix="give it a path")
        self.path = Path(path)
        self._write_lock, self._read_lock = threading.Lock(), threading.Lock()
        self._open = self._remembers = True
        self._tried: int | None = None
        """When what was deleted should last have left the file."""
        with _available():
            make_file(self.path)
            self._writer = _connect(self.path, synchronous)
            try:
                _migrate(self._writer)
                sync_to_disk(self.path.parent)  # the log's name; SQLite does so too, but does not look whether it could
                self._reader = _connect(self.path, synchronous)
            except BaseException:
                self._writer.close()
                raise
            self._reader.execute("PRAGMA query_only = ON")

    def put(self, rows: Sequence[ReportRow]) -> list[Put]:
        check_slots(rows)
        keys = [row.round_key * MAX_SLOT + row.slot for row in rows]
        with self._writing() as execute:
            rounds = sorted({row.round_key for row in rows})
            opened = {key for (key,) in _select_among(execute, "key FROM round WHERE closed IS NULL AND key", rounds)}
            known = _select_among(execute, "key, payload, NULL FROM report WHERE key", keys)
            if len(opened) < len(rounds):
                known += _select_among(execute, "key, payload, hash FROM counted WHERE key", keys)
            kept = {divmod(key, MAX_SLOT): (payload, hash) for key, payload, hash in known}
            results = classify_rows(rows, opened, kept)
            new = [
                (key, row.payload) for key, row, result in zip(keys, rows, results, strict=True) if result == "stored"
            ]
            while new:  # in powers of two: the driver keeps the statement for each of few sizes ready
                many = min(MOST_AT_ONCE, 1 << (len(new).bit_length() - 1))
                some, new = itertools.chain.from_iterable(new[:many]), new[many:]
                values = ",".join(["(?,?)"] * many)
                execute(f"INSERT INTO report (key, payload) VALUES {values}", tuple(some))
            return results

    def count(self, round_key: int) -> int:
        with self._reading() as execute:
            return sum(
                execute(f"SELECT count(*) FROM {table} WHERE key >= ? AND key < ?", _key_range(round_key)).fetchone()[0]
                for table in ("report", "counted")
            )

    def _scrub(self, execute: Execute, id: str) -> int:
        rounds = execute("SELECT key FROM round WHERE survey = ? AND closed IS NOT NULL", (id,)).fetchall()
        execute(_UNSWEPT)
        scrubbed = (
            "UPDATE counted SET hash = sha256(payload), payload = NULL"
            " WHERE key >= ? AND key < ? AND payload IS NOT NULL"
        )
        return sum(execute(scrubbed, _key_range(key)).rowcount for (key,) in rounds)

    def expire(self, *, now: int) -> int:
        with self._writing() as execute:
            rounds = execute(
                "SELECT key FROM round JOIN survey ON survey.id = survey WHERE ended + 86400 * retention_days < ?",
                (now,),
            ).fetchall()
            expired = "DELETE FROM counted WHERE key >= ? AND key < ?"
            count: int = sum(execute(expired, _key_range(key)).rowcount for (key,) in rounds)
            if count:
                execute(_UNSWEPT)
        if count or (self._remembers and (self._tried is None or not 0 <= now - self._tried < AGAIN_SECONDS)):
            self._tried = now
            self._forget()
        return count

    def _forget(self) -> None:
        """What was deleted leaves file and log. Where somebody else reads just now, an `expire` after a while does it.

        Cells are overwritten when they are deleted, but SQLite leaves copies behind in pages whose rows it moved, and a
        list of free pages whose numbers tell which were filled first: only a new file has neither.
        """
        self._remembers = True
        with self._write_lock, suppress(sqlite3.Error):  # what was done before is done, whatever comes of this
            if self._open:
                self._writer.execute("PRAGMA busy_timeout = 100")
                try:
                    unswept = self._writer.execute("SELECT since FROM unswept").fetchone()
                    if unswept is not None:
                        self._writer.execute("VACUUM")
                        self._writer.execute("DELETE FROM unswept WHERE since = ?", unswept)
                    (busy, _, _) = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                    self._remembers = bool(busy)
                finally:
                    self._writer.execute(f"PRAGMA busy_timeout = {1000 * BUSY_SECONDS}")

    def backup(self, path: str | Path) -> None:
        with _available(), closing(_connect(self.path, "FULL")) as connection, new_whole_file(Path(path)) as part:
            connection.execute("VACUUM INTO ?", (str(part),))

    def _fill(self, execute: Execute, backup: Path) -> None:
        with closing(sqlite3.connect(backup)) as source:
            names = source.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid").fetchall()
            for (table,) in names:  # in the order in which they were made: those before which others refer to
                rows = source.execute(f"SELECT * FROM {table}")
                marks = ", ".join("?" * len(rows.description))
                self._writer.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)

    def close_store(self) -> None:
        with self._write_lock, self._read_lock:
            self._open = False
            self._reader.close()
            with suppress(sqlite3.Error):  # deleted tokens leave the log too; the file is sound if it cannot be
                self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._writer.close()

    @contextmanager
    def _writing(self, *, patient: bool = False) -> Iterator[Execute]:
        with self._write_lock, _available():
            self._check_open()
            connection = self._writer
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection.execute
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    with suppress(sqlite3.Error):  # what went wrong before is what counts
                        connection.execute("ROLLBACK")

    @contextmanager
    def _reading(self) -> Iterator[Execute]:
        with self._read_lock, _available():
            self._check_open()
            yield self._reader.execute

    @contextmanager
    def _reports(self, execute: Execute, round_key: int) -> Iterator[Iterable[tuple[int, bytes]]]:
        first, last = _key_range(round_key)
        cursor = self._writer.execute(
            "SELECT key - ?, payload FROM report WHERE key >= ? AND key < ? ORDER BY key", (first, first, last)
        )

        try:
            yield itertools.chain.from_iterable(iter(lambda: cursor.fetchmany(BLOCK), []))
        finally:
            cursor.close()

    def _put_in_order(self, execute: Execute, round_key: int) -> None:
        execute(
            "INSERT INTO counted (key, payload)"
            " SELECT key, payload FROM report WHERE key >= ? AND key < ? ORDER BY key",
            _key_range(round_key),
        )
        execute("DELETE FROM report WHERE key >= ? AND key < ?", _key_range(round_key))
        execute(_UNSWEPT)

    def _check_open(self) -> None:
        if not self._open:
            raise Unavailable("the store is closed")

    def __repr__(self) -> str:
        return "<SqliteStore>"


def _key_range(round_key: int) -> tuple[int, int]:
    return round_key * MAX_SLOT, (round_key + 1) * MAX_SLOT


def _select_among(execute: Execute, what: str, keys: Sequence[int]) -> list[Any]:
    """One statement, however many keys: each one gives up Python's lock, and a busy server is slow to hand it back."""
    rows: list[Any] = execute(f"SELECT {what} IN (SELECT value FROM json_each(?))", (json.dumps(keys),)).fetchall()
    return rows


def _connect(path: Path, synchronous: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, timeout=BUSY_SECONDS, check_same_thread=False)
    try:
        (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        if mode != "wal":
            raise sqlite3.OperationalError("the file system does not carry a write-ahead log")
        connection.execute(f"PRAGMA synchronous = {synchronous}")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")
        connection.create_function("sha256", 1, lambda data: hashlib.sha256(data).digest(), deterministic=True)
    except BaseException:
        connection.close()
        raise
    return connection


def _migrate(connection: sqlite3.Connection) -> None:
    """Bring the tables to this software's version, with the file locked."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        for number, script in pending_scripts("sqlite", version):
            for statement in _statements(script):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number}")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _statements(script: str) -> Iterator[str]:
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _available() -> AbstractContextManager[None]:
    return as_unavailable((sqlite3.Error, OSError), code="sqlite_errorname", look_at="its disk")
