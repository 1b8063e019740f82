"""What a device has said and spent. Durable, and written before anything is sent.

One SQLite file. A row is a promise kept: this survey of this collector was answered with these bytes, at this cost to
this source of data. The check and the row are one transaction, so two processes cannot both answer. First stands the
file: who may read it, how it is opened, what a row may hold, and how older files are carried over.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from fractions import Fraction
from pathlib import Path
from threading import Lock
from typing import Any

from sottovoce.messages import MAX_LEDGER_ANSWERS, MAX_LEDGER_BYTES, MAX_REPORT_BYTES, Declined, InvalidInput, exact

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


Beside = Callable[[sqlite3.Connection], None]  # what a client notes beside an answer, in the same transaction
_STORED = "SELECT question, source, slot, report FROM answer WHERE collector = ? AND survey = ?"


class Ledger(AbstractContextManager["Ledger"]):
    """The budget of one device, in the file at `path` (":memory:" forgets: for rehearsals only).

    Privacy
    -------
    Over the lifetime of the file all answers about one `source`, whoever asked, together cost at most `cap`; each
    survey of a collector is answered at most once. Costs are exact fractions, proven from the channel's law. A file
    that cannot be used, for whatever reason, is `Declined` with ``ledger-unavailable``, by every method.
    """

    def __init__(self, path: str | Path, *, cap: float) -> None:
        if not 0 < cap < float("inf"):
            raise InvalidInput(f"cap must be a positive number; got {cap!r}")
        self.cap = exact(cap)
        self._process = os.getpid()
        with _declined():
            self._connection = connect(path)
        with self.transaction() as connection, _declined():
            prepare(connection)

    def answer(
        self,
        *,
        collector: str,
        survey: str,
        source: str,
        question: str,
        epsilon: Fraction,
        make: Callable[[], bytes],
        slot: int = 0,
        beside: Beside | None = None,
    ) -> bytes:
        """The bytes to send: those stored for this question and slot, or fresh ones, stored before they are returned.

        Raises
        ------
        Declined
            ``already-answered`` to another question, as another slot or about another source; ``over-budget`` for the
            source; ``ledger-full``; ``ledger-unavailable``. The ledger is unchanged.
        """
        with self.transaction() as connection:
            with _declined():
                row = connection.execute(_STORED, (collector, survey)).fetchone()
                spent, answers, held = totals(connection, source)
            if row is not None and row[:3] != (question, source, slot):
                raise Declined("already-answered", f"survey {survey!r} was answered before; a survey gets one answer")
            if row is None and spent + epsilon > self.cap:
                sums = f"{float(epsilon):.6g} on top of {float(spent):.6g} spent; the cap is {float(self.cap):g}"
                raise Declined("over-budget", f"survey {survey!r} costs {sums}")
            if row is None and (answers >= MAX_LEDGER_ANSWERS or held + MAX_REPORT_BYTES > MAX_LEDGER_BYTES):
                raise Declined("ledger-full", f"{answers} answers of {held} bytes in all leave no room for another")
            report = make() if row is None else bytes(row[3])
            with _declined():
                if row is None:
                    insert(connection, (collector, survey, source, question, slot), epsilon, report)
                if beside is not None:
                    beside(connection)
        return report

    def spent(self, source: str) -> Fraction:
        """What the answers about one source have cost so far, exactly."""
        with _declined():
            return totals(self._own(), source)[0]

    def surveys(self) -> list[tuple[str, str]]:
        """The collectors and surveys that were answered."""
        with _declined():
            return self._own().execute("SELECT collector, survey FROM answer ORDER BY collector, survey").fetchall()

    def _own(self) -> sqlite3.Connection:
        if os.getpid() != self._process:
            raise Declined("ledger-unavailable", "the ledger was opened before a fork; open it again in this process")
        return self._connection

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Begin with the write lock held; commit on success, undo on anything else, a failed beginning included."""
        connection = self._own()
        try:
            with _declined():
                connection.execute("BEGIN IMMEDIATE")
            yield connection
            with _declined():
                connection.execute("COMMIT")
        finally:
            with suppress(sqlite3.Error):  # what went wrong before is what counts
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    def close(self) -> None:
        with _declined():
            self._connection.close()

    def __exit__(self, *details: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Ledger: cap {float(self.cap):g}>"


@contextmanager
def _declined() -> Iterator[None]:
    """Whatever a file, its bytes or a name can do wrong is one decline."""
    try:
        yield
    except (Declined, InvalidInput):
        raise
    except (sqlite3.Error, OSError, ArithmeticError, ValueError, TypeError) as error:
        raise Declined("ledger-unavailable", f"the ledger cannot be used now ({type(error).__name__})") from None
